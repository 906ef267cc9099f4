//! Ringing of a body over one control block without the tables of [`ResonatorBank`](crate::voice::resonator_bank::ResonatorBank).
//!
//! ```text
//! sound    v_n+1 = the row of A for velocities times (q_n, v_n), (q_n+2, v_n+2) = A^2 (q_n, v_n), in f32, 16 frames from the f64 state
//! state    A^16 (q, v) in f64, A^16 by four squarings of the step A of one frame
//! path     sum w q_n of a point at every second frame, in f32
//! ```
//!
//! A body that has just been touched is likely to be touched again before the tables of a longer rendering are worth their cost. One pass over
//! the step table renders the block; it takes a third of the time of ringing frame by frame. Every block restarts from the exact state, so the
//! errors of the sound do not accumulate.

use crate::block::CONTROL_BLOCK;
use crate::voice::mode_tables::{Lanes, multiply_add};
use crate::voice::pickup::Pickup;
use crate::voice::ring::RingingBody;
use crate::voice::step_power::{Eight, LANES, Power, scaled, square, step_of, step_on};
#[cfg(feature = "simd")]
use multiversion::target::target_cfg_f;
use urto_physics::modal::HAS_FAST_VERSIONS;

/// Without run-time dispatch the target of the build decides.
#[cfg(not(feature = "simd"))]
macro_rules! target_cfg_f {
    ($condition:meta) => {
        cfg!($condition)
    };
}

// four squarings lead from the step of one frame to that of a control block
const _: () = assert!(CONTROL_BLOCK == 16);

/// Sums of both pickups in every frame, over chunks of modes.
type BlockSums = [[Lanes; 2]; CONTROL_BLOCK];

/// Renders the sound of `body` over one control block into `out`, by `pickups`, which may move. The state stays; `next` becomes the state after
/// the block, times `factor`. Modes that rest keep theirs, and so do those beyond its length.
pub fn render_control_block(body: &RingingBody, factor: f64, pickups: &[Pickup; 2], next: [&mut [f64]; 2], out: [&mut [f32]; 2]) {
    let mut sums = [[[0.0; LANES]; 2]; CONTROL_BLOCK];
    let [next_q, next_v] = next.map(|next| next.as_chunks_mut().0);
    if pickups.iter().any(Pickup::is_moving) {
        add_modes_heard_by_moving(body, (factor, pickups), (next_q, next_v), &mut sums);
    } else {
        add_modes(body, (factor, pickups), (next_q, next_v), &mut sums);
    }
    for (channel, out) in out.into_iter().enumerate() {
        out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = total(&sum[channel]));
    }
}

/// Frames between two points of a path, and number of points in a control block.
pub const PATH_STRIDE: usize = 2;
pub const PATH_POINTS: usize = CONTROL_BLOCK / PATH_STRIDE;

/// Number of paths in one pass over the modes.
pub const PATHS: usize = if HAS_FAST_VERSIONS { 4 } else { 1 };

/// Sums of a path at its start and at every point.
type PathSums = [Lanes; PATH_POINTS + 1];

/// Displacements [m] of `body` by up to [`PATHS`] of `weights` [kg^-1/2], each those of its first modes and those of the others, at the start of a
/// control block and every [`PATH_STRIDE`] frames after it, without damping.
pub fn displacement_paths(body: &RingingBody, weights: &[[&[f64]; 2]]) -> [[f64; PATH_POINTS + 1]; PATHS] {
    let mut sums = [[[0.0; LANES]; PATH_POINTS + 1]; PATHS];
    let mut rows: [[&[Eight]; 2]; PATHS] = [[&[]; 2]; PATHS];
    rows.iter_mut().zip(weights).for_each(|(rows, weights)| *rows = weights.map(|weights| weights.as_chunks().0));
    add_paths(body, &rows[..weights.len().min(PATHS)], &mut sums);
    sums.map(|sums| sums.map(|sum| f64::from(total(&sum))))
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn add_paths(body: &RingingBody, weights: &[[&[Eight]; 2]], sums: &mut [PathSums; PATHS]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        add_paths_of_chunks::<true>(body, weights, sums);
    } else {
        add_paths_of_chunks::<false>(body, weights, sums);
    }
}

#[inline(always)]
fn add_paths_of_chunks<const FUSED: bool>(body: &RingingBody, weights: &[[&[Eight]; 2]], sums: &mut [PathSums; PATHS]) {
    let (q, v) = (body.q.as_chunks::<LANES>().0, body.v.as_chunks::<LANES>().0);
    let rows = |[first, others]: &[&[Eight]; 2]| first.len() + others.len();
    let count = q.len().min(v.len()).min(weights.iter().map(rows).min().unwrap_or(0));
    let mut n = 0;
    while n < count {
        let twice = square(&step_of(body.table, n));
        let [b11, b12, b21, b22] = [narrowed(&twice[0]), narrowed(&twice[1]), narrowed(&twice[2]), narrowed(&twice[3])];
        let (mut place, mut speed) = (narrowed(&q[n]), narrowed(&v[n]));
        let mut places = [place; PATH_POINTS + 1];
        for next in &mut places[1..] {
            let (mut moved, mut moved_speed) = ([0.0; LANES], [0.0; LANES]);
            for i in 0..LANES {
                moved[i] = multiply_add::<FUSED>(b11[i], place[i], b12[i] * speed[i]);
            }
            for i in 0..LANES {
                moved_speed[i] = multiply_add::<FUSED>(b21[i], place[i], b22[i] * speed[i]);
            }
            (place, speed, *next) = (moved, moved_speed, moved);
        }
        for ([first, others], sums) in weights.iter().zip(&mut *sums) {
            let weights = narrowed(if n < first.len() { &first[n] } else { &others[n - first.len()] });
            for (place, sum) in places.iter().zip(sums) {
                for i in 0..LANES {
                    sum[i] = multiply_add::<FUSED>(weights[i], place[i], sum[i]);
                }
            }
        }
        n = body.next_chunk(n);
    }
}

/// Sum of all lanes.
fn total(&[a, b, c, d, e, f, g, h]: &Lanes) -> f32 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Displacements and velocities in chunks.
type StateMut<'a> = (&'a mut [Eight], &'a mut [Eight]);

/// `sums` become the sound of all modes that do not rest, `next` the state after the block.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn add_modes(body: &RingingBody, reading: (f64, &[Pickup; 2]), next: StateMut, sums: &mut BlockSums) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        add_chunks::<true, false>(body, reading, next, sums);
    } else {
        add_chunks::<false, false>(body, reading, next, sums);
    }
}

/// The same with weights that move to their targets.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn add_modes_heard_by_moving(body: &RingingBody, reading: (f64, &[Pickup; 2]), next: StateMut, sums: &mut BlockSums) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        add_chunks::<true, true>(body, reading, next, sums);
    } else {
        add_chunks::<false, true>(body, reading, next, sums);
    }
}

#[inline(always)]
fn narrowed(eight: &Eight) -> Lanes {
    std::array::from_fn(|i| eight[i] as f32)
}

/// Weights of a chunk of modes at one pickup: at the start of the control block, and what they gain until its end.
#[derive(Clone, Copy)]
struct Weights {
    start: Lanes,
    gain: Lanes,
}

impl Weights {
    #[inline(always)]
    fn of(start: &[f32], target: &[f32], chunk: usize) -> Self {
        let (start, target) = (lanes_of(start, chunk), lanes_of(target, chunk));
        Self { start, gain: std::array::from_fn(|i| target[i] - start[i]) }
    }

    /// Weight of a lane at `progress`, 0 to 1.
    #[inline(always)]
    fn at<const FUSED: bool, const MOVING: bool>(&self, lane: usize, progress: f32) -> f32 {
        if MOVING { multiply_add::<FUSED>(self.gain[lane], progress, self.start[lane]) } else { self.start[lane] }
    }
}

#[inline(always)]
fn lanes_of(weights: &[f32], chunk: usize) -> Lanes {
    weights.as_chunks::<LANES>().0[chunk]
}

#[inline(always)]
fn add_chunks<const FUSED: bool, const MOVING: bool>(
    body: &RingingBody,
    (factor, [left, right]): (f64, &[Pickup; 2]),
    next: StateMut,
    sums: &mut BlockSums,
) {
    let (q, v) = (body.q.as_chunks::<LANES>().0, body.v.as_chunks::<LANES>().0);
    let heard = [&left.now, &left.target, &right.now, &right.target].map(Vec::len).into_iter().min().unwrap_or(0) / LANES;
    let count = q.len().min(v.len()).min(next.0.len()).min(next.1.len()).min(heard);
    // of a reference the compiler stores all sums twice a chunk
    let mut own = [[[0.0; LANES]; 2]; CONTROL_BLOCK];
    let mut n = 0;
    while n < count {
        let step = step_of(body.table, n);
        let twice = square(&step);
        // not by map, which the compiler calls for each chunk
        let weights = [Weights::of(&left.now, &left.target, n), Weights::of(&right.now, &right.target, n)];
        add_frames::<FUSED, MOVING>([&step, &twice], (&q[n], &v[n]), &weights, &mut own);
        // not in a loop, which the compiler keeps in memory
        let block = square(&square(&square(&twice)));
        (next.0[n], next.1[n]) = scaled(factor, step_on(&block, (q[n], v[n])));
        let after = body.next_chunk(n);
        // chunks between them rest
        for resting in n + 1..after.min(count) {
            (next.0[resting], next.1[resting]) = (q[resting], v[resting]);
        }
        n = after;
    }
    *sums = own;
}

/// Adds the frames of a chunk with these steps of one frame and of two, and this state. Half of the frames need no displacement, and the others wait for
/// half as many steps.
#[inline(always)]
fn add_frames<const FUSED: bool, const MOVING: bool>(
    [step, twice]: [&Power; 2],
    (q, v): (&Eight, &Eight),
    weights: &[Weights; 2],
    sums: &mut BlockSums,
) {
    let [a21, a22] = [narrowed(&step[2]), narrowed(&step[3])];
    let [b11, b12, b21, b22] = [narrowed(&twice[0]), narrowed(&twice[1]), narrowed(&twice[2]), narrowed(&twice[3])];
    let (mut place, mut speed) = (narrowed(q), narrowed(v));
    for (pair, [first, second]) in sums.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let (mut between, mut moved, mut moved_speed) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for i in 0..LANES {
            between[i] = multiply_add::<FUSED>(a21[i], place[i], a22[i] * speed[i]);
        }
        for i in 0..LANES {
            moved[i] = multiply_add::<FUSED>(b11[i], place[i], b12[i] * speed[i]);
        }
        for i in 0..LANES {
            moved_speed[i] = multiply_add::<FUSED>(b21[i], place[i], b22[i] * speed[i]);
        }
        (place, speed) = (moved, moved_speed);
        add_frame::<FUSED, MOVING>(&between, (weights, 2 * pair), first);
        add_frame::<FUSED, MOVING>(&speed, (weights, 2 * pair + 1), second);
    }
}

/// Adds velocities to the sums of both pickups in frame `frame` of the control block.
#[inline(always)]
fn add_frame<const FUSED: bool, const MOVING: bool>(
    speed: &Lanes,
    ([left, right], frame): (&[Weights; 2], usize),
    [on_left, on_right]: &mut [Lanes; 2],
) {
    let progress = (frame + 1) as f32 * (1.0 / CONTROL_BLOCK as f32);
    for i in 0..LANES {
        on_left[i] = multiply_add::<FUSED>(left.at::<FUSED, MOVING>(i, progress), speed[i], on_left[i]);
    }
    for i in 0..LANES {
        on_right[i] = multiply_add::<FUSED>(right.at::<FUSED, MOVING>(i, progress), speed[i], on_right[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::midi::Rng;
    use urto_physics::modal::{Mode, ModeBank, Span, THINNED_FROM};

    const MODES: usize = THINNED_FROM + 45;

    /// Sound and state over a block against the same frame by frame; the modes of a thinned body that rest stay.
    #[test]
    fn block_is_that_of_single_frames() {
        let mut rng = Rng::seeded(5);
        let modes: Vec<Mode> = (0..MODES).map(|n| Mode::heard_at(30.0 + 60.0 * n as f64, 0.05 + rng.uniform())).collect();
        let mut bank = ModeBank::new(1.0 / 48e3, MODES, 3);
        bank.set(modes);
        bank.take(Span::Level(0));
        let table = bank.table().clone();
        let padded = bank.modes.padded();
        let [left, right] = [0; 2].map(|_| (0..padded).map(|_| rng.bipolar() as f32).collect::<Vec<f32>>());
        let targets = [&right, &left];
        for (thinned, moving) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut q: Vec<f64> = (0..padded).map(|_| 1e-5 * rng.bipolar()).collect();
            let mut v: Vec<f64> = (0..padded).map(|_| rng.bipolar()).collect();
            let (mut next_q, mut next_v) = (vec![0.0; padded], vec![0.0; padded]);
            let mut sound = [[0.0; CONTROL_BLOCK]; 2];
            let [on_left, on_right] = &mut sound;
            let wide = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>();
            let mut pickups = [&left, &right].map(|weights| {
                let mut pickup = Pickup::new(padded);
                pickup.set(&wide(weights), padded);
                pickup
            });
            if moving {
                pickups.iter_mut().zip(targets).for_each(|(pickup, target)| pickup.set_target(&wide(target)));
            }
            let body = RingingBody { table: &table, q: &mut q, v: &mut v, thinned };
            let moves = |i: usize| !thinned || i < THINNED_FROM || ((i - THINNED_FROM) / LANES).is_multiple_of(2);
            render_control_block(&body, 0.9, &pickups, [&mut next_q, &mut next_v], [on_left, on_right]);
            let sums = |v: &[f64], frame: usize| {
                [(&left, &right), (&right, &left)].map(|(side, target)| {
                    let progress = if moving { (frame + 1) as f64 / CONTROL_BLOCK as f64 } else { 0.0 };
                    let weight = |i: usize| f64::from(side[i]) + progress * (f64::from(target[i]) - f64::from(side[i]));
                    let parts = || (0..padded).filter(|i| moves(*i)).map(|i| weight(i) * v[i]);
                    (parts().sum::<f64>(), parts().map(f64::abs).sum::<f64>())
                })
            };
            let points: [Vec<f64>; 2] = std::array::from_fn(|_| (0..padded).map(|_| rng.bipolar()).collect());
            let paths = displacement_paths(
                &RingingBody { table: &table, q: &mut q, v: &mut v, thinned },
                &points.each_ref().map(|point| [&point[..THINNED_FROM], &point[THINNED_FROM..]]),
            );
            let (mut place, mut speed) = (q.clone(), v.clone());
            for frame in 0..CONTROL_BLOCK {
                for (point, path) in points.iter().zip(&paths).filter(|_| frame.is_multiple_of(PATH_STRIDE)) {
                    let parts = || (0..padded).filter(|i| moves(*i)).map(|i| point[i] * place[i]);
                    let (expected, size) = (parts().sum::<f64>(), parts().map(f64::abs).sum::<f64>());
                    assert!((path[frame / PATH_STRIDE] - expected).abs() < 1e-6 * size, "{frame}: {path:?} {expected}");
                }
                for i in (0..padded).filter(|i| moves(*i)) {
                    (place[i], speed[i]) =
                        (table.a11[i] * place[i] + table.a12[i] * speed[i], table.a21[i] * place[i] + table.a22[i] * speed[i]);
                }
                for (sound, (expected, size)) in sound.iter().zip(sums(&speed, frame)) {
                    assert!((f64::from(sound[frame]) - expected).abs() < 1e-6 * size, "{frame}: {} {expected}", sound[frame]);
                }
            }
            for i in 0..padded {
                let factor = if moves(i) { 0.9 } else { 1.0 };
                let [moved, moved_speed] = [next_q[i], next_v[i]];
                assert!((moved_speed - factor * speed[i]).abs() < 1e-12, "{i}: {moved_speed} {}", factor * speed[i]);
                assert!((moved - factor * place[i]).abs() < 1e-12 * 1e-2, "{i}: {moved} {}", factor * place[i]);
            }
        }
    }
}
