//! Hammers that all voices share: each has room for sixteen, but not all are struck sixteen times at once.

use crate::voice::capacity;
use urto_physics::solver::Collision;
use urto_physics::solver::Hammer;

/// Hammers beside one for each voice.
const EXTRA_HAMMERS: usize = 32;

/// Maximum number of obstacles on all voices.
pub const MAX_OBSTACLES: usize = 64;

/// The hammers that no voice uses, and how many voices may use at once; obstacles come on top. Boxed: they are moved on the audio thread,
/// and each has hundreds of bytes.
#[expect(clippy::vec_box, reason = "a pointer is moved, not a hammer")]
pub struct HammerPool {
    spare: Vec<Box<Hammer>>,
    max_hammers: usize,
}

impl HammerPool {
    /// Hammers for `voices` voices of up to `modes` modes at `rate` [Hz]; the only allocation.
    pub fn new(rate: f64, voices: usize, modes: usize) -> Self {
        let max_hammers = voices + EXTRA_HAMMERS;
        let all = max_hammers + MAX_OBSTACLES;
        Self { spare: (0..all).map(|_| Collision::spare_hammer(rate, capacity(modes))).collect(), max_hammers }
    }

    /// Maximum number of hammers on all voices.
    pub fn max_hammers(&self) -> usize {
        self.max_hammers
    }

    /// Whether no hammer is left.
    pub fn is_empty(&self) -> bool {
        self.spare.is_empty()
    }

    /// Takes back the hammers that `collision` does not use.
    pub fn collect(&mut self, collision: &mut Collision) {
        while let Some(hammer) = collision.take_spare_hammer() {
            self.spare.push(hammer);
        }
    }

    /// Lends a hammer to `collision` if there is one and it has room.
    pub fn lend(&mut self, collision: &mut Collision) {
        if let Some(hammer) = self.spare.pop()
            && let Err(hammer) = collision.add_spare_hammer(hammer)
        {
            self.spare.push(hammer);
        }
    }

    /// Number of hammers that no voice uses.
    #[cfg(test)]
    pub fn spare_count(&self) -> usize {
        self.spare.len()
    }
}
