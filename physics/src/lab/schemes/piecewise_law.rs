//! A contact law of several linear segments that approximates a curved one ([Rath] section 3: "several linear phases").
//!
//! ```text
//! f = k_l (x - e_l) + c_l x'   for x_l < x <= x_(l+1)       continuous in x where x' = 0
//! x_l = x_top (l/L)^(2/alpha)                                the same error of the chord in every segment: width ~ f''^(-1/2)
//! c_l = mean of mu k x^alpha over the segment
//! ```
//!
//! x_top is the deepest compression to be expected; deeper knots follow the same rule. The knots' forces are slightly below the
//! curve, by f'' (x_(l+1) - x_(l-1))^2/48, so that the energy under the line is right to the next order.

use crate::contact::HuntCrossley;

/// Segments beyond x_top, in units of L; the last of them is unbounded.
const BEYOND: usize = 8;

/// One linear segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Its beginning [m].
    pub from: f64,
    /// Its end [m]; infinite for the last.
    pub to: f64,
    /// Stiffness k_l [N/m].
    pub stiffness: f64,
    /// Compression e_l [m] at which its spring alone would be relaxed.
    pub relaxed: f64,
    /// Damping c_l [N s/m].
    pub damping: f64,
    /// Energy [J] at its beginning.
    energy: f64,
}

/// Piecewise linear approximation of one law.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenLine {
    segments: Vec<Segment>,
}

impl Segment {
    /// Energy U [J] at compression x [m] within.
    pub fn potential(&self, x: f64) -> f64 {
        let (start, end) = (self.from - self.relaxed, x - self.relaxed);
        self.energy + 0.5 * self.stiffness * (end - start) * (end + start)
    }

    /// Force [N] at compression x [m] within, and velocity v [m/s].
    pub fn force(&self, x: f64, v: f64) -> f64 {
        self.stiffness * (x - self.relaxed) + self.damping * v
    }
}

impl BrokenLine {
    /// `count` >= 1 segments up to compression `top` [m] > 0.
    pub fn new(law: &HuntCrossley, count: usize, top: f64) -> Self {
        let (k, alpha, mu) = (law.stiffness(), law.exponent(), law.damping());
        let knot = |l: usize| top * (l as f64 / count as f64).powf(2.0 / alpha);
        let force = |l: usize| {
            let x = knot(l);
            let curvature = if l > 0 { alpha * (alpha - 1.0) * k * x.powf(alpha - 2.0) } else { 0.0 };
            k * x.powf(alpha) - if l > 0 { curvature * (knot(l + 1) - knot(l - 1)).powi(2) / 48.0 } else { 0.0 }
        };
        let area = |x: f64| k * x.powf(alpha + 1.0) / (alpha + 1.0);
        let (mut segments, mut energy) = (Vec::with_capacity(BEYOND * count), 0.0);
        for l in 0..BEYOND * count {
            let (from, to) = (knot(l), knot(l + 1));
            let (low, high) = (force(l), force(l + 1));
            let stiffness = (high - low) / (to - from);
            let damping = mu * (area(to) - area(from)) / (to - from);
            segments.push(Segment { from, to, stiffness, relaxed: from - low / stiffness, damping, energy });
            energy += 0.5 * (low + high) * (to - from);
        }
        if let Some(last) = segments.last_mut() {
            last.to = f64::INFINITY;
        }
        Self { segments }
    }

    /// All segments.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The number of the segment that contains compression x [m] > 0.
    pub fn at(&self, x: f64) -> usize {
        self.segments.partition_point(|segment| segment.to < x).min(self.segments.len() - 1)
    }

    /// Energy U [J] at compression x [m]; 0 for x <= 0.
    pub fn potential(&self, x: f64) -> f64 {
        if x > 0.0 { self.segments[self.at(x)].potential(x) } else { 0.0 }
    }
}
