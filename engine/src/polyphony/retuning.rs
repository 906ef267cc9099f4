//! Bodies whose pitch or losses move are tuned anew in every grid cell, so many modes at most.

use crate::context::RenderContext;
use crate::polyphony::voice_manager::VoiceManager;

/// Modes that may be retuned in one grid cell at [`RATE`], all objects together: 64 bodies of 64 modes. One takes about 20 ns, so all
/// take 80 us of a cell of 333 us. Those left out follow in the next.
const RETUNES: f64 = 4096.0;

/// Rate [Hz] above which cells are so short that fewer modes have to do; those of one millisecond are always as many.
const RATE: f64 = 48e3;

impl VoiceManager {
    /// Retunes the objects whose pitch is oldest, as many as fit into a grid cell.
    pub fn retune(&mut self, scene: &RenderContext) {
        let mut left = (RETUNES * (RATE / scene.rate).min(1.0)) as usize;
        loop {
            let stale = self.active_voices.iter().copied().filter(|&i| self.objects[i].needs_retune);
            let Some(i) = stale.min_by_key(|&i| self.objects[i].tuned) else { return };
            let object = &mut self.objects[i];
            let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
            let cost = object.retune(body, scene, &mut self.scratch);
            self.retune_count += 1;
            (object.tuned, object.needs_retune) = (self.retune_count, false);
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
    use crate::event::NoteId;
    use crate::midi::MidiControllers;
    use crate::modulation::ParamSmoothers;
    use crate::params::{ParamId, ParamValues};
    use crate::tuning::KeyFrequencies;
    use urto_physics::modal::Mode;

    const BODIES: usize = 64;
    const MODES: usize = 64;

    /// Heard frequencies of all modes.
    fn frequencies(stage: &VoiceManager) -> Vec<f64> {
        let awake = stage.objects.iter().filter(|o| o.is_awake());
        awake.flat_map(|o| o.collision.modes().iter().map(Mode::heard_frequency)).collect()
    }

    /// Largest distance [cents] of two lists of frequencies.
    fn cents(before: &[f64], after: &[f64]) -> f64 {
        before.iter().zip(after).map(|(before, after)| 1200.0 * (after / before).log2().abs()).fold(0.0, f64::max)
    }

    /// Largest step [cents] of any partial of 64 bodies of 64 modes from one grid cell to the next, while all glide by two semitones in
    /// 100 ms; and the farthest way that one has come.
    fn largest_step(rate: f64) -> (f64, f64) {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Body, 0.0);
        settings.set(ParamId::Modes, MODES as f64);
        let mut glides = ParamSmoothers::new(&settings, CONTROL_BLOCK as f64 / rate);
        // in steps of a hundredth of an octave from 55 Hz, so that all modes lie in the band
        let tuning = KeyFrequencies::new(|key| Some(55.0 * (f64::from(key) / 100.0).exp2()));
        let hands = MidiControllers::default();
        let mut stage = VoiceManager::new(rate, BODIES, MODES, PreparedBody::prepare(BodySpec::of(&settings), &[], &[]));
        for key in 0..BODIES as u8 {
            let scene = RenderContext { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame: 0 };
            stage.note_on(NoteId { voice: None, channel: 0, key }, 1.0, &scene);
        }
        let start = frequencies(&stage);
        assert_eq!(start.len(), BODIES * MODES, "all sound");
        let (mut before, mut worst) = (start.clone(), 0.0_f64);
        let cells = (0.1 * rate) as usize / CONTROL_BLOCK;
        for cell in 0..cells + 600 {
            settings.set(ParamId::Tune, 2.0 * (cell as f64 / cells as f64).min(1.0));
            let moved = glides.tick(&settings);
            let frame = (cell * CONTROL_BLOCK) as u64;
            let scene = RenderContext { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame };
            stage.tick(moved, 1.0, &scene);
            let after = frequencies(&stage);
            worst = worst.max(cents(&before, &after));
            before = after;
        }
        (worst, cents(&start, &before))
    }

    #[test]
    fn sixty_four_bodies_bend_together_in_steps_below_a_cent() {
        for rate in [44.1e3, 48e3, 96e3] {
            let (worst, way) = largest_step(rate);
            println!("{rate} Hz: {worst:.3} cents");
            assert!(worst < 1.0 && (way - 200.0).abs() < 1e-6, "{rate} Hz: steps of {worst} cents over {way} cents");
        }
    }
}
