//! The computer keyboard as a note keyboard, for the standalone program: two rows of letters
//! from C to the D sharp above the next C, Z and X for the octave, C and V for the velocity.

use egui::{Event as Input, Key, Ui};

use crate::threads::EditorEnd;
use urto_engine::{Event, NoteId};

/// Keys in semitones from C: the row of A, with the black keys above it.
const NOTES: [Key; 16] = [
    Key::A,
    Key::W,
    Key::S,
    Key::E,
    Key::D,
    Key::F,
    Key::T,
    Key::G,
    Key::Y,
    Key::H,
    Key::U,
    Key::J,
    Key::K,
    Key::O,
    Key::L,
    Key::P,
];
/// Semitones of an octave, and the allowed octaves of the lowest key.
const OCTAVE: u8 = 12;
const OCTAVES: std::ops::RangeInclusive<u8> = 0..=8;
/// Allowed velocities, and the step of one key press.
const VELOCITIES: std::ops::RangeInclusive<u8> = 1..=127;
const STEP: u8 = 16;

/// The computer keyboard.
pub struct Keyboard {
    /// Whether letters play notes.
    pub on: bool,
    octave: u8,
    velocity: u8,
    /// The note that each pressed key holds.
    down: Vec<(Key, NoteId)>,
}

impl Default for Keyboard {
    fn default() -> Self {
        Self { on: false, octave: 4, velocity: 96, down: Vec::new() }
    }
}

impl Keyboard {
    /// Consumes the letters that play notes, so that they are not shortcuts; `rests` while text is being typed.
    pub fn play(&mut self, ui: &Ui, rests: bool, audio: &EditorEnd) {
        let lost = ui.input(|input| input.events.iter().any(|event| matches!(event, Input::WindowFocused(false))));
        if !self.on || rests || lost {
            return self.release_all(audio);
        }
        let taken = ui.input_mut(|input| {
            let mine = |event: &Input| matches!(event, Input::Key { key, modifiers, .. } if is_letter(*key) && !modifiers.command && !modifiers.alt);
            let taken: Vec<_> = input.events.iter().filter(|event| mine(event)).cloned().collect();
            input.events.retain(|event| !mine(event));
            taken
        });
        let presses: Vec<_> = taken
            .iter()
            .filter_map(|event| match event {
                Input::Key { key, pressed, repeat: false, .. } => Some((*key, *pressed)),
                _ => None,
            })
            .collect();
        // release and press in one frame is the key repeat of the system
        let repeats =
            |key: Key| self.down.iter().any(|(held, _)| *held == key) && presses.ends_with(&[(key, false), (key, true)]);
        let presses: Vec<_> = presses.iter().copied().filter(|(key, _)| !repeats(*key)).collect();
        for (key, pressed) in presses {
            self.press(key, pressed, audio);
        }
    }

    fn press(&mut self, key: Key, pressed: bool, audio: &EditorEnd) {
        let off = |note| audio.play(Event::NoteOff { note, velocity: 0.5 });
        if let Some(at) = self.down.iter().position(|(held, _)| *held == key) {
            off(self.down.swap_remove(at).1);
        }
        if !pressed {
            return;
        }
        match key {
            Key::Z => self.octave = self.octave.saturating_sub(1).max(*OCTAVES.start()),
            Key::X => self.octave = (self.octave + 1).min(*OCTAVES.end()),
            Key::C => self.velocity = self.velocity.saturating_sub(STEP).max(*VELOCITIES.start()),
            Key::V => self.velocity = self.velocity.saturating_add(STEP).min(*VELOCITIES.end()),
            _ => {}
        }
        let Some(semitone) = NOTES.iter().position(|note| *note == key) else { return };
        let key_number = OCTAVE * (self.octave + 1) + semitone as u8;
        if key_number < 128 {
            let note = NoteId { voice: None, channel: 0, key: key_number };
            audio.play(Event::NoteOn { note, velocity: f64::from(self.velocity) / 127.0 });
            self.down.push((key, note));
        }
    }

    /// Ends all notes.
    pub fn release_all(&mut self, audio: &EditorEnd) {
        for (_, note) in self.down.drain(..) {
            audio.play(Event::NoteOff { note, velocity: 0.5 });
        }
    }

    /// The hint in the footer.
    pub fn hint(&self) -> String {
        format!("A W S E D … play notes from C{} at velocity {}. Z, X: octave. C, V: velocity.", self.octave, self.velocity)
    }
}

/// Whether a key is a letter.
fn is_letter(key: Key) -> bool {
    (Key::A..=Key::Z).contains(&key)
}
