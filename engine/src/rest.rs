//! An engine at rest: nothing sounds, is driven, let through dry or on its way. Its frames are zeros until something happens.

use crate::Engine;
use crate::output::OutputStage;

impl Engine {
    /// Whether the frames to come are zeros, whatever comes in from outside.
    pub(super) fn is_still(&self) -> bool {
        let outputs = || std::iter::once(&self.output).chain(&self.side_outputs);
        self.is_silent()
            && self.blend.is_wet()
            && outputs().all(OutputStage::is_still)
            && self.engines().all(|engine| engine.stage.drive.is_still())
    }
}

#[cfg(test)]
mod tests {
    use crate::block::CONTROL_BLOCK;
    use crate::body::{BodySpec, PreparedBody};
    use crate::event::{Event, NoteId};
    use crate::midi::Rng;
    use crate::params::ParamId;
    use crate::patch::Patch;
    use crate::patch::Zone;
    use crate::tuning::TuningSet;
    use crate::{Engine, EngineConfig};

    /// What may happen to an engine, by number.
    fn happen(engine: &mut Engine, what: usize, dice: &mut Rng) {
        let (key, value) = (50 + (8.0 * dice.uniform()) as u8, dice.uniform());
        let note = NoteId { key, ..NoteId::default() };
        let set = |knob, value| Event::Set { knob, value };
        let events = [
            Event::NoteOn { note, velocity: 0.2 + 0.8 * value },
            Event::NoteOff { note, velocity: 0.5 },
            Event::ChokeAll,
            set(ParamId::Level, -12.0 * value),
            set(ParamId::DryWet, if value < 0.5 { 1.0 } else { value }),
            set(ParamId::DriveGain, if value < 0.5 { 0.0 } else { 4.0 * value }),
            set(ParamId::StrikePosition, value),
            set(ParamId::Tune, 12.0 * value),
            Event::Bend { channel: 0, value: 2.0 * value - 1.0 },
            Event::Controller { channel: 0, number: 64, value: value.round() },
            Event::TransportRestart,
        ];
        if let Some(event) = events.get(what) {
            engine.event(event);
        } else if what == events.len() {
            engine.tune(&TuningSet::of(&Patch::default().intonation));
        } else {
            let settings = engine.settings;
            assert!(engine.queue_body(PreparedBody::prepare(BodySpec::of(&settings), &[], &[])).is_ok());
        }
    }

    const HAPPENINGS: usize = 13;

    /// Cells with something in one of a hundred, beside a tone from outside; bits of all that is heard, and the cells at rest. Who is
    /// `restless` looks at every cell anew.
    fn session(patch: &Patch, restless: bool) -> (Vec<u32>, usize) {
        let mut engine = Engine::new(EngineConfig { voices: 6, ..EngineConfig::at(48e3) }, patch);
        let (mut dice, mut bits, mut rests) = (Rng::seeded(11), Vec::new(), 0);
        for cell in 0..30_000 {
            let split = if dice.uniform() < 0.01 { (CONTROL_BLOCK as f64 * dice.uniform()) as usize } else { 0 };
            let mut heard = [[f32::NAN; CONTROL_BLOCK]; 4];
            let tone: [f32; CONTROL_BLOCK] = std::array::from_fn(|n| (0.07 * (cell * CONTROL_BLOCK + n) as f32).sin());
            for (part, happens) in [(0..split, false), (split..CONTROL_BLOCK, split > 0)] {
                if happens {
                    happen(&mut engine, (HAPPENINGS as f64 * dice.uniform()) as usize, &mut dice);
                }
                engine.idle &= !restless;
                let [left, right, a, b] = heard.each_mut().map(|channel| &mut channel[part.clone()]);
                engine.render_outputs([left, right], &mut [[a, b]], [&tone[part.clone()], &[]]);
            }
            bits.extend(heard.iter().flatten().map(|x| x.to_bits()));
            rests += usize::from(engine.idle);
        }
        (bits, rests)
    }

    #[test]
    fn rest_changes_no_bit() {
        let mut patch = Patch::default();
        for (knob, value) in [(ParamId::Decay, 0.05), (ParamId::Modes, 8.0), (ParamId::HumanSpeed, 0.3)] {
            patch.settings.set(knob, value);
        }
        let zones = vec![Zone::new(&patch, (0, 53)), Zone::new(&patch, (54, 127))];
        for patch in [Patch { zones, ..patch.clone() }, patch] {
            let ((plain, none), (rested, rests)) = (session(&patch, true), session(&patch, false));
            println!("{rests} cells at rest");
            assert!(rests > 1_000, "{rests} cells at rest, {none} when asked anew");
            assert!(plain.iter().filter(|bits| **bits != 0).count() > plain.len() / 10);
            let first = plain.iter().zip(&rested).position(|(a, b)| a != b);
            assert_eq!(first.map(|at| at / (4 * CONTROL_BLOCK)), None, "first cell that differs");
        }
    }
}
