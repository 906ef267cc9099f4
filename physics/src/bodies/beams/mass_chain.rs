//! Chain of lumped masses joined by springs, each end held by a wall or free: m_j y_j'' = k_(j+1) (y_(j+1) - y_j) - k_j (y_j - y_(j-1)).
//!
//! With M^-1/2 K M^-1/2 = V Omega^2 V' the shapes are phi = sqrt(total mass) M^-1/2 V: their mean square over the mass is 1, so
//! every modal mass is that of the chain. Masses are equally spaced, walls one distance beyond; between two masses the shape is
//! linear, as a force there divides by the lever rule. Equal masses and springs between two walls have omega_j = 2 sqrt(k/m)
//! sin(j pi/(2 (N + 1))).

use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::BodyPosition;
use nalgebra::{DMatrix, SymmetricEigen};
use std::f64::consts::TAU;

impl ModalShape {
    /// Masses and springs in a row: all modes above 0 Hz. A position is a fraction of the distance from wall to wall.
    pub fn chain(links: &Links) -> Self {
        let chain = Chain::new(links);
        let ratios = chain.ratios();
        Self::with(chain, ratios)
    }
}

/// Masses and springs in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Masses [kg], at least one, each > 0; only their proportions matter to the shape.
    pub masses: Vec<f64>,
    /// Stiffnesses [N/m] >= 0 of wall to first mass, first to second, ..., last to wall: one more than masses. 0 at an end: free;
    /// those between masses > 0.
    pub springs: Vec<f64>,
}

impl Links {
    /// `count` equal masses that weigh `mass` [kg] together on equal springs of `stiffness` [N/m], between two walls.
    pub fn even(count: usize, mass: f64, stiffness: f64) -> Self {
        let count = count.max(1);
        Self { masses: vec![mass / count as f64; count], springs: vec![stiffness; count + 1] }
    }

    /// Mass of all [kg].
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// Lowest frequency [Hz] above 0.
    pub fn lowest(&self) -> f64 {
        Chain::new(self).frequencies.first().copied().unwrap_or(0.0)
    }

    /// Whether neither end is held.
    fn free(&self) -> bool {
        self.springs[0] == 0.0 && self.springs[self.masses.len()] == 0.0
    }
}

impl ShapeFunctions for Chain {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        Chain::shapes_at(self, place.along, out);
    }

    fn is_free(&self) -> bool {
        self.free
    }
}

#[derive(Clone, Debug)]
struct Chain {
    /// [Hz], rising, without the rigid mode.
    frequencies: Vec<f64>,
    free: bool,
    /// For each place, walls included: phi of all modes.
    rows: Vec<f64>,
}

impl Chain {
    fn new(links: &Links) -> Self {
        let (count, free) = (links.masses.len(), links.free());
        let root = |i: usize| links.masses[i].sqrt();
        let stiffness = DMatrix::from_fn(count, count, |i, j| {
            let spring = match i.abs_diff(j) {
                0 => links.springs[i] + links.springs[i + 1],
                1 => -links.springs[i.max(j)],
                _ => 0.0,
            };
            spring / (root(i) * root(j))
        });
        let eigen = SymmetricEigen::new(stiffness);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
        let order = &order[usize::from(free)..];
        let total = links.mass().sqrt();
        let mut rows = vec![0.0; (count + 2) * order.len()];
        for (place, row) in rows.chunks_mut(order.len().max(1)).enumerate() {
            // the places of the walls: at rest if fixed, with the nearest mass if free
            let held = (place == 0 && links.springs[0] > 0.0) || (place == count + 1 && links.springs[count] > 0.0);
            if !held {
                let mass = place.clamp(1, count) - 1;
                for (phi, &mode) in row.iter_mut().zip(order) {
                    // first mass up, so that the sign does not depend on the solver
                    let up = if eigen.eigenvectors[(0, mode)] < 0.0 { -1.0 } else { 1.0 };
                    *phi = up * total * eigen.eigenvectors[(mass, mode)] / root(mass);
                }
            }
        }
        let frequencies = order.iter().map(|&mode| eigen.eigenvalues[mode].max(0.0).sqrt() / TAU).collect();
        Self { frequencies, free, rows }
    }

    /// f_j/f_1.
    fn ratios(&self) -> Vec<f64> {
        self.frequencies.iter().map(|f| f / self.frequencies[0]).collect()
    }

    /// phi_j(xi), xi in [0, 1] from wall to wall.
    fn shapes_at(&self, xi: f64, out: &mut [f64]) {
        let modes = self.frequencies.len();
        if modes == 0 {
            return;
        }
        let panels = self.rows.len() / modes - 1;
        let place = xi * panels as f64;
        let left = (place as usize).min(panels - 1);
        let t = place - left as f64;
        let rows = &self.rows[modes * left..modes * (left + 2)];
        for (i, phi) in out.iter_mut().take(modes).enumerate() {
            *phi = rows[i] + t * (rows[modes + i] - rows[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::modal_shape::tests::shapes;
    use std::f64::consts::PI;

    /// 50 masses between two walls: omega_j = 2 sqrt(k/m) sin(j pi/(2 (N + 1))), phi_j = sqrt(2 N/(N + 1)) sin(j i pi/(N + 1)).
    #[test]
    fn fifty_equal_masses_have_their_closed_form() {
        const N: usize = 50;
        let (mass, stiffness) = (0.02, 3e4);
        let links = Links::even(N, mass, stiffness);
        let chain = Chain::new(&links);
        let shape = ModalShape::chain(&links);
        for j in 1..=N {
            let quarter = j as f64 * PI / (2.0 * (N + 1) as f64);
            let known = 2.0 * (stiffness / (mass / N as f64)).sqrt() * quarter.sin() / TAU;
            let off = chain.frequencies[j - 1] / known - 1.0;
            assert!(off.abs() < 1e-12, "mode {j}: {off:e}");
            assert!((shape.ratio(j - 1) / (quarter.sin() / (PI / 102.0).sin()) - 1.0).abs() < 2e-12);
        }
        let amplitude = (2.0 * N as f64 / (N + 1) as f64).sqrt();
        for i in 0..=N + 1 {
            let phi = shapes(&shape, i as f64 / (N + 1) as f64);
            for (j, phi) in phi.iter().enumerate() {
                let known = amplitude * ((j + 1) as f64 * i as f64 * PI / (N + 1) as f64).sin();
                assert!((phi - known).abs() < 1e-11, "mode {j} at mass {i}: {phi} instead of {known}");
            }
        }
        assert!((links.lowest() - chain.frequencies[0]).abs() < 1e-12 && !shape.suspended());
    }

    /// The compliance at a mass is that of the springs on its left, in series, parallel to those on its right: sum phi^2/(M
    /// omega^2).
    #[test]
    fn compliance_is_that_of_the_springs_on_both_sides() {
        let masses = vec![0.1, 0.2, 0.02, 0.4, 0.3];
        let links = Links { masses, springs: vec![500.0, 70.0, 900.0, 4000.0, 300.0, 20.0] };
        let chain = Chain::new(&links);
        let shape = ModalShape::chain(&links);
        for i in 1..=5 {
            let phi = shapes(&shape, i as f64 / 6.0);
            let terms = phi.iter().zip(&chain.frequencies);
            let modal: f64 = terms.map(|(phi, f)| phi * phi / (links.mass() * (TAU * f).powi(2))).sum();
            let (left, right) = links.springs.split_at(i);
            let series = |springs: &[f64]| 1.0 / springs.iter().map(|k| 1.0 / k).sum::<f64>();
            let known = 1.0 / (series(left) + series(right));
            assert!((modal / known - 1.0).abs() < 1e-11, "{modal} instead of {known}");
        }
    }

    #[test]
    fn shapes_are_orthogonal_over_the_masses() {
        let links = Links { masses: vec![0.1, 0.7, 0.02, 0.3], springs: vec![0.0, 10.0, 4000.0, 7.0, 90.0] };
        let shape = ModalShape::chain(&links);
        let phi: Vec<_> = (1..=4).map(|i| shapes(&shape, f64::from(i) / 5.0)).collect();
        for a in 0..4 {
            for b in 0..4 {
                let mean: f64 = (0..4).map(|i| links.masses[i] * phi[i][a] * phi[i][b]).sum::<f64>() / links.mass();
                assert!((mean - if a == b { 1.0 } else { 0.0 }).abs() < 1e-10, "modes {a} and {b}: {mean}");
            }
        }
        assert_eq!(shapes(&shape, 0.0), shapes(&shape, 0.2), "a free end goes with its mass");
    }

    /// Two masses on one spring: omega^2 = k (1/m1 + 1/m2), no rigid mode among the modes.
    #[test]
    fn a_free_chain_is_suspended() {
        let links = Links { masses: vec![0.2, 0.6], springs: vec![0.0, 100.0, 0.0] };
        let shape = ModalShape::chain(&links);
        assert!(shape.suspended() && shape.len() == 1);
        assert!((links.lowest() * TAU / (100.0_f64 / 0.15).sqrt() - 1.0).abs() < 1e-14);
        let phi = (shapes(&shape, 0.0)[0], shapes(&shape, 1.0)[0]);
        assert!((0.2 * phi.0 + 0.6 * phi.1).abs() < 1e-14 && phi.0 > 0.0);
    }
}
