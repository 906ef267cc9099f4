//! The list of presets: name, partials, contact, tags.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui::{EventFilter, Id, Rect, Response, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::browser::fingerprint;
use crate::editor::browser::preset_index::Preset;
use crate::editor::browser::state::{Browser, BrowserAction};
use crate::editor::theme::{FIELD, FOCUS, Face, Size};
use crate::editor::widgets::keys::FocusGroup;
use crate::editor::widgets::{Side, ThemePainter, button, icon, keys};

/// Height of the header, and of a row.
const HEAD: f32 = 51.0;
const ROW: f32 = 40.0;
/// Height of a row for a file that cannot be read, and the most such rows.
const FAULT: f32 = 28.0;
const MAX_FAULTS: usize = 5;
/// Longest contact that is drawn [s].
const LONGEST: f64 = 4e-3;

/// Left edges of the columns; a narrow list has no tags.
struct Columns {
    name: f32,
    partials: f32,
    contact: f32,
    tags: Option<f32>,
}

impl Columns {
    fn new(rect: Rect) -> Self {
        let left = rect.left();
        let wide = rect.width() > 560.0;
        let spare = (rect.width() - 596.0).max(0.0);
        let name = left + 28.0;
        let partials = if wide { left + 252.0 + 0.4 * spare } else { rect.right() - 168.0 };
        Self { name, partials, contact: partials + 124.0, tags: wide.then_some(partials + 188.0) }
    }

    /// Draws the names of the columns at the top of `rect`.
    fn draw_heads(&self, painter: &ThemePainter, rect: Rect) {
        let heads = [(self.name, "Name"), (self.partials, "Partials"), (self.contact, "Contact")];
        for (x, name) in heads.into_iter().chain(self.tags.map(|x| (x, "Tags"))) {
            painter.text(pos2(x, rect.top() + 32.0), Side::Left, name, painter.label());
        }
        painter.hline(rect.x_range(), rect.top() + HEAD, painter.ink.hair);
    }
}

/// Draws the list. Returns the actions that the user requests.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    browser: &mut Browser,
    matching: &[&Preset],
    (favourites, broken): (&BTreeSet<String>, &[(String, String)]),
) -> Vec<BrowserAction> {
    let inside = rect.shrink2(vec2(24.0, 0.0));
    let columns = Columns::new(inside);
    columns.draw_heads(&ThemePainter::new(ui), inside);
    let mut choices = Vec::new();
    // files that cannot be read are listed at the bottom
    let faults = rect.with_min_y(rect.bottom() - FAULT * broken.len().min(MAX_FAULTS) as f32);
    for (i, (name, error)) in broken.iter().enumerate().take(MAX_FAULTS) {
        let row = Rect::from_min_size(faults.min + vec2(0.0, FAULT * i as f32), vec2(rect.width(), FAULT));
        fault(ui, row, browser, (i, name, error));
    }
    let body = Rect::from_min_max(pos2(rect.left(), rect.top() + HEAD + 1.0), pos2(rect.right(), faults.top()));
    if matching.is_empty() {
        browser.in_list = false;
        no_match(ui, body, browser);
        return choices;
    }
    let mut list = ui.new_child(egui::UiBuilder::new().id_salt("presets").max_rect(body));
    // the scroll area includes the spacing in its row height
    list.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().auto_shrink(false).show_rows(&mut list, ROW, matching.len(), |ui, rows| {
        let top = ui.cursor().top() - ROW * rows.start as f32;
        let scope = ui.scope_id();
        let id = |i: usize| row_id(scope, matching[i]);
        let selected = matching.iter().position(|preset| Some(&preset.patch.name) == browser.selected.as_ref());
        let entry = selected.filter(|at| rows.contains(at)).unwrap_or(rows.start);
        let group = FocusGroup::new(ui, matching.len(), entry, id);
        browser.in_list = group.has_focus();
        // a row that is not drawn yet cannot take the focus
        let taken = selected.filter(|at| browser.follow_focus && rows.contains(at));
        for i in rows {
            let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
            let row = Rect::from_x_y_ranges(inside.left() - 8.0..=inside.right() + 4.0, row.y_range());
            choices.extend(line(ui, row, &columns, browser, (matching[i], group.is_entry(i)), favourites));
        }
        browser.follow_focus &= taken.is_none();
        keys::give_focus(ui, taken.map(id));
        if std::mem::take(&mut browser.follow)
            && let Some(at) = selected
        {
            let corner = pos2(inside.left(), top + ROW * at as f32);
            ui.scroll_to_rect(Rect::from_min_size(corner, vec2(10.0, ROW)), None);
        }
    });
    choices
}

/// The text for an empty list, with a button that clears the filters.
fn no_match(ui: &Ui, body: Rect, browser: &mut Browser) {
    let painter = ThemePainter::new(ui);
    let at = body.center_top() + vec2(0.0, 60.0);
    painter.text(at, Side::Center, "No preset matches.", (Face::Regular, Size::Row, painter.ink.text2));
    let clear = Rect::from_center_size(body.center_top() + vec2(0.0, 96.0), vec2(120.0, 30.0));
    if button::show(ui, clear, "Clear filters", false).clicked() {
        browser.filter = Default::default();
    }
}

/// The row of a file that cannot be read; a click shows the reason.
fn fault(ui: &Ui, row: Rect, browser: &mut Browser, (i, name, error): (usize, &str, &str)) {
    let response = ui.interact(row, ui.scope_id().with(("broken", name)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name} cannot be read")));
    let painter = ThemePainter::new(ui);
    let chosen = browser.broken == Some(i);
    if chosen || response.hovered() {
        painter.rect(row, 0.0, painter.ink.hover);
    }
    if response.has_focus() {
        painter.outline(row.shrink(1.0), FIELD, FOCUS, painter.ink.text);
    }
    painter.rect(row.with_max_x(row.left() + 3.0), 0.0, painter.ink.warn);
    let words = painter.inside(row);
    let shown = words.text(row.left_center() + vec2(24.0, 0.0), Side::Left, name, (Face::Regular, Size::Text, painter.ink.text));
    words.text(
        pos2(shown.right() + 10.0, row.center().y),
        Side::Left,
        "cannot be read",
        (Face::Regular, Size::Label, painter.ink.warn),
    );
    if response.on_hover_text(error).clicked() {
        (browser.broken, browser.side) = (Some(i), 0);
    }
}

/// Identifier of the row of a preset.
fn row_id(scope: Id, preset: &Preset) -> Id {
    scope.with(("preset", &preset.patch.name, preset.is_own()))
}

/// The row of a preset.
fn line(
    ui: &Ui,
    row: Rect,
    columns: &Columns,
    browser: &mut Browser,
    (preset, is_entry): (&Preset, bool),
    favourites: &BTreeSet<String>,
) -> Vec<BrowserAction> {
    let name = &preset.patch.name;
    let chosen = browser.selected.as_ref() == Some(name);
    let sense = if is_entry { Sense::click() } else { Sense::CLICK };
    let response = ui.interact(row, row_id(ui.scope_id(), preset), sense);
    keys::describe_choice(&response, Role::ListBoxOption, chosen, name);
    if response.has_focus() {
        let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    }
    let star = Rect::from_center_size(pos2(row.left() + 18.0, row.center().y), vec2(28.0, 28.0));
    let favour = ui.interact(star, response.id.with("star"), sense);
    favour.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, favourites.contains(name), format!("Favourite {name}")));
    let painter = ThemePainter::new(ui);
    ground(&painter, row, chosen, &response);
    icon::star(
        &painter,
        star.center(),
        6.5,
        favourites.contains(name),
        if chosen { painter.ink.text } else { painter.ink.text3 },
    );
    if favour.has_focus() {
        painter.outline(star.shrink(1.0), FIELD, FOCUS, painter.ink.text);
    }
    let y = row.center().y;
    let clip = painter.inside(row.with_max_x(columns.partials - 8.0));
    let at = pos2(columns.name, y);
    words(&clip, at, name, if chosen { Face::SemiBold } else { Face::Regular }, &browser.filter.words);
    let fingerprint = browser.fingerprints.get(&preset.patch);
    let cell = |x: f32, width: f32| Rect::from_min_size(pos2(x, y - 12.0), vec2(width, 24.0));
    fingerprint::draw_partials(&painter, cell(columns.partials, 100.0), fingerprint);
    fingerprint::draw_pulse(&painter, cell(columns.contact, 44.0), fingerprint, LONGEST);
    if let Some(x) = columns.tags {
        tags(&painter, pos2(x, y), row.right() - 8.0, &preset.patch.tags);
    }
    let mut choices = Vec::new();
    if favour.clicked() {
        choices.push(BrowserAction::ToggleFavourite(name.clone()));
    } else if response.clicked() {
        choices.extend(browser.select(&preset.patch));
    }
    if response.double_clicked() {
        choices.push(BrowserAction::Confirm);
    }
    choices
}

/// As many tags as fit up to `right`.
fn tags(painter: &ThemePainter, mut at: egui::Pos2, right: f32, tags: &[String]) {
    for tag in tags {
        if at.x + painter.width(tag, Face::Regular, Size::Text) > right {
            return;
        }
        at.x = painter.text(at, Side::Left, tag, (Face::Regular, Size::Text, painter.ink.text2)).right() + 10.0;
    }
}

fn ground(painter: &ThemePainter, row: Rect, chosen: bool, response: &Response) {
    let inside = row.shrink2(vec2(0.0, 1.0));
    if chosen {
        painter.rect(inside, 2.0, painter.ink.hover);
        painter.rect(inside.with_max_x(inside.left() + 3.0), 0.0, painter.ink.text);
    } else if response.hovered() {
        painter.rect(inside, 4.0, painter.ink.panel);
    } else {
        painter.hline(row.left() + 8.0..=row.right() - 8.0, row.bottom(), painter.ink.grid);
    }
    if response.has_focus() {
        painter.outline(inside, FIELD, FOCUS, painter.ink.text);
    }
}

/// A name, with the search words underlined.
fn words(painter: &ThemePainter, at: egui::Pos2, name: &str, face: Face, search: &str) {
    painter.text(at, Side::Left, name, (face, Size::Row, painter.ink.text));
    let lower = name.to_lowercase();
    // lower case of another length would shift the positions
    for word in search.to_lowercase().split_whitespace().filter(|_| lower.len() == name.len()) {
        if let Some(found) = lower.find(word).filter(|found| name.is_char_boundary(*found)) {
            let left = at.x + painter.width(&name[..found], face, Size::Row);
            let width = painter.width(&name[found..found + word.len()], face, Size::Row);
            painter.rect(Rect::from_min_size(pos2(left, at.y + 8.0), vec2(width, 1.5)), 0.0, painter.ink.text);
        }
    }
}
