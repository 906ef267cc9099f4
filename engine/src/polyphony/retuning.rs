//! Retuning of bodies whose pitch or losses move, and new weights of dense bodies whose pickups, hammers or mass move, in every
//! control block up to a number of modes.

use crate::context::RenderContext;
use crate::polyphony::voice_manager::VoiceManager;
use crate::tuning::KeyFrequencies;
use crate::voice::Voice;

/// Maximum number of modes of all voices retuned in one control block at [`REFERENCE_RATE`]: 64 bodies of 64 modes. One takes about 20 ns,
/// so all take 80 us of a block of 333 us. The others follow in the next block.
const MAX_MODES: f64 = 4096.0;

/// Maximum number of weights of dense bodies computed in one control block at [`REFERENCE_RATE`]. Two pickups and a hammer on a body of 2048
/// modes are 6144; one weight is eight cosines. The others follow in the next block.
const MAX_WEIGHTS: f64 = 6144.0;

/// Sample rate [Hz] above which blocks are so short that fewer modes are retuned in each.
const REFERENCE_RATE: f64 = 48e3;

impl VoiceManager {
    /// All voices glide to their keys' new frequencies, by the part `step` per control block.
    pub fn follow_tuning(&mut self, tuning: &KeyFrequencies, step: f64) {
        for &i in &self.active_voices {
            let voice = &mut self.voices[i];
            if let Some(hertz) = tuning.hertz(voice.key()) {
                voice.pitch_mut().glide_to(hertz, step);
            }
        }
    }

    /// Retunes the voices that have waited longest, as many as fit into a control block.
    pub(super) fn retune(&mut self, context: &RenderContext) {
        let mut left = (MAX_MODES * (REFERENCE_RATE / context.rate).min(1.0)) as usize;
        loop {
            let waiting = self.active_voices.iter().copied().filter(|&i| self.voices[i].pitch().needs_retune());
            let Some(i) = waiting.min_by_key(|&i| self.voices[i].pitch().retuned_at()) else { return };
            let (offsets, mut values) = (self.offsets_of(i), None);
            let context = &context.with_offsets(&offsets, &mut values);
            let voice = &mut self.voices[i];
            let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
            let cost = voice.retune(body, context, &mut self.scratch);
            self.retune_count += 1;
            voice.pitch_mut().set_retuned(self.retune_count);
            if cost >= left {
                return;
            }
            left -= cost;
        }
    }
}

impl VoiceManager {
    /// Updates the weights of the dense bodies that have waited longest, as many as fit into a control block.
    pub(super) fn update_dense_weights(&mut self, context: &RenderContext) {
        if !self.awake().any(Voice::weights_due) {
            return;
        }
        let mut left = (MAX_WEIGHTS * (REFERENCE_RATE / context.rate).min(1.0)) as usize;
        loop {
            let waiting = self.active_voices.iter().copied().filter(|&i| self.voices[i].weights_due());
            let Some(i) = waiting.min_by_key(|&i| self.voices[i].weights_updated_at()) else { return };
            let (offsets, mut values) = (self.offsets_of(i), None);
            let context = &context.with_offsets(&offsets, &mut values);
            let voice = &mut self.voices[i];
            let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
            voice.update_weights(body, context, &mut self.scratch);
            let cost = voice.collision().modes().len() * (2 + voice.active_count());
            self.weights_count += 1;
            voice.set_weights_updated(self.weights_count);
            if cost >= left {
                return;
            }
            left -= cost;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::CONTROL_BLOCK;
    use crate::body::{BodySpec, PreparedBody};
    use crate::context::ContextSetup;
    use crate::event::NoteId;
    use crate::params::{ParamId, ParamValues};
    use crate::tuning::KeyFrequencies;
    use urto_physics::modal::Mode;

    const BODIES: usize = 64;
    const MODES: usize = 64;

    /// Damped frequencies of all modes.
    fn frequencies(manager: &VoiceManager) -> Vec<f64> {
        let awake = manager.voices.iter().filter(|voice| voice.is_awake());
        awake.flat_map(|voice| voice.collision().modes().iter().map(Mode::heard_frequency)).collect()
    }

    /// Largest distance [cents] of two lists of frequencies.
    fn cents(before: &[f64], after: &[f64]) -> f64 {
        before.iter().zip(after).map(|(before, after)| 1200.0 * (after / before).log2().abs()).fold(0.0, f64::max)
    }

    /// Largest step of any partial from one control block to the next, and the distance that the slowest has moved.
    struct Glide {
        largest_step: f64,
        distance: f64,
    }

    /// 64 bodies of 64 modes glide by two semitones in 100 ms.
    fn glide(rate: f64) -> Glide {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Body, 0.0);
        settings.set(ParamId::Modes, MODES as f64);
        let mut setup = ContextSetup::new(settings, rate);
        // in steps of a hundredth of an octave from 55 Hz, so that all modes are below the band limit
        setup.tuning = KeyFrequencies::new(|key| Some(55.0 * (f64::from(key) / 100.0).exp2()));
        let mut manager = VoiceManager::new(rate, BODIES, MODES, PreparedBody::prepare(BodySpec::of(&setup.settings), &[], &[]));
        for key in 0..BODIES as u8 {
            manager.note_on(NoteId { voice: None, channel: 0, key }, 1.0, &setup.at(0));
        }
        let start = frequencies(&manager);
        assert_eq!(start.len(), BODIES * MODES, "all sound");
        let (mut before, mut largest_step) = (start.clone(), 0.0_f64);
        let blocks = (0.1 * rate) as usize / CONTROL_BLOCK;
        for block in 0..blocks + 600 {
            setup.settings.set(ParamId::Tune, 2.0 * (block as f64 / blocks as f64).min(1.0));
            let changes = setup.smoothers.tick(&setup.settings);
            let context = setup.at((block * CONTROL_BLOCK) as u64);
            manager.begin_control_block(changes, 1.0, &context);
            let after = frequencies(&manager);
            largest_step = largest_step.max(cents(&before, &after));
            before = after;
        }
        Glide { largest_step, distance: cents(&start, &before) }
    }

    #[test]
    fn sixty_four_bodies_glide_together_in_steps_below_a_cent() {
        for rate in [44.1e3, 48e3, 96e3] {
            let Glide { largest_step, distance } = glide(rate);
            println!("{rate} Hz: {largest_step:.3} cents");
            let arrived = (distance - 200.0).abs() < 1e-6;
            assert!(largest_step < 1.0 && arrived, "{rate} Hz: steps of {largest_step} cents over {distance} cents");
        }
    }
}
