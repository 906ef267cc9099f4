//! Cost of all voices that ring under their tension, and its limit.
//!
//! A part whose voices would exceed it lets the tension of the weakest rest: they ring on without it, at a hundredth of the cost.

use crate::block::CONTROL_BLOCK;

/// Largest cost of a frame of all such voices, in samples of one mode of the reference resonator: 48 reference resonators of 64 modes. All
/// zones of a kit share it.
const MAX_COST: f32 = 48.0 * 64.0;

/// Cost that parts have reserved in one control block.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensionLoad {
    frame: u64,
    reserved: f32,
}

impl TensionLoad {
    /// Reserves as much of `cost` as is left in the control block that begins at `frame`. What it has reserved.
    pub fn reserve(&mut self, frame: u64, cost: f32) -> f32 {
        if frame != self.frame {
            (self.frame, self.reserved) = (frame, 0.0);
        }
        let granted = cost.min((MAX_COST - self.reserved).max(0.0));
        self.reserved += granted;
        granted
    }

    /// Cost reserved so far in the control block that contains `frame`.
    pub fn reserved_at(&self, frame: u64) -> f32 {
        if frame.wrapping_sub(self.frame) < CONTROL_BLOCK as u64 { self.reserved } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_share_the_limit_of_a_control_block() {
        let mut load = TensionLoad::default();
        assert_eq!(load.reserve(16, 1000.0), 1000.0);
        assert_eq!(load.reserve(16, 5000.0), MAX_COST - 1000.0);
        assert_eq!((load.reserve(16, 10.0), load.reserved_at(31)), (0.0, MAX_COST));
        assert_eq!((load.reserve(32, 10.0), load.reserved_at(48)), (10.0, 0.0));
    }
}
