//! The ledger: stored + lost - supplied = what was there at the beginning, step by step.
//!
//! Energy is that which the steps conserve: sum (v^2 + omega^2 q^2)/2 over all modes, plus U + beta U'^2 of every contact. It
//! differs from the physical energy (with U) inside a contact only.

/// What one step did to the energy, each part computed on its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry {
    /// Energy before [J].
    pub before: f64,
    /// Energy after [J].
    pub after: f64,
    /// Work of outside forces [J].
    pub supplied: f64,
    /// Lost in contacts [J], >= 0.
    pub lost_in_contact: f64,
    /// Lost in modes [J], >= 0.
    pub lost_in_modes: f64,
}

/// The book of all steps since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Largest energy seen [J].
    pub largest: f64,
    /// Lost in contacts [J], also by parameters that jumped while in contact and by hammers taken away.
    pub lost_in_contact: f64,
    /// Lost in modes [J].
    pub lost_in_modes: f64,
    /// Work of outside forces [J].
    pub supplied: f64,
    /// Largest energy that a single step or jump gained beyond what was supplied [J]; <= 0 when none ever did.
    pub largest_unsupplied_increase: f64,
    /// Largest |after - before - supplied + lost| of a single step [J].
    pub largest_balance_residual: f64,
    /// Steps booked.
    pub steps: u64,
}

impl Ledger {
    /// Books one step.
    pub fn book(&mut self, entry: &Entry) {
        let change = entry.after - entry.before - entry.supplied;
        let residual = (change + entry.lost_in_contact + entry.lost_in_modes).abs();
        self.note_increase(change);
        self.largest = self.largest.max(entry.before).max(entry.after);
        self.lost_in_contact += entry.lost_in_contact;
        self.lost_in_modes += entry.lost_in_modes;
        self.supplied += entry.supplied;
        // a NaN has to be seen, and max would drop it
        if !(residual <= self.largest_balance_residual) {
            self.largest_balance_residual = residual;
        }
    }

    /// Books a change of parameters, which may lose energy and must not gain any.
    pub fn book_jump(&mut self, before: f64, after: f64) {
        self.note_increase(after - before);
        self.largest = self.largest.max(before);
        self.lost_in_contact += before - after;
    }

    /// Energy that enters with a hammer (positive) or leaves with it (negative) [J].
    pub fn book_hammer(&mut self, energy: f64) {
        self.supplied += energy;
    }

    fn note_increase(&mut self, change: f64) {
        if self.steps == 0 || !(change <= self.largest_unsupplied_increase) {
            self.largest_unsupplied_increase = change;
        }
        self.steps += 1;
    }
}
