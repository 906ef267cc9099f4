//! Estimates the partials of a recorded strike: frequency, decay, amplitude and phase of every mode that rings.
//!
//! ```text
//! x(t) = sum a e^(-sigma t) cos(2 pi f t + phi) + noise        after the hammer has separated
//! ```
//!
//! 1. `onset`: start of the strike, and of the free decay.
//! 2. `band_zoom`: the signal in bands, demodulated and decimated; long windows in narrow bands first, short ones in wide bands last.
//! 3. `esprit`: the damped exponentials of a band (Roy, Kailath 1989; in bands and for percussion: Badeau, Boyer, David 2002).
//! 4. `least_squares`: all of them fitted at once to the whole signal. The residual goes through the bands again.
//! 5. `selection`: the partials with their uncertainty, and those left out with the reason.

use crate::analysis::least_squares::Fit;
use crate::analysis::selection::{Found, Why};
use crate::analysis::types::{Octave, Options, Pole, decibels};
use crate::analysis::{band_search, onset, selection};
use nalgebra::Complex;

/// Maximum number of fitted exponentials.
const MAX_POLES: usize = 160;
/// Maximum number that one row of bands may add: weaker ones follow when the strongest are known.
const MAX_NEW_POLES: usize = 32;
/// Minimum number of fitted samples.
const SHORTEST: usize = 64;
/// Number of attempts at the start of the free decay, each later than the last.
const STARTS: usize = 3;
/// Passes over all bands.
const SWEEPS: usize = 2;
/// Steps of the fit after each row of bands, after removals, and at the end.
const STEPS: (usize, usize, usize) = (8, 3, 30);
/// Duration of the search for partials [s]; the final fit covers the whole signal.
const SEARCHED: f64 = 3.0;
/// Deviation of the noise over the peak that is always assumed: -130 dB, the rounding of 24 bits.
const QUIET: f64 = 3e-7;
/// Initial decay rate of a decaying offset [1/s]: that of a DC block at 5 Hz.
const DC_BLOCK: f64 = 31.0;
/// Longest signal that is fitted [s].
const LONGEST: f64 = 30.0;

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
    let parts = onset::find(signal, rate)?;
    let end = parts.end.min(parts.start + (LONGEST * rate) as usize);
    let mut start = parts.start;
    let mut free = signal.get(start..end).filter(|free| free.len() >= SHORTEST)?;
    let searched = |free: &'_ [f64]| free.len().min((SEARCHED * rate) as usize);
    let mut fit = Fit::new(&free[..searched(free)]);
    let quiet = (QUIET * fit.peak).powi(2);
    fit.poles.push(Pole { lambda: Complex::new(-DC_BLOCK / rate, 0.0), c: Complex::new(free[0], 0.0), noise: quiet });
    for again in 0..STARTS {
        search(&mut fit, rate, quiet, options);
        let Some(later) = onset::disturbed(free, &fit.residual, rate).filter(|_| again + 1 < STARTS) else { break };
        let Some(rest) = free.get(later..).filter(|rest| rest.len() >= SHORTEST) else { break };
        (start, free) = (start + later, rest);
        fit = fit.over(&free[..searched(free)], later);
    }
    fit = fit.over(free, 0);
    fit.settle(STEPS.2);
    selection::weed(&mut fit, rate, quiet, STEPS.0);
    fit.settle(STEPS.2);
    let (found, left_out) = selection::judge(&fit, rate, options);
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
            selection::weed(fit, rate, quiet, STEPS.1);
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
