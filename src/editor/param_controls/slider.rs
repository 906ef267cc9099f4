//! A parameter as a horizontal slider.

use egui::{Pos2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::knob;
use crate::editor::theme;
use crate::editor::theme::Hue;
use crate::editor::widgets::ThemePainter;
use crate::host_params::value_text;
use urto_engine::params::ParamId;

/// Radius of the handle, and of its focus ring.
const HANDLE: f32 = 7.0;
const RING: f32 = 12.0;

/// Draws the slider of `id` from `from` to the right over `width`.
pub fn show(ui: &mut Ui, from: Pos2, width: f32, id: ParamId, hue: Hue, context: &mut ParamContext) {
    let area = Rect::from_min_max(from - vec2(RING, RING), from + vec2(width + RING, RING));
    let response = ui.interact(area, ui.scope_id().with((id.spec().id, "slider")), Sense::click_and_drag());
    knob::handle_input(ui, &response, id, context);
    let (travel, live) = context.params.travel(id);
    let text = value_text::show(id.spec(), context.value(id));
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(text.clone()),
        ..WidgetInfo::slider(true, f64::from(travel), format!("{} {}", id.spec().group, id.spec().name))
    });
    let lit = response.hovered() || response.dragged() || response.has_focus();
    if lit {
        context.show_hint(id, &text);
    }
    let painter = ThemePainter::new(ui);
    let at = |travel: f32| pos2(from.x + width * travel, from.y);
    let spec = id.spec();
    let origin = if spec.min == -spec.max { context.params.travel_of(id, 0.0) } else { 0.0 };
    painter.line(at(0.0), at(1.0), theme::ARC[0], painter.ink.track);
    painter.line(at(origin), at(travel), theme::ARC[1], painter.ink.of(hue));
    let default = at(context.params.default_travel(id));
    painter.line(default - vec2(0.0, 10.0), default - vec2(0.0, 6.0), 1.5, painter.ink.text3);
    if live != travel {
        painter.line(at(travel) + vec2(0.0, 8.0), at(live) + vec2(0.0, 8.0), 2.0, painter.ink.of(hue).gamma_multiply(0.55));
    }
    if response.has_focus() {
        painter.circle(at(travel), RING, theme::FOCUS, painter.ink.text);
    }
    painter.disc(at(travel), HANDLE, if lit { painter.ink.text } else { painter.ink.text2 }, 1.5, painter.ink.bg);
    crate::editor::param_controls::context_menu::show(ui, &response, id, &text, context);
    crate::editor::widgets::tooltip::show(response, id, &text);
}
