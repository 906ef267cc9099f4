//! Beginning of a control block: smoothed parameters reach the voices, a queued body is installed, silent voices fall asleep.

use crate::context::RenderContext;
use crate::hi_hat::HiHatChanges;
use crate::midi::Note;
use crate::modulation::SmoothedChanges;
use crate::params::KeyLayout;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::MAX_HAMMERS;

/// Frames without a push after which the voice of the drive may fall asleep.
const DRIVE_QUIET_FRAMES: u32 = 1024;

impl VoiceManager {
    /// Begins a control block with `changes` of smoothed parameters, at `level` (a factor) of the output.
    pub fn begin_control_block(&mut self, changes: SmoothedChanges, level: f64, context: &RenderContext) {
        self.bodies.install();
        for n in 0..self.active_voices.len() {
            self.advance_voice(self.active_voices[n], changes, context);
        }
        self.hammers_outdated = false;
        self.retune(context);
        self.update_dense_weights(context);
        self.begin_drive_block(context);
        self.active_voices.iter().for_each(|&i| self.voices[i].update_dormant_obstacles());
        let mut next = 0;
        while let Some(i) = self.next_awake(next) {
            // when it is this voice's turn, its state is synced anyway
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
        let changes = changes.with(&self.modulate_voice(i, context));
        let is_moved = changes.any() || self.voices[i].notes_changed();
        let (offsets, mut values) = (if is_moved { self.offsets_of(i) } else { None }, None);
        // most voices have no offsets, and need no copy
        let own;
        let context = if offsets.is_some() {
            own = context.with_offsets(&offsets, &mut values);
            &own
        } else {
            context
        };
        let voice = &mut self.voices[i];
        if voice.notes_changed() {
            voice.update_from_notes(context);
        }
        let gains_moved = voice.advance_control(self.limits.block_time);
        let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
        if voice.has_hi_hat() {
            let hi_hat_changes =
                HiHatChanges { pitch: changes.pitch, weights: changes.weights || changes.pickups || changes.morph };
            return voice.begin_hi_hat_block(hi_hat_changes, body, context, &mut self.scratch);
        }
        voice.update_cascade(body, context);
        voice.update_motion_drive(body, context, &mut self.scratch);
        voice.update_tube(body, context, &mut self.scratch);
        let morphed = changes.morph && body.morphs();
        if changes.pitch || morphed {
            voice.pitch_mut().request_retune();
        }
        if changes.pickups {
            voice.mark_tube_outdated();
        }
        let pickups_moved = changes.pickups || gains_moved;
        if body.is_dense() && (changes.weights || morphed || pickups_moved) {
            voice.request_weights();
        } else if changes.weights || morphed {
            voice.update_weights(body, context, &mut self.scratch);
        } else if pickups_moved {
            voice.move_pickups(body, context, &mut self.scratch);
        }
        if changes.tension || changes.weights || morphed {
            voice.update_tension_law(body, context, &mut self.scratch);
            voice.update_potential_law(body, context);
        }
    }

    /// Advances the modulation of voice `i` and updates its hammers. Returns what has changed of its body.
    fn modulate_voice(&mut self, i: usize, context: &RenderContext) -> SmoothedChanges {
        let modulated = self.advance_modulators(i, context);
        // without a hammer nothing is in contact, and the next strike takes its own values
        if modulated.forces {
            self.update_notes_of_voice(i, context);
        } else if (modulated.hammers || self.hammers_outdated) && self.voices[i].hammer_count() > 0 {
            self.update_hammers_of_voice(i, context);
        }
        modulated.smoothed
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
        if has_strikes || voice.is_kept_awake() || !voice.is_silent(level, context) {
            if let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) {
                voice.prune(body, level);
            }
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
