//! Sources of the drive's signal: the side-chain, generators, a recording, a pattern.
//!
//! | source | full scale 1 is |
//! |---|---|
//! | sine | its amplitude |
//! | saw | -1 to 1 within a period, band-limited by the integral of a cubic B-spline (Valimaki, Pekonen, Nam 2012) |
//! | noise | white, evenly in [-1, 1) |
//! | dust | the largest grain; grains come at random times, push towards the body as t/T exp(1 - t/T), T = 0.3 ms, and add up |
//! | sample | the loudest point of the recording, which loops |
//! | pattern | half a sine of half a period of the frequency at the beginning of every step, times the step's level |

use std::f64::consts::{E, TAU};

use crate::midi::Rng;
use crate::modulation::{BeatClock, FrameTime};
use crate::params::{DriveSource, ParamId, ParamValues, STEP_LENGTHS};
use crate::patch::{DriveContent, STEPS};

/// Time [s] from the onset of a grain of dust to its peak.
const GRAIN_TIME: f64 = 0.3e-3;
/// Highest frequency of a source over the sample rate.
const MAX_FREQUENCY_RATIO: f64 = 0.45;
/// Remainder of a grain that is set to zero.
const GRAIN_FLOOR: f64 = 1e-12;

/// Pitch of a source.
#[derive(Clone, Copy, Debug)]
pub struct SourcePitch {
    /// Frequency of the generators [Hz].
    pub frequency: f64,
    /// Factor of the recording's speed.
    pub speed: f64,
}

/// State of one channel of a source.
#[derive(Clone, Copy, Debug, Default)]
pub struct SignalGenerator {
    rng: Rng,
    /// Position within the period or the recording, 0 to 1.
    phase: f64,
    /// The two states of the grain filter.
    grain: [f64; 2],
}

impl SignalGenerator {
    /// At its beginning, with the random numbers of `seed`.
    pub fn seeded(seed: u64) -> Self {
        Self { rng: Rng::seeded(seed), ..Self::default() }
    }

    /// Restarts sine, saw and recording.
    pub fn restart(&mut self) {
        self.phase = 0.0;
    }

    /// The next frame at sample rate `rate` [Hz]; `step` is the pattern's current step.
    pub fn next(&mut self, source: DriveSource, pitch: SourcePitch, rate: f64, step: PatternStep, content: &DriveContent) -> f64 {
        let turn = (pitch.frequency / rate).min(MAX_FREQUENCY_RATIO);
        match source {
            DriveSource::SideChain => 0.0,
            DriveSource::Sine => (TAU * self.advance(turn)).sin(),
            DriveSource::Saw => saw(self.advance(turn), turn),
            DriveSource::Noise => self.rng.bipolar(),
            DriveSource::Dust => self.dust(turn, rate),
            DriveSource::Sample => self.recording(pitch.speed, rate, content),
            DriveSource::Pattern => pulse(step, pitch.frequency),
        }
    }

    /// Advances the phase by `turn` periods; returns the phase before.
    fn advance(&mut self, turn: f64) -> f64 {
        let phase = self.phase;
        self.phase += turn;
        self.phase -= self.phase.floor();
        phase
    }

    /// Two equal leaky integrators in series: a grain is t exp(-t/T). `probability`: of a grain in this frame.
    fn dust(&mut self, probability: f64, rate: f64) -> f64 {
        let (arrives, size) = (self.rng.uniform() < probability, self.rng.uniform());
        let step = 1.0 / (GRAIN_TIME * rate);
        let keep = (-step).exp();
        let [first, second] = self.grain;
        let first = keep * first + if arrives { size } else { 0.0 };
        let second = keep * (second + step * first);
        self.grain = if first.max(second) < GRAIN_FLOOR { [0.0; 2] } else { [first, second] };
        E * self.grain[1]
    }

    fn recording(&mut self, speed: f64, rate: f64, content: &DriveContent) -> f64 {
        let Some(sample) = content.sample.as_deref() else { return 0.0 };
        let phase = self.advance((speed * sample.rate() / (rate * sample.len() as f64)).min(1.0));
        sample.at(phase * sample.len() as f64)
    }
}

/// A saw at `phase`, 0 to 1, that advances by `turn` periods a frame.
fn saw(phase: f64, turn: f64) -> f64 {
    let naive = 2.0 * phase - 1.0;
    if turn <= 0.0 {
        return naive;
    }
    naive - 2.0 * (step_residual(phase / turn) + step_residual((phase - 1.0) / turn))
}

/// Difference of a band-limited step of 1 at time 0 from the true one, `t` frames later: the integral of the cubic B-spline, 2 frames
/// either way.
fn step_residual(t: f64) -> f64 {
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

/// Pulse at the beginning of a step of the pattern, with half a period of `frequency` [Hz].
fn pulse(step: PatternStep, frequency: f64) -> f64 {
    let turn = frequency * step.time;
    if turn < 0.5 { step.level * (TAU * turn).sin() } else { 0.0 }
}

/// The current step of the pattern.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternStep {
    /// Level, full scale 1.
    pub level: f64,
    /// Time [s] since the step began.
    pub time: f64,
}

impl PatternStep {
    /// The step of the pattern at `time`.
    pub fn at(clock: &BeatClock, settings: &ParamValues, content: &DriveContent, time: FrameTime) -> Self {
        let length = STEP_LENGTHS[(settings.get(ParamId::DriveStep) as usize).min(STEP_LENGTHS.len() - 1)];
        let steps = clock.position(time) / length;
        let level = content.pattern[steps.floor().rem_euclid(STEPS as f64) as usize % STEPS];
        Self { level, time: (steps - steps.floor()) * length * 60.0 / clock.tempo() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A saw of `periods` periods in 4096 frames: amplitudes of its harmonics over the first, and its largest alias in the lower half of
    /// the band over the first.
    fn spectrum(periods: usize) -> (Vec<f64>, f64) {
        const FRAMES: usize = 4096;
        let turn = periods as f64 / FRAMES as f64;
        let mut generator = SignalGenerator::default();
        let pitch = SourcePitch { frequency: turn, speed: 1.0 };
        let mut next = || generator.next(DriveSource::Saw, pitch, 1.0, PatternStep::default(), &DriveContent::default());
        (0..FRAMES).for_each(|_| _ = next());
        let frames: Vec<f64> = (0..FRAMES).map(|_| next()).collect();
        let bins = urto_fourier::spectrum(&frames);
        let size = |i: usize| bins[i].norm();
        let (own, others): (Vec<_>, Vec<_>) = (1..FRAMES / 2).partition(|i| i % periods == 0);
        let first = size(periods);
        (
            own.iter().map(|&i| size(i) / first).collect(),
            others.iter().filter(|&&i| i < FRAMES / 4).map(|&i| size(i) / first).fold(0.0, f64::max),
        )
    }

    /// Harmonics fall as 1/n and, towards the end of the band, as the spline.
    #[test]
    fn saw_is_band_limited() {
        for (periods, max_alias) in [(37, 3e-4), (173, 1e-3)] {
            let (harmonics, other) = spectrum(periods);
            assert!(other < max_alias, "{periods}: {other}");
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
    fn dust_has_the_mean_rate_of_its_frequency() {
        let (rate, hertz) = (48e3, 50.0);
        let pitch = SourcePitch { frequency: hertz, speed: 1.0 };
        let mut generator = SignalGenerator::seeded(5);
        let sum: f64 = (0..480_000)
            .map(|_| generator.next(DriveSource::Dust, pitch, rate, PatternStep::default(), &DriveContent::default()))
            .sum();
        // a grain of mean size 1/2 has the area e T
        let expected = 10.0 * hertz * 0.5 * E * GRAIN_TIME * rate;
        assert!((sum / expected - 1.0).abs() < 0.15, "{sum} {expected}");
    }
}
