//! Radial parts of the modes and stress functions of a disc, and the integrals of their products, for `disc_tables`.
//!
//! Two modes F(r) cos m theta and G(r) cos n theta bend together by
//!
//! ```text
//! L = X cos m theta cos n theta - 2 Y sin m theta sin n theta
//! X = F'' A(G) + G'' A(F),  Y = B(F) B(G)      A(F) = F'/r - m^2 F/r^2,  B(F) = m (F'/r - F/r^2)
//! ```
//!
//! so that a stress function P(r) cos p theta meets X + 2 Y where p = m + n and X - 2 Y where p = |m - n|. Radii are over that of the
//! disc; the integrals are by Gauss and Legendre's rule.

use crate::bodies::circular::circular_plate::{Bend, Profile, lowest_waves};
use crate::bodies::position::EdgeSupport;
use std::f64::consts::PI;

/// Points of the rule beyond those that a product of three waves needs.
const SPARE_POINTS: f64 = 12.0;

/// How the orders of two modes give that of a stress function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderRule {
    /// p = m + n.
    Sum,
    /// p = |m - n|.
    Difference,
}

/// Gauss and Legendre's rule on [0, 1].
#[derive(Clone, Debug)]
pub(super) struct RadialRule {
    radii: Vec<f64>,
    /// Weights of the rule times r.
    weights: Vec<f64>,
}

impl RadialRule {
    /// For products of three functions whose wave numbers add up to `wave`.
    pub fn new(wave: f64) -> Self {
        let count = (0.5 * wave + SPARE_POINTS).ceil() as usize;
        let (mut radii, mut weights) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for i in 0..count {
            let (x, weight) = legendre_node(i, count);
            radii.push(0.5 * (1.0 - x));
            weights.push(0.25 * weight * (1.0 - x));
        }
        Self { radii, weights }
    }
}

/// Node i of `count` on [-1, 1], falling, and its weight: Newton's method on Legendre's polynomial.
fn legendre_node(i: usize, count: usize) -> (f64, f64) {
    const STEPS: usize = 8;
    let mut x = (PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
    let mut slope = 1.0;
    for _ in 0..STEPS {
        let (mut before, mut value) = (1.0, x);
        for k in 2..=count {
            let k = k as f64;
            (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
        }
        slope = count as f64 * (x * value - before) / (x * x - 1.0);
        x -= value / slope;
    }
    (x, 2.0 / ((1.0 - x * x) * slope * slope))
}

/// The second derivatives of a mode at the points of a rule.
#[derive(Clone, Debug)]
pub(super) struct RadialField {
    order: usize,
    /// F''.
    bent: Vec<f64>,
    /// A(F).
    hoop: Vec<f64>,
    /// B(F).
    twist: Vec<f64>,
}

impl RadialField {
    /// Of a mode with m diameters.
    pub fn new(rule: &RadialRule, m: usize, profile: &Profile) -> Self {
        let mut field = Self { order: m, bent: Vec::new(), hoop: Vec::new(), twist: Vec::new() };
        let m = m as f64;
        for &r in &rule.radii {
            let Bend { value, slope, laplacian } = profile.bend(r);
            let hoop = (slope - m * m * value / r) / r;
            field.bent.push(laplacian - hoop);
            field.hoop.push(hoop);
            field.twist.push(m * (slope - value / r) / r);
        }
        field
    }

    /// Of the paraboloid -r^2.
    pub fn paraboloid(rule: &RadialRule) -> Self {
        let points = rule.radii.len();
        Self { order: 0, bent: vec![-2.0; points], hoop: vec![-2.0; points], twist: vec![0.0; points] }
    }

    /// The sum of `fields`, which have the same order, with these factors.
    pub fn mixed<'a>(fields: impl Iterator<Item = (f64, &'a Self)> + Clone, order: usize, rule: &RadialRule) -> Self {
        let mix = |part: fn(&Self) -> &Vec<f64>| {
            let mut sum = vec![0.0; rule.radii.len()];
            for (factor, field) in fields.clone() {
                sum.iter_mut().zip(part(field)).for_each(|(sum, x)| *sum += factor * x);
            }
            sum
        };
        Self { order, bent: mix(|f| &f.bent), hoop: mix(|f| &f.hoop), twist: mix(|f| &f.twist) }
    }
}

/// A stress function with phi = phi' = 0 at the rim, of mean square 1: the edge of the disc is free in its plane.
#[derive(Clone, Debug)]
pub(super) struct StressFunction {
    order: usize,
    /// P r, times the weights of the rule and 1/(2 zeta^2).
    values: Vec<f64>,
}

impl StressFunction {
    /// The lowest `count` with p diameters.
    pub fn lowest(rule: &RadialRule, p: usize, count: usize) -> Vec<Self> {
        let function = |wave: f64| {
            // Poisson's ratio does not matter to a clamped profile
            let profile = Profile::new(EdgeSupport::Clamped, 0.3, p, wave);
            let scale = 0.5 / (wave * wave);
            let values = rule.radii.iter().zip(&rule.weights).map(|(r, weight)| scale * weight * profile.at(*r).0).collect();
            Self { order: p, values }
        };
        lowest_waves(EdgeSupport::Clamped, 0.3, p, count).into_iter().map(function).collect()
    }

    /// H of two modes: half of 1/zeta^2 times the integral of the stress function times L over the disc. It is the coefficient of z_i z_j,
    /// or of z_i and the conjugate of z_j.
    pub fn meet(&self, [f, g]: [&RadialField; 2], rule: OrderRule) -> f64 {
        let [m, n] = [f.order, g.order];
        let (factor, twice) = match (self.order, m.min(n)) {
            (_, 0) => (2.0 * PI, 0.0),
            (0, _) => (2.0 * PI, -2.0),
            _ if rule == OrderRule::Sum => (PI * std::f64::consts::SQRT_2, 2.0),
            _ => (PI * std::f64::consts::SQRT_2, -2.0),
        };
        let mut sum = 0.0;
        for (i, value) in self.values.iter().enumerate() {
            let bent = f.bent[i] * g.hoop[i] + g.bent[i] * f.hoop[i];
            sum += value * (bent + twice * f.twist[i] * g.twist[i]);
        }
        factor * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integrals of r^k r up to the degree 2 n - 1 are exact.
    #[test]
    fn the_rule_is_exact_for_polynomials() {
        let rule = RadialRule::new(10.0);
        for k in 0..2 * rule.radii.len() - 2 {
            let sum: f64 = rule.radii.iter().zip(&rule.weights).map(|(r, w)| w * r.powi(k as i32)).sum();
            assert!((sum * (k + 2) as f64 - 1.0).abs() < 1e-13, "{k}: {sum}");
        }
    }

    /// Bowl w = r^2 with a free edge in its plane: V = pi E h/24, and 82 stress functions reach 0.99997 of it.
    #[test]
    fn a_bowl_has_the_closed_potential() {
        let rule = RadialRule::new(60.0);
        let bowl = RadialField::paraboloid(&rule);
        let energy = |count: usize| {
            let functions = StressFunction::lowest(&rule, 0, count);
            functions.iter().map(|f| 0.5 * f.meet([&bowl, &bowl], OrderRule::Difference).powi(2)).sum::<f64>()
        };
        let known = PI * PI / 24.0;
        // 82 stress functions in order of frequency contain six without diameters
        let [few, many] = [6, 14].map(|count| energy(count) / known);
        println!("{few} {many}");
        assert!((few - 0.999_97).abs() < 5e-6 && many < 1.0 && many > 0.999_999_4, "{few} {many}");
    }
}
