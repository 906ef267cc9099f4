//! What a zone has rendered of one settlement, ahead of the mix of the kit.

use std::ops::Range;

use crate::bleed::AnswerParams;
use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::polyphony::BlockCosts;

/// One control block of a zone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockAhead {
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

impl Default for BlockAhead {
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

/// Frames that a zone renders at once, within one settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FramesAhead {
    /// The first, absolute.
    pub start: u64,
    /// Their number.
    pub count: usize,
}

impl FramesAhead {
    /// The control blocks or parts of them: the first absolute frame of each, and its frames in the control block.
    pub fn runs(self) -> impl Iterator<Item = (u64, Range<usize>)> {
        let mut done = 0;
        std::iter::from_fn(move || {
            let start = self.start + done as u64;
            let place = (start % CONTROL_BLOCK as u64) as usize;
            let length = (CONTROL_BLOCK - place).min(self.count - done);
            done += length;
            (length > 0).then_some((start, place..place + length))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settlement::settled_block;

    #[test]
    fn frames_are_split_at_control_blocks() {
        let runs: Vec<_> = FramesAhead { start: 40, count: 30 }.runs().collect();
        assert_eq!(runs, [(40, 8..16), (48, 0..16), (64, 0..6)]);
        assert_eq!(runs.iter().map(|(start, _)| settled_block(*start)).collect::<Vec<_>>(), [2, 3, 0]);
        assert_eq!(FramesAhead { start: 3, count: 0 }.runs().count(), 0);
    }
}
