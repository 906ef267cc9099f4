//! What stands behind the groups of the strip: all knobs of a group, in a drawer above the strip, in rows that tabs choose.

use egui::{Rect, Sense, Ui, WidgetInfo, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::Row;
use crate::editor::param_controls::param_grid;
use crate::editor::theme;
use crate::editor::theme::Hue;
use crate::editor::widgets::ThemePainter;

/// What belongs to a group of the strip.
pub struct Drawer {
    /// Its ink.
    pub hue: Hue,
    /// Its rows.
    pub rows: &'static [Row],
}

/// The drawers, by the place of their group in the strip; the drive has a page instead.
pub const DRAWERS: [Drawer; 4] = [
    Drawer {
        hue: Hue::Force,
        rows: &[
            ("Strike", &[("Hammer", Hue::Force)]),
            ("Contact", &[("Contact", Hue::Force), ("Bounce", Hue::Force)]),
            ("Touch", &[("Touch", Hue::Force)]),
            ("Chance", &[("Human", Hue::Force)]),
        ],
    },
    Drawer {
        hue: Hue::Body,
        rows: &[
            ("Body", &[("Body", Hue::Body)]),
            ("Shape", &[("Shape", Hue::Body), ("Material", Hue::Body), ("Release", Hue::Body)]),
            ("Keys", &[("Stage", Hue::Body), ("Tracking", Hue::Body)]),
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

/// Place of the drive's group.
pub const DRIVE: usize = 2;

/// Which drawer is open, and the row that was chosen last in each.
#[derive(Default)]
pub struct OpenDrawer {
    /// Place of the group.
    pub group: Option<usize>,
    rows: [usize; DRAWERS.len()],
}

impl OpenDrawer {
    /// Opens the drawer of the group at `place`; closes it if it is open.
    pub fn turn(&mut self, place: usize) {
        self.group = Some(place).filter(|_| self.group != Some(place));
    }

    /// Shows row `row` of the drawer of the group at `place`.
    #[cfg(test)]
    pub fn show_row(&mut self, place: usize, row: usize) {
        self.group = Some(place);
        self.rows[place] = row;
    }

    /// Draws the open drawer at the lower edge of `rect`, over what is there, and follows the player.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
        let Some((place, drawer)) = self.group.and_then(|place| Some((place, DRAWERS.get(place)?))) else { return };
        let rect = rect.with_min_y(rect.bottom() - param_grid::TABS - param_grid::height(context.small) - 14.0);
        // nothing below it hears the pointer
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
