//! Musical position in beats: from the host, or counted at 120 beats a minute without one.

use crate::params::{ParamId, ParamValues};

use crate::patch::{DriveContent, STEPS};

/// Tempo [beats a minute] until one is set.
const DEFAULT_TEMPO: f64 = 120.0;
/// Slowest tempo [beats a minute].
const MIN_TEMPO: f64 = 1.0;
/// Fastest tempo [beats a minute].
const MAX_TEMPO: f64 = 1000.0;
/// Largest position [beats], before or after 0.
const MAX_POSITION: f64 = 1e9;
/// Lengths of a step [beats], in the order of the parameter's choices: a whole note is 4; triplets two thirds, dotted one and a half.
const STEP_LENGTHS: [f64; 13] = [4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 2.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 12.0, 1.5, 0.75, 0.375];

/// An absolute frame at a sample rate.
#[derive(Clone, Copy, Debug)]
pub struct FrameTime {
    /// Absolute frame.
    pub frame: u64,
    /// Sample rate [Hz].
    pub rate: f64,
}

/// The current step of the pattern.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternStep {
    /// Level, full scale 1.
    pub level: f64,
    /// Time [s] since the step began.
    pub time: f64,
}

/// Position in beats at an absolute frame.
#[derive(Clone, Copy, Debug)]
pub struct BeatClock {
    /// Beats a minute.
    tempo: f64,
    /// A frame whose position is known.
    known_frame: u64,
    /// Position [beats] there.
    known_beat: f64,
}

impl Default for BeatClock {
    fn default() -> Self {
        Self { tempo: DEFAULT_TEMPO, known_frame: 0, known_beat: 0.0 }
    }
}

impl BeatClock {
    /// Sets the tempo [beats a minute] from `time` on, and the position `beat` [beats] there if it is known.
    pub fn set(&mut self, tempo: f64, beat: Option<f64>, time: FrameTime) {
        let beat = beat.filter(|beat| beat.is_finite()).unwrap_or_else(|| self.position(time));
        (self.known_frame, self.known_beat) = (time.frame, beat.clamp(-MAX_POSITION, MAX_POSITION));
        if tempo.is_finite() {
            self.tempo = tempo.clamp(MIN_TEMPO, MAX_TEMPO);
        }
    }

    /// Position [beats].
    fn position(&self, time: FrameTime) -> f64 {
        self.known_beat + time.frame.saturating_sub(self.known_frame) as f64 / time.rate * self.tempo / 60.0
    }

    /// The pattern's step at `time`.
    pub fn step(&self, settings: &ParamValues, content: &DriveContent, time: FrameTime) -> PatternStep {
        let length = STEP_LENGTHS[(settings.get(ParamId::DriveStep) as usize).min(STEP_LENGTHS.len() - 1)];
        let steps = self.position(time) / length;
        let level = content.pattern[steps.floor().rem_euclid(STEPS as f64) as usize % STEPS];
        PatternStep { level, time: (steps - steps.floor()) * length * 60.0 / self.tempo }
    }
}
