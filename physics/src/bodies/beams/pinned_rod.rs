//! Uniform slender rod that turns about a pin at one end and strikes with the other, optionally with a head: drum sticks, bell
//! clappers.
//!
//! With mu the mass of the head over that of the rod (Euler and Bernoulli; phi = phi'' = 0 at the pin, phi'' = 0 and
//! phi''' = -mu b^4 phi at the tip)
//!
//! ```text
//! tan b - tanh b + 2 mu b tan b tanh b = 0        n pi < b_n < (n + 1/4) pi
//! phi = sin(b xi)/sin b + sinh(b xi)/sinh b       phi(1) = 2
//! ```
//!
//! Besides bending it rotates as a rigid body: of a rod of mass M a third is then at its tip, M (1/3 + mu) with the head. A mode
//! that moves the tip by 1 has the mass M (I/4 + mu), I = int phi^2 from 0 to 1; without head I = 1, that is M/4 for every mode
//! ([Woodhouse]).

use std::f64::consts::PI;

/// Rounds of b = n pi + arctan(tanh b/(1 + 2 mu b tanh b)); each leaves at most a tenth of the error.
const ROUNDS: u32 = 18;

/// A rod pinned at one end; the mode n = 1 is its lowest bending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Mass of the head at its tip over that of the rod, >= 0.
    pub head: f64,
}

impl Rod {
    /// Frequency of bending mode n >= 1 over that of the lowest.
    pub fn ratio(&self, n: usize) -> f64 {
        (self.wave(n) / self.wave(1)).powi(2)
    }

    /// Mass of bending mode n >= 1 at the tip over the rigid mass there.
    pub fn tip_mass(&self, n: usize) -> f64 {
        let b = self.wave(n);
        let (cot, coth) = (1.0 / b.tan(), 1.0 / b.tanh());
        // 1/(2 sin^2) - 1/(2 sinh^2) = (2 + cot^2 - coth^2)/2
        let square = 0.5 * (2.0 + cot * cot - coth * coth) + 1.5 * (coth - cot) / b;
        (0.25 * square + self.head) / (1.0 / 3.0 + self.head)
    }

    /// b_n: omega_n = b_n^2 sqrt(E I/(rho A))/L^2.
    fn wave(&self, n: usize) -> f64 {
        let base = n.max(1) as f64 * PI;
        (0..ROUNDS).fold(base, |b, _| {
            let tanh = b.tanh();
            base + (tanh / (1.0 + 2.0 * self.head * b * tanh)).atan()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADS: [f64; 6] = [0.0, 0.02, 0.3, 1.0, 2.0, 50.0];

    #[test]
    fn waves_obey_the_equation() {
        for head in HEADS {
            for n in 1..20 {
                let b = Rod { head }.wave(n);
                let residual = b.sin() - b.cos() * b.tanh() + 2.0 * head * b * b.sin() * b.tanh();
                assert!(residual.abs() < 1e-13 * (1.0 + head * b * b), "head {head}, mode {n}: {residual:e}");
                assert!(b > n as f64 * PI && b <= (n as f64 + 0.25) * PI, "head {head}, mode {n}: {b}");
            }
        }
        let bare = [3.926_602_312_048, 7.068_582_745_629, 10.210_176_122_81, 13.351_768_777_75, 16.493_361_431_35];
        for (n, b) in (1..).zip(bare) {
            assert!((Rod { head: 0.0 }.wave(n) - b).abs() < 1e-11);
        }
    }

    /// Mass at the tip against int phi^2 by Simpson's rule; a quarter of a bare rod's mass is 3/4 of the third that turns.
    #[test]
    fn tip_masses_are_those_of_the_shapes() {
        for head in HEADS {
            let rod = Rod { head };
            for n in 1..8 {
                let b = rod.wave(n);
                let phi = |xi: f64| (b * xi).sin() / b.sin() + (b * xi).sinh() / b.sinh();
                let steps = 4000;
                let simpson: f64 = (0..=steps)
                    .map(|i| {
                        let weight = if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                        weight * phi(f64::from(i) / f64::from(steps)).powi(2)
                    })
                    .sum();
                let exact = (simpson / f64::from(3 * steps) / 4.0 + head) / (1.0 / 3.0 + head);
                assert!((rod.tip_mass(n) / exact - 1.0).abs() < 1e-9, "head {head}, mode {n}: {} {exact}", rod.tip_mass(n));
                assert!(head > 0.0 || (rod.tip_mass(n) - 0.75).abs() < 1e-13);
            }
        }
    }

    /// A force at its tip rotates the rod and deflects it by 2/105 F L^3/(E I)/(1 + 3 mu)^2, the sum of its modes.
    #[test]
    fn the_tip_yields_as_in_statics() {
        for head in [0.0, 0.5, 2.0] {
            let rod = Rod { head };
            let yielding: f64 = (1..400).map(|n| 1.0 / (rod.tip_mass(n) * (1.0 / 3.0 + head) * rod.wave(n).powi(4))).sum();
            let closed = 2.0 / 105.0 / (1.0 + 3.0 * head).powi(2);
            assert!((yielding / closed - 1.0).abs() < 1e-6, "head {head}: {yielding} instead of {closed}");
        }
    }
}
