//! Effect of notes on their voice: bend, gains, dampers, chokes.

use crate::context::{RenderContext, decay_rate};
use crate::midi::Note;
use crate::modulation::ReturnForces;
use crate::params::KeyLayout;
use crate::voice::hammer::MAX_HAMMERS;
use crate::voice::voice::Voice;

/// Decay time T60 [s] of a choked voice.
const CHOKE_TIME: f64 = 0.03;

impl Voice {
    /// Updates bend and gains by the last note, and the damping by the dampers and the strongest modulation.
    pub fn update_from_notes(&mut self, context: &RenderContext) {
        self.notes_changed = false;
        let note_context = context.note_param_context();
        let damping = |note: &Note| note_context.offsets(note).damping();
        self.decay.set_modulation(self.notes.iter().map(damping).fold(0.0, f64::max));
        if let Some(&last) = self.notes.iter().last() {
            self.pitch.bend_to(note_context.bend(&last) / 12.0);
            let per_key = context.settings.key_layout() == KeyLayout::Keys;
            self.output.gain_targets = if per_key { last.gains() } else { [1.0; 2] };
            let damper = if self.notes.any_held() { 0.0 } else { last.damper * context.controllers.damper(&last) };
            self.decay.set_damper(damper);
        }
        self.update_decay(context.rate);
    }

    /// Damps it immediately, whatever its release mode, and ends the return forces on its hammers.
    pub fn choke(&mut self, context: &RenderContext) {
        self.decay.choke(decay_rate(CHOKE_TIME));
        for note in self.notes.iter_mut() {
            (note.down, note.sostenuto) = (false, false);
        }
        for hammer in 0..MAX_HAMMERS {
            if self.collision.active(hammer) && self.is_pressed(hammer) {
                self.set_return_forces(hammer, &ReturnForces::default(), context);
            }
        }
        self.update_decay(context.rate);
    }
}
