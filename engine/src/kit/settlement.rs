//! Settlement of what the zones of a kit share: when it is due, and how far the zones have rendered since the last.

use std::ops::Range;

use crate::block::CONTROL_BLOCK;

/// Control blocks between two settlements of what the zones of a kit share, if there is plenty of room.
pub(crate) const SETTLED_BLOCKS: usize = 4;

/// Frames between them.
pub(crate) const SETTLED_FRAMES: u64 = (SETTLED_BLOCKS * CONTROL_BLOCK) as u64;

/// Number of the control block of an absolute frame among those of its settlement.
pub(crate) fn settled_block(frame: u64) -> usize {
    (frame / CONTROL_BLOCK as u64) as usize % SETTLED_BLOCKS
}

/// How the zones share what they share until they settle again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settlement {
    /// Absolute frame of the next settlement.
    pub next: u64,
    /// There is plenty of room: zones do not wait for each other.
    pub is_roomy: bool,
    /// Moving modes of touched dense bodies of all zones.
    pub touched: f32,
    /// Absolute frames up to which zones have rendered, and up to which they have been mixed.
    pub rendered: u64,
    pub mixed: u64,
    /// Whether no zone sounds after each control block.
    pub is_silent_after: [bool; SETTLED_BLOCKS],
}

impl Settlement {
    /// Whether the zones settle at absolute frame `frame`, also without an event.
    pub fn is_due(&self, frame: u64) -> bool {
        frame >= self.next
    }

    /// Nothing is left of what zones have rendered: the engine may have skipped the end of it, which was silent.
    pub fn end_ahead(&mut self) {
        self.mixed = self.rendered;
    }

    /// Whether no zone sounded after the frames mixed last; none if zones have not rendered beyond them.
    pub fn was_silent(&self) -> Option<bool> {
        (self.is_roomy && self.mixed < self.rendered).then(|| self.is_silent_after[settled_block(self.mixed - 1)])
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

    #[test]
    fn frames_are_split_at_control_blocks() {
        let runs: Vec<_> = FramesAhead { start: 40, count: 30 }.runs().collect();
        assert_eq!(runs, [(40, 8..16), (48, 0..16), (64, 0..6)]);
        assert_eq!(runs.iter().map(|(start, _)| settled_block(*start)).collect::<Vec<_>>(), [2, 3, 0]);
        assert_eq!(FramesAhead { start: 3, count: 0 }.runs().count(), 0);
    }
}
