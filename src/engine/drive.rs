//! Hammer Drive: an outside signal as a force on a hammer that stays on the body struck last.
//!
//! The hammer rests on the body at compression 0, held by a soft tether, and is pushed by gain times signal [N], constant over a
//! sample. While nothing pushes and the body has come to rest the hammer is put aside; the next push puts it back.

use std::f64::consts::TAU;

use crate::physics::modes::Mode;

/// Frequency [Hz] and damping ratio of the tether: soft against any body, back in place after half a swing.
const TETHER: (f64, f64) = (20.0, 0.5);

/// Largest |signal| that counts; full scale is 1.
const LARGEST_SIGNAL: f64 = 1e3;

/// Where the drive hammer is and how hard it is pushed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drive {
    /// Force at full scale [N].
    pub gain: f64,
    /// Key struck last.
    pub key: Option<u8>,
    /// Object and hammer number, while the hammer is on a body.
    pub place: Option<(usize, usize)>,
    /// Frames since something pushed.
    pub quiet: u32,
}

impl Drive {
    /// What holds the hammer.
    pub fn tether() -> Mode {
        let (hertz, ratio) = TETHER;
        Mode { omega: TAU * hertz, sigma: TAU * hertz * ratio }
    }

    /// Force [N] for one sample of the signal; 0 for what is not a number.
    pub fn force(&self, signal: f32) -> f64 {
        let signal = f64::from(signal);
        if signal.is_finite() { self.gain * signal.clamp(-LARGEST_SIGNAL, LARGEST_SIGNAL) } else { 0.0 }
    }

    /// Notes whether this frame pushes.
    pub fn note_force(&mut self, force: f64) {
        self.quiet = if force == 0.0 { self.quiet.saturating_add(1) } else { 0 };
    }
}
