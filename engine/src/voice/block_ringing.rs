//! Ringing of a body over one control block without the tables of [`ResonatorBank`](crate::voice::resonator_bank::ResonatorBank).
//!
//! ```text
//! sound    v_n+1 = the row of A for velocities times (q_n, v_n), (q_n+2, v_n+2) = A^2 (q_n, v_n), in f32, 16 frames from the f64 state
//! state    A^16 (q, v) in f64, A^16 by four squarings of the step A of one frame
//! ```
//!
//! A body that has just been touched is likely to be touched again before the tables of a longer rendering are worth their cost. One pass over
//! the step table renders the block; it takes a third of the time of ringing frame by frame. Every block restarts from the exact state, so the
//! errors of the sound do not accumulate.

use crate::block::CONTROL_BLOCK;
use crate::voice::ring::RingingBody;
use crate::voice::step_power::{Eight, LANES, Power, lanes, scaled, square, step_on};
#[cfg(feature = "simd")]
use multiversion::target::target_cfg_f;
use urto_physics::modal::StepTable;

/// Without run-time dispatch the target of the build decides.
#[cfg(not(feature = "simd"))]
macro_rules! target_cfg_f {
    ($condition:meta) => {
        cfg!($condition)
    };
}

/// Squarings from the step of one frame to that of a control block.
const SQUARINGS: u32 = CONTROL_BLOCK.ilog2();

type Lanes = [f32; LANES];

/// Sums of both pickups in every frame, over chunks of modes.
type BlockSums = [[Lanes; 2]; CONTROL_BLOCK];

/// Renders the sound of `body` over one control block into `out`, by `weights` of both pickups. The state stays; `next` becomes the state after
/// the block, times `factor`. Modes that rest keep theirs.
pub fn render_control_block(
    body: &RingingBody,
    factor: f64,
    weights: [&[f32]; 2],
    next: &mut [Vec<f64>; 2],
    out: [&mut [f32]; 2],
) {
    let mut sums = [[[0.0; LANES]; 2]; CONTROL_BLOCK];
    let [next_q, next_v] = next;
    add_modes(body, (factor, weights), (next_q.as_chunks_mut().0, next_v.as_chunks_mut().0), &mut sums);
    for (channel, out) in out.into_iter().enumerate() {
        out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = total(&sum[channel]));
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
fn add_modes(body: &RingingBody, reading: (f64, [&[f32]; 2]), next: StateMut, sums: &mut BlockSums) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        add_chunks::<true>(body, reading, next, sums);
    } else {
        add_chunks::<false>(body, reading, next, sums);
    }
}

/// a b + c, rounded once where the processor fuses them.
#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn narrowed(eight: &Eight) -> Lanes {
    std::array::from_fn(|i| eight[i] as f32)
}

#[inline(always)]
fn add_chunks<const FUSED: bool>(body: &RingingBody, reading: (f64, [&[f32]; 2]), next: StateMut, sums: &mut BlockSums) {
    let (q, v) = (body.q.as_chunks::<LANES>().0, body.v.as_chunks::<LANES>().0);
    let (factor, [left, right]) = reading;
    let (left, right) = (left.as_chunks::<LANES>().0, right.as_chunks::<LANES>().0);
    let count = q.len().min(v.len()).min(next.0.len()).min(next.1.len()).min(left.len()).min(right.len());
    let StepTable { a11, a12, a21, a22, .. } = body.table;
    // of a reference the compiler stores all sums twice a chunk
    let mut own = [[[0.0; LANES]; 2]; CONTROL_BLOCK];
    let mut n = 0;
    while n < count {
        let step: Power = [lanes(a11, n), lanes(a12, n), lanes(a21, n), lanes(a22, n)];
        let mut power = square(&step);
        add_frames::<FUSED>([&step, &power], (&q[n], &v[n]), (&left[n], &right[n]), &mut own);
        for _ in 1..SQUARINGS {
            power = square(&power);
        }
        (next.0[n], next.1[n]) = scaled(factor, step_on(&power, (q[n], v[n])));
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
fn add_frames<const FUSED: bool>(
    [step, twice]: [&Power; 2],
    (q, v): (&Eight, &Eight),
    (left, right): (&Lanes, &Lanes),
    sums: &mut BlockSums,
) {
    let [a21, a22] = [narrowed(&step[2]), narrowed(&step[3])];
    let [b11, b12, b21, b22] = [narrowed(&twice[0]), narrowed(&twice[1]), narrowed(&twice[2]), narrowed(&twice[3])];
    let (mut place, mut speed) = (narrowed(q), narrowed(v));
    for [first, second] in sums.as_chunks_mut::<2>().0 {
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
        add_frame::<FUSED>(&between, (left, right), first);
        add_frame::<FUSED>(&speed, (left, right), second);
    }
}

/// Adds velocities to the sums of both pickups in one frame.
#[inline(always)]
fn add_frame<const FUSED: bool>(speed: &Lanes, (left, right): (&Lanes, &Lanes), [on_left, on_right]: &mut [Lanes; 2]) {
    for i in 0..LANES {
        on_left[i] = multiply_add::<FUSED>(left[i], speed[i], on_left[i]);
    }
    for i in 0..LANES {
        on_right[i] = multiply_add::<FUSED>(right[i], speed[i], on_right[i]);
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
        for thinned in [false, true] {
            let mut q: Vec<f64> = (0..padded).map(|_| 1e-5 * rng.bipolar()).collect();
            let mut v: Vec<f64> = (0..padded).map(|_| rng.bipolar()).collect();
            let mut next = [vec![0.0; padded], vec![0.0; padded]];
            let mut sound = [[0.0; CONTROL_BLOCK]; 2];
            let [on_left, on_right] = &mut sound;
            let body = RingingBody { table: &table, q: &mut q, v: &mut v, thinned };
            let moves = |i: usize| !thinned || i < THINNED_FROM || ((i - THINNED_FROM) / LANES).is_multiple_of(2);
            render_control_block(&body, 0.9, [&left, &right], &mut next, [on_left, on_right]);
            let sums = |v: &[f64]| {
                [&left, &right].map(|side| {
                    let parts = || (0..padded).filter(|i| moves(*i)).map(|i| f64::from(side[i]) * v[i]);
                    (parts().sum::<f64>(), parts().map(f64::abs).sum::<f64>())
                })
            };
            let (mut place, mut speed) = (q.clone(), v.clone());
            for frame in 0..CONTROL_BLOCK {
                for i in (0..padded).filter(|i| moves(*i)) {
                    (place[i], speed[i]) =
                        (table.a11[i] * place[i] + table.a12[i] * speed[i], table.a21[i] * place[i] + table.a22[i] * speed[i]);
                }
                for (sound, (expected, size)) in sound.iter().zip(sums(&speed)) {
                    assert!((f64::from(sound[frame]) - expected).abs() < 1e-6 * size, "{frame}: {} {expected}", sound[frame]);
                }
            }
            for i in 0..padded {
                let factor = if moves(i) { 0.9 } else { 1.0 };
                let [moved, moved_speed] = [next[0][i], next[1][i]];
                assert!((moved_speed - factor * speed[i]).abs() < 1e-12, "{i}: {moved_speed} {}", factor * speed[i]);
                assert!((moved - factor * place[i]).abs() < 1e-12 * 1e-2, "{i}: {moved} {}", factor * place[i]);
            }
        }
    }
}
