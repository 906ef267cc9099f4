//! Commands for the whole window, given by a button or a key.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use urto_engine::patch::Patch;

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
    /// Loads the preset so many places further.
    StepPreset(isize),
    /// Opens or closes the browser.
    ToggleBrowser,
    /// Shows a page, by its index.
    Page(usize),
    /// Sets the zoom factor.
    Zoom(f32),
    /// Sets the next zoom factor, up or down.
    ZoomBy(isize),
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
    /// Sets the solver quality, by the index of the choice.
    Quality(usize),
    /// Sets the MPE zone, by the index of the choice.
    Mpe(usize),
    /// Shows the preset folder in the file manager.
    ShowPresetFolder,
}

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

/// Adds key events for characters that were reported as text only. Not for use while text is being typed.
pub fn complete(context: &Context) {
    context.input_mut(|input| {
        let is_there = |sign: Key| input.events.iter().any(|event| matches!(event, Event::Key { key, .. } if *key == sign));
        let signs = input.events.iter().filter_map(|event| match event {
            Event::Text(text) => SIGNS.iter().find(|(sign, _)| sign == text).map(|(_, key)| *key),
            _ => None,
        });
        let missing: Vec<Key> = signs.filter(|key| !is_there(*key)).collect();
        let stroke = |key| {
            [true, false].map(|pressed| Event::Key {
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

/// The commands of the pressed keys. While text is being typed, only those with a modifier and F1.
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
    on(ctrl, Key::Plus, Command::ZoomBy(1));
    on(ctrl, Key::Equals, Command::ZoomBy(1));
    on(ctrl, Key::Minus, Command::ZoomBy(-1));
    on(ctrl, Key::Num0, Command::Zoom(1.0));
    on(Modifiers::NONE, Key::F1, Command::ToggleManual);
    if types {
        return commands;
    }
    let plain = Modifiers::NONE;
    let pages = [Key::Num1, Key::Num2, Key::Num3, Key::Num4];
    pages.into_iter().enumerate().for_each(|(page, key)| on(plain, key, Command::Page(page)));
    for (key, command) in [
        (Key::B, Command::ToggleBrowser),
        (Key::Slash, Command::ToggleBrowser),
        (Key::Questionmark, Command::ToggleManual),
        (Key::Plus, Command::ZoomBy(1)),
        (Key::Minus, Command::ZoomBy(-1)),
        (Key::A, Command::SwitchAb),
        (Key::R, Command::Randomise),
        (Key::H, Command::Strike),
        (Key::F, Command::ToggleFavourite),
        (Key::Escape, Command::Close),
    ] {
        on(plain, key, command);
    }
    commands
}
