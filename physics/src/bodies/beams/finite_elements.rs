//! Finite elements of a free bar of varying thickness, symmetric about its middle.
//!
//! Half of the bar is divided into elements of constant thickness eta (over that of the ends); even and odd modes are solved
//! separately. Bending has the two-node elements of Timoshenko with their own shape functions (Przemieniecki 1968, 5.6) for the
//! inertia of deflection and of turning; twist has elements of two nodes with a mass halfway between lumped and consistent, which
//! has frequencies of fourth order. Lengths are those of the bar L = 1, squares of angular frequencies count in E h^2/(12 rho
//! L^4), masses in rho b h L.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Elements of half a bar: mode n of bending of a uniform bar is too high by about 1e-6 n^3.
pub(crate) const ELEMENTS: usize = 64;

/// Length of one.
const ELEMENT: f64 = 0.5 / ELEMENTS as f64;

/// Below this, omega^2 is that of a rigid mode: the lowest bending mode of a uniform bar has 500, the rounding error is 1e-3.
const RIGID: f64 = 1.0;

/// Places and weights of Gauss with four points on [0, 1].
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Symmetry of a shape about the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parity {
    Even,
    Odd,
}

/// One mode of half a bar: from the middle to the right end, mean square over the whole bar's mass 1.
#[derive(Clone, Debug)]
pub(crate) struct Half {
    pub(crate) parity: Parity,
    /// omega^2 in E h^2/(12 rho L^4).
    pub(crate) square: f64,
    /// Deflection, or angle of twist times L, at the nodes.
    pub(crate) values: Vec<f64>,
}

impl Half {
    /// Value at the node `place` of the whole bar, 0 to 2 `ELEMENTS`.
    pub(crate) fn at(&self, place: usize) -> f64 {
        match (place.checked_sub(ELEMENTS), self.parity) {
            (Some(right), _) => self.values[right],
            (None, Parity::Even) => self.values[ELEMENTS - place],
            (None, Parity::Odd) => -self.values[ELEMENTS - place],
        }
    }
}

/// The bar, in its own units.
#[derive(Clone, Debug)]
pub(crate) struct HalfBar {
    /// Thickness of the elements from the middle to the end over that of the ends.
    pub(crate) thickness: Vec<f64>,
    /// h/L at the ends.
    pub(crate) slenderness: f64,
    /// b/L.
    pub(crate) breadth: f64,
    /// E/G.
    pub(crate) young_over_shear: f64,
    /// Shear coefficient kappa.
    pub(crate) shear: f64,
}

impl HalfBar {
    /// Mass over that of an uncut bar: mean thickness.
    pub(crate) fn mass(&self) -> f64 {
        self.thickness.iter().sum::<f64>() / ELEMENTS as f64
    }

    /// Squares of the two rigid shapes of mean square 1 that turn the bar: about its middle at the ends, about its axis at the edges.
    pub(crate) fn rigid(&self) -> (f64, f64) {
        let mut along = 0.0;
        let mut across = 0.0;
        for (e, &eta) in self.thickness.iter().enumerate() {
            let (x, thickness) = ((e as f64 + 0.5) * ELEMENT, eta * self.slenderness);
            along += eta * (x * x + (ELEMENT * ELEMENT + thickness * thickness) / 12.0);
            across += self.twisted(eta).1;
        }
        let mass: f64 = self.thickness.iter().sum();
        (0.25 * mass / along, 0.25 * self.breadth * self.breadth * mass / across)
    }

    /// Modes of bending above 0 Hz, rising.
    pub(crate) fn bending(&self, parity: Parity) -> Vec<Half> {
        let size = 2 * (ELEMENTS + 1);
        let (mut stiffness, mut inertia) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
        for (e, &eta) in self.thickness.iter().enumerate() {
            let (k, m) = self.bent(eta);
            for i in 0..4 {
                for j in 0..4 {
                    stiffness[(2 * e + i, 2 * e + j)] += k[i][j];
                    inertia[(2 * e + i, 2 * e + j)] += m[i][j];
                }
            }
        }
        // in the middle an even shape has no rotation, an odd one no deflection
        let held = match parity {
            Parity::Even => 1,
            Parity::Odd => 0,
        };
        self.solve(
            stiffness.remove_row(held).remove_column(held),
            inertia.remove_row(held).remove_column(held),
            |mode| {
                let full = mode.clone().insert_row(held, 0.0);
                (0..=ELEMENTS).map(|node| full[2 * node]).collect()
            },
            parity,
        )
    }

    /// Stiffness and mass of an element of bending; deflection and turn of one node, then of the other.
    fn bent(&self, eta: f64) -> ([[f64; 4]; 4], [[f64; 4]; 4]) {
        let le = ELEMENT;
        let rotary = self.slenderness * self.slenderness / 12.0;
        // 12 E I/(kappa G A le^2)
        let phi = 12.0 * eta * eta * rotary * self.young_over_shear / self.shear / (le * le);
        let f = eta.powi(3) / (le.powi(3) * (1.0 + phi));
        let (near, far) = ((4.0 + phi) * le * le, (2.0 - phi) * le * le);
        let stiffness = [
            [12.0, 6.0 * le, -12.0, 6.0 * le],
            [6.0 * le, near, -6.0 * le, far],
            [-12.0, -6.0 * le, 12.0, -6.0 * le],
            [6.0 * le, far, -6.0 * le, near],
        ]
        .map(|row| row.map(|k| f * k));
        let mut inertia = [[0.0; 4]; 4];
        for (x, weight) in GAUSS {
            let (x2, x3, y) = (x * x, x * x * x, x - x * x);
            let deflection = [
                1.0 - 3.0 * x2 + 2.0 * x3 + phi * (1.0 - x),
                le * (x - 2.0 * x2 + x3 + 0.5 * phi * y),
                3.0 * x2 - 2.0 * x3 + phi * x,
                le * (x3 - x2 - 0.5 * phi * y),
            ];
            let turn = [-6.0 * y / le, 1.0 - 4.0 * x + 3.0 * x2 + phi * (1.0 - x), 6.0 * y / le, 3.0 * x2 - 2.0 * x + phi * x];
            let part = weight * le * eta / ((1.0 + phi) * (1.0 + phi));
            for i in 0..4 {
                for j in 0..4 {
                    inertia[i][j] += part * (deflection[i] * deflection[j] + rotary * eta * eta * turn[i] * turn[j]);
                }
            }
        }
        (stiffness, inertia)
    }

    /// Modes of twist above 0 Hz, rising: torsion of Saint-Venant, warping free.
    pub(crate) fn twist(&self, parity: Parity) -> Vec<Half> {
        let size = ELEMENTS + 1;
        let (mut stiffness, mut inertia) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
        for (e, &eta) in self.thickness.iter().enumerate() {
            let (k, m) = self.twisted(eta);
            let (k, near, far) = (k / ELEMENT, m * ELEMENT * 5.0 / 12.0, m * ELEMENT / 12.0);
            for (i, j, k, m) in [(e, e, k, near), (e + 1, e + 1, k, near), (e, e + 1, -k, far), (e + 1, e, -k, far)] {
                stiffness[(i, j)] += k;
                inertia[(i, j)] += m;
            }
        }
        if parity == Parity::Odd {
            let (stiffness, inertia) = (stiffness.remove_row(0).remove_column(0), inertia.remove_row(0).remove_column(0));
            return self.solve(stiffness, inertia, |mode| std::iter::once(0.0).chain(mode.iter().copied()).collect(), parity);
        }
        self.solve(stiffness, inertia, |mode| mode.iter().copied().collect(), parity)
    }

    /// G J and rho I_p of a rectangle in units of E b h^3/12 and rho b h L^2; J by the series of Saint-Venant's rectangle in Roark's form.
    fn twisted(&self, eta: f64) -> (f64, f64) {
        let thickness = eta * self.slenderness;
        let (long, short) = (self.breadth.max(thickness), self.breadth.min(thickness));
        let slim = short / long;
        let constant = long * short.powi(3) * (1.0 / 3.0 - 0.21 * slim * (1.0 - slim.powi(4) / 12.0));
        let unit = self.breadth * self.slenderness.powi(3) / 12.0;
        (constant / unit / self.young_over_shear, eta * (self.breadth * self.breadth + thickness * thickness) / 12.0)
    }

    /// K y = omega^2 M y without the rigid mode of even twist and even and odd bending.
    fn solve(
        &self,
        stiffness: DMatrix<f64>,
        inertia: DMatrix<f64>,
        nodes: impl Fn(&DVector<f64>) -> Vec<f64>,
        parity: Parity,
    ) -> Vec<Half> {
        let Some(root) = inertia.cholesky() else { return Vec::new() };
        let lower = root.l();
        let solved = |matrix: &DMatrix<f64>| lower.solve_lower_triangular(matrix).unwrap_or_else(|| matrix.clone());
        let reduced = solved(&solved(&stiffness).transpose());
        let eigen = SymmetricEigen::new(0.5 * (&reduced + reduced.transpose()));
        let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
        // half of the bar has half of its mass
        let scale = (0.5 * self.mass()).sqrt();
        let above = |&mode: &usize| eigen.eigenvalues[mode] > RIGID;
        let half = |mode: usize| {
            let vector = eigen.eigenvectors.column(mode).into_owned();
            let mut values = nodes(&lower.transpose().solve_upper_triangular(&vector).unwrap_or(vector));
            // right end up
            let factor = scale.copysign(values[ELEMENTS]);
            values.iter_mut().for_each(|value| *value *= factor);
            Half { parity, square: eigen.eigenvalues[mode], values }
        };
        order.into_iter().filter(above).map(half).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::beams::beam::Section;
    use crate::bodies::beams::timoshenko_bar;
    use crate::bodies::material::Material;
    use std::f64::consts::PI;

    fn uniform(slenderness: f64) -> HalfBar {
        let material = Material::ROSEWOOD;
        HalfBar {
            thickness: vec![1.0; ELEMENTS],
            slenderness,
            breadth: 0.1,
            young_over_shear: material.young / material.shear(),
            shear: Section::rectangle(1.0, 1.0, material).shear,
        }
    }

    /// Against the exact solution with shear and rotary inertia: omega^2 = B E h^2/(12 rho L^4).
    #[test]
    fn a_uniform_bar_has_its_modes() {
        for slenderness in [0.001, 0.02, 0.07] {
            let bar = uniform(slenderness);
            let section = Section::rectangle(0.1, slenderness, Material::ROSEWOOD);
            let halves = [bar.bending(Parity::Even), bar.bending(Parity::Odd)];
            for n in 1..=14 {
                let square = halves[(n - 1) % 2][(n - 1) / 2].square;
                let exact = timoshenko_bar::wave_square(&section, 1.0, n).unwrap();
                let off = square.sqrt() / exact - 1.0;
                assert!((-1e-6..2e-6 * (n * n * n) as f64 + 1e-6).contains(&off), "h/L {slenderness}, mode {n}: {off:e}");
            }
        }
    }

    /// Twist of a uniform bar: omega_n = n pi sqrt(G J/(rho I_p))/L, cosines.
    #[test]
    fn a_uniform_bar_twists_in_cosines() {
        let bar = uniform(0.05);
        let (stiffness, inertia) = bar.twisted(1.0);
        let halves = [bar.twist(Parity::Odd), bar.twist(Parity::Even)];
        for n in 1..=8 {
            let half = &halves[(n - 1) % 2][(n - 1) / 2];
            let exact = (n as f64 * PI).powi(2) * stiffness / inertia;
            assert!(
                (half.square / exact - 1.0).abs() < 2e-9 * (n as f64).powi(4) + 1e-9,
                "twist {n}: {} instead of {exact}",
                half.square
            );
            for place in [0, 17, ELEMENTS, 2 * ELEMENTS] {
                let angle = n as f64 * PI * place as f64 / (2 * ELEMENTS) as f64;
                // right end up
                let expected = (2.0 / inertia).sqrt() * angle.cos() * if n % 2 == 1 { -1.0 } else { 1.0 };
                assert!((half.at(place) - expected).abs() < 3e-5 * (n * n) as f64 * (2.0 / inertia).sqrt());
            }
        }
    }
}
