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
    Cross,
    /// The other of A and B as this one.
    Copy,
    /// Another sound by chance.
    Dice,
    /// The preset so many places on.
    Step(isize),
    /// The browser, open or closed.
    Browse,
    /// A page, by its place.
    Page(usize),
    /// Another zoom factor.
    Zoom(f32),
    /// The next zoom factor, up or down.
    ZoomBy(isize),
    /// The dark theme, or the light one.
    Dark(bool),
    /// Less motion.
    Still(bool),
    /// A note at the strike, velocity 96.
    Strike,
    /// Back to the stage.
    Close,
    /// The manual, open or closed.
    Manual,
    /// The computer's keyboard plays notes, or gives shortcuts.
    Keyboard,
    /// The preset as a favourite, or no longer.
    Favour,
    /// The substeps of a contact, by the place of the choice.
    Quality(usize),
    /// What channels mean, by the place of the choice.
    Mpe(usize),
    /// The folder of presets, shown by the system.
    Folder,
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
    let command = Modifiers::COMMAND;
    let mut wishes = Vec::new();
    let mut on = |modifiers, key, wish| {
        if context.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key))) {
            wishes.push(wish);
        }
    };
    on(command | Modifiers::SHIFT, Key::Z, Command::Redo);
    on(command, Key::Z, Command::Undo);
    on(command, Key::Y, Command::Redo);
    on(command, Key::Plus, Command::ZoomBy(1));
    on(command, Key::Equals, Command::ZoomBy(1));
    on(command, Key::Minus, Command::ZoomBy(-1));
    on(command, Key::Num0, Command::Zoom(1.0));
    on(Modifiers::NONE, Key::F1, Command::Manual);
    if types {
        return wishes;
    }
    let plain = Modifiers::NONE;
    let pages = [Key::Num1, Key::Num2, Key::Num3, Key::Num4];
    pages.into_iter().enumerate().for_each(|(page, key)| on(plain, key, Command::Page(page)));
    for (key, wish) in [
        (Key::B, Command::Browse),
        (Key::Slash, Command::Browse),
        (Key::Questionmark, Command::Manual),
        (Key::Plus, Command::ZoomBy(1)),
        (Key::Minus, Command::ZoomBy(-1)),
        (Key::A, Command::Cross),
        (Key::R, Command::Dice),
        (Key::H, Command::Strike),
        (Key::F, Command::Favour),
        (Key::Escape, Command::Close),
    ] {
        on(plain, key, wish);
    }
    wishes
}
