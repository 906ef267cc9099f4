//! What hands do to the notes that sound, for display: the last few, fixed size.

use crate::Engine;
use crate::midi::MidiControllers;
use crate::midi::Note;
use crate::params::ParamValues;

/// Notes that are told of.
pub const MAX_READINGS: usize = 8;

/// What hands do to one note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerReading {
    /// Its key.
    pub key: u8,
    /// Its number since the last reset.
    pub serial: u32,
    /// Modulation wheel, 0 to 1.
    pub wheel: f32,
    /// Pressure, 0 to 1.
    pub pressure: f32,
    /// Brightness, -1 to 1.
    pub brightness: f32,
    /// Expression, -1 to 1.
    pub expression: f32,
    /// Bend [semitones], that of its channel and its own together.
    pub bend: f32,
    /// Soft pedal, 0 to 1.
    pub soft: f32,
}

impl ControllerReading {
    fn new(note: &Note, hands: &MidiControllers, settings: &ParamValues) -> Self {
        let (together, alone) = hands.bend(note, settings);
        Self {
            key: note.id.key,
            serial: note.serial,
            wheel: hands.wheel(note) as f32,
            pressure: hands.pressure(note) as f32,
            brightness: hands.brightness(note) as f32,
            expression: hands.expression(note) as f32,
            bend: (together + alone) as f32,
            soft: hands.soft(note) as f32,
        }
    }
}

/// The notes that were struck last of those that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerReadings {
    count: usize,
    notes: [ControllerReading; MAX_READINGS],
}

impl ControllerReadings {
    /// The gestures, the newest note first.
    pub fn iter(&self) -> impl Iterator<Item = &ControllerReading> {
        self.notes[..self.count].iter()
    }

    /// Takes one, in the place of the oldest where there is no room.
    fn take(&mut self, gesture: ControllerReading) {
        let place = self.notes[..self.count].partition_point(|other| other.serial > gesture.serial);
        if place < MAX_READINGS {
            self.count = (self.count + 1).min(MAX_READINGS);
            self.notes[place..self.count].rotate_right(1);
            self.notes[place] = gesture;
        }
    }
}

impl Engine {
    /// What hands do to the notes that are held.
    pub fn gestures(&self) -> ControllerReadings {
        let mut gestures = ControllerReadings::default();
        for engine in self.engines() {
            let awake = engine.stage.objects.iter().filter(|object| object.is_awake());
            for note in awake.flat_map(|object| object.notes.iter()).filter(|note| note.is_held()) {
                gestures.take(ControllerReading::new(note, &engine.hands, &engine.settings));
            }
        }
        gestures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, NoteId};
    use crate::patch::Patch;
    use crate::{Engine, EngineConfig};

    #[test]
    fn the_newest_notes_are_told_of_with_what_is_done_to_each() {
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        let note = |key: u8| NoteId { voice: None, channel: key % 16, key };
        for key in 50..60 {
            engine.event(&Event::NoteOn { note: note(key), velocity: 0.5 });
        }
        engine.event(&Event::Bend { channel: 59 % 16, value: 0.5 });
        engine.event(&Event::Pressure { channel: 58 % 16, value: 0.25 });
        engine.event(&Event::NoteOff { note: note(57), velocity: 0.5 });
        let [left, right] = &mut [[0.0f32; 64], [0.0; 64]];
        engine.render(left, right, [&[]; 2]);
        let gestures = engine.gestures();
        let keys: Vec<u8> = gestures.iter().map(|gesture| gesture.key).collect();
        assert_eq!(keys, [59, 58, 56, 55, 54, 53, 52, 51], "held, the newest first");
        let found: Vec<_> = gestures.iter().map(|gesture| (gesture.bend, gesture.pressure)).collect();
        assert_eq!(found[..3], [(1.0, 0.0), (0.0, 0.25), (0.0, 0.0)]);
        engine.reset();
        assert_eq!(engine.gestures(), ControllerReadings::default());
    }

    #[test]
    fn the_oldest_make_room() {
        let mut gestures = ControllerReadings::default();
        for serial in [5, 1, 9, 3, 7, 2, 8, 4, 6, 10, 0] {
            gestures.take(ControllerReading { serial, ..ControllerReading::default() });
        }
        assert!(gestures.iter().map(|gesture| gesture.serial).eq((3..=10).rev()));
    }
}
