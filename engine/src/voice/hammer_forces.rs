//! Return forces on a hammer while its key is down: weight, press force, and a spring.
//!
//! ```text
//! m p'' = m g + F - k p - f        p: displacement of the hammer towards the body, 0 where it touches the body at rest
//! ```
//!
//! Nothing else makes it bounce: between two contacts it flies for 2 v/g under its weight, for 2 m v/F under the press force, for half a
//! period pi sqrt(m/k) on the spring, and it rests once the contact has dissipated its energy.

use crate::context::RenderContext;
use crate::modulation::ReturnForces;
use crate::voice::hammers::MAX_HAMMER_AGE;
use crate::voice::voice::Voice;

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
