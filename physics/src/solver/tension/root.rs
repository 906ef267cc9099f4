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

/// Part of the accuracy by which T is moved to where the step takes energy, if the tension cannot pay what it gives.
const MARGIN: f64 = 0.5;

/// A tension that was tried, or a bound.
#[derive(Clone, Copy, Debug)]
struct End {
    tension: f64,
    /// Energy that the step gives; infinite for a bound.
    given: f64,
}

/// An iteration for the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TensionRoot {
    tension: f64,
    /// e0.
    stretch: f64,
    /// The ends of the bracket: R <= 0 and R > 0.
    low: End,
    high: End,
    /// The last T and R(T).
    last: Option<(f64, f64)>,
    evaluations: u32,
    /// Residual over its scale, and relative step, at which T is accepted.
    accuracy: f64,
    /// Sign of the residuals with which the step takes energy, if it now gives more than the tension can pay; otherwise 0.
    taking: f64,
    /// Energy that the step gives.
    given: f64,
    /// Whether the next T is accepted whatever its R is.
    is_last: bool,
}

impl TensionRoot {
    /// Begins at `guess`, of which negative values and NaN become 0, for a step from e0 = `stretch`; `accuracy`: residual over its scale, and
    /// relative step, at which T is accepted.
    pub fn new(guess: f64, stretch: f64, accuracy: f64) -> Self {
        let [low, high] = [0.0, f64::INFINITY].map(|tension| End { tension, given: f64::INFINITY });
        let tension = guess.max(0.0);
        Self { tension, stretch, low, high, last: None, evaluations: 0, accuracy, taking: 0.0, given: 0.0, is_last: false }
    }

    /// The next T to be evaluated, or the one that was accepted.
    pub fn tension(&self) -> f64 {
        self.tension
    }

    /// e0.
    pub fn stretch(&self) -> f64 {
        self.stretch
    }

    /// Does not accept the present T if a step that changes e `by` so much gives more energy than a small part of what the tension stores after
    /// it, K = `stiffness`. The next T is then one with which the step takes energy.
    pub fn limit_given(&mut self, residual: f64, stiffness: f64, by: &StretchChange) {
        self.given = -residual * by.change;
        let stored = 0.5 * stiffness * (self.stretch + by.change).powi(2);
        self.taking = if self.given > PAYABLE * stored { by.change.signum() } else { 0.0 };
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
        let end = End { tension: now, given: self.given };
        if residual > 0.0 && now < self.high.tension {
            self.high = end;
        } else if residual <= 0.0 && now >= self.low.tension {
            self.low = end;
        }
        let settled = residual.abs() <= self.accuracy * scale;
        if settled && self.taking == 0.0 || self.is_last || !residual.is_finite() || self.evaluations >= MAX_EVALUATIONS {
            return true;
        }
        if settled {
            self.tension = (now + (MARGIN * self.accuracy * scale * self.taking - residual) / slope).max(0.0);
            return false;
        }
        if self.taking != 0.0 && self.high.tension - self.low.tension <= self.accuracy * now {
            return self.is_lesser_end(residual);
        }
        let next = self.improved(residual, slope);
        if (next - now).abs() <= self.accuracy * now && self.taking == 0.0 {
            return true;
        }
        self.tension = next;
        false
    }

    /// The T after one with R(T) and R'(T): by the secant or the slope, or half way between the ends where that leaves them or is slow.
    fn improved(&mut self, residual: f64, slope: f64) -> f64 {
        let (now, low, high) = (self.tension, self.low.tension, self.high.tension);
        let secant = self.last.map(|(before, of)| (residual - of) / (now - before)).filter(|s| s.is_finite() && *s > 0.0);
        self.last = Some((now, residual));
        let next = now - residual / secant.unwrap_or(slope);
        if (low..=high).contains(&next) && !self.evaluations.is_multiple_of(8) {
            next
        } else if high.is_finite() {
            0.5 * (low + high)
        } else {
            2.0 * now.max(-residual)
        }
    }

    /// Whether the present one of two near ends gives less energy; otherwise the other one is the last. R jumps between them as a contact begins
    /// or ends, or where the forces of contacts are not exact because their cost is limited.
    fn is_lesser_end(&mut self, residual: f64) -> bool {
        let other = if residual > 0.0 { self.low } else { self.high };
        self.is_last = other.given < self.given;
        if self.is_last {
            self.tension = other.tension;
        }
        !self.is_last
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

    /// What the tension cannot pay is not given where T can be moved; where R jumps, the end that gives less is taken after few evaluations.
    #[test]
    fn a_step_that_gives_too_much_takes_energy_or_gives_least() {
        let find = |guess: f64, of: &dyn Fn(f64) -> (f64, f64)| {
            let mut root = TensionRoot::new(guess, 0.0, CLOSE);
            loop {
                let (residual, change) = of(root.tension());
                // K is so small that nothing is stored
                root.limit_given(residual, 1e-30, &StretchChange { change, slope: 0.0, curvature: 0.0 });
                if root.accepts(residual, 1.0, 10.0) {
                    return (root.tension(), -residual * change, root.evaluations());
                }
            }
        };
        // bent so that every step stays on the side that gives
        for change in [1.0, -1.0] {
            let of = |t: f64| (0.9 * (t - 2.0) - 0.1 * change * (t - 2.0).powi(2), change);
            let (tension, given, evaluations) = find(2.0 - 0.7 * change, &of);
            assert!(given <= 0.0 && (tension - 2.0).abs() < 2e-4 && evaluations < 8, "{tension}: {given} after {evaluations}");
        }
        for [low, high] in [[(-3.0, 1.0), (1.0, -0.5)], [(-1.0, 0.5), (3.0, -1.0)]] {
            for guess in [1.0, 1.3, 2.7, 3.1] {
                let (tension, given, evaluations) = find(guess, &|t| {
                    let (residual, change) = if t < 2.0 { low } else { high };
                    (residual + t - 2.0, change)
                });
                assert!(
                    (tension - 2.0).abs() < 1e-4 && given < 0.6 && evaluations < 30,
                    "{tension}: {given} after {evaluations}"
                );
            }
        }
    }

    #[test]
    fn what_is_not_a_number_ends_the_iteration() {
        assert_eq!(found(1.0, |_| (f64::NAN, 1.0)).evaluations(), 1);
        assert!(found(1.0, |_| (-1.0, 1.0)).evaluations() <= MAX_EVALUATIONS);
    }
}
