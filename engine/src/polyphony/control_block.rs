//! Begin of a control block: smoothed parameters reach the voices, a queued body is installed, silent voices fall asleep.
//!
//! Obstacles of all voices: which voice has them, and which loses them first.

use crate::context::RenderContext;
use crate::event::NoteId;
use crate::midi::Note;
use crate::modulation::SmoothedChanges;
use crate::params::{KeyLayout, ParamId};
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{MAX_HAMMERS, ObstacleParams, RemovalRank, contact_law};

/// Frames without a push after which the voice of the drive may fall asleep.
const DRIVE_QUIET_FRAMES: u32 = 1024;

impl VoiceManager {
    /// Begins a control block with `changes` of smoothed parameters, at `level` (a factor) of the output.
    pub fn begin_control_block(&mut self, changes: SmoothedChanges, level: f64, context: &RenderContext) {
        self.bodies.install();
        for n in 0..self.active_voices.len() {
            self.advance_voice(self.active_voices[n], changes, context);
        }
        self.retune(context);
        self.begin_drive_block(context);
        self.active_voices.iter().for_each(|&i| self.voices[i].update_dormant_obstacles());
        let mut next = 0;
        while let Some(i) = self.next_awake(next) {
            // in its turn its state is synced anyway
            if self.voices[i].has_lookahead_turn() {
                self.sleep_if_silent(i, level, context);
            }
            next = i + 1;
        }
    }

    fn advance_voice(&mut self, i: usize, changes: SmoothedChanges, context: &RenderContext) {
        let voice = &mut self.voices[i];
        voice.end_control_block(context.frame);
        voice.begin_control_block(context.frame, i);
        if voice.hammer_count() == 0 {
            self.pool.collect(voice.collision_mut());
        }
        if voice.notes_changed() {
            voice.update_from_notes(context);
        }
        let gains_moved = voice.advance_control(self.limits.block_time);
        let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
        let morphed = changes.morph && body.morphs();
        if changes.pitch || morphed {
            voice.pitch_mut().request_retune();
        }
        if changes.weights || morphed {
            voice.update_weights(body, context, &mut self.scratch);
        } else if gains_moved {
            voice.move_pickups(body, context, &mut self.scratch);
        }
    }

    fn sleep_if_silent(&mut self, i: usize, level: f64, context: &RenderContext) {
        self.end_finished_notes(i, context);
        let voice = &mut self.voices[i];
        voice.sync_state();
        let driven = voice.active().filter(|&hammer| voice.is_driven(hammer)).count();
        let has_strikes = voice.hammer_count() > driven;
        if !has_strikes && voice.obstacles().active_count() == 0 && !voice.collision().is_exact() {
            voice.flush_denormals();
        }
        if has_strikes || !voice.is_silent(level, context) {
            return;
        }
        if driven == 0 || self.drive.hammers().quiet_frames() >= DRIVE_QUIET_FRAMES {
            self.sleep(i);
        } else {
            self.end_notes(i);
        }
    }

    /// Ends the notes of voice `i` that are released for good and whose hammers are gone. In the layout per key the last note stays: the
    /// body sounds for it.
    fn end_finished_notes(&mut self, i: usize, context: &RenderContext) {
        let mut serials = [0; MAX_HAMMERS];
        let voice = &mut self.voices[i];
        for hammer in voice.active() {
            serials[hammer] = voice.hammer_serial(hammer);
        }
        let per_key = context.settings.key_layout() == KeyLayout::Keys;
        let last = voice.notes().iter().last().map(|note| note.serial).filter(|_| per_key);
        let released = |note: &Note| note.damper == 0.0 || context.controllers.damper(note) == 1.0;
        let finished = |note: &Note| !note.is_held() && released(note) && !serials.contains(&note.serial);
        voice.notes_mut().end(&mut self.ended, |note| finished(note) && Some(note.serial) != last);
    }
}

/// A voice that may lose its obstacles where all cost too much; a driven one is protected: its energy is low when its note begins.
#[derive(Clone, Copy, Debug)]
pub struct ObstacleOwner {
    /// Number of the voice.
    voice: usize,
}

impl VoiceManager {
    /// Gives voice `i` the obstacles of the parameters, modulated by its last note.
    pub(super) fn update_obstacles(&mut self, i: usize, context: &RenderContext) {
        let last = self.voices[i].obstacles().params().copied();
        if !self.voices[i].is_awake() || last.is_none() && context.settings.get(ParamId::Rattle) < 0.5 {
            return;
        }
        let note = self.voices[i].notes().iter().last().copied().unwrap_or_else(|| Note::of(NoteId::default()));
        let offsets = context.note_param_context().offsets(&note);
        // a rigid obstacle has the damping of a hammer of the same mass
        let law = contact_law(&context.settings.obstacle_contact(), context.settings.get(ParamId::RattleMass));
        let params = ObstacleParams::new(context.settings, &offsets, law);
        if last == Some(params) {
            return;
        }
        self.voices[i].discard_lookahead();
        if let Some(last) = last.filter(|last| params.keeps_obstacles_of(last)) {
            let voice = &mut self.voices[i];
            let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
            voice.update_obstacles(&params, &last, body, context, &mut self.scratch);
        } else {
            self.replace_obstacles(i, &params, context);
        }
        self.voices[i].set_obstacle_params((!params.is_off()).then_some(params));
    }

    /// Replaces the obstacles of voice `i`; on a body at rest they are at rest.
    fn replace_obstacles(&mut self, i: usize, params: &ObstacleParams, context: &RenderContext) {
        self.render_state.order.clear();
        self.voices[i].clear_obstacles();
        let at_rest = self.voices[i].activated_at() == context.frame && !self.voices[i].collision().any_active();
        for _ in 0..params.count() {
            if !self.may_add_obstacle() {
                break;
            }
            self.reserve_hammer(i);
            let voice = &mut self.voices[i];
            let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
            if !voice.add_obstacle(params, body, context, &mut self.scratch) {
                break;
            }
        }
        if at_rest {
            self.voices[i].collision_mut().settle_preload();
        }
    }

    /// The voices with obstacles to step, with their ranks.
    pub(super) fn obstacle_owners(&self) -> impl Iterator<Item = (RemovalRank, ObstacleOwner)> {
        let owners = self.active_voices.iter().copied().filter(|&i| self.voices[i].obstacles().active_count() > 0);
        owners.map(|i| {
            let (protected, energy) = (self.drive.hammers().is_on(i), self.voices[i].collision().energy());
            (RemovalRank { protected, energy }, ObstacleOwner { voice: i })
        })
    }

    /// Removes the obstacles of a voice until it is struck again. Returns their number.
    pub(super) fn remove_obstacles(&mut self, &ObstacleOwner { voice }: &ObstacleOwner) -> usize {
        let voice = &mut self.voices[voice];
        let count = voice.obstacles().count();
        voice.clear_obstacles();
        self.pool.collect(voice.collision_mut());
        count
    }
}
