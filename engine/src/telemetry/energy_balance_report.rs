//! Largest errors of the energy balances of all voices, for tests.

use urto_physics::solver::EnergyBalance;

/// Largest errors of energy balances, relative to the largest energy of the voice.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct EnergyBalanceReport {
    /// Largest |stored + lost - supplied| over one step.
    pub balance: f64,
    /// Largest gain of energy over one step without supply.
    pub unsupplied: f64,
}

impl EnergyBalanceReport {
    /// Errors of one balance; 0 for a voice that never had any energy.
    pub fn of(balance: &EnergyBalance) -> Self {
        if balance.largest > 0.0 {
            Self {
                balance: balance.largest_balance_residual / balance.largest,
                unsupplied: balance.largest_unsupplied_increase / balance.largest,
            }
        } else {
            Self::default()
        }
    }

    /// The larger errors of two reports.
    pub fn larger(self, other: Self) -> Self {
        Self { balance: larger(self.balance, other.balance), unsupplied: larger(self.unsupplied, other.unsupplied) }
    }
}

/// The larger of two, or NaN if either is: an error must not be hidden.
fn larger(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}
