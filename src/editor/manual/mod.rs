//! The manual inside the window: the chapters of docs/manual.

mod markdown;

use egui::accesskit::Role;
use egui::{Id, Key, Modifiers, Rect, Response, ScrollArea, Sense, Ui, pos2, vec2};

use crate::editor::manual::markdown::Page;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::keys::FocusGroup;
use crate::editor::widgets::{Side, ThemePainter, keys};

/// A chapter: its name and its text.
type Chapter = (&'static str, &'static str);

/// The chapters in reading order.
const CHAPTERS: [Chapter; 16] = [
    ("First steps", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/first-steps.md"))),
    ("Signal flow", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/signal-flow.md"))),
    ("Playing", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/playing.md"))),
    ("FonoBump", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/fonobump.md"))),
    ("Tuning", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/tuning.md"))),
    ("Kits", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/kits.md"))),
    ("Listening", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/listening.md"))),
    ("Dense bodies", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/dense-bodies.md"))),
    ("Sounds", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/presets.md"))),
    ("Physics", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/physics.md"))),
    ("Parameters", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/parameters.md"))),
    ("Recordings", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/recordings.md"))),
    ("Hosts", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/hosts.md"))),
    ("Keyboard", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/keyboard.md"))),
    ("Troubleshooting", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/troubleshooting.md"))),
    ("Glossary", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manual/glossary.md"))),
];

/// Width of the list of chapters (normal, small window), height of its header, and greatest height of a row.
const LIST: [f32; 2] = [260.0, 180.0];
const HEAD: f32 = 52.0;
const LINE: f32 = 32.0;
/// Greatest width of the text.
const WIDEST: f32 = 720.0;
/// Distance that an arrow key and a page key scroll [px].
const SCROLL: [f32; 2] = [48.0, 420.0];

/// The open manual.
pub struct Manual {
    chapter: usize,
    page: Page,
    /// Whether the chapter has just been opened.
    fresh: bool,
}

impl Default for Manual {
    fn default() -> Self {
        Self { chapter: 0, page: Page::read(CHAPTERS[0].1), fresh: true }
    }
}

impl Manual {
    /// Draws the manual in `rect`.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, small: bool) {
        let (list, text) = rect.split_left_right_at_x(rect.left() + LIST[usize::from(small)]);
        let painter = ThemePainter::new(ui);
        painter.vline(list.right(), rect.y_range(), painter.ink.hair);
        painter.text(list.min + vec2(24.0, 30.0), Side::Left, "Manual", (Face::SemiBold, Size::Title, painter.ink.text));
        let height = ((list.height() - HEAD) / CHAPTERS.len() as f32).min(LINE);
        let scope = ui.scope_id();
        let id = |i: usize| -> Id { scope.with(("chapter", i)) };
        let group = FocusGroup::new(ui, CHAPTERS.len(), self.chapter, id);
        let next = group.next(ui, id, [Key::ArrowUp, Key::ArrowDown]);
        for (i, (name, _)) in CHAPTERS.iter().enumerate() {
            let line = Rect::from_min_size(list.min + vec2(16.0, HEAD + height * i as f32), vec2(list.width() - 32.0, height));
            let response = ui.interact(line, id(i), group.sense(i, Sense::CLICK));
            self.entry(ui, line, i, (name, &response));
            if response.clicked() || next == Some(i) {
                self.turn_to(i);
            }
        }
        keys::give_focus(ui, next.map(id));
        let scrolled = scrolled(ui, group.has_focus());
        let column = Rect::from_min_max(pos2(text.left() + 24.0, text.top()), pos2(text.right() - 8.0, text.bottom()));
        let mut ui = ui.new_child(egui::UiBuilder::new().id_salt(("chapter", self.chapter)).max_rect(column));
        let mut area = ScrollArea::vertical().auto_shrink(false);
        if std::mem::take(&mut self.fresh) {
            area = area.vertical_scroll_offset(0.0);
        }
        area.show(&mut ui, |ui| {
            ui.scroll_with_delta(vec2(0.0, -scrolled));
            ui.set_width((column.width() - 24.0).min(WIDEST));
            ui.add_space(20.0);
            self.page.show(ui);
            ui.add_space(24.0);
        });
    }

    fn entry(&self, ui: &Ui, rect: Rect, i: usize, (name, response): (&str, &Response)) {
        let on = i == self.chapter;
        keys::describe_choice(response, Role::Tab, on, &format!("Chapter {name}"));
        let painter = ThemePainter::new(ui);
        if on || response.hovered() {
            painter.rect(rect, 4.0, if on { painter.ink.hover } else { painter.ink.panel });
        }
        if response.has_focus() {
            painter.focus(rect.shrink(3.0), 4.0);
        }
        let (face, color) = if on { (Face::Medium, painter.ink.text) } else { (Face::Regular, painter.ink.text2) };
        painter.text(rect.left_center() + vec2(8.0, 0.0), Side::Left, name, (face, Size::Row, color));
    }

    fn turn_to(&mut self, chapter: usize) {
        (self.chapter, self.fresh) = (chapter, true);
        self.page = Page::read(CHAPTERS[chapter].1);
    }
}

/// Distance that the pressed keys scroll [px].
fn scrolled(ui: &Ui, in_list: bool) -> f32 {
    // page keys also scroll from the list of chapters
    let pages = [(Key::PageDown, SCROLL[1]), (Key::PageUp, -SCROLL[1])];
    let lines = [(Key::ArrowDown, SCROLL[0]), (Key::ArrowUp, -SCROLL[0])];
    let free = ui.memory(|memory| memory.focused().is_none());
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let steps = pages.into_iter().filter(|_| free || in_list).chain(lines.into_iter().filter(|_| free));
    steps.filter(|(key, _)| pressed(*key)).map(|(_, step)| step).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_is_read_whole() {
        for (name, text) in CHAPTERS {
            let page = Page::read(text);
            let title = text.lines().next().expect("a title").trim_start_matches("# ");
            assert_eq!(page.title(), Some(title), "{name}");
            // every word of the text, without markup, is on the page
            let shown = page.words();
            let lost: Vec<_> = text
                .lines()
                .filter(|line| !["![", "|-", "```"].iter().any(|sign| line.starts_with(sign)))
                .flat_map(|line| line.split(|c: char| !c.is_alphabetic()))
                .filter(|word| word.len() > 3 && !shown.contains(word))
                .filter(|word| !text.lines().any(|line| line.contains("](") && line.contains(word)))
                .collect();
            assert!(lost.is_empty(), "{name}: {lost:?}");
        }
    }
}
