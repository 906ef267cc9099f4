//! When a body has died away: it may sleep when what is cut off then is lost beside what it was since the last stroke, however loud
//! or soft that was.

/// Envelope at the pickups, all modes in phase, over the loudest frame since the last stroke: 112 dB below it, where a body that
/// decays evenly comes after 1.87 times its time to -60 dB.
const CUT: f64 = 2.5e-6;

/// Envelope at the output below which nothing is worth a step, however soft the stroke was: 200 dB below full scale.
const INAUDIBLE: f64 = 1e-10;

/// Root mean square velocity of a body [m/s] that is quiet, wherever the pickups are.
const QUIET_BODY: f64 = 1e-4;

/// How loud a body was.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilenceDetector {
    peak: f64,
}

impl SilenceDetector {
    /// A stroke: what was before does not count.
    pub fn forget(&mut self) {
        self.peak = 0.0;
    }

    /// Takes note of frames, left and right.
    pub fn note(&mut self, out: [&[f64]; 2]) {
        self.peak = out.into_iter().flatten().fold(self.peak, |peak, x| peak.max(x.abs()));
    }

    /// Whether an envelope `heard` at the pickups counts for nothing any more at `level` (a factor) of the output.
    pub fn is_below_floor(&self, heard: f64, level: f64) -> bool {
        heard < (CUT * self.peak).max(INAUDIBLE / level.max(1.0))
    }
}

/// Whether a body of `mass` [kg] that holds so much `energy` [J] is as good as at rest, wherever one listens.
pub fn is_nearly_at_rest(energy: f64, mass: f64) -> bool {
    energy <= 0.5 * mass * QUIET_BODY * QUIET_BODY
}
