//! What the drive plays that no knob can hold: a pattern and a recording.

use std::sync::Arc;

use super::sample::Sample;
use crate::physics::surface::Track;

/// Steps of a pattern.
pub const STEPS: usize = 16;

/// The pattern of a patch that has none of its own.
pub const PATTERN: [f64; STEPS] = [1.0, 0.0, 0.3, 0.0, 0.6, 0.0, 0.3, 0.4, 1.0, 0.0, 0.3, 0.0, 0.6, 0.2, 0.5, 0.0];

/// A pattern and a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Level of every step, -1 to 1; below 0 it pulls.
    pub pattern: [f64; STEPS],
    /// The recording, if there is one.
    pub sample: Option<Arc<Sample>>,
}

impl Score {
    /// The recording as a profile.
    pub fn track(&self) -> Option<&Track> {
        self.sample.as_deref().and_then(Sample::track)
    }
}

impl Default for Score {
    fn default() -> Self {
        Self { pattern: PATTERN, sample: None }
    }
}
