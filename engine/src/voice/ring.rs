//! Ringing of a body without hammers, its decay rate, and the detection of silence.
//!
//! Frame by frame, every mode takes its exact step, and two pickups read the velocities:
//!
//! ```text
//! q' = d (a11 q + a12 v)      v' = d (a21 q + a22 v)      d: common damping factor
//! left = sum l_i v'_i         right = sum r_i v'_i
//! ```
//!
//! Modes are processed in chunks that stay in registers for the whole run; a frame's sum runs over chunks first and lanes last, so
//! that it does not depend on the limits of runs.

use std::ops::Range;

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::voice::pickup::Pickup;
use urto_physics::modal::{StepTable, THINNED_FROM};
use urto_physics::solver::Collision;

/// Modes in a chunk; the body's arrays are padded to a multiple.
const CHUNK: usize = 8;

/// Partial sums of a frame: each takes two modes of a chunk at a time.
const SUMS: usize = CHUNK / 2;

/// Time [s] in which a damper takes effect: an abrupt change of the envelope would be audible in low sines.
const DAMPER_TIME: f64 = 8e-3;

/// Envelope at the pickups with all modes in phase, over the loudest frame since the last strike, below which a voice is silent:
/// -112 dB, which an even decay reaches after 1.87 times its T60.
const RELATIVE_FLOOR: f64 = 2.5e-6;

/// Envelope at the output below which a voice is silent, however soft the strike: 200 dB below full scale.
const ABSOLUTE_FLOOR: f64 = 1e-10;

/// Root mean square velocity of a body [m/s] below which it counts as at rest, wherever the pickups are.
const REST_VELOCITY: f64 = 1e-4;

fn fold([a, b, c, d]: [f64; SUMS]) -> f64 {
    (a + b) + (c + d)
}

/// Rings a body over the frames `run` of a control block and overwrites `out` there. `decay` is the factor d.
pub fn render_ringing(body: RingingBody, decay: f64, pickups: &[Pickup; 2], run: Range<usize>, out: &mut StereoBlock) {
    let mut sums = [[[0.0; SUMS]; 2]; CONTROL_BLOCK];
    let moving = pickups.iter().any(Pickup::is_moving);
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
pub struct RingingBody<'a> {
    /// Step of one frame.
    pub table: &'a StepTable,
    /// Displacements, padded.
    pub q: &'a mut [f64],
    /// Velocities, padded.
    pub v: &'a mut [f64],
    /// Half of its high modes rest.
    pub thinned: bool,
}

impl<'a> RingingBody<'a> {
    /// The body of `collision`.
    pub fn of(collision: &'a mut Collision) -> Self {
        let thinned = collision.is_thinned();
        let (table, q, v) = collision.ring_parts();
        Self { table, q, v, thinned }
    }

    /// The next chunk of modes after chunk `n` that does not rest.
    #[inline(always)]
    pub fn next_chunk(&self, n: usize) -> usize {
        if self.thinned && n >= THINNED_FROM / CHUNK { n + 2 } else { n + 1 }
    }
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
    array.as_chunks::<CHUNK>().0[start / CHUNK]
}

/// One chunk of weights as a value.
#[inline(always)]
fn weights(array: &[f32], start: usize) -> [f64; CHUNK] {
    let chunk = &array.as_chunks::<CHUNK>().0[start / CHUNK];
    std::array::from_fn(|lane| f64::from(chunk[lane]))
}

/// Rings all chunks over all frames; `CHANGING` when the body is damped or a pickup moves.
#[inline(always)]
fn ring_chunks<const CHANGING: bool>(
    body: RingingBody,
    decay: f64,
    [left, right]: &[Pickup; 2],
    run: Range<usize>,
    sums: &mut [[[f64; SUMS]; 2]; CONTROL_BLOCK],
) {
    let n = body.q.len();
    let StepTable { a11, a12, a21, a22, .. } = body.table;
    let (a11, a12, a21, a22) = (&a11[..n], &a12[..n], &a21[..n], &a22[..n]);
    let sums = &mut sums[run.clone()];
    let mut number = 0;
    while number < n / CHUNK {
        let start = number * CHUNK;
        // one by one: the compiler calls `map` of an array of chunks, in a version for narrow registers
        let (c11, c12) = (chunk(a11, start), chunk(a12, start));
        let (c21, c22) = (chunk(a21, start), chunk(a22, start));
        let (mut now_q, mut now_v) = (chunk(body.q, start), chunk(body.v, start));
        let (l, r) = (weights(&left.now, start), weights(&right.now, start));
        let (l_target, r_target) = (weights(&left.target, start), weights(&right.target, start));
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
        body.q[start..start + CHUNK].copy_from_slice(&now_q);
        body.v[start..start + CHUNK].copy_from_slice(&now_v);
        number = body.next_chunk(number);
    }
}

/// Decay rate of a voice by choke, damper and modulation: lowered immediately, raised within [`DAMPER_TIME`].
#[derive(Clone, Copy, Debug)]
pub struct VoiceDecay {
    /// Decay rate [1/s] of a voice that is choked or stolen.
    choke: f64,
    /// Decay rate [1/s] by the damper of its notes.
    damper: f64,
    /// Decay rate [1/s] by modulation of the damping.
    modulation: f64,
    /// Decay rate [1/s] of all of them.
    target: f64,
    /// Current decay rate [1/s].
    rate: f64,
    /// Factor of the state per frame, 1 when undamped.
    factor: f64,
}

impl VoiceDecay {
    /// Undamped.
    pub fn none() -> Self {
        Self { choke: 0.0, damper: 0.0, modulation: 0.0, target: 0.0, rate: 0.0, factor: 1.0 }
    }

    /// Factor of the state per frame, 1 when undamped.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Sets the decay rate [1/s] of a choke.
    pub fn set_choke(&mut self, rate: f64) {
        self.choke = rate;
    }

    /// Raises the decay rate of a choke to at least `rate` [1/s].
    pub fn choke(&mut self, rate: f64) {
        self.choke = self.choke.max(rate);
    }

    /// Sets the decay rate [1/s] of the damper.
    pub fn set_damper(&mut self, rate: f64) {
        self.damper = rate;
    }

    /// Sets the decay rate [1/s] of the modulation.
    pub fn set_modulation(&mut self, rate: f64) {
        self.modulation = rate;
    }

    /// Updates the target. Returns whether the current rate is above it and has to fall.
    pub fn update_target(&mut self) -> bool {
        self.target = self.choke.max(self.damper) + self.modulation;
        self.rate > self.target
    }

    /// Sets the rate to its target, at `sample_rate` [Hz].
    pub fn land(&mut self, sample_rate: f64) {
        self.rate = self.target;
        self.factor = (-self.rate / sample_rate).exp();
    }

    /// Whether the rate is rising.
    pub fn is_rising(&self) -> bool {
        self.rate < self.target
    }

    /// Raises the rate over one control block of `time` [s].
    pub fn advance(&mut self, time: f64) {
        self.rate = (self.rate + self.target * (time / DAMPER_TIME)).min(self.target);
        self.factor = (-self.rate * time / CONTROL_BLOCK as f64).exp();
    }
}

/// Detects when a voice has died away and may sleep: its remaining sound is inaudible relative to its peak since the last strike.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilenceDetector {
    peak: f64,
}

impl SilenceDetector {
    /// Resets the peak before a strike.
    pub fn reset(&mut self) {
        self.peak = 0.0;
    }

    /// Adds frames, left and right.
    pub fn add(&mut self, out: [&[f64]; 2]) {
        // a comparison skips what is no number, as `f64::max` does, in one operation
        let larger = |peak: f64, x: &f64| if x.abs() > peak { x.abs() } else { peak };
        self.peak = out.iter().fold(self.peak, |peak, out| out.iter().fold(peak, larger));
    }

    /// Whether an `envelope` at the pickups is inaudible at `level` (a factor) of the output.
    pub fn is_below_floor(&self, envelope: f64, level: f64) -> bool {
        envelope < (RELATIVE_FLOOR * self.peak).max(ABSOLUTE_FLOOR / level.max(1.0))
    }
}

/// Whether a body of `mass` [kg] with `energy` [J] is nearly at rest, at any position.
pub fn is_nearly_at_rest(energy: f64, mass: f64) -> bool {
    energy <= 0.5 * mass * REST_VELOCITY * REST_VELOCITY
}
