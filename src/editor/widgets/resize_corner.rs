//! The corner for resizing the window.

use egui::{Rect, Sense, Ui, Vec2, vec2};

use crate::editor::widgets::painter::ThemePainter;

/// Minimum and maximum size of the window [logical pixels].
pub const MIN_SIZE: [f32; 2] = [900.0, 600.0];
/// See [`MIN_SIZE`].
pub const MAX_SIZE: [f32; 2] = [2560.0, 1600.0];
/// Size of the corner.
const SIDE: f32 = 14.0;

/// Draws the corner of `window`, and resizes the window while it is dragged.
pub fn show(ui: &Ui, window: Rect) {
    let corner = Rect::from_min_max(window.max - vec2(SIDE, SIDE), window.max);
    let response = ui.interact(corner, ui.scope_id().with("grip"), Sense::drag());
    let painter = ThemePainter::new(ui);
    for i in 1..=3 {
        let reach = 4.0 + 4.0 * i as f32;
        painter.line(window.max - vec2(reach, 4.0), window.max - vec2(4.0, reach), 1.2, painter.ink.line);
    }
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(egui::CursorIcon::ResizeNwSe);
    }
    let start = response.id.with("start");
    if response.drag_started() {
        ui.data_mut(|data| data.insert_temp(start, window.size()));
    }
    if response.dragged()
        && let Some(moved) = response.total_drag_delta()
        && let Some(size) = ui.data(|data| data.get_temp::<Vec2>(start))
    {
        let [smallest, largest] = [MIN_SIZE, MAX_SIZE].map(|[width, height]| vec2(width, height));
        let size = (size + moved).max(smallest).min(largest);
        ui.ctx().send_viewport_cmd(egui::ViewportCommand::InnerSize(size));
    }
}
