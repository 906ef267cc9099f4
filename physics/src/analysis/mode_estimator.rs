//! Estimator of the partials of a recorded strike: frequency, decay, amplitude and phase of every mode that rings.
//!
//! ```text
//! x(t) = sum a e^(-sigma t) cos(2 pi f t + phi) + noise        after the hammer has separated
//! ```
//!
//! 1. [`Onset`]: start of the strike, and of the free decay.
//! 2. `band_search`: the signal in demodulated, decimated bands; long windows in narrow bands first, short ones in wide bands last.
//! 3. `esprit`: the damped exponentials of a band (Roy, Kailath 1989; in bands and for percussion: Badeau, Boyer, David 2002).
//! 4. `least_squares`: all of them fitted at once to the whole signal. The residual goes through the bands again.
//! 5. [`weed`] and [`judge`]: the partials with their uncertainty, and those left out with the reason.

use std::f64::consts::{LN_2, TAU};

use nalgebra::Complex;

use crate::analysis::band_search;
use crate::analysis::band_search::{SURE, energy, noise_around};
use crate::analysis::least_squares::Fit;
use crate::analysis::spectral_peaks::{loudest_level, standing_out};
use crate::analysis::types::{Found, Octave, Options, Partial, Pole, decibels};

/// Maximum number of fitted exponentials.
const MAX_POLES: usize = 160;
/// Maximum number that one row of bands may add: weaker ones follow when the strongest are known.
const MAX_NEW_POLES: usize = 32;
/// Minimum number of fitted samples.
const MIN_FITTED_SAMPLES: usize = 64;
/// Number of attempts at the start of the free decay, each later than the last.
const STARTS: usize = 3;
/// Passes over all bands.
const SWEEPS: usize = 2;
/// Steps of the fit after each row of bands, after removals, and at the end.
const STEPS: (usize, usize, usize) = (8, 3, 30);
/// Maximum number of partials that only stand out of the spectrum.
const MAX_PEAKS: usize = 40;
/// Duration of the search for partials [s]; the final fit covers the whole signal.
const SEARCHED: f64 = 3.0;
/// Deviation of the noise over the peak that is always assumed: -130 dB, the rounding of 24 bits.
const QUIET: f64 = 3e-7;
/// Initial decay rate of a decaying offset [1/s]: that of a DC blocker at 5 Hz.
const DC_BLOCK: f64 = 31.0;
/// Longest signal that is fitted [s].
const LONGEST: f64 = 30.0;

/// Length of a step of the envelope [s].
const STEP: f64 = 1e-3;
/// Rise over the peak that counts as the onset, unless the noise before it is louder.
const RISE: f64 = 0.02;
/// Rise over the noise before it.
const OVER_NOISE: f64 = 4.0;
/// Time after the onset that contains the peak [s].
const ATTACK: f64 = 0.05;
/// Time after the peak [s] within which the hammer separates.
const AFTER: f64 = 2e-3;
/// Samples below this share of the peak at the end are silence.
const SILENCE: f64 = 1e-8;

/// Length of a frame for judging the fit [s], time after the start in which it may be bad, and time after which it is assumed to
/// be good.
const FRAME: f64 = 2e-3;
const JUDGED: (f64, f64) = (0.06, 0.25);
/// Misfit relative to the usual one that indicates a hammer still, or again, in contact.
const DISTURBED: f64 = 30.0;
/// Ratio of energies of misfit and signal below which the misfit never counts as contact.
const HARMLESS: f64 = 1e-6;

/// Shortest time to -60 dB of a partial [s]: shorter ones belong to the strike itself.
const MIN_DECAY_TIME: f64 = 0.01;
/// Decay over the whole signal below which a partial does not decay, as an exponent.
const STEADY: f64 = 0.1;
/// Distance of overlapping lines over their widths.
const OVERLAP: f64 = 2.0;
/// Maximum number of rounds in which exponentials are removed.
const ROUNDS: usize = 8;
/// Largest deviation of the decay rate, over the rate, and of the frequency [cents], up to which a partial counts as known.
const KNOWN: (f64, f64) = (0.3, 20.0);

/// Estimate of a recording.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Onset of the strike [s].
    pub onset: f64,
    /// Start of the free decay [s].
    pub start: f64,
    /// End of the fitted part [s].
    pub end: f64,
    /// The partials, lowest first.
    pub found: Vec<Found>,
    /// Fitted exponentials that are no partials or exceed the maximum, with the reason.
    pub left_out: Vec<(Found, Why)>,
    /// Energy of the residual over that of the signal, from start to end [dB].
    pub residual_db: f64,
    /// The same by octaves.
    pub octaves: Vec<Octave>,
}

/// The partials of the first strike in `signal`, sampled at `rate` [Hz]. None if it is silent, shorter than 64 samples, or not
/// finite.
pub fn estimate(signal: &[f64], rate: f64, options: &Options) -> Option<Estimate> {
    if signal.iter().any(|sample| !sample.is_finite()) {
        return None;
    }
    let parts = find(signal, rate)?;
    let end = parts.end.min(parts.start + (LONGEST * rate) as usize);
    let mut start = parts.start;
    let mut free = signal.get(start..end).filter(|free| free.len() >= MIN_FITTED_SAMPLES)?;
    let searched = |free: &'_ [f64]| free.len().min((SEARCHED * rate) as usize);
    let mut fit = Fit::new(&free[..searched(free)]);
    let quiet = (QUIET * fit.peak).powi(2);
    fit.poles.push(Pole { lambda: Complex::new(-DC_BLOCK / rate, 0.0), c: Complex::new(free[0], 0.0), noise: quiet });
    for again in 0..STARTS {
        search(&mut fit, rate, quiet, options);
        let Some(later) = disturbed(free, &fit.residual, rate).filter(|_| again + 1 < STARTS) else { break };
        let Some(rest) = free.get(later..).filter(|rest| rest.len() >= MIN_FITTED_SAMPLES) else { break };
        (start, free) = (start + later, rest);
        fit = fit.over(&free[..searched(free)], later);
    }
    fit = fit.over(free, 0);
    fit.settle(STEPS.2);
    weed(&mut fit, rate, quiet, STEPS.0);
    fit.settle(STEPS.2);
    let (mut found, left_out) = judge(&fit, rate, options);
    let hum = left_out.iter().filter(|(_, why)| *why == Why::Steady).map(|(found, _)| *found);
    let rest = without(free, rate, &found.iter().copied().chain(hum).collect::<Vec<_>>());
    let room = options.most.saturating_sub(found.len()).min(MAX_PEAKS);
    found.extend(standing_out(&rest, rate, loudest_level(free, rate), room).into_iter().filter(|peak| peak.is_in(options)));
    found.sort_by(|a, b| a.partial.hertz.total_cmp(&b.partial.hertz));
    let rest = without(free, rate, &found);
    let octaves = band_search::octaves(free, &rest, rate);
    let energy = |signal: &[f64]| signal.iter().map(|x| x * x).sum::<f64>();
    Some(Estimate {
        onset: parts.onset as f64 / rate,
        start: start as f64 / rate,
        end: end as f64 / rate,
        residual_db: decibels(energy(&rest) / energy(free)),
        octaves,
        found,
        left_out,
    })
}

/// Adds the partials of all bands, long windows first, and removes unnecessary ones.
fn search(fit: &mut Fit, rate: f64, quiet: f64, options: &Options) {
    fit.settle(STEPS.0);
    for sweep in 0..SWEEPS {
        for level in band_search::levels(rate) {
            let room = MAX_POLES.saturating_sub(fit.poles.len()).min(MAX_NEW_POLES);
            let fresh = band_search::search(&fit.residual, level, options.range.1 / rate, quiet, &fit.poles, room);
            if sweep > 0 && fresh.is_empty() {
                continue;
            }
            fit.poles.extend(fresh);
            fit.settle(STEPS.0);
            weed(fit, rate, quiet, STEPS.1);
        }
    }
}

/// `signal` without the partials `found`.
fn without(signal: &[f64], rate: f64, found: &[Found]) -> Vec<f64> {
    let mut rest = signal.to_vec();
    for Found { partial, .. } in found {
        let turn = Complex::new(-partial.decay / rate, std::f64::consts::TAU * partial.hertz / rate).exp();
        let mut now = Complex::from_polar(partial.amplitude, partial.phase);
        for x in &mut rest {
            *x -= now.re;
            now *= turn;
        }
    }
    rest
}

/// Parts of a recording, in samples: the onset of the strike, and the start of the free decay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onset {
    /// First sample of the strike.
    pub onset: usize,
    /// First sample of the free decay.
    pub start: usize,
    /// End of the audible part.
    pub end: usize,
}

/// The parts of `signal`; none where it is silent.
pub fn find(signal: &[f64], rate: f64) -> Option<Onset> {
    let peak = signal.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
    if peak <= 0.0 || !peak.is_finite() {
        return None;
    }
    let step = ((STEP * rate) as usize).max(1);
    let envelope: Vec<f64> = signal.chunks(step).map(|chunk| chunk.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()))).collect();
    let highest = envelope.iter().position(|&level| level == peak).unwrap_or_default();
    let mut before: Vec<f64> = envelope[..highest].to_vec();
    before.sort_by(f64::total_cmp);
    let noise = before.get(before.len() / 4).copied().unwrap_or(0.0);
    let least = (RISE * peak).max((OVER_NOISE * noise).min(0.5 * peak));
    let first = envelope.iter().position(|&level| level >= least).unwrap_or_default();
    let attack = &envelope[first..(first + (ATTACK / STEP) as usize).min(envelope.len())];
    let top = attack.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
    let end = signal.iter().rposition(|x| x.abs() > SILENCE * peak).map_or(0, |last| last + 1);
    let start = ((first + top + 1) * step + (AFTER * rate) as usize).min(end);
    Some(Onset { onset: first * step, start, end })
}

/// Number of samples after which the fit with this `residual` of `signal` is no longer much worse than later: until then the
/// hammer was in contact. None if it is as good from the start.
pub fn disturbed(signal: &[f64], residual: &[f64], rate: f64) -> Option<usize> {
    let frame = ((FRAME * rate) as usize).max(1);
    let energy = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    let pairs = signal.chunks(frame).zip(residual.chunks(frame)).take((JUDGED.1 / FRAME) as usize);
    let misfits: Vec<f64> = pairs.map(|(signal, residual)| energy(residual) / energy(signal).max(f64::MIN_POSITIVE)).collect();
    let (early, later) = misfits.split_at_checked((JUDGED.0 / FRAME) as usize)?;
    let mut later = later.to_vec();
    later.sort_by(f64::total_cmp);
    let usual = later.get(later.len() / 2)?;
    let last = early.iter().rposition(|&misfit| misfit > (DISTURBED * usual).max(HARMLESS))?;
    Some((last + 1) * frame)
}

/// Reason for leaving out a partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its frequency is outside the requested range.
    Range,
    /// It lasts less than 10 ms.
    Short,
    /// It does not decay: hum.
    Steady,
    /// Its decay or frequency is too uncertain in the noise.
    Unsure,
    /// It is weaker than the maximum number of partials.
    Weaker,
}

/// Removes, weakest first, partials that are lost in noise of variance `quiet`, or in the residual around them while they last. A
/// partial that is no pure exponential is thus not approximated by ever more of them.
pub fn weed(fit: &mut Fit, rate: f64, quiet: f64, steps: usize) {
    for _ in 0..ROUNDS {
        let worth = fit.worth();
        let noises = noise_around(&fit.residual, rate, &fit.poles);
        let needed = |k: usize| SURE * noises[k].max(quiet);
        let idle: Vec<bool> = (0..fit.poles.len()).map(|k| worth[k].benefit < needed(k)).collect();
        let first = |k: usize| {
            let rivals = (0..fit.poles.len()).filter(|&j| j != k && idle[j] && overlap(&fit.poles[j], &fit.poles[k]));
            idle[k] && rivals.into_iter().all(|j| (worth[j].benefit, j) > (worth[k].benefit, k))
        };
        let gone: Vec<bool> = (0..fit.poles.len()).map(first).collect();
        if !gone.contains(&true) {
            return;
        }
        let mut gone = gone.into_iter();
        fit.poles.retain(|_| gone.next() != Some(true));
        fit.settle(steps);
    }
}

/// Whether the lines of two exponentials overlap.
fn overlap(a: &Pole, b: &Pole) -> bool {
    (a.lambda.im - b.lambda.im).abs() < OVERLAP * (a.lambda.re.abs() + b.lambda.re.abs())
}

/// Partials, lowest first, and those left out.
pub fn judge(fit: &Fit, rate: f64, options: &Options) -> (Vec<Found>, Vec<(Found, Why)>) {
    let length = fit.residual.len() as f64;
    let noises = noise_around(&fit.residual, rate, &fit.poles);
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for ((pole, noise), worth) in fit.poles.iter().zip(noises).zip(fit.worth()) {
        let partial = Partial {
            hertz: pole.lambda.im.abs() * rate / TAU,
            decay: -pole.lambda.re * rate,
            amplitude: pole.c.norm(),
            phase: if pole.lambda.im < 0.0 { -pole.c.arg() } else { pole.c.arg() },
        };
        let [decay, turn] = worth.variances.map(|variance| (variance * noise).sqrt());
        let known = Found {
            partial,
            over_noise_db: 10.0 * (energy(pole, length) / noise.max(1e-300)).log10(),
            cents: 1200.0 / LN_2 * turn / pole.lambda.im.abs(),
            decay: decay / pole.lambda.re.abs(),
        };
        match fault(&known, length / rate, options) {
            Some(why) => left_out.push((known, why)),
            None => found.push(known),
        }
    }
    found.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    left_out.extend(found.drain(options.most.min(found.len())..).map(|known| (known, Why::Weaker)));
    found.sort_by(|a, b| a.partial.hertz.total_cmp(&b.partial.hertz));
    left_out.sort_by(|a, b| a.0.partial.hertz.total_cmp(&b.0.partial.hertz));
    (found, left_out)
}

/// Energy of a partial.
fn strength(found: &Found) -> f64 {
    found.partial.amplitude.powi(2) / found.partial.decay
}

fn fault(found: &Found, duration: f64, options: &Options) -> Option<Why> {
    let Partial { decay, .. } = found.partial;
    if !found.is_in(options) {
        return Some(Why::Range);
    }
    if decay * duration < STEADY {
        return Some(Why::Steady);
    }
    if 1000_f64.ln() / decay < MIN_DECAY_TIME {
        return Some(Why::Short);
    }
    (!(found.decay <= KNOWN.0 && found.cents <= KNOWN.1)).then_some(Why::Unsure)
}
