//! One control block of a zone as it has been rendered, for the mix of the kit.

use crate::bleed::AnswerParams;
use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::polyphony::BlockCosts;

/// One control block of a zone, as far as it has been rendered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneBlock {
    /// Its sound, and that of its strikes.
    pub sound: StereoBlock,
    pub struck: [f64; CONTROL_BLOCK],
    /// Whether the zone was awake.
    pub is_awake: bool,
    /// Whether nothing sounds after it.
    pub is_silent_after: bool,
    /// What its answer depends on.
    pub answer: AnswerParams,
    /// What it has cost.
    pub costs: BlockCosts,
}

impl Default for ZoneBlock {
    fn default() -> Self {
        Self {
            sound: [[0.0; CONTROL_BLOCK]; 2],
            struck: [0.0; CONTROL_BLOCK],
            is_awake: false,
            is_silent_after: true,
            answer: AnswerParams::default(),
            costs: BlockCosts::default(),
        }
    }
}
