//! Energy balance, step by step: stored + lost - supplied energy is constant.
//!
//! Energy here is the quantity that the steps conserve: sum (v^2 + omega^2 q^2)/2 over all modes, plus U + beta U'^2 of every
//! contact. It differs from the physical energy (with U) inside a contact only.

/// Energy of one step; each part is computed independently.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnergyEntry {
    /// Energy before [J].
    pub before: f64,
    /// Energy after [J].
    pub after: f64,
    /// Work of outside forces and of profiles that rise [J].
    pub supplied: f64,
    /// Lost in contacts [J], >= 0.
    pub lost_in_contact: f64,
    /// Lost in modes [J], >= 0.
    pub lost_in_modes: f64,
    /// Sum of the magnitudes of all energies after the step [J]: more than `after` where a potential is negative.
    pub magnitude: f64,
}

/// Energy balance of all steps since it was enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// Largest sum of the magnitudes of all energies [J]: the scale of rounding. The potential of a curved body can be negative, so that
    /// the energy itself may be near 0 or below.
    pub largest: f64,
    /// Lost in contacts [J], also by parameter changes in contact and by removed hammers.
    pub lost_in_contact: f64,
    /// Lost in modes [J].
    pub lost_in_modes: f64,
    /// Work of outside forces and of profiles that rise [J].
    pub supplied: f64,
    /// Largest gain of a single step or parameter change beyond the supplied energy [J]; <= 0 if none gained.
    pub largest_unsupplied_increase: f64,
    /// Largest |after - before - supplied + lost| of a single step [J].
    pub largest_balance_residual: f64,
    /// Number of recorded steps.
    pub steps: u64,
}

impl EnergyBalance {
    /// Records one step.
    pub fn record_step(&mut self, entry: &EnergyEntry) {
        let change = entry.after - entry.before - entry.supplied;
        let residual = (change + entry.lost_in_contact + entry.lost_in_modes).abs();
        self.note_increase(change);
        self.largest = self.largest.max(entry.before).max(entry.magnitude);
        self.lost_in_contact += entry.lost_in_contact;
        self.lost_in_modes += entry.lost_in_modes;
        self.supplied += entry.supplied;
        self.largest_balance_residual = worse(self.largest_balance_residual, residual);
    }

    /// Records a change of parameters, which may lose energy and must not gain any.
    pub fn record_change(&mut self, before: f64, after: f64) {
        self.note_increase(after - before);
        self.largest = self.largest.max(before);
        self.lost_in_contact += before - after;
    }

    /// Records the energy [J] that enters with a hammer (positive) or leaves with it (negative).
    pub fn record_hammer(&mut self, energy: f64) {
        self.supplied += energy;
    }

    fn note_increase(&mut self, change: f64) {
        self.largest_unsupplied_increase = if self.steps == 0 { change } else { worse(self.largest_unsupplied_increase, change) };
        self.steps += 1;
    }
}

/// The larger of two numbers; NaN if either is NaN.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_persists_in_the_energy_balance() {
        let mut balance = EnergyBalance::default();
        balance.record_step(&EnergyEntry { after: f64::NAN, ..EnergyEntry::default() });
        balance.record_step(&EnergyEntry { before: 1.0, after: 1.0, ..EnergyEntry::default() });
        assert!(balance.largest_balance_residual.is_nan() && balance.largest_unsupplied_increase.is_nan());
    }

    /// A potential that is more negative than the sum of all other energies: errors are relative to the magnitudes, not to their sum.
    #[test]
    fn a_negative_energy_has_the_scale_of_its_parts() {
        let mut balance = EnergyBalance::default();
        balance.record_step(&EnergyEntry { before: -90.0, after: -90.0, magnitude: 110.0, ..EnergyEntry::default() });
        assert_eq!(balance.largest, 110.0);
    }

    #[test]
    fn a_balanced_step_leaves_no_residual() {
        let mut balance = EnergyBalance::default();
        let entry =
            EnergyEntry { before: 4.0, after: 3.0, supplied: 0.5, lost_in_contact: 1.0, lost_in_modes: 0.5, magnitude: 3.0 };
        balance.record_step(&entry);
        assert_eq!((balance.largest_balance_residual, balance.largest_unsupplied_increase), (0.0, -1.5));
        balance.record_step(&EnergyEntry { lost_in_modes: 0.25, ..entry });
        assert_eq!(balance.largest_balance_residual, 0.25);
    }
}
