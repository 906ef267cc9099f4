//! Frequency of a voice: its key's, gliding, and bent by its notes.

use crate::modulation::{PitchBendRamp, PitchGlide};

/// A key and its frequency.
#[derive(Clone, Copy, Debug)]
pub struct KeyPitch {
    /// Key, 0 to 127.
    pub key: u8,
    /// Its frequency [Hz].
    pub hertz: f64,
}

/// Frequency of a voice, and when its body was tuned to it.
#[derive(Clone, Copy, Debug)]
pub struct VoicePitch {
    /// Frequency of the key [Hz].
    glide: PitchGlide,
    /// Smoothing step of the glide per control block.
    glide_step: f64,
    bend: PitchBendRamp,
    /// Pitch or losses have changed since the body was tuned.
    needs_retune: bool,
    /// When the body was tuned, by the count of all voices.
    retuned_at: u64,
}

impl VoicePitch {
    /// At `hertz` [Hz] without bend; `glide_step` per control block.
    pub fn at(hertz: f64, glide_step: f64) -> Self {
        Self { glide: PitchGlide::at(hertz), glide_step, bend: PitchBendRamp::at(0.0), needs_retune: false, retuned_at: 0 }
    }

    /// Current frequency [Hz].
    pub fn hertz(&self) -> f64 {
        self.glide.value() * self.bend.factor()
    }

    /// Frequency [Hz] that the key glides to.
    pub fn target(&self) -> f64 {
        self.glide.target()
    }

    /// Glides to `hertz` [Hz] by the part `step` per control block.
    pub fn glide_to(&mut self, hertz: f64, step: f64) {
        self.glide_step = step;
        self.glide.set_target(hertz);
    }

    /// Sets the target of the bend [octaves].
    pub fn bend_to(&mut self, octaves: f64) {
        self.bend.set_target(octaves);
    }

    /// Sets the bend to its target. Returns whether it moved.
    pub fn land_bend(&mut self) -> bool {
        let moves = !self.bend.is_settled();
        if moves {
            self.bend = PitchBendRamp::at(self.bend.target());
        }
        moves
    }

    /// Advances by one control block of `time` [s].
    pub fn advance(&mut self, time: f64) {
        let (glided, bent) = (self.glide.tick(self.glide_step), self.bend.tick(time));
        self.needs_retune |= glided || bent;
    }

    /// Requests a retuning of the body.
    pub fn request_retune(&mut self) {
        self.needs_retune = true;
    }

    /// Whether the body has to be retuned.
    pub fn needs_retune(&self) -> bool {
        self.needs_retune
    }

    /// When the body was tuned.
    pub fn retuned_at(&self) -> u64 {
        self.retuned_at
    }

    /// Records that the body was tuned at `count`.
    pub fn set_retuned(&mut self, count: u64) {
        (self.retuned_at, self.needs_retune) = (count, false);
    }

    /// Records the count at which the voice was activated; it is tuned.
    pub fn set_retuned_at(&mut self, count: u64) {
        self.retuned_at = count;
    }
}
