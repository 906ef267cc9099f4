//! What the tension of a body is now: whether it acts, its strength, its energy, and how far the body can swing with it.

use crate::solver::collision::Collision;

impl Collision {
    /// Whether the body has a tension, which may rest.
    pub fn may_have_tension(&self) -> bool {
        self.tension.exists()
    }

    /// Number of modes, padding included, that every substep computes and that take part in the tension.
    pub fn felt_modes(&self) -> usize {
        self.body.felt()
    }

    /// Whether the tension acts.
    pub fn has_tension(&self) -> bool {
        self.tension.acts()
    }

    /// Upper bound of the force of the tension over that of the body's own stiffness, on any mode; 0 without tension.
    pub fn tension_strength(&self) -> f64 {
        if self.tension.exists() { self.tension.strength(&self.body.modes) } else { 0.0 }
    }

    /// Present tension beyond that at rest, K e: [N] of a string, [N/m] of a membrane.
    pub fn extra_tension(&self) -> f64 {
        if self.tension.acts() { self.tension.stiffness() * self.tension.stretch(&self.body.modes.q) } else { 0.0 }
    }

    /// Present tension beyond that at rest, over that at rest; 0 while it rests.
    pub fn relative_tension(&self) -> f64 {
        if self.tension.acts() { self.tension.share_of_rest(&self.body.modes.q) } else { 0.0 }
    }

    /// Energy V [J] of the tension.
    pub fn tension_energy(&self) -> f64 {
        self.tension.energy(&self.body.modes.q)
    }

    /// How much farther [m] than now the body can displace a contact with these weights in free motion, or a distance beyond `limit` [m]: with the energy of
    /// tension and potential in the modes.
    pub(crate) fn body_overshoot(&self, weights: &[f64], limit: f64) -> f64 {
        let modes = &self.body.modes;
        let least = modes.overshoot(weights, 1.0, limit);
        let stored = self.tension_energy() + self.potential.available();
        if least > limit || stored <= 0.0 {
            return least;
        }
        modes.overshoot(weights, (1.0 + stored / modes.energy()).sqrt(), limit)
    }
}
