//! The voice of the hammer drive: attaching, changing and removing the driven hammers, and their forces in each frame.

use crate::context::RenderContext;
use crate::drive::{HammerLoad, MountSpring, MountedHammer, is_drive_possible};
use crate::event::NoteId;
use crate::midi::{Humanise, Note};
use crate::modulation::NoteParams;
use crate::params::ParamId;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{HammerLaunch, NoteHammer};
use std::ops::Range;

/// Part of a damper's lift below which the pedal holds a key.
const PEDAL_THRESHOLD: f64 = 0.25;

impl VoiceManager {
    /// Updates the drive by the current notes, parameters and controllers. Called after every event and in every control block.
    pub fn update_drive(&mut self, context: &RenderContext) {
        if self.drive.is_idle() && !is_drive_possible(context.settings) {
            return;
        }
        self.forget_released_keys(context);
        let note = self.drive.selecting_note(context.settings);
        let note = note.map_or(Note::of(NoteId::default()), |note| self.current_state(note));
        self.drive.update(note, context);
        self.update_driven_hammers(context);
    }

    /// The note with its changes since it was struck.
    fn current_state(&self, note: Note) -> Note {
        let now = self.voices.iter().find_map(|voice| voice.notes().number(note.serial));
        now.map_or(note, |now| Note { humanise: Humanise::default(), ..*now })
    }

    /// Removes notes from the drive whose keys are released and not held by a pedal.
    fn forget_released_keys(&mut self, context: &RenderContext) {
        let mut held = self.drive.held_notes();
        held.keep(|note| {
            let now = self.current_state(*note);
            note.down && now.down || now.sostenuto || context.controllers.damper(&now) < PEDAL_THRESHOLD
        });
        self.drive.set_held_notes(held);
    }

    /// Processes the frames `run` of a control block, of which `context.frame` is the first, with the side-chain `input` (left and right,
    /// or mono). Returns whether the drive excites a body in them.
    pub fn process_drive_input(&mut self, run: Range<usize>, input: [&[f32]; 2], context: &RenderContext) -> bool {
        let content = self.bodies.body(self.bodies.current()).map(|body| body.drive_content());
        self.drive.process_input(run, input, content, context)
    }

    /// `params` for the hammer of side 0 or 1: two hammers are spaced along the body, and both positions are on it.
    fn params_of_side(&self, side: usize, mut params: NoteParams, context: &RenderContext) -> NoteParams {
        if self.drive.channels() == 2 {
            let half = 0.5 * context.settings.get(ParamId::DriveApart);
            let middle = params.position.along.clamp(half, 1.0 - half);
            let along = if side == 0 { middle - half } else { middle + half };
            params.position.along = ParamId::StrikePosition.spec().clamped(along);
        }
        params
    }

    /// Updates the hammers by the current parameters, or removes them from a body that is no longer driven.
    fn update_driven_hammers(&mut self, context: &RenderContext) {
        let Some(i) = self.drive.hammers().voice() else { return };
        let (voice, key) = (&self.voices[i], self.drive.body_key(context.settings));
        let stays = voice.key() == key && voice.body_slot() == Some(self.bodies.current()) && !voice.is_stolen();
        if !stays || self.drive.is_over() {
            return self.remove_drive();
        }
        if self.drive.channels() == 1 {
            self.remove_driven_hammer(1);
        }
        let params = NoteParams::resolve(self.drive.note(), &context.note_param_context());
        let forces = params.return_forces;
        self.drive.hammers_mut().set_load(HammerLoad { force: forces.force, acceleration: forces.gravity });
        for side in 0..2 {
            self.update_driven_hammer(i, side, params, context);
        }
    }

    fn update_driven_hammer(&mut self, i: usize, side: usize, params: NoteParams, context: &RenderContext) {
        if self.drive.hammers().get(side).is_none() {
            return;
        }
        let params = self.params_of_side(side, params, context);
        let voice = &mut self.voices[i];
        let (Some(mounted), Some(slot)) = (self.drive.hammers_mut().get_mut(side), voice.body_slot()) else { return };
        let Some(body) = self.bodies.body(slot) else { return };
        voice.update_hammer(mounted.hammer(), body, &params, context, &mut self.scratch);
        let mode = MountSpring::of(context.settings).mode(params.hammer.mass, context.rate);
        mounted.update(params.hammer.mass, mode, context.settings.get(ParamId::RestHeight), voice.collision_mut());
    }

    /// Begins a control block: rest positions advance, and a hammer that has left the body is removed.
    pub(super) fn begin_drive_block(&mut self, context: &RenderContext) {
        self.drive.hammers_mut().set_out_of_reach(false);
        self.update_drive(context);
        let Some(i) = self.drive.hammers().voice() else { return };
        for side in 0..2 {
            let collision = self.voices[i].collision_mut();
            let mounted = self.drive.hammers_mut().get_mut(side);
            let stays = mounted.is_none_or(|mounted| mounted.advance(context.rate, collision));
            if !stays {
                self.remove_driven_hammer(side);
            }
        }
    }

    /// Removes all hammers of the drive.
    fn remove_drive(&mut self) {
        self.remove_driven_hammer(0);
        self.remove_driven_hammer(1);
        self.drive.hammers_mut().forget();
    }

    fn remove_driven_hammer(&mut self, side: usize) {
        if let Some(i) = self.drive.hammers().voice()
            && let Some(mounted) = self.drive.hammers_mut().take(side)
        {
            self.remove_hammer(i, mounted.hammer());
        }
    }

    /// Removes the drive from a body that a strike of `key` does not hit, so that its voice may be stolen.
    pub(super) fn remove_drive_for_strike(&mut self, key: u8, context: &RenderContext) {
        let elsewhere = |i: usize| self.voices[i].key() != key;
        if self.drive.hammers().voice().is_some_and(elsewhere) && self.drive.selecting_note(context.settings).is_some() {
            self.remove_drive();
        }
    }

    /// Attaches the hammer of side 0 or 1 to voice `i`, at its height over the surface where that is now, unless it is too far away from its rest.
    fn attach_hammer(&mut self, i: usize, side: usize, context: &RenderContext) {
        let params = NoteParams::resolve(self.drive.note(), &context.note_param_context());
        let params = self.params_of_side(side, params, context);
        let (mass, height) = (params.hammer.mass, context.settings.get(ParamId::RestHeight));
        let mode = MountSpring::of(context.settings).mode(mass, context.rate);
        let hammer = NoteHammer { launch: HammerLaunch::mounted(mode), strike_speed: 0.0, serial: 0 };
        self.update_obstacles(i, context);
        let Some(hammer) = self.add_hammer(i, &hammer, &params, context) else { return };
        self.voices[i].set_driven(hammer);
        if height > 0.0 {
            self.voices[i].collision_mut().set_hammer_gap(hammer, height);
        }
        let mounted = MountedHammer::new(hammer, mass, mode, height);
        if !mounted.is_within_reach(self.voices[i].collision()) {
            self.remove_hammer(i, hammer);
            self.drive.hammers_mut().set_out_of_reach(true);
            return;
        }
        self.drive.hammers_mut().insert(side, mounted);
    }

    /// Applies the drive in frame `offset` of the control block; a push activates its body if it sleeps.
    pub(super) fn apply_drive(&mut self, offset: usize, context: &RenderContext) {
        if self.drive.is_idle() {
            return;
        }
        let frame = self.drive.frame(offset);
        self.drive.hammers_mut().count_frame(&frame);
        if frame.pushes && self.drive.hammers().is_incomplete(self.drive.channels()) {
            self.attach_drive(offset, context);
        }
        let Some(i) = self.drive.hammers().voice() else { return };
        self.drive.hammers_mut().apply(&frame, self.voices[i].collision_mut());
    }

    /// Attaches every missing hammer in frame `offset` of the control block, unless one was out of reach in this block.
    fn attach_drive(&mut self, offset: usize, context: &RenderContext) {
        if self.bodies.plays_hi_hat() || self.drive.hammers().is_out_of_reach() {
            return;
        }
        let key = self.drive.body_key(context.settings);
        let Some(i) = self.drive.hammers().voice().or_else(|| self.voice_for_key(key, context)) else { return };
        // its surface is where it is in this frame
        self.voices[i].ring_to(offset, context.mallet_noise_gain(), &mut self.render_state.step_scratch);
        self.drive.hammers_mut().attach_to(i);
        for side in 0..self.drive.channels() {
            if self.drive.hammers().get(side).is_none() {
                self.attach_hammer(i, side, context);
            }
        }
        if self.drive.hammers().is_empty() {
            self.drive.hammers_mut().forget();
        }
        self.update_driven_hammers(context);
    }

    /// Records one frame of the driven hammers for display.
    pub(super) fn trace_drive(&mut self) {
        if self.drive.is_idle() {
            return;
        }
        let hammers = self.drive.hammers();
        let Some(i) = hammers.voice() else { return self.drive.trace_hammers(None, 0.0) };
        let height = hammers.get(0).map(|mounted| -self.voices[i].collision().hammer(mounted.hammer()).compression());
        let force = self.voices[i].take_driven_force();
        self.drive.trace_hammers(height, force);
    }
}
