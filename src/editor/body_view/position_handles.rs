//! What can be placed on the body: the strike and both pickups, on the ruler of what is long, on the surface of what is wide.

use egui::{CursorIcon, Key, Pos2, Rect, Response, Sense, Ui, WidgetInfo, vec2};

use crate::editor::body_view::Scene;
use crate::editor::body_view::floor;
use crate::editor::body_view::floor::on_ruler;
use crate::editor::body_view::hammer::lettered;
use crate::editor::body_view::mesh_builder::Model;
use crate::editor::param_context::ParamContext;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text;
use urto_engine::params::ParamId;
use urto_physics::bodies::BodyPosition;

/// The knobs of a handle: along and across.
type Knobs = [ParamId; 2];

const STRIKE: Knobs = [ParamId::StrikePosition, ParamId::StrikeAcross];
const LEFT: Knobs = [ParamId::PickupLeft, ParamId::PickupLeftAcross];
const RIGHT: Knobs = [ParamId::PickupRight, ParamId::PickupRightAcross];
/// Radius of a handle's target [px].
const TARGET: f32 = 14.0;
/// Height of a pickup's letter above the surface [world].
const HEIGHT: f32 = 0.30;
/// One arrow key moves by this part.
const STEP: f64 = 0.01;

/// Where strike, left and right pickup are.
pub fn places(desk: &ParamContext) -> [BodyPosition; 3] {
    [STRIKE, LEFT, RIGHT].map(|[along, across]| BodyPosition { along: desk.value(along), across: desk.value(across) })
}

/// Where a place is in the world now, `above` the surface.
fn lifted(model: &mut Model, scene: &Scene, place: BodyPosition, above: f32) -> Pos2 {
    let point = model.solid.form.at(place);
    let w = scene.scale * model.displacement(place, &scene.q);
    let moved: [f32; 3] = std::array::from_fn(|k| point.rest[k] + w * point.way[k]);
    scene.camera.see([moved[0], moved[1], moved[2] + above])
}

/// Where a place is seen now.
pub fn seen(model: &mut Model, scene: &Scene, place: BodyPosition) -> Pos2 {
    lifted(model, scene, place, 0.0)
}

/// Draws the handles and follows the player.
pub fn show(ui: &mut Ui, pen: &ThemePainter, rect: Rect, model: &mut Model, scene: &Scene, desk: &mut ParamContext) {
    let places = places(desk);
    for ((knobs, place), letter) in [LEFT, RIGHT].into_iter().zip(&places[1..]).zip(["L", "R"]) {
        pickup(ui, pen, rect, model, (scene, *place), (knobs, letter), desk);
    }
    let at = seen(model, scene, places[0]);
    let response = grip(ui, at + vec2(0.0, 4.0), STRIKE, "Strike", scene, model, desk);
    if response.hovered() || response.dragged() {
        pen.circle(at, 7.0, 1.5, pen.ink.text);
    }
    mark(ui, pen, model, (scene, places[0]), (STRIKE, ""), desk);
}

fn pickup(
    ui: &mut Ui,
    pen: &ThemePainter,
    rect: Rect,
    model: &mut Model,
    (scene, place): (&Scene, BodyPosition),
    (knobs, letter): (Knobs, &str),
    desk: &mut ParamContext,
) {
    let foot = seen(model, scene, place);
    let top = lifted(model, scene, place, HEIGHT);
    let top = Pos2::new(top.x, top.y.max(rect.top() + 16.0));
    let dot = (0..=32).map(|i| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / 32.0).sin_cos();
        let size = 0.045 * scene.camera.scale;
        foot + vec2(size * cos, 0.5 * size * sin)
    });
    pen.polygon(dot.collect(), pen.ink.bg, 1.8, pen.ink.body);
    pen.line(foot, top + vec2(0.0, 11.0), 1.2, pen.ink.text2);
    let name = if letter == "L" { "Left pickup" } else { "Right pickup" };
    let response = grip(ui, top, knobs, name, scene, model, desk);
    lettered(pen, top, letter, response.hovered() || response.dragged());
    mark(ui, pen, model, (scene, place), (knobs, letter), desk);
}

/// The mark on the ruler of what is long.
fn mark(
    ui: &mut Ui,
    pen: &ThemePainter,
    model: &mut Model,
    (scene, place): (&Scene, BodyPosition),
    (knobs, letter): (Knobs, &str),
    desk: &mut ParamContext,
) {
    if !scene.form.is_line() {
        return;
    }
    let color = if letter.is_empty() { pen.ink.force } else { pen.ink.body };
    let tip = on_ruler(&scene.camera, scene.form, place.along as f32);
    let x = 2.0 * place.along as f32 - 1.0;
    let edge = seen(model, scene, BodyPosition { across: 0.0, ..place }) + vec2(0.0, 0.11 * scene.camera.scale);
    floor::plumb(pen, edge, scene.camera.see([x, -0.17, scene.form.floor()]), tip, color);
    pen.mark(tip, color);
    if letter.is_empty() {
        let text = format!("{:.2}", place.along);
        pen.text(tip + vec2(11.0, -9.0), Side::Left, &text, (Face::Medium, Size::Label, color));
    }
    let name = if letter.is_empty() { "Strike on the ruler".to_owned() } else { format!("Pickup {letter} on the ruler") };
    grip(ui, tip - vec2(0.0, 6.0), knobs, &name, scene, model, desk);
}

/// A target that is dragged over the body.
fn grip(ui: &mut Ui, at: Pos2, knobs: Knobs, name: &str, scene: &Scene, model: &Model, desk: &mut ParamContext) -> Response {
    let area = Rect::from_center_size(at, vec2(2.0 * TARGET, 2.0 * TARGET));
    let response = ui.interact(area, ui.scope_id().with(("grip", name)), Sense::click_and_drag());
    let value = value_text::figures(desk.value(knobs[0]));
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(value.clone()),
        ..WidgetInfo::slider(true, f64::from(desk.params.travel(knobs[0]).0), name)
    });
    let both: &[ParamId] = if scene.form.is_line() { &knobs[..1] } else { &knobs };
    if response.drag_started() {
        both.iter().for_each(|&id| desk.begin(id));
        let offset = ui.input(|input| input.pointer.press_origin()).map_or(vec2(0.0, 0.0), |from| at - from);
        ui.data_mut(|data| data.insert_temp(response.id, (offset, seen_at_rest(model, scene, knobs, desk) - at)));
    }
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let (offset, below) = ui.data(|data| data.get_temp::<(egui::Vec2, egui::Vec2)>(response.id)).unwrap_or_default();
        let place = nearest(model, scene, pointer + offset + below);
        for (&id, value) in both.iter().zip([place.along, place.across]) {
            desk.set(id, desk.params.travel_of(id, value));
        }
    }
    if response.drag_stopped() {
        both.iter().for_each(|&id| desk.end(id));
    }
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(if response.dragged() { CursorIcon::Grabbing } else { CursorIcon::Grab });
        desk.show_hint(knobs[0], &value);
    }
    if response.double_clicked() {
        both.iter().for_each(|&id| desk.jump(id, desk.params.default_travel(id)));
    }
    if response.has_focus() {
        keys(ui, &response, both, desk);
        ThemePainter::new(ui).circle(at, TARGET + 2.0, crate::editor::theme::FOCUS, crate::editor::theme::ink(ui.ctx()).text);
    }
    response
}

/// Where the handle's place is seen at rest.
fn seen_at_rest(model: &Model, scene: &Scene, [along, across]: Knobs, desk: &ParamContext) -> Pos2 {
    let place = BodyPosition { along: desk.value(along), across: desk.value(across) };
    scene.camera.see(model.solid.form.at(place).rest)
}

/// The place on the body nearest to a point of the window.
fn nearest(model: &Model, scene: &Scene, at: Pos2) -> BodyPosition {
    let form = model.solid.form;
    let rows = if form.is_line() { 1 } else { 48 };
    let distance = |along: f64, across: f64| {
        let (seen, depth) = scene.camera.look(form.at(BodyPosition { along, across }).rest);
        if form.is_line() { (seen.x - at.x).powi(2) } else { crate::editor::body_view::nearness(&(seen, depth), at) }
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

fn keys(ui: &Ui, response: &Response, both: &[ParamId], desk: &mut ParamContext) {
    let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let fine = if ui.input(|input| input.modifiers.shift) { 0.1 } else { 1.0 };
    let ways = [(Key::ArrowRight, 0, 1.0), (Key::ArrowLeft, 0, -1.0), (Key::ArrowUp, 1, 1.0), (Key::ArrowDown, 1, -1.0)];
    for (key, which, way) in ways {
        if let Some(&id) = both.get(which).filter(|_| ui.input(|input| input.key_pressed(key))) {
            let value = (desk.value(id) + way * fine * STEP).clamp(0.0, 1.0);
            desk.jump(id, desk.params.travel_of(id, value));
        }
    }
}

/// Arrows move the strike, brackets the left pickup, braces the right one, while nothing else has the keyboard.
pub fn shortcuts(ui: &Ui, desk: &mut ParamContext) {
    if ui.memory(|memory| memory.focused().is_some()) {
        return;
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
            let value = (desk.value(id) + way * STEP).clamp(0.0, 1.0);
            desk.jump(id, desk.params.travel_of(id, value));
        }
    }
}
