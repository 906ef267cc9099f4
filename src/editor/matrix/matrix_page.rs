//! The Matrix page: two columns of rows or what the macros move above, and tabs with macros, LFOs and envelopes below.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::matrix::{macro_editor, matrix_row};
use crate::editor::param_context::{ParamContext, macro_name};
use crate::editor::param_controls::{Row, Spot, knob, param_grid};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size, part};
use crate::editor::widgets::{Side, ThemePainter, button, tabs};
use urto_engine::params::MOD_ROW_PARAMS;
use urto_engine::patch::{MACRO_PARAMS, MACROS};

/// Tabs after the macros.
pub const ROWS: &[Row] = &[
    ("LFOs", &[("LFO 1", Hue::Plain), ("LFO 2", Hue::Plain)]),
    ("Envelopes", &[("Envelope 1", Hue::Plain), ("Envelope 2", Hue::Plain)]),
];

/// Name of the first tab.
const FIRST: &str = "Macros";
/// Number of columns of the matrix.
const COLUMNS: usize = 2;
/// Height of the title above the rows: [normal, small window].
const TITLE: [f32; 2] = [92.0, 34.0];
/// What the page says below its title.
const ABOUT_ROWS: &str = "Each row moves a parameter by a source: amount as part of the range, curve from early to late.";
const ABOUT_MACROS: &str =
    "A macro moves parameters by an offset, as part of their ranges. Right-click a knob to add it to a macro.";
/// How far the editor of macros begins above the rows: [normal, small window].
const MACROS_HIGHER: [f32; 2] = [20.0, 24.0];
/// Width of the button that shows the editor of macros [px].
const EDIT: f32 = 108.0;
/// Distance of the columns [px].
const GAP: f32 = 32.0;

/// State of the page.
#[derive(Default)]
pub struct MatrixPage {
    /// Index of the selected tab.
    tab: usize,
    /// Whether the upper part shows what the macros move.
    edits_macros: bool,
}

impl MatrixPage {
    /// Shows what the macros move.
    #[cfg(test)]
    pub fn edit_macros(&mut self) {
        self.edits_macros = true;
    }

    /// Selects a tab.
    #[cfg(test)]
    pub fn select_tab(&mut self, tab: usize) {
        self.tab = tab;
    }

    /// Draws the page and handles input.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, params: &mut ParamContext) {
        let small = usize::from(params.small);
        let height = param_grid::TABS + param_grid::height(params.small);
        let (upper, lower) = rect.split_top_bottom_at_y(rect.bottom() - height);
        let painter = ThemePainter::new(ui);
        painter.hline(rect.x_range(), upper.bottom(), painter.ink.hair);
        let inside =
            upper.shrink2(vec2(theme::MARGIN, 0.0)).with_min_y(upper.top() + TITLE[small]).with_max_y(upper.bottom() - 8.0);
        if self.edits_macros {
            title(&painter, rect, params.small, ["Macros", ABOUT_MACROS]);
            macro_editor::show(ui, inside.with_min_y(inside.top() - MACROS_HIGHER[small]), params);
        } else {
            title(&painter, rect, params.small, ["Matrix", ABOUT_ROWS]);
            rows(ui, inside, params);
        }
        let lower = lower.shrink2(vec2(theme::MARGIN, 0.0));
        self.sources(&mut part(ui, "Sources", lower), lower, params);
    }

    /// The tabs of the sources, and the controls of the selected one.
    fn sources(&mut self, ui: &mut Ui, rect: Rect, params: &mut ParamContext) {
        let names: Vec<_> = std::iter::once(FIRST).chain(ROWS.iter().map(|(name, _)| *name)).collect();
        let (tabs, row) = rect.split_top_bottom_at_y(rect.top() + theme::TABS);
        tabs::show(ui, tabs, &names, &mut self.tab, tabs::Rule::Above);
        let place = Rect::from_min_max(pos2(tabs.right() - EDIT, tabs.top() + 6.0), pos2(tabs.right(), tabs.bottom() - 4.0));
        self.edits_macros ^= button::toggle(ui, place, "Edit macros", self.edits_macros).clicked();
        match self.tab.checked_sub(1).and_then(|place| ROWS.get(place)) {
            Some((_, groups)) => param_grid::show(ui, row, groups, params),
            None => macros(ui, row, params),
        }
    }
}

fn title(painter: &ThemePainter, rect: Rect, small: bool, [title, about]: [&str; 2]) {
    let (left, top) = (rect.left() + theme::MARGIN, rect.top());
    if small {
        return;
    }
    painter.text(pos2(left, top + 30.0), Side::Left, title, (Face::SemiBold, Size::Title, painter.ink.text));
    painter.text(pos2(left, top + 55.0), Side::Left, about, (Face::Regular, Size::Text, painter.ink.text2));
}

/// The rows of the matrix, the first half in the left column.
fn rows(ui: &mut Ui, rect: Rect, params: &mut ParamContext) {
    let in_column = MOD_ROW_PARAMS.len().div_ceil(COLUMNS);
    let (width, height) = ((rect.width() - GAP) / COLUMNS as f32, rect.height() / in_column as f32);
    for (number, row) in MOD_ROW_PARAMS.iter().enumerate() {
        let corner =
            pos2(rect.left() + (width + GAP) * (number / in_column) as f32, rect.top() + height * (number % in_column) as f32);
        let rect = Rect::from_min_size(corner, vec2(width, height));
        if number.is_multiple_of(in_column) {
            matrix_row::headings(&ThemePainter::new(ui), rect, params.small);
        }
        matrix_row::show(ui, rect, number, row, params);
    }
}

/// The knobs of the macros, with the names that the patch gives them.
fn macros(ui: &mut Ui, rect: Rect, params: &mut ParamContext) {
    let names = params.params.macros();
    let width = rect.width() / MACROS as f32;
    for (number, id) in MACRO_PARAMS.into_iter().enumerate() {
        let column = Rect::from_min_size(rect.min + vec2(width * number as f32, 0.0), vec2(width, rect.height()));
        let spot = Spot::in_column(column, macro_name(&names, number), params.small);
        knob::at(ui, &spot, id, Hue::Plain, params);
    }
}
