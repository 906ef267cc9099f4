//! The details of the current sound: name, author, family, tags, pitch, choke groups; save, rename and delete.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::browser::preset_index::PresetIndex;
use crate::editor::browser::state::{Browser, BrowserAction, CurrentSound};
use crate::editor::theme::Hue;
use crate::editor::widgets::{Number, ThemePainter, button, file_picker, text_field};
use urto_engine::params::value_text::figures;
use urto_engine::patch::{ChokeGroups, MAX_GROUPS, Patch, PitchReference};

/// Height of a field, and of a field with its label.
const FIELD: f32 = 26.0;
const NAMED: f32 = 47.0;
/// Width of the field for the pitched partial.
const PARTIAL: f32 = 88.0;

/// Draws the details of the current sound in `rect`. Returns the actions that the user requests.
pub fn show(ui: &mut Ui, rect: Rect, browser: &mut Browser, presets: &PresetIndex, current: &CurrentSound) -> Vec<BrowserAction> {
    let patch = current.patch;
    let row = |i: usize| Rect::from_min_size(rect.min + vec2(0.0, 14.0 + NAMED * i as f32), vec2(rect.width(), FIELD));
    let half = |i: usize, right: bool| {
        let (left, other) = row(i).split_left_right_at_fraction(0.5);
        if right { other.with_min_x(other.left() + 4.0) } else { left.with_max_x(left.right() - 4.0) }
    };
    let mut ask = |at: Rect, (name, about): (&str, &str), shown: &str| {
        text_field::label(&ThemePainter::new(ui), at, &format!("{name}{about}"));
        text_field::text(ui, at, &format!("Preset {}", name.to_lowercase()), shown)
    };
    let mut changed = None;
    if let Some(name) = ask(row(0), ("Name", ""), &patch.name) {
        changed = Some(Patch { name: name.trim().to_owned(), ..patch.clone() });
    }
    if let Some(author) = ask(half(1, false), ("Author", ""), &patch.author) {
        changed = Some(Patch { author, ..patch.clone() });
    }
    if let Some(family) = ask(half(1, true), ("Family", ""), &patch.family) {
        changed = Some(Patch { family: family.trim().to_lowercase(), ..patch.clone() });
    }
    if let Some(tags) = ask(row(2), ("Tags", ", separated by commas"), &patch.tags.join(", ")) {
        changed = Some(Patch { tags: words(&tags), ..patch.clone() });
    }
    if let Some(description) = ask(row(3), ("Description", ""), &patch.description) {
        changed = Some(Patch { description, ..patch.clone() });
    }
    let chokes = ask(row(4), ("Chokes", ": groups of keys, such as 42 44 46; 49 57"), &chokes_text(&patch.choke_groups));
    match chokes.map(|text| read_chokes(&text)) {
        Some(Ok(chokes)) => changed = Some(Patch { choke_groups: chokes, ..patch.clone() }),
        Some(Err(error)) => browser.error = Some(error),
        None => {}
    }
    if let Some(pitch) = pitch(ui, row(5), patch.pitch) {
        changed = Some(Patch { pitch, ..patch.clone() });
    }
    let mut choices: Vec<_> = changed.map(|patch| BrowserAction::Edit(Box::new(patch))).into_iter().collect();
    let buttons = Rect::from_min_size(pos2(rect.left(), row(5).bottom() + 16.0), vec2(rect.width(), 30.0));
    choices.extend(keep(ui, buttons, browser, presets, patch));
    let below = Rect::from_min_max(pos2(rect.left(), buttons.bottom() + 10.0), rect.max);
    match &browser.error {
        Some(error) if below.height() > 20.0 => file_picker::show_error(ui, below, error),
        _ => {}
    }
    choices
}

/// The words of a comma-separated list, without duplicates.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// Choke groups as text: keys separated by spaces, groups by semicolons.
fn chokes_text(chokes: &ChokeGroups) -> String {
    let group = |keys: &Vec<u8>| keys.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    chokes.groups().iter().map(group).collect::<Vec<_>>().join("; ")
}

/// Reads choke groups. Errors: the problem and what is allowed.
fn read_chokes(text: &str) -> Result<ChokeGroups, String> {
    let read = |word: &str| {
        word.parse::<u8>()
            .map_err(|_| format!("\"{word}\" is not a key. Enter numbers from 0 to 127, for example 42 44 46; 49 57."))
    };
    let group = |text: &str| text.split([' ', ',']).filter(|word| !word.is_empty()).map(read).collect::<Result<Vec<u8>, _>>();
    let groups = text.split(';').map(group).filter(|group| group.as_ref().is_ok_and(|keys| !keys.is_empty()) || group.is_err());
    let groups = groups.collect::<Result<Vec<_>, _>>()?;
    if groups.len() > MAX_GROUPS {
        return Err(format!("{} choke groups are too many: at most {MAX_GROUPS} are allowed.", groups.len()));
    }
    ChokeGroups::new(&groups)
        .map_err(|(_, key)| format!("Key {key} is listed twice or out of range. List each key once, from 0 to 127."))
}

/// Draws the field for whether keys have a pitch, and for which partial carries it. Returns the new value if the user has changed it.
fn pitch(ui: &mut Ui, rect: Rect, pitch: Option<PitchReference>) -> Option<Option<PitchReference>> {
    text_field::label(&ThemePainter::new(ui), rect, "Pitch of the keys, and pitched partial");
    let chosen = match pitch {
        None => 0,
        Some(PitchReference::No) => 1,
        Some(PitchReference::By(_)) => 2,
    };
    let (choice, partial) = rect.split_left_right_at_x(rect.right() - PARTIAL);
    let next =
        button::segments(ui, choice.with_max_x(choice.right() - 8.0), "Pitch", &["Unset", "None", "Pitched"], chosen, Hue::Plain);
    if next != chosen {
        return Some([None, Some(PitchReference::No), Some(PitchReference::By(1.0))][next]);
    }
    let Some(PitchReference::By(ratio)) = pitch else { return None };
    let read = |text: &str| text.trim().parse().ok();
    let number = Number { value: ratio, range: 0.05..=64.0, step: 0.01, show: &figures, read: &read };
    text_field::number(ui, partial, "Preset pitched partial", &number).map(|ratio| Some(PitchReference::By(ratio)))
}

/// Draws the buttons that save the sound and delete its file.
fn keep(ui: &Ui, rect: Rect, browser: &mut Browser, presets: &PresetIndex, patch: &Patch) -> Vec<BrowserAction> {
    let own = presets.presets().iter().find(|preset| preset.patch.name == patch.name && preset.is_own());
    let place = |i: usize| Rect::from_min_size(rect.min + vec2(112.0 * i as f32, 0.0), vec2(104.0, rect.height()));
    let mut choices = Vec::new();
    let word = if own.is_some() { "Replace" } else { "Save" };
    if button::named(ui, place(0), "Save preset", word, true).clicked() {
        choices.push(BrowserAction::Save(patch.name.clone()));
    }
    let Some(file) = own.and_then(|own| own.file.clone()) else {
        let selected = browser.selected.as_deref().unwrap_or_default();
        let before = presets.presets().iter().find(|preset| preset.patch.name == selected && preset.is_own());
        if let Some(file) = before.and_then(|before| before.file.clone())
            && button::named(ui, place(1), "Rename preset", "Rename", false)
                .on_hover_text("Saves under this name, and deletes the preset of the name before.")
                .clicked()
        {
            choices.push(BrowserAction::Rename { file, from: selected.to_owned() });
        }
        return choices;
    };
    let sure = browser.deleting.as_ref() == Some(&file);
    let word = if sure { "Confirm delete" } else { "Delete" };
    let pressed = button::named(ui, place(1), "Delete preset", word, false);
    if pressed.clicked() && sure {
        browser.deleting = None;
        choices.push(BrowserAction::Delete(file));
    } else if pressed.clicked() {
        browser.deleting = Some(file);
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chokes_are_typed_as_they_are_shown() {
        let chokes = read_chokes("42 44, 46; 49 57;").expect("two groups");
        assert_eq!(chokes_text(&chokes), "42 44 46; 49 57");
        assert_eq!(read_chokes(""), Ok(ChokeGroups::default()));
        assert!(read_chokes("42; 42 50").expect_err("twice").contains("Key 42 is listed twice"));
        assert!(read_chokes("42 x").expect_err("no key").contains("\"x\" is not a key"));
        assert!(read_chokes("200").expect_err("too high").contains("200"));
    }

    #[test]
    fn tags_stand_once_each() {
        assert_eq!(words(" warm,, bell , warm"), ["warm", "bell"]);
    }
}
