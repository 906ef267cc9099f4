//! Tabs: one name each, the chosen one ruled. Pointer, or arrows while one has the focus.

use egui::accesskit::Role;
use egui::{Align2, EventFilter, Key, Modifiers, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::theme::{self, Face, Size};

/// Space between names.
const BETWEEN: f32 = 24.0;

/// Draws the tabs along the top of `rect` and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, names: &[&str], chosen: &mut usize) {
    let id = |i: usize| ui.scope_id().with(("tab", names[i]));
    let mut left = rect.left();
    for (i, name) in names.iter().enumerate() {
        // as wide as when it is chosen, so that nothing moves
        let widest = ui.painter().layout_no_wrap((*name).to_owned(), theme::font(Face::SemiBold, Size::Row), theme::TEXT);
        let tab = Rect::from_min_size(pos2(left, rect.top()), vec2(widest.size().x, rect.height()));
        left = tab.right() + BETWEEN;
        let response = ui.interact(tab.expand2(vec2(0.5 * BETWEEN - 2.0, 0.0)), id(i), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Tab, true, *chosen == i, name));
        if response.clicked() {
            *chosen = i;
        }
        if response.has_focus() {
            let arrows = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
            // taken, so that the next tab does not hear it too
            let taken = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            let next = match (taken(Key::ArrowLeft), taken(Key::ArrowRight)) {
                (true, false) => i.checked_sub(1),
                (false, true) => Some(i + 1).filter(|next| *next < names.len()),
                _ => None,
            };
            if let Some(next) = next {
                *chosen = next;
                ui.memory_mut(|memory| memory.request_focus(id(next)));
            }
            let ring = tab.expand2(vec2(6.0, -3.0));
            ui.painter().rect_stroke(ring, theme::FIELD, Stroke::new(1.5, theme::TEXT), egui::StrokeKind::Inside);
        }
        let (face, color) = match (*chosen == i, response.hovered()) {
            (true, _) => (Face::SemiBold, theme::TEXT),
            (false, true) => (Face::Regular, theme::TEXT),
            (false, false) => (Face::Regular, theme::TEXT2),
        };
        ui.painter().text(tab.center(), Align2::CENTER_CENTER, name, theme::font(face, Size::Row), color);
        if *chosen == i {
            ui.painter().hline(tab.x_range(), rect.top() + 1.0, Stroke::new(theme::RULE, theme::TEXT));
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::{Context, Event, PointerButton, Pos2, RawInput};

    use super::*;

    const NAMES: [&str; 3] = ["One", "Two", "Three"];

    /// One look at the tabs while `events` happen.
    fn look(context: &Context, chosen: &mut usize, events: Vec<Event>) {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 30.0));
        let input = RawInput { events, focused: true, screen_rect: Some(rect), ..RawInput::default() };
        let mut shown = context.run_ui(input, |ui| show(ui, rect, &NAMES, chosen));
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
        theme::dress(&context);
        let mut chosen = 0;
        look(&context, &mut chosen, Vec::new());
        look(&context, &mut chosen, press(Key::Tab));
        for (key, expected) in [(Key::ArrowRight, 1), (Key::ArrowRight, 2), (Key::ArrowRight, 2), (Key::ArrowLeft, 1)] {
            // the focus arrives with the next look
            look(&context, &mut chosen, Vec::new());
            look(&context, &mut chosen, press(key));
            assert_eq!(chosen, expected, "{key:?}");
        }
        click(pos2(10.0, 15.0)).into_iter().for_each(|events| look(&context, &mut chosen, events));
        look(&context, &mut chosen, Vec::new());
        assert_eq!(chosen, 0);
    }
}
