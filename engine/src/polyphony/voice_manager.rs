//! All objects, and what happens to them on the grid: what is smoothed reaches them, and who is quiet falls asleep.

use crate::body::body_slots::Shelf;
use crate::body::prepared_body::{Body, Scratch};
use crate::context::Scene;
use crate::drive::Drive;
use crate::midi::humanise::Dice;
use crate::midi::notes::{Ended, Note};
use crate::modulation::param_smoother::Moved;
use crate::params::table::{KnobId, Settings};
use crate::patch::choke_groups::Chokes;
use crate::patch::patch::Layout;
use crate::polyphony::hammer_pool::Pool;
use crate::polyphony::render::Budget;
use crate::telemetry::hit_recorder::Recorder;
use crate::tuning::key_frequencies::Tuning;
use crate::voice::exact_contacts::Bases;
use crate::voice::hammers::HAMMERS;
use crate::voice::ring::GRID;
use crate::voice::voice::Object;
use urto_physics::modal::mode_bank::Table;

/// Time constant of the ramp that replaces a body for which there is no place even to fade [s].
const RAMP_TIME: f64 = 1e-3;

/// Size at which that ramp has ended: 180 dB below full scale.
pub(crate) const RAMP_END: f64 = 1e-9;

/// Frames without a push after which the drive hammer may be put aside.
const DRIVE_QUIET: u32 = 1024;

/// Bodies, hammers, and what goes on between them.
pub struct Stage {
    /// The objects; more than may play, so that stolen ones can fade.
    pub objects: Vec<Object>,
    /// Numbers of those that are awake, rising: the others are not even looked at.
    pub wakeful: Vec<usize>,
    /// The bodies that they sound with.
    pub shelf: Shelf,
    /// What drives a hammer, and where.
    pub drive: Drive,
    /// The last hit.
    pub recorder: Recorder,
    /// Notes whose sound has ended.
    pub ended: Ended,
    /// Keys that choke each other.
    pub chokes: Chokes,
    /// What is left of bodies that were cut off.
    pub ramp: [f64; 2],
    /// What is added to it at a frame of the grid cell.
    pub cut: [[f64; GRID]; 2],
    /// What objects had rendered of a run in which they broke.
    pub broken: [[f64; GRID]; 2],
    /// Its factor per frame.
    pub ramp_step: f64,
    /// Substeps left for contacts.
    pub budget: Budget,
    /// Bases for linear contacts.
    pub bases: Bases,
    /// Table of odd steps; one at a time is enough.
    pub odd: Table,
    /// Objects with hammers, the energy [J] of their contacts, in the order in which they step.
    pub order: Vec<(f64, usize)>,
    /// What has not been decided yet.
    pub dice: Dice,
    /// Hammers that no body has.
    pub pool: Pool,
    /// Most objects that play.
    pub most: usize,
    /// Where weights and modes are worked out.
    pub scratch: Scratch,
    /// Times that an object was tuned.
    pub tunings: u64,
    /// Number of the last note.
    pub serial: u32,
    /// Sample rate [Hz].
    rate: f64,
    /// Time of a grid cell [s].
    cell: f64,
}

impl Stage {
    /// `most` objects of `modes` modes with `body`; allocates.
    pub fn new(rate: f64, most: usize, modes: usize, body: Box<Body>) -> Self {
        let spares = (most / 4).clamp(4, 16);
        Self {
            objects: (0..most + spares).map(|_| Object::new(rate, modes + 1)).collect(),
            wakeful: Vec::with_capacity(most + spares),
            shelf: Shelf::new(body),
            drive: Drive::new(&Settings::default(), rate),
            recorder: Recorder::default(),
            ended: Ended::new(),
            chokes: Chokes::default(),
            ramp: [0.0; 2],
            cut: [[0.0; GRID]; 2],
            broken: [[0.0; GRID]; 2],
            ramp_step: (-1.0 / (RAMP_TIME * rate)).exp(),
            budget: Budget::default(),
            bases: Bases::new(),
            odd: Table::with_capacity(modes + 1),
            order: Vec::with_capacity(most + spares),
            dice: Dice::default(),
            pool: Pool::new(rate, most + spares, modes + 1),
            most,
            scratch: Scratch::new(modes + 1),
            tunings: 0,
            serial: 0,
            rate,
            cell: GRID as f64 / rate,
        }
    }

    /// Everything at rest.
    pub fn reset(&mut self, settings: &Settings) {
        for i in 0..self.objects.len() {
            self.sleep(i);
        }
        self.ended.clear();
        self.recorder.reset();
        let muted = self.drive.muted;
        self.drive = Drive::new(settings, self.rate);
        self.drive.muted = muted;
        self.budget = Budget::default();
        self.bases.reset(&mut self.objects);
        self.throw_dice(settings);
        (self.ramp, self.cut, self.tunings, self.serial) = ([0.0; 2], [[0.0; GRID]; 2], 0, 0);
    }

    /// Chance begins anew.
    pub fn throw_dice(&mut self, settings: &Settings) {
        self.dice = Dice::seeded(settings.get(KnobId::HumanSeed) as u64);
        self.drive.throw_dice(settings);
    }

    /// The objects that are awake.
    pub fn awake(&self) -> impl Iterator<Item = &Object> {
        self.wakeful.iter().map(|&i| &self.objects[i])
    }

    /// Number of objects awake.
    pub fn sounding(&self) -> usize {
        self.wakeful.len()
    }

    /// Whether nothing sounds.
    pub fn is_asleep(&self) -> bool {
        self.wakeful.is_empty() && self.ramp == [0.0; 2] && self.cut == [[0.0; GRID]; 2]
    }

    /// Object `i` has woken.
    pub fn note_awake(&mut self, i: usize) {
        if let Err(place) = self.wakeful.binary_search(&i) {
            self.wakeful.insert(place, i);
        }
    }

    /// Object `i` comes to rest.
    pub fn sleep(&mut self, i: usize) {
        if let Some(place) = self.objects[i].place {
            for hammer in 0..HAMMERS {
                self.recorder.forget(i, hammer);
            }
            if self.drive.hung.is_on(i) {
                self.drive.hung.forget();
            }
            self.objects[i].notes.end(&mut self.ended, |_| true);
            self.objects[i].sleep();
            self.wakeful.retain(|&other| other != i);
            self.pool.collect(&mut self.objects[i]);
            self.shelf.put_back(place);
        }
    }

    /// Begins a grid cell: smoothed knobs reach the bodies, a waiting body is installed, who is quiet falls asleep.
    pub fn tick(&mut self, moved: Moved, level: f64, scene: &Scene) {
        self.shelf.install();
        for n in 0..self.wakeful.len() {
            self.move_on(self.wakeful[n], moved, scene);
        }
        self.retune(scene);
        self.tick_drive(scene);
        self.wakeful.iter().for_each(|&i| self.objects[i].look_for_obstacles());
        let mut i = 0;
        while let Some(awake) = self.next_awake(i) {
            // its state need not be fetched out of turn
            if self.objects[awake].ahead.has_its_turn() {
                self.look_whether_quiet(awake, level, scene);
            }
            i = awake + 1;
        }
    }

    /// The first object from `i` on that is awake: for whoever may put it to sleep on the way.
    pub fn next_awake(&self, i: usize) -> Option<usize> {
        self.wakeful.get(self.wakeful.partition_point(|&awake| awake < i)).copied()
    }

    fn move_on(&mut self, i: usize, moved: Moved, scene: &Scene) {
        let object = &mut self.objects[i];
        object.arrive(scene.frame);
        let born = object.born / GRID as u64;
        object.ahead.begin_cell((scene.frame / GRID as u64).saturating_sub(born), i);
        if object.hammers == 0 {
            self.pool.collect(object);
        }
        if object.unfelt {
            object.feel(scene);
        }
        let panned = object.slide(self.cell);
        let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
        let turned = moved.morph && body.morphs();
        object.stale |= moved.pitch || turned;
        if moved.places || turned {
            object.replace(body, scene, &mut self.scratch);
        } else if panned {
            object.move_pickups(body, scene, &mut self.scratch);
        }
    }

    /// The bodies that sound head for their keys' new frequencies.
    pub fn follow_tuning(&mut self, tuning: &Tuning, step: f64) {
        for &i in &self.wakeful {
            let object = &mut self.objects[i];
            if let Some(hertz) = tuning.hertz(object.key) {
                object.glide = step;
                object.hertz.head_for(hertz);
            }
        }
    }

    fn look_whether_quiet(&mut self, i: usize, level: f64, scene: &Scene) {
        self.end_spent_notes(i, scene);
        let object = &mut self.objects[i];
        object.catch_up();
        let driven = object.active().filter(|&hammer| object.is_driven(hammer)).count();
        if object.hammers <= driven && object.obstacles.at_work() == 0 && !object.collision.is_exact() {
            object.drop_dead_modes();
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
    fn end_spent_notes(&mut self, i: usize, scene: &Scene) {
        let mut hammers = [0; HAMMERS];
        let object = &mut self.objects[i];
        for hammer in object.active() {
            hammers[hammer] = object.thrown[hammer].serial;
        }
        let last = object.notes.iter().last().map(|note| note.serial).filter(|_| scene.settings.layout() == Layout::Keys);
        let over = |note: &Note| note.damper == 0.0 || scene.hands.damper(note) == 1.0;
        let spent = |note: &Note| !note.is_held() && over(note) && !hammers.contains(&note.serial);
        object.notes.end(&mut self.ended, |note| spent(note) && Some(note.serial) != last);
    }
}
