//! What holds the driven hammer: a spring and a damper with their own newtons, whatever the hammer weighs, at a height over the body.
//!
//! ```text
//! force on the hammer = signal + p^2 (hold + m g) + k (c - a)        towards the body
//! ```
//!
//! p: how far it has been laid on, 0 to 1; c: gap at which the spring of its rigid part rests; a: gap at which it has to. Where the two
//! differ, the last term moves the rest, and its work is supplied; the spring follows as soon as that brings no energy.

use crate::block::CONTROL_BLOCK;
use crate::modulation::{Smoother, step_for_time};
use crate::params::{ParamId, ParamValues};
use urto_physics::modal::Mode;
use urto_physics::solver::Collision;

/// Spring [N/m] of what is only damped: a mode needs one.
const SOFTEST: f64 = 1e-3;
/// Largest angular frequency and decay rate over the sample rate: beyond, the hammer would not move within a sample.
const STIFFEST: (f64, f64) = (2.0, 100.0);
/// Time constant [s] with which the rest moves.
const REST_TIME: f64 = 15e-3;
/// Distance [m] at which it has arrived.
const ARRIVED: f64 = 1e-9;
/// How far [m] the spring may rest from where it has to before it follows: its force makes up for it meanwhile.
const AWAY: f64 = 1e-5;
/// Gap [m] at which a hammer has flown off.
const MAX_DISTANCE: f64 = 0.5;

/// A spring [N/m] and a damper [Ns/m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MountSpring {
    /// Spring [N/m].
    pub stiffness: f64,
    /// Damper [Ns/m].
    pub damping: f64,
}

impl MountSpring {
    /// What `settings` say.
    pub fn of(settings: &ParamValues) -> Self {
        Self { stiffness: settings.get(ParamId::Tether), damping: settings.get(ParamId::TetherDamping) }
    }

    /// The mode of a hammer of `mass` [kg] at a sample rate [Hz].
    pub fn mode(&self, mass: f64, rate: f64) -> Mode {
        if self.stiffness == 0.0 && self.damping == 0.0 {
            return Mode::RIGID;
        }
        let (omega, sigma) = ((self.stiffness.max(SOFTEST) / mass).sqrt(), 0.5 * self.damping / mass);
        Mode { omega: omega.min(STIFFEST.0 * rate), sigma: sigma.min(STIFFEST.1 * rate) }
    }
}

/// A hammer that stays on a body.
#[derive(Clone, Copy, Debug)]
pub struct MountedHammer {
    /// Its number on the body.
    pub hammer: usize,
    /// Its mass [kg].
    pub mass: f64,
    mode: Mode,
    /// Gap [m] at which its tether has to rest.
    anchor: Smoother,
}

impl MountedHammer {
    /// Hammer number `hammer` of `mass` [kg] that `mode` holds, just hung up at the gap `height` [m].
    pub fn new(hammer: usize, mass: f64, mode: Mode, height: f64) -> Self {
        Self { hammer, mass, mode, anchor: Smoother::at(height) }
    }

    /// Takes another mass, tether and height; one that is switched on begins where the hammer is.
    pub fn aim(&mut self, mass: f64, mode: Mode, height: f64, collision: &mut Collision) {
        self.mass = mass;
        if mode != self.mode {
            let switched_on = self.mode.omega == 0.0;
            self.mode = mode;
            collision.set_tether(self.hammer, mode);
            if switched_on {
                self.anchor = Smoother::at(collision.hammer(self.hammer).rest_gap());
            }
        }
        self.anchor.target = height;
    }

    /// Moves the rest on by one grid cell at a sample rate [Hz]. Whether the hammer has not flown off.
    pub fn tick(&mut self, rate: f64, collision: &mut Collision) -> bool {
        self.anchor.advance(step_for_time(REST_TIME, rate / CONTROL_BLOCK as f64), ARRIVED);
        let striker = collision.hammer(self.hammer);
        let stays = striker.compression() > -MAX_DISTANCE;
        if self.mode.omega > 0.0 && (striker.rest_gap() - self.anchor.value()).abs() > AWAY {
            collision.recentre(self.hammer, self.anchor.value());
        }
        stays
    }

    /// Force [N] towards the body by which its rest is moved.
    pub fn leading(&self, collision: &Collision) -> f64 {
        let away = collision.hammer(self.hammer).rest_gap() - self.anchor.value();
        self.mass * self.mode.omega * self.mode.omega * away
    }
}
