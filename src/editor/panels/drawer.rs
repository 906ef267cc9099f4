//! The drawer above the main controls: all parameters of a group, in rows that tabs select.

use egui::{Rect, Sense, Ui, WidgetInfo, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::Row;
use crate::editor::param_controls::param_grid;
use crate::editor::theme;
use crate::editor::theme::Hue;
use crate::editor::widgets::ThemePainter;

/// The drawer of a group of the main controls.
pub struct Drawer {
    /// Its colour.
    pub hue: Hue,
    /// Its rows.
    pub rows: &'static [Row],
}

/// The drawers, in the order of the groups of the main controls; the drive has a page instead.
pub const DRAWERS: [Drawer; 4] = [
    Drawer {
        hue: Hue::Force,
        rows: &[
            ("Strike", &[("Hammer", Hue::Force)]),
            ("Contact", &[("Contact", Hue::Force), ("Return", Hue::Force)]),
            ("Controllers", &[("Controllers", Hue::Force)]),
            ("Humanise", &[("Humanise", Hue::Force)]),
        ],
    },
    Drawer {
        hue: Hue::Body,
        rows: &[
            ("Body", &[("Body", Hue::Body)]),
            ("Shape", &[("Shape", Hue::Body), ("Material", Hue::Body), ("Release", Hue::Body)]),
            ("Keys", &[("Layout", Hue::Body), ("Tracking", Hue::Body)]),
            ("Pitch", &[("Pitch", Hue::Body)]),
        ],
    },
    Drawer { hue: Hue::Force, rows: &[] },
    Drawer {
        hue: Hue::Plain,
        rows: &[
            ("Pickups", &[("Pickups", Hue::Body), ("Output", Hue::Plain)]),
            ("Radiation", &[("Radiation", Hue::Body)]),
            ("Voices", &[("Voices", Hue::Plain), ("MIDI", Hue::Plain)]),
        ],
    },
];

/// Index of the drive's group.
pub const DRIVE: usize = 2;

/// The open drawer, and the row shown last in each.
#[derive(Default)]
pub struct OpenDrawer {
    /// Index of the group.
    pub group: Option<usize>,
    rows: [usize; DRAWERS.len()],
}

impl OpenDrawer {
    /// Opens the drawer of the group with index `place`, or closes it if it is open.
    pub fn toggle(&mut self, place: usize) {
        self.group = Some(place).filter(|_| self.group != Some(place));
    }

    /// Shows row `row` of the drawer with index `place`.
    #[cfg(test)]
    pub fn show_row(&mut self, place: usize, row: usize) {
        self.group = Some(place);
        self.rows[place] = row;
    }

    /// Draws the open drawer at the lower edge of `rect`, over the page.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
        let Some((place, drawer)) = self.group.and_then(|place| Some((place, DRAWERS.get(place)?))) else { return };
        let rect = rect.with_min_y(rect.bottom() - param_grid::TABS - param_grid::height(context.small) - 14.0);
        // keeps pointer events from the page below
        let ground = ui.interact(rect, ui.scope_id().with("drawer"), Sense::click_and_drag());
        ground.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Pane, true, "Drawer"));
        let painter = ThemePainter::new(ui);
        painter.rect(rect, 0.0, painter.ink.panel);
        painter.rect(
            rect.with_max_y(rect.top() + theme::RULE),
            0.0,
            if drawer.hue == Hue::Plain { painter.ink.text3 } else { painter.ink.of(drawer.hue) },
        );
        let inside = rect.shrink2(vec2(theme::MARGIN, 0.0)).with_min_y(rect.top() + 6.0);
        param_grid::tabbed(ui, inside, drawer.rows, &mut self.rows[place], context);
    }
}
