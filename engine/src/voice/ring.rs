//! Ringing of a body without hammers, frame by frame: every mode takes its exact step, and two pickups read the velocities.
//!
//! ```text
//! q' = d (a11 q + a12 v)      v' = d (a21 q + a22 v)      d: common damping factor
//! left = sum l_i v'_i         right = sum r_i v'_i
//! ```
//!
//! Modes are processed in chunks that stay in registers for the whole run; a frame's sum runs over chunks first and lanes last, so that
//! it does not depend on the limits of runs.

use std::ops::Range;

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::voice::pickup::Pickup;
use urto_physics::modal::StepTable;

/// Modes in a chunk; the body's arrays are padded to a multiple.
const CHUNK: usize = 8;

/// Partial sums of a frame: each takes two modes of a chunk at a time.
const SUMS: usize = CHUNK / 2;

fn fold([a, b, c, d]: [f64; SUMS]) -> f64 {
    (a + b) + (c + d)
}

/// Rings a body, given by its step table, displacements and velocities, over the frames `run` of a control block and overwrites `out`
/// there. `decay` is the factor d.
pub fn render_ringing(
    (table, q, v): (&StepTable, &mut [f64], &mut [f64]),
    decay: f64,
    pickups: &[Pickup; 2],
    run: Range<usize>,
    out: &mut StereoBlock,
) {
    let mut sums = [[[0.0; SUMS]; 2]; CONTROL_BLOCK];
    let moving = pickups.iter().any(Pickup::is_moving);
    let body = RingingBody { table, q, v };
    if moving || decay != 1.0 {
        ring_changing(body, decay, pickups, run.clone(), &mut sums);
    } else {
        ring_steady(body, pickups, run.clone(), &mut sums);
    }
    for k in run {
        for (out, &sum) in out.iter_mut().zip(&sums[k]) {
            out[k] = fold(sum);
        }
    }
}

/// A body without hammers.
struct RingingBody<'a> {
    table: &'a StepTable,
    q: &'a mut [f64],
    v: &'a mut [f64],
}

/// Rings a body that is damped or whose pickups move.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn ring_changing(
    body: RingingBody,
    decay: f64,
    pickups: &[Pickup; 2],
    run: Range<usize>,
    sums: &mut [[[f64; SUMS]; 2]; CONTROL_BLOCK],
) {
    ring_chunks::<true>(body, decay, pickups, run, sums);
}

/// Rings a body that is undamped and whose pickups are still.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn ring_steady(body: RingingBody, pickups: &[Pickup; 2], run: Range<usize>, sums: &mut [[[f64; SUMS]; 2]; CONTROL_BLOCK]) {
    ring_chunks::<false>(body, 1.0, pickups, run, sums);
}

/// One chunk of an array as a value.
#[inline(always)]
fn chunk(array: &[f64], start: usize) -> [f64; CHUNK] {
    std::array::from_fn(|lane| array[start + lane])
}

/// One chunk of weights as a value.
#[inline(always)]
fn weights(array: &[f32], start: usize) -> [f64; CHUNK] {
    std::array::from_fn(|lane| f64::from(array[start + lane]))
}

/// Rings all chunks over all frames; `CHANGING` when the body is damped or a pickup moves.
#[inline(always)]
fn ring_chunks<const CHANGING: bool>(
    RingingBody { table, q, v }: RingingBody,
    decay: f64,
    [left, right]: &[Pickup; 2],
    run: Range<usize>,
    sums: &mut [[[f64; SUMS]; 2]; CONTROL_BLOCK],
) {
    let n = q.len();
    let StepTable { a11, a12, a21, a22, .. } = table;
    let (a11, a12, a21, a22, v) = (&a11[..n], &a12[..n], &a21[..n], &a22[..n], &mut v[..n]);
    let sums = &mut sums[run.clone()];
    for start in (0..n / CHUNK * CHUNK).step_by(CHUNK) {
        let [c11, c12, c21, c22] = [a11, a12, a21, a22].map(|array| chunk(array, start));
        let (mut now_q, mut now_v) = (chunk(q, start), chunk(v, start));
        let [l, r] = [left, right].map(|pickup| weights(&pickup.now, start));
        let [l_target, r_target] = [left, right].map(|pickup| weights(&pickup.target, start));
        for (k, sum) in run.clone().zip(sums.iter_mut()) {
            for lane in 0..CHUNK {
                let next = c11[lane] * now_q[lane] + c12[lane] * now_v[lane];
                let speed = c21[lane] * now_q[lane] + c22[lane] * now_v[lane];
                (now_q[lane], now_v[lane]) = if CHANGING { (next * decay, speed * decay) } else { (next, speed) };
            }
            let (l_progress, r_progress) = if CHANGING { (left.progress(k), right.progress(k)) } else { (0.0, 0.0) };
            let read = |now: &[f64; CHUNK], target: &[f64; CHUNK], progress: f64, lane: usize| {
                let weight = if CHANGING { now[lane] + progress * (target[lane] - now[lane]) } else { now[lane] };
                weight * now_v[lane]
            };
            let [on_left, on_right] = sum;
            for (lane, (on_left, on_right)) in on_left.iter_mut().zip(on_right).enumerate() {
                *on_left += read(&l, &l_target, l_progress, lane) + read(&l, &l_target, l_progress, lane + SUMS);
                *on_right += read(&r, &r_target, r_progress, lane) + read(&r, &r_target, r_progress, lane + SUMS);
            }
        }
        q[start..start + CHUNK].copy_from_slice(&now_q);
        v[start..start + CHUNK].copy_from_slice(&now_v);
    }
}
