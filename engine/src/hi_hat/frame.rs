//! Heavy modes that the forces of sticks and of contacts between the plates drive: stand, clutch, air between the plates, and the stick itself. So
//! a foot that closes the plates is heard as a thump, not only as a rattle.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use std::ops::Range;
use urto_physics::modal::{DrivenModes, LANES, Mode};

/// The heavy modes, which do not react on sticks and plates.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    modes: DrivenModes,
    rests: bool,
}

impl Frame {
    /// Room for `modes` modes. Allocates.
    pub fn new(modes: usize) -> Self {
        Self { modes: DrivenModes::with_capacity(modes), rests: true }
    }

    /// Takes modes with their gains [1/kg] from a force to left and right, for samples of h [s]; those of one that sounds are tuned.
    pub fn set(&mut self, modes: impl Iterator<Item = (Mode, [f64; 2])>, h: f64, is_new: bool) {
        if is_new {
            self.modes.set(modes, h);
            self.rest();
        } else {
            self.modes.retune(modes, h);
        }
    }

    /// Puts it to rest.
    pub fn rest(&mut self) {
        self.modes.rest();
        self.rests = true;
    }

    /// Adds its sound under the impulses `blows` [N s] of the frames `run` to `out`; the state takes the factor `decay` in each.
    pub fn render(&mut self, blows: &[f64], run: Range<usize>, decay: f64, out: &mut StereoBlock) {
        self.rests &= blows.iter().all(|blow| *blow == 0.0);
        if self.rests {
            return;
        }
        let mut kicks = [[0.0; LANES]; CONTROL_BLOCK];
        kicks.iter_mut().zip(blows).for_each(|(kick, blow)| *kick = [*blow as f32; LANES]);
        let mut sound = [[0.0; 2]; CONTROL_BLOCK];
        let sound = &mut sound[..run.len()];
        self.modes.render(&kicks[..run.len()], decay as f32, sound);
        add_sound(sound, run, out);
    }

    /// Sets modes to rest whose motion is below `floor` [m/s kg^1/2].
    pub fn flush(&mut self, floor: f32) {
        self.rests = self.modes.flush(floor);
    }

    /// Number of modes that do not rest, padded.
    pub fn moving_modes(&self) -> usize {
        if self.rests { 0 } else { self.modes.padded() }
    }
}

/// Adds the sound of modes to the frames `run`.
pub(super) fn add_sound(sound: &[[f32; 2]], run: Range<usize>, out: &mut StereoBlock) {
    for (frame, sound) in run.zip(sound) {
        out.iter_mut().zip(sound).for_each(|(out, sound)| out[frame] += f64::from(*sound));
    }
}
