//! The beat clock: musical position at an absolute frame.

/// Tempo [beats a minute] until one is set.
const DEFAULT_TEMPO: f64 = 120.0;
/// Slowest tempo [beats a minute].
const MIN_TEMPO: f64 = 1.0;
/// Fastest tempo [beats a minute].
const MAX_TEMPO: f64 = 1000.0;
/// Largest position [beats], before or after 0.
const MAX_POSITION: f64 = 1e9;

/// An absolute frame at a sample rate.
#[derive(Clone, Copy, Debug)]
pub struct FrameTime {
    /// Absolute frame.
    pub frame: u64,
    /// Sample rate [Hz].
    pub rate: f64,
}

/// Musical position in beats at an absolute frame: from the host, or counted at 120 beats a minute without one.
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

    /// Tempo [beats a minute].
    pub fn tempo(&self) -> f64 {
        self.tempo
    }

    /// Position [beats].
    pub fn position(&self, time: FrameTime) -> f64 {
        self.known_beat + time.frame.saturating_sub(self.known_frame) as f64 / time.rate * self.tempo / 60.0
    }
}
