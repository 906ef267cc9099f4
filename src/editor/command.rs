//! What the player asks of the window as a whole, by a button or a key.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use urto_engine::patch::Patch;

/// A patch in place of the one that plays.
pub struct PatchChange {
    /// The patch.
    pub patch: Patch,
    /// Whether it is a step to be undone, and does not go on with the one before.
    pub fresh: bool,
}

/// A wish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// What was before.
    Undo,
    /// What was undone.
    Redo,
    /// The other of A and B.
    SwitchAb,
    /// The other of A and B as this one.
    CopyToOther,
    /// Another sound by chance.
    Randomise,
    /// The preset so many places on.
    StepPreset(isize),
    /// The browser, open or closed.
    ToggleBrowser,
    /// A page, by its place.
    Page(usize),
    /// Another zoom factor.
    Zoom(f32),
    /// The next zoom factor, up or down.
    ZoomBy(isize),
    /// The dark theme, or the light one.
    SetDarkTheme(bool),
    /// Less motion.
    SetReducedMotion(bool),
    /// A note at the strike, velocity 96.
    Strike,
    /// Back to the stage.
    Close,
    /// The manual, open or closed.
    ToggleManual,
    /// The computer's keyboard plays notes, or gives shortcuts.
    ToggleKeyboard,
    /// The preset as a favourite, or no longer.
    ToggleFavourite,
    /// The substeps of a contact, by the place of the choice.
    Quality(usize),
    /// What channels mean, by the place of the choice.
    Mpe(usize),
    /// The folder of presets, shown by the system.
    ShowPresetFolder,
}

/// Signs that the window's library hands on as text alone, and the keys that they stand for.
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

/// Adds the keys of signs that have come as text alone. Not while a text is being typed.
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

/// What the keys ask for. Nothing while a text is being typed.
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
