//! Whether the hammers of a voice fly while its body rings.

use crate::block::CONTROL_BLOCK;
use urto_physics::solver::Collision;

/// Whether the hammers of a voice fly while its body rings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HammerFlight {
    /// They are stepped frame by frame.
    #[default]
    Stepped,
    /// They fly in this control block, and have not been moved in it yet.
    Flying,
    /// They have flown for the whole of the last control block.
    Landed,
    /// A change has ended the flight within the control block.
    Interrupted,
}

impl HammerFlight {
    /// Ends a flight after `frames` frames of the control block: the hammers of `collision` move by as much at once, so that no bit depends on how often
    /// its state is read.
    pub fn land(&mut self, collision: &mut Collision, frames: usize) {
        if *self == Self::Flying {
            collision.fly_freely(frames);
            *self = if frames == CONTROL_BLOCK { Self::Landed } else { Self::Interrupted };
        }
    }
}
