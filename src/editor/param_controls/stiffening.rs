//! The reading beside the knob of the nonlinearity: deflection of plates in thicknesses, tension of strings and heads over that at rest.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::params::{BodyKind, ParamId};

/// Baseline and bar below the title's top edge, height of the bar [px].
const TEXT: f32 = 15.0;
const BAR: f32 = 24.0;
const HEIGHT: f32 = 3.0;
/// Deflection [thicknesses] and relative tension at the right end of the bar; half of it is at a quarter of them.
const FULL_DEFLECTION: f32 = 4.0;
const FULL_TENSION: f32 = 1.0;

/// What is shown: text, part of the bar, and hint.
struct Reading {
    text: String,
    part: f32,
    hint: &'static str,
}

/// The reading for the body type of the patch; None where nothing stiffens or nothing is measured.
fn reading(context: &ParamContext) -> Option<Reading> {
    let settings = context.params.settings();
    if settings.get(ParamId::Nonlinearity) == 0.0 || !context.params.own_patch().zones.is_empty() {
        return None;
    }
    let shown = context.stiffening.shown();
    match settings.body_kind() {
        BodyKind::Plate
        | BodyKind::SupportedPlate
        | BodyKind::ClampedPlate
        | BodyKind::Disc
        | BodyKind::SupportedDisc
        | BodyKind::ClampedDisc => Some(Reading {
            text: format!("w/h {:.2}", shown.deflection),
            part: (shown.deflection / FULL_DEFLECTION).sqrt(),
            hint: "Deflection of the loudest plate or disc in thicknesses. From about 1 on, energy climbs to high modes.",
        }),
        BodyKind::String | BodyKind::Head | BodyKind::Kettle | BodyKind::TwoHeadedDrum => Some(Reading {
            text: format!("T +{:.1} %", 100.0 * shown.tension),
            part: (shown.tension / FULL_TENSION).sqrt(),
            hint: "Extra tension of the loudest body, in percent of that at rest. 12 % raise the pitch by a semitone.",
        }),
        _ => None,
    }
}

/// Draws the reading above the control in `column`, at the height of a title.
pub fn show(ui: &Ui, column: Rect, context: &mut ParamContext) {
    let Some(Reading { text, part, hint }) = reading(context) else { return };
    let painter = ThemePainter::new(ui);
    let (top, width) = (column.top() - theme::TITLE, column.width() - 8.0);
    painter.text(pos2(column.center().x, top + TEXT), Side::Center, &text, (Face::Medium, Size::Tick, painter.ink.text));
    let bar = Rect::from_min_size(pos2(column.left() + 4.0, top + BAR), vec2(width, HEIGHT));
    painter.rect(bar, 1.5, if painter.ink.dark { painter.ink.raised } else { painter.ink.hover });
    let filled = bar.with_max_x(bar.left() + width * part.clamp(0.0, 1.0));
    if part > 0.0 {
        painter.rect(filled, 1.5, painter.ink.body);
    }
    let place = Rect::from_x_y_ranges(column.x_range(), top + 4.0..=column.top());
    let response = ui.interact(place, ui.scope_id().with("stiffening"), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, &text));
    if response.hovered() {
        *context.hint = hint.into();
    }
}
