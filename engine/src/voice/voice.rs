//! One sounding body with the hammers on it: in contact, ringing, or asleep. A voice that is asleep costs nothing and is exactly at rest.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::body::{KeyScaling, MAX_DRIVEN, PartialCounts};
use crate::hi_hat::{HiHat, HiHatChanges};
use crate::midi::NoteList;
use crate::voice::cascade::VoiceCascade;
use crate::voice::contact_follower::ContactFollower;
use crate::voice::flight_state::HammerFlight;
use crate::voice::hammer::{HammerState, MAX_HAMMERS, capacity};
use crate::voice::lookahead::RenderLookahead;
use crate::voice::motion_drive::MotionDrive;
use crate::voice::obstacles::Obstacles;
use crate::voice::pickup::Pickup;
use crate::voice::ring::{SilenceDetector, VoiceDecay};
use crate::voice::stiffening_meter::StiffeningMeter;
use crate::voice::thinning_state::Thinning;
use crate::voice::tube_sound::TubeSound;
use crate::voice::voice_pitch::{KeyPitch, VoicePitch};

use urto_physics::bodies::BodyPosition;
use urto_physics::modal::{LANES, StepTable};
use urto_physics::radiation::{HammerHead, MalletNoise};
use urto_physics::solver::Collision;

/// Energy of one mode [J] below which it is set to zero: inaudible, and far above denormal numbers.
const MODE_FLOOR: f64 = 1e-40;

/// Time constant of gains [s].
const GAIN_SMOOTHING_TIME: f64 = 3e-3;

/// Distance from its target at which a gain is set to it.
const SETTLE_DISTANCE: f64 = 1e-6;

/// The hammers on a voice.
pub(super) struct HammerSet {
    /// State of every hammer of the collision.
    pub states: [HammerState; MAX_HAMMERS],
    /// Number of hammers, without obstacles.
    pub count: usize,
    /// Largest force [N] on a driven hammer since the last reading.
    pub driven_force: f64,
    /// The last contact of a hammer of a note.
    pub contact: ContactFollower,
    /// Head of the hammer launched last.
    pub head: HammerHead,
    pub noise: MalletNoise,
}

/// Sound of a voice over a control block, and how it is read from the body.
pub(super) struct VoiceOutput {
    pub block: StereoBlock,
    /// Frames of the block rendered so far.
    pub rendered: usize,
    /// Gains of left and right.
    pub gains: [f64; 2],
    pub gain_targets: [f64; 2],
    pub pickups: [Pickup; 2],
    /// Number of what their weights follow from; 0: they have moved since.
    pub pickup_inputs: u64,
    pub silence: SilenceDetector,
}

/// One sounding body.
pub struct Voice {
    pub(super) collision: Collision,
    /// Slot of its body; None when asleep.
    pub(super) body_slot: Option<usize>,
    /// Key that strikes it.
    pub(super) key: u8,
    pub(super) activated_at: u64,
    /// Frame of the last strike.
    pub(super) last_strike: u64,
    /// It has been stolen for another key, and fades.
    pub(super) stolen: bool,
    pub(super) notes: NoteList,
    /// The effect of its notes has changed since it was last updated.
    pub(super) notes_changed: bool,
    pub(super) decay: VoiceDecay,
    pub(super) pitch: VoicePitch,
    /// Difference from the body that the parameters describe.
    pub(super) key_scaling: KeyScaling,
    pub(super) hammers: HammerSet,
    pub(super) flight: HammerFlight,
    pub(super) obstacles: Obstacles,
    pub(super) output: VoiceOutput,
    pub(super) lookahead: RenderLookahead,
    pub(super) cascade: VoiceCascade,
    /// Modes that the motion of the body drives, and where its strands lie.
    pub(super) motion: MotionDrive,
    pub(super) strands_at: BodyPosition,
    /// The tube under its body.
    pub(super) tube: TubeSound,
    /// Position, mass or gains have changed since its weights were updated, and when that was, by the count of all voices.
    pub(super) outdated_weights: bool,
    pub(super) last_weights: u64,
    pub(super) partials: PartialCounts,
    /// Frequency of the ratio 1 [Hz] for which it was activated: a string has the length that belongs to it.
    pub(super) made_at: f64,
    pub(super) thinning: Thinning,
    pub(super) stiffening_meter: StiffeningMeter,
    /// The hi-hat that it plays in place of the body of the collision.
    pub(super) hi_hat: Option<Box<HiHat>>,
    /// It stays awake although it is silent: it answers to others.
    pub(super) is_kept_awake: bool,
    /// Changes that its plates have not taken yet, and its gains at the start of the control block.
    pub(super) hi_hat_changes: HiHatChanges,
    pub(super) hi_hat_gains: [f64; 2],
}

impl Voice {
    /// Asleep, with room for `modes` modes; allocates.
    pub fn new(rate: f64, modes: usize) -> Self {
        let mut collision = Collision::bare(rate, capacity(modes));
        collision.exchange_odd(&mut StepTable::with_capacity(0));
        Self {
            collision,
            body_slot: None,
            key: 0,
            activated_at: 0,
            last_strike: 0,
            stolen: false,
            notes: NoteList::default(),
            notes_changed: false,
            decay: VoiceDecay::none(),
            pitch: VoicePitch::at(0.0, 1.0),
            key_scaling: KeyScaling::default(),
            hammers: HammerSet {
                states: [HammerState::default(); MAX_HAMMERS],
                count: 0,
                driven_force: 0.0,
                contact: ContactFollower::default(),
                head: HammerHead::new(1.0, rate),
                noise: MalletNoise::default(),
            },
            flight: HammerFlight::default(),
            obstacles: Obstacles::default(),
            output: VoiceOutput {
                block: [[0.0; CONTROL_BLOCK]; 2],
                rendered: 0,
                gains: [1.0; 2],
                gain_targets: [1.0; 2],
                pickups: std::array::from_fn(|_| Pickup::new(modes + 8)),
                pickup_inputs: 0,
                silence: SilenceDetector::default(),
            },
            lookahead: RenderLookahead::new(modes + 8),
            cascade: VoiceCascade::new(modes, rate),
            motion: MotionDrive::new(modes.min(MAX_DRIVEN)),
            strands_at: BodyPosition { along: 0.0, across: 0.0 },
            tube: TubeSound::default(),
            outdated_weights: false,
            last_weights: 0,
            partials: PartialCounts::default(),
            made_at: 1.0,
            thinning: Thinning::Off,
            stiffening_meter: StiffeningMeter::default(),
            hi_hat: None,
            is_kept_awake: false,
            hi_hat_changes: HiHatChanges::default(),
            hi_hat_gains: [1.0; 2],
        }
    }

    /// Whether it sounds.
    pub fn is_awake(&self) -> bool {
        self.body_slot.is_some()
    }

    /// Slot of its body; None when asleep.
    pub fn body_slot(&self) -> Option<usize> {
        self.body_slot
    }

    /// Key that strikes it.
    pub fn key(&self) -> u8 {
        self.key
    }

    /// Frame at which it was activated.
    pub fn activated_at(&self) -> u64 {
        self.activated_at
    }

    /// Frame of the last strike.
    pub fn last_strike(&self) -> u64 {
        self.last_strike
    }

    /// Whether it has been stolen for another key.
    pub fn is_stolen(&self) -> bool {
        self.stolen
    }

    /// Whether it stays awake although it is silent.
    pub fn is_kept_awake(&self) -> bool {
        self.is_kept_awake
    }

    /// Sets whether it stays awake although it is silent.
    pub fn keep_awake(&mut self, is_kept: bool) {
        self.is_kept_awake = is_kept;
    }

    /// Whether neither damper nor choke nor modulation damps it.
    pub fn is_undamped(&self) -> bool {
        self.decay.factor() == 1.0
    }

    /// Factor of its state per frame by damper, choke and modulation, 1 when undamped.
    pub fn decay_factor(&self) -> f64 {
        self.decay.factor()
    }

    /// Gains of left and right by its note.
    pub fn gains(&self) -> [f64; 2] {
        self.output.gains
    }

    /// Difference from the body that the parameters describe.
    pub fn key_scaling(&self) -> KeyScaling {
        self.key_scaling
    }

    /// Whether it plays a hi-hat.
    pub fn has_hi_hat(&self) -> bool {
        self.hi_hat.is_some()
    }

    /// The hi-hat that it plays.
    pub fn hi_hat(&self) -> Option<&HiHat> {
        self.hi_hat.as_deref()
    }

    /// The same, mutable.
    pub fn hi_hat_mut(&mut self) -> Option<&mut HiHat> {
        self.hi_hat.as_deref_mut()
    }

    /// Whether a hammer, an obstacle or a stick is at its body.
    pub fn is_struck(&self) -> bool {
        self.active_count() > 0 || self.hi_hat().is_some_and(HiHat::has_sticks)
    }

    /// Whether it is the body of `slot` that a strike of `pitch` hits.
    pub fn matches(&self, pitch: KeyPitch, slot: usize) -> bool {
        self.body_slot == Some(slot) && !self.stolen && self.key == pitch.key && self.pitch.target() == pitch.hertz
    }

    /// Body and hammers.
    pub fn collision(&self) -> &Collision {
        &self.collision
    }

    /// Body and hammers, mutable.
    pub fn collision_mut(&mut self) -> &mut Collision {
        &mut self.collision
    }

    /// Notes that struck it and have not ended.
    pub fn notes(&self) -> &NoteList {
        &self.notes
    }

    /// Its notes, mutable; call [`Voice::mark_notes_changed`] where that affects the sound.
    pub fn notes_mut(&mut self) -> &mut NoteList {
        &mut self.notes
    }

    /// Marks its notes as changed: the voice is updated at the next control block.
    pub fn mark_notes_changed(&mut self) {
        self.notes_changed = true;
    }

    /// Whether its notes have changed since it was updated.
    pub fn notes_changed(&self) -> bool {
        self.notes_changed
    }

    /// Its frequency.
    pub fn pitch(&self) -> &VoicePitch {
        &self.pitch
    }

    /// Its frequency, mutable.
    pub fn pitch_mut(&mut self) -> &mut VoicePitch {
        &mut self.pitch
    }

    /// Glides to `pitch` by the part `step` per control block.
    pub fn glide_to(&mut self, pitch: KeyPitch, step: f64) {
        self.key = pitch.key;
        self.pitch.glide_to(pitch.hertz, step);
    }

    /// Number of hammers, without obstacles.
    pub fn hammer_count(&self) -> usize {
        self.hammers.count
    }

    /// Its obstacles.
    pub fn obstacles(&self) -> &Obstacles {
        &self.obstacles
    }

    /// Number of hammers and obstacles to step.
    pub fn active_count(&self) -> usize {
        self.hammers.count + self.obstacles.active_count()
    }

    /// Its sound over the control block.
    pub fn output(&self) -> &StereoBlock {
        &self.output.block
    }

    /// Number of frames of the block rendered so far.
    pub fn rendered(&self) -> usize {
        self.output.rendered
    }

    /// Starts rendering of the block at frame `offset`.
    pub fn start_rendering(&mut self, offset: usize) {
        self.output.rendered = offset;
    }

    /// Puts it to sleep, at rest. The caller handles its notes and the slot of its body.
    pub fn deactivate(&mut self) {
        (self.body_slot, self.output.rendered, self.is_kept_awake) = (None, 0, false);
        (self.hammers.count, self.obstacles, self.thinning) = (0, Obstacles::default(), Thinning::Off);
        self.flight = HammerFlight::Stepped;
        self.lookahead.reset();
        if self.collision.held_count() == 0 {
            // a dense body after it does not account for its cost
            self.lookahead.take_cost();
        }
        self.motion.turn_off();
        self.collision.set_body(std::iter::empty());
    }

    /// Steals it for another key: it fades at the rate `decay_rate` [1/s], at `sample_rate` [Hz].
    pub fn steal(&mut self, decay_rate: f64, sample_rate: f64) {
        self.stolen = true;
        self.decay.set_choke(decay_rate);
        self.update_decay(sample_rate);
    }

    /// Ends a choke.
    pub fn end_choke(&mut self) {
        self.decay.set_choke(0.0);
    }

    /// Advances pitch, gains and damping by one control block of `time` [s]. Returns whether the gains moved.
    pub fn advance_control(&mut self, time: f64) -> bool {
        self.pitch.advance(time);
        let step = -(-time / GAIN_SMOOTHING_TIME).exp_m1();
        if self.decay.is_rising() {
            self.discard_lookahead();
            self.decay.advance(time);
        }
        let VoiceOutput { gains, gain_targets, .. } = &mut self.output;
        let moved = gains != gain_targets;
        for (gain, target) in gains.iter_mut().zip(*gain_targets) {
            *gain += step * (target - *gain);
            if (*gain - target).abs() < SETTLE_DISTANCE {
                *gain = target;
            }
        }
        moved
    }

    /// Updates the target of the decay rate: it falls immediately and rises with the damper, at `rate` [Hz].
    pub fn update_decay(&mut self, rate: f64) {
        if self.decay.update_target() {
            self.discard_lookahead();
            self.decay.land(rate);
        }
    }

    /// Renders at most `blocks` control blocks ahead: a power of two up to 32.
    pub fn set_most_blocks_ahead(&mut self, blocks: usize) {
        self.lookahead.set_most_blocks(blocks);
    }

    /// Whether its turn for a long lookahead comes in this control block.
    pub fn has_lookahead_turn(&self) -> bool {
        self.lookahead.has_turn()
    }

    /// Brings the state to the last frame played.
    pub fn sync_state(&mut self) {
        self.lookahead.sync_state(&mut self.collision, &self.cascade, self.decay.factor(), &self.output.pickups);
    }

    /// Brings the state to the last frame played and drops the lookahead: the body is about to change.
    pub fn discard_lookahead(&mut self) {
        self.sync_state();
        self.flight.land(&mut self.collision, self.lookahead.played());
        self.lookahead.discard();
    }

    /// Ends the dormancy of obstacles before something touches the body.
    pub(super) fn wake_obstacles(&mut self) {
        if self.obstacles.wake() {
            self.collision.follow_body();
        }
    }

    /// Sets modes that have died away to zero, before they become denormal numbers.
    pub fn flush_denormals(&mut self) {
        let (_, q, v) = self.collision.ring_parts();
        // omega q is of the size of v on average over a period; both are small only if the mode has died away
        for (q, v) in q.as_chunks_mut::<LANES>().0.iter_mut().zip(v.as_chunks_mut::<LANES>().0) {
            let dead: [bool; LANES] = std::array::from_fn(|i| (v[i] * v[i] < MODE_FLOOR) & (q[i] * q[i] < MODE_FLOOR));
            // mostly none is: then nothing is written
            if dead.iter().fold(false, |any, dead| any | dead) {
                for i in (0..LANES).filter(|&i| dead[i]) {
                    (q[i], v[i]) = (0.0, 0.0);
                }
            }
        }
    }

    /// Energy [J] of its body, or of both plates of a hi-hat, with hammers and contacts.
    pub fn energy(&self) -> f64 {
        self.hi_hat().map_or_else(|| self.collision.energy(), |hi_hat| hi_hat.network().energy())
    }

    /// The same without what a closed pedal stores in the contacts of its plates.
    pub fn energy_of_motion(&self) -> f64 {
        self.hi_hat().map_or_else(|| self.collision.energy(), HiHat::kinetic_energy)
    }
}

impl AsMut<Collision> for Voice {
    fn as_mut(&mut self) -> &mut Collision {
        &mut self.collision
    }
}
