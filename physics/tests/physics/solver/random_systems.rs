//! Energy of many random systems, and that none gains any.

use urto_physics::solver::{Collision, EnergyBalance};

/// The worst of a random system, over the largest energy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    /// Largest gain of energy beyond what was supplied.
    pub unsupplied: f64,
    /// Largest residual of the energy balance.
    pub residual: f64,
    /// Energy of tension or potential over the supplied energy.
    pub stored: f64,
    /// Number of contacts.
    pub contacts: u32,
    /// Number of changes of parameters.
    pub jumps: u32,
}

impl Worst {
    /// Takes over the figures of an energy balance, and whether the energy of `collision` is a number.
    pub fn note(&mut self, collision: &Collision) {
        let balance: &EnergyBalance = collision.energy_balance().expect("it is enabled");
        let largest = balance.largest.max(f64::MIN_POSITIVE);
        self.unsupplied = balance.largest_unsupplied_increase / largest;
        let residual = balance.largest_balance_residual / largest;
        self.residual = if collision.energy().is_finite() { residual } else { f64::INFINITY };
    }

    fn merge(&mut self, other: &Worst) {
        self.unsupplied = self.unsupplied.max(other.unsupplied);
        self.residual = self.residual.max(other.residual);
        self.stored = self.stored.max(other.stored.min(1e9));
        self.contacts += other.contacts;
        self.jumps += other.jumps;
    }
}

/// Asserts that none of the random systems with the seeds below `systems` gains energy: by 1e-14, residual 1e-12. `run`: one of them.
pub fn assert_no_gain(systems: u64, run: impl Fn(u64) -> Worst) {
    let (mut worst, mut failed) = (Worst::default(), Vec::new());
    for seed in 0..systems {
        let found = run(seed);
        worst.merge(&found);
        let fine = found.unsupplied <= 1e-14 && found.residual <= 1e-12;
        if !fine {
            failed.push((seed, found));
        }
    }
    println!("{systems} systems: {worst:?}");
    assert!(u64::from(worst.contacts) > systems && u64::from(worst.jumps) > systems && worst.stored > 0.3, "too tame: {worst:?}");
    let few: Vec<_> = failed.iter().take(10).collect();
    assert!(failed.is_empty(), "{} of {systems} systems failed, by seed: {few:#?}", failed.len());
}
