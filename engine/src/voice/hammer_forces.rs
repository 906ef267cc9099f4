//! What draws a struck hammer back to the body while its key is down: weight, a hand that presses, a spring.
//!
//! ```text
//! m p'' = m g + F - k p - f        p: way of the hammer towards the body, 0 where it meets it at rest
//! ```
//!
//! Nothing else makes it bounce: between two contacts it flies for 2 v/g under its weight, for 2 m v/F under the hand, for half a swing
//! pi sqrt(m/k) on the spring, and it rests when the contact has taken what it had.

use crate::context::RenderContext;
use crate::midi::Note;
use crate::modulation::ModOffsets;
use crate::params::ParamId;
use crate::voice::hammers::MAX_HAMMER_AGE;
use crate::voice::voice::Voice;
use urto_physics::modal::Mode;

/// What draws the hammers of one note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReturnForces {
    /// Acceleration [m/s^2], >= 0.
    pub gravity: f64,
    /// Force [N] on one of them, >= 0.
    pub force: f64,
    /// Spring [N/m] that all of them share by their mass, >= 0.
    pub spring: f64,
}

impl ReturnForces {
    /// What knobs and hands say of `note`; nothing once its key is up.
    pub fn of(note: &Note, scene: &RenderContext) -> Self {
        if !note.down {
            return Self::default();
        }
        let sway = ModOffsets::new(note, scene.hands, scene.settings);
        let get = |knob| scene.settings.get(knob);
        Self { gravity: sway.gravity(scene.settings), force: sway.hold() + get(ParamId::Hold), spring: get(ParamId::SpringBack) }
    }

    /// Whether a hammer is laid on the body where there is none: to be pressed, or because keys do not strike.
    pub fn rests_hammer(&self, strikes: bool) -> bool {
        self.force > 0.0 || !strikes && self.gravity > 0.0
    }
}

impl Voice {
    /// Draws hammer `i` to the body; what nothing draws any more is let go.
    pub fn set_return_forces(&mut self, i: usize, pull: &ReturnForces, scene: &RenderContext) {
        let force = self.hammer_states[i].mass * pull.gravity + pull.force;
        self.spring(i, pull.spring);
        let (held, was_held) = (force > 0.0 || pull.spring > 0.0, self.is_pressed(i));
        if held || was_held {
            self.collision.set_push(i, force);
        }
        let thrown = &mut self.hammer_states[i];
        thrown.pressed = held;
        if was_held && !held {
            thrown.death = scene.frame + (MAX_HAMMER_AGE * scene.rate) as u64;
        }
    }

    /// Whether something draws hammer `i` to the body.
    pub fn is_pressed(&self, i: usize) -> bool {
        self.hammer_states[i].pressed
    }

    /// Hangs hammer `i` on its share of a spring of `stiffness` [N/m]; 0 takes the spring away with what is stored in it.
    pub fn spring(&mut self, i: usize, stiffness: f64) {
        let thrown = &mut self.hammer_states[i];
        if thrown.hammer.spring != stiffness {
            thrown.hammer.spring = stiffness;
            self.follow_spring(i);
        }
    }

    /// The hammer swings as its spring and its mass say.
    pub fn follow_spring(&mut self, i: usize) {
        let thrown = &self.hammer_states[i];
        self.collision.set_tether(i, thrown.hammer.swing(thrown.mass));
    }

    /// Puts hammer `i`, which arrives `delay` [s] late, where it starts from; no farther than its spring lets it come from.
    pub fn start_late(&mut self, i: usize, delay: f64) {
        let Mode { omega, .. } = self.collision.hammer(i).modes().mode(0);
        if omega > 0.0 {
            self.collision.rewind_hammer(i, delay.min(std::f64::consts::FRAC_PI_2 / omega));
        } else {
            let speed = self.collision.hammer(i).velocity();
            self.collision.set_hammer_gap(i, speed * delay);
        }
    }
}
