//! Passes over held modes: their step under the forces of a sample, and their displacement over the next one. As in `simd`, all versions give
//! the same bits.

use crate::modal::simd::{HAS_FAST_VERSIONS, LANES, blocks, blocks_mut, reduced};

/// Coefficients of a step of held modes, all of the same length. 1 - a11 = omega^2 bq and a21 = -omega^2 a12, so that with the whole force
/// g = omega^2 q + a on a mode
///
/// ```text
/// q' = q + a12 v - bq g      v' = a22 v - a12 g
/// ```
///
/// Tables of many bodies come from distant caches: two arrays fewer are a fifth of the time.
#[derive(Clone, Copy)]
pub struct HeldStep<'a> {
    /// omega^2 [1/s^2].
    pub omega2: &'a [f64],
    /// Displacement from velocity, and velocity from force [s].
    pub a12: &'a [f64],
    /// Velocity from velocity.
    pub a22: &'a [f64],
    /// Displacement from force [s^2].
    pub bq: &'a [f64],
    /// Chunks of [`LANES`] modes after which every second one is left out.
    pub full: usize,
}

impl HeldStep<'_> {
    /// The chunk after chunk i.
    #[inline(always)]
    fn next(full: usize, i: usize) -> usize {
        if i < full { i + 1 } else { i + 2 }
    }
}

/// Mean force of one contact over a sample.
#[derive(Clone, Copy, Debug)]
pub struct HeldForce<'a> {
    /// Fitted weights of the body's modes [kg^-1/2].
    pub weights: &'a [f64],
    /// The force [N].
    pub force: f64,
}

impl HeldForce<'_> {
    /// No contact.
    pub const NONE: Self = Self { weights: &[], force: 0.0 };

    /// The same with the weights from number `felt` on.
    pub fn beyond(&self, felt: usize) -> Self {
        Self { weights: &self.weights[felt..], force: self.force }
    }
}

/// Maximum number of contacts in one pass over held modes.
pub const MAX_TOGETHER: usize = if HAS_FAST_VERSIONS { 6 } else { 2 };

/// Sum of weights dq over a step without force.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn held_way(HeldStep { omega2, a12, bq, full, .. }: HeldStep, weights: &[f64], q: &[f64], v: &[f64]) -> f64 {
    let n = q.len() / LANES;
    let [omega2, a12, bq, weights] = [omega2, a12, bq, weights].map(|column| blocks::<LANES>(column, n));
    let (q, v) = (blocks::<LANES>(q, n), blocks::<LANES>(v, n));
    let mut lanes = [0.0; LANES];
    let mut i = 0;
    while i < n {
        let (omega2, a12, bq, weights, q, v) = (omega2[i], a12[i], bq[i], weights[i], q[i], v[i]);
        for lane in 0..LANES {
            lanes[lane] += weights[lane] * (a12[lane] * v[lane] - bq[lane] * (omega2[lane] * q[lane]));
        }
        i = HeldStep::next(full, i);
    }
    reduced(&lanes)
}

/// One step with the force on `weights`, and in the same pass [`held_way`] after it, to the last bit.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx")))]
pub fn step_held(step: HeldStep, HeldForce { weights, force }: HeldForce, q: &mut [f64], v: &mut [f64]) -> f64 {
    let n = q.len() / LANES;
    let HeldStep { omega2, a12, a22, bq, full } = step;
    let (omega2, a12, a22) = (blocks::<LANES>(omega2, n), blocks::<LANES>(a12, n), blocks::<LANES>(a22, n));
    let (bq, weights) = (blocks::<LANES>(bq, n), blocks::<LANES>(weights, n));
    let (q, v) = (blocks_mut::<LANES>(q, n), blocks_mut::<LANES>(v, n));
    let mut lanes = [0.0; LANES];
    let mut i = 0;
    while i < n {
        let (omega2, a12, a22, bq, weights) = (omega2[i], a12[i], a22[i], bq[i], weights[i]);
        let (before, speed_before) = (q[i], v[i]);
        let (mut place, mut speed) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let pulled = omega2[lane] * before[lane] + weights[lane] * force;
            place[lane] = before[lane] + (a12[lane] * speed_before[lane] - bq[lane] * pulled);
            speed[lane] = a22[lane] * speed_before[lane] - a12[lane] * pulled;
            lanes[lane] += weights[lane] * (a12[lane] * speed[lane] - bq[lane] * (omega2[lane] * place[lane]));
        }
        (q[i], v[i]) = (place, speed);
        i = HeldStep::next(full, i);
    }
    reduced(&lanes)
}

/// [`step_held`] with 2 to [`MAX_TOGETHER`] forces at once. `ways`: [`held_way`] after it with the weights of each, to the last bit.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn step_held_by(step: HeldStep, forces: &[HeldForce], state: (&mut [f64], &mut [f64]), ways: &mut [f64]) {
    match forces.len() {
        3 if MAX_TOGETHER >= 3 => step_together::<3>(step, forces, state, ways),
        4 if MAX_TOGETHER >= 4 => step_together::<4>(step, forces, state, ways),
        5 if MAX_TOGETHER >= 5 => step_together::<5>(step, forces, state, ways),
        6 if MAX_TOGETHER >= 6 => step_together::<6>(step, forces, state, ways),
        _ => step_together::<2>(step, forces, state, ways),
    }
}

#[inline(always)]
fn step_together<const N: usize>(step: HeldStep, forces: &[HeldForce], (q, v): (&mut [f64], &mut [f64]), ways: &mut [f64]) {
    let n = q.len() / LANES;
    let HeldStep { omega2, a12, a22, bq, full } = step;
    let [omega2, a12, a22, bq] = [omega2, a12, a22, bq].map(|column| blocks::<LANES>(column, n));
    let weights: [_; N] = std::array::from_fn(|c| blocks::<LANES>(forces[c].weights, n));
    let force: [f64; N] = std::array::from_fn(|c| forces[c].force);
    let (q, v) = (blocks_mut::<LANES>(q, n), blocks_mut::<LANES>(v, n));
    let mut lanes = [[0.0; LANES]; N];
    let mut i = 0;
    while i < n {
        let (omega2, a12, a22, bq) = (omega2[i], a12[i], a22[i], bq[i]);
        let (before, speed_before) = (q[i], v[i]);
        let mut own = [[0.0; LANES]; N];
        let mut forced = [0.0; LANES];
        for c in 0..N {
            own[c] = weights[c][i];
            for lane in 0..LANES {
                forced[lane] += own[c][lane] * force[c];
            }
        }
        let (mut place, mut speed, mut way) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let pulled = omega2[lane] * before[lane] + forced[lane];
            place[lane] = before[lane] + (a12[lane] * speed_before[lane] - bq[lane] * pulled);
            speed[lane] = a22[lane] * speed_before[lane] - a12[lane] * pulled;
            way[lane] = a12[lane] * speed[lane] - bq[lane] * (omega2[lane] * place[lane]);
        }
        for c in 0..N {
            let mut sum = lanes[c];
            for lane in 0..LANES {
                sum[lane] += own[c][lane] * way[lane];
            }
            lanes[c] = sum;
        }
        (q[i], v[i]) = (place, speed);
        i = HeldStep::next(full, i);
    }
    for (way, lanes) in ways.iter_mut().zip(&lanes) {
        *way = reduced(lanes);
    }
}

/// [`held_way`] with the weights of 1 to [`MAX_TOGETHER`] contacts in one pass, to the last bit.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn held_ways(step: HeldStep, contacts: &[HeldForce], state: (&[f64], &[f64]), ways: &mut [f64]) {
    match contacts.len() {
        1 => ways_together::<1>(step, contacts, state, ways),
        3 if MAX_TOGETHER >= 3 => ways_together::<3>(step, contacts, state, ways),
        4 if MAX_TOGETHER >= 4 => ways_together::<4>(step, contacts, state, ways),
        5 if MAX_TOGETHER >= 5 => ways_together::<5>(step, contacts, state, ways),
        6 if MAX_TOGETHER >= 6 => ways_together::<6>(step, contacts, state, ways),
        _ => ways_together::<2>(step, contacts, state, ways),
    }
}

#[inline(always)]
fn ways_together<const N: usize>(step: HeldStep, contacts: &[HeldForce], (q, v): (&[f64], &[f64]), ways: &mut [f64]) {
    let n = q.len() / LANES;
    let HeldStep { omega2, a12, bq, full, .. } = step;
    let [omega2, a12, bq, q, v] = [omega2, a12, bq, q, v].map(|column| blocks::<LANES>(column, n));
    let weights: [_; N] = std::array::from_fn(|c| blocks::<LANES>(contacts[c].weights, n));
    let mut lanes = [[0.0; LANES]; N];
    let mut i = 0;
    while i < n {
        let (omega2, a12, bq, q, v) = (omega2[i], a12[i], bq[i], q[i], v[i]);
        let mut way = [0.0; LANES];
        for lane in 0..LANES {
            way[lane] = a12[lane] * v[lane] - bq[lane] * (omega2[lane] * q[lane]);
        }
        for c in 0..N {
            let (own, mut sum) = (weights[c][i], lanes[c]);
            for lane in 0..LANES {
                sum[lane] += own[lane] * way[lane];
            }
            lanes[c] = sum;
        }
        i = HeldStep::next(full, i);
    }
    for (way, lanes) in ways.iter_mut().zip(&lanes) {
        *way = reduced(lanes);
    }
}

/// A force over a step that is already made: q -= bq weights F, v -= bv weights F.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn push_held(HeldStep { a12, bq, .. }: HeldStep, HeldForce { weights, force }: HeldForce, q: &mut [f64], v: &mut [f64]) {
    let n = q.len();
    let (a12, bq, weights, v) = (&a12[..n], &bq[..n], &weights[..n], &mut v[..n]);
    for i in 0..n {
        let forced = weights[i] * force;
        q[i] -= bq[i] * forced;
        v[i] -= a12[i] * forced;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The displacement under one contact does not depend on how many others are read in the same pass.
    #[test]
    fn displacements_read_together_are_those_read_one_by_one() {
        const MODES: usize = 9 * LANES;
        let column = |seed: usize| -> Vec<f64> { (0..MODES).map(|i| ((seed * 97 + i * 31) as f64).sin()).collect() };
        let columns: Vec<_> = (0..4).map(column).collect();
        let [omega2, a12, a22, bq] = std::array::from_fn(|n| columns[n].as_slice());
        let (q, v) = (column(6), column(7));
        let weights: Vec<_> = (8..8 + MAX_TOGETHER).map(column).collect();
        let contacts: Vec<_> = weights.iter().map(|weights| HeldForce { weights, force: 1.0 }).collect();
        for full in [usize::MAX, 3] {
            let step = HeldStep { omega2, a12, a22, bq, full };
            for count in 1..=MAX_TOGETHER {
                let mut ways = [0.0; MAX_TOGETHER];
                held_ways(step, &contacts[..count], (&q, &v), &mut ways);
                let apart = contacts[..count].iter().map(|contact| held_way(step, contact.weights, &q, &v));
                assert!(apart.eq(ways[..count].iter().copied()), "{count} contacts");
            }
        }
    }
}
