//! Roots of the secular equation of a matrix that is changed by a product of two vectors.
//!
//! ```text
//! one + strength sum_j squares_j/(poles_j - x) = 0        one root above every pole
//! ```
//!
//! one is 1, or 0 for a joint without any give: then there is no root above the last pole. A root is kept as the distance from the pole nearest
//! to it, so that differences between roots and poles have all their digits. Every step replaces the terms on either side by a pole with
//! the right value and slope.

/// Steps after which a root counts as found: a bisection of the bracket to its last bit.
const MOST_STEPS: usize = 80;

/// Whether the joint gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compliance {
    /// A spring or a mass.
    Finite,
    /// A rigid pin: the parts move together.
    None,
}

/// A root, relative to a pole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Root {
    /// Number of the pole nearest to it.
    pub origin: usize,
    /// Distance from that pole.
    pub offset: f64,
}

/// The equation, with rising poles and squares above 0.
pub(super) struct Secular<'a> {
    pub poles: &'a [f64],
    pub squares: &'a [f64],
    pub strength: f64,
    pub compliance: Compliance,
}

/// Sums of the terms below and above a place, and their slopes.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    value: f64,
    slope: f64,
}

impl Secular<'_> {
    /// All roots, rising: one more than there are gaps between poles, or as many for a pin.
    pub fn roots(&self) -> Vec<Root> {
        let gaps = self.poles.len().saturating_sub(1);
        let count = if self.compliance == Compliance::Finite { self.poles.len() } else { gaps };
        (0..count).map(|i| self.root(i)).collect()
    }

    fn one(&self) -> f64 {
        if self.compliance == Compliance::Finite { 1.0 } else { 0.0 }
    }

    /// The terms of the poles `part`, `x` above pole `origin`.
    fn sums(&self, part: std::ops::Range<usize>, origin: usize, x: f64) -> Sums {
        let mut sums = Sums::default();
        for (pole, square) in self.poles[part.clone()].iter().zip(&self.squares[part]) {
            let distance = (pole - self.poles[origin]) - x;
            let term = self.strength * square / distance;
            sums.value += term;
            sums.slope += term / distance;
        }
        sums
    }

    /// The root above pole i and below the next.
    fn root(&self, i: usize) -> Root {
        let count = self.poles.len();
        let is_last = i + 1 == count;
        let reach = if is_last { self.strength * self.squares.iter().sum::<f64>() } else { self.poles[i + 1] - self.poles[i] };
        let middle = 0.5 * reach;
        let is_left = is_last || self.one() + self.sums(0..count, i, middle).value > 0.0;
        let origin = if is_left { i } else { i + 1 };
        let (mut low, mut high) = match (is_last, is_left) {
            (true, _) => (0.0, reach),
            (false, true) => (0.0, middle),
            (false, false) => (middle - reach, 0.0),
        };
        let mut x = 0.5 * (low + high);
        for _ in 0..MOST_STEPS {
            let (below, above) = (self.sums(0..i + 1, origin, x), self.sums(i + 1..count, origin, x));
            let value = self.one() + below.value + above.value;
            let rounding = 1e-15 * (self.one() + below.value.abs() + above.value.abs());
            if value.abs() <= rounding {
                break;
            }
            if value < 0.0 {
                low = x;
            } else {
                high = x;
            }
            let left = (self.poles[i] - self.poles[origin]) - x;
            let step = if is_last {
                one_pole_step(value, left, below.slope)
            } else {
                two_pole_step(value, [left, (self.poles[i + 1] - self.poles[origin]) - x], [below.slope, above.slope])
            };
            let mut next = x + step;
            if !(low < next && next < high) {
                next = 0.5 * (low + high);
            }
            let moved = (next - x).abs();
            x = next;
            if moved <= 2e-16 * x.abs() {
                break;
            }
        }
        Root { origin, offset: x }
    }
}

/// Step to the root of c + s/(a - y), which has the value `value` and the slope `slope` at y = 0.
fn one_pole_step(value: f64, a: f64, slope: f64) -> f64 {
    let s = slope * a * a;
    a + s / (value - s / a)
}

/// Step to the root of c + s/(a - y) + t/(b - y) between the poles a < 0 < b, with the value `value` and these slopes of both sides at y = 0.
fn two_pole_step(value: f64, [a, b]: [f64; 2], [below, above]: [f64; 2]) -> f64 {
    let (s, t) = (below * a * a, above * b * b);
    let c = value - s / a - t / b;
    // c y^2 + p y + q = 0
    let (p, q) = (-(c * (a + b) + s + t), c * a * b + s * b + t * a);
    let root = (p * p - 4.0 * c * q).max(0.0).sqrt();
    if p <= 0.0 { 2.0 * q / (root - p) } else { -2.0 * q / (p + root) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two poles: the roots of a quadratic equation.
    #[test]
    fn two_poles_have_the_roots_of_a_quadratic() {
        let (poles, squares) = ([100.0, 250.0], [0.5, 1.0 / 3.0]);
        for strength in [1e-3, 1.0, 500.0, 1e9] {
            let equation = Secular { poles: &poles, squares: &squares, strength, compliance: Compliance::Finite };
            let [a, b] = [0, 1].map(|i| poles[i] + strength * squares[i]);
            let spread = (0.25 * (a - b).powi(2) + strength * strength * squares[0] * squares[1]).sqrt();
            let largest = 0.5 * (a + b) + spread;
            // the product of both roots, which does not cancel
            let least = (poles[0] * poles[1] + strength * (squares[0] * poles[1] + squares[1] * poles[0])) / largest;
            let found: Vec<f64> = equation.roots().iter().map(|root| poles[root.origin] + root.offset).collect();
            for (found, expected) in found.iter().zip([least, largest]) {
                assert!((found / expected - 1.0).abs() < 4e-16, "{strength}: {found} {expected}");
            }
        }
        let pin = Secular { poles: &poles, squares: &squares, strength: 1.0, compliance: Compliance::None };
        let roots = pin.roots();
        let expected = (squares[0] * poles[1] + squares[1] * poles[0]) / (squares[0] + squares[1]);
        assert!(roots.len() == 1 && (poles[roots[0].origin] + roots[0].offset - expected).abs() < 1e-13, "{roots:?}");
    }
}
