//! Low-frequency oscillators: a shape over periods in seconds or in beats.

use crate::midi::Rng;
use crate::modulation::beat_clock::{BeatClock, FrameTime};
use crate::params::{LFO_PARAMS, LfoMode, LfoParams, LfoShape, ParamValues, STEP_LENGTHS};
use std::f64::consts::{PI, TAU};

/// Number of LFOs.
pub const LFOS: usize = LFO_PARAMS.len();

/// Periods [beats] that are longer than the longest step of a pattern, in the order of the parameter's choices.
const LONG_PERIODS: [f64; 2] = [16.0, 8.0];

/// The settings of one LFO.
#[derive(Clone, Copy, Debug)]
pub struct LfoSettings {
    shape: LfoShape,
    /// Frequency [Hz], if it has no period in beats.
    rate: f64,
    /// Period [beats].
    period: Option<f64>,
    /// Start, as part of a period.
    phase: f64,
    /// Whose it is.
    pub mode: LfoMode,
}

impl LfoSettings {
    /// Those of all LFOs.
    pub fn all(settings: &ParamValues) -> [Self; LFOS] {
        LFO_PARAMS.map(|LfoParams { shape, rate, sync, phase, mode }| Self {
            shape: LfoShape::from_value(settings.get(shape)),
            rate: settings.get(rate),
            period: period(settings.get(sync) as usize),
            phase: settings.get(phase),
            mode: LfoMode::from_value(settings.get(mode)),
        })
    }

    /// Periods in a time of `time` [s] at the tempo of `clock`.
    pub fn periods_in(&self, time: f64, clock: &BeatClock) -> f64 {
        time * self.period.map_or(self.rate, |period| clock.tempo() / 60.0 / period)
    }

    /// Periods since beat 0 of the host at `time`; none if it has no period in beats.
    pub fn periods_at(&self, time: FrameTime, clock: &BeatClock) -> Option<f64> {
        self.period.map(|period| clock.position(time) / period)
    }
}

/// Period [beats] of a choice of the synchronisation; none for the first.
fn period(choice: usize) -> Option<f64> {
    let all = LONG_PERIODS.iter().chain(&STEP_LENGTHS);
    choice.checked_sub(1).and_then(|i| all.copied().nth(i))
}

/// The state of one LFO.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lfo {
    /// Periods since it began.
    pub periods: f64,
}

impl Lfo {
    /// Its value, -1 to 1; `seed` determines its random values.
    pub fn value(&self, settings: &LfoSettings, seed: u64) -> f64 {
        let periods = self.periods + settings.phase;
        let (number, part) = (periods.floor(), periods - periods.floor());
        match settings.shape {
            LfoShape::Sine => (TAU * part).sin(),
            LfoShape::Triangle => 1.0 - 4.0 * ((part + 0.25).fract() - 0.5).abs(),
            LfoShape::Up => 2.0 * part - 1.0,
            LfoShape::Down => 1.0 - 2.0 * part,
            LfoShape::Square => {
                if part < 0.5 {
                    1.0
                } else {
                    -1.0
                }
            }
            LfoShape::Steps => random(seed, number),
            LfoShape::Smooth => {
                let (from, to) = (random(seed, number), random(seed, number + 1.0));
                from + (to - from) * 0.5 * (1.0 - (PI * part).cos())
            }
        }
    }
}

/// The random value of period `number`, -1 to 1.
fn random(seed: u64, number: f64) -> f64 {
    let number = (number as i64 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Rng::seeded(seed ^ number).bipolar()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::LfoShape::*;

    fn values(shape: LfoShape, phases: [f64; 4]) -> [f64; 4] {
        let settings = LfoSettings { shape, rate: 1.0, period: None, phase: 0.0, mode: LfoMode::Common };
        phases.map(|periods| Lfo { periods }.value(&settings, 7))
    }

    #[test]
    fn shapes_have_their_closed_forms() {
        let close = |found: [f64; 4], expected: [f64; 4]| {
            assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{found:?}");
        };
        let phases = [0.0, 0.25, 0.5, 2.75];
        close(values(Sine, phases), [0.0, 1.0, 0.0, -1.0]);
        close(values(Triangle, phases), [0.0, 1.0, 0.0, -1.0]);
        close(values(Up, phases), [-1.0, -0.5, 0.0, 0.5]);
        close(values(Down, phases), [1.0, 0.5, 0.0, -0.5]);
        close(values(Square, phases), [1.0, 1.0, -1.0, -1.0]);
    }

    #[test]
    fn random_values_last_a_period_and_are_even() {
        let [first, same, next, other] = values(Steps, [0.0, 0.99, 1.0, 2.0]);
        assert!(first == same && first != next && next != other);
        let [at, before, after, _] = values(Smooth, [1.0, 1.0 - 1e-6, 1.0 + 1e-6, 0.0]);
        assert!((at - next).abs() < 1e-12 && (before - at).abs() < 1e-9 && (after - at).abs() < 1e-9);
        let all: Vec<f64> = (0..10_000).map(|number| random(3, f64::from(number))).collect();
        let mean = all.iter().sum::<f64>() / 1e4;
        let square = all.iter().map(|value| value * value).sum::<f64>() / 1e4;
        // an even distribution from -1 to 1 has the mean square 1/3; three standard deviations
        assert!(mean.abs() < 3.0 * (1.0 / 3e4_f64).sqrt() && (square - 1.0 / 3.0).abs() < 3.0 * 0.3 / 100.0, "{mean} {square}");
    }

    #[test]
    fn periods_have_the_names_of_their_choices() {
        use crate::params::{PARAMS, ParamId};
        let names = PARAMS[ParamId::Lfo1Sync as usize].choice_labels;
        assert_eq!(period(0), None);
        for (choice, name) in names.iter().enumerate().skip(1) {
            let (length, kind) = name.split_once(' ').unwrap_or((name, ""));
            let (over, under) = length.split_once('/').expect("a fraction");
            let whole: f64 = over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap();
            let factor = match kind {
                "T" => 2.0 / 3.0,
                "D" => 1.5,
                _ => 1.0,
            };
            assert!((period(choice).unwrap() - 4.0 * whole * factor).abs() < 1e-12, "{name}");
        }
        assert_eq!(period(names.len()), None);
    }
}
