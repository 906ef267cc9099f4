//! Sums and steps over the arrays of many modes, in the widest registers of the processor: the inner loops of contact and
//! ringing.
//!
//! Every function is compiled for several processors, and the best version is chosen at run time. All of them multiply and add in the same
//! lanes and the same order, without fused operations, so that they give the same bits. Arrays are padded with zeros to a multiple
//! of [`LANES`].

#[cfg(feature = "simd")]
use multiversion::target::target_cfg_f;

/// Without run-time dispatch the target of the build decides.
#[cfg(not(feature = "simd"))]
macro_rules! target_cfg_f {
    ($condition:meta) => {
        cfg!($condition)
    };
}

/// Number of independent partial sums.
pub const LANES: usize = 8;

/// Whether loops have versions for several counts, which are faster. The module of the browser is built without run-time dispatch and does without
/// them, for its size.
pub const HAS_FAST_VERSIONS: bool = cfg!(feature = "simd");

/// A sum in [`LANES`] lanes, reduced as a tree of halves as registers are: the order depends on the length only. Not inlined: the
/// loops would be compiled for narrower registers.
#[inline(never)]
pub(super) fn reduced(lanes: &[f64; LANES]) -> f64 {
    tree(lanes)
}

/// Sum of a_i b_i over two padded arrays of the same length.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    reduced(&lanes)
}

/// Sum of a_i b_i c_i over padded arrays of the same length.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn dot3(a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for ((a, b), c) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0).zip(c.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane] * c[lane];
        }
    }
    reduced(&lanes)
}

/// Weights with the hold's correction, fitted = weight droop, and their compliance: sum of fitted^2 bq, bit for bit as [`dot3`].
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn fit(weights: &[f64], [droop, bq]: [&[f64]; 2], fitted: &mut [f64]) -> f64 {
    let n = fitted.len() / LANES;
    let (weights, droop, bq) = (blocks::<LANES>(weights, n), blocks::<LANES>(droop, n), blocks::<LANES>(bq, n));
    let fitted = blocks_mut::<LANES>(fitted, n);
    let mut lanes = [0.0; LANES];
    for i in 0..n {
        let (weights, droop, bq) = (weights[i], droop[i], bq[i]);
        let mut corrected = [0.0; LANES];
        for lane in 0..LANES {
            corrected[lane] = weights[lane] * droop[lane];
            lanes[lane] += corrected[lane] * corrected[lane] * bq[lane];
        }
        fitted[i] = corrected;
    }
    reduced(&lanes)
}

/// Modes whose energies are summed before they are added to those of others: the rounding of a single sum over thousands of modes would show
/// as a gain in the energy balance.
const SUMMED: usize = 16 * LANES;

/// Energy [J], sum of (v^2 + omega^2 q^2)/2, over padded arrays of the same length.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn energy(omega2: &[f64], q: &[f64], v: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    for ((omega2, q), v) in omega2.chunks(SUMMED).zip(q.chunks(SUMMED)).zip(v.chunks(SUMMED)) {
        let mut lanes = [0.0; LANES];
        for ((omega2, q), v) in omega2.as_chunks::<LANES>().0.iter().zip(q.as_chunks::<LANES>().0).zip(v.as_chunks::<LANES>().0) {
            for lane in 0..LANES {
                lanes[lane] += v[lane] * v[lane] + omega2[lane] * q[lane] * q[lane];
            }
        }
        for lane in 0..LANES {
            sums[lane] += lanes[lane];
        }
    }
    0.5 * reduced(&sums)
}

/// Maximum number of substeps in one pass.
pub const MAX_STEPS_PER_PASS: usize = 4;

/// Half of the lanes: so many partial sums has each of several substeps, whose states have to stay in registers. A single substep uses all lanes,
/// because its sum would otherwise be a chain of dependent additions.
const HALF: usize = LANES / 2;

/// An array in blocks of WIDE modes.
#[inline(always)]
pub(super) fn blocks<const WIDE: usize>(array: &[f64], count: usize) -> &[[f64; WIDE]] {
    &array.as_chunks().0[..count]
}

/// The same, mutable.
#[inline(always)]
pub(super) fn blocks_mut<const WIDE: usize>(array: &mut [f64], count: usize) -> &mut [[f64; WIDE]] {
    &mut array.as_chunks_mut().0[..count]
}

/// The free step without adopting the new state: (q + dq, vf) = A (q, v), where `fall` is 1 - a11. Sum of weights dq. A block is
/// read as a whole before any of it is written: the compiler need not assume overlapping arrays.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn free_step(step: [&[f64]; 4], weights: &[f64], q: &[f64], v: &[f64], dq: &mut [f64], vf: &mut [f64]) -> f64 {
    let n = q.len() / LANES;
    let [fall, a12, a21, a22] = step;
    let (fall, a12, a21, a22) =
        (blocks::<LANES>(fall, n), blocks::<LANES>(a12, n), blocks::<LANES>(a21, n), blocks::<LANES>(a22, n));
    let (weights, q, v, dq, vf) = (
        blocks::<LANES>(weights, n),
        blocks::<LANES>(q, n),
        blocks::<LANES>(v, n),
        blocks_mut::<LANES>(dq, n),
        blocks_mut::<LANES>(vf, n),
    );
    let mut sum = [0.0; LANES];
    for i in 0..n {
        let (fall, a12, a21, a22, weights, q, v) = (fall[i], a12[i], a21[i], a22[i], weights[i], q[i], v[i]);
        let (mut moved, mut speed) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            moved[lane] = a12[lane] * v[lane] - fall[lane] * q[lane];
            speed[lane] = a21[lane] * q[lane] + a22[lane] * v[lane];
            sum[lane] += weights[lane] * moved[lane];
        }
        (dq[i], vf[i]) = (moved, speed);
    }
    reduced(&sum)
}

/// A force over the step: dq -= weights bq F, vf -= weights bv F.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn apply_force(response: [&[f64]; 2], weights: &[f64], force: f64, dq: &mut [f64], vf: &mut [f64]) {
    let n = dq.len();
    let [bq, bv] = response;
    let (bq, bv, weights, vf) = (&bq[..n], &bv[..n], &weights[..n], &mut vf[..n]);
    for i in 0..n {
        let forced = weights[i] * force;
        dq[i] -= bq[i] * forced;
        vf[i] -= bv[i] * forced;
    }
}

/// [`apply_force`], and the new state adopted in the same pass: q advances, dq keeps the former q.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn force_and_step(response: [&[f64]; 2], weights: &[f64], force: f64, q: &mut [f64], dq: &mut [f64], vf: &mut [f64]) {
    let n = dq.len();
    let [bq, bv] = response;
    let (bq, bv, weights, q, vf) = (&bq[..n], &bv[..n], &weights[..n], &mut q[..n], &mut vf[..n]);
    for i in 0..n {
        let forced = weights[i] * force;
        let before = q[i];
        q[i] = before + (dq[i] - bq[i] * forced);
        dq[i] = before;
        vf[i] -= bv[i] * forced;
    }
}

/// [`free_step`] `count` times in a row, at most [`MAX_STEPS_PER_PASS`], without adopting any new state: the sum of weights dq in each.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx")))]
pub fn predict_steps(step: [&[f64]; 4], weights: &[f64], q: &[f64], v: &[f64], count: usize) -> [f64; MAX_STEPS_PER_PASS] {
    if target_cfg_f!(target_feature = "avx512f") {
        predict_by::<LANES>(step, weights, q, v, count)
    } else {
        predict_by::<HALF>(step, weights, q, v, count)
    }
}

/// [`predict_steps`] in blocks of WIDE modes: as many as registers hold beside the states of several substeps.
#[inline(always)]
fn predict_by<const WIDE: usize>(
    step: [&[f64]; 4],
    weights: &[f64],
    q: &[f64],
    v: &[f64],
    count: usize,
) -> [f64; MAX_STEPS_PER_PASS] {
    match count {
        1 => predict_some::<1, LANES, LANES>(step, weights, q, v),
        2 => predict_some::<2, WIDE, HALF>(step, weights, q, v),
        3 => predict_some::<3, WIDE, HALF>(step, weights, q, v),
        _ => predict_some::<MAX_STEPS_PER_PASS, WIDE, HALF>(step, weights, q, v),
    }
}

/// COUNT steps in blocks of WIDE modes, with SUMS partial sums each.
#[inline(always)]
fn predict_some<const COUNT: usize, const WIDE: usize, const SUMS: usize>(
    step: [&[f64]; 4],
    weights: &[f64],
    q: &[f64],
    v: &[f64],
) -> [f64; MAX_STEPS_PER_PASS] {
    let n = q.len() / WIDE;
    let [fall, a12, a21, a22] = step;
    let (fall, a12, a21, a22) = (blocks::<WIDE>(fall, n), blocks::<WIDE>(a12, n), blocks::<WIDE>(a21, n), blocks::<WIDE>(a22, n));
    let (weights, q, v) = (blocks::<WIDE>(weights, n), blocks::<WIDE>(q, n), blocks::<WIDE>(v, n));
    let mut sums = [[0.0; SUMS]; COUNT];
    for i in 0..n {
        let (fall, a12, a21, a22, weights, mut q, mut v) = (fall[i], a12[i], a21[i], a22[i], weights[i], q[i], v[i]);
        for sum in &mut sums {
            let mut moved = [0.0; WIDE];
            for lane in 0..WIDE {
                moved[lane] = a12[lane] * v[lane] - fall[lane] * q[lane];
                v[lane] = a21[lane] * q[lane] + a22[lane] * v[lane];
                q[lane] += moved[lane];
                moved[lane] *= weights[lane];
            }
            add_parts(sum, &moved);
        }
    }
    all_reduced(&sums)
}

/// As many steps as there are forces, at most [`MAX_STEPS_PER_PASS`], each with its force: the states between are those of [`free_step`] and
/// [`force_and_step`] to the last bit. `response` is bq. Sum of weights v after each.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx")))]
pub fn advance(
    step: [&[f64]; 4],
    response: &[f64],
    weights: &[f64],
    forces: &[f64],
    q: &mut [f64],
    v: &mut [f64],
) -> [f64; MAX_STEPS_PER_PASS] {
    if target_cfg_f!(target_feature = "avx512f") {
        advance_by::<LANES>(step, response, weights, forces, q, v)
    } else {
        advance_by::<HALF>(step, response, weights, forces, q, v)
    }
}

/// [`advance`] in blocks of WIDE modes, as [`predict_by`].
#[inline(always)]
fn advance_by<const WIDE: usize>(
    step: [&[f64]; 4],
    response: &[f64],
    weights: &[f64],
    forces: &[f64],
    q: &mut [f64],
    v: &mut [f64],
) -> [f64; MAX_STEPS_PER_PASS] {
    match *forces {
        [a] => advance_some::<1, LANES, LANES>(step, response, weights, [a], q, v),
        [a, b] => advance_some::<2, WIDE, HALF>(step, response, weights, [a, b], q, v),
        [a, b, c] => advance_some::<3, WIDE, HALF>(step, response, weights, [a, b, c], q, v),
        [a, b, c, d, ..] => advance_some::<MAX_STEPS_PER_PASS, WIDE, HALF>(step, response, weights, [a, b, c, d], q, v),
        [] => [0.0; MAX_STEPS_PER_PASS],
    }
}

/// Adds the parts of `numbers` that are as long as the sum, one after the other.
#[inline(always)]
fn add_parts<const WIDE: usize, const SUMS: usize>(sum: &mut [f64; SUMS], numbers: &[f64; WIDE]) {
    for part in numbers.as_chunks::<SUMS>().0 {
        for lane in 0..SUMS {
            sum[lane] += part[lane];
        }
    }
}

/// COUNT steps in blocks of WIDE modes, with SUMS partial sums each.
#[inline(always)]
fn advance_some<const COUNT: usize, const WIDE: usize, const SUMS: usize>(
    step: [&[f64]; 4],
    bq: &[f64],
    weights: &[f64],
    forces: [f64; COUNT],
    q: &mut [f64],
    v: &mut [f64],
) -> [f64; MAX_STEPS_PER_PASS] {
    let n = q.len() / WIDE;
    let [fall, a12, a21, a22] = step;
    let (fall, a12, a21, a22) = (blocks::<WIDE>(fall, n), blocks::<WIDE>(a12, n), blocks::<WIDE>(a21, n), blocks::<WIDE>(a22, n));
    let (bq, weights, q, v) =
        (blocks::<WIDE>(bq, n), blocks::<WIDE>(weights, n), blocks_mut::<WIDE>(q, n), blocks_mut::<WIDE>(v, n));
    let mut sums = [[0.0; SUMS]; COUNT];
    for i in 0..n {
        let (fall, a12, a21, a22, bq, weights) = (fall[i], a12[i], a21[i], a22[i], bq[i], weights[i]);
        let (mut place, mut speed) = (q[i], v[i]);
        for (sum, force) in sums.iter_mut().zip(forces) {
            let mut weighted = [0.0; WIDE];
            for lane in 0..WIDE {
                let forced = weights[lane] * force;
                let moved = a12[lane] * speed[lane] - fall[lane] * place[lane];
                speed[lane] = (a21[lane] * place[lane] + a22[lane] * speed[lane]) - a12[lane] * forced;
                place[lane] += moved - bq[lane] * forced;
                weighted[lane] = weights[lane] * speed[lane];
            }
            add_parts(sum, &weighted);
        }
        (q[i], v[i]) = (place, speed);
    }
    all_reduced(&sums)
}

/// One step of [`advance`], and in the same pass the sum of weights dq in the next one: [`predict_steps`] after it, to the last bit.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn advance_ahead(
    step: [&[f64]; 4],
    response: &[f64],
    weights: &[f64],
    force: f64,
    q: &mut [f64],
    v: &mut [f64],
) -> (f64, f64) {
    let n = q.len() / LANES;
    let [fall, a12, a21, a22] = step;
    let (fall, a12, a21, a22) =
        (blocks::<LANES>(fall, n), blocks::<LANES>(a12, n), blocks::<LANES>(a21, n), blocks::<LANES>(a22, n));
    let (bq, weights) = (blocks::<LANES>(response, n), blocks::<LANES>(weights, n));
    let (q, v) = (blocks_mut::<LANES>(q, n), blocks_mut::<LANES>(v, n));
    let (mut weighted_speed, mut weighted_way) = ([0.0; LANES], [0.0; LANES]);
    for i in 0..n {
        let (fall, a12, a21, a22, bq, weights) = (fall[i], a12[i], a21[i], a22[i], bq[i], weights[i]);
        let (mut place, mut speed) = (q[i], v[i]);
        for lane in 0..LANES {
            let forced = weights[lane] * force;
            let moved = a12[lane] * speed[lane] - fall[lane] * place[lane];
            speed[lane] = (a21[lane] * place[lane] + a22[lane] * speed[lane]) - a12[lane] * forced;
            place[lane] += moved - bq[lane] * forced;
            weighted_speed[lane] += weights[lane] * speed[lane];
            weighted_way[lane] += weights[lane] * (a12[lane] * speed[lane] - fall[lane] * place[lane]);
        }
        (q[i], v[i]) = (place, speed);
    }
    both_reduced(&weighted_speed, &weighted_way)
}

/// [`reduced`] of two, which return in registers: a pair written to memory and read back at once would stall on store forwarding.
#[inline(never)]
fn both_reduced(a: &[f64; LANES], b: &[f64; LANES]) -> (f64, f64) {
    (tree(a), tree(b))
}

/// Every sum reduced as a tree of halves; 0 where there is none. Not inlined, as [`reduced`].
#[inline(never)]
fn all_reduced<const COUNT: usize, const WIDE: usize>(sums: &[[f64; WIDE]; COUNT]) -> [f64; MAX_STEPS_PER_PASS] {
    std::array::from_fn(|k| sums.get(k).map_or(0.0, tree))
}

/// A sum of 4 or 8 lanes as a tree of halves: written for adjacent pairs, as they were stored. Loads that span two stores would
/// stall.
#[inline(always)]
pub(crate) fn tree<const WIDE: usize>(lanes: &[f64; WIDE]) -> f64 {
    let sum = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a + c, b + d];
    let [even, odd] = match *lanes.as_chunks().0 {
        [a, b, c, d] => sum(sum(a, c), sum(b, d)),
        [a, b] => sum(a, b),
        ref pairs => pairs.iter().copied().fold([0.0; 2], sum),
    };
    even + odd
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Processors with wide registers take eight modes together, others four.
    #[test]
    fn blocks_of_four_and_eight_modes_give_the_same_bits() {
        const MODES: usize = 5 * LANES;
        let column = |seed: usize| -> [f64; MODES] { std::array::from_fn(|i| ((seed * 97 + i * 31) as f64).sin()) };
        let columns = [0, 1, 2, 3].map(column);
        let (step, response, weights) = (columns.each_ref().map(|column| &column[..]), column(4), column(5));
        let bits = |sums: [f64; MAX_STEPS_PER_PASS]| sums.map(f64::to_bits);
        for count in 1..=MAX_STEPS_PER_PASS {
            let [wide, narrow] =
                [predict_by::<LANES>, predict_by::<HALF>].map(|predict| predict(step, &weights, &column(6), &column(7), count));
            assert_eq!(bits(wide), bits(narrow), "{count} steps without force");
            let forces = &[0.3, -1.7, 0.9, 2.1][..count];
            let [wide, narrow] = [advance_by::<LANES>, advance_by::<HALF>].map(|advance| {
                let (mut q, mut v) = (column(6), column(7));
                let sums = advance(step, &response, &weights, forces, &mut q, &mut v);
                (bits(sums), q.map(f64::to_bits), v.map(f64::to_bits))
            });
            assert_eq!(wide, narrow, "{count} steps with forces");
        }
    }

    /// The energy of thousands of modes, all but a few of which have so little that one sum over all would lose it, against a sum in twice the
    /// digits.
    #[test]
    fn the_energy_of_thousands_of_modes_keeps_its_digits() {
        let zeros = vec![0.0; 4096];
        let mut worst = 0.0_f64;
        for body in 0..100 {
            let speed = |i: usize| {
                let part = ((i * 100 + body) as f64 * 0.618_033_988_749_894_8).fract();
                if i < LANES { 1.0 + part } else { (1e-16 * part).sqrt() }
            };
            let speeds: Vec<f64> = (0..zeros.len()).map(speed).collect();
            let (mut known, mut rest) = (0.0, 0.0);
            for half in speeds.iter().map(|v| 0.5 * (v * v)) {
                let sum: f64 = known + half;
                rest += if known >= half { (known - sum) + half } else { (half - sum) + known };
                known = sum;
            }
            worst = worst.max((energy(&zeros, &zeros, &speeds) / (known + rest) - 1.0).abs());
        }
        println!("{worst:e}");
        assert!(worst < 2e-15, "{worst:e}");
    }
}
