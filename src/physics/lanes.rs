//! Sums and steps over the arrays of many modes, in the widest registers that the processor has: the loops in which contact and ringing
//! spend their time.
//!
//! Every function is compiled for several processors, and the best is taken at run time. All of them multiply and add in the same
//! lanes and the same order, without fused operations, so that they give the same bits. Arrays are padded with zeros to a multiple
//! of [`LANES`].

use multiversion::multiversion;

/// Number of independent partial sums.
pub const LANES: usize = 8;

/// A sum in [`LANES`] lanes, reduced as a tree: the order depends on nothing but the length.
#[inline(always)]
fn reduced([a, b, c, d, e, f, g, h]: [f64; LANES]) -> f64 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Sum of a_i b_i over two padded arrays of the same length.
#[multiversion(targets("x86_64+avx"))]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    reduced(lanes)
}

/// [`dot`] of two arrays with the same third.
#[multiversion(targets("x86_64+avx"))]
pub fn dots(a: &[f64], b: &[f64], with: &[f64]) -> [f64; 2] {
    let mut lanes = [[0.0; LANES]; 2];
    for ((a, b), with) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0).zip(with.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[0][lane] += a[lane] * with[lane];
            lanes[1][lane] += b[lane] * with[lane];
        }
    }
    [reduced(lanes[0]), reduced(lanes[1])]
}

/// Sum of a_i b_i c_i over padded arrays of the same length.
#[multiversion(targets("x86_64+avx"))]
pub fn dot3(a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for ((a, b), c) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0).zip(c.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane] * c[lane];
        }
    }
    reduced(lanes)
}

/// Energy [J], sum of (v^2 + omega^2 q^2)/2, over padded arrays of the same length.
#[multiversion(targets("x86_64+avx"))]
pub fn energy(omega2: &[f64], q: &[f64], v: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for ((omega2, q), v) in omega2.as_chunks::<LANES>().0.iter().zip(q.as_chunks::<LANES>().0).zip(v.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += v[lane] * v[lane] + omega2[lane] * q[lane] * q[lane];
        }
    }
    0.5 * reduced(lanes)
}

/// The free step without the new state taken: (q + dq, vf) = A (q, v), where `fall` is 1 - a11.
#[multiversion(targets("x86_64+avx"))]
pub fn free_step(step: [&[f64]; 4], q: &[f64], v: &[f64], dq: &mut [f64], vf: &mut [f64]) {
    let n = q.len();
    let [fall, a12, a21, a22] = step;
    let (fall, a12, a21, a22, v) = (&fall[..n], &a12[..n], &a21[..n], &a22[..n], &v[..n]);
    let (dq, vf) = (&mut dq[..n], &mut vf[..n]);
    for i in 0..n {
        dq[i] = a12[i] * v[i] - fall[i] * q[i];
        vf[i] = a21[i] * q[i] + a22[i] * v[i];
    }
}

/// A force over the step: dq -= felt bq F, vf -= felt bv F.
#[multiversion(targets("x86_64+avx"))]
pub fn pull(response: [&[f64]; 2], felt: &[f64], force: f64, dq: &mut [f64], vf: &mut [f64]) {
    let n = dq.len();
    let [bq, bv] = response;
    let (bq, bv, felt, vf) = (&bq[..n], &bv[..n], &felt[..n], &mut vf[..n]);
    for i in 0..n {
        let pulled = felt[i] * force;
        dq[i] -= bq[i] * pulled;
        vf[i] -= bv[i] * pulled;
    }
}

/// [`pull`], and the state taken in the same pass: q goes on, dq keeps the q before.
#[multiversion(targets("x86_64+avx"))]
pub fn pull_and_go(response: [&[f64]; 2], felt: &[f64], force: f64, q: &mut [f64], dq: &mut [f64], vf: &mut [f64]) {
    let n = dq.len();
    let [bq, bv] = response;
    let (bq, bv, felt, q, vf) = (&bq[..n], &bv[..n], &felt[..n], &mut q[..n], &mut vf[..n]);
    for i in 0..n {
        let pulled = felt[i] * force;
        let before = q[i];
        q[i] = before + (dq[i] - bq[i] * pulled);
        dq[i] = before;
        vf[i] -= bv[i] * pulled;
    }
}
