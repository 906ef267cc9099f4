//! A small picture of a kind of body, for lists and buttons.

use std::sync::Arc;

use egui::{Id, Rect, vec2};

use crate::editor::body_view::camera::Camera;
use crate::editor::body_view::mesh::BodyMesh;
use crate::editor::body_view::outline::Form;
use crate::editor::widgets::ThemePainter;
use urto_engine::params::BodyKind;

/// Draws a body of `kind` in `rect`.
pub fn miniature(pen: &ThemePainter, rect: Rect, kind: BodyKind) {
    let form = Form::of(kind, false);
    // the mesh depends on the form only: it is kept between frames
    let id = Id::unique(("urto miniature", format!("{form:?}")));
    let context = pen.painter().ctx();
    let mesh = context.data_mut(|data| Arc::clone(data.get_temp_mut_or_insert_with(id, || Arc::new(BodyMesh::new(form)))));
    let (yaw, pitch) = form.best_view();
    let reach = if matches!(form, Form::Wall(_)) { 0.62 } else { 0.5 };
    let flat = if form.is_line() { 1.6 } else { 1.0 };
    let scale = (0.47 * rect.width()).min(flat * reach * 1.24 * rect.height());
    let camera = Camera::new(rect.center() + vec2(0.0, 1.0), scale, yaw, pitch);
    let w: Vec<f32> =
        mesh.points.iter().map(|point| if form.is_line() { -0.06 * (1.6 * point.rest[0]).cos() } else { 0.0 }).collect();
    mesh.paint_small(pen, &camera, &w);
}
