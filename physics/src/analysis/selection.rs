//! Selection of partials among exponentials: their uncertainty, and reasons for leaving out others.

use std::f64::consts::{LN_2, TAU};

use crate::analysis::band_search::{SURE, energy, noise_around};
use crate::analysis::least_squares::Fit;
use crate::analysis::types::{Options, Partial, Pole};

/// Shortest time to -60 dB of a partial [s]: shorter ones belong to the strike itself.
const SHORTEST: f64 = 0.01;
/// Decay over the whole signal below which a partial does not decay, as an exponent.
const STEADY: f64 = 0.1;
/// Distance of overlapping lines over their widths.
const OVERLAP: f64 = 2.0;
/// Maximum number of rounds of removal.
const ROUNDS: usize = 8;
/// Largest deviation of the decay rate, over the rate, and of the frequency [cents], up to which a partial counts as known.
const KNOWN: (f64, f64) = (0.3, 20.0);

/// A partial and its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The partial.
    pub partial: Partial,
    /// Its energy over that of the noise around it, as a matched filter sees both [dB].
    pub over_noise_db: f64,
    /// Standard deviation of its frequency [cents] given the noise around it.
    pub cents: f64,
    /// Standard deviation of its decay rate, over the rate.
    pub decay: f64,
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
    let Partial { hertz, decay, .. } = found.partial;
    if !(options.range.0..=options.range.1).contains(&hertz) {
        return Some(Why::Range);
    }
    if decay * duration < STEADY {
        return Some(Why::Steady);
    }
    if 1000_f64.ln() / decay < SHORTEST {
        return Some(Why::Short);
    }
    (!(found.decay <= KNOWN.0 && found.cents <= KNOWN.1)).then_some(Why::Unsure)
}
