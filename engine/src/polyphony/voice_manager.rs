//! All objects, and what happens to them on the grid: what is smoothed reaches them, and who is quiet falls asleep.

use crate::block::CONTROL_BLOCK;
use crate::body::BodySlots;
use crate::body::{BodyScratch, PreparedBody};
use crate::context::RenderContext;
use crate::drive::HammerDrive;
use crate::midi::Rng;
use crate::midi::{EndedNotes, Note};
use crate::modulation::SmoothedChanges;
use crate::params::KeyLayout;
use crate::params::{ParamId, ParamValues};
use crate::patch::ChokeGroups;
use crate::polyphony::hammer_pool::HammerPool;
use crate::polyphony::render::VoiceCostBudget;
use crate::telemetry::HitRecorder;
use crate::tuning::KeyFrequencies;
use crate::voice::ExactContactPool;
use crate::voice::MAX_HAMMERS;
use crate::voice::Voice;
use urto_physics::modal::StepTable;

/// Time constant of the ramp that replaces a body for which there is no place even to fade [s].
const RAMP_TIME: f64 = 1e-3;

/// Size at which that ramp has ended: 180 dB below full scale.
pub(crate) const RAMP_END: f64 = 1e-9;

/// Frames without a push after which the drive hammer may be put aside.
const DRIVE_QUIET: u32 = 1024;

/// Bodies, hammers, and what goes on between them.
pub struct VoiceManager {
    /// The objects; more than may play, so that stolen ones can fade.
    pub objects: Vec<Voice>,
    /// Numbers of those that are awake, rising: the others are not even looked at.
    pub active_voices: Vec<usize>,
    /// The bodies that they sound with.
    pub shelf: BodySlots,
    /// What drives a hammer, and where.
    pub drive: HammerDrive,
    /// The last hit.
    pub recorder: HitRecorder,
    /// Notes whose sound has ended.
    pub ended: EndedNotes,
    /// Keys that choke each other.
    pub chokes: ChokeGroups,
    /// What is left of bodies that were cut off.
    pub ramp: [f64; 2],
    /// What is added to it at a frame of the grid cell.
    pub fade_tail: [[f64; CONTROL_BLOCK]; 2],
    /// What objects had rendered of a run in which they broke.
    pub invalid_output: [[f64; CONTROL_BLOCK]; 2],
    /// Its factor per frame.
    pub ramp_step: f64,
    /// Substeps left for contacts.
    pub budget: VoiceCostBudget,
    /// Bases for linear contacts.
    pub bases: ExactContactPool,
    /// Table of odd steps; one at a time is enough.
    pub odd: StepTable,
    /// Objects with hammers, the energy [J] of their contacts, in the order in which they step.
    pub order: Vec<(f64, usize)>,
    /// What has not been decided yet.
    pub rng: Rng,
    /// Hammers that no body has.
    pub pool: HammerPool,
    /// Most objects that play.
    pub most: usize,
    /// Where weights and modes are worked out.
    pub scratch: BodyScratch,
    /// Times that an object was tuned.
    pub retune_count: u64,
    /// Number of the last note.
    pub serial: u32,
    /// Sample rate [Hz].
    rate: f64,
    /// Time of a grid cell [s].
    cell: f64,
}

impl VoiceManager {
    /// `most` objects of `modes` modes with `body`; allocates.
    pub fn new(rate: f64, most: usize, modes: usize, body: Box<PreparedBody>) -> Self {
        let spares = (most / 4).clamp(4, 16);
        Self {
            objects: (0..most + spares).map(|_| Voice::new(rate, modes + 1)).collect(),
            active_voices: Vec::with_capacity(most + spares),
            shelf: BodySlots::new(body),
            drive: HammerDrive::new(&ParamValues::default(), rate),
            recorder: HitRecorder::default(),
            ended: EndedNotes::new(),
            chokes: ChokeGroups::default(),
            ramp: [0.0; 2],
            fade_tail: [[0.0; CONTROL_BLOCK]; 2],
            invalid_output: [[0.0; CONTROL_BLOCK]; 2],
            ramp_step: (-1.0 / (RAMP_TIME * rate)).exp(),
            budget: VoiceCostBudget::default(),
            bases: ExactContactPool::new(),
            odd: StepTable::with_capacity(modes + 1),
            order: Vec::with_capacity(most + spares),
            rng: Rng::default(),
            pool: HammerPool::new(rate, most + spares, modes + 1),
            most,
            scratch: BodyScratch::new(modes + 1),
            retune_count: 0,
            serial: 0,
            rate,
            cell: CONTROL_BLOCK as f64 / rate,
        }
    }

    /// Everything at rest.
    pub fn reset(&mut self, settings: &ParamValues) {
        for i in 0..self.objects.len() {
            self.sleep(i);
        }
        self.ended.clear();
        self.recorder.reset();
        let muted = self.drive.muted;
        self.drive = HammerDrive::new(settings, self.rate);
        self.drive.muted = muted;
        self.budget = VoiceCostBudget::default();
        self.bases.reset(&mut self.objects);
        self.reseed(settings);
        (self.ramp, self.fade_tail, self.retune_count, self.serial) = ([0.0; 2], [[0.0; CONTROL_BLOCK]; 2], 0, 0);
    }

    /// Chance begins anew.
    pub fn reseed(&mut self, settings: &ParamValues) {
        self.rng = Rng::seeded(settings.get(ParamId::HumanSeed) as u64);
        self.drive.throw_dice(settings);
    }

    /// The objects that are awake.
    pub fn awake(&self) -> impl Iterator<Item = &Voice> {
        self.active_voices.iter().map(|&i| &self.objects[i])
    }

    /// Number of objects awake.
    pub fn sounding(&self) -> usize {
        self.active_voices.len()
    }

    /// Whether nothing sounds.
    pub fn is_asleep(&self) -> bool {
        self.active_voices.is_empty() && self.ramp == [0.0; 2] && self.fade_tail == [[0.0; CONTROL_BLOCK]; 2]
    }

    /// Object `i` has woken.
    pub fn register_active(&mut self, i: usize) {
        if let Err(place) = self.active_voices.binary_search(&i) {
            self.active_voices.insert(place, i);
        }
    }

    /// Object `i` comes to rest.
    pub fn sleep(&mut self, i: usize) {
        if let Some(place) = self.objects[i].place {
            for hammer in 0..MAX_HAMMERS {
                self.recorder.forget(i, hammer);
            }
            if self.drive.hung.is_on(i) {
                self.drive.hung.forget();
            }
            self.objects[i].notes.end(&mut self.ended, |_| true);
            self.objects[i].deactivate();
            self.active_voices.retain(|&other| other != i);
            self.pool.collect(&mut self.objects[i]);
            self.shelf.release(place);
        }
    }

    /// Begins a grid cell: smoothed knobs reach the bodies, a waiting body is installed, who is quiet falls asleep.
    pub fn tick(&mut self, moved: SmoothedChanges, level: f64, scene: &RenderContext) {
        self.shelf.install();
        for n in 0..self.active_voices.len() {
            self.advance_voice(self.active_voices[n], moved, scene);
        }
        self.retune(scene);
        self.tick_drive(scene);
        self.active_voices.iter().for_each(|&i| self.objects[i].look_for_obstacles());
        let mut i = 0;
        while let Some(awake) = self.next_awake(i) {
            // its state need not be fetched out of turn
            if self.objects[awake].ahead.has_its_turn() {
                self.sleep_if_silent(awake, level, scene);
            }
            i = awake + 1;
        }
    }

    /// The first object from `i` on that is awake: for whoever may put it to sleep on the way.
    pub fn next_awake(&self, i: usize) -> Option<usize> {
        self.active_voices.get(self.active_voices.partition_point(|&awake| awake < i)).copied()
    }

    fn advance_voice(&mut self, i: usize, moved: SmoothedChanges, scene: &RenderContext) {
        let object = &mut self.objects[i];
        object.end_control_block(scene.frame);
        let born = object.activated_at / CONTROL_BLOCK as u64;
        object.ahead.begin_cell((scene.frame / CONTROL_BLOCK as u64).saturating_sub(born), i);
        if object.hammers == 0 {
            self.pool.collect(object);
        }
        if object.notes_changed {
            object.update_from_notes(scene);
        }
        let panned = object.advance_control(self.cell);
        let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
        let turned = moved.morph && body.morphs();
        object.needs_retune |= moved.pitch || turned;
        if moved.places || turned {
            object.replace(body, scene, &mut self.scratch);
        } else if panned {
            object.move_pickups(body, scene, &mut self.scratch);
        }
    }

    /// The bodies that sound head for their keys' new frequencies.
    pub fn follow_tuning(&mut self, tuning: &KeyFrequencies, step: f64) {
        for &i in &self.active_voices {
            let object = &mut self.objects[i];
            if let Some(hertz) = tuning.hertz(object.key) {
                object.glide = step;
                object.frequency_glide.set_target(hertz);
            }
        }
    }

    fn sleep_if_silent(&mut self, i: usize, level: f64, scene: &RenderContext) {
        self.end_spent_notes(i, scene);
        let object = &mut self.objects[i];
        object.sync_state();
        let driven = object.active().filter(|&hammer| object.is_driven(hammer)).count();
        if object.hammers <= driven && object.obstacles.active_count() == 0 && !object.collision.is_exact() {
            object.flush_denormals();
        }
        if object.hammers > driven || !object.is_quiet(level, scene) {
            return;
        }
        if driven == 0 || self.drive.hung.quiet >= DRIVE_QUIET {
            self.sleep(i);
        } else {
            object.notes.end(&mut self.ended, |_| true);
        }
    }

    /// A note has ended when it is released for good and its hammers are gone, on keys also when another has struck its body since:
    /// the body sounds on for others.
    fn end_spent_notes(&mut self, i: usize, scene: &RenderContext) {
        let mut hammers = [0; MAX_HAMMERS];
        let object = &mut self.objects[i];
        for hammer in object.active() {
            hammers[hammer] = object.hammer_states[hammer].serial;
        }
        let last = object.notes.iter().last().map(|note| note.serial).filter(|_| scene.settings.layout() == KeyLayout::Keys);
        let over = |note: &Note| note.damper == 0.0 || scene.hands.damper(note) == 1.0;
        let spent = |note: &Note| !note.is_held() && over(note) && !hammers.contains(&note.serial);
        object.notes.end(&mut self.ended, |note| spent(note) && Some(note.serial) != last);
    }
}
