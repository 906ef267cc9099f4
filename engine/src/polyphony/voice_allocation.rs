//! Voice allocation: the voice of a key, and voice stealing.

use crate::block::CONTROL_BLOCK;
use crate::context::{RenderContext, decay_rate};
use crate::params::ParamId;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{KeyPitch, MAX_HAMMERS};

/// Decay time T60 [s] of a stolen voice.
const STEAL_FADE_TIME: f64 = 0.02;

impl VoiceManager {
    /// The voice that sounds with the body of `key`, or another that becomes it; None for a key without a frequency.
    pub(super) fn voice_for_key(&mut self, key: u8, context: &RenderContext) -> Option<usize> {
        let (slot, pitch) = (self.bodies.current(), KeyPitch { key, hertz: context.tuning.hertz(key)? });
        if let Some(i) = self.voices.iter().position(|voice| voice.matches(pitch, slot)) {
            return Some(i);
        }
        let i = self.allocate_voice(context)?;
        let body = self.bodies.body(slot)?;
        self.voices[i].activate(pitch, slot, body, context, &mut self.scratch);
        self.voices[i].pitch_mut().set_retuned_at(self.retune_count);
        self.register_active(i);
        self.bodies.retain(slot);
        Some(i)
    }

    /// A voice that sleeps. At the maximum of voices beside the driven one the voice with the least energy is stolen and fades; when no
    /// spare voice is left to fade, the weakest of the stolen is cut off and its last sample ramps out.
    fn allocate_voice(&mut self, context: &RenderContext) -> Option<usize> {
        let most = (context.settings.get(ParamId::Voices) as usize).min(self.limits.voices);
        let counts = |manager: &Self, i: usize| {
            let voice = &manager.voices[i];
            voice.is_awake() && !voice.is_stolen() && !manager.drive.hammers().is_on(i)
        };
        while (0..self.voices.len()).filter(|&i| counts(self, i)).count() >= most {
            let weakest = self.lowest_energy_voice(counts)?;
            self.steal(weakest, context);
        }
        if let Some(i) = self.voices.iter().position(|voice| !voice.is_awake()) {
            return Some(i);
        }
        let i = self.lowest_energy_voice(|manager, i| manager.voices[i].is_stolen())?;
        let offset = (context.frame % CONTROL_BLOCK as u64) as usize;
        self.voices[i].ring_to(offset, context.mallet_noise_gain());
        self.render_state.tail.add_ramp(offset, self.voices[i].output());
        self.sleep(i);
        Some(i)
    }

    /// Voice `i` fades fast, without its hammers; its notes have ended.
    pub(super) fn steal(&mut self, i: usize, context: &RenderContext) {
        for hammer in 0..MAX_HAMMERS {
            self.remove_hammer(i, hammer);
        }
        if self.drive.hammers().is_on(i) {
            self.drive.hammers_mut().forget();
        }
        self.voices[i].steal(decay_rate(STEAL_FADE_TIME), context);
        self.end_notes(i);
    }

    /// Steals all voices with the oldest body, so that its slot becomes free.
    pub fn release_oldest_body(&mut self, context: &RenderContext) {
        let oldest = self.bodies.oldest();
        for i in 0..self.voices.len() {
            let voice = &self.voices[i];
            if voice.is_awake() && !voice.is_stolen() && voice.body_slot() == oldest {
                self.steal(i, context);
            }
        }
    }
}
