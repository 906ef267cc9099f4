//! The layout of the window, its size and its pages.

use egui::{Rect, Ui};

use crate::editor::theme;

/// Initial size of the window [logical pixels].
pub const SIZE: [f32; 2] = [1280.0, 800.0];
/// Names of the pages in their order.
pub const PAGES: [&str; 4] = ["Hit", "Modes", "Drive", "Tuning"];

/// The areas of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowLayout {
    /// The whole window.
    pub window: Rect,
    /// The header, at the top.
    pub header: Rect,
    /// The page, between header and main controls.
    pub middle: Rect,
    /// The left part of the page: the body.
    pub stage: Rect,
    /// The right part of the page: the hit scope.
    pub scope: Rect,
    /// The main controls, on every page.
    pub strip: Rect,
    /// The footer, at the bottom.
    pub footer: Rect,
    /// Whether the window is small.
    pub small: bool,
}

impl WindowLayout {
    /// The areas of `window`.
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

/// A child area with its own identifiers, so that a parameter may have a control in two areas.
pub fn part(ui: &mut Ui, name: &str, rect: egui::Rect) -> Ui {
    ui.new_child(egui::UiBuilder::new().id_salt(name).max_rect(rect))
}
