//! Markdown text as blocks, and their typesetting.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Rect, Sense, Stroke, Ui, WidgetInfo, vec2};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::editor::theme;
use crate::editor::theme::{Face, Ink, Size};
use crate::editor::widgets::{Side, ThemePainter};

/// Indent of a list [px], gap between columns of a table [px], and line height over font size.
const INDENT: f32 = 22.0;
const GAP: f32 = 18.0;
const LEADING: f32 = 1.5;

/// A piece of text in one style.
#[derive(Clone, Debug, Default, PartialEq)]
struct Span {
    text: String,
    strong: bool,
    code: bool,
    link: bool,
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq)]
enum Block {
    Heading(bool, Vec<Span>),
    /// Depth of its list, and the list marker.
    Text(usize, Option<String>, Vec<Span>),
    Code(String),
    Table(Vec<Vec<Vec<Span>>>),
}

/// A page.
pub struct Page(Vec<Block>);

/// State of the reader.
#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    spans: Vec<Span>,
    style: Span,
    /// The next number of each open list, if it is numbered.
    lists: Vec<Option<u64>>,
    mark: Option<String>,
    code: Option<String>,
    rows: Vec<Vec<Vec<Span>>>,
    /// Inside an image; images are left out.
    hidden: bool,
}

impl Reader {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.push(&text, false),
            },
            Event::Code(text) => self.push(&text, true),
            Event::SoftBreak | Event::HardBreak => self.push(" ", false),
            _ => {}
        }
    }

    fn push(&mut self, text: &str, code: bool) {
        if !self.hidden {
            self.spans.push(Span { text: text.to_owned(), code, ..self.style.clone() });
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.mark = Some(number.map_or_else(
                    || "–".to_owned(),
                    |number| {
                        *number += 1;
                        format!("{}.", *number - 1)
                    },
                ));
            }
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            Tag::Strong | Tag::Emphasis => self.style.strong = true,
            Tag::Link { .. } => self.style.link = true,
            Tag::Image { .. } => self.hidden = true,
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let spans = std::mem::take(&mut self.spans);
                self.blocks.push(Block::Heading(level == HeadingLevel::H1, spans));
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::List(_) => _ = self.lists.pop(),
            TagEnd::CodeBlock => self.blocks.extend(self.code.take().map(Block::Code)),
            TagEnd::Strong | TagEnd::Emphasis => self.style.strong = false,
            TagEnd::Link => self.style.link = false,
            TagEnd::Image => self.hidden = false,
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.spans);
                self.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            TagEnd::Table => {
                let rows = std::mem::take(&mut self.rows);
                self.blocks.push(Block::Table(rows));
            }
            _ => {}
        }
    }

    /// Ends a block of text.
    fn flush(&mut self) {
        let spans = std::mem::take(&mut self.spans);
        if spans.iter().any(|span| !span.text.trim().is_empty()) {
            self.blocks.push(Block::Text(self.lists.len(), self.mark.take(), spans));
        }
    }
}

impl Page {
    /// Reads Markdown text.
    pub fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        Parser::new_ext(text, Options::ENABLE_TABLES).for_each(|event| reader.take(event));
        Self(reader.blocks)
    }

    /// Draws the page in the available width.
    pub fn show(&self, ui: &mut Ui) {
        let ink = theme::ink(ui.ctx());
        for block in &self.0 {
            match block {
                Block::Heading(first, spans) => {
                    ui.add_space(if *first { 0.0 } else { 18.0 });
                    let size = if *first { Size::Title } else { Size::Reading };
                    text(ui, 0.0, spans, (Face::SemiBold, size, ink.text), ink);
                    ui.add_space(6.0);
                }
                Block::Text(depth, mark, spans) => {
                    let place = text(ui, INDENT * *depth as f32, spans, (Face::Regular, Size::Row, ink.text2), ink);
                    let at = place.min + vec2(INDENT * (*depth as f32 - 1.0) + 4.0, 0.5 * LEADING * Size::Row.points());
                    let look = (Face::Regular, Size::Row, ink.text3);
                    ThemePainter::new(ui).text(at, Side::Left, mark.as_deref().unwrap_or_default(), look);
                    ui.add_space(if *depth > 0 { 3.0 } else { 9.0 });
                }
                Block::Code(code) => listing(ui, code.trim_end(), ink),
                Block::Table(rows) => table(ui, rows, ink),
            }
        }
    }

    /// The title.
    #[cfg(test)]
    pub fn title(&self) -> Option<&str> {
        match self.0.first()? {
            Block::Heading(true, spans) => Some(&spans.first()?.text),
            _ => None,
        }
    }

    /// All text of the page.
    #[cfg(test)]
    pub fn words(&self) -> String {
        let whole = |spans: &Vec<Span>| spans.iter().map(|span| span.text.as_str()).collect::<String>();
        let block = |block: &Block| match block {
            Block::Heading(_, spans) | Block::Text(_, _, spans) => whole(spans),
            Block::Code(code) => code.clone(),
            Block::Table(rows) => rows.iter().flatten().map(whole).collect::<Vec<_>>().join(" "),
        };
        self.0.iter().map(block).collect::<Vec<_>>().join("\n")
    }
}

/// The layout of `spans` in `width`.
fn job(spans: &[Span], (face, size, color): (Face, Size, Color32), ink: &Ink, width: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    for span in spans {
        let strong = face == Face::Regular && (span.strong || span.code);
        let mut format = TextFormat::simple(theme::font(if strong { Face::Medium } else { face }, size), color);
        format.line_height = Some(LEADING * size.points());
        if span.strong || span.code {
            format.color = ink.text;
        }
        if span.code {
            format.background = ink.raised;
        }
        if span.link {
            format.underline = Stroke::new(theme::HAIRLINE, color);
        }
        job.append(&span.text, 0.0, format);
    }
    job
}

/// Draws wrapped `spans`, `indent` from the left. Returns the area they occupy.
fn text(ui: &mut Ui, indent: f32, spans: &[Span], look: (Face, Size, Color32), ink: &Ink) -> Rect {
    let galley = ui.painter().layout_job(job(spans, look, ink, ui.available_width() - indent));
    let (place, response) = ui.allocate_exact_size(vec2(ui.available_width(), galley.size().y), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, galley.text()));
    ui.painter().galley(place.min + vec2(indent, 0.0), galley, look.2);
    place
}

fn listing(ui: &mut Ui, code: &str, ink: &Ink) {
    let font = theme::font(Face::Regular, Size::Text);
    let galley = ui.painter().layout(code.to_owned(), font, ink.text, ui.available_width() - 24.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), galley.size().y + 20.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, code));
    let painter = ThemePainter::new(ui);
    painter.rect(rect, theme::FIELD, ink.panel);
    painter.painter().galley(rect.min + vec2(12.0, 10.0), galley, ink.text);
    ui.add_space(10.0);
}

/// Draws a table. Columns have their natural width if there is room, otherwise the widest are wrapped.
fn table(ui: &mut Ui, rows: &[Vec<Vec<Span>>], ink: &Ink) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let look = |row: usize| if row == 0 { (Face::Medium, Size::Text, ink.text) } else { (Face::Regular, Size::Text, ink.text2) };
    let lay = |ui: &Ui, row: usize, spans: &[Span], width: f32| -> Arc<Galley> {
        ui.painter().layout_job(job(spans, look(row), ink, width))
    };
    let natural = |column: usize| {
        let cells = rows.iter().enumerate().filter_map(|(i, row)| Some((i, row.get(column)?)));
        cells.map(|(i, cell)| lay(ui, i, cell, f32::INFINITY).size().x).fold(24.0, f32::max)
    };
    let widths = shared((0..columns).map(natural).collect(), ui.available_width() - GAP * columns.saturating_sub(1) as f32);
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| lay(ui, i, cell, *width)).collect();
        let height = cells.iter().map(|cell| cell.size().y).fold(0.0, f32::max) + 6.0;
        let (place, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let words = || cells.iter().map(|cell| cell.text()).collect::<Vec<_>>().join(", ");
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words()));
        let painter = ThemePainter::new(ui);
        let mut left = place.left();
        for (cell, width) in cells.into_iter().zip(&widths) {
            painter.inside(Rect::from_min_size(egui::pos2(left, place.top()), vec2(*width, height))).painter().galley(
                egui::pos2(left, place.top() + 3.0),
                cell,
                ink.text2,
            );
            left += width + GAP;
        }
        painter.hline(place.x_range(), place.bottom(), if i == 0 { ink.line } else { ink.grid });
    }
    ui.add_space(12.0);
}

/// Reduces `natural` widths to a sum of `room`; columns below their share keep their width.
fn shared(natural: Vec<f32>, room: f32) -> Vec<f32> {
    let mut widths = natural.clone();
    for _ in 0..natural.len() {
        let fair = |width: f32| {
            let small: Vec<_> = natural.iter().filter(|natural| **natural <= width).collect();
            let rest = natural.len() - small.len();
            if rest == 0 { f32::INFINITY } else { (room - small.into_iter().sum::<f32>()) / rest as f32 }
        };
        let widest = widths.iter().copied().fold(0.0, f32::max);
        if widths.iter().sum::<f32>() <= room + 0.5 {
            break;
        }
        let share = (0..natural.len()).fold(room / natural.len() as f32, |share, _| fair(share).min(widest));
        widths = natural.iter().map(|width| width.min(share)).collect();
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_blocks() {
        let page = Page::read(
            "# A\n\nOne *two* `three`.\n\n- x\n- y\n\n1. z\n\n```\ncode\n```\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n![no](x.png)\n",
        );
        let span = |text: &str| Span { text: text.into(), ..Span::default() };
        let strong = Span { strong: true, ..span("two") };
        let code = Span { code: true, ..span("three") };
        let cells = |a: &str, b: &str| vec![vec![span(a)], vec![span(b)]];
        assert_eq!(
            page.0,
            [
                Block::Heading(true, vec![span("A")]),
                Block::Text(0, None, vec![span("One "), strong, span(" "), code, span(".")]),
                Block::Text(1, Some("–".into()), vec![span("x")]),
                Block::Text(1, Some("–".into()), vec![span("y")]),
                Block::Text(1, Some("1.".into()), vec![span("z")]),
                Block::Code("code\n".into()),
                Block::Table(vec![cells("a", "b"), cells("1", "2")]),
            ]
        );
    }

    #[test]
    fn wide_columns_give_way_to_narrow_ones() {
        assert_eq!(shared(vec![40.0, 60.0], 300.0), [40.0, 60.0]);
        let widths = shared(vec![40.0, 500.0, 90.0, 700.0], 400.0);
        assert!(widths[0] == 40.0 && widths[2] == 90.0, "{widths:?}");
        assert!((widths.iter().sum::<f32>() - 400.0).abs() < 1.0, "{widths:?}");
    }
}
