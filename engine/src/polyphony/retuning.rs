//! Bodies whose pitch or losses move are tuned anew in every grid cell, so many modes at most.

use crate::context::Scene;
use crate::polyphony::voice_manager::Stage;

/// Modes that may be retuned in one grid cell at [`RATE`], all objects together: 64 bodies of 64 modes. One takes about 20 ns, so all
/// take 80 us of a cell of 333 us. Those left out follow in the next.
const RETUNES: f64 = 4096.0;

/// Rate [Hz] above which cells are so short that fewer modes have to do; those of one millisecond are always as many.
const RATE: f64 = 48e3;

impl Stage {
    /// Retunes the objects whose pitch is oldest, as many as fit into a grid cell.
    pub fn retune(&mut self, scene: &Scene) {
        let mut left = (RETUNES * (RATE / scene.rate).min(1.0)) as usize;
        loop {
            let stale = self.wakeful.iter().copied().filter(|&i| self.objects[i].stale);
            let Some(i) = stale.min_by_key(|&i| self.objects[i].tuned) else { return };
            let object = &mut self.objects[i];
            let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
            let cost = object.retune(body, scene, &mut self.scratch);
            self.tunings += 1;
            (object.tuned, object.stale) = (self.tunings, false);
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
    use crate::body::prepared_body::{Body, BodyRequest};
    use crate::event::NoteId;
    use crate::midi::controllers::Hands;
    use crate::modulation::param_smoother::Glides;
    use crate::params::table::{KnobId, Settings};
    use crate::tuning::key_frequencies::Tuning;
    use crate::voice::ring::GRID;
    use urto_physics::modal::mode::Mode;

    const BODIES: usize = 64;
    const MODES: usize = 64;

    /// Heard frequencies of all modes.
    fn frequencies(stage: &Stage) -> Vec<f64> {
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
        let mut settings = Settings::default();
        settings.set(KnobId::Body, 0.0);
        settings.set(KnobId::Modes, MODES as f64);
        let mut glides = Glides::new(&settings, GRID as f64 / rate);
        // in steps of a hundredth of an octave from 55 Hz, so that all modes lie in the band
        let tuning = Tuning::new(|key| Some(55.0 * (f64::from(key) / 100.0).exp2()));
        let hands = Hands::default();
        let mut stage = Stage::new(rate, BODIES, MODES, Body::prepare(BodyRequest::of(&settings), &[], &[]));
        for key in 0..BODIES as u8 {
            let scene = Scene { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame: 0 };
            stage.strike(NoteId { voice: None, channel: 0, key }, 1.0, &scene);
        }
        let start = frequencies(&stage);
        assert_eq!(start.len(), BODIES * MODES, "all sound");
        let (mut before, mut worst) = (start.clone(), 0.0_f64);
        let cells = (0.1 * rate) as usize / GRID;
        for cell in 0..cells + 600 {
            settings.set(KnobId::Tune, 2.0 * (cell as f64 / cells as f64).min(1.0));
            let moved = glides.tick(&settings);
            let frame = (cell * GRID) as u64;
            let scene = Scene { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame };
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
