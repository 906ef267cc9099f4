//! A recorded strike, and the levels of its partials in the channels. The partials are those of the mean of the channels.

use nalgebra::Complex;

use crate::analysis::known_partials::{exponent, fit};
use crate::analysis::mode_estimator::Estimate;
use crate::analysis::types::{C, Found};

/// Longest part that is fitted [s].
const LONGEST: f64 = 3.0;

/// A recording with one channel or more, all of the same length.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The channels, full scale 1; the first two are left and right.
    pub channels: Vec<Vec<f64>>,
    /// Sample rate [Hz].
    pub rate: f64,
}

impl Recording {
    /// The mean of the channels.
    pub fn mono(&self) -> Vec<f64> {
        let scale = 1.0 / self.channels.len().max(1) as f64;
        let frames = self.channels.iter().map(Vec::len).min().unwrap_or(0);
        (0..frames).map(|n| scale * self.channels.iter().map(|channel| channel[n]).sum::<f64>()).collect()
    }

    /// Left and right; the only channel twice if there is one. Empty without channels.
    pub fn sides(&self) -> [&[f64]; 2] {
        let side = |n: usize| self.channels.get(n).or(self.channels.first()).map_or(&[][..], Vec::as_slice);
        [side(0), side(1)]
    }
}

/// A partial in both channels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideLevels {
    /// Amplitudes left and right at the start of the free decay, in the signal's unit; below 0 if opposite to the mean of the channels.
    pub sides: [f64; 2],
    /// Phases left and right at that time [rad].
    pub phases: [f64; 2],
}

/// The levels of the partials of `estimate`, which is that of the mean of the channels, left and right. One for each partial.
pub fn side_levels(estimate: &Estimate, recording: &Recording) -> Vec<SideLevels> {
    let known: Vec<Found> = estimate.found.iter().chain(estimate.left_out.iter().map(|(found, _)| found)).copied().collect();
    let own = |found: &Found| SideLevels { sides: [found.partial.amplitude; 2], phases: [found.partial.phase; 2] };
    if recording.channels.len() < 2 {
        return estimate.found.iter().map(own).collect();
    }
    let start = (estimate.start * recording.rate).round() as usize;
    let length = ((estimate.end - estimate.start).min(LONGEST) * recording.rate) as usize;
    let exponents: Vec<C> = known.iter().map(|found| exponent(&found.partial, recording.rate)).collect();
    let parts = recording.sides().map(|side| side.get(start..(start + length).min(side.len())).unwrap_or(&[]));
    let Some(fitted) = fit(&exponents, parts) else { return estimate.found.iter().map(own).collect() };
    let levels = |(k, found): (usize, &Found)| {
        let middle = Complex::from_polar(1.0, found.partial.phase);
        let signed = |c: C| if (c * middle.conj()).re < 0.0 { -c.norm() } else { c.norm() };
        SideLevels { sides: [0, 1].map(|side| signed(fitted[side][k])), phases: [0, 1].map(|side| fitted[side][k].arg()) }
    };
    estimate.found.iter().enumerate().map(levels).collect()
}

/// Decay [Np] between onset and start of the free decay up to which a partial is taken out from the onset on.
const KNOWN_ATTACK: f64 = 1.15;

/// Left and right from the onset on, without the partials of `estimate`.
pub fn without_partials(estimate: &Estimate, recording: &Recording) -> [Vec<f64>; 2] {
    let frame = |time: f64| (time * recording.rate).round() as usize;
    let (onset, start) = (frame(estimate.onset), frame(estimate.start));
    let levels = side_levels(estimate, recording);
    let mut sides = recording.sides().map(|side| side.get(onset..).unwrap_or(&[]).to_vec());
    for (side, signal) in sides.iter_mut().enumerate() {
        for (found, level) in estimate.found.iter().zip(&levels) {
            let exponent = exponent(&found.partial, recording.rate);
            let back = start.saturating_sub(onset);
            let first = if -exponent.re * back as f64 > KNOWN_ATTACK { back } else { 0 };
            let begin = Complex::from_polar(level.sides[side].abs(), level.phases[side]);
            let mut now = begin * (exponent * (first as f64 - back as f64)).exp();
            let turn = exponent.exp();
            for x in signal.iter_mut().skip(first) {
                *x -= now.re;
                now *= turn;
            }
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::types::Options;
    use crate::analysis::{Partial, estimate};

    const RATE: f64 = 8000.0;

    fn partial(hertz: f64, amplitude: f64) -> Partial {
        Partial { hertz, decay: 5.0, amplitude, phase: 0.3 }
    }

    #[test]
    fn every_partial_has_its_level_and_sign_in_each_channel() {
        let sides = [[0.5, 0.2], [0.1, 0.3], [0.4, -0.1]];
        let partials = [partial(300.0, 1.0), partial(470.0, 1.0), partial(1234.0, 1.0)];
        let channel = |side: usize| {
            let value = |n: usize| {
                let sum: f64 = partials.iter().zip(sides).map(|(partial, sides)| sides[side] * partial.at(n as f64 / RATE)).sum();
                sum
            };
            (0..12_000).map(value).collect::<Vec<f64>>()
        };
        let recording = Recording { channels: vec![channel(0), channel(1)], rate: RATE };
        let found = estimate(&recording.mono(), RATE, &Options::default()).expect("a sound");
        assert_eq!(found.found.len(), 3);
        let since = found.start;
        for (level, expected) in side_levels(&found, &recording).iter().zip(sides) {
            for side in 0..2 {
                let expected = expected[side] * (-5.0 * since).exp();
                assert!((level.sides[side] - expected).abs() < 1e-4, "{level:?} instead of {expected}");
            }
        }
    }

    #[test]
    fn a_mono_recording_has_the_same_level_on_both_sides() {
        let signal: Vec<f64> = (0..12_000).map(|n| partial(300.0, 0.5).at(f64::from(n) / RATE)).collect();
        let recording = Recording { channels: vec![signal], rate: RATE };
        let found = estimate(&recording.mono(), RATE, &Options::default()).expect("a sound");
        assert_eq!(side_levels(&found, &recording)[0].sides, [found.found[0].partial.amplitude; 2]);
        assert_eq!(recording.sides()[0], recording.sides()[1]);
    }
}
