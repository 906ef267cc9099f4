//! The state of the open browser, its filters, and the actions it asks the window for.
//!
//! The filters are search words, favourites, families and tags.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use egui::accesskit::Role;
use egui::{Frame, Id, Rect, Response, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

use crate::editor::browser::fingerprint::FingerprintCache;
use crate::editor::browser::preset_index::{Filter, PresetIndex};
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{FileRequest, Kind, Side, ThemePainter, icon, keys};
use crate::preset_pack;
use urto_engine::patch::Patch;

/// Time between frames while fingerprints are being computed.
pub const COMING: Duration = Duration::from_millis(100);

/// Height of a line of the filters, and of a tag.
const LINE: f32 = 26.0;
const TAG: f32 = 28.0;

/// The file of a preset or of a pack.
const PRESET: Kind = Kind { title: "Preset or pack", endings: &["toml", preset_pack::EXTENSION] };

/// An action of the browser.
#[derive(Clone, Debug, PartialEq)]
pub enum BrowserAction {
    /// Plays a preset.
    Preview(Box<Patch>),
    /// Keeps the preset that plays, and closes the browser.
    Confirm,
    /// Copies a preset to the other of A and B.
    LoadAsB(Box<Patch>),
    /// Closes the browser and restores the sound from before.
    Cancel,
    /// Saves the sound as a preset of this name.
    Save(String),
    /// Marks or unmarks a favourite.
    ToggleFavourite(String),
    /// Replaces the sound: one undo step.
    Edit(Box<Patch>),
    /// Copies a sound to the other of A and B, and switches to it.
    EditAsB(Box<Patch>),
    /// Plays the preset in a file, and closes the browser; installs the presets of a pack.
    Open(PathBuf),
    /// Plays a key.
    PlayKey(u8),
    /// Deletes the file of a preset.
    Delete(PathBuf),
    /// Saves the sound under its name and deletes the file of the preset that it was.
    Rename {
        /// The file with the old name.
        file: PathBuf,
        /// The old name.
        from: String,
    },
}

/// The current sound and the other of A and B.
pub struct CurrentSound<'a> {
    /// The sound that plays.
    pub patch: &'a Patch,
    /// The other of A and B, if there is one.
    pub other: Option<&'a Patch>,
    /// Whether this is the effect plug-in.
    pub effect: bool,
}

/// State of the open browser.
pub struct Browser {
    pub(super) filter: Filter,
    pub(super) fingerprints: FingerprintCache,
    /// The sound from before the browser was opened.
    pub(super) before: Patch,
    /// Name of the selected preset.
    pub(super) selected: Option<String>,
    /// Name of a new preset while it is typed, and the last error.
    pub(super) saving: Option<String>,
    pub(super) error: Option<String>,
    /// Whether the browser has just been opened, and whether the list scrolls to the selected preset.
    pub(super) fresh: bool,
    pub(super) follow: bool,
    /// Whether a row of the list has the focus, and whether the selected row takes it.
    pub(super) in_list: bool,
    pub(super) follow_focus: bool,
    /// Index of the view in the right column, and whether a small window shows it in place of the filters.
    pub side: usize,
    pub unfolded: bool,
    /// Index of the selected zone, and the file that another click deletes.
    pub(super) zone: usize,
    pub(super) deleting: Option<PathBuf>,
    /// Index of the selected file among those that cannot be read.
    pub(super) broken: Option<usize>,
    /// The file of a preset that the user opens.
    pub(super) file: FileRequest,
}

impl Browser {
    /// Opens the browser: reads the presets.
    pub fn open(presets: &mut PresetIndex, before: Patch) -> Self {
        presets.read();
        let selected = Some(before.name.clone());
        let filter = Filter::default();
        Self {
            filter,
            fingerprints: FingerprintCache::default(),
            before,
            selected,
            saving: None,
            error: None,
            fresh: true,
            follow: true,
            in_list: false,
            follow_focus: false,
            side: 0,
            unfolded: false,
            zone: 0,
            deleting: None,
            broken: None,
            file: FileRequest::new(PRESET),
        }
    }

    /// The sound from before the browser was opened.
    pub fn before(&self) -> &Patch {
        &self.before
    }

    /// Notes an edit of the sound: cancelling restores the edited sound.
    pub fn edited(&mut self, patch: Patch) {
        self.before = patch;
        self.error = None;
    }

    /// Updates after the presets were read again; `error` is what failed before, if anything.
    pub fn refreshed(&mut self, error: Option<String>) {
        self.fingerprints = FingerprintCache::default();
        self.error = error;
    }

    /// Updates after a preset was saved, or after saving failed.
    pub fn saved(&mut self, presets: &mut PresetIndex, result: Result<String, String>) {
        match result {
            Ok(name) => {
                presets.read();
                self.fingerprints = FingerprintCache::default();
                (self.saving, self.error, self.selected, self.follow) = (None, None, Some(name), true);
            }
            Err(error) => self.error = Some(error),
        }
    }

    /// Waits for the fingerprints that were drawn.
    #[cfg(any(test, feature = "standalone"))]
    pub fn settle(&mut self) {
        while self.fingerprints.is_waiting() {
            std::thread::sleep(COMING);
            self.fingerprints.take();
        }
    }

    pub fn select(&mut self, patch: &Patch) -> Option<BrowserAction> {
        let known = self.selected.as_ref() == Some(&patch.name);
        (self.broken, self.deleting) = (None, None);
        self.selected = Some(patch.name.clone());
        (!known).then(|| BrowserAction::Preview(Box::new(patch.clone())))
    }
}

/// Draws the filters of `browser`; `found` is the number of presets that match.
pub fn filters(
    ui: &mut Ui,
    rect: Rect,
    browser: &mut Browser,
    presets: &PresetIndex,
    favourites: &BTreeSet<String>,
    found: usize,
) {
    let inside = rect.shrink2(vec2(24.0, 16.0));
    search(ui, Rect::from_min_size(inside.min, vec2(inside.width(), 32.0)), browser, found);
    let painter = ThemePainter::new(ui);
    let mut y = inside.top() + 56.0;
    let own = presets.presets().iter().filter(|preset| preset.is_own()).count();
    let filter = &mut browser.filter;
    for (name, count, on) in [("Favourites", favourites.len(), &mut filter.favourites), ("My presets", own, &mut filter.own)] {
        let line = Rect::from_center_size(pos2(inside.center().x, y), vec2(inside.width() + 8.0, LINE));
        if entry(ui, line, name, count, *on).clicked() {
            *on = !*on;
        }
        if name == "Favourites" {
            icon::star(&painter, pos2(inside.left() + 8.0, y - 1.0), 6.0, *on, painter.ink.text2);
        } else {
            check(&painter, pos2(inside.left() + 8.0, y), *on);
        }
        y += LINE;
    }
    y += 14.0;
    painter.text(pos2(inside.left(), y), Side::Left, "Family", (Face::SemiBold, Size::Text, painter.ink.text));
    y += LINE;
    for (name, count) in presets.families() {
        let line = Rect::from_center_size(pos2(inside.center().x, y), vec2(inside.width() + 8.0, LINE));
        let on = filter.families.contains(&name);
        if entry(ui, line, &capital(&name), count, on).clicked() && !filter.families.remove(&name) {
            filter.families.insert(name.clone());
        }
        check(&painter, pos2(inside.left() + 8.0, y), on);
        y += LINE;
    }
    y += 14.0;
    tags(ui, Rect::from_min_max(pos2(inside.left(), y), inside.max), browser, presets);
}

/// Identifier of the search field.
pub fn search_id() -> Id {
    Id::unique("urto preset search")
}

fn search(ui: &mut Ui, rect: Rect, browser: &mut Browser, found: usize) {
    let painter = ThemePainter::new(ui);
    painter.rect(rect, theme::FIELD, painter.ink.raised);
    let id = search_id();
    let focused = ui.memory(|memory| memory.has_focus(id));
    painter.outline(rect, theme::FIELD, theme::FOCUS, if focused { painter.ink.text } else { painter.ink.line });
    icon::glass(&painter, rect.left_center() + vec2(18.0, 0.0), painter.ink.text2);
    painter.text(
        rect.right_center() - vec2(10.0, 0.0),
        Side::Right,
        &found.to_string(),
        (Face::Regular, Size::Label, painter.ink.text3),
    );
    let field = TextEdit::singleline(&mut browser.filter.words)
        .id(id)
        .font(theme::font(Face::Regular, Size::Row))
        .frame(Frame::NONE)
        .hint_text("Search")
        .align(egui::Align2::LEFT_CENTER)
        .desired_width(rect.width() - 72.0);
    let response = ui.put(Rect::from_min_max(rect.min + vec2(34.0, 4.0), rect.max - vec2(38.0, 4.0)), field);
    keys::name_field(&response, "Search presets");
    if browser.fresh {
        response.request_focus();
    }
}

/// A filter with its name and the number of presets.
fn entry(ui: &Ui, rect: Rect, name: &str, count: usize, on: bool) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(("filter", name)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, format!("{name}, {count}")));
    let painter = ThemePainter::new(ui);
    if on || response.hovered() {
        painter.rect(rect, theme::FIELD, if on { painter.ink.hover } else { painter.ink.panel });
    }
    if response.has_focus() {
        painter.outline(rect, theme::FIELD, theme::FOCUS, painter.ink.text);
    }
    let face = if on { Face::Medium } else { Face::Regular };
    let words = painter.inside(rect.with_max_x(rect.right() - 24.0));
    words.text(rect.left_center() + vec2(26.0, 0.0), Side::Left, name, (face, Size::Value, painter.ink.text));
    let number = (Face::Regular, Size::Label, painter.ink.text3);
    painter.text(rect.right_center() - vec2(6.0, 0.0), Side::Right, &count.to_string(), number);
    response
}

fn check(painter: &ThemePainter, at: egui::Pos2, on: bool) {
    let square = Rect::from_center_size(at, vec2(12.0, 12.0));
    if on {
        painter.rect(square, 2.0, painter.ink.body);
        let tick = vec![at + vec2(-3.2, 0.0), at + vec2(-0.7, 2.8), at + vec2(3.4, -2.6)];
        painter.path(tick, 1.8, painter.ink.body_ink);
    } else {
        painter.outline(square, 2.0, 1.5, painter.ink.line);
    }
}

/// Tags as pills, as many as fit.
fn tags(ui: &Ui, rect: Rect, browser: &mut Browser, presets: &PresetIndex) {
    let painter = ThemePainter::new(ui);
    if rect.height() < 50.0 {
        return;
    }
    painter.text(rect.min, Side::Left, "Tags", (Face::SemiBold, Size::Text, painter.ink.text));
    let mut at = rect.min + vec2(0.0, 16.0);
    for tag in presets.tags() {
        let width = painter.width(&tag, Face::Medium, Size::Text) + 20.0;
        if at.x + width > rect.right() + 4.0 {
            at = pos2(rect.left(), at.y + TAG + 6.0);
        }
        if at.y + TAG > rect.bottom() {
            return;
        }
        let pill = Rect::from_min_size(at, vec2(width, TAG));
        at.x += width + 6.0;
        let on = browser.filter.tags.contains(&tag);
        let response = ui.interact(pill, ui.scope_id().with(("tag", &tag)), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &tag));
        if response.clicked() && !browser.filter.tags.remove(&tag) {
            browser.filter.tags.insert(tag.clone());
        }
        let (face, color) = if on { (Face::Medium, painter.ink.bg) } else { (Face::Regular, painter.ink.text2) };
        if on {
            painter.rect(pill, 0.5 * TAG, painter.ink.text);
        } else {
            painter.outline(pill, 0.5 * TAG, 1.0, if response.hovered() { painter.ink.text } else { painter.ink.line });
        }
        if response.has_focus() {
            painter.focus(pill, 0.5 * TAG);
        }
        painter.text(pill.center(), Side::Center, &tag, (face, Size::Text, color));
    }
}

/// `text` with a capital initial.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
