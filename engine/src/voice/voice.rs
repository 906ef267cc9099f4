//! One sounding body and the hammers on it: in contact, ringing, or asleep. Asleep it costs nothing and is exactly at rest.

use crate::block::CONTROL_BLOCK;
use crate::body::{BodyScratch, KeyScaling, PreparedBody};
use crate::context::RenderContext;
use crate::midi::NoteList;
use crate::modulation::PitchBendRamp;
use crate::modulation::PitchGlide;
use crate::params::ParamId;
use crate::telemetry::HitRecorder;
use crate::voice::exact_contacts::ExactContactPool;
use crate::voice::hammer::MOST_OWN;
use crate::voice::hammers::{HammerState, MAX_HAMMERS};
use crate::voice::lookahead::RenderLookahead;
use crate::voice::obstacles::Obstacles;
use crate::voice::pickup::{Pickup, read_pickups, route_exact_contact};
use crate::voice::silence::{SilenceDetector, is_nearly_at_rest};
use urto_physics::bodies::BodyPosition;
use urto_physics::modal::StepTable;
use urto_physics::radiation::{HammerHead, MalletNoise};
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS, SubstepReport};

/// Tables of step coefficients: a whole sample, a level of contacts, and an odd length, which all bodies share; others are filled in
/// their place.
const LEVELS: usize = 3;

/// What a body of up to `modes` modes and its hammers need.
pub fn capacity(modes: usize) -> Capacity {
    Capacity { modes, hammers: MAX_HAMMERS, hammer_modes: MOST_OWN, levels: LEVELS }
}

/// Energy of one mode [J] that is set to zero: without sound, and far above denormal numbers.
const NEGLIGIBLE: f64 = 1e-40;

/// Time [s] in which a damper comes down: an envelope that breaks off at once has a kink that is heard in low sines.
const EASE: f64 = 8e-3;

/// Time constant with which gains move [s].
const GAIN_TIME: f64 = 3e-3;

/// Distance of a gain from its goal at which it has arrived.
const ARRIVED: f64 = 1e-6;

/// Work of a frame of a body with hammers beside its collision, and of each of its modes, in samples of one resonator of the yardstick.
const FRAME: f32 = 60.0;
const FRAME_MODE: f32 = 1.0;

/// Work of a mode in a sample of a contact that is played exactly, and of each pair of modes when it begins.
const EXACT_MODE: f32 = 1.0;
const EXACT_PAIR: f32 = 1.2;

/// The turn of one object to step a frame.
#[derive(Clone, Copy, Debug)]
pub struct StepRequest {
    /// Which object.
    pub object: usize,
    /// Frame of the grid cell.
    pub offset: usize,
    /// Absolute frame.
    pub frame: u64,
    /// Work that it may take, in samples of one resonator of the yardstick.
    pub allowance: f32,
    /// Work that is left in the window.
    pub left: f32,
    /// Gain of the sound of hammers.
    pub click: f64,
    /// Sample rate [Hz].
    pub rate: f64,
}

/// What a frame with hammers took.
#[derive(Clone, Copy, Debug)]
pub struct StepReport {
    /// Substeps.
    pub substeps: u32,
    /// Work, in samples of one resonator of the yardstick.
    pub work: f32,
    /// It would have taken more.
    pub short: bool,
    /// The state is still a number.
    pub sound: bool,
}

/// One body on the stage.
pub struct Voice {
    /// Body and hammers.
    pub collision: Collision,
    /// Place of the body on the shelf; None = asleep.
    pub place: Option<usize>,
    /// Key that strikes it.
    pub key: u8,
    /// Frame at which it woke.
    pub activated_at: u64,
    /// Frame of the last stroke.
    pub last_strike: u64,
    /// Notes that struck it.
    pub notes: NoteList,
    /// Factor of the state per frame, 1 = undamped.
    pub fade: f64,
    /// Decay rate [1/s] of a body that is choked or has been stolen.
    pub choked: f64,
    /// Decay rate [1/s] by the damper of its notes.
    pub damper: f64,
    /// Decay rate [1/s] by the hand that presses.
    pub hand: f64,
    /// Decay rate [1/s] that all of them make, and how far it has come.
    goal: f64,
    sigma: f64,
    /// Another key has taken its place; it fades.
    pub stolen: bool,
    /// Hammers on it.
    pub hammers: usize,
    /// Largest force [N] on a hammer of the drive since last looked at.
    pub driven_force: f64,
    /// What it knocks against from behind.
    pub obstacles: Obstacles,
    /// Frames of the grid cell that are rendered.
    pub rendered: usize,
    /// Left and right over the grid cell.
    pub out: [[f64; CONTROL_BLOCK]; 2],
    /// How it differs from the body that the knobs describe.
    pub build: KeyScaling,
    /// Frequency of its key [Hz].
    pub frequency_glide: PitchGlide,
    /// Part of its way that the frequency goes in one tick.
    pub glide: f64,
    /// Its bend.
    pub bend: PitchBendRamp,
    /// Gains of left and right that it heads for.
    pub gain_goals: [f64; 2],
    /// What its notes do to it has changed since it was looked at.
    pub notes_changed: bool,
    /// Its pitch or losses have moved since it was tuned.
    pub needs_retune: bool,
    /// When it was tuned, by the stage's count.
    pub tuned: u64,
    /// What is known of every hammer.
    pub hammer_states: [HammerState; MAX_HAMMERS],
    /// How loud it was since the last stroke.
    pub loudness: SilenceDetector,
    /// The head of the hammer thrown last, and its sound.
    pub head: HammerHead,
    /// What it has rendered ahead of its state.
    pub ahead: RenderLookahead,
    click: MalletNoise,
    gains: [f64; 2],
    pub(crate) pickups: [Pickup; 2],
    partials: usize,
    /// Partials that fitted when it woke.
    struck: usize,
    fitting: usize,
}

impl Voice {
    /// Asleep, with room for `modes` modes; allocates.
    pub fn new(rate: f64, modes: usize) -> Self {
        let mut collision = Collision::bare(rate, capacity(modes));
        collision.exchange_odd(&mut StepTable::default());
        Self {
            collision,
            place: None,
            key: 0,
            activated_at: 0,
            last_strike: 0,
            notes: NoteList::default(),
            fade: 1.0,
            choked: 0.0,
            damper: 0.0,
            hand: 0.0,
            goal: 0.0,
            sigma: 0.0,
            stolen: false,
            hammers: 0,
            driven_force: 0.0,
            obstacles: Obstacles::default(),
            rendered: 0,
            out: [[0.0; CONTROL_BLOCK]; 2],
            build: KeyScaling::default(),
            frequency_glide: PitchGlide::default(),
            glide: 1.0,
            bend: PitchBendRamp::at(0.0),
            gain_goals: [1.0; 2],
            notes_changed: false,
            needs_retune: false,
            tuned: 0,
            hammer_states: [HammerState::default(); MAX_HAMMERS],
            loudness: SilenceDetector::default(),
            head: HammerHead::new(1.0, rate),
            ahead: RenderLookahead::new(modes + 8),
            click: MalletNoise::default(),
            gains: [1.0; 2],
            pickups: std::array::from_fn(|_| Pickup::new(modes + 8)),
            partials: 0,
            struck: 0,
            fitting: 0,
        }
    }

    /// Whether it sounds.
    pub fn is_awake(&self) -> bool {
        self.place.is_some()
    }

    /// Whether it is the body at `place` of the shelf that a strike of `key` at `hertz` [Hz] meets.
    pub fn matches(&self, key: u8, hertz: f64, place: usize) -> bool {
        self.place == Some(place) && !self.stolen && self.key == key && self.frequency_glide.target() == hertz
    }

    /// Becomes the body of `key` at `hertz` [Hz], at rest. The room of `scratch` is the most modes it may have.
    pub fn activate(
        &mut self,
        (key, hertz): (u8, f64),
        place: usize,
        body: &PreparedBody,
        scene: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        let offset = (scene.frame % CONTROL_BLOCK as u64) as usize;
        for out in &mut self.out {
            out[self.rendered.min(offset)..].fill(0.0);
        }
        self.rendered = self.rendered.max(offset);
        (self.key, self.place, self.stolen, self.activated_at, self.last_strike) =
            (key, Some(place), false, scene.frame, scene.frame);
        (self.choked, self.damper, self.hand) = (0.0, 0.0, 0.0);
        (self.goal, self.sigma, self.fade) = (0.0, 0.0, 1.0);
        self.notes.clear();
        (self.frequency_glide, self.bend, self.glide) = (PitchGlide::at(hertz), PitchBendRamp::at(0.0), scene.glides.step());
        (self.build, self.needs_retune, self.notes_changed) = (scene.key_scaling(key), false, false);
        (self.gains, self.gain_goals) = ([1.0; 2], [1.0; 2]);
        let pitch = scene.pitch(self.frequency(), self.build);
        self.partials = body.reach(&pitch, scene.rate).min(scratch.weights.len() - body.suspensions());
        self.fitting = body.modes_below_limit(&pitch, scene.rate).min(self.partials);
        self.struck = self.fitting;
        self.collision.set_body(body.modes(self.partials, &pitch, scene.rate, &mut scratch.modes).iter().copied());
        self.ahead.reset();
        (self.hammers, self.obstacles) = (0, Obstacles::default());
        let padded = self.collision.body().padded();
        self.click = MalletNoise::default();
        let heard = body.rigid() + self.fitting;
        scene.pickup_model(self.build).fill_weights(body, scene.size(self.build), self.collision.modes(), scratch);
        for (pickup, ear) in self.pickups.iter_mut().zip(&scratch.ears) {
            pickup.set(&ear[..heard], padded);
        }
    }

    /// Where its frequency is [Hz].
    pub fn frequency(&self) -> f64 {
        self.frequency_glide.value() * self.bend.factor()
    }

    /// Moves pitch, gains and damping on by one grid cell of `time` [s]. Whether the gains moved.
    pub fn advance_control(&mut self, time: f64) -> bool {
        let (glided, bent) = (self.frequency_glide.tick(self.glide), self.bend.tick(time));
        let step = -(-time / GAIN_TIME).exp_m1();
        self.needs_retune |= glided || bent;
        self.advance_decay(time);
        let moved = self.gains != self.gain_goals;
        for (gain, goal) in self.gains.iter_mut().zip(self.gain_goals) {
            *gain += step * (goal - *gain);
            if (*gain - goal).abs() < ARRIVED {
                *gain = goal;
            }
        }
        moved
    }

    /// Starts with the bend and the gains that it heads for.
    pub fn snap_to_targets(&mut self, body: &PreparedBody, scene: &RenderContext, scratch: &mut BodyScratch) {
        if !self.bend.is_settled() {
            self.bend = PitchBendRamp::at(self.bend.goal());
            self.retune(body, scene, scratch);
        }
        if self.gains != self.gain_goals {
            self.gains = self.gain_goals;
            self.move_pickups(body, scene, scratch);
        }
    }

    /// Heads for the decay rate that choke, damper and hand make: less of it at once, more of it within [`EASE`].
    pub fn set_decay_target(&mut self, rate: f64) {
        self.goal = self.choked.max(self.damper) + self.hand;
        if self.sigma > self.goal {
            self.discard_lookahead();
            self.sigma = self.goal;
            self.fade = (-self.sigma / rate).exp();
        }
    }

    /// Whether a damper is coming down.
    pub(crate) fn is_easing(&self) -> bool {
        self.sigma < self.goal
    }

    /// Moves the decay rate on by one grid cell of `time` [s].
    fn advance_decay(&mut self, time: f64) {
        if self.is_easing() {
            self.discard_lookahead();
            self.sigma = (self.sigma + self.goal * (time / EASE)).min(self.goal);
            self.fade = (-self.sigma * time / CONTROL_BLOCK as f64).exp();
        }
    }

    /// At rest. Who called knows what to do with body and notes.
    pub fn deactivate(&mut self) {
        (self.place, self.rendered) = (None, 0);
        (self.hammers, self.obstacles) = (0, Obstacles::default());
        self.ahead.reset();
        self.collision.set_body(std::iter::empty());
    }

    /// One frame with hammers. `recorder` sees all hammers but those of the drive; `odd` is a table for odd lengths.
    pub fn step(
        &mut self,
        turn: &StepRequest,
        bases: &mut ExactContactPool,
        odd: &mut StepTable,
        recorder: &mut HitRecorder,
    ) -> StepReport {
        let &StepRequest { object, offset, frame, allowance, left, click, rate } = turn;
        self.ring_to(offset, click);
        self.discard_lookahead();
        let (key, thrown, obstacles, driven_force) = (self.key, &self.hammer_states, self.obstacles, &mut self.driven_force);
        let mut impulse = 0.0;
        let mut watch = |collision: &Collision, substep: &SubstepReport| {
            if thrown[substep.hammer].driven {
                *driven_force = driven_force.max(substep.force);
            } else if !obstacles.contain(substep.hammer) {
                impulse += substep.force * substep.dt;
                recorder.record_substep(object, key, collision, substep);
            }
        };
        let begins = !self.collision.is_exact() && bases.begin(object, &mut self.collision, (frame, left));
        let modes = self.collision.modes().len() as f32;
        let beside = FRAME + FRAME_MODE * modes + bases.take_work();
        let (substeps, work, short) = if self.collision.is_exact() {
            route_exact_contact(&mut self.pickups, &mut self.collision, begins);
            self.collision.step_exact(&mut watch);
            let changing = if begins { EXACT_PAIR * modes * modes } else { 0.0 };
            (1, beside + EXACT_MODE * modes + changing, false)
        } else {
            self.collision.exchange_odd(odd);
            self.collision.set_cost_limit(allowance - beside);
            let effort = self.collision.step(MAX_SUBSTEPS, &mut watch);
            self.collision.exchange_odd(odd);
            (effort.substeps, beside + self.collision.cost(), self.collision.was_limited())
        };
        if self.fade != 1.0 {
            self.fade_away();
        }
        read_pickups(&self.pickups, &self.collision, offset, &mut self.out);
        self.rendered = offset + 1;
        self.add_mallet_noise(offset, impulse * rate, click);
        StepReport { substeps, work, short, sound: self.silence_if_broken(offset..offset + 1) }
    }

    /// About the least work of a frame with the hammers that are there; none without.
    pub fn least_work(&self) -> f32 {
        if self.active_count() == 0 {
            return 0.0;
        }
        FRAME + FRAME_MODE * self.collision.modes().len() as f32 + self.collision.least_cost()
    }

    /// One frame of the damping: on a body that obstacles may bend of its motion only, twice as much for the same decay.
    fn fade_away(&mut self) {
        if self.obstacles.active_count() > 0 {
            self.collision.damp_motion(self.fade * self.fade);
        } else {
            self.collision.damp(self.fade);
        }
    }

    /// Rings without hammers up to frame `end` of the grid cell. False when the state is no longer a number.
    pub fn ring_to(&mut self, end: usize, click: f64) -> bool {
        if !self.is_awake() || self.rendered >= end {
            return true;
        }
        let run = self.rendered..end;
        self.ring_on(run.clone());
        self.rendered = end;
        if !self.click.is_still() {
            run.clone().for_each(|offset| self.add_mallet_noise(offset, 0.0, click));
        }
        self.silence_if_broken(run)
    }

    /// Adds the sound of the hammers' heads to frame `offset`, in which they feel `force` [N]; `gain` is 0 while nobody listens.
    fn add_mallet_noise(&mut self, offset: usize, force: f64, gain: f64) {
        if gain == 0.0 {
            self.click = MalletNoise::default();
        } else if force != 0.0 || !self.click.is_still() {
            let heard = gain * self.click.step(&self.head, force);
            self.out.iter_mut().zip(self.gains).for_each(|(out, side)| out[offset] += side * heard);
        }
    }

    fn silence_if_broken(&mut self, run: std::ops::Range<usize>) -> bool {
        let [left, right] = &mut self.out;
        let broken = run.clone().find(|&k| !(left[k].is_finite() && right[k].is_finite()));
        if let Some(first) = broken {
            left[first..run.end].fill(0.0);
            right[first..run.end].fill(0.0);
        }
        broken.is_none()
    }

    /// A grid cell has ended with absolute frame `frame`.
    pub fn end_control_block(&mut self, frame: u64) {
        // what lies before its birth is another's
        let age = frame.saturating_sub(self.activated_at).min(CONTROL_BLOCK as u64) as usize;
        self.loudness.note(self.out.each_ref().map(|out| &out[CONTROL_BLOCK - age..]));
        if self.pickups.iter().any(Pickup::is_moving) {
            self.ahead.invalidate_pickups();
            self.pickups.iter_mut().for_each(Pickup::arrive);
        }
    }

    /// Takes the scene's pitch and losses; the number of modes that this cost.
    pub fn retune(&mut self, body: &PreparedBody, scene: &RenderContext, scratch: &mut BodyScratch) -> usize {
        let pitch = scene.pitch(self.frequency(), self.build);
        self.discard_lookahead();
        self.ahead.invalidate_tuning();
        self.collision.retune(body.modes(self.partials, &pitch, scene.rate, &mut scratch.modes).iter().copied());
        // as without a morph while there is none
        let most = if pitch.morph > 0.0 { self.partials } else { self.struck };
        let fitting = body.modes_below_limit(&pitch, scene.rate).min(most);
        let follows = scene.pickup_model(self.build).cost();
        if fitting != self.fitting || follows > 0 {
            self.fitting = fitting;
            self.move_pickups(body, scene, scratch);
        }
        self.partials * (1 + follows)
    }

    /// Takes the scene's body mass and pickups.
    pub fn replace(&mut self, body: &PreparedBody, scene: &RenderContext, scratch: &mut BodyScratch) {
        self.move_pickups(body, scene, scratch);
        self.update_weights(body, scene, scratch);
    }

    /// Weights for a hammer at `place`. Of a body that morphs it does not feel the partials that have never fitted into the band.
    pub fn hammer_weights<'a>(
        &self,
        body: &PreparedBody,
        place: BodyPosition,
        scene: &RenderContext,
        scratch: &'a mut BodyScratch,
    ) -> &'a [f64] {
        let count = self.collision.modes().len();
        let weights = body.hammer_weights(place, (scene.body_mass(self.build), scene.glides.get(ParamId::Morph)), count, scratch);
        if body.morphs() {
            let rigid = body.rigid();
            weights[rigid + self.fitting.max(self.struck)..rigid + self.partials].fill(0.0);
        }
        weights
    }

    /// Pickups hear by the scene's places, gains and body mass; modes that have left the band are no longer heard.
    pub fn move_pickups(&mut self, body: &PreparedBody, scene: &RenderContext, scratch: &mut BodyScratch) {
        self.discard_lookahead();
        self.ahead.invalidate_pickups();
        let heard = body.rigid() + self.fitting;
        scene.pickup_model(self.build).fill_weights(body, scene.size(self.build), self.collision.modes(), scratch);
        for ((pickup, ear), gain) in self.pickups.iter_mut().zip(&mut scratch.ears).zip(self.gains) {
            if gain != 1.0 {
                ear[..heard].iter_mut().for_each(|weight| *weight *= gain);
            }
            pickup.head_for(&ear[..heard]);
        }
    }

    /// Whether the body has died away at `level` (a factor) of the output, even if all its modes come in phase.
    pub fn is_quiet(&mut self, level: f64, scene: &RenderContext) -> bool {
        self.collision.settle();
        let (body, resting) = (self.collision.body(), self.collision.any_touching());
        let moves = |energy: f64| !is_nearly_at_rest(energy, scene.body_mass(self.build));
        if !resting && moves(body.energy() + self.free_energy()) || !self.obstacles_rest() {
            return false;
        }
        let (mut heard, mut energy) = ([0.0; 2], 0.0);
        for (i, mode) in body.list().iter().enumerate() {
            let envelope = body.v[i].hypot(mode.omega * (body.q[i] - if resting { self.collision.rest(i) } else { 0.0 }));
            energy += 0.5 * envelope * envelope;
            for (heard, pickup) in heard.iter_mut().zip(&self.pickups) {
                *heard += pickup.weight(i).abs() * envelope;
            }
        }
        !(resting && moves(energy)) && self.loudness.is_below_floor(heard[0].max(heard[1]), level)
    }

    /// Sets modes to zero that have died away, before they come to denormal numbers.
    pub fn flush_denormals(&mut self) {
        let (_, q, v) = self.collision.ring_parts();
        // omega q is of the size of v on average over a period; both small at once means that the mode is dead
        for (q, v) in q.iter_mut().zip(v) {
            if *v * *v < NEGLIGIBLE && *q * *q < NEGLIGIBLE {
                (*q, *v) = (0.0, 0.0);
            }
        }
    }
}
