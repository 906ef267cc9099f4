//! The root of an increasing residual R(T) at T >= 0, by the secant rule and Newton's method within a bracket.

use crate::modal::StretchChange;

/// Maximum number of evaluations; resolved substeps take three or four.
const MAX_EVALUATIONS: u32 = 60;

/// Residual over its scale, and relative step, at which T is accepted as exact: rounding.
pub(crate) const EXACT: f64 = 1e-15;

/// The same in steps of contacts, where the energy that is left is accounted for: the trajectory does not change by as much.
pub(crate) const CLOSE: f64 = 1e-5;

/// Part of the energy of the tension after a step that it may pay for what the step gives.
const PAYABLE: f64 = 0.01;

/// An iteration for the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TensionRoot {
    tension: f64,
    /// e0.
    stretch: f64,
    low: f64,
    high: f64,
    /// The last T and R(T).
    last: Option<(f64, f64)>,
    evaluations: u32,
    /// Residual over its scale, and relative step, at which T is accepted.
    accuracy: f64,
}

impl TensionRoot {
    /// Begins at `guess`, of which negative values and NaN become 0, for a step from e0 = `stretch`; `accuracy`: residual over its scale, and
    /// relative step, at which T is accepted.
    pub fn new(guess: f64, stretch: f64, accuracy: f64) -> Self {
        Self { tension: guess.max(0.0), stretch, low: 0.0, high: f64::INFINITY, last: None, evaluations: 0, accuracy }
    }

    /// The next T to be evaluated, or the one that was accepted.
    pub fn tension(&self) -> f64 {
        self.tension
    }

    /// e0.
    pub fn stretch(&self) -> f64 {
        self.stretch
    }

    /// Accepts only rounding from now on, where a step would give more energy than a small part of what the tension stores after it.
    pub fn limit_given(&mut self, given: f64, stored: f64) {
        if given > PAYABLE * stored {
            self.accuracy = EXACT;
        }
    }

    /// R(T) of a step that changes e `by` so much.
    pub fn residual(&self, stiffness: f64, by: &StretchChange) -> f64 {
        self.tension - 0.5 * stiffness * (2.0 * self.stretch + by.change)
    }

    /// Number of evaluations.
    #[cfg(test)]
    pub fn evaluations(&self) -> u32 {
        self.evaluations
    }

    /// Takes R(T) and R'(T) > 0; `scale`: size of the terms of R. Whether T is accepted.
    pub fn accepts(&mut self, residual: f64, slope: f64, scale: f64) -> bool {
        let now = self.tension;
        self.evaluations += 1;
        if residual > 0.0 {
            self.high = self.high.min(now);
        } else {
            self.low = self.low.max(now);
        }
        let settled = residual.abs() <= self.accuracy * scale || !residual.is_finite();
        if settled || self.evaluations >= MAX_EVALUATIONS {
            return true;
        }
        let secant = self.last.map(|(before, of)| (residual - of) / (now - before)).filter(|s| s.is_finite() && *s > 0.0);
        self.last = Some((now, residual));
        let mut next = now - residual / secant.unwrap_or(slope);
        let inside = next >= self.low && next <= self.high;
        if !inside || self.evaluations.is_multiple_of(8) {
            next = if self.high.is_finite() { 0.5 * (self.low + self.high) } else { 2.0 * now.max(-residual) };
        }
        if (next - now).abs() <= self.accuracy * now {
            return true;
        }
        self.tension = next;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R with its root at `root`: as that of a body, and with a kink.
    fn found(guess: f64, of: impl Fn(f64) -> (f64, f64)) -> TensionRoot {
        let mut root = TensionRoot::new(guess, 0.0, EXACT);
        loop {
            let (residual, slope) = of(root.tension());
            if root.accepts(residual, slope, root.tension() + 1.0) {
                return root;
            }
        }
    }

    #[test]
    fn the_root_is_found_from_any_guess() {
        for guess in [-1.0, 0.0, 1e-9, 1.0, 3.0, 1e9] {
            let smooth = found(guess, |t| (t - 2.0 / (1.0 + 0.1 * t), 1.0 + 0.2 / (1.0 + 0.1 * t).powi(2)));
            let known = 5.0 * (1.8_f64.sqrt() - 1.0);
            assert!((smooth.tension() - known).abs() < 1e-14 && smooth.evaluations() < 12, "{guess}: {smooth:?}");
            let kinked = found(guess, |t| if t < 5.0 { (1e-3 * (t - 5.0), 1e-3) } else { (1e3 * (t - 5.0), 1e3) });
            assert!((kinked.tension() - 5.0).abs() < 1e-10, "{guess}: {kinked:?}");
        }
    }

    #[test]
    fn what_is_not_a_number_ends_the_iteration() {
        assert_eq!(found(1.0, |_| (f64::NAN, 1.0)).evaluations(), 1);
        assert!(found(1.0, |_| (-1.0, 1.0)).evaluations() <= MAX_EVALUATIONS);
    }
}
