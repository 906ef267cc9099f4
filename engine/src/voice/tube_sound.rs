//! How the tube of a voice is heard.

use crate::body::{MAX_TUBE, TubeSetting};

/// Parameters and weights of the tube of a voice; its modes are those of the collision.
#[derive(Clone, Copy, Debug)]
pub(super) struct TubeSound {
    /// The parameters that its modes have.
    pub setting: TubeSetting,
    /// Weights of its modes at both pickups, without gains and flap.
    pub heard: [f32; MAX_TUBE],
    /// Gains of left and right times the opening, at the start of the control block and at its end.
    pub gains: [[f32; 2]; 2],
    /// Pitch, mass or radiation of the body have changed.
    pub outdated: bool,
}

impl Default for TubeSound {
    fn default() -> Self {
        let setting = TubeSetting { coupling: 0.0, detune: 0.0 };
        Self { setting, heard: [0.0; MAX_TUBE], gains: [[0.0; 2]; 2], outdated: false }
    }
}
