//! What the potential of a body is now: whether it acts, its strength and its energy.

use crate::solver::collision::Collision;
use crate::solver::cost_budget::CostBudget;

impl Collision {
    /// Whether the body has a potential, which may rest.
    pub fn may_have_potential(&self) -> bool {
        self.potential.exists()
    }

    /// Whether it has memory for a potential, even one without effect.
    pub fn holds_potential(&self) -> bool {
        self.potential.is_lent()
    }

    /// Whether the potential acts.
    pub fn has_potential(&self) -> bool {
        self.potential.acts()
    }

    /// About the largest force of the potential over that of the body's own stiffness; 0 without potential.
    pub fn potential_strength(&self) -> f64 {
        if self.potential.exists() { self.potential.strength(self.body.modes.energy() + self.potential.available()) } else { 0.0 }
    }

    /// About the largest force of tension or potential over that of the body's own stiffness.
    pub fn stiffening_strength(&self) -> f64 {
        self.tension_strength().max(self.potential_strength())
    }

    /// Energy [J] that the potential stores.
    pub fn potential_energy(&self) -> f64 {
        self.potential.energy()
    }

    /// V [J] at the present displacements, if it is known: nearly [`Collision::potential_energy`]; otherwise that.
    pub fn potential_now(&self) -> f64 {
        self.potential.value().unwrap_or_else(|| self.potential.energy())
    }

    /// Number of potentials of the body: with all modes, and with fewer; 0 without memory for one.
    pub fn potential_levels(&self) -> usize {
        self.potential.levels().count()
    }

    /// Number of the present one: 0 with all modes.
    pub fn potential_level(&self) -> usize {
        self.potential.levels().present()
    }

    /// Cost of an evaluation of potential number `level`, in samples of one reference resonator.
    pub fn potential_cost(&self, level: usize) -> f32 {
        self.potential.levels().cost(level)
    }

    /// About the cost of potential number `level` in a sample in contact, in samples of one reference resonator.
    pub fn touched_potential_cost(&self, level: usize) -> f32 {
        CostBudget::least_potential_cost(self.potential.levels().cost(level), self.problem_size())
    }

    /// Energy [J] of tension, potential and tube.
    pub(crate) fn stiffening_energy(&self) -> f64 {
        self.tension_energy() + self.potential.energy() + self.tube.energy()
    }
}
