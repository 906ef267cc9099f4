//! What the player does reaches the bodies: strikes, releases, chokes, pedals, and hands that bend and press.

use crate::context::{RenderContext, decay_rate};
use crate::drive::is_drive_possible;
use crate::event::NoteId;
use crate::midi::Humanise;
use crate::midi::{Note, same_note};
use crate::modulation::ModOffsets;
use crate::params::{KeyLayout, VoiceMode};
use crate::params::{PER_NOTE_PARAMS, ParamId, ParamValues};
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::MAX_HAMMERS;
use crate::voice::ReturnForces;
use crate::voice::Voice;
use crate::voice::{HammerLaunch, StrikeHammers};

/// Time to -60 dB under a hand on the body [s].
const CHOKE_TIME: f64 = 0.03;

/// Low-passes and time constants that a glide takes to come within half a percent of its way.
const GLIDE_TIMES: f64 = 10.0;

/// Decades of damping time from the slowest to the fastest release, at full amount.
const RELEASE_DECADES: f64 = 2.0;

impl Voice {
    /// Takes what its notes do to it: bend and gains of the last one, the heaviest hand, the dampers.
    pub fn update_from_notes(&mut self, scene: &RenderContext) {
        self.notes_changed = false;
        let grasp = scene.note_param_context();
        let hand = |note: &Note| ModOffsets::new(note, scene.hands, scene.settings).damping();
        self.hand = self.notes.iter().map(hand).fold(0.0, f64::max);
        if let Some(&last) = self.notes.iter().last() {
            self.bend.head_for(grasp.bend(&last) / 12.0);
            self.gain_goals = if scene.settings.layout() == KeyLayout::Keys { last.gains() } else { [1.0; 2] };
            self.damper = if self.notes.any_held() { 0.0 } else { last.damper * scene.hands.damper(&last) };
        }
        self.set_decay_target(scene.rate);
    }

    /// A hand on the body: it ends in a moment, whatever its release says, and no hammer is held against it any more.
    fn choke(&mut self, scene: &RenderContext) {
        self.choked = self.choked.max(decay_rate(CHOKE_TIME));
        for note in self.notes.iter_mut() {
            (note.down, note.sostenuto) = (false, false);
        }
        for hammer in 0..MAX_HAMMERS {
            if self.collision.active(hammer) && self.is_pressed(hammer) {
                self.set_return_forces(hammer, &ReturnForces::default(), scene);
            }
        }
        self.set_decay_target(scene.rate);
    }
}

impl VoiceManager {
    /// A hammer meets the body of the note's key, with `velocity` in (0, 1]. The note of a silent key ends at once.
    pub fn note_on(&mut self, id: NoteId, velocity: f64, scene: &RenderContext) {
        let key = scene.settings.body_key(id.key);
        if [id.key, key].iter().any(|&key| scene.tuning.hertz(key).is_none()) {
            return self.ended.push(id);
        }
        let note = self.new_note(id, scene);
        self.drive.press(note, scene.settings);
        let gliding = self.legato_object(scene).filter(|&i| self.glide(i, key, scene));
        self.leave_for(key, scene);
        let Some(i) = gliding.or_else(|| self.voice_for_key(key, scene)) else { return };
        self.choke_others(i, id.key, scene);
        let object = &mut self.objects[i];
        if let Some(displaced) = object.notes.note_on(note) {
            self.ended.push(displaced);
        }
        object.choked = 0.0;
        object.update_from_notes(scene);
        self.settle(i, scene);
        self.rattle(i, scene);
        let part = if gliding.is_some() { scene.settings.get(ParamId::Legato) } else { 1.0 };
        if scene.settings.get(ParamId::KeyStrikes) > 0.5 {
            self.launch_stroke(i, &Note { down: true, ..note }, part * scene.settings.strike_speed(velocity), scene);
        }
        self.update_return_forces(i, &Note { down: true, ..note }, scene);
    }

    fn new_note(&mut self, id: NoteId, scene: &RenderContext) -> Note {
        self.serial = self.serial.wrapping_add(1).max(1);
        let damped = scene.settings.get(ParamId::Release) > 0.5;
        let damper = if damped { decay_rate(scene.settings.get(ParamId::ReleaseTime)) } else { 0.0 };
        let chance = Humanise::new(scene.settings, &mut self.rng);
        Note { serial: self.serial, damper, chance, ..Note::of(id) }
    }

    /// An object that has just woken begins as its note wants it.
    fn settle(&mut self, i: usize, scene: &RenderContext) {
        let object = &mut self.objects[i];
        if object.activated_at == scene.frame
            && let Some(body) = object.place.and_then(|place| self.shelf.body(place))
        {
            object.snap_to_targets(body, scene, &mut self.scratch);
        }
    }

    /// Throws the hammers of a stroke of `note` at `speed` [m/s], before hands and chance have their part in it.
    fn launch_stroke(&mut self, i: usize, note: &Note, speed: f64, scene: &RenderContext) {
        let grasp = scene.note_param_context();
        let speed = speed * grasp.speed(note);
        if speed > 0.0 {
            let grip = grasp.resolve(note);
            let stroke = StrikeHammers::new(&grip, speed, &mut self.rng);
            for hammer in stroke.hammers() {
                let hammer = hammer.delayed(note.chance.late).with_spring(scene.settings.get(ParamId::SpringBack));
                self.add_hammer(i, (&hammer, note.serial), &grip, scene);
            }
        }
    }

    /// Throws a hammer of the note number `serial` at object `i`; where there is no room for one more, the weakest leaves.
    pub fn add_hammer(
        &mut self,
        i: usize,
        hammer: (&HammerLaunch, u32),
        grip: &ParamValues,
        scene: &RenderContext,
    ) -> Option<usize> {
        self.rattle(i, scene);
        self.order.clear();
        self.reserve_hammer(i);
        self.enforce_hammer_limit(i);
        let object = &mut self.objects[i];
        let body = self.shelf.body(object.place?)?;
        if let Some(thrown) = object.throw(body, hammer, grip, scene, &mut self.scratch) {
            return Some(thrown);
        }
        let weakest = object.lowest_energy_hammer()?;
        object.remove_hammer(weakest);
        self.recorder.forget(i, weakest);
        object.throw(body, hammer, grip, scene, &mut self.scratch)
    }

    /// Bodies that have to end for a strike of `key` on object `i`: of the same choke group, and all others when one plays alone.
    fn choke_others(&mut self, i: usize, key: u8, scene: &RenderContext) {
        let alone = scene.settings.playing() != VoiceMode::Poly;
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
    fn legato_object(&self, scene: &RenderContext) -> Option<usize> {
        let legato = scene.settings.playing() == VoiceMode::Legato;
        let held = |o: &Voice| o.is_awake() && !o.stolen && o.notes.iter().any(|note| note.down);
        self.objects.iter().position(held).filter(|_| legato)
    }

    /// Object `i` glides to `key`. Whether it can: it has to be the body that strikes go to.
    fn glide(&mut self, i: usize, key: u8, scene: &RenderContext) -> bool {
        let object = &mut self.objects[i];
        let Some(hertz) = scene.tuning.hertz(key).filter(|_| object.place == Some(self.shelf.current())) else { return false };
        let ticks = scene.settings.get(ParamId::Glide) * scene.rate / crate::block::CONTROL_BLOCK as f64;
        object.glide = -(-GLIDE_TIMES / ticks).exp_m1();
        object.key = key;
        object.frequency_glide.set_target(hertz);
        true
    }

    /// A key goes up, `velocity` 0 to 1.
    pub fn note_off(&mut self, id: NoteId, velocity: f64, scene: &RenderContext) {
        self.drive.release_one(id);
        let amount = scene.settings.get(ParamId::ReleaseVelocity) * RELEASE_DECADES;
        let faster = 10_f64.powf(amount * (velocity.clamp(0.0, 1.0) - 0.5));
        for i in 0..self.objects.len() {
            let object = &mut self.objects[i];
            if !object.is_awake() {
                continue;
            }
            let Some(note) = object.notes.release(id) else { continue };
            note.damper *= faster;
            let note = *note;
            self.update_return_forces(i, &note, scene);
            self.return_legato(i, scene);
            self.objects[i].update_from_notes(scene);
            return;
        }
    }

    /// Played legato, a body goes back to the key that is still held.
    fn return_legato(&mut self, i: usize, scene: &RenderContext) {
        if scene.settings.playing() == VoiceMode::Legato
            && let Some(held) = self.objects[i].notes.iter().rfind(|note| note.down)
        {
            let key = scene.settings.body_key(held.id.key);
            self.glide(i, key, scene);
        }
    }

    /// Every note that `which` chooses goes up.
    pub fn release_all(&mut self, which: impl Fn(&Note) -> bool, scene: &RenderContext) {
        self.drive.release(&which);
        for i in 0..self.objects.len() {
            while let Some(id) = self.objects[i].notes.iter().find(|note| note.down && which(note)).map(|note| note.id) {
                self.note_off(id, 0.5, scene);
            }
        }
    }

    /// A hand on the bodies that `which` chooses.
    pub fn choke(&mut self, which: impl Fn(&Voice) -> bool, scene: &RenderContext) {
        self.objects.iter_mut().filter(|o| o.is_awake() && which(o)).for_each(|object| object.choke(scene));
    }

    /// Hammers of the notes that `which` chooses take what is set and done now, those of no note with them; their bodies follow on the
    /// grid.
    pub fn update_notes(&mut self, which: impl Fn(&Note) -> bool, scene: &RenderContext) {
        for i in 0..self.objects.len() {
            if self.objects[i].is_awake() {
                self.retouch_object(i, &which, scene);
            }
        }
    }

    fn retouch_object(&mut self, i: usize, which: impl Fn(&Note) -> bool, scene: &RenderContext) {
        self.update_hammers(i, &which, scene);
        self.rattle(i, scene);
        let object = &mut self.objects[i];
        if !object.notes.iter().any(&which) {
            return;
        }
        object.notes_changed = true;
        if object.activated_at == scene.frame {
            object.update_from_notes(scene);
            self.settle(i, scene);
        }
        let mut n = 0;
        while let Some(&note) = self.objects[i].notes.iter().nth(n) {
            if which(&note) {
                self.update_return_forces(i, &note, scene);
            }
            n += 1;
        }
    }

    fn update_hammers(&mut self, i: usize, which: impl Fn(&Note) -> bool, scene: &RenderContext) {
        let object = &mut self.objects[i];
        let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
        let mut last: Option<(u32, ParamValues)> = None;
        for hammer in 0..MAX_HAMMERS {
            if !object.collision.active(hammer) || object.is_driven(hammer) || object.obstacles.contain(hammer) {
                continue;
            }
            let note = object.note_of(hammer);
            if note.serial != 0 && !which(&note) {
                continue;
            }
            let known = last.filter(|(serial, _)| *serial == note.serial).map(|(_, grip)| grip);
            let grip = known.unwrap_or_else(|| scene.note_param_context().resolve(&note));
            last = Some((note.serial, grip));
            object.regrip(hammer, body, &grip, scene, &mut self.scratch);
        }
    }

    /// Draws the hammers of `note` to object `i` and presses one of them against it, as hard as knobs and hands say; where there is
    /// none, one may be laid on.
    fn update_return_forces(&mut self, i: usize, note: &Note, scene: &RenderContext) {
        let mut pull = ReturnForces::of(note, scene);
        let strikes = scene.settings.get(ParamId::KeyStrikes) > 0.5;
        let lays_on = pull.rests_hammer(strikes) && (strikes || !is_drive_possible(scene.settings));
        if lays_on && self.objects[i].hammer_of(note.serial).is_none() {
            let grip = scene.note_param_context().resolve(note);
            self.add_hammer(i, (&HammerLaunch::resting(&grip).with_spring(pull.spring), note.serial), &grip, scene);
        }
        for hammer in 0..MAX_HAMMERS {
            if self.objects[i].is_hammer_of(hammer, note.serial) {
                self.objects[i].set_return_forces(hammer, &pull, scene);
                pull.force = 0.0;
            }
        }
    }

    /// Changes the notes that an address means, and touches them anew.
    pub fn change(&mut self, id: NoteId, scene: &RenderContext, mut change: impl FnMut(&mut Note)) {
        self.drive.change(id, &mut change);
        for i in 0..self.objects.len() {
            let object = &mut self.objects[i];
            if object.is_awake() && !object.stolen && object.notes.hold(id) {
                object.notes.of(id).for_each(&mut change);
                self.retouch_object(i, |note| same_note(id, note.id), scene);
            }
        }
    }

    /// A host moves a knob for the notes that an address means.
    pub fn modulate(&mut self, id: NoteId, knob: ParamId, travel: f64, scene: &RenderContext) {
        if let Some(place) = PER_NOTE_PARAMS.iter().position(|&one| one == knob) {
            self.change(id, scene, |note| note.modulation[place] = travel.clamp(-1.0, 1.0));
        }
    }

    /// A sostenuto pedal has moved: where it has gone down, of the notes that `which` chooses those are caught whose keys are down; where
    /// it is up none are.
    pub fn set_sostenuto(&mut self, which: impl Fn(&Note) -> bool, scene: &RenderContext) {
        for object in self.objects.iter_mut().filter(|o| o.is_awake()) {
            for note in object.notes.iter_mut() {
                let pedal = scene.hands.sostenuto(note.id.channel);
                note.sostenuto = pedal && (note.sostenuto || note.down && which(note));
            }
            object.notes_changed = true;
        }
    }

    /// The dampers have moved.
    pub fn mark_dampers_changed(&mut self) {
        self.objects.iter_mut().filter(|o| o.is_awake()).for_each(|object| object.notes_changed = true);
    }
}
