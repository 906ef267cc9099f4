//! Files given by the user: chosen in the system dialog, typed as a path, or dropped on the window.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use egui::{Frame, Id, Key, Rect, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};
use crate::editor::widgets::{button, keys};

/// Time between checks for a result of another thread.
pub const WAIT: Duration = Duration::from_millis(100);
/// Width of the button that opens the dialog.
const BUTTON: f32 = 76.0;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Title of the dialog, and name of the field.
    pub title: &'static str,
    /// File extensions without the dot, in lower case.
    pub endings: &'static [&'static str],
}

impl Kind {
    /// Whether `file` has one of the extensions.
    pub fn fits(&self, file: &Path) -> bool {
        file.extension().is_some_and(|ending| self.endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
    }
}

/// A request for a file of one kind.
pub struct FileRequest {
    kind: Kind,
    /// Receives the result of the dialog, while it is open.
    coming: Option<Receiver<Option<PathBuf>>>,
    /// The path while it is typed.
    typed: Option<String>,
}

impl FileRequest {
    /// A request for a file of `kind`, with the dialog closed.
    pub fn new(kind: Kind) -> Self {
        Self { kind, coming: None, typed: None }
    }

    /// Opens the system dialog on another thread. Does nothing if the system has none.
    pub fn open(&mut self) {
        let (give, coming) = bounded(1);
        let dialog = rfd::AsyncFileDialog::new().set_title(self.kind.title).add_filter(self.kind.title, self.kind.endings);
        let chosen = dialog.pick_file();
        let wait = move || _ = give.send(pollster::block_on(chosen).map(|file| file.path().to_owned()));
        let waits = std::thread::Builder::new().name("urto files".into()).spawn(wait);
        self.coming = waits.ok().map(|_| coming);
    }

    /// The file chosen in the dialog or dropped on the window, if there is one in this frame.
    pub fn given(&mut self, ui: &Ui) -> Option<PathBuf> {
        let fits = |file: &Path| self.kind.fits(file).then(|| file.to_owned());
        let dropped = ui.input(|input| input.raw.dropped_files.iter().find_map(|file| fits(file.path())));
        if dropped.is_some() {
            return dropped;
        }
        let coming = self.coming.as_ref()?;
        ui.ctx().request_repaint_after(WAIT);
        let chosen = coming.try_recv().ok()?;
        self.coming = None;
        chosen
    }

    /// Draws a field that shows the loaded file and accepts another by dialog, path or drop. Returns that file.
    pub fn field(&mut self, ui: &mut Ui, rect: Rect, shown: &str) -> Option<PathBuf> {
        let (field, open) = rect.split_left_right_at_x(rect.right() - BUTTON);
        let typed = if self.typed.is_some() { self.typing(ui, field) } else { self.showing(ui, field, shown) };
        let name = format!("Load {}", self.kind.title.to_lowercase());
        let pressed = button::named(ui, open.with_min_x(open.left() + 6.0), &name, "Load", false);
        if pressed.on_hover_text(format!("{name}: {}", self.kind.endings.join(", "))).clicked() {
            self.open();
        }
        typed.or_else(|| self.given(ui))
    }

    /// Shows the loaded file; a click starts typing a path.
    fn showing(&mut self, ui: &Ui, rect: Rect, shown: &str) -> Option<PathBuf> {
        let response = ui.interact(rect, ui.scope_id().with(("file", self.kind.title)), Sense::click());
        response.widget_info(|| WidgetInfo {
            current_text_value: Some(shown.to_owned()),
            ..WidgetInfo::labeled(egui::accesskit::Role::Button, true, format!("{}, type a path", self.kind.title))
        });
        let painter = ThemePainter::new(ui);
        painter.field(rect, if response.hovered() { painter.ink.hover } else { painter.ink.raised });
        if response.has_focus() {
            painter.focus(rect, theme::FIELD);
        }
        let look = (Face::Regular, Size::Text, if shown.is_empty() { painter.ink.text3 } else { painter.ink.text });
        let words = if shown.is_empty() { "no file loaded" } else { shown };
        painter.inside(rect.shrink2(vec2(6.0, 0.0))).text(pos2(rect.left() + 10.0, rect.center().y), Side::Left, words, look);
        if response.on_hover_text("Click to type or paste the path of a file.").clicked() {
            self.typed = Some(String::new());
        }
        None
    }

    /// The path while it is typed; Enter ends it.
    fn typing(&mut self, ui: &mut Ui, rect: Rect) -> Option<PathBuf> {
        let mut path = self.typed.take()?;
        let painter = ThemePainter::new(ui);
        painter.rect(rect, theme::FIELD, painter.ink.raised);
        painter.outline(rect, theme::FIELD, theme::FOCUS, painter.ink.text);
        let id = Id::unique(("urto path", self.kind.title));
        let edit = TextEdit::singleline(&mut path)
            .id(id)
            .font(theme::font(Face::Regular, Size::Text))
            .frame(Frame::NONE)
            .hint_text("Path of the file")
            .align(egui::Align2::LEFT_CENTER)
            .desired_width(rect.width() - 20.0);
        let response = ui.put(rect.shrink2(vec2(10.0, 3.0)), edit);
        keys::name_field(&response, self.kind.title);
        if !response.has_focus() && !response.lost_focus() {
            response.request_focus();
        }
        let left = response.lost_focus();
        if !left {
            self.typed = Some(path);
            return None;
        }
        let entered = ui.input(|input| input.key_pressed(Key::Enter)) && !path.trim().is_empty();
        entered.then(|| PathBuf::from(path.trim().trim_matches('"')))
    }
}

/// Draws an error message in `rect`, wrapped.
pub fn show_error(ui: &Ui, rect: Rect, text: &str) {
    let painter = ThemePainter::new(ui).inside(rect.expand(2.0));
    painter.rect(rect.with_max_x(rect.left() + 3.0), 0.0, painter.ink.warn);
    let words =
        painter.painter().layout(text.to_owned(), theme::font(Face::Regular, Size::Label), painter.ink.text, rect.width() - 12.0);
    painter.painter().galley(rect.min + vec2(12.0, 2.0), words, painter.ink.text);
}
