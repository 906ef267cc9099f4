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

    /// Displacement [m] of the body at a contact with these weights, and its maximum in free motion: with the energy of tension and potential in
    /// the modes.
    pub(crate) fn body_swing(&self, weights: &[f64]) -> (f64, f64) {
        let modes = &self.body.modes;
        let (now, most) = modes.swing(weights);
        let stored = self.tension_energy() + self.potential.available();
        if stored > 0.0 { (now, most * (1.0 + stored / modes.energy()).sqrt()) } else { (now, most) }
    }
}
