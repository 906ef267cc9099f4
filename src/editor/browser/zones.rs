//! The zones of a kit (keys, sounds, mix, velocities and turns), and the conversion of a sound to a kit.

use egui::accesskit::Role;
use egui::{Id, Key, Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use crate::editor::browser::preset_index::PresetIndex;
use crate::editor::browser::state::{BrowserAction, CurrentSound};
use crate::editor::browser::zone_keyboard::{self, KeyboardAction};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::keys::FocusGroup;
use crate::editor::widgets::text_field::{read_number, show_whole};
use crate::editor::widgets::{Number, Side, ThemePainter, button, keys, menu, text_field};
use urto_engine::params::{ParamId, ParamValues, value_text};
use urto_engine::patch::{Alternation, GROUPS, MAX_ZONES, OUTPUTS, Patch, TURN_GROUPS, VELOCITIES, Zone, ZoneLayer};
use urto_engine::tuning::{KEYS, key_name};

/// Height of a row of the list, of a field, and of a field with its label.
const LINE: f32 = 26.0;
const FIELD: f32 = 26.0;
const NAMED: f32 = 45.0;
/// Height of everything below the list.
const BELOW: f32 = 4.0 * NAMED + 48.0;
/// Height of everything above the fields from which on there is a keyboard.
const WITH_KEYBOARD: f32 = 180.0;
/// Width of the switch between the fields of a zone, and its names.
const SWITCH: f32 = 148.0;
const PARTS: [&str; 2] = ["Keys", "Velocity"];
/// Widths of the first columns of the list.
const COLUMNS: [f32; 2] = [86.0, 46.0];

/// A key as text: name and number.
fn key_text(key: f64) -> String {
    format!("{} {:.0}", key_name(key as u8).replace('-', "−"), key)
}

/// Reads a key: its number, its name, or both as in [`key_text`].
fn read_key(text: &str) -> Option<f64> {
    let key = value_text::key(text).or_else(|| value_text::key(text.split_whitespace().last()?));
    key.map(f64::from)
}

/// A kit of one zone that sounds like `patch`.
fn made(patch: &Patch) -> Patch {
    let mut settings = ParamValues::default();
    // the level, the microphones and the room of a kit apply to the sum
    let is_of_sum = |id: &ParamId| *id == ParamId::Level || ["Microphones", "Room"].contains(&id.spec().group);
    ParamId::ALL.iter().copied().filter(is_of_sum).for_each(|id| settings.set(id, patch.settings.get(id)));
    let zones = vec![Zone::new(patch, (0, KEYS as u8 - 1))];
    let plain =
        Patch { modes: Vec::new(), morph_modes: Vec::new(), residual: Vec::new(), partial_edits: Vec::new(), ..patch.clone() };
    Patch { settings, zones, ..plain }
}

/// `zone` with the sound of `patch`, and its own keys and mix.
fn with_sound(zone: &Zone, patch: &Patch) -> Zone {
    let Zone { keys, level, pan, choke, layer, pressure_chokes, bus, position, .. } = *zone;
    Zone { level, pan, choke, layer, pressure_chokes, bus, position, ..Zone::new(patch, keys) }
}

/// Draws the zones of the current kit in `rect`; `chosen` is the selected zone. Returns the actions that the user requests.
pub fn show(ui: &mut Ui, rect: Rect, presets: &PresetIndex, current: &CurrentSound, chosen: &mut usize) -> Vec<BrowserAction> {
    let kit = current.patch;
    *chosen = (*chosen).min(kit.zones.len().saturating_sub(1));
    let Some(zone) = kit.zones.get(*chosen) else { return none(ui, rect, kit) };
    let (list, below) = rect.split_top_bottom_at_y(rect.bottom() - BELOW);
    let keyboard = (list.height() > WITH_KEYBOARD)
        .then(|| list.with_min_y(list.bottom() - zone_keyboard::HEIGHT).translate(vec2(0.0, -32.0)));
    let list = list.with_max_y(keyboard.map_or(list.bottom() - 22.0, |keyboard| keyboard.top() - 10.0));
    let mut choices = lines(ui, list, kit, chosen);
    let put = |zone: Zone| {
        let mut kit = kit.clone();
        kit.zones[*chosen] = zone;
        BrowserAction::Edit(Box::new(kit))
    };
    match keyboard.and_then(|keyboard| zone_keyboard::show(ui, keyboard, kit, *chosen)) {
        Some(KeyboardAction::Place(keys)) => choices.push(put(Zone { keys, ..zone.clone() })),
        Some(KeyboardAction::Choose(clicked)) => {
            *chosen = clicked;
            choices.push(BrowserAction::PlayKey(kit.zones[clicked].keys.0));
            return choices;
        }
        None => {}
    }
    if let Some(zone) = fields(ui, below, zone, current.effect) {
        choices.push(put(zone));
    }
    let row = Rect::from_min_size(below.min + vec2(0.0, NAMED), vec2(below.width(), FIELD));
    text_field::label(&ThemePainter::new(ui), row, "Sound");
    let (sound, edit) = row.split_left_right_at_x(row.right() - 92.0);
    if let Some(patch) = sounds(ui, sound, presets, current, zone) {
        choices.push(put(with_sound(zone, &patch)));
    }
    if button::show(ui, edit.with_min_x(edit.left() + 8.0), "Edit as B", false).on_hover_text(AS_B).clicked() {
        choices.push(BrowserAction::EditAsB(Box::new(zone.patch(&ParamValues::default()))));
    }
    let buttons = Rect::from_min_size(pos2(below.left(), below.bottom() - 44.0), vec2(below.width(), 28.0));
    choices.extend(changes(ui, buttons, kit, chosen).map(|kit| BrowserAction::Edit(Box::new(kit))));
    choices
}

/// Hint of the button beside the sound.
const AS_B: &str = "Plays this zone alone, as the other of A and B. Back in the kit, choose \"Sound of the other of A and B\" to use the edited sound.";

/// Draws the page of a sound without zones.
fn none(ui: &Ui, rect: Rect, patch: &Patch) -> Vec<BrowserAction> {
    let painter = ThemePainter::new(ui);
    let words =
        "This sound plays on all keys. A kit has zones: ranges of keys with their own sounds. Overlapping zones sound together.";
    let galley =
        painter.painter().layout(words.to_owned(), theme::font(Face::Regular, Size::Value), painter.ink.text2, rect.width());
    let bottom = rect.top() + 12.0 + galley.size().y;
    painter.painter().galley(rect.min + vec2(0.0, 6.0), galley, painter.ink.text2);
    let at = Rect::from_min_size(pos2(rect.left(), bottom + 14.0), vec2(140.0, 30.0));
    let pressed = button::show(ui, at, "Convert to kit", false).clicked();
    pressed.then(|| BrowserAction::Edit(Box::new(made(patch)))).into_iter().collect()
}

/// The list of zones; a click selects one and plays its lowest key.
fn lines(ui: &mut Ui, rect: Rect, kit: &Patch, chosen: &mut usize) -> Vec<BrowserAction> {
    let painter = ThemePainter::new(ui);
    let mut x = rect.left() + 10.0;
    for (name, width) in [("Keys", COLUMNS[0]), ("Choke", COLUMNS[1]), ("Zone", 0.0)] {
        painter.text(pos2(x, rect.top() + 8.0), Side::Left, name, painter.label());
        x += width;
    }
    painter.hline(rect.x_range(), rect.top() + 20.0, painter.ink.hair);
    let mut choices = Vec::new();
    let body = rect.with_min_y(rect.top() + 21.0);
    let mut list = ui.new_child(egui::UiBuilder::new().id_salt("zones").max_rect(body));
    list.spacing_mut().item_spacing.y = 0.0;
    let list_id = list.unique_id();
    ScrollArea::vertical().auto_shrink(false).show_rows(&mut list, LINE, kit.zones.len(), |ui, rows| {
        let id = |i: usize| -> Id { list_id.with(("zone", i)) };
        let group = FocusGroup::new(ui, kit.zones.len(), (*chosen).clamp(rows.start, rows.end.max(1) - 1), id);
        let next = group.next(ui, id, [Key::ArrowUp, Key::ArrowDown]);
        for i in rows {
            let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
            let response = ui.interact(row, id(i), group.sense(i, Sense::CLICK));
            let zone = &kit.zones[i];
            let on = i == *chosen;
            keys::describe_choice(&response, Role::ListBoxOption, on, &format!("Zone {}", zone.name));
            line(&ThemePainter::new(ui), row, zone, on, response.hovered());
            if response.has_focus() {
                ThemePainter::new(ui).outline(row, theme::FIELD, theme::FOCUS, theme::ink(ui.ctx()).text);
                response.scroll_to_me(None);
            }
            if response.clicked() || next == Some(i) {
                *chosen = i;
                choices.push(BrowserAction::PlayKey(zone.keys.0));
            }
        }
        keys::give_focus(ui, next.map(id));
    });
    choices
}

fn line(painter: &ThemePainter, row: Rect, zone: &Zone, on: bool, hovered: bool) {
    let ink = painter.ink;
    if on {
        painter.rect(row.shrink2(vec2(0.0, 1.0)), 2.0, ink.hover);
        painter.rect(row.with_max_x(row.left() + 3.0).shrink2(vec2(0.0, 1.0)), 0.0, ink.text);
    } else if hovered {
        painter.rect(row, theme::FIELD, ink.panel);
    } else {
        painter.hline(row.left() + 8.0..=row.right() - 8.0, row.bottom(), ink.grid);
    }
    let name = |key: u8| key_name(key).replace('-', "−");
    let (low, high) = zone.keys;
    let keys = if low == high { name(low) } else { format!("{} – {}", name(low), name(high)) };
    let y = row.center().y;
    painter.text(pos2(row.left() + 10.0, y), Side::Left, &keys, (Face::Regular, Size::Label, ink.text2));
    if zone.choke > 0 {
        let at = pos2(row.left() + 10.0 + COLUMNS[0], y);
        painter.text(at, Side::Left, &zone.choke.to_string(), (Face::Regular, Size::Label, ink.text2));
    }
    let face = if on { Face::SemiBold } else { Face::Regular };
    let at = pos2(row.left() + 10.0 + COLUMNS[0] + COLUMNS[1], y);
    painter.inside(row).text(at, Side::Left, &zone.name, (face, Size::Value, ink.text));
}

/// The fields of one zone, in rows of equal columns.
struct ZoneFields {
    rect: Rect,
}

/// A column of a row of fields.
struct Cell {
    row: usize,
    column: usize,
    columns: usize,
}

impl ZoneFields {
    fn row(&self, i: usize) -> Rect {
        Rect::from_min_size(self.rect.min + vec2(0.0, NAMED * i as f32), vec2(self.rect.width(), FIELD))
    }

    /// Draws a number in a cell. Returns the new value if the user has changed it.
    fn number(&self, ui: &mut Ui, cell: Cell, name: &str, number: &Number) -> Option<f64> {
        let width = (self.rect.width() - 8.0 * (cell.columns - 1) as f32) / cell.columns as f32;
        let left = vec2((width + 8.0) * cell.column as f32, 0.0);
        let field = Rect::from_min_size(self.row(cell.row).min + left, vec2(width, FIELD));
        text_field::label(&ThemePainter::new(ui), field, name);
        text_field::number(ui, field, &format!("Zone {}", name.to_lowercase()), number)
    }
}

/// Draws the fields of one zone. Returns the changed zone.
fn fields(ui: &mut Ui, rect: Rect, zone: &Zone, effect: bool) -> Option<Zone> {
    let fields = ZoneFields { rect };
    let (name, switch) = fields.row(0).split_left_right_at_x(rect.right() - SWITCH);
    text_field::label(&ThemePainter::new(ui), name, "Zone name");
    let named = text_field::text(ui, name, "Zone name", &zone.name).map(|name| Zone { name, ..zone.clone() });
    let id = ui.scope_id().with("zone fields");
    let shown = ui.data(|data| data.get_temp::<usize>(id)).unwrap_or_default();
    let next = button::segments(ui, switch.with_min_x(switch.left() + 8.0), "Zone", &PARTS, shown, Hue::Plain);
    ui.data_mut(|data| data.insert_temp(id, next));
    let changed = if shown == 0 {
        let keys = key_fields(ui, &fields, zone);
        mix_fields(ui, &fields, zone, effect).or(keys)
    } else {
        let velocities = velocity_fields(ui, &fields, zone);
        turn_fields(ui, &fields, zone).or(velocities)
    };
    changed.or(named)
}

/// Lowest and highest velocity, and the velocities over which the zone fades.
fn velocity_fields(ui: &mut Ui, fields: &ZoneFields, zone: &Zone) -> Option<Zone> {
    let ZoneLayer { velocities: [low, high], fade, .. } = zone.layer;
    let [lowest, highest] = VELOCITIES.map(f64::from);
    let cell = |column: usize| Cell { row: 2, column, columns: 3 };
    let velocity =
        |value: u8| Number { value: f64::from(value), range: lowest..=highest, step: 1.0, show: &show_whole, read: &read_number };
    let low_changed = fields.number(ui, cell(0), "Lowest velocity", &velocity(low)).map(|low| [low as u8, high.max(low as u8)]);
    let high_changed =
        fields.number(ui, cell(1), "Highest velocity", &velocity(high)).map(|high| [low.min(high as u8), high as u8]);
    let number = Number { range: 0.0..=highest - lowest, ..velocity(fade) };
    let fade = fields.number(ui, cell(2), "Velocity fade", &number);
    let layer = match (fade, high_changed.or(low_changed)) {
        (Some(fade), _) => ZoneLayer { fade: fade as u8, ..zone.layer },
        (None, Some(velocities)) => ZoneLayer { velocities, ..zone.layer },
        _ => return None,
    };
    Some(Zone { layer, ..zone.clone() })
}

/// The group that takes turns, its order, and the choke by pressure.
fn turn_fields(ui: &mut Ui, fields: &ZoneFields, zone: &Zone) -> Option<Zone> {
    let cell = |column: usize| Cell { row: 3, column, columns: 3 };
    let group_number = Number {
        value: f64::from(zone.layer.group),
        range: 0.0..=TURN_GROUPS as f64,
        step: 1.0,
        show: &group,
        read: &read_number,
    };
    let group = fields.number(ui, cell(0), "Alternates", &group_number).map(|group| group as u8);
    let order = choice(ui, fields, cell(1), "Order of turns", (&Alternation::NAMES, zone.layer.alternation as usize));
    let chokes = choice(ui, fields, cell(2), "Pressure chokes", (&["off", "on"], usize::from(zone.pressure_chokes)));
    if let Some(chokes) = chokes {
        return Some(Zone { pressure_chokes: chokes > 0, ..zone.clone() });
    }
    let layer = match (group, order) {
        (Some(group), _) => ZoneLayer { group, ..zone.layer },
        (None, Some(order)) => ZoneLayer { alternation: Alternation::ALL[order], ..zone.layer },
        _ => return None,
    };
    Some(Zone { layer, ..zone.clone() })
}

/// A choice in a cell. Returns the index of the new one if the user has changed it.
fn choice(ui: &mut Ui, fields: &ZoneFields, cell: Cell, name: &str, (names, chosen): (&[&str], usize)) -> Option<usize> {
    let show = |value: f64| names.get(value as usize).copied().unwrap_or_default().to_owned();
    let read = |text: &str| names.iter().position(|name| *name == text.trim()).map(|place| place as f64);
    let number = Number { value: chosen as f64, range: 0.0..=names.len() as f64 - 1.0, step: 1.0, show: &show, read: &read };
    fields.number(ui, cell, name, &number).map(|value| value as usize)
}

/// A group as text.
fn group(value: f64) -> String {
    if value == 0.0 { "none".to_owned() } else { show_whole(value) }
}

/// Lowest and highest key, and the note that the lowest key plays.
fn key_fields(ui: &mut Ui, fields: &ZoneFields, zone: &Zone) -> Option<Zone> {
    let (low, high) = zone.keys;
    let cell = |column: usize| Cell { row: 2, column, columns: 3 };
    let key =
        |key: u8| Number { value: f64::from(key), range: 0.0..=KEYS as f64 - 1.0, step: 1.0, show: &key_text, read: &read_key };
    let lowest = fields.number(ui, cell(0), "Lowest key", &key(low));
    let highest = fields.number(ui, cell(1), "Highest key", &key(high));
    let plays = fields.number(ui, cell(2), "Lowest plays", &key(zone.plays));
    let plays = plays.map(|plays| Zone { plays: plays as u8, ..zone.clone() });
    let highest = highest.map(|high| Zone { keys: (low.min(high as u8), high as u8), ..zone.clone() });
    let lowest = lowest.map(|low| Zone { keys: (low as u8, high.max(low as u8)), ..zone.clone() });
    plays.or(highest).or(lowest)
}

/// Level, pan, choke group, and the output if there are several.
fn mix_fields(ui: &mut Ui, fields: &ZoneFields, zone: &Zone, effect: bool) -> Option<Zone> {
    let decibels = |value: f64| format!("{value:.1} dB").replace('-', "−");
    let read_decibels = |text: &str| read_number(text.trim().trim_end_matches("dB"));
    let cell = |column: usize| Cell { row: 3, column, columns: 4 };
    let level = Number { value: zone.level, range: -60.0..=24.0, step: 0.1, show: &decibels, read: &read_decibels };
    let level = fields.number(ui, cell(0), "Level", &level).map(|level| Zone { level, ..zone.clone() });
    let pan = Number { value: zone.pan, range: -1.0..=1.0, step: 0.01, show: &pan_text, read: &read_pan };
    let pan = fields.number(ui, cell(1), "Pan", &pan).map(|pan| Zone { pan, ..zone.clone() });
    let choke = Number { value: f64::from(zone.choke), range: 0.0..=GROUPS as f64, step: 1.0, show: &group, read: &read_number };
    let choke = fields.number(ui, cell(2), "Choke group", &choke).map(|choke| Zone { choke: choke as u8, ..zone.clone() });
    let changed = choke.or(pan).or(level);
    // the effect has one output
    if effect {
        return changed;
    }
    let bus =
        Number { value: f64::from(zone.bus), range: 1.0..=OUTPUTS as f64, step: 1.0, show: &show_whole, read: &read_number };
    let bus = fields.number(ui, cell(3), "Output", &bus).map(|bus| Zone { bus: bus as u8, ..zone.clone() });
    bus.or(changed)
}

/// A pan as text, from -1 (left) to 1 (right).
fn pan_text(value: f64) -> String {
    match value {
        value if value < 0.0 => format!("L {:.2}", -value),
        value if value > 0.0 => format!("R {value:.2}"),
        _ => "centre".to_owned(),
    }
}

/// Reads a pan: "L 0.5", "R 0.5", "centre" or a number from -1 to 1.
fn read_pan(text: &str) -> Option<f64> {
    let text = text.trim().replace('−', "-");
    let number = |text: &str| text.trim().parse::<f64>().ok();
    match text.split_at_checked(1) {
        Some(("L" | "l", rest)) => number(rest).map(|x| -x),
        Some(("R" | "r", rest)) => number(rest),
        Some(("c" | "C" | "m" | "M", _)) => Some(0.0),
        _ => number(&text),
    }
}

/// Draws the menu of all sounds for a zone. Returns the chosen one.
fn sounds(ui: &Ui, rect: Rect, presets: &PresetIndex, current: &CurrentSound, zone: &Zone) -> Option<Patch> {
    let alike =
        |patch: &Patch| patch.settings == zone.settings && patch.modes == zone.modes && patch.drive_content == zone.drive_content;
    let single = || presets.presets().iter().map(|preset| &preset.patch).filter(|patch| patch.zones.is_empty());
    let shown = single().find(|patch| alike(patch)).map_or("own sound", |patch| patch.name.as_str());
    let response = button::drop_down(ui, rect, "Zone sound", shown);
    let mut chosen = None;
    menu(&response).width(rect.width()).show(|ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        ScrollArea::vertical().max_height(380.0).show(ui, |ui| {
            let mut offer = |ui: &mut Ui, name: &str, patch: &Patch| {
                let text = RichText::new(name).font(theme::font(Face::Regular, Size::Row));
                if ui.selectable_label(name == shown, text).clicked() {
                    chosen = Some(patch.clone());
                    ui.close();
                }
            };
            if let Some(other) = current.other.filter(|other| other.zones.is_empty()) {
                offer(ui, "Sound of the other of A and B", other);
            }
            single().for_each(|patch| offer(ui, &patch.name, patch));
        });
    });
    chosen
}

/// Adds and removes zones.
fn changes(ui: &Ui, rect: Rect, kit: &Patch, chosen: &mut usize) -> Option<Patch> {
    let place = |i: usize| {
        let width = (rect.width() - 16.0) / 3.0;
        Rect::from_min_size(rect.min + vec2((width + 8.0) * i as f32, 0.0), vec2(width, rect.height()))
    };
    let room = kit.zones.len() < MAX_ZONES;
    let added =
        button::show(ui, place(0), "Add zone", false).on_hover_text("Adds a zone with the same sound on the next key.").clicked();
    let removed = button::show(ui, place(1), "Remove zone", false).clicked();
    let plain = button::show(ui, place(2), "Single sound", false)
        .on_hover_text("Replaces the kit by the sound of this zone, on all keys.")
        .clicked();
    let mut kit = kit.clone();
    let zone = kit.zones[*chosen].clone();
    if added && room {
        let key = zone.keys.1.saturating_add(1).min(KEYS as u8 - 1);
        kit.zones.insert(*chosen + 1, Zone { keys: (key, key), ..zone });
        *chosen += 1;
        return Some(kit);
    }
    if removed && kit.zones.len() > 1 {
        kit.zones.remove(*chosen);
        return Some(kit);
    }
    plain.then(|| {
        let sound = zone.patch(&ParamValues::default());
        Patch {
            zones: Vec::new(),
            settings: sound.settings,
            modes: sound.modes,
            morph_modes: sound.morph_modes,
            residual: sound.residual,
            partial_edits: sound.partial_edits,
            drive_content: sound.drive_content,
            ..kit
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::patch::{factory_presets, patch_toml};

    #[test]
    fn keys_are_read_by_number_and_by_name() {
        for key in [0, 36, 60, 127] {
            assert_eq!(read_key(&key_text(f64::from(key))), Some(f64::from(key)));
            assert_eq!(read_key(&key.to_string()), Some(f64::from(key)));
            assert_eq!(read_key(&key_name(key).to_lowercase()), Some(f64::from(key)));
        }
        assert_eq!((read_key("128"), read_key("H9"), read_key("")), (None, None, None));
    }

    #[test]
    fn a_sound_that_becomes_a_kit_sounds_the_same_on_every_key() {
        let patch = factory_presets::built_in().next().expect("the first");
        let kit = made(&patch);
        let mut zone = kit.zones[0].with_offsets(&kit.settings);
        zone.set(ParamId::Level, patch.settings.get(ParamId::Level));
        assert_eq!(
            (zone, kit.zones[0].keys, kit.settings.get(ParamId::Level)),
            (patch.settings, (0, 127), patch.settings.get(ParamId::Level))
        );
        assert_eq!(patch_toml::from_toml(&patch_toml::to_toml(&kit)), Ok(kit), "and can be kept");
    }
}
