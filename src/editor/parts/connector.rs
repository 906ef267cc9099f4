//! A joint between two parts: a line with an end at each part and the knob of its parameter between them.
//!
//! Dragging an end to the other part connects the parts, dragging it away separates them.

use egui::{CursorIcon, Pos2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{Spot, knob};
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::body::PartJoint;
use urto_engine::params::{ParamId, Scale};

/// Radius of an end, and distance within which the pointer is at it [px].
const END: f32 = 6.0;
const REACH: f32 = 26.0;
/// Radius of the knob: normal, small window [px].
const KNOB: [f32; 2] = [17.0, 14.0];
/// Dashes of a joint that is not connected.
const DASHES: [f32; 2] = [4.0, 4.0];

/// An end of a joint at a part.
#[derive(Clone, Copy)]
pub struct JointEnd {
    /// Height of the part's row [px].
    pub y: f32,
    /// Name of the part.
    pub part: &'static str,
}

/// An end that is being dragged.
#[derive(Clone, Copy)]
pub struct PulledEnd {
    param: ParamId,
    /// Where it was: 0 at the first part, 1 at the second.
    end: usize,
}

fn is_choice(param: ParamId) -> bool {
    matches!(param.spec().scale, Scale::Choice(_))
}

/// The value with which a joint is connected.
fn connected_value(param: ParamId) -> f64 {
    match param {
        ParamId::HiHatPedal => 0.5,
        ParamId::TubeCoupling => 1.0,
        _ => param.spec().default,
    }
}

/// Draws the joint in the column `column`, and handles input.
pub fn show(
    ui: &mut Ui,
    column: Rect,
    ends: [JointEnd; 2],
    joint: &PartJoint,
    pulled: &mut Option<PulledEnd>,
    params: &mut ParamContext,
) {
    let painter = ThemePainter::new(ui);
    let (x, ink) = (column.left() + END + 2.0, painter.ink);
    let places = ends.map(|end| pos2(x, end.y));
    let connected = joint.is_connected;
    let color = if connected { ink.body } else { ink.text3 };
    if connected {
        painter.line(places[0], places[1], 1.8, color);
    } else {
        painter.dashed(&places, DASHES, 1.4, color);
    }
    let middle = 0.5 * (ends[0].y + ends[1].y);
    let beside = column.with_min_x(x + END + 2.0);
    if is_choice(joint.param) {
        painter.text(pos2(beside.left(), middle), Side::Left, joint.name, (Face::Medium, Size::Label, ink.text));
    } else {
        let radius = KNOB[usize::from(params.small)];
        let below = [radius + 12.0, 16.0];
        let center = pos2(beside.center().x, middle - 0.5 * (below[0] + below[1] - radius));
        let spot = Spot { center, radius, width: beside.width() - 4.0, below, name: joint.name };
        knob::at(ui, &spot, joint.param, Hue::Body, params);
        for (end, JointEnd { part, .. }) in ends.into_iter().enumerate() {
            drag_end(ui, (places, end, part), joint, pulled, params);
        }
    }
    for place in places {
        painter.disc(place, END, if connected { color } else { ink.bg }, 1.6, color);
    }
    if let (Some(dragged), Some(pointer)) = (*pulled, ui.input(|input| input.pointer.latest_pos()))
        && dragged.param == joint.param
    {
        painter.dashed(&[places[1 - dragged.end], pointer], DASHES, 1.6, ink.text);
        painter.disc(pointer, END, ink.bg, 1.6, ink.text);
    }
}

/// Handles the drag of one end.
fn drag_end(
    ui: &mut Ui,
    (places, end, part): ([Pos2; 2], usize, &str),
    joint: &PartJoint,
    pulled: &mut Option<PulledEnd>,
    params: &mut ParamContext,
) {
    let area = Rect::from_center_size(places[end], vec2(REACH, REACH));
    // the knob has the keyboard's focus
    let response = ui.interact(area, ui.scope_id().with(("joint", joint.param.spec().id, end)), Sense::DRAG);
    let name = format!("{} at {part}", joint.param.spec().name);
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Label, true, &name));
    if response.drag_started() {
        *pulled = Some(PulledEnd { param: joint.param, end });
    }
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(if response.dragged() { CursorIcon::Grabbing } else { CursorIcon::Grab });
        *params.hint = "Drag to the other part to connect both, or away to separate them.".to_owned();
    }
    if response.drag_stopped() {
        *pulled = None;
        let Some(pointer) = response.interact_pointer_pos() else { return };
        let at = |place: Pos2| place.distance(pointer) < REACH;
        if at(places[1 - end]) && !joint.is_connected {
            params.jump(joint.param, params.params.travel_of(joint.param, connected_value(joint.param)));
        } else if !at(places[end]) && !at(places[1 - end]) && joint.is_connected {
            params.jump(joint.param, params.params.travel_of(joint.param, joint.param.spec().min));
        }
    }
}
