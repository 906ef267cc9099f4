//! Inner loops over modes that share one tension: see `solver::tension`.
//!
//! ```text
//! a = bq g/2,  d = 1/(1 + a T)                            q0, q1 = q0 + m: displacement before and after
//! p = (dq - 2 a T q0) d,  m = p - bq d G                  dq: without tension and contacts, G = sum of Wt F
//! s = q0 + q1 = (2 q0 + dq) d - bq d G
//! e1 - e0 = sum g/2 s m                                   e = sum g/2 q^2
//! v1 = vf - bv (G + T g/2 s)
//! ```
//!
//! A large tension makes q1 nearly -q0. The sum s is therefore not formed from them: its rounding error times T would give energy.
//!
//! As in `simd`, every version multiplies and adds in the same lanes and the same order.

use crate::modal::simd::{LANES, blocks, blocks_mut, tree};

/// Coefficients of a step of all modes, and g/2 of each.
#[derive(Clone, Copy)]
pub(crate) struct TensionStep<'a> {
    /// 1 - a11.
    pub fall: &'a [f64],
    /// Displacement from velocity, and velocity from force [s].
    pub a12: &'a [f64],
    /// Velocity from displacement [1/s].
    pub a21: &'a [f64],
    /// Velocity from velocity.
    pub a22: &'a [f64],
    /// Displacement from force [s^2].
    pub bq: &'a [f64],
    /// g/2.
    pub half_stretch: &'a [f64],
}

/// A step under the tension and under contact forces, as arrays of one number a mode.
#[derive(Clone, Copy)]
pub(crate) struct LoadedStep<'a> {
    /// g/2.
    pub half_stretch: &'a [f64],
    /// Displacements m over the step.
    pub moved: &'a [f64],
    /// q0 + q1.
    pub sums: &'a [f64],
    /// G.
    pub load: &'a [f64],
}

/// Change of e over a step as a function of the tension.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StretchChange {
    /// e1 - e0.
    pub change: f64,
    /// -d e1/dT.
    pub slope: f64,
    /// d^2 e1/dT^2.
    pub curvature: f64,
}

/// Half of the lanes: the values of a mode have to stay in registers.
pub(super) const HALF: usize = LANES / 2;

/// Sums reduced in one call, which is not inlined: the loops would be compiled for narrower registers.
#[inline(never)]
pub(super) fn both<const WIDE: usize>(a: &[f64; WIDE], b: &[f64; WIDE]) -> (f64, f64) {
    (tree(a), tree(b))
}

/// The displacements p under the tension T without contacts, 2 q0 + p, and bq d.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn relax_under(
    [bq, half_stretch]: [&[f64]; 2],
    tension: f64,
    [q, dq]: [&[f64]; 2],
    [relaxed, sums, softened]: [&mut [f64]; 3],
) {
    let n = q.len() / LANES;
    let (bq, half_stretch) = (blocks::<LANES>(bq, n), blocks::<LANES>(half_stretch, n));
    let (q, dq) = (blocks::<LANES>(q, n), blocks::<LANES>(dq, n));
    let [relaxed, sums, softened] = [relaxed, sums, softened].map(|array| blocks_mut::<LANES>(array, n));
    for i in 0..n {
        let (bq, half_stretch, q, dq) = (bq[i], half_stretch[i], q[i], dq[i]);
        let (mut p, mut sum, mut soft) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let held = bq[lane] * half_stretch[lane] * tension;
            let d = 1.0 / (1.0 + held);
            p[lane] = (dq[lane] - 2.0 * held * q[lane]) * d;
            sum[lane] = (2.0 * q[lane] + dq[lane]) * d;
            soft[lane] = bq[lane] * d;
        }
        (relaxed[i], sums[i], softened[i]) = (p, sum, soft);
    }
}

/// The displacements m = p - softened `load`, written over p, the sums q0 + q1, written over 2 q0 + p, and the change of e.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn load_relaxed(
    half_stretch: &[f64],
    q: &[f64],
    [softened, load]: [&[f64]; 2],
    [moved, sums]: [&mut [f64]; 2],
) -> StretchChange {
    let n = q.len() / LANES;
    let (half_stretch, q) = (blocks::<LANES>(half_stretch, n), blocks::<LANES>(q, n));
    let (softened, load) = (blocks::<LANES>(softened, n), blocks::<LANES>(load, n));
    let (moved, sums) = (blocks_mut::<LANES>(moved, n), blocks_mut::<LANES>(sums, n));
    let (mut change, mut slope) = ([0.0; LANES], [0.0; LANES]);
    for i in 0..n {
        let (half_stretch, q, softened, load, mut m, mut sum) = (half_stretch[i], q[i], softened[i], load[i], moved[i], sums[i]);
        for lane in 0..LANES {
            let pulled = softened[lane] * load[lane];
            m[lane] -= pulled;
            sum[lane] -= pulled;
            let stretched = half_stretch[lane] * sum[lane];
            change[lane] += stretched * m[lane];
            slope[lane] += 2.0 * stretched * half_stretch[lane] * softened[lane] * (q[lane] + m[lane]);
        }
        (moved[i], sums[i]) = (m, sum);
    }
    let (change, slope) = both(&change, &slope);
    StretchChange { change, slope, curvature: 0.0 }
}

/// Velocities after the step: vf -= bv (`load` + T g/2 (q0 + q1)).
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn brake([bv, half_stretch]: [&[f64]; 2], tension: f64, [sums, load]: [&[f64]; 2], vf: &mut [f64]) {
    let n = vf.len();
    let (bv, half_stretch, sums, load) = (&bv[..n], &half_stretch[..n], &sums[..n], &load[..n]);
    for i in 0..n {
        vf[i] -= bv[i] * (load[i] + tension * half_stretch[i] * sums[i]);
    }
}

/// load += weights F.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn add_load(weights: &[f64], force: f64, load: &mut [f64]) {
    let n = load.len();
    let weights = &weights[..n];
    for i in 0..n {
        load[i] += weights[i] * force;
    }
}

/// e0 and its change over the next step without contacts under the tension T; no state is changed. Writes d.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn foresee_stretch(
    step: TensionStep,
    tension: f64,
    [q, v]: [&[f64]; 2],
    softness: &mut [f64],
) -> (f64, StretchChange) {
    let n = q.len() / HALF;
    let TensionStep { fall, a12, bq, half_stretch, .. } = step;
    let (fall, a12) = (blocks::<HALF>(fall, n), blocks::<HALF>(a12, n));
    let (bq, half_stretch) = (blocks::<HALF>(bq, n), blocks::<HALF>(half_stretch, n));
    let (q, v, softness) = (blocks::<HALF>(q, n), blocks::<HALF>(v, n), blocks_mut::<HALF>(softness, n));
    let (mut stretch, mut change, mut slope, mut curvature) = ([0.0; HALF], [0.0; HALF], [0.0; HALF], [0.0; HALF]);
    for i in 0..n {
        let (fall, a12, bq, half_stretch, q, v) = (fall[i], a12[i], bq[i], half_stretch[i], q[i], v[i]);
        let mut d = [0.0; HALF];
        for lane in 0..HALF {
            let a = bq[lane] * half_stretch[lane];
            let held = a * tension;
            d[lane] = 1.0 / (1.0 + held);
            let free = a12[lane] * v[lane] - fall[lane] * q[lane];
            let m = (free - 2.0 * held * q[lane]) * d[lane];
            let sum = (free + 2.0 * q[lane]) * d[lane];
            let (stretched, soft, after) = (half_stretch[lane] * sum, a * d[lane], sum + m);
            let steep = stretched * soft;
            stretch[lane] += half_stretch[lane] * q[lane] * q[lane];
            change[lane] += stretched * m;
            slope[lane] += steep * after;
            curvature[lane] += steep * soft * (sum + after);
        }
        softness[i] = d;
    }
    let ((stretch, change), (slope, curvature)) = (both(&stretch, &change), both(&slope, &curvature));
    (stretch, StretchChange { change, slope, curvature: 2.0 * curvature })
}

/// One step without contacts under the tension T. `softness`: d of a tension so near T that two steps of Newton's method lead to that of T;
/// None: not known.
pub(crate) fn step_under(step: TensionStep, tension: f64, softness: Option<&[f64]>, q: &mut [f64], v: &mut [f64]) {
    match softness {
        Some(softness) => step_near(step, tension, softness, q, v),
        None => step_anywhere(step, tension, q, v),
    }
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn step_near(step: TensionStep, tension: f64, softness: &[f64], q: &mut [f64], v: &mut [f64]) {
    let softness = softness.as_chunks::<HALF>().0;
    step_all(step, tension, q, v, |i, lane, stiff| {
        let near = softness[i][lane];
        let nearer = near * (2.0 - stiff * near);
        nearer * (2.0 - stiff * nearer)
    });
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn step_anywhere(step: TensionStep, tension: f64, q: &mut [f64], v: &mut [f64]) {
    step_all(step, tension, q, v, |_, _, stiff| 1.0 / stiff);
}

/// The step with d = `reciprocal`(block, lane, 1 + a T).
#[inline(always)]
fn step_all(step: TensionStep, tension: f64, q: &mut [f64], v: &mut [f64], reciprocal: impl Fn(usize, usize, f64) -> f64) {
    let n = q.len() / HALF;
    let TensionStep { fall, a12, a21, a22, bq, half_stretch } = step;
    let (fall, a12) = (blocks::<HALF>(fall, n), blocks::<HALF>(a12, n));
    let (a21, a22) = (blocks::<HALF>(a21, n), blocks::<HALF>(a22, n));
    let (bq, half_stretch) = (blocks::<HALF>(bq, n), blocks::<HALF>(half_stretch, n));
    let (q, v) = (blocks_mut::<HALF>(q, n), blocks_mut::<HALF>(v, n));
    for i in 0..n {
        let (fall, a12, a21, a22, bq, half_stretch) = (fall[i], a12[i], a21[i], a22[i], bq[i], half_stretch[i]);
        let (mut place, mut speed) = (q[i], v[i]);
        for lane in 0..HALF {
            let held = bq[lane] * half_stretch[lane] * tension;
            let d = reciprocal(i, lane, 1.0 + held);
            let free = a12[lane] * speed[lane] - fall[lane] * place[lane];
            let m = (free - 2.0 * held * place[lane]) * d;
            let stretched = half_stretch[lane] * ((free + 2.0 * place[lane]) * d);
            speed[lane] = (a21[lane] * place[lane] + a22[lane] * speed[lane]) - a12[lane] * (tension * stretched);
            place[lane] += m;
        }
        (q[i], v[i]) = (place, speed);
    }
}
