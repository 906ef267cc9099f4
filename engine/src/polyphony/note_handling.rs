//! What the player does reaches the bodies: strikes, releases, chokes, pedals, and hands that bend and press.

use crate::context::{Scene, decay_rate};
use crate::drive::may_drive;
use crate::event::NoteId;
use crate::midi::humanise::Chance;
use crate::midi::notes::{Note, same};
use crate::modulation::mod_matrix::Sway;
use crate::params::table::{KnobId, MODULATED, Settings};
use crate::patch::patch::{Layout, Playing};
use crate::polyphony::voice_manager::Stage;
use crate::voice::hammer::{Hammer, Stroke};
use crate::voice::hammer_forces::Pull;
use crate::voice::hammers::HAMMERS;
use crate::voice::voice::Object;

/// Time to -60 dB under a hand on the body [s].
const CHOKE_TIME: f64 = 0.03;

/// Low-passes and time constants that a glide takes to come within half a percent of its way.
const GLIDE_TIMES: f64 = 10.0;

/// Decades of damping time from the slowest to the fastest release, at full amount.
const RELEASE_DECADES: f64 = 2.0;

impl Object {
    /// Takes what its notes do to it: bend and gains of the last one, the heaviest hand, the dampers.
    pub fn feel(&mut self, scene: &Scene) {
        self.unfelt = false;
        let grasp = scene.grasp();
        let hand = |note: &Note| Sway::new(note, scene.hands, scene.settings).damping();
        self.hand = self.notes.iter().map(hand).fold(0.0, f64::max);
        if let Some(&last) = self.notes.iter().last() {
            self.bend.head_for(grasp.bend(&last) / 12.0);
            self.gain_goals = if scene.settings.layout() == Layout::Keys { last.gains() } else { [1.0; 2] };
            self.damper = if self.notes.any_held() { 0.0 } else { last.damper * scene.hands.damper(&last) };
        }
        self.set_fade(scene.rate);
    }

    /// A hand on the body: it ends in a moment, whatever its release says, and no hammer is held against it any more.
    fn choke(&mut self, scene: &Scene) {
        self.choked = self.choked.max(decay_rate(CHOKE_TIME));
        for note in self.notes.iter_mut() {
            (note.down, note.caught) = (false, false);
        }
        for hammer in 0..HAMMERS {
            if self.collision.active(hammer) && self.is_pressed(hammer) {
                self.draw(hammer, &Pull::default(), scene);
            }
        }
        self.set_fade(scene.rate);
    }
}

impl Stage {
    /// A hammer meets the body of the note's key, with `velocity` in (0, 1]. The note of a silent key ends at once.
    pub fn strike(&mut self, id: NoteId, velocity: f64, scene: &Scene) {
        let key = scene.settings.body_key(id.key);
        if [id.key, key].iter().any(|&key| scene.tuning.hertz(key).is_none()) {
            return self.ended.push(id);
        }
        let note = self.new_note(id, scene);
        self.drive.press(note, scene.settings);
        let gliding = self.legato_object(scene).filter(|&i| self.glide(i, key, scene));
        self.leave_for(key, scene);
        let Some(i) = gliding.or_else(|| self.object_of(key, scene)) else { return };
        self.give_way(i, id.key, scene);
        let object = &mut self.objects[i];
        if let Some(displaced) = object.notes.press(note) {
            self.ended.push(displaced);
        }
        object.choked = 0.0;
        object.feel(scene);
        self.settle(i, scene);
        self.rattle(i, scene);
        let part = if gliding.is_some() { scene.settings.get(KnobId::Legato) } else { 1.0 };
        if scene.settings.get(KnobId::KeyStrikes) > 0.5 {
            self.throw_stroke(i, &Note { down: true, ..note }, part * scene.settings.striking_speed(velocity), scene);
        }
        self.hold(i, &Note { down: true, ..note }, scene);
    }

    fn new_note(&mut self, id: NoteId, scene: &Scene) -> Note {
        self.serial = self.serial.wrapping_add(1).max(1);
        let damped = scene.settings.get(KnobId::Release) > 0.5;
        let damper = if damped { decay_rate(scene.settings.get(KnobId::ReleaseTime)) } else { 0.0 };
        let chance = Chance::new(scene.settings, &mut self.dice);
        Note { serial: self.serial, damper, chance, ..Note::of(id) }
    }

    /// An object that has just woken begins as its note wants it.
    fn settle(&mut self, i: usize, scene: &Scene) {
        let object = &mut self.objects[i];
        if object.born == scene.frame
            && let Some(body) = object.place.and_then(|place| self.shelf.body(place))
        {
            object.settle(body, scene, &mut self.scratch);
        }
    }

    /// Throws the hammers of a stroke of `note` at `speed` [m/s], before hands and chance have their part in it.
    fn throw_stroke(&mut self, i: usize, note: &Note, speed: f64, scene: &Scene) {
        let grasp = scene.grasp();
        let speed = speed * grasp.speed(note);
        if speed > 0.0 {
            let grip = grasp.grip(note);
            let stroke = Stroke::new(&grip, speed, &mut self.dice);
            for hammer in stroke.hammers() {
                let hammer = hammer.later(note.chance.late).sprung(scene.settings.get(KnobId::SpringBack));
                self.throw(i, (&hammer, note.serial), &grip, scene);
            }
        }
    }

    /// Throws a hammer of the note number `serial` at object `i`; where there is no room for one more, the weakest leaves.
    pub fn throw(&mut self, i: usize, hammer: (&Hammer, u32), grip: &Settings, scene: &Scene) -> Option<usize> {
        self.rattle(i, scene);
        self.order.clear();
        self.furnish(i);
        self.thin_out(i);
        let object = &mut self.objects[i];
        let body = self.shelf.body(object.place?)?;
        if let Some(thrown) = object.throw(body, hammer, grip, scene, &mut self.scratch) {
            return Some(thrown);
        }
        let weakest = object.weakest()?;
        object.lift(weakest);
        self.recorder.forget(i, weakest);
        object.throw(body, hammer, grip, scene, &mut self.scratch)
    }

    /// Bodies that have to end for a strike of `key` on object `i`: of the same choke group, and all others when one plays alone.
    fn give_way(&mut self, i: usize, key: u8, scene: &Scene) {
        let alone = scene.settings.playing() != Playing::Poly;
        for other in (0..self.objects.len()).filter(|&other| other != i) {
            let object = &mut self.objects[other];
            if !object.is_awake() || object.stolen {
                continue;
            }
            if alone {
                self.steal(other, scene);
            } else if self.chokes.chokes(key, object.key) {
                object.choke(scene);
            }
        }
    }

    /// The object whose key is held while the next one is played legato.
    fn legato_object(&self, scene: &Scene) -> Option<usize> {
        let legato = scene.settings.playing() == Playing::Legato;
        let held = |o: &Object| o.is_awake() && !o.stolen && o.notes.iter().any(|note| note.down);
        self.objects.iter().position(held).filter(|_| legato)
    }

    /// Object `i` glides to `key`. Whether it can: it has to be the body that strikes go to.
    fn glide(&mut self, i: usize, key: u8, scene: &Scene) -> bool {
        let object = &mut self.objects[i];
        let Some(hertz) = scene.tuning.hertz(key).filter(|_| object.place == Some(self.shelf.current())) else { return false };
        let ticks = scene.settings.get(KnobId::Glide) * scene.rate / crate::voice::ring::GRID as f64;
        object.glide = -(-GLIDE_TIMES / ticks).exp_m1();
        object.key = key;
        object.hertz.head_for(hertz);
        true
    }

    /// A key goes up, `velocity` 0 to 1.
    pub fn release(&mut self, id: NoteId, velocity: f64, scene: &Scene) {
        self.drive.release_one(id);
        let amount = scene.settings.get(KnobId::ReleaseVelocity) * RELEASE_DECADES;
        let faster = 10_f64.powf(amount * (velocity.clamp(0.0, 1.0) - 0.5));
        for i in 0..self.objects.len() {
            let object = &mut self.objects[i];
            if !object.is_awake() {
                continue;
            }
            let Some(note) = object.notes.release(id) else { continue };
            note.damper *= faster;
            let note = *note;
            self.hold(i, &note, scene);
            self.return_legato(i, scene);
            self.objects[i].feel(scene);
            return;
        }
    }

    /// Played legato, a body goes back to the key that is still held.
    fn return_legato(&mut self, i: usize, scene: &Scene) {
        if scene.settings.playing() == Playing::Legato
            && let Some(held) = self.objects[i].notes.iter().rfind(|note| note.down)
        {
            let key = scene.settings.body_key(held.id.key);
            self.glide(i, key, scene);
        }
    }

    /// Every note that `which` chooses goes up.
    pub fn release_all(&mut self, which: impl Fn(&Note) -> bool, scene: &Scene) {
        self.drive.release(&which);
        for i in 0..self.objects.len() {
            while let Some(id) = self.objects[i].notes.iter().find(|note| note.down && which(note)).map(|note| note.id) {
                self.release(id, 0.5, scene);
            }
        }
    }

    /// A hand on the bodies that `which` chooses.
    pub fn choke(&mut self, which: impl Fn(&Object) -> bool, scene: &Scene) {
        self.objects.iter_mut().filter(|o| o.is_awake() && which(o)).for_each(|object| object.choke(scene));
    }

    /// Hammers of the notes that `which` chooses take what is set and done now, those of no note with them; their bodies follow on the
    /// grid.
    pub fn retouch(&mut self, which: impl Fn(&Note) -> bool, scene: &Scene) {
        for i in 0..self.objects.len() {
            if self.objects[i].is_awake() {
                self.retouch_object(i, &which, scene);
            }
        }
    }

    fn retouch_object(&mut self, i: usize, which: impl Fn(&Note) -> bool, scene: &Scene) {
        self.regrip(i, &which, scene);
        self.rattle(i, scene);
        let object = &mut self.objects[i];
        if !object.notes.iter().any(&which) {
            return;
        }
        object.unfelt = true;
        if object.born == scene.frame {
            object.feel(scene);
            self.settle(i, scene);
        }
        let mut n = 0;
        while let Some(&note) = self.objects[i].notes.iter().nth(n) {
            if which(&note) {
                self.hold(i, &note, scene);
            }
            n += 1;
        }
    }

    fn regrip(&mut self, i: usize, which: impl Fn(&Note) -> bool, scene: &Scene) {
        let object = &mut self.objects[i];
        let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
        let mut last: Option<(u32, Settings)> = None;
        for hammer in 0..HAMMERS {
            if !object.collision.active(hammer) || object.is_driven(hammer) || object.obstacles.contain(hammer) {
                continue;
            }
            let note = object.note_of(hammer);
            if note.serial != 0 && !which(&note) {
                continue;
            }
            let known = last.filter(|(serial, _)| *serial == note.serial).map(|(_, grip)| grip);
            let grip = known.unwrap_or_else(|| scene.grasp().grip(&note));
            last = Some((note.serial, grip));
            object.regrip(hammer, body, &grip, scene, &mut self.scratch);
        }
    }

    /// Draws the hammers of `note` to object `i` and presses one of them against it, as hard as knobs and hands say; where there is
    /// none, one may be laid on.
    fn hold(&mut self, i: usize, note: &Note, scene: &Scene) {
        let mut pull = Pull::of(note, scene);
        let strikes = scene.settings.get(KnobId::KeyStrikes) > 0.5;
        let lays_on = pull.lays_on(strikes) && (strikes || !may_drive(scene.settings));
        if lays_on && self.objects[i].hammer_of(note.serial).is_none() {
            let grip = scene.grasp().grip(note);
            self.throw(i, (&Hammer::resting(&grip).sprung(pull.spring), note.serial), &grip, scene);
        }
        for hammer in 0..HAMMERS {
            if self.objects[i].is_hammer_of(hammer, note.serial) {
                self.objects[i].draw(hammer, &pull, scene);
                pull.force = 0.0;
            }
        }
    }

    /// Changes the notes that an address means, and touches them anew.
    pub fn change(&mut self, id: NoteId, scene: &Scene, mut change: impl FnMut(&mut Note)) {
        self.drive.change(id, &mut change);
        for i in 0..self.objects.len() {
            let object = &mut self.objects[i];
            if object.is_awake() && !object.stolen && object.notes.hold(id) {
                object.notes.of(id).for_each(&mut change);
                self.retouch_object(i, |note| same(id, note.id), scene);
            }
        }
    }

    /// A host moves a knob for the notes that an address means.
    pub fn modulate(&mut self, id: NoteId, knob: KnobId, travel: f64, scene: &Scene) {
        if let Some(place) = MODULATED.iter().position(|&one| one == knob) {
            self.change(id, scene, |note| note.modulation[place] = travel.clamp(-1.0, 1.0));
        }
    }

    /// A sostenuto pedal has moved: where it has gone down, of the notes that `which` chooses those are caught whose keys are down; where
    /// it is up none are.
    pub fn catch(&mut self, which: impl Fn(&Note) -> bool, scene: &Scene) {
        for object in self.objects.iter_mut().filter(|o| o.is_awake()) {
            for note in object.notes.iter_mut() {
                let pedal = scene.hands.sostenuto(note.id.channel);
                note.caught = pedal && (note.caught || note.down && which(note));
            }
            object.unfelt = true;
        }
    }

    /// The dampers have moved.
    pub fn move_dampers(&mut self) {
        self.objects.iter_mut().filter(|o| o.is_awake()).for_each(|object| object.unfelt = true);
    }
}
