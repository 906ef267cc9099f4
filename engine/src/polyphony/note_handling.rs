//! Notes on voices: strikes, releases, chokes, pedals, and continuous controllers.

use crate::block::CONTROL_BLOCK;
use crate::context::{RenderContext, decay_rate};
use crate::drive::is_drive_possible;
use crate::event::NoteId;
use crate::midi::{Humanise, Note, same_note};
use crate::modulation::{NoteParams, ReturnForces};
use crate::params::{PER_NOTE_PARAMS, ParamId, VoiceMode};
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{HammerLaunch, KeyPitch, MAX_HAMMERS, NoteHammer, StrikeHammers, Strum, Voice};

/// Number of time constants after which a glide is within half a percent of its target.
const GLIDE_TIMES: f64 = 10.0;

/// Decades of damping time from the slowest to the fastest release velocity, at full amount.
const RELEASE_DECADES: f64 = 2.0;

impl VoiceManager {
    /// Strikes the body of the note's key with `velocity` in (0, 1]. The note of a key without a frequency ends immediately.
    pub fn note_on(&mut self, id: NoteId, velocity: f64, context: &RenderContext) {
        let key = context.settings.body_key(id.key);
        if [id.key, key].iter().any(|&key| context.tuning.hertz(key).is_none()) {
            return self.ended.push(id);
        }
        let strike = self.strike_sources(id.key, velocity, context);
        let (offsets, mut values) = (Self::offsets_of_strike(&Note::of(id), strike, context), None);
        let (of_part, context) = (context, &context.with_offsets(&offsets, &mut values));
        let note = self.new_note(id, context);
        self.drive.note_on(note, context.settings);
        let gliding = self.legato_voice(context).filter(|&i| self.glide(i, key, context));
        self.remove_drive_for_strike(key, context);
        let Some(i) = gliding.or_else(|| self.voice_for_key(key, context)) else { return };
        self.choke_others(i, id.key, context);
        self.strike_modulators(i, &note, strike, of_part);
        let (offsets, mut values) = (self.offsets_of(i), None);
        let context = &of_part.with_offsets(&offsets, &mut values);
        let voice = &mut self.voices[i];
        if let Some(displaced) = voice.notes_mut().note_on(note) {
            self.ended.push(displaced);
        }
        voice.end_choke();
        voice.update_from_notes(context);
        self.snap_new_voice(i, context);
        self.update_obstacles(i, context);
        let level = if gliding.is_some() { context.settings.get(ParamId::Legato) } else { 1.0 };
        let note = Note { down: true, ..note };
        let params = NoteParams::resolve(&note, &context.note_param_context());
        if context.settings.get(ParamId::KeyStrikes) > 0.5 {
            let speed = params.strike_speed(velocity, level);
            self.strike(i, &note, speed, &params, context);
        }
        self.update_return_forces(i, &note, &params, context);
    }

    fn new_note(&mut self, id: NoteId, context: &RenderContext) -> Note {
        self.serial = self.serial.wrapping_add(1).max(1);
        let damped = context.settings.get(ParamId::Release) > 0.5;
        let damper = if damped { decay_rate(context.settings.get(ParamId::ReleaseTime)) } else { 0.0 };
        let humanise = Humanise::new(context.settings, &mut self.rng);
        Note { serial: self.serial, damper, humanise, ..Note::of(id) }
    }

    /// A voice activated in this frame starts with bend and gains of its note.
    fn snap_new_voice(&mut self, i: usize, context: &RenderContext) {
        let voice = &mut self.voices[i];
        if voice.activated_at() == context.frame
            && let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot))
        {
            voice.snap_to_targets(body, context, &mut self.scratch);
        }
    }

    /// Launches the hammers of `note` at `speed` [m/s]: one for each stroke of a strum, and for a flam one for the grace stroke before them.
    fn strike(&mut self, i: usize, note: &Note, speed: f64, params: &NoteParams, context: &RenderContext) {
        if speed > 0.0 {
            // a hammer that is pressed or pulled would not arrive in time
            let is_free = params.return_forces == ReturnForces::default();
            let flam_time = if is_free { context.settings.get(ParamId::FlamTime) } else { 0.0 };
            let hammers = match Strum::of(context.settings).filter(|_| is_free) {
                Some(strum) => StrikeHammers::strum(&params.hammer, &strum, params.position.along),
                None if self.voices[i].has_hi_hat() => StrikeHammers::whole(&params.hammer),
                None => StrikeHammers::new(&params.hammer, &mut self.rng),
            };
            let mut launch = |launch: HammerLaunch| {
                let hammer = NoteHammer { launch: launch.delayed(note.humanise.late), strike_speed: speed, serial: note.serial };
                self.update_obstacles(i, context);
                self.add_hammer(i, &hammer, params, context);
            };
            if flam_time > 0.0 {
                launch(HammerLaunch::whole(&params.hammer).with_speed_factor(context.settings.get(ParamId::FlamSpeed)));
            }
            for hammer in hammers.hammers() {
                launch(hammer.delayed(flam_time).with_spring(params.return_forces.spring));
            }
        }
    }

    /// Chokes or steals the voices that end for a strike of `key` on voice `i`: those of its choke group, or all others in a mode with one
    /// voice.
    fn choke_others(&mut self, i: usize, key: u8, context: &RenderContext) {
        let single = context.settings.voice_mode() != VoiceMode::Poly;
        for other in (0..self.voices.len()).filter(|&other| other != i) {
            let voice = &mut self.voices[other];
            if !voice.is_awake() || voice.is_stolen() {
                continue;
            }
            if single {
                self.steal(other);
            } else if self.choke_groups.chokes(key, voice.key()) {
                voice.choke(context);
            }
        }
    }

    /// The voice with a held key on which the next key is played legato.
    fn legato_voice(&self, context: &RenderContext) -> Option<usize> {
        let legato = context.settings.voice_mode() == VoiceMode::Legato;
        let held = |voice: &Voice| voice.is_awake() && !voice.is_stolen() && voice.notes().iter().any(|note| note.down);
        self.voices.iter().position(held).filter(|_| legato)
    }

    /// Voice `i` glides to `key`. Returns false if it cannot: its body is not the one that strikes go to.
    fn glide(&mut self, i: usize, key: u8, context: &RenderContext) -> bool {
        let voice = &mut self.voices[i];
        let current = Some(self.bodies.current());
        let Some(hertz) = context.tuning.hertz(key).filter(|_| voice.body_slot() == current) else { return false };
        let blocks = context.settings.get(ParamId::Glide) * context.rate / CONTROL_BLOCK as f64;
        voice.glide_to(KeyPitch { key, hertz }, -(-GLIDE_TIMES / blocks).exp_m1());
        true
    }

    /// Releases a key with the release `velocity`, 0 to 1.
    pub fn note_off(&mut self, id: NoteId, velocity: f64, context: &RenderContext) {
        self.drive.note_off(id);
        let amount = context.settings.get(ParamId::ReleaseVelocity) * RELEASE_DECADES;
        let faster = 10_f64.powf(amount * (velocity.clamp(0.0, 1.0) - 0.5));
        for i in 0..self.voices.len() {
            let voice = &mut self.voices[i];
            if !voice.is_awake() {
                continue;
            }
            let Some(note) = voice.notes_mut().release(id) else { continue };
            note.damper *= faster;
            let note = *note;
            let (offsets, mut values) = (self.offsets_of(i), None);
            let context = &context.with_offsets(&offsets, &mut values);
            let params = NoteParams::resolve(&note, &context.note_param_context());
            self.update_return_forces(i, &note, &params, context);
            self.return_legato(i, context);
            self.voices[i].update_from_notes(context);
            return;
        }
    }

    /// In legato mode the voice returns to the key that is still held.
    fn return_legato(&mut self, i: usize, context: &RenderContext) {
        if context.settings.voice_mode() == VoiceMode::Legato
            && let Some(held) = self.voices[i].notes().iter().rfind(|note| note.down)
        {
            let key = context.settings.body_key(held.id.key);
            self.glide(i, key, context);
        }
    }

    /// Releases every note that `which` selects.
    pub fn release_where(&mut self, which: impl Fn(&Note) -> bool, context: &RenderContext) {
        self.drive.release_where(&which);
        for i in 0..self.voices.len() {
            let down = |note: &&Note| note.down && which(note);
            while let Some(id) = self.voices[i].notes().iter().find(down).map(|note| note.id) {
                self.note_off(id, 0.5, context);
            }
        }
    }

    /// Chokes the voices that `which` selects.
    pub fn choke(&mut self, which: impl Fn(&Voice) -> bool, context: &RenderContext) {
        let voices = self.voices.iter_mut().filter(|voice| voice.is_awake() && which(voice));
        voices.for_each(|voice| voice.choke(context));
    }

    /// Updates the hammers of the notes that `which` selects, and those without a note, by parameters and controllers in this frame.
    /// Their voices follow at the next control block.
    pub fn update_notes(&mut self, which: impl Fn(&Note) -> bool, context: &RenderContext) {
        for i in 0..self.voices.len() {
            if self.voices[i].is_awake() {
                self.update_voice(i, &which, context);
            }
        }
    }

    /// Updates all hammers in this frame by parameters that [move nothing else](ParamId::moves_hammers).
    pub fn update_all_hammers(&mut self, context: &RenderContext) {
        for n in 0..self.active_voices.len() {
            let i = self.active_voices[n];
            if self.voices[i].hammer_count() > 0 {
                self.update_hammers_of_voice(i, context);
            }
        }
    }

    /// Parameters that move nothing but hammers have moved: all hammers follow when the next control block begins.
    pub fn mark_hammers_outdated(&mut self) {
        self.hammers_outdated = true;
    }

    /// [`Self::update_all_hammers`] for voice `i`.
    pub(super) fn update_hammers_of_voice(&mut self, i: usize, context: &RenderContext) {
        let (offsets, mut values) = (self.offsets_of(i), None);
        let context = &context.with_offsets(&offsets, &mut values);
        self.update_hammers(i, |_| true, context);
    }

    /// The same as [`Self::update_notes`] for all notes of voice `i`.
    pub(super) fn update_notes_of_voice(&mut self, i: usize, context: &RenderContext) {
        self.update_voice(i, |_| true, context);
    }

    fn update_voice(&mut self, i: usize, which: impl Fn(&Note) -> bool, context: &RenderContext) {
        let (offsets, mut values) = (self.offsets_of(i), None);
        let context = &context.with_offsets(&offsets, &mut values);
        self.update_hammers(i, &which, context);
        self.update_obstacles(i, context);
        let voice = &mut self.voices[i];
        if !voice.notes().iter().any(&which) {
            return;
        }
        voice.mark_notes_changed();
        if voice.activated_at() == context.frame {
            voice.update_from_notes(context);
            self.snap_new_voice(i, context);
        }
        let mut n = 0;
        while let Some(&note) = self.voices[i].notes().iter().nth(n) {
            if which(&note) {
                let params = NoteParams::resolve(&note, &context.note_param_context());
                self.update_return_forces(i, &note, &params, context);
            }
            n += 1;
        }
    }

    /// Updates the hammers of voice `i` by the parameters of the notes that `which` selects; also hammers without a note.
    fn update_hammers(&mut self, i: usize, which: impl Fn(&Note) -> bool, context: &RenderContext) {
        let voice = &mut self.voices[i];
        let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
        let mut last: Option<(u32, NoteParams)> = None;
        for hammer in 0..MAX_HAMMERS {
            if !voice.collision().active(hammer) || voice.is_driven(hammer) || voice.obstacles().contain(hammer) {
                continue;
            }
            let note = voice.note_of(hammer);
            if note.serial != 0 && !which(&note) {
                continue;
            }
            let known = last.filter(|(serial, _)| *serial == note.serial).map(|(_, params)| params);
            let params = known.unwrap_or_else(|| NoteParams::resolve(&note, &context.note_param_context()));
            last = Some((note.serial, params));
            voice.update_hammer(hammer, body, &params, context, &mut self.scratch);
        }
    }

    /// Sets the return forces of the hammers of `note` on voice `i`; they are zero once its key is up. Presses one of these hammers against
    /// the body. If the note has none, a new hammer may be put to rest on the body.
    fn update_return_forces(&mut self, i: usize, note: &Note, params: &NoteParams, context: &RenderContext) {
        let mut forces = if note.down { params.return_forces } else { ReturnForces::default() };
        let strikes = context.settings.get(ParamId::KeyStrikes) > 0.5;
        let rests = forces.rests_hammer(strikes) && (strikes || !is_drive_possible(context.settings));
        if rests && self.voices[i].hammer_of(note.serial).is_none() {
            let launch = HammerLaunch::whole(&params.hammer).with_spring(forces.spring);
            self.update_obstacles(i, context);
            self.add_hammer(i, &NoteHammer { launch, strike_speed: 0.0, serial: note.serial }, params, context);
        }
        for hammer in 0..MAX_HAMMERS {
            if self.voices[i].is_hammer_of(hammer, note.serial) {
                self.voices[i].set_return_forces(hammer, &forces, context);
                forces = forces.without_press();
            }
        }
    }

    /// Changes the notes that match `id`, and updates their voices.
    pub fn change_notes(&mut self, id: NoteId, context: &RenderContext, mut change: impl FnMut(&mut Note)) {
        self.drive.change(id, &mut change);
        for i in 0..self.voices.len() {
            let voice = &mut self.voices[i];
            if voice.is_awake() && !voice.is_stolen() && voice.notes().contains(id) {
                voice.notes_mut().of(id).for_each(&mut change);
                self.update_voice(i, |note| same_note(id, note.id), context);
            }
        }
    }

    /// Sets the modulation of a parameter by the host, -1 to 1 of its range, for the notes that match `id`.
    pub fn modulate(&mut self, id: NoteId, param: ParamId, amount: f64, context: &RenderContext) {
        if let Some(place) = PER_NOTE_PARAMS.iter().position(|&one| one == param) {
            self.change_notes(id, context, |note| note.modulation[place] = amount.clamp(-1.0, 1.0));
        }
    }

    /// Applies the sostenuto pedals: a pedal that is down holds the notes that `which` selects whose keys are down; a pedal that is up
    /// holds none.
    pub fn set_sostenuto(&mut self, which: impl Fn(&Note) -> bool, context: &RenderContext) {
        for voice in self.voices.iter_mut().filter(|voice| voice.is_awake()) {
            for note in voice.notes_mut().iter_mut() {
                let pedal = context.controllers.sostenuto(note.id.channel);
                note.sostenuto = pedal && (note.sostenuto || note.down && which(note));
            }
            voice.mark_notes_changed();
        }
    }

    /// Updates the voices after the damper pedals have moved.
    pub fn mark_dampers_changed(&mut self) {
        self.voices.iter_mut().filter(|voice| voice.is_awake()).for_each(Voice::mark_notes_changed);
    }
}
