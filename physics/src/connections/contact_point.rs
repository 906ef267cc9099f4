//! A one-sided contact between two bodies, or between a body and a hammer.

use crate::contact::{ContactLaw, Equation, Solution};

/// A point mass that strikes a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointHammer {
    /// Mass [kg], > 0.
    pub mass: f64,
    /// Velocity towards the body [m/s].
    pub velocity: f64,
}

/// What a contact is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSpec {
    /// Contact law.
    pub law: ContactLaw,
    /// Gap at the start [m]; negative: a compression.
    pub gap: f64,
}

/// State of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactPoint {
    pub law: ContactLaw,
    /// Memory of the law, see [`ContactLaw`].
    pub memory: f64,
    /// Compression [m]; negative is the gap.
    pub x: f64,
    pub hammer: Option<PointHammer>,
    /// Velocity [m/s] with which a hand closes the gap.
    pub closing: f64,
    pub equation: Equation,
    pub solution: Solution,
}

impl ContactPoint {
    /// A contact that has not moved yet.
    pub fn new(ContactSpec { law, gap }: ContactSpec, hammer: Option<PointHammer>) -> Self {
        let equation = Equation { x0: -gap, df: 0.0, b: 1.0, dt: 1.0, beta: 0.0, memory: 0.0, expected: f64::NAN };
        Self { law, memory: 0.0, x: -gap, hammer, closing: 0.0, equation, solution: Solution::default() }
    }

    /// Stored and kinetic energy [J].
    pub fn energy(&self) -> f64 {
        let kinetic = self.hammer.map_or(0.0, |hammer| 0.5 * hammer.mass * hammer.velocity * hammer.velocity);
        self.law.stored(self.x, self.memory, 0.0) + kinetic
    }

    /// Velocity [m/s] of hammer and hand towards the body.
    #[inline]
    pub fn approach(&self) -> f64 {
        self.closing + self.hammer.map_or(0.0, |hammer| hammer.velocity)
    }

    /// Sets the equation of a step of dt [s] in which the bodies move by `way` [m] without force and by `compliance` [m/N] with it.
    pub fn set_equation(&mut self, dt: f64, way: f64, compliance: f64) {
        let own = self.hammer.map_or(0.0, |hammer| 0.5 * dt * dt / hammer.mass);
        self.equation = Equation {
            x0: self.x,
            df: way + self.approach() * dt,
            b: compliance.max(0.0) + own + f64::MIN_POSITIVE,
            dt,
            beta: 0.0,
            memory: self.memory,
            expected: f64::NAN,
        };
    }

    /// Takes over the solution. Energy [J] that the law dissipates by relaxation.
    pub fn follow(&mut self, dt: f64) -> f64 {
        let Solution { x1, force, .. } = self.solution;
        self.x = x1;
        self.memory = self.law.remembering(self.memory, x1);
        let relaxed;
        (self.memory, relaxed) = self.law.relaxing(self.memory, x1, dt);
        if let Some(hammer) = &mut self.hammer {
            hammer.velocity -= force * dt / hammer.mass;
        }
        relaxed
    }

    /// A new law; the contact keeps its energy where it is of the same kind, else loses it.
    pub fn set_law(&mut self, law: ContactLaw) {
        if law.is_kind_of(&self.law) {
            (self.x, self.memory) = law.taking_over(&self.law, 0.0, (self.x, self.memory), 0.0);
        } else {
            (self.x, self.memory) = (self.x.min(0.0), 0.0);
        }
        self.law = law;
    }
}
