//! A list of rows with columns: headings, rows that scroll, cells, and a button that removes a row.

use egui::{Rect, ScrollArea, Sense, Ui, pos2, vec2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};
use crate::editor::widgets::{button, icon};

/// Height of the headings and of a field [px].
const HEAD: f32 = 18.0;
const FIELD: f32 = 26.0;
/// Space between two fields, and width of the button that removes a row [px].
const GAP: f32 = 8.0;
const REMOVE: f32 = 26.0;

/// Columns of a table: left edges as parts of the width, and headings.
pub struct Table<'a> {
    /// Name, which tells its rows from those of others.
    pub name: &'a str,
    /// Left edge, 0 to 1, and heading of each column.
    pub columns: &'a [(f32, &'a str)],
    /// Height of a row [px].
    pub row: f32,
}

/// One row while it is drawn.
pub struct TableRow<'a> {
    columns: &'a [(f32, &'a str)],
    rect: Rect,
}

impl Table<'_> {
    /// Draws the headings and the rows that are seen in `rect`; `draw` draws one of `rows`.
    pub fn show<T>(&self, ui: &mut Ui, rect: Rect, rows: &[T], mut draw: impl FnMut(&mut Ui, &TableRow, &T)) {
        let painter = ThemePainter::new(ui);
        for (part, heading) in self.columns {
            let at = pos2(rect.left() + part * (rect.width() - REMOVE), rect.top() + 4.0);
            painter.text(at, Side::Left, heading, painter.label());
        }
        let body = rect.with_min_y(rect.top() + HEAD);
        let mut list = ui.new_child(egui::UiBuilder::new().id_salt(self.name).max_rect(body));
        list.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().auto_shrink(false).show_rows(&mut list, self.row, rows.len(), |ui, seen| {
            for row in &rows[seen] {
                let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), self.row), Sense::hover());
                let painter = ThemePainter::new(ui);
                painter.hline(rect.x_range(), rect.top(), painter.ink.hair);
                draw(ui, &TableRow { columns: self.columns, rect }, row);
            }
        });
    }
}

impl TableRow<'_> {
    /// Area of the field in column `i`.
    pub fn cell(&self, i: usize) -> Rect {
        let edge = |i: usize| self.columns.get(i).map_or(1.0, |(part, _)| *part);
        let width = self.rect.width() - REMOVE;
        let corner = pos2(self.rect.left() + edge(i) * width, self.rect.center().y - 0.5 * FIELD);
        Rect::from_min_size(corner, vec2((edge(i + 1) - edge(i)) * width - GAP, FIELD))
    }

    /// Draws a text in the first column, shortened to its width.
    pub fn title(&self, ui: &Ui, text: &str) {
        let painter = ThemePainter::new(ui);
        let shown = painter.fitting(text, Face::Regular, Size::Value, self.cell(0).width());
        painter.text(self.cell(0).left_center(), Side::Left, &shown, (Face::Regular, Size::Value, painter.ink.text));
    }

    /// Draws the button that removes the row. Returns whether it was clicked; `name` is its accessible name.
    pub fn remove(&self, ui: &Ui, name: &str) -> bool {
        let at = Rect::from_center_size(pos2(self.rect.right() - 0.5 * REMOVE, self.rect.center().y), vec2(REMOVE, REMOVE));
        let response = button::bare(ui, at, name);
        let painter = ThemePainter::new(ui);
        icon::cross(&painter, at.center(), painter.ink.text2);
        response.on_hover_text("Remove").clicked()
    }
}
