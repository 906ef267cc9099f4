//! Where the music is: beats from the host, or counted at 120 a minute where it tells none.

use crate::params::{ParamId, ParamValues};

use crate::patch::{DriveContent, STEPS};

/// Tempo [beats a minute] until one is told.
const TEMPO: f64 = 120.0;
/// Range of a tempo [beats a minute].
const TEMPOS: (f64, f64) = (1.0, 1000.0);
/// Furthest position [beats].
const FURTHEST: f64 = 1e9;
/// Lengths of a step [beats], in the order of the knob's choices: a whole note has four; T: two thirds, D: one and a half.
const LENGTHS: [f64; 13] = [4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 2.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 12.0, 1.5, 0.75, 0.375];

/// Position in beats, by the absolute frame.
#[derive(Clone, Copy, Debug)]
pub struct BeatClock {
    /// Beats a minute.
    tempo: f64,
    /// A frame whose position is known, and that position [beats].
    known: (u64, f64),
}

impl Default for BeatClock {
    fn default() -> Self {
        Self { tempo: TEMPO, known: (0, 0.0) }
    }
}

impl BeatClock {
    /// From absolute frame `frame` on the tempo is `tempo` [beats a minute], and the position there `beat`, if it is told.
    pub fn set(&mut self, tempo: f64, beat: Option<f64>, (frame, rate): (u64, f64)) {
        let beat = beat.filter(|beat| beat.is_finite()).unwrap_or_else(|| self.at(frame, rate));
        self.known = (frame, beat.clamp(-FURTHEST, FURTHEST));
        if tempo.is_finite() {
            self.tempo = tempo.clamp(TEMPOS.0, TEMPOS.1);
        }
    }

    /// Position [beats] at an absolute frame, samples at `rate` [Hz].
    fn at(&self, frame: u64, rate: f64) -> f64 {
        let (known, beat) = self.known;
        beat + frame.saturating_sub(known) as f64 / rate * self.tempo / 60.0
    }

    /// Level of the pattern's step at a frame, and the time [s] since it began.
    pub fn step(&self, settings: &ParamValues, score: &DriveContent, (frame, rate): (u64, f64)) -> (f64, f64) {
        let length = LENGTHS[(settings.get(ParamId::DriveStep) as usize).min(LENGTHS.len() - 1)];
        let steps = self.at(frame, rate) / length;
        let level = score.pattern[steps.floor().rem_euclid(STEPS as f64) as usize % STEPS];
        (level, (steps - steps.floor()) * length * 60.0 / self.tempo)
    }
}
