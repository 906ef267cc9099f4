//! An engine at rest: nothing sounds, is driven, let through dry or on its way. Its frames are zeros until something happens.

use crate::Engine;
use crate::output::output_stage::Output;

impl Engine {
    /// Whether the frames to come are zeros, whatever comes in from outside.
    pub(super) fn is_still(&self) -> bool {
        let outputs = || std::iter::once(&self.output).chain(&self.side_outputs);
        self.is_silent()
            && self.blend.is_wet()
            && outputs().all(Output::is_still)
            && self.engines().all(|engine| engine.stage.drive.is_still())
    }
}

#[cfg(test)]
mod tests {
    use crate::body::prepared_body::{Body, BodyRequest};
    use crate::event::{Event, NoteId};
    use crate::midi::humanise::Dice;
    use crate::params::table::KnobId;
    use crate::patch::kit::Zone;
    use crate::patch::patch::Patch;
    use crate::tuning::key_tuning::Tunings;
    use crate::voice::ring::GRID;
    use crate::{Config, Engine};

    /// What may happen to an engine, by number.
    fn happen(engine: &mut Engine, what: usize, dice: &mut Dice) {
        let (key, value) = (50 + (8.0 * dice.part()) as u8, dice.part());
        let note = NoteId { key, ..NoteId::default() };
        let set = |knob, value| Event::Set { knob, value };
        let events = [
            Event::NoteOn { note, velocity: 0.2 + 0.8 * value },
            Event::NoteOff { note, velocity: 0.5 },
            Event::ChokeAll,
            set(KnobId::Level, -12.0 * value),
            set(KnobId::DryWet, if value < 0.5 { 1.0 } else { value }),
            set(KnobId::DriveGain, if value < 0.5 { 0.0 } else { 4.0 * value }),
            set(KnobId::StrikePosition, value),
            set(KnobId::Tune, 12.0 * value),
            Event::Bend { channel: 0, value: 2.0 * value - 1.0 },
            Event::Controller { channel: 0, number: 64, value: value.round() },
            Event::Restart,
        ];
        if let Some(event) = events.get(what) {
            engine.event(event);
        } else if what == events.len() {
            engine.tune(&Tunings::of(&Patch::default()));
        } else {
            let settings = engine.settings;
            assert!(engine.adopt(Body::prepare(BodyRequest::of(&settings), &[], &[])).is_ok());
        }
    }

    const HAPPENINGS: usize = 13;

    /// Cells with something in one of a hundred, beside a tone from outside; bits of all that is heard, and the cells at rest. Who is
    /// `restless` looks at every cell anew.
    fn session(patch: &Patch, restless: bool) -> (Vec<u32>, usize) {
        let mut engine = Engine::new(Config { objects: 6, ..Config::at(48e3) }, patch);
        let (mut dice, mut bits, mut rests) = (Dice::seeded(11), Vec::new(), 0);
        for cell in 0..30_000 {
            let split = if dice.part() < 0.01 { (GRID as f64 * dice.part()) as usize } else { 0 };
            let mut heard = [[f32::NAN; GRID]; 4];
            let tone: [f32; GRID] = std::array::from_fn(|n| (0.07 * (cell * GRID + n) as f32).sin());
            for (part, happens) in [(0..split, false), (split..GRID, split > 0)] {
                if happens {
                    happen(&mut engine, (HAPPENINGS as f64 * dice.part()) as usize, &mut dice);
                }
                engine.resting &= !restless;
                let [left, right, a, b] = heard.each_mut().map(|channel| &mut channel[part.clone()]);
                engine.render_outputs([left, right], &mut [[a, b]], [&tone[part.clone()], &[]]);
            }
            bits.extend(heard.iter().flatten().map(|x| x.to_bits()));
            rests += usize::from(engine.resting);
        }
        (bits, rests)
    }

    #[test]
    fn rest_changes_no_bit() {
        let mut patch = Patch::default();
        for (knob, value) in [(KnobId::Decay, 0.05), (KnobId::Modes, 8.0), (KnobId::HumanSpeed, 0.3)] {
            patch.settings.set(knob, value);
        }
        let zones = vec![Zone::new(&patch, (0, 53)), Zone::new(&patch, (54, 127))];
        for patch in [Patch { zones, ..patch.clone() }, patch] {
            let ((plain, none), (rested, rests)) = (session(&patch, true), session(&patch, false));
            println!("{rests} cells at rest");
            assert!(rests > 1_000, "{rests} cells at rest, {none} when asked anew");
            assert!(plain.iter().filter(|bits| **bits != 0).count() > plain.len() / 10);
            let first = plain.iter().zip(&rested).position(|(a, b)| a != b);
            assert_eq!(first.map(|at| at / (4 * GRID)), None, "first cell that differs");
        }
    }
}
