//! Cost of all voices that ring under their tension or a potential, and of the potentials of voices under hammers, and their limits.
//!
//! A part whose voices would exceed a limit lets fewer modes of the weakest share their potential; what exceeds it even then rings on without
//! tension, at a hundredth of the cost.

use crate::block::CONTROL_BLOCK;
use crate::voice::StiffeningUse;

/// Largest cost of a frame of all voices that ring so, in samples of one mode of the reference resonator: 48 reference resonators of 64 modes.
/// All zones of a kit share it.
const MAX_RINGING: f32 = 48.0 * 64.0;

/// The same of all potentials under hammers, which are part of the cost of contacts: two plates of 72 modes.
const MAX_STRUCK: f32 = 96.0 * 64.0;

/// Largest cost of a frame of this use.
pub fn max_stiffening(spent_on: StiffeningUse) -> f32 {
    match spent_on {
        StiffeningUse::Ringing => MAX_RINGING,
        StiffeningUse::Struck => MAX_STRUCK,
    }
}

/// Cost that parts have reserved in one control block.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensionLoad {
    frame: u64,
    ringing: f32,
    struck: f32,
    /// What other zones reserve in every control block: ringing and struck.
    others: [f32; 2],
}

impl TensionLoad {
    /// Without reservations of its own, beside zones that reserve `others` in every control block: ringing and struck.
    pub fn beside(others: [f32; 2]) -> Self {
        Self { others, ..Self::default() }
    }

    /// Reserves as much of `cost` as is left in the control block that begins at `frame`. Returns the cost that it has reserved.
    pub fn reserve(&mut self, spent_on: StiffeningUse, frame: u64, cost: f32) -> f32 {
        if frame != self.frame {
            *self = Self { frame, ..Self::beside(self.others) };
        }
        let granted = cost.min(self.room(spent_on, frame));
        match spent_on {
            StiffeningUse::Ringing => self.ringing += granted,
            StiffeningUse::Struck => self.struck += granted,
        }
        granted
    }

    /// Cost left in the control block that begins at `frame`.
    pub fn room(&self, spent_on: StiffeningUse, frame: u64) -> f32 {
        let (own, others) = match spent_on {
            StiffeningUse::Ringing => (self.ringing, self.others[0]),
            StiffeningUse::Struck => (self.struck, self.others[1]),
        };
        let own = if frame == self.frame { own } else { 0.0 };
        (max_stiffening(spent_on) - others - own).max(0.0)
    }

    /// Cost reserved for ringing voices so far in the control block that contains `frame`.
    pub fn reserved_at(&self, frame: u64) -> f32 {
        let own = if frame.wrapping_sub(self.frame) < CONTROL_BLOCK as u64 { self.ringing } else { 0.0 };
        self.others[0] + own
    }
}

#[cfg(test)]
mod tests {
    use super::StiffeningUse::{Ringing, Struck};
    use super::*;

    #[test]
    fn all_parts_share_the_limit_of_a_control_block() {
        let mut load = TensionLoad::default();
        assert_eq!(load.reserve(Ringing, 16, 1000.0), 1000.0);
        assert_eq!(load.reserve(Ringing, 16, 5000.0), MAX_RINGING - 1000.0);
        assert_eq!((load.reserve(Ringing, 16, 10.0), load.reserved_at(31)), (0.0, MAX_RINGING));
        assert_eq!(
            (load.reserve(Struck, 16, 5000.0), load.room(Struck, 16), load.room(Ringing, 16)),
            (5000.0, MAX_STRUCK - 5000.0, 0.0)
        );
        assert_eq!((load.reserve(Ringing, 32, 10.0), load.reserved_at(48)), (10.0, 0.0));
        assert_eq!((load.room(Struck, 32), load.room(Struck, 48)), (MAX_STRUCK, MAX_STRUCK));
    }
}
