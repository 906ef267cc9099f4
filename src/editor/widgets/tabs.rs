//! Tabs with an underlined selection, and the title of a column of a page.
//!
//! Tabs are operated by pointer, or by arrow keys while focused.

use egui::accesskit::Role;
use egui::{Rect, Sense, Ui, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};
use crate::editor::widgets::{button, keys};

/// Space between names.
const BETWEEN: f32 = 26.0;

/// Position of the line that marks the selected tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// At the upper edge.
    Above,
    /// At the lower edge.
    Below,
}

/// Draws the tabs along `rect` from its left edge. Returns their right edge.
pub fn show(ui: &Ui, rect: Rect, names: &[&str], chosen: &mut usize, rule: Rule) -> f32 {
    spaced(ui, rect, (names, BETWEEN), chosen, rule)
}

/// The same with a space between the names [px].
pub fn spaced(ui: &Ui, rect: Rect, (names, between): (&[&str], f32), chosen: &mut usize, rule: Rule) -> f32 {
    let painter = ThemePainter::new(ui);
    let id = |i: usize| ui.scope_id().with(("tab", names[i]));
    let mut left = rect.left();
    for (i, name) in names.iter().enumerate() {
        // reserves the width of a selected tab, so that nothing moves
        let width = painter.width(name, Face::SemiBold, Size::Row);
        let tab = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        left = tab.right() + between;
        let response = ui.interact(tab.expand2(vec2(0.5 * between - 2.0, 0.0)), id(i), Sense::click());
        keys::describe_choice(&response, Role::Tab, *chosen == i, name);
        if response.clicked() {
            *chosen = i;
        }
        if response.has_focus() {
            if let Some(next) = button::arrows(ui, &response, i, names.len()) {
                *chosen = next;
                ui.memory_mut(|memory| memory.request_focus(id(next)));
            }
            let middle = Rect::from_center_size(tab.center(), vec2(width + 18.0, 30.0));
            painter.outline(middle, theme::FIELD, theme::FOCUS, painter.ink.text);
        }
        let (face, color) = match (*chosen == i, response.hovered()) {
            (true, _) => (Face::SemiBold, painter.ink.text),
            (false, true) => (Face::Regular, painter.ink.text),
            (false, false) => (Face::Regular, painter.ink.text2),
        };
        painter.text(tab.left_center(), Side::Left, name, (face, Size::Row, color));
        if *chosen == i {
            let top = if rule == Rule::Above { tab.top() } else { tab.bottom() - theme::RULE };
            painter.rect(Rect::from_min_size(pos2(tab.left(), top), vec2(width, theme::RULE)), 0.0, painter.ink.text);
        }
    }
    left - between
}

/// Draws `title` at the top left of the column `rect`, followed by `about` in smaller type if it fits.
pub fn title(painter: &ThemePainter, rect: Rect, title: &str, about: &str) {
    let at = pos2(rect.left() + theme::MARGIN, rect.top() + 30.0);
    let shown = painter.text(at, Side::Left, title, (Face::SemiBold, Size::Title, painter.ink.text));
    let left = shown.right() + 12.0;
    if left + painter.width(about, Face::Regular, Size::Text) < rect.right() - theme::MARGIN {
        painter.text(pos2(left, at.y + 1.0), Side::Left, about, (Face::Regular, Size::Text, painter.ink.text2));
    }
}

#[cfg(test)]
mod tests {
    use egui::{Context, Event, Key, Modifiers, PointerButton, Pos2, RawInput};

    use super::*;

    const NAMES: [&str; 3] = ["One", "Two", "Three"];

    /// One frame of the tabs with `events`.
    fn look(context: &Context, chosen: &mut usize, events: Vec<Event>) {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 30.0));
        let input = RawInput { events, focused: true, screen_rect: Some(rect), ..RawInput::default() };
        let mut shown = context.run_ui(input, |ui| _ = show(ui, rect, &NAMES, chosen, Rule::Above));
        shown.textures_delta.clear();
    }

    fn press(key: Key) -> Vec<Event> {
        [true, false]
            .map(|pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE })
            .into()
    }

    fn click(pos: Pos2) -> [Vec<Event>; 3] {
        let button = |pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
        [vec![Event::PointerMoved(pos)], vec![button(true)], vec![button(false)]]
    }

    #[test]
    fn keys_and_pointer_choose() {
        let context = Context::default();
        theme::install(&context);
        let mut chosen = 0;
        look(&context, &mut chosen, Vec::new());
        look(&context, &mut chosen, press(Key::Tab));
        for (key, expected) in [(Key::ArrowRight, 1), (Key::ArrowRight, 2), (Key::ArrowRight, 2), (Key::ArrowLeft, 1)] {
            // the focus moves with the next frame
            look(&context, &mut chosen, Vec::new());
            look(&context, &mut chosen, press(key));
            assert_eq!(chosen, expected, "{key:?}");
        }
        click(pos2(10.0, 15.0)).into_iter().for_each(|events| look(&context, &mut chosen, events));
        look(&context, &mut chosen, Vec::new());
        assert_eq!(chosen, 0);
    }
}
