//! Handles for the strike and both pickups: on the ruler of long bodies, on the surface of wide ones.

use egui::{CursorIcon, Key, Popup, Pos2, Rect, Response, Sense, Ui, vec2};

use crate::editor::body_view::floor;
use crate::editor::body_view::floor::{ViewGeometry, on_ruler, screen_distance};
use crate::editor::body_view::hammer::{DISC_RADIUS, pickup_disc};
use crate::editor::body_view::mesh_builder::BodyModel;
use crate::editor::body_view::slow_motion::MAX_DISPLACEMENT;
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::knob;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::keys::{Arrows, ValueRequest};
use crate::editor::widgets::{Side, ThemePainter, keys};
use urto_body_mesh::Form;
use urto_engine::params::value_text;
use urto_engine::params::{DrumHead, ParamId};
use urto_physics::bodies::BodyPosition;

/// The parameters of a handle: position along and across the body.
type ParamPair = [ParamId; 2];

const STRIKE: ParamPair = [ParamId::StrikePosition, ParamId::StrikeAcross];
const LEFT: ParamPair = [ParamId::PickupLeft, ParamId::PickupLeftAcross];
const RIGHT: ParamPair = [ParamId::PickupRight, ParamId::PickupRightAcross];
const HANDLES: [ParamPair; 3] = [STRIKE, LEFT, RIGHT];
/// Radius of a handle's target [px].
const TARGET: f32 = 14.0;
/// Height of a pickup's disc above the surface [world].
const HEIGHT: f32 = 0.30;
/// Height of a disc at a second surface [world].
const LOW: f32 = 0.16;
/// Margin between a pickup's disc and the strike speed [px].
const DISC_MARGIN: f32 = 3.0;
/// Change of a position per arrow key.
const STEP: f64 = 0.01;

/// Positions of strike, left and right pickup.
pub fn positions(params: &ParamContext) -> [BodyPosition; 3] {
    HANDLES.map(|[along, across]| BodyPosition { along: params.value(along), across: params.value(across) })
}

/// The heads of a drum on which strike, left and right pickup are.
pub fn heads(params: &ParamContext) -> [DrumHead; 3] {
    let [left, right] = [ParamId::PickupLeftHead, ParamId::PickupRightHead].map(|id| DrumHead::from_value(params.value(id)));
    [DrumHead::Batter, left, right]
}

/// The head on which a handle is.
fn head(pair: ParamPair, params: &ParamContext) -> DrumHead {
    HANDLES.iter().zip(heads(params)).find(|(own, _)| **own == pair).map_or(DrumHead::Batter, |(_, head)| head)
}

/// Height [world] of the disc of a pickup above its place: below a second head, low above a soundboard.
fn disc_height(form: Form, place: BodyPosition) -> f32 {
    match form {
        Form::TwoHeads if place.along > 1.0 => -LOW,
        Form::Course(_) if place.along > 1.0 => LOW,
        _ => HEIGHT,
    }
}

/// Window position, `above` the displaced surface [world].
fn above_surface(model: &mut BodyModel, geometry: &ViewGeometry, place: BodyPosition, above: f32) -> Pos2 {
    let point = model.mesh.form.surface_point(place);
    let w = geometry.scale * model.displacement(place, &geometry.q[0]);
    let moved: [f32; 3] = std::array::from_fn(|k| point.rest[k] + w * point.direction[k]);
    geometry.camera.project([moved[0], moved[1], moved[2] + above])
}

/// Window position on the displaced surface.
pub fn on_screen(model: &mut BodyModel, geometry: &ViewGeometry, place: BodyPosition) -> Pos2 {
    above_surface(model, geometry, place, 0.0)
}

/// Draws the handles and handles input.
pub fn show(
    ui: &mut Ui,
    painter: &ThemePainter,
    rect: Rect,
    model: &mut BodyModel,
    geometry: &ViewGeometry,
    params: &mut ParamContext,
) {
    let places = positions(params);
    for ((pair, place), letter) in [LEFT, RIGHT].into_iter().zip(&places[1..]).zip(["L", "R"]) {
        pickup(ui, painter, rect, model, (geometry, *place), (pair, letter), params);
    }
    let at = on_screen(model, geometry, places[0]);
    let response = drag_handle(ui, at + vec2(0.0, 4.0), STRIKE, "Strike on the body", geometry, model, params);
    if response.hovered() || response.dragged() {
        painter.circle(at, 7.0, 1.5, painter.ink.text);
    }
    ruler_mark(ui, painter, model, (geometry, places[0]), (STRIKE, ""), params);
}

/// The areas in which the discs of the left and the right pickup move with the body, with a margin.
pub fn disc_areas(model: &BodyModel, geometry: &ViewGeometry, rect: Rect, params: &ParamContext) -> [Rect; 2] {
    let ([_, left, right], heads) = (positions(params), heads(params));
    [(left, heads[1]), (right, heads[2])].map(|(place, head)| {
        let place = model.mesh.form.shown_place(place, head);
        let point = model.mesh.form.surface_point(place);
        let ends = [-MAX_DISPLACEMENT, MAX_DISPLACEMENT].map(|w| {
            let [x, y, z]: [f32; 3] = std::array::from_fn(|k| point.rest[k] + w * point.direction[k]);
            disc_center(geometry.camera.project([x, y, z + disc_height(model.mesh.form, place)]), rect)
        });
        Rect::from_two_pos(ends[0], ends[1]).expand(DISC_RADIUS + DISC_MARGIN)
    })
}

/// Centre of the disc of a pickup in `rect`, at the top of its line or below the upper edge.
fn disc_center(top: Pos2, rect: Rect) -> Pos2 {
    Pos2::new(top.x, top.y.max(rect.top() + 16.0))
}

fn pickup(
    ui: &mut Ui,
    painter: &ThemePainter,
    rect: Rect,
    model: &mut BodyModel,
    (geometry, place): (&ViewGeometry, BodyPosition),
    (pair, letter): (ParamPair, &str),
    params: &mut ParamContext,
) {
    let shown = geometry.form.shown_place(place, head(pair, params));
    let foot = on_screen(model, geometry, shown);
    let top = disc_center(above_surface(model, geometry, shown, disc_height(geometry.form, shown)), rect);
    let dot = (0..=32).map(|i| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / 32.0).sin_cos();
        let size = 0.045 * geometry.camera.scale;
        foot + vec2(size * cos, 0.5 * size * sin)
    });
    painter.polygon(dot.collect(), painter.ink.bg, 1.8, painter.ink.body);
    let inner = if top.y > foot.y { -DISC_RADIUS } else { DISC_RADIUS };
    painter.line(foot, top + vec2(0.0, inner), 1.2, painter.ink.text2);
    let name = if letter == "L" { "Left pickup on the body" } else { "Right pickup on the body" };
    let response = drag_handle(ui, top, pair, name, geometry, model, params);
    pickup_disc(painter, top, letter, response.hovered() || response.dragged());
    ruler_mark(ui, painter, model, (geometry, place), (pair, letter), params);
}

/// The marker on the ruler of a long body.
fn ruler_mark(
    ui: &mut Ui,
    painter: &ThemePainter,
    model: &mut BodyModel,
    (geometry, place): (&ViewGeometry, BodyPosition),
    (pair, letter): (ParamPair, &str),
    params: &mut ParamContext,
) {
    if !geometry.form.is_line() {
        return;
    }
    let color = if letter.is_empty() { painter.ink.force } else { painter.ink.body };
    let tip = on_ruler(&geometry.camera, geometry.form, place.along as f32);
    let x = 2.0 * place.along as f32 - 1.0;
    let edge = on_screen(model, geometry, BodyPosition { across: 0.0, ..place }) + vec2(0.0, 0.11 * geometry.camera.scale);
    floor::plumb(painter, edge, geometry.camera.project([x, -0.17, geometry.form.floor()]), tip, color);
    painter.mark(tip, color);
    if letter.is_empty() {
        let text = format!("{:.2}", place.along);
        painter.text(tip + vec2(11.0, -9.0), Side::Left, &text, (Face::Medium, Size::Label, color));
    }
    let name = if letter.is_empty() {
        "Strike on the ruler".to_owned()
    } else {
        format!("{} pickup on the ruler", if letter == "L" { "Left" } else { "Right" })
    };
    drag_handle(ui, tip - vec2(0.0, 6.0), pair, &name, geometry, model, params);
}

/// A target that drags a position over the body.
fn drag_handle(
    ui: &mut Ui,
    at: Pos2,
    pair: ParamPair,
    name: &str,
    geometry: &ViewGeometry,
    model: &BodyModel,
    params: &mut ParamContext,
) -> Response {
    let area = Rect::from_center_size(at, vec2(2.0 * TARGET, 2.0 * TARGET));
    let response = ui.interact(area, ui.scope_id().with(("handle", name)), Sense::click_and_drag());
    let value = value_text::figures(params.value(pair[0]));
    knob::describe_as(&response, || name.to_owned(), pair[0], &value, params);
    let both: &[ParamId] = if geometry.form.is_line() { &pair[..1] } else { &pair };
    if response.drag_started() {
        both.iter().for_each(|&id| params.begin(id));
        let offset = ui.input(|input| input.pointer.press_origin()).map_or(vec2(0.0, 0.0), |from| at - from);
        ui.data_mut(|data| data.insert_temp(response.id, (offset, rest_on_screen(model, geometry, pair, params) - at)));
    }
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let (offset, below) = ui.data(|data| data.get_temp::<(egui::Vec2, egui::Vec2)>(response.id)).unwrap_or_default();
        let place = nearest(model, geometry, pointer + offset + below, head(pair, params));
        for (&id, value) in both.iter().zip([place.along, place.across]) {
            params.set(id, params.params.travel_of(id, value));
        }
    }
    if response.drag_stopped() {
        both.iter().for_each(|&id| params.end(id));
    }
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(if response.dragged() { CursorIcon::Grabbing } else { CursorIcon::Grab });
        params.show_hint(pair[0], &value);
    }
    if response.double_clicked() {
        both.iter().for_each(|&id| params.jump(id, params.params.default_travel(id)));
    }
    move_by_keys(ui, &response, both, params);
    if response.has_focus() {
        params.show_hint(pair[0], &value);
        ThemePainter::new(ui).circle(at, TARGET + 2.0, crate::editor::theme::FOCUS, crate::editor::theme::ink(ui.ctx()).text);
    }
    response
}

/// Window position of a handle on the body at rest.
fn rest_on_screen(model: &BodyModel, geometry: &ViewGeometry, [along, across]: ParamPair, params: &ParamContext) -> Pos2 {
    let place = BodyPosition { along: params.value(along), across: params.value(across) };
    let form = model.mesh.form;
    geometry.camera.project(form.surface_point(form.shown_place(place, head([along, across], params))).rest)
}

/// The position on a head of the body nearest to a point of the window.
fn nearest(model: &BodyModel, geometry: &ViewGeometry, at: Pos2, head: DrumHead) -> BodyPosition {
    let form = model.mesh.form;
    let rows = if form.is_line() { 1 } else { 48 };
    let distance = |along: f64, across: f64| {
        let place = form.shown_place(BodyPosition { along, across }, head);
        let (projected, depth) = geometry.camera.project_with_depth(form.surface_point(place).rest);
        if form.is_line() { (projected.x - at.x).powi(2) } else { screen_distance(&(projected, depth), at) }
    };
    let mut best = (f32::MAX, BodyPosition::line(0.5));
    for i in 0..=200 {
        for j in 0..rows {
            let (along, across) = (f64::from(i) / 200.0, if rows == 1 { 0.5 } else { f64::from(j) / 48.0 });
            let found = distance(along, across);
            if found < best.0 {
                best = (found, BodyPosition { along, across });
            }
        }
    }
    best.1
}

/// Moves a handle along the body; Up and Down move it across a wide body.
fn move_by_keys(ui: &Ui, response: &Response, both: &[ParamId], params: &mut ParamContext) {
    let across = ui.input(|input| input.key_pressed(Key::ArrowUp) || input.key_pressed(Key::ArrowDown));
    let id = both[usize::from(across && both.len() > 1)];
    for request in keys::requests(ui, response, Arrows::All) {
        let value = match request {
            ValueRequest::Step(by) => Some(params.value(id) + by * STEP),
            ValueRequest::Number(value) => Some(value),
            ValueRequest::Text(text) => value_text::number(&text, ""),
            ValueRequest::Minimum => Some(0.0),
            ValueRequest::Maximum => Some(1.0),
            ValueRequest::Default => {
                both.iter().for_each(|&id| params.jump(id, params.params.default_travel(id)));
                None
            }
        };
        if let Some(value) = value {
            params.jump(id, params.params.travel_of(id, value.clamp(0.0, 1.0)));
        }
    }
}

/// Keyboard shortcuts: arrows move the strike, brackets the left pickup, braces the right one. Off while another control than the body
/// has the focus, or a list is open.
pub fn shortcuts(ui: &Ui, body: &Response, params: &mut ParamContext) {
    if ui.memory(|memory| memory.focused()).is_some_and(|focused| focused != body.id) || Popup::is_any_open(ui.ctx()) {
        return;
    }
    if body.has_focus() {
        let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(body.id, filter));
    }
    let keys = [
        (Key::ArrowRight, STRIKE[0], 1.0),
        (Key::ArrowLeft, STRIKE[0], -1.0),
        (Key::ArrowUp, STRIKE[1], 1.0),
        (Key::ArrowDown, STRIKE[1], -1.0),
        (Key::CloseBracket, LEFT[0], 1.0),
        (Key::OpenBracket, LEFT[0], -1.0),
        (Key::CloseCurlyBracket, RIGHT[0], 1.0),
        (Key::OpenCurlyBracket, RIGHT[0], -1.0),
    ];
    for (key, id, way) in keys {
        if ui.input(|input| input.key_pressed(key)) {
            let value = (params.value(id) + way * STEP).clamp(0.0, 1.0);
            params.jump(id, params.params.travel_of(id, value));
        }
    }
}
