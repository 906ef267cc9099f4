//! Controllers of the notes that are held, for display: the last few, fixed size.

use crate::midi::MidiControllers;
use crate::midi::Note;
use crate::params::ParamValues;

/// Maximum number of notes shown.
pub const MAX_READINGS: usize = 8;

/// Controllers of one note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerReading {
    /// Its key.
    pub key: u8,
    /// Its number, counted since the last reset.
    pub serial: u32,
    /// Modulation wheel, 0 to 1.
    pub wheel: f32,
    /// Pressure, 0 to 1.
    pub pressure: f32,
    /// Brightness, -1 to 1.
    pub brightness: f32,
    /// Expression, -1 to 1.
    pub expression: f32,
    /// Bend [semitones] of its channel and of the note together.
    pub bend: f32,
    /// Soft pedal, 0 to 1.
    pub soft: f32,
}

impl ControllerReading {
    /// Controllers of `note`.
    pub fn new(note: &Note, controllers: &MidiControllers, settings: &ParamValues) -> Self {
        let (together, alone) = controllers.bend(note, settings);
        Self {
            key: note.id.key,
            serial: note.serial,
            wheel: controllers.wheel(note) as f32,
            pressure: controllers.pressure(note) as f32,
            brightness: controllers.brightness(note) as f32,
            expression: controllers.expression(note) as f32,
            bend: (together + alone) as f32,
            soft: controllers.soft(note) as f32,
        }
    }
}

/// The last notes struck of those that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerReadings {
    count: usize,
    notes: [ControllerReading; MAX_READINGS],
}

impl ControllerReadings {
    /// The readings, the newest note first.
    pub fn iter(&self) -> impl Iterator<Item = &ControllerReading> {
        self.notes[..self.count].iter()
    }

    /// Adds a reading; without room it replaces the oldest note.
    pub fn add(&mut self, reading: ControllerReading) {
        let place = self.notes[..self.count].partition_point(|other| other.serial > reading.serial);
        if place < MAX_READINGS {
            self.count = (self.count + 1).min(MAX_READINGS);
            self.notes[place..self.count].rotate_right(1);
            self.notes[place] = reading;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, EngineConfig};
    use crate::event::{Event, NoteId};
    use crate::patch::Patch;

    #[test]
    fn readings_are_of_the_newest_held_notes() {
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
        let readings = engine.controller_readings();
        let keys: Vec<u8> = readings.iter().map(|reading| reading.key).collect();
        assert_eq!(keys, [59, 58, 56, 55, 54, 53, 52, 51], "held, the newest first");
        let found: Vec<_> = readings.iter().map(|reading| (reading.bend, reading.pressure)).collect();
        assert_eq!(found[..3], [(1.0, 0.0), (0.0, 0.25), (0.0, 0.0)]);
        engine.reset();
        assert_eq!(engine.controller_readings(), ControllerReadings::default());
    }

    #[test]
    fn the_oldest_note_is_replaced() {
        let mut readings = ControllerReadings::default();
        for serial in [5, 1, 9, 3, 7, 2, 8, 4, 6, 10, 0] {
            readings.add(ControllerReading { serial, ..ControllerReading::default() });
        }
        assert!(readings.iter().map(|reading| reading.serial).eq((3..=10).rev()));
    }
}
