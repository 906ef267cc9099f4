//! Return forces on a hammer while its key is down: weight, press force, and a spring.
//!
//! ```text
//! m p'' = m g + F - k p - f        p: displacement of the hammer towards the body, 0 where it touches the body at rest
//! ```
//!
//! Nothing else makes it bounce: between two contacts it flies for 2 v/g under its weight, for 2 m v/F under the press force, for half a
//! period pi sqrt(m/k) on the spring, and it rests once the contact has dissipated its energy.

use crate::context::RenderContext;
use crate::midi::Note;
use crate::modulation::ModOffsets;
use crate::params::ParamId;
use crate::voice::hammers::MAX_HAMMER_AGE;
use crate::voice::voice::Voice;

/// Return forces on the hammers of one note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReturnForces {
    /// Acceleration [m/s^2], >= 0.
    gravity: f64,
    /// Force [N] on one of them, >= 0.
    force: f64,
    /// Spring [N/m] that all of them share by their mass, >= 0.
    spring: f64,
}

impl ReturnForces {
    /// Forces of `note` by parameters and controllers; none once its key is up.
    pub fn of(note: &Note, context: &RenderContext) -> Self {
        if !note.down {
            return Self::default();
        }
        let offsets = ModOffsets::new(note, context.controllers, context.settings);
        let get = |param| context.settings.get(param);
        let (gravity, force) = (offsets.gravity(context.settings), offsets.hold() + get(ParamId::Hold));
        Self { gravity, force, spring: get(ParamId::SpringBack) }
    }

    /// Spring [N/m] that the hammers share.
    pub fn spring(&self) -> f64 {
        self.spring
    }

    /// Without the press force, which acts on one hammer only.
    pub fn without_press(&self) -> Self {
        Self { force: 0.0, ..*self }
    }

    /// Whether a hammer rests on the body where there is none: to be pressed, or because keys do not strike.
    pub fn rests_hammer(&self, strikes: bool) -> bool {
        self.force > 0.0 || !strikes && self.gravity > 0.0
    }
}

impl Voice {
    /// Sets the return forces of hammer `i`; without any it is released and expires.
    pub fn set_return_forces(&mut self, i: usize, forces: &ReturnForces, context: &RenderContext) {
        let force = self.hammers.states[i].mass * forces.gravity + forces.force;
        self.set_spring(i, forces.spring);
        let (held, was_held) = (force > 0.0 || forces.spring > 0.0, self.is_pressed(i));
        if held || was_held {
            self.collision.set_push(i, force);
        }
        let state = &mut self.hammers.states[i];
        state.pressed = held;
        if was_held && !held {
            state.expires_at = context.frame + (MAX_HAMMER_AGE * context.rate) as u64;
        }
    }

    /// Puts hammer `i` on its share of a spring of `stiffness` [N/m]; 0 removes the spring with its energy.
    fn set_spring(&mut self, i: usize, stiffness: f64) {
        let state = &mut self.hammers.states[i];
        if state.launch.spring != stiffness {
            state.launch.spring = stiffness;
            self.update_rigid_mode(i);
        }
    }
}
