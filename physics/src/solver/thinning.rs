//! Rest of half of the high modes of a dense body, and its end, as changes that never gain energy: see [`ModeBank::thin`](crate::modal::ModeBank::thin).

use crate::modal::ThinningGains;
use crate::solver::collision::Collision;
use crate::solver::cost_budget::held_mode_cost;

impl Collision {
    /// Whether some of its modes can rest: see [`ModeBank::thin`](crate::modal::ModeBank::thin).
    pub fn can_be_thinned(&self) -> bool {
        self.body.can_be_thinned() && !self.body.is_thinned() && !self.is_exact()
    }

    /// Number of modes that take one step a sample, padding included.
    pub fn held_count(&self) -> usize {
        self.body.held()
    }

    /// Cost of one of them in a sample with the present hammers, in samples of one reference resonator.
    pub fn held_mode_cost(&self) -> f32 {
        held_mode_cost(self.hammers.iter().count() as f32)
    }

    /// Whether some of its modes rest.
    pub fn is_thinned(&self) -> bool {
        self.body.is_thinned()
    }

    /// Whether the modes that are thinned are at rest.
    pub fn high_modes_rest(&self) -> bool {
        self.body.high_modes_rest()
    }

    /// The factors with which the remaining modes would now take over the energy of those that rest.
    pub fn thinning_gains(&self) -> ThinningGains {
        self.body.thinning_gains()
    }

    /// Puts every second chunk of its high modes to rest. The energy that is lost is recorded. Returns a further factor of the remaining modes.
    pub fn thin(&mut self, gains: &ThinningGains) -> f64 {
        let mut factor = 1.0;
        self.change_parameters(None, |c| {
            factor = c.body.thin(gains);
            c.fit_all_held();
        });
        factor
    }

    /// The same while all of them are at rest.
    pub fn thin_at_rest(&mut self) {
        self.change_parameters(None, |c| {
            c.body.thin_at_rest();
            c.fit_all_held();
        });
    }

    /// Lets all modes move again.
    pub fn thicken(&mut self) {
        self.change_parameters(None, |c| {
            c.body.thicken();
            c.fit_all_held();
        });
    }
}
