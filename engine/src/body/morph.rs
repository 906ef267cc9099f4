//! Morph from one body to another, partial by partial in order of frequency, and the table of partials.
//!
//! The morph amount m goes from 0 to 1:
//!
//! ```text
//! r     = rA^(1-m) rB^m              linear in log frequency
//! zeta  = (1-m) zetaA + m zetaB      radiation, which may be 0
//! sigma = sigmaA^(1-m) sigmaB^m      where one of them has a prescribed decay rate
//! w     = (1-m) wA + m s wB          weights; s = 1 or -1
//! ```
//!
//! The sign of a mode is arbitrary in one body, but not in a mix of two: s is chosen such that the sum of phiA s phiB over the body
//! is not negative, so that the shapes blend instead of cancelling. A partial that only one body has moves by as many octaves as
//! the last one that both have, which keeps the order of frequency, and fades in weight. So does the suspension of a free body.

use std::f64::consts::{LN_2, TAU};

use crate::body::key_body::BodyTuning;
use urto_physics::bodies::{BodyPosition, ModalShape};
use urto_physics::modal::Mode;

/// Maximum number of octaves, or doublings of a decay rate, between two bodies: keeps absurd lists of modes finite.
const MAX_OCTAVES: f64 = 500.0;

/// Number of positions along and across a body at which shapes are compared.
const PLACES: (usize, usize) = (33, 9);

/// The differences between two bodies, one entry per partial.
#[derive(Clone)]
pub struct MorphMap {
    /// log2(rB/rA).
    octaves: Vec<f64>,
    /// 2 pi (zetaB - zetaA).
    radiations: Vec<f64>,
    /// Prescribed decay rate of A [1/s]; NaN unless both bodies have one.
    decays: Vec<f64>,
    /// log2(sigmaB/sigmaA) of these, else 0.
    decay_octaves: Vec<f64>,
    /// Partials with a prescribed decay rate in only one body.
    mixed: Vec<Mixed>,
}

/// A partial with a prescribed decay rate in only one of the two bodies.
#[derive(Clone)]
struct Mixed {
    partial: usize,
    /// log2 of the rate.
    octaves: f64,
    /// Whether it is that of A.
    before: bool,
}

impl MorphMap {
    /// The morph from `a` to `b`, both with the same number of partials. Allocates.
    pub fn new(a: &PartialTable, b: &PartialTable) -> Self {
        let pairs = |a: &[f64], b: &[f64], of: fn(f64, f64) -> f64| a.iter().zip(b).map(|(&a, &b)| of(a, b)).collect();
        let octaves = |a: f64, b: f64| (b.log2() - a.log2()).clamp(-MAX_OCTAVES, MAX_OCTAVES);
        let own = a.decays.iter().zip(&b.decays).enumerate();
        let mixed = own.filter(|(_, (a, b))| a.is_nan() != b.is_nan()).map(|(partial, (a, b))| Mixed {
            partial,
            octaves: if a.is_nan() { b.log2() } else { a.log2() },
            before: b.is_nan(),
        });
        Self {
            octaves: pairs(&a.ratios, &b.ratios, octaves),
            radiations: pairs(&a.radiations, &b.radiations, |a, b| b - a),
            decays: pairs(&a.decays, &b.decays, |a, b| if b.is_nan() { b } else { a }),
            decay_octaves: pairs(&a.decays, &b.decays, |a, b| {
                if a.is_nan() || b.is_nan() { 0.0 } else { (b.log2() - a.log2()).clamp(-MAX_OCTAVES, MAX_OCTAVES) }
            }),
            mixed: mixed.collect(),
        }
    }

    /// Ratio of partial `i` of `from` at `m`.
    pub fn ratio(&self, i: usize, from: &PartialTable, m: f64) -> f64 {
        from.ratios[i] * exp2(m * self.octaves[i])
    }

    /// Writes the first modes at the morph amount of `pitch` into `out`; frequencies above `limit` [Hz] are set to it.
    pub fn modes(&self, from: &PartialTable, pitch: &BodyTuning, limit: f64, out: &mut [Mode]) {
        let (n, m) = (out.len(), pitch.morph);
        let (ratios, octaves) = (&from.ratios[..n], &self.octaves[..n]);
        let (radiations, changes) = (&from.radiations[..n], &self.radiations[..n]);
        let (decays, decay_octaves) = (&self.decays[..n], &self.decay_octaves[..n]);
        for (i, mode) in out.iter_mut().enumerate() {
            let f = frequency(ratios[i] * exp2(m * octaves[i]), pitch).min(limit);
            let law = pitch.losses.sigma(f) + f * (radiations[i] + m * changes[i]);
            let sigma = if decays[i].is_nan() { law } else { decays[i] * exp2(m * decay_octaves[i]) };
            *mode = Mode::heard_at(f, sigma);
        }
        for &Mixed { partial, octaves, before } in self.mixed.iter().take_while(|mixed| mixed.partial < n) {
            let f = frequency(self.ratio(partial, from, m), pitch).min(limit);
            let law = pitch.losses.sigma(f) + f * (radiations[partial] + m * changes[partial]);
            let share = if before { 1.0 - m } else { m };
            out[partial] = Mode::heard_at(f, (share * octaves + (1.0 - share) * law.log2()).exp2());
        }
    }
}

/// 2^x for |x| < 1000, within 1e-15, without a branch: the integer part becomes the exponent's bits, the rest is a Taylor series.
#[inline(always)]
fn exp2(x: f64) -> f64 {
    // adding 1.5 2^52 rounds to an integer, which is then in the lowest bits
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let shifted = x + WHOLE;
    let rest = (x - (shifted - WHOLE)) * LN_2;
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    let mut sum = 1.0;
    let mut n = 14.0;
    while n > 1.0 {
        n -= 1.0;
        sum = 1.0 + sum * rest * (1.0 / n);
    }
    sum * power
}

/// The sign s of each partial of `b`; 1 where only one body has the partial. Allocates.
pub fn phase_signs(a: &ModalShape, b: &ModalShape) -> Vec<f64> {
    let mut shapes = [vec![0.0; a.len()], vec![0.0; b.len()]];
    let mut agreement = vec![0.0; a.len().min(b.len())];
    let part = |i: usize, of: usize| i as f64 / (of - 1) as f64;
    for along in 0..PLACES.0 {
        for across in 0..PLACES.1 {
            let place = BodyPosition { along: part(along, PLACES.0), across: part(across, PLACES.1) };
            for (shape, out) in [a, b].into_iter().zip(&mut shapes) {
                shape.heard_at_place(place, 1.0, out);
            }
            let [a, b] = &shapes;
            agreement.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
        }
    }
    (0..b.len()).map(|i| if agreement.get(i).is_some_and(|&sum| sum < 0.0) { -1.0 } else { 1.0 }).collect()
}

/// Ratios and losses of partials before the tuning of a key, in columns, in order of frequency.
#[derive(Clone)]
pub struct PartialTable {
    /// Frequency over that of the ratio 1.
    pub ratios: Vec<f64>,
    /// Decay rate by radiation over frequency, 2 pi zeta.
    pub radiations: Vec<f64>,
    /// Prescribed decay rate [1/s]; NaN without one.
    pub decays: Vec<f64>,
}

impl PartialTable {
    /// The partials of `shape`. Allocates.
    pub fn of(shape: &ModalShape) -> Self {
        let column = |of: &dyn Fn(usize) -> f64| (0..shape.len()).map(of).collect();
        Self {
            ratios: column(&|i| shape.ratio(i)),
            radiations: column(&|i| TAU * shape.radiation(i)),
            decays: column(&|i| shape.own_decay(i).unwrap_or(f64::NAN)),
        }
    }

    /// Appends partials until there are as many as in `other`: those of `other`, shifted by the ratio of the last partial that both
    /// have.
    pub fn fill_up(&mut self, other: &Self) {
        let count = self.ratios.len();
        let shift = self.ratios[count - 1] / other.ratios[(count - 1).min(other.ratios.len() - 1)];
        self.ratios.extend(other.ratios.iter().skip(count).map(|ratio| ratio * shift));
        self.radiations.extend(other.radiations.iter().skip(count));
        self.decays.extend(other.decays.iter().skip(count));
    }
}

/// Damped frequency [Hz] of a partial at `ratio`, before the band limit.
#[inline(always)]
pub fn frequency(ratio: f64, pitch: &BodyTuning) -> f64 {
    let stiffness = pitch.inharmonicity;
    pitch.lowest * ratio * ((1.0 + stiffness * ratio * ratio) / (1.0 + stiffness)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_within_1e_15() {
        assert_eq!((exp2(0.0), exp2(1.0), exp2(-3.0)), (1.0, 2.0, 0.125));
        for i in -4000..4000 {
            let x = f64::from(i) * 0.123_456_7;
            assert!((exp2(x) / x.exp2() - 1.0).abs() < 1e-15, "{x}");
        }
    }

    /// Inverting a shape gives the same body.
    #[test]
    fn signs_make_the_products_of_shapes_positive() {
        let (string, bar) = (ModalShape::string(24), ModalShape::bar(20));
        assert!(phase_signs(&string, &string).iter().all(|&sign| sign == 1.0));
        let signs = phase_signs(&string, &bar);
        let (mut a, mut b) = (vec![0.0; 24], vec![0.0; 20]);
        for i in 0..20 {
            let sum: f64 = (0..200)
                .map(|k| {
                    let place = BodyPosition { along: f64::from(k) / 199.0, across: 0.5 };
                    string.heard_at_place(place, 1.0, &mut a);
                    bar.heard_at_place(place, 1.0, &mut b);
                    a[i] * b[i] * signs[i]
                })
                .sum();
            assert!(sum > -1.0, "partial {i}: {sum}");
        }
    }
}
