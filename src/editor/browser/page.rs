//! The page of the browser: filters, list, and the right column with the preview of the selected preset.
//!
//! The preview shows body, partials, contact and description, and has the buttons to load and save.

use std::collections::BTreeSet;

use egui::{Frame, Id, Key, Modifiers, Popup, Rect, TextEdit, Ui, pos2, vec2};

use crate::editor::browser::fingerprint::{RANGE, VELOCITY};
use crate::editor::browser::preset_index::{Preset, PresetIndex};
use crate::editor::browser::state::{Browser, BrowserAction, COMING, CurrentSound};
use crate::editor::browser::{details, fingerprint, preset_list, state, zones};
use crate::editor::param_controls::value_entry;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Side, ThemePainter, button, file_picker, keys};
use crate::editor::{body_view, theme};
use urto_engine::params::value_text::with_prefix;

/// Widths of the filters and of the right column.
const FILTERS: f32 = 260.0;
const PREVIEW: f32 = 368.0;
/// Width of the filters in a small window, which shows one of the two.
const SMALL: f32 = 232.0;
/// Views of the right column.
const SIDES: [&str; 3] = ["Preview", "Details", "Zones"];

/// Presets that a page key passes.
const PAGE: isize = 10;
/// Longest contact that the preview draws [s].
const LONGEST: f64 = 4e-3;

/// Height of the preview at which its picture has the full size.
const DRAWN: f32 = 530.0;
/// Minimum height of the picture; below it the picture is left out.
const PICTURE: f32 = 40.0;

impl Browser {
    /// Draws the browser. Returns the actions that the user requests.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        presets: &PresetIndex,
        (favourites, current): (&BTreeSet<String>, &CurrentSound),
        small: bool,
    ) -> Vec<BrowserAction> {
        self.fingerprints.take();
        let matching: Vec<&Preset> = presets.presets().iter().filter(|preset| self.filter.matches(preset, favourites)).collect();
        let mut choices = self.keys(ui, &matching);
        let [left, right] = match (small, self.unfolded) {
            (false, _) => [FILTERS, PREVIEW],
            (true, false) => [SMALL, 0.0],
            (true, true) => [0.0, PREVIEW],
        };
        let (left, rest) = rect.split_left_right_at_x(rect.left() + left);
        let (middle, right) = rest.split_left_right_at_x(rest.right() - right);
        let painter = ThemePainter::new(ui);
        for x in [left.right(), middle.right()] {
            painter.vline(x, rect.y_range(), painter.ink.hair);
        }
        if left.width() > 0.0 {
            state::filters(ui, left, self, presets, favourites, matching.len());
        }
        if small {
            let at = Rect::from_min_size(pos2(middle.left() + 112.0, middle.top() + 18.0), vec2(76.0, 28.0));
            self.unfolded ^= button::named(ui, at, "Details and zones", "Details", self.unfolded).clicked();
        }
        choices.extend(preset_list::show(ui, middle, self, &matching, (favourites, presets.broken())));
        if right.width() > 0.0 {
            choices.extend(self.side(ui, right, presets, current));
        }
        if self.fingerprints.is_waiting() {
            ui.ctx().request_repaint_after(COMING);
        }
        self.fresh = false;
        choices
    }

    /// The right column: preview, details, or zones.
    fn side(&mut self, ui: &mut Ui, rect: Rect, presets: &PresetIndex, current: &CurrentSound) -> Vec<BrowserAction> {
        let inside = rect.shrink2(vec2(24.0, 0.0));
        let tabs = Rect::from_min_size(inside.min + vec2(0.0, 14.0), vec2(inside.width(), 28.0));
        self.side = button::segments(ui, tabs, "Column", &SIDES, self.side, Hue::Plain);
        let below = Rect::from_min_max(pos2(inside.left(), tabs.bottom() + 10.0), inside.max);
        match SIDES[self.side] {
            "Details" => details::show(ui, below, self, presets, current),
            "Zones" => zones::show(ui, below, presets, current, &mut self.zone),
            _ => {
                let selected = presets.presets().iter().find(|preset| Some(&preset.patch.name) == self.selected.as_ref());
                let broken = self.broken.and_then(|i| presets.broken().get(i));
                preview(ui, below, self, selected, broken)
            }
        }
    }

    /// Handles the keys: Up and Down select, Enter confirms, Esc cancels, F marks a favourite. While another control than the search or the
    /// list has the focus, only Esc.
    fn keys(&mut self, ui: &Ui, matching: &[&Preset]) -> Vec<BrowserAction> {
        let mut choices = Vec::new();
        if Popup::is_any_open(ui.ctx()) {
            return choices;
        }
        if self.saving.is_some() {
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
                (self.saving, self.error) = (None, None);
            }
            return choices;
        }
        // another text field than the search has the keys
        let focused = ui.memory(|memory| memory.focused());
        if ui.ctx().text_edit_focused() && focused != Some(state::search_id()) {
            return choices;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        // a focused button or filter keeps Enter and the arrow keys
        let has_list = self.in_list || focused.is_none() || focused == Some(state::search_id());
        if !has_list {
            let cancels = pressed(Key::Escape).then_some(BrowserAction::Cancel);
            return cancels.into_iter().collect();
        }
        let way = |forth, back| isize::from(pressed(forth)) - isize::from(pressed(back));
        let mut step = way(Key::ArrowDown, Key::ArrowUp) + PAGE * way(Key::PageDown, Key::PageUp);
        // in the search field these keys move the cursor
        if self.in_list {
            step += matching.len() as isize * way(Key::End, Key::Home);
        }
        if step != 0 && !matching.is_empty() {
            let here = matching.iter().position(|preset| Some(&preset.patch.name) == self.selected.as_ref());
            let next = here.map_or(0, |here| here.saturating_add_signed(step).min(matching.len() - 1));
            (self.follow, self.follow_focus) = (true, self.in_list);
            choices.extend(self.select(&matching[next].patch));
        }
        if pressed(Key::Enter) {
            choices.push(BrowserAction::Confirm);
        }
        if pressed(Key::Escape) {
            choices.push(BrowserAction::Cancel);
        }
        if !ui.ctx().text_edit_focused() && pressed(Key::F) {
            choices.extend(self.selected.clone().map(BrowserAction::ToggleFavourite));
        }
        choices
    }
}

/// Draws the preview, or the error of `broken`, a file that cannot be read. Returns the actions that the user requests.
pub fn preview(
    ui: &mut Ui,
    rect: Rect,
    browser: &mut Browser,
    selected: Option<&Preset>,
    broken: Option<&(String, String)>,
) -> Vec<BrowserAction> {
    if let Some((name, error)) = broken {
        let painter = ThemePainter::new(ui);
        painter.text(rect.min + vec2(0.0, 16.0), Side::Left, name, (Face::SemiBold, Size::Title, painter.ink.text));
        file_picker::show_error(ui, rect.with_min_y(rect.top() + 42.0), error);
    } else if let Some(preset) = selected {
        tell(&ThemePainter::new(ui), rect, browser, preset);
    } else {
        let painter = ThemePainter::new(ui);
        let name = if browser.before.name.is_empty() { "Unnamed patch" } else { &browser.before.name };
        painter.text(rect.min + vec2(0.0, 16.0), Side::Left, name, (Face::SemiBold, Size::Title, painter.ink.text));
        let text = "The current sound. Save it to list it here.";
        painter.text(rect.min + vec2(0.0, 42.0), Side::Left, text, (Face::Regular, Size::Text, painter.ink.text2));
    }
    let below = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 64.0), pos2(rect.right(), rect.bottom() - 30.0));
    if browser.saving.is_some() { save(ui, below, browser) } else { buttons(ui, below, browser, selected) }
}

fn tell(painter: &ThemePainter, inside: Rect, browser: &mut Browser, preset: &Preset) {
    let (ink, patch) = (painter.ink, &preset.patch);
    let at = |y: f32| pos2(inside.left(), inside.top() + y);
    let name = painter.fitting(&patch.name, Face::SemiBold, Size::Title, inside.width());
    painter.text(at(16.0), Side::Left, &name, (Face::SemiBold, Size::Title, ink.text));
    let author = if patch.author.is_empty() { "unknown author" } else { &patch.author };
    let origin = format!("{}   {}", state::capital(preset.family()), author);
    painter.text(at(42.0), Side::Left, &origin, (Face::Regular, Size::Text, ink.text2));
    let spare = (inside.height() - DRAWN).clamp(-124.0, 0.0);
    let kind = patch.zones.first().map_or(patch.settings.body_kind(), |zone| zone.settings.body_kind());
    let picture = Rect::from_min_size(at(56.0), vec2(inside.width(), 124.0 + spare));
    if picture.height() > PICTURE {
        body_view::miniature(painter, picture, kind);
    }
    let fingerprint = browser.fingerprints.get(patch);
    painter.text(at(194.0 + spare), Side::Left, "Partials", painter.label());
    fingerprint::draw_partials(painter, Rect::from_min_size(at(206.0 + spare), vec2(inside.width(), 64.0)), fingerprint);
    let tick = (Face::Regular, Size::Tick, ink.text3);
    painter.text(at(284.0 + spare), Side::Left, &format!("{:.0} Hz", RANGE.0), tick);
    painter.text(pos2(inside.right(), inside.top() + 284.0 + spare), Side::Right, &format!("{:.0} kHz", RANGE.1 / 1e3), tick);
    let title = format!("Contact at velocity {:.0}", 127.0 * VELOCITY);
    painter.text(at(316.0 + spare), Side::Left, &title, painter.label());
    fingerprint::draw_pulse(painter, Rect::from_min_size(at(326.0 + spare), vec2(150.0, 52.0)), fingerprint, LONGEST);
    if let Some((fingerprint, (_, duration))) =
        fingerprint.and_then(|fingerprint| Some((fingerprint, fingerprint.pulse.as_ref()?)))
    {
        let numbers = [with_prefix(*duration, "s"), with_prefix(fingerprint.peak(), "N")];
        for (i, text) in numbers.iter().enumerate() {
            let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
            let place = at(364.0 + spare) + vec2(176.0 + 76.0 * i as f32, 0.0);
            let shown = painter.text(place, Side::Left, number, (Face::Medium, Size::Reading, ink.text));
            painter.text(pos2(shown.right() + 4.0, place.y + 1.0), Side::Left, unit, tick);
        }
    }
    let look = theme::font(Face::Regular, Size::Value);
    let words = painter.painter().layout(patch.description.clone(), look, ink.text2, inside.width());
    painter.inside(Rect::from_min_max(at(394.0 + spare), pos2(inside.right() + 8.0, inside.bottom() - 68.0))).painter().galley(
        at(398.0 + spare),
        words,
        ink.text2,
    );
}

fn buttons(ui: &Ui, rect: Rect, browser: &mut Browser, selected: Option<&Preset>) -> Vec<BrowserAction> {
    let place = |left: f32, width: f32| Rect::from_min_size(rect.min + vec2(left, 0.0), vec2(width, rect.height()));
    let mut choices = Vec::new();
    if button::show(ui, place(0.0, 72.0), "Load", true).clicked() {
        choices.push(BrowserAction::Confirm);
    }
    if button::show(ui, place(76.0, 88.0), "Load as B", false).clicked() {
        choices.extend(selected.map(|preset| BrowserAction::LoadAsB(Box::new(preset.patch.clone()))));
    }
    if button::show(ui, place(168.0, 74.0), "Save as", false).clicked() {
        browser.saving = Some(browser.selected.clone().unwrap_or_default());
    }
    let open = button::named(ui, place(246.0, 74.0), "Open file", "Open", false);
    if open.on_hover_text("Play a preset from any folder. You can also drop its file on the window.").clicked() {
        browser.file.open();
    }
    choices.extend(browser.file.given(ui).map(BrowserAction::Open));
    choices
}

/// The field for the name of a new preset; Enter saves.
fn save(ui: &mut Ui, rect: Rect, browser: &mut Browser) -> Vec<BrowserAction> {
    let Some(mut name) = browser.saving.take() else { return Vec::new() };
    let painter = ThemePainter::new(ui);
    let field = rect.with_max_x(rect.right() - 90.0);
    painter.rect(field, theme::FIELD, painter.ink.raised);
    let color = if browser.error.is_some() { painter.ink.warn } else { painter.ink.text };
    painter.outline(field, theme::FIELD, theme::FOCUS, color);
    if let Some(error) = &browser.error {
        let words =
            painter.painter().layout(error.clone(), theme::font(Face::Regular, Size::Label), painter.ink.text, rect.width());
        let top = field.top() - 8.0 - words.size().y;
        painter.rect(Rect::from_min_size(pos2(rect.left() - 4.0, top - 4.0), words.size() + vec2(8.0, 8.0)), 0.0, painter.ink.bg);
        painter.painter().galley(pos2(rect.left(), top), words, painter.ink.text);
    }
    let id = Id::unique("urto preset name");
    let edit = TextEdit::singleline(&mut name)
        .id(id)
        .font(theme::font(Face::Medium, Size::Row))
        .frame(Frame::NONE)
        .hint_text("Name")
        .align(egui::Align2::LEFT_CENTER)
        .desired_width(field.width() - 20.0);
    let response = ui.put(field.shrink2(vec2(10.0, 5.0)), edit);
    keys::name_field(&response, "Name of the new preset");
    let first = ui.data_mut(|data| data.get_temp::<bool>(id).is_none());
    if first {
        value_entry::begin(ui, &response, &name);
        ui.data_mut(|data| data.insert_temp(id, true));
    }
    let pressed = button::show(ui, rect.with_min_x(rect.right() - 82.0), "Save", true).clicked();
    if pressed || (response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))) {
        ui.data_mut(|data| data.remove_temp::<bool>(id));
        let name_given = name.trim().to_owned();
        browser.saving = Some(name);
        return vec![BrowserAction::Save(name_given)];
    }
    browser.saving = Some(name);
    Vec::new()
}
