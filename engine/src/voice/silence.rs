//! Detects when a voice has died away and may sleep: its remaining sound is inaudible beside the level since the last strike.

/// Envelope at the pickups with all modes in phase, over the loudest frame since the last strike, below which a voice is silent:
/// -112 dB, which an even decay reaches after 1.87 times its T60.
const RELATIVE_FLOOR: f64 = 2.5e-6;

/// Envelope at the output below which a voice is silent, however soft the strike: 200 dB below full scale.
const ABSOLUTE_FLOOR: f64 = 1e-10;

/// Root mean square velocity of a body [m/s] below which it counts as at rest, wherever the pickups are.
const REST_VELOCITY: f64 = 1e-4;

/// Peak of a voice since the last strike.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilenceDetector {
    peak: f64,
}

impl SilenceDetector {
    /// Forgets the peak: a strike follows.
    pub fn reset(&mut self) {
        self.peak = 0.0;
    }

    /// Adds frames, left and right.
    pub fn add(&mut self, out: [&[f64]; 2]) {
        self.peak = out.into_iter().flatten().fold(self.peak, |peak, x| peak.max(x.abs()));
    }

    /// Whether an `envelope` at the pickups is inaudible at `level` (a factor) of the output.
    pub fn is_below_floor(&self, envelope: f64, level: f64) -> bool {
        envelope < (RELATIVE_FLOOR * self.peak).max(ABSOLUTE_FLOOR / level.max(1.0))
    }
}

/// Whether a body of `mass` [kg] with `energy` [J] is nearly at rest, at any position.
pub fn is_nearly_at_rest(energy: f64, mass: f64) -> bool {
    energy <= 0.5 * mass * REST_VELOCITY * REST_VELOCITY
}
