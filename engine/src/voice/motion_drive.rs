//! Modes of a structure that the motion of the body drives through strands that lie on it: the wires of a snare drum.
//!
//! ```text
//! x = sum w q,  x' = sum w v        of the body's lowest modes, at the place of the rattle object, after every frame
//! strands                           follow x, lift off and fall back; see [`urto_physics::solver::LooseStrands`]
//! modes 0, 8, .. by the first strand, 1, 9, .. by the second, and so on; their sound is added to that of the pickups
//! ```
//!
//! Nothing reacts on the body, so its sound and its contacts are the same bits as without. While the body rings ahead of its state,
//! a copy of its lowest modes follows frame by frame.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::body::PreparedBody;
use std::ops::Range;
use urto_physics::bodies::HeavyMode;
use urto_physics::modal::{DrivenModes, LANES, StepTable};
use urto_physics::solver::{Collision, LooseStrands, STRANDS, StrandSupport};

/// Lowest modes of the body, suspensions included, whose motion is followed.
pub const FOLLOWED: usize = 32;

/// Speed of the body and sound of the modes, over the largest since the last strike, below which they are at rest: -120 dB.
const REST: f64 = 1e-6;

/// Cost of a frame of strands and copy, and of each mode, in samples of one mode of the reference resonator: 400 modes took 60 ns.
const FRAME_COST: f32 = 40.0;
const MODE_COST: f32 = 0.15;

/// The largest of a quantity in one control block, and since the last strike.
#[derive(Clone, Copy, Debug, Default)]
struct Peak {
    block: f64,
    strike: f64,
}

impl Peak {
    fn add(&mut self, size: f64) {
        self.block = self.block.max(size);
    }

    /// Ends a control block. Returns whether it was at rest.
    fn end_block(&mut self) -> bool {
        let block = std::mem::take(&mut self.block);
        self.strike = self.strike.max(block);
        block <= REST * self.strike
    }
}

/// Maximum number of frames of a body in contact that wait for the modes: a run of frames takes a third of the time of as many single ones.
const MAX_PENDING: usize = CONTROL_BLOCK / 2;

/// Frames of a body in contact whose impulses the modes have not taken yet.
#[derive(Clone, Copy, Debug, Default)]
struct PendingFrames {
    kicks: [[f32; LANES]; MAX_PENDING],
    /// The first of them in the control block, and their number.
    first: usize,
    count: usize,
    /// Factor of the state in each, and gains at the end of the control block.
    decay: f32,
    targets: [f64; 2],
}

/// Strands on a body, and the modes that they drive.
pub struct MotionDrive {
    modes: DrivenModes,
    /// Number of the body whose modes they are.
    body: Option<u64>,
    /// None: nothing is driven by motion.
    strands: Option<LooseStrands>,
    /// Weights of the body's modes at the strands [kg^-1/2].
    weights: [f64; FOLLOWED],
    /// Copy of displacements and velocities of the body's modes.
    copy: [[f64; FOLLOWED]; 2],
    /// Gains at the start of the control block.
    gains: [f64; 2],
    pending: PendingFrames,
    speed: Peak,
    sound: Peak,
    /// The body has come to rest since the last strike.
    resting: bool,
}

impl MotionDrive {
    /// Off, with room for `modes` modes. Allocates.
    pub fn new(modes: usize) -> Self {
        Self {
            modes: DrivenModes::with_capacity(modes),
            body: None,
            strands: None,
            weights: [0.0; FOLLOWED],
            copy: [[0.0; FOLLOWED]; 2],
            gains: [1.0; 2],
            pending: PendingFrames::default(),
            speed: Peak::default(),
            sound: Peak::default(),
            resting: true,
        }
    }

    /// Whether motion drives any modes.
    pub fn is_on(&self) -> bool {
        self.strands.is_some()
    }

    /// Nothing is driven from now on.
    pub fn turn_off(&mut self) {
        self.strands = None;
        self.pending.count = 0;
        self.modes.rest();
    }

    /// Takes the modes below `limit` [Hz] that the motion of `body` drives, at rest, with samples of `h` [s]; limit and samples are always the same.
    pub fn turn_on(&mut self, body: &PreparedBody, limit: f64, support: StrandSupport, h: f64) {
        if self.body == Some(body.serial()) {
            self.modes.rest();
        } else {
            let heard = |mode: &HeavyMode| if mode.frequency < limit { 1.0 } else { 0.0 };
            let gains = |mode: &HeavyMode| mode.heard.map(|side| heard(mode) * mode.struck * side);
            self.modes.set(body.driven().iter().map(|mode| (mode.mode(1.0, limit), gains(mode))), h);
            self.body = Some(body.serial());
        }
        self.strands = Some(LooseStrands::new(support, h));
        (self.gains, self.resting, self.pending.count) = ([1.0; 2], true, 0);
        (self.speed, self.sound) = (Peak::default(), Peak::default());
    }

    /// Changes how the strands are held.
    pub fn set_support(&mut self, support: StrandSupport, h: f64) {
        if let Some(strands) = self.strands.as_mut().filter(|strands| strands.support() != support) {
            strands.set_support(support, h);
            if self.resting {
                strands.rest();
            }
        }
    }

    /// Sets the weights of the body's lowest modes at the strands.
    pub fn set_weights(&mut self, weights: &[f64]) {
        let weights = weights.iter().copied().chain(std::iter::repeat(0.0));
        self.weights.iter_mut().zip(weights).for_each(|(to, weight)| *to = weight);
    }

    /// Cost of a frame, in samples of one mode of the reference resonator.
    pub fn cost(&self) -> f32 {
        if self.is_on() { FRAME_COST + MODE_COST * self.modes.padded() as f32 } else { 0.0 }
    }

    /// Number of modes of the body that the strands follow; 0 while the modes that the strands drive are silent.
    pub fn followed_modes(&self) -> usize {
        if self.envelopes() == [0.0; 2] { 0 } else { FOLLOWED }
    }

    /// Largest sounds of left and right, with all modes in phase.
    pub fn envelopes(&self) -> [f64; 2] {
        if self.is_on() && !self.resting { self.modes.envelopes() } else { [0.0; 2] }
    }

    /// The body is about to be struck.
    pub fn wake(&mut self) {
        (self.speed.strike, self.sound.strike) = (0.0, 0.0);
    }

    /// Copies the state of the body, which rings from here on.
    pub fn copy_state(&mut self, q: &[f64], v: &[f64]) {
        for (copy, state) in self.copy.iter_mut().zip([q, v]) {
            let count = state.len().min(FOLLOWED);
            copy[..count].copy_from_slice(&state[..count]);
            copy[count..].fill(0.0);
        }
    }

    /// Rings with the copy over the frames `run` of a control block, where the state takes the factor `decay`, and adds to `out`.
    pub fn ring(&mut self, table: &StepTable, decay: f64, run: Range<usize>, gains: [f64; 2], out: &mut StereoBlock) {
        if self.resting {
            return;
        }
        self.play_pending(out);
        let mut kicks = [[0.0; LANES]; CONTROL_BLOCK];
        let count = run.len();
        for kicks in &mut kicks[..count] {
            step_copy(table, decay, &mut self.copy);
            *kicks = self.kicks();
        }
        self.render(&kicks[..count], decay as f32, run, gains, out);
    }

    /// One frame of a body in contact, after its step: [`MotionDrive::play_pending`] adds to frame `offset` of `out`.
    pub fn touch(&mut self, collision: &Collision, decay: f64, offset: usize, gains: [f64; 2], out: &mut StereoBlock) {
        if collision.is_exact() {
            let [q, v] = &mut self.copy;
            let count = collision.modes().len();
            for (i, (q, v)) in q.iter_mut().zip(v).enumerate() {
                (*q, *v) = if i < count { collision.state(i) } else { (0.0, 0.0) };
            }
        } else {
            self.copy_state(&collision.body().q, &collision.body().v);
        }
        self.resting = false;
        let (kicks, decay) = (self.kicks(), decay as f32);
        let PendingFrames { first, count, decay: before, targets, .. } = self.pending;
        if count == MAX_PENDING || count > 0 && (offset, decay, gains) != (first + count, before, targets) {
            self.play_pending(out);
        }
        let pending = &mut self.pending;
        if pending.count == 0 {
            (pending.first, pending.decay, pending.targets) = (offset, decay, gains);
        }
        pending.kicks[pending.count] = kicks;
        pending.count += 1;
    }

    /// Adds the sound of the frames that the body has touched since the last call to `out`. These frames; none if there are none.
    pub fn play_pending(&mut self, out: &mut StereoBlock) -> Option<Range<usize>> {
        let PendingFrames { kicks, first, count, decay, targets } = self.pending;
        if count == 0 {
            return None;
        }
        self.pending.count = 0;
        let frames = first..first + count;
        self.render(&kicks[..count], decay, frames.clone(), targets, out);
        Some(frames)
    }

    /// One control block on a body outside of a voice, with its displacement [m] and velocity [m/s] under the strands after every frame: adds
    /// to `out`.
    pub fn follow(&mut self, motion: &[[f64; 2]; CONTROL_BLOCK], out: &mut StereoBlock) {
        self.resting = false;
        let kicks = motion.map(|[x, speed]| self.kicks_at(x, speed));
        self.render(&kicks, 1.0, 0..CONTROL_BLOCK, [1.0; 2], out);
    }

    /// Whether neither body nor modes have moved for a while.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// Sets strands and modes to rest.
    pub fn rest(&mut self) {
        (self.resting, self.speed, self.sound) = (true, Peak::default(), Peak::default());
        self.pending.count = 0;
        self.modes.rest();
        if let Some(strands) = &mut self.strands {
            strands.rest();
        }
    }

    /// Steps the strands to the state of the copy.
    fn kicks(&mut self) -> [f32; STRANDS] {
        let [q, v] = &self.copy;
        let (x, speed) = (weighted(&self.weights, q), weighted(&self.weights, v));
        self.kicks_at(x, speed)
    }

    /// Steps the strands to a body at `x` [m] that moves at `speed` [m/s].
    fn kicks_at(&mut self, x: f64, speed: f64) -> [f32; STRANDS] {
        self.speed.add(speed.abs());
        self.strands.as_mut().map_or([0.0; STRANDS], |strands| strands.step(x, speed).map(|impulse| impulse as f32))
    }

    /// Adds the sound of the modes over the frames `run`.
    fn render(&mut self, kicks: &[[f32; LANES]], decay: f32, run: Range<usize>, targets: [f64; 2], out: &mut StereoBlock) {
        let mut frames = [[0.0; 2]; CONTROL_BLOCK];
        let frames = &mut frames[..kicks.len()];
        self.modes.render(kicks, decay, frames);
        for (offset, frame) in run.zip(frames) {
            let progress = (offset + 1) as f64 * (1.0 / CONTROL_BLOCK as f64);
            for (side, out) in out.iter_mut().enumerate() {
                let sound = f64::from(frame[side]);
                self.sound.add(sound.abs());
                out[offset] += (self.gains[side] + progress * (targets[side] - self.gains[side])) * sound;
            }
        }
    }

    /// Ends a control block at the gains `gains`. A body that has come to rest is not followed until it is touched.
    pub fn end_control_block(&mut self, gains: [f64; 2]) {
        self.gains = gains;
        if self.resting && !self.is_on() {
            return;
        }
        let (still, silent) = (self.speed.end_block(), self.sound.end_block());
        if still && silent && !self.resting {
            self.resting = true;
            self.modes.rest();
            if let Some(strands) = &mut self.strands {
                strands.rest();
            }
        }
    }
}

/// One frame of the copy.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn step_copy(StepTable { a11, a12, a21, a22, .. }: &StepTable, decay: f64, [q, v]: &mut [[f64; FOLLOWED]; 2]) {
    let count = a11.len().min(a12.len()).min(a21.len()).min(a22.len()).min(FOLLOWED);
    let (a11, a12, a21, a22) = (&a11[..count], &a12[..count], &a21[..count], &a22[..count]);
    for (i, (q, v)) in q.iter_mut().zip(v).take(count).enumerate() {
        let next = a11[i] * *q + a12[i] * *v;
        let speed = a21[i] * *q + a22[i] * *v;
        (*q, *v) = (next * decay, speed * decay);
    }
}

/// Sum of the weighted state.
fn weighted(weights: &[f64; FOLLOWED], state: &[f64; FOLLOWED]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (weights, state) in weights.as_chunks::<LANES>().0.iter().zip(state.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += weights[lane] * state[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
