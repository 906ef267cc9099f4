//! Cost of one part in the present control block, and what it knows of the others.

use crate::block::CONTROL_BLOCK;

/// Cost of each frame of a control block, in samples of one mode of the reference resonator.
pub type FrameCosts = [f32; CONTROL_BLOCK];

/// What a part has spent in one control block. Zones of a kit render one after another, in one run or in several: what one knows of the others
/// must not depend on that.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockCosts {
    /// Number of the control block.
    pub number: u64,
    /// Cost that the part has spent.
    pub own: FrameCosts,
    /// Cost of the parts before it.
    pub earlier: FrameCosts,
    /// Moving modes of touched dense bodies of this part and those before it.
    pub touched: f32,
    /// Cost per frame of the voices of these parts that ring under their tension.
    pub ringing: f32,
}

impl BlockCosts {
    /// Number of the control block that contains an absolute frame, and the place of the frame in it.
    pub fn place_of(frame: u64) -> (u64, usize) {
        (frame / CONTROL_BLOCK as u64, (frame % CONTROL_BLOCK as u64) as usize)
    }

    /// Cost of frame `place` of this part and those before it.
    pub fn at(&self, place: usize) -> f32 {
        self.own[place] + self.earlier[place]
    }

    /// Cost of the frames before `place`.
    pub fn before(&self, place: usize) -> f32 {
        (0..place).map(|k| self.at(k)).sum()
    }

    /// What the next part in control block `number` finds as the cost of those before it.
    pub fn add_to(&self, number: u64, earlier: &mut FrameCosts) {
        if self.number == number {
            earlier.iter_mut().zip(self.own).for_each(|(sum, own)| *sum += own);
        }
    }
}
