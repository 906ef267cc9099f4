//! A body that answers to sound: its lowest modes, and the wires that their motion drives.

use crate::bleed::answering_modes::{AnsweringMode, AnsweringModes};
use crate::block::{CONTROL_BLOCK, StereoBlock, band_limit};
use crate::body::{BodyScratch, BodySize, BodyTuning, KeyScaling, MAX_DRIVEN, PickupModel, PreparedBody};
use crate::context::{RenderContext, decay_rate};
use crate::modulation::FrameTime;
use crate::voice::{MotionDrive, strand_place, unmodulated_strand_support};
use urto_physics::bodies::BodyPosition;
use urto_physics::modal::Mode;
use urto_physics::solver::StrandSupport;

/// Number of modes that answer, the lowest ones, suspensions included.
const MODES: usize = 48;

/// The part e of the largest weight at which a mode takes in half of what its loss allows: modes that are hardly heard hardly answer.
const HEARD_PART: f64 = 0.1;

/// Cost of a frame of one mode, in samples of one mode of the reference resonator: 700 modes of twelve bodies took 0.7 ns each.
const MODE_COST: f32 = 0.7;

/// Sound below which nothing arrives: absolute, and over the loudest since the body was at rest.
const SILENCE: f64 = 1e-10;
const RELATIVE_SILENCE: f64 = 1e-6;

/// Answer over the largest since the body was at rest below which it rests again: -120 dB.
const REST: f64 = 1e-6;

/// Control blocks between two checks whether it has come to rest.
const CHECKED_EVERY: u64 = 16;

/// Decay time (T60) [s] of an answer whose body is choked or taken away.
const FADE_TIME: f64 = 0.03;

/// Room to describe a body.
pub struct AnswerScratch {
    body: BodyScratch,
    modes: [Mode; MODES],
}

impl AnswerScratch {
    /// Allocates.
    pub fn new() -> Self {
        Self { body: BodyScratch::new(MODES), modes: [Mode::RIGID; MODES] }
    }
}

/// Pitch and size of a body.
#[derive(Clone, Copy, Debug)]
pub struct AnsweringKey {
    /// Frequency of the ratio 1 before tuning [Hz].
    pub hertz: f64,
    /// Difference from the body of the home key.
    pub scaling: KeyScaling,
}

/// All that its modes and weights depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Description {
    tuning: BodyTuning,
    size: BodySize,
    pickups: PickupModel,
    strands: BodyPosition,
}

impl Description {
    fn of(body: &PreparedBody, key: AnsweringKey, context: &RenderContext) -> Self {
        Self {
            tuning: context.body_tuning(key.hertz, key.scaling),
            size: context.body_size(key.scaling),
            pickups: context.pickup_model(key.scaling),
            strands: strand_place(body, context),
        }
    }
}

/// What the parameters make of a body that answers.
#[derive(Clone, Copy, Debug)]
pub struct AnswerSettings {
    description: Description,
    support: StrandSupport,
}

impl AnswerSettings {
    /// Those of `body` at `key`.
    pub fn of(body: &PreparedBody, key: AnsweringKey, context: &RenderContext) -> Self {
        Self { description: Description::of(body, key, context), support: unmodulated_strand_support(context) }
    }
}

/// A body that answers to sound.
pub struct AnsweringBody {
    modes: AnsweringModes,
    /// None: it never has any.
    wires: Option<Box<MotionDrive>>,
    described: Option<Description>,
    is_resting: bool,
    /// Loudest sound that has arrived, and largest answer, since it was at rest.
    loudest: f64,
    largest: f64,
    /// Frames until a choke ends.
    choked: u32,
}

/// Whether wires lie on a body that answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wires {
    /// Those of the body, if it has any.
    OfBody,
    /// None.
    Off,
}

impl AnsweringBody {
    /// At rest, without modes. Allocates.
    pub fn new(wires: Wires) -> Self {
        Self {
            modes: AnsweringModes::with_capacity(MODES),
            wires: (wires == Wires::OfBody).then(|| Box::new(MotionDrive::new(MAX_DRIVEN))),
            described: None,
            is_resting: true,
            loudest: 0.0,
            largest: 0.0,
            choked: 0,
        }
    }

    /// Whether nothing of it sounds.
    pub fn is_resting(&self) -> bool {
        self.is_resting
    }

    /// Puts its wires on `body`.
    pub fn set_wires(&mut self, body: &PreparedBody, context: &RenderContext) {
        let Some(wires) = &mut self.wires else { return };
        if body.driven().is_empty() {
            return wires.turn_off();
        }
        wires.turn_on(body, band_limit(context.rate), unmodulated_strand_support(context), 1.0 / context.rate);
    }

    /// Its wires, if they are on it.
    fn wires(&mut self) -> Option<&mut MotionDrive> {
        self.wires.as_deref_mut().filter(|wires| wires.is_on())
    }

    /// Takes modes and weights of `body` with these settings at `rate` [Hz], if they have changed.
    pub fn update(&mut self, body: &PreparedBody, settings: &AnswerSettings, rate: f64, scratch: &mut AnswerScratch) {
        if self.described != Some(settings.description) {
            self.described = Some(settings.description);
            self.describe(body, &settings.description, rate, scratch);
        }
        if let Some(wires) = self.wires() {
            wires.set_support(settings.support, 1.0 / rate);
        }
    }

    /// Forgets its body: the next one gets its own modes.
    pub fn forget(&mut self) {
        self.described = None;
        self.modes.set(std::iter::empty(), 1.0);
        self.rest();
    }

    fn describe(&mut self, body: &PreparedBody, description: &Description, rate: f64, scratch: &mut AnswerScratch) {
        let Description { tuning, size, pickups, strands } = description;
        let AnswerScratch { body: scratch, modes } = scratch;
        let modes = body.modes(MODES, tuning, rate, modes);
        pickups.fill_weights(body, *size, modes, scratch);
        body.pickup_weights(*strands, *size, modes.len(), scratch);
        let audible = body.rigid() + body.modes_below_limit(tuning, rate);
        let BodyScratch { weights: under_strands, pickups: [left, right], .. } = &*scratch;
        let heard = |i: usize| if i < audible { [left[i], right[i]] } else { [0.0; 2] };
        let square = |[left, right]: [f64; 2]| 0.5 * (left * left + right * right);
        let most = (0..modes.len()).map(|i| square(heard(i))).fold(0.0, f64::max);
        let answering = modes.iter().enumerate().map(|(i, mode)| {
            let (heard, square) = (heard(i), square(heard(i)));
            // in the phase of the louder pickup
            let [l, r] = heard;
            let weight = square.sqrt().copysign(if l.abs() < r.abs() { r } else { l });
            let part = square + HEARD_PART * most;
            let driven = if square > 0.0 { mode.sigma * weight / part / rate } else { 0.0 };
            let strands = if i < audible { under_strands[i] } else { 0.0 };
            AnsweringMode { mode: *mode, driven, heard, strands }
        });
        self.modes.set(answering, 1.0 / rate);
    }

    /// Cost of a frame, in samples of one mode of the reference resonator.
    pub fn cost(&self) -> f32 {
        if self.is_resting {
            0.0
        } else {
            MODE_COST * self.modes.padded() as f32 + self.wires.as_ref().map_or(0.0, |wires| wires.cost())
        }
    }

    /// Damps it as a choke damps a body.
    pub fn choke(&mut self, rate: f64) {
        self.choked = (FADE_TIME * rate) as u32;
    }

    /// Damps it for one control block or longer: it fades.
    pub fn fade(&mut self) {
        self.choked = self.choked.max(1);
    }

    /// Whether `sound` wakes it, or it moves.
    fn hears(&mut self, sound: &[f64; CONTROL_BLOCK]) -> bool {
        let peak = sound.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
        self.loudest = self.loudest.max(peak);
        peak > SILENCE.max(RELATIVE_SILENCE * self.loudest) && sound.iter().all(|x| x.is_finite())
    }

    /// The answer to `sound` over the control block that begins at `time`, in which the body is damped by `decay` in every frame; written into
    /// `out`.
    pub fn answer(&mut self, sound: &[f64; CONTROL_BLOCK], decay: f64, time: FrameTime, out: &mut StereoBlock) {
        let hears = self.hears(sound);
        if !hears && self.is_resting {
            (self.loudest, *out) = (0.0, [[0.0; CONTROL_BLOCK]; 2]);
            return;
        }
        if let Some(wires) = self.wires.as_mut().filter(|_| self.is_resting) {
            wires.wake();
        }
        self.is_resting = false;
        let silence = [0.0; CONTROL_BLOCK];
        let sound = if hears { sound } else { &silence };
        let choke = if self.choked > 0 { (-decay_rate(FADE_TIME) / time.rate).exp() } else { 1.0 };
        self.choked = self.choked.saturating_sub(CONTROL_BLOCK as u32);
        self.step(sound, decay * choke, out);
        if (time.frame / CONTROL_BLOCK as u64).is_multiple_of(CHECKED_EVERY) {
            let size = self.modes.flush();
            self.largest = self.largest.max(size);
            let is_still = size <= (REST * self.largest).max(SILENCE) && self.wires().is_none_or(|wires| wires.is_resting());
            if !hears && is_still {
                *out = [[0.0; CONTROL_BLOCK]; 2];
                self.rest();
            }
        }
    }

    fn step(&mut self, sound: &[f64; CONTROL_BLOCK], decay: f64, out: &mut StereoBlock) {
        let frames = if let Some(wires) = self.wires.as_deref_mut().filter(|wires| wires.is_on()) {
            let (frames, motion) = self.modes.answer_with_motion(sound, decay);
            copy(&frames, out);
            wires.follow(&motion, out);
            wires.end_control_block([1.0; 2]);
            frames
        } else {
            let frames = self.modes.answer(sound, decay);
            copy(&frames, out);
            frames
        };
        let finite = frames.iter().flatten().all(|x| x.is_finite()) && out.iter().flatten().all(|x| x.is_finite());
        if !finite {
            *out = [[0.0; CONTROL_BLOCK]; 2];
            self.rest();
        }
    }

    /// Sets it to rest.
    pub fn rest(&mut self) {
        self.modes.rest();
        if let Some(wires) = &mut self.wires {
            wires.rest();
        }
        (self.is_resting, self.loudest, self.largest, self.choked) = (true, 0.0, 0.0, 0);
    }
}

fn copy(frames: &[[f64; 2]; CONTROL_BLOCK], out: &mut StereoBlock) {
    let [left, right] = out;
    for ((left, right), frame) in left.iter_mut().zip(right).zip(frames) {
        [*left, *right] = *frame;
    }
}
