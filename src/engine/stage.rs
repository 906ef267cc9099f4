//! All objects: which key strikes what, who has to give way, who falls asleep.

use super::body::Body;
use super::drive::Drive;
use super::event::NoteId;
use super::exact::Bases;
use super::glide::Moved;
use super::hammer::{Dice, Hammer, Stroke};
use super::hit::Recorder;
use super::knob::KnobId;
use super::mix::Budget;
use super::notes::Ended;
use super::object::{Object, Scene};
use super::ring::GRID;
use super::shelf::Shelf;
use super::tuning::Tuning;

/// Time to -60 dB under a hand on the body [s].
const CHOKE_TIME: f64 = 0.03;

/// Time to -60 dB of a body whose place another key has taken [s].
const STOLEN_TIME: f64 = 0.02;

/// Time constant of the ramp that replaces a body for which there is no place even to fade [s].
const RAMP_TIME: f64 = 1e-3;

/// Size at which that ramp has ended: 180 dB below full scale.
pub(super) const RAMP_END: f64 = 1e-9;

/// Modes that may be retuned in one grid cell, all objects together; one costs about 0.1 us. Those left out follow in the next.
const RETUNES: usize = 512;

/// Grid cells between two looks at whether an object is quiet.
const LOOK_EVERY: u64 = 16;

/// Frames without a push after which the drive hammer may be put aside.
const DRIVE_QUIET: u32 = 1024;

/// Bodies, hammers, and what goes on between them.
pub struct Stage {
    /// The objects; more than may play, so that stolen ones can fade.
    pub objects: Vec<Object>,
    /// The bodies that they sound with.
    pub shelf: Shelf,
    /// The side-chain's hammer.
    pub drive: Drive,
    /// The last hit.
    pub recorder: Recorder,
    /// Notes whose sound has ended.
    pub ended: Ended,
    /// What is left of bodies that were cut off.
    pub ramp: [f64; 2],
    /// What is added to it at a frame of the grid cell.
    pub cut: [[f64; GRID]; 2],
    /// Its factor per frame.
    pub ramp_step: f64,
    /// Substeps left for contacts.
    pub budget: Budget,
    /// Bases for linear contacts.
    pub bases: Bases,
    /// Objects with hammers, the energy [J] of their contacts, in the order in which they step.
    pub order: Vec<(f64, usize)>,
    dice: Dice,
    most: usize,
    weights: Vec<f64>,
    /// Times that an object was tuned.
    tunings: u64,
}

impl Stage {
    /// `most` objects of `modes` modes with `body`; allocates.
    pub fn new(rate: f64, most: usize, modes: usize, body: Box<Body>) -> Self {
        let spares = (most / 4).clamp(4, 16);
        Self {
            objects: (0..most + spares).map(|_| Object::new(rate, modes + 1)).collect(),
            shelf: Shelf::new(body),
            drive: Drive::default(),
            recorder: Recorder::default(),
            ended: Ended::new(),
            ramp: [0.0; 2],
            cut: [[0.0; GRID]; 2],
            ramp_step: (-1.0 / (RAMP_TIME * rate)).exp(),
            budget: Budget::default(),
            bases: Bases::new(),
            order: Vec::with_capacity(most + spares),
            dice: Dice::default(),
            most,
            weights: vec![0.0; modes + 1],
            tunings: 0,
        }
    }

    /// Everything at rest.
    pub fn reset(&mut self, gain: f64) {
        for i in 0..self.objects.len() {
            self.sleep(i);
        }
        self.ended.clear();
        self.recorder.reset();
        self.drive = Drive { gain, ..Drive::default() };
        self.budget = Budget::default();
        self.bases.reset();
        self.dice = Dice::default();
        (self.ramp, self.cut, self.tunings) = ([0.0; 2], [[0.0; GRID]; 2], 0);
    }

    /// Number of objects awake.
    pub fn sounding(&self) -> usize {
        self.objects.iter().filter(|o| o.is_awake()).count()
    }

    /// Whether nothing sounds.
    pub fn is_asleep(&self) -> bool {
        self.ramp == [0.0; 2] && self.cut == [[0.0; GRID]; 2] && self.objects.iter().all(|o| !o.is_awake())
    }

    /// Whether the side-chain wakes a body in these frames.
    pub fn may_wake(&self, drive: &[f32]) -> bool {
        self.drive.key.is_some() && drive.iter().any(|&signal| self.drive.force(signal) != 0.0)
    }

    /// Damps all that sounds with the oldest body, so that its place becomes free.
    pub fn clear_oldest(&mut self, scene: &Scene) {
        let oldest = self.shelf.oldest();
        for i in 0..self.objects.len() {
            if self.objects[i].is_awake() && !self.objects[i].stolen && self.objects[i].place == oldest {
                self.steal(i, scene);
            }
        }
    }

    /// A hammer meets the body of the note's key at `speed` [m/s]. The note of a silent key ends at once.
    pub fn strike(&mut self, note: NoteId, speed: f64, scene: &Scene) {
        if scene.tuning.hertz(note.key).is_none() {
            return self.ended.push(note);
        }
        let Some(i) = self.object_of(note.key, scene) else { return };
        if let Some(displaced) = self.objects[i].notes.press(note) {
            self.ended.push(displaced);
        }
        let damped = scene.settings.get(KnobId::Release) > 0.5;
        let object = &mut self.objects[i];
        object.fade = 1.0;
        object.release = if damped { scene.fade(scene.settings.get(KnobId::ReleaseTime)) } else { 1.0 };
        self.drive.key = Some(note.key);
        if self.drive.gain > 0.0 {
            self.place_drive(i, scene);
        }
        let stroke = Stroke::new(scene.settings, speed, &mut self.dice);
        for hammer in stroke.hammers() {
            self.throw(i, hammer, scene);
        }
    }

    /// Throws `hammer` at object `i`; where there is no room for one more, the weakest leaves.
    fn throw(&mut self, i: usize, hammer: &Hammer, scene: &Scene) -> Option<usize> {
        let driven = self.driven(i);
        let object = &mut self.objects[i];
        let body = self.shelf.body(object.place?)?;
        if let Some(thrown) = object.throw(body, hammer, scene, &mut self.weights) {
            return Some(thrown);
        }
        let weakest = object.weakest(driven)?;
        object.lift(weakest);
        self.recorder.forget(i, weakest);
        object.throw(body, hammer, scene, &mut self.weights)
    }

    /// Number of the drive hammer if it is on object `i`.
    pub fn driven(&self, i: usize) -> Option<usize> {
        self.drive.place.filter(|&(object, _)| object == i).map(|(_, hammer)| hammer)
    }

    /// The object that sounds with `key`'s body, or another that becomes it; none for a silent key.
    fn object_of(&mut self, key: u8, scene: &Scene) -> Option<usize> {
        let (current, hertz) = (self.shelf.current(), scene.tuning.hertz(key)?);
        if let Some(i) = self.objects.iter().position(|o| o.meets(key, hertz, current)) {
            return Some(i);
        }
        let i = self.free_object(scene)?;
        let body = self.shelf.body(current)?;
        self.objects[i].wake((key, hertz), current, body, scene, &mut self.weights);
        self.objects[i].tuned = self.tunings;
        self.shelf.take_up(current);
        Some(i)
    }

    /// An object asleep. When enough play, the one with the least energy gives way and fades; when no spare one is left to fade
    /// in, the one that has faded most is cut off and its last output ramps out.
    fn free_object(&mut self, scene: &Scene) -> Option<usize> {
        let playing = |o: &&Object| o.is_awake() && !o.stolen;
        if self.objects.iter().filter(playing).count() >= self.most {
            let quietest = self.quietest(|o| playing(&o))?;
            self.steal(quietest, scene);
        }
        if let Some(i) = self.objects.iter().position(|o| !o.is_awake()) {
            return Some(i);
        }
        let i = self.quietest(|o| o.stolen)?;
        let offset = (scene.frame % GRID as u64) as usize;
        self.objects[i].ring_to(offset);
        let last = (offset + GRID - 1) % GRID;
        for (cut, out) in self.cut.iter_mut().zip(&self.objects[i].out) {
            cut[offset] += out[last];
        }
        self.sleep(i);
        Some(i)
    }

    fn quietest(&self, among: impl Fn(&Object) -> bool) -> Option<usize> {
        let candidates = (0..self.objects.len()).filter(|&i| among(&self.objects[i]));
        candidates.min_by(|&a, &b| self.objects[a].collision.energy().total_cmp(&self.objects[b].collision.energy()))
    }

    /// Object `i` fades fast, without its hammers; its notes have ended.
    fn steal(&mut self, i: usize, scene: &Scene) {
        for hammer in 0..super::object::HAMMERS {
            self.objects[i].lift(hammer);
            self.recorder.forget(i, hammer);
        }
        if self.driven(i).is_some() {
            self.drive.place = None;
        }
        let object = &mut self.objects[i];
        object.stolen = true;
        object.fade = scene.fade(STOLEN_TIME);
        object.notes.end(&mut self.ended);
    }

    /// Object `i` comes to rest.
    pub fn sleep(&mut self, i: usize) {
        if let Some(place) = self.objects[i].place {
            for hammer in 0..super::object::HAMMERS {
                self.recorder.forget(i, hammer);
            }
            if self.driven(i).is_some() {
                self.drive.place = None;
            }
            self.objects[i].notes.end(&mut self.ended);
            self.objects[i].sleep();
            self.shelf.put_back(place);
        }
    }

    /// A key goes up.
    pub fn release(&mut self, note: NoteId) {
        for object in self.objects.iter_mut().filter(|o| o.is_awake()) {
            if object.notes.release(note) {
                if !object.notes.any_held() {
                    object.fade = object.fade.min(object.release);
                }
                return;
            }
        }
    }

    /// A hand on the bodies of the note's key, or on all.
    pub fn choke(&mut self, note: Option<NoteId>, scene: &Scene) {
        let fade = scene.fade(CHOKE_TIME);
        for object in self.objects.iter_mut().filter(|o| o.is_awake()) {
            if note.is_none_or(|note| object.key == note.key && object.notes.hold(note)) {
                object.notes.release_all();
                object.fade = object.fade.min(fade);
            }
        }
    }

    /// A knob has moved that the hammers on the bodies follow at once.
    pub fn follow(&mut self, knob: KnobId, scene: &Scene) {
        match knob {
            KnobId::Contact | KnobId::Stiffness | KnobId::Exponent | KnobId::Damping => {
                self.objects.iter_mut().for_each(|o| o.set_law(scene.settings));
            }
            KnobId::HammerMass => self.objects.iter_mut().for_each(|o| o.set_mass(scene.settings)),
            KnobId::StrikePosition | KnobId::StrikeAcross => {
                for object in self.objects.iter_mut().filter(|o| o.hammers > 0) {
                    if let Some(body) = object.place.and_then(|place| self.shelf.body(place)) {
                        object.set_weights(body, scene, &mut self.weights);
                    }
                }
            }
            KnobId::DriveGain => self.set_drive_gain(scene.settings.get(KnobId::DriveGain), scene),
            _ => {}
        }
    }

    fn set_drive_gain(&mut self, gain: f64, scene: &Scene) {
        self.drive.gain = gain;
        if gain > 0.0 {
            let current = self.shelf.current();
            let struck = self.drive.key.and_then(|key| Some((key, scene.tuning.hertz(key)?)));
            let meets = |(key, hertz)| self.objects.iter().position(|o| o.meets(key, hertz, current));
            if let Some(i) = struck.and_then(meets) {
                self.place_drive(i, scene);
            }
        } else {
            self.lift_drive();
        }
    }

    fn lift_drive(&mut self) {
        if let Some((i, hammer)) = self.drive.place.take() {
            self.objects[i].lift(hammer);
            self.recorder.forget(i, hammer);
        }
    }

    /// Puts the drive hammer on object `i`, where it stays if it is there already.
    fn place_drive(&mut self, i: usize, scene: &Scene) {
        if self.driven(i).is_none() {
            self.lift_drive();
            self.drive.place = self.throw(i, &Hammer::held_by(Drive::tether()), scene).map(|hammer| (i, hammer));
            self.drive.quiet = 0;
        }
    }

    /// Pushes the drive hammer for one frame with `signal`; a push finds the body struck last even when it has fallen asleep.
    pub fn push(&mut self, signal: f32, scene: &Scene) {
        let Some(key) = self.drive.key.filter(|_| self.drive.gain > 0.0) else { return };
        let force = self.drive.force(signal);
        self.drive.note_force(force);
        let missing = self.drive.place.is_none() && force != 0.0;
        if let Some(i) = missing.then(|| self.object_of(key, scene)).flatten() {
            self.place_drive(i, scene);
        }
        if let Some((i, hammer)) = self.drive.place {
            self.objects[i].collision.set_push(hammer, force);
        }
    }

    /// Begins a grid cell: smoothed knobs reach the bodies, a waiting body is installed, who is quiet falls asleep.
    pub fn tick(&mut self, moved: Moved, level: f64, scene: &Scene) {
        self.shelf.install();
        for object in self.objects.iter_mut().filter(|o| o.is_awake()) {
            object.arrive();
            object.stale |= object.hertz.tick(scene.glides.step()) || moved.pitch;
            let body = object.place.and_then(|place| self.shelf.body(place));
            if let Some(body) = body.filter(|_| moved.places) {
                object.replace(body, scene, &mut self.weights);
            }
        }
        self.retune(scene);
        let cell = scene.frame / GRID as u64;
        for i in 0..self.objects.len() {
            if self.objects[i].is_awake() && (cell + i as u64).is_multiple_of(LOOK_EVERY) {
                self.look_whether_quiet(i, level, scene);
            }
        }
    }

    /// The bodies that sound head for their keys' new frequencies.
    pub fn follow_tuning(&mut self, tuning: &Tuning) {
        for object in self.objects.iter_mut().filter(|o| o.is_awake()) {
            if let Some(hertz) = tuning.hertz(object.key) {
                object.hertz.head_for(hertz);
            }
        }
    }

    /// Retunes the objects whose pitch is oldest, as many as fit into a grid cell.
    fn retune(&mut self, scene: &Scene) {
        let mut left = RETUNES;
        loop {
            let stale = |&i: &usize| self.objects[i].is_awake() && self.objects[i].stale;
            let Some(i) = (0..self.objects.len()).filter(stale).min_by_key(|&i| self.objects[i].tuned) else { return };
            let object = &mut self.objects[i];
            let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
            let cost = object.retune(body, scene, &mut self.weights);
            self.tunings += 1;
            (object.tuned, object.stale) = (self.tunings, false);
            if cost >= left {
                return;
            }
            left -= cost;
        }
    }

    fn look_whether_quiet(&mut self, i: usize, level: f64, scene: &Scene) {
        let driven = usize::from(self.driven(i).is_some());
        let object = &mut self.objects[i];
        if object.hammers <= driven {
            object.drop_dead_modes();
        }
        if object.hammers > driven || !object.is_quiet(level, scene.glides.get(KnobId::BodyMass)) {
            return;
        }
        if driven == 0 || self.drive.quiet >= DRIVE_QUIET {
            self.sleep(i);
        } else {
            object.notes.end(&mut self.ended);
        }
    }
}
