//! Where the parts of the window are.

use egui::{Rect, Ui};

use crate::editor::theme;

/// The parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// All of it.
    pub window: Rect,
    /// At the top.
    pub header: Rect,
    /// Between header and strip.
    pub middle: Rect,
    /// The left part of the middle.
    pub stage: Rect,
    /// The right part of the middle.
    pub scope: Rect,
    /// The controls that matter most.
    pub strip: Rect,
    /// At the bottom.
    pub footer: Rect,
    /// Small window.
    pub small: bool,
}

impl Frame {
    /// The parts of `window`.
    pub fn of(window: Rect) -> Self {
        let small = window.width() < theme::SMALL[0] || window.height() < theme::SMALL[1];
        let (header, rest) = window.split_top_bottom_at_y(window.top() + theme::HEADER);
        let (rest, footer) = rest.split_top_bottom_at_y(rest.bottom() - theme::FOOTER);
        let (middle, strip) = rest.split_top_bottom_at_y(rest.bottom() - theme::STRIP[usize::from(small)]);
        let width = if small { 344.0 } else { (0.369 * window.width()).clamp(472.0, 640.0) };
        let (stage, scope) = middle.split_left_right_at_x(middle.right() - width.round());
        Self { window, header, middle, stage, scope, strip, footer, small }
    }
}

/// A part of the window with names of its own, so that a knob may stand in two of them.
pub fn part(ui: &mut Ui, name: &str, rect: egui::Rect) -> Ui {
    ui.new_child(egui::UiBuilder::new().id_salt(name).max_rect(rect))
}
