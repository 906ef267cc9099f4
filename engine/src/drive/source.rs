//! What drives: the side-chain, or a source of its own that needs none.
//!
//! | source | full scale 1 is |
//! |---|---|
//! | sine | its amplitude |
//! | saw | from -1 to 1 within a period, band-limited by the integral of a cubic B-spline (Valimaki, Pekonen, Nam 2012) |
//! | noise | white, evenly in [-1, 1) |
//! | dust | the largest grain; grains come by chance, push towards the body as t/T exp(1 - t/T), T = 0.3 ms, and add up |
//! | sample | the loudest point of the recording, which repeats |
//! | pattern | half a sine of half a period of the frequency at the beginning of every step, times the step's level |

use std::f64::consts::{E, TAU};

use crate::midi::Rng;
use crate::params::DriveSource;
use crate::patch::DriveContent;

/// Time [s] after which a grain of dust pushes most.
const GRAIN: f64 = 0.3e-3;
/// Highest frequency of a source over the sample rate.
const HIGHEST: f64 = 0.45;
/// Size of what is left of a grain at which it has ended.
const SPENT: f64 = 1e-12;

/// One channel of a source: where it stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct SignalGenerator {
    dice: Rng,
    /// Part of the period, or of the recording, that has gone, 0 to 1.
    phase: f64,
    /// The two states of the grains.
    grain: [f64; 2],
}

impl SignalGenerator {
    /// At its beginning, with the chance of the number `seed`.
    pub fn seeded(seed: u64) -> Self {
        Self { dice: Rng::seeded(seed), ..Self::default() }
    }

    /// Sine, saw and recording begin anew.
    pub fn begin(&mut self) {
        self.phase = 0.0;
    }

    /// The next frame. `hertz` [Hz] is the frequency, `pace` the factor of the recording's speed, `rate` [Hz] that of the samples, and
    /// `step` where the pattern stands: its level and the time [s] since the step began.
    pub fn next(
        &mut self,
        source: DriveSource,
        (hertz, pace): (f64, f64),
        rate: f64,
        step: (f64, f64),
        score: &DriveContent,
    ) -> f64 {
        let turn = (hertz / rate).min(HIGHEST);
        match source {
            DriveSource::SideChain => 0.0,
            DriveSource::Sine => (TAU * self.advance(turn)).sin(),
            DriveSource::Saw => saw(self.advance(turn), turn),
            DriveSource::Noise => self.dice.bipolar(),
            DriveSource::Dust => self.dust(turn, rate),
            DriveSource::Sample => self.recording(pace, rate, score),
            DriveSource::Pattern => pulse(step, hertz),
        }
    }

    /// The phase before it goes on by `turn`.
    fn advance(&mut self, turn: f64) -> f64 {
        let phase = self.phase;
        self.phase += turn;
        self.phase -= self.phase.floor();
        phase
    }

    /// Two equal leaky integrators in a row: the grain's t exp(-t/T).
    fn dust(&mut self, chance: f64, rate: f64) -> f64 {
        let (arrives, size) = (self.dice.uniform() < chance, self.dice.uniform());
        let step = 1.0 / (GRAIN * rate);
        let keep = (-step).exp();
        let [first, second] = self.grain;
        let first = keep * first + if arrives { size } else { 0.0 };
        let second = keep * (second + step * first);
        self.grain = if first.max(second) < SPENT { [0.0; 2] } else { [first, second] };
        E * self.grain[1]
    }

    fn recording(&mut self, pace: f64, rate: f64, score: &DriveContent) -> f64 {
        let Some(sample) = score.sample.as_deref() else { return 0.0 };
        let phase = self.advance((pace * sample.rate() / (rate * sample.len() as f64)).min(1.0));
        sample.at(phase * sample.len() as f64)
    }
}

/// A saw at `phase`, 0 to 1, that goes on by `turn` a frame.
fn saw(phase: f64, turn: f64) -> f64 {
    let naive = 2.0 * phase - 1.0;
    if turn <= 0.0 {
        return naive;
    }
    naive - 2.0 * (rest_of_step(phase / turn) + rest_of_step((phase - 1.0) / turn))
}

/// What a band-limited step of 1 at time 0 has over the true one at `t` frames: the integral of the cubic B-spline, 2 frames either way.
fn rest_of_step(t: f64) -> f64 {
    let a = t.abs();
    let rest = if a >= 2.0 {
        0.0
    } else if a >= 1.0 {
        (2.0 - a).powi(4) / 24.0
    } else {
        0.5 - 2.0 * a / 3.0 + a.powi(3) / 3.0 - a.powi(4) / 8.0
    };
    if t < 0.0 { rest } else { -rest }
}

/// The push of a step of the pattern at its `level`, so long after it began.
fn pulse((level, since): (f64, f64), hertz: f64) -> f64 {
    let turn = hertz * since;
    if turn < 0.5 { level * (TAU * turn).sin() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Amplitudes of the harmonics of so many periods in 4096 frames, and what else is there in the lower half of the band, over the first.
    fn spectrum(periods: usize) -> (Vec<f64>, f64) {
        const FRAMES: usize = 4096;
        let turn = periods as f64 / FRAMES as f64;
        let mut generator = SignalGenerator::default();
        let mut next = || generator.next(DriveSource::Saw, (turn, 1.0), 1.0, (0.0, 0.0), &DriveContent::default());
        (0..FRAMES).for_each(|_| _ = next());
        let mut frames: Vec<f64> = (0..FRAMES).map(|_| next()).collect();
        let fft = realfft::RealFftPlanner::new().plan_fft_forward(FRAMES);
        let mut bins = fft.make_output_vec();
        fft.process(&mut frames, &mut bins).expect("lengths fit");
        let size = |i: usize| bins[i].norm();
        let (own, others): (Vec<_>, Vec<_>) = (1..FRAMES / 2).partition(|i| i % periods == 0);
        let first = size(periods);
        (
            own.iter().map(|&i| size(i) / first).collect(),
            others.iter().filter(|&&i| i < FRAMES / 4).map(|&i| size(i) / first).fold(0.0, f64::max),
        )
    }

    /// Harmonics fall as 1/n and, towards the end of the band, as the spline; what folds back is lost beside them.
    #[test]
    fn the_saw_is_band_limited() {
        for (periods, folded) in [(37, 3e-4), (173, 1e-3)] {
            let (harmonics, other) = spectrum(periods);
            assert!(other < folded, "{periods}: {other}");
            let droop = |n: f64| {
                let phase = std::f64::consts::PI * n * periods as f64 / 4096.0;
                (phase.sin() / phase).powi(4)
            };
            for (level, n) in harmonics.iter().zip(1..=8).map(|(level, n)| (level, f64::from(n))) {
                assert!((level * n * droop(1.0) / droop(n) - 1.0).abs() < 0.01, "harmonic {n}: {level}");
            }
        }
    }

    #[test]
    fn grains_come_at_their_mean_rate_and_add_up() {
        let (rate, hertz) = (48e3, 50.0);
        let mut generator = SignalGenerator::seeded(5);
        let sum: f64 = (0..480_000)
            .map(|_| generator.next(DriveSource::Dust, (hertz, 1.0), rate, (0.0, 0.0), &DriveContent::default()))
            .sum();
        // a grain of mean size 1/2 has the area e T
        let wanted = 10.0 * hertz * 0.5 * E * GRAIN * rate;
        assert!((sum / wanted - 1.0).abs() < 0.15, "{sum} {wanted}");
    }
}
