//! Commands for the whole window, given by a button or a key, and the computer keyboard as a note keyboard.

use egui::{Context, Event as Input, Key, KeyboardShortcut, Modifiers, Popup, Ui};

use crate::threads::EditorEnd;
use urto_engine::patch::Patch;
use urto_engine::{Event, NoteId};

/// Characters that the windowing library reports as text only, and their keys.
const SIGNS: [(&str, Key); 9] = [
    ("/", Key::Slash),
    ("?", Key::Questionmark),
    ("[", Key::OpenBracket),
    ("]", Key::CloseBracket),
    ("{", Key::OpenCurlyBracket),
    ("}", Key::CloseCurlyBracket),
    ("+", Key::Plus),
    ("=", Key::Equals),
    ("-", Key::Minus),
];

/// Keys of the note keyboard in semitones from C: the row of A, with the black keys above it.
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

/// A patch that replaces the current one.
pub struct PatchChange {
    /// The patch.
    pub patch: Patch,
    /// Whether it starts a new undo step instead of continuing the last one.
    pub fresh: bool,
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Undoes the last change.
    Undo,
    /// Redoes the change undone last.
    Redo,
    /// Switches between A and B.
    SwitchAb,
    /// Copies the current sound to the other of A and B.
    CopyToOther,
    /// Randomises unlocked parameters.
    Randomise,
    /// Loads the preset at this distance from the current one in the list.
    StepPreset(isize),
    /// Opens or closes the browser.
    ToggleBrowser,
    /// Shows a page, by its index.
    Page(usize),
    /// Sets the zoom factor.
    Zoom(f32),
    /// Sets the next larger zoom factor.
    ZoomIn,
    /// Sets the next smaller zoom factor.
    ZoomOut,
    /// Sets the dark theme, or the light one.
    SetDarkTheme(bool),
    /// Sets reduced motion.
    SetReducedMotion(bool),
    /// Plays a short note at velocity 96.
    Strike,
    /// Closes manual, drawer or browser.
    Close,
    /// Opens or closes the manual.
    ToggleManual,
    /// Switches the computer keyboard between notes and shortcuts.
    ToggleKeyboard,
    /// Marks or unmarks the preset as a favourite.
    ToggleFavourite,
    /// Sets whether the zones of kits are rendered on several cores, by the index of the choice.
    RenderThreads(usize),
    /// Sets the solver quality, by the index of the choice.
    Quality(usize),
    /// Sets the MPE zone, by the index of the choice.
    Mpe(usize),
    /// Shows the preset folder in the file manager.
    ShowPresetFolder,
}

/// Adds key events for characters that were reported as text only. Not for use while text is being typed.
pub fn complete(context: &Context) {
    context.input_mut(|input| {
        let is_there = |sign: Key| input.events.iter().any(|event| matches!(event, Input::Key { key, .. } if *key == sign));
        let signs = input.events.iter().filter_map(|event| match event {
            Input::Text(text) => SIGNS.iter().find(|(sign, _)| sign == text).map(|(_, key)| *key),
            _ => None,
        });
        let missing: Vec<Key> = signs.filter(|key| !is_there(*key)).collect();
        let stroke = |key| {
            [true, false].map(|pressed| Input::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            })
        };
        input.events.extend(missing.into_iter().flat_map(stroke));
    });
}

/// The commands of the pressed keys. While text is being typed, only those with a modifier and F1. Escape closes an open list or menu
/// first, and is then no command.
pub fn keys(context: &Context, types: bool) -> Vec<Command> {
    let ctrl = Modifiers::COMMAND;
    let mut commands = Vec::new();
    let mut on = |modifiers, key, command| {
        if context.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key))) {
            commands.push(command);
        }
    };
    on(ctrl | Modifiers::SHIFT, Key::Z, Command::Redo);
    on(ctrl, Key::Z, Command::Undo);
    on(ctrl, Key::Y, Command::Redo);
    on(ctrl, Key::Plus, Command::ZoomIn);
    on(ctrl, Key::Equals, Command::ZoomIn);
    on(ctrl, Key::Minus, Command::ZoomOut);
    on(ctrl, Key::Num0, Command::Zoom(1.0));
    on(Modifiers::NONE, Key::F1, Command::ToggleManual);
    if types {
        return commands;
    }
    let plain = Modifiers::NONE;
    let pages = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6];
    pages.into_iter().enumerate().for_each(|(page, key)| on(plain, key, Command::Page(page)));
    for (key, command) in [
        (Key::B, Command::ToggleBrowser),
        (Key::Slash, Command::ToggleBrowser),
        (Key::Questionmark, Command::ToggleManual),
        (Key::Plus, Command::ZoomIn),
        // the key of + without Shift; with Ctrl the windowing library reports none of these
        (Key::Equals, Command::ZoomIn),
        (Key::Minus, Command::ZoomOut),
        (Key::A, Command::SwitchAb),
        (Key::R, Command::Randomise),
        (Key::H, Command::Strike),
        (Key::F, Command::ToggleFavourite),
    ] {
        on(plain, key, command);
    }
    if !Popup::is_any_open(context) {
        on(plain, Key::Escape, Command::Close);
    }
    commands
}

/// The computer keyboard as a note keyboard, for the standalone program: two rows of letters from C to the D sharp above the next
/// C, Z and X for the octave, C and V for the velocity.
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
    /// Consumes the letters that play notes, so that they are not shortcuts; `typing` while text is being typed.
    pub fn play(&mut self, ui: &Ui, typing: bool, audio: &EditorEnd) {
        let lost = ui.input(|input| input.events.iter().any(|event| matches!(event, Input::WindowFocused(false))));
        if !self.on || typing || lost {
            return self.release_all(audio);
        }
        let consumed = ui.input_mut(|input| {
            let plays_note = |event: &Input| matches!(event, Input::Key { key, modifiers, .. } if is_letter(*key) && !modifiers.command && !modifiers.alt);
            let consumed: Vec<_> = input.events.iter().filter(|event| plays_note(event)).cloned().collect();
            input.events.retain(|event| !plays_note(event));
            consumed
        });
        let presses: Vec<_> = consumed
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
