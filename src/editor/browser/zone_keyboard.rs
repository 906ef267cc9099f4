//! A keyboard with the zones of a kit: the chosen zone is moved, and its ends are dragged. The fields of the zone do the same from the keys.

use egui::accesskit::Role;
use egui::{CursorIcon, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::widgets::ThemePainter;
use urto_engine::patch::{Patch, Zone};
use urto_engine::tuning::KEYS;

/// Height of the keyboard with the bar of the chosen zone above it, and of that bar [px].
pub const HEIGHT: f32 = 34.0;
const BAR: f32 = 8.0;
/// Distance from an end of the zone within which the pointer takes that end [px].
const REACH: f32 = 4.0;
/// Steps of an octave that are black keys, and their length as a part of the white ones.
const BLACK: [u8; 5] = [1, 3, 6, 8, 10];
const BLACK_LENGTH: f32 = 0.6;

/// What the user does on the keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyboardAction {
    /// Chooses the zone with this number, by a click on a key of it.
    Choose(usize),
    /// Gives the chosen zone these keys, lowest and highest.
    Place((u8, u8)),
}

/// The part of a zone that is dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Lowest,
    Highest,
    All,
}

/// A drag: the part, and the key under the pointer at its beginning.
#[derive(Clone, Copy, Debug)]
struct Drag {
    part: Part,
    from: u8,
}

impl Drag {
    /// The keys of a zone on `keys` with the pointer on `key`.
    fn keys(self, keys: (u8, u8), key: u8) -> (u8, u8) {
        let (low, high) = keys;
        match self.part {
            Part::Lowest => (key.min(high), high),
            Part::Highest => (low, key.max(low)),
            Part::All => {
                let step = (i16::from(key) - i16::from(self.from)).clamp(-i16::from(low), KEYS as i16 - 1 - i16::from(high));
                let moved = |key: u8| (i16::from(key) + step) as u8;
                (moved(low), moved(high))
            }
        }
    }
}

/// Where keys are drawn: all in one row of equal widths, as in a piano roll.
#[derive(Clone, Copy)]
struct Keyboard {
    rect: Rect,
}

impl Keyboard {
    fn width(self) -> f32 {
        self.rect.width() / KEYS as f32
    }

    /// The key under `x`.
    fn key(self, x: f32) -> u8 {
        ((x - self.rect.left()) / self.width()).floor().clamp(0.0, KEYS as f32 - 1.0) as u8
    }

    /// The columns of keys from `low` to `high`.
    fn columns(self, (low, high): (u8, u8)) -> Rect {
        let x = |key: f32| self.rect.left() + key * self.width();
        self.rect.with_min_x(x(f32::from(low))).with_max_x(x(f32::from(high) + 1.0))
    }

    /// The part of a zone on `keys` at `x`; none outside of it.
    fn part(self, keys: (u8, u8), x: f32) -> Option<Part> {
        let columns = self.columns(keys);
        let [to_low, to_high] = [columns.left(), columns.right()].map(|end| (x - end).abs());
        // of a narrow zone the middle third moves it
        let reach = REACH.min(columns.width() / 3.0);
        let is_inside = columns.x_range().contains(x);
        if to_low <= if is_inside { reach } else { REACH } && to_low <= to_high {
            Some(Part::Lowest)
        } else if to_high <= if is_inside { reach } else { REACH } {
            Some(Part::Highest)
        } else {
            is_inside.then_some(Part::All)
        }
    }
}

/// Draws the keyboard in `rect` with the zones of `kit`, of which `chosen` is the chosen one. Returns what the user does; a drag ends as one change.
pub fn show(ui: &Ui, rect: Rect, kit: &Patch, chosen: usize) -> Option<KeyboardAction> {
    let keyboard = Keyboard { rect };
    let own = kit.zones.get(chosen)?.keys;
    let response = ui.interact(rect, ui.scope_id().with("zone keyboard"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Pane, true, "Keyboard with the zones"));
    let begun = response.id.with("drag");
    let at = response.interact_pointer_pos().or(response.hover_pos()).map(|at| at.x);
    if response.drag_started()
        && let Some(pressed) = ui.input(|input| input.pointer.press_origin())
        && let Some(part) = keyboard.part(own, pressed.x)
    {
        ui.data_mut(|data| data.insert_temp(begun, Drag { part, from: keyboard.key(pressed.x) }));
    }
    let drag: Option<Drag> = ui.data(|data| data.get_temp(begun));
    let keys = drag.zip(at).map_or(own, |(drag, x)| drag.keys(own, keyboard.key(x)));
    draw(&ThemePainter::new(ui), keyboard, &kit.zones, keys);
    let part = drag.map(|drag| drag.part).or_else(|| keyboard.part(own, at?));
    match part {
        Some(Part::All) => ui.set_cursor_icon(CursorIcon::Grab),
        Some(_) => ui.set_cursor_icon(CursorIcon::ResizeHorizontal),
        None => {}
    }
    if response.drag_stopped() {
        ui.data_mut(|data| data.remove::<Drag>(begun));
        return (keys != own).then_some(KeyboardAction::Place(keys));
    }
    let key = keyboard.key(at.filter(|_| response.clicked())?);
    let zone = kit.zones.iter().position(|zone| zone.holds(key))?;
    Some(KeyboardAction::Choose(zone))
}

/// Draws the keys; those with a zone are lighter, those of the chosen zone, on `chosen`, have a bar.
fn draw(painter: &ThemePainter, keyboard: Keyboard, zones: &[Zone], chosen: (u8, u8)) {
    let ink = painter.ink;
    let keys = keyboard.rect.with_min_y(keyboard.rect.top() + BAR);
    painter.rect(keys, 2.0, ink.raised);
    for key in 0..KEYS as u8 {
        let column = keyboard.columns((key, key)).with_min_y(keys.top());
        let is_black = BLACK.contains(&(key % 12));
        let length = if is_black { BLACK_LENGTH * keys.height() } else { keys.height() };
        let body = column.with_max_y(column.top() + length);
        if zones.iter().any(|zone| zone.holds(key)) {
            painter.rect(body, 0.0, if is_black { ink.line } else { ink.text2 });
        } else if is_black {
            painter.rect(body, 0.0, ink.bg);
        }
        if key % 12 == 0 {
            painter.rect(Rect::from_min_size(pos2(column.left(), column.bottom() - 3.0), vec2(1.0, 3.0)), 0.0, ink.text);
        }
    }
    let bar = keyboard.columns(chosen);
    let bar = bar.with_min_x(bar.left().floor()).with_max_x(bar.right().ceil());
    painter.rect(bar.with_max_y(keys.top() - 2.0), 1.0, ink.text);
    painter.outline(bar.with_min_y(keys.top()), 0.0, 1.0, ink.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_stay_in_order_and_a_zone_moves_as_a_whole() {
        let drag = |part, from| Drag { part, from };
        assert_eq!(drag(Part::Lowest, 36).keys((36, 40), 38), (38, 40));
        assert_eq!(drag(Part::Lowest, 36).keys((36, 40), 60), (40, 40));
        assert_eq!(drag(Part::Highest, 40).keys((36, 40), 30), (36, 36));
        assert_eq!(drag(Part::All, 38).keys((36, 40), 50), (48, 52));
        assert_eq!(drag(Part::All, 38).keys((36, 40), 127), (123, 127));
        assert_eq!(drag(Part::All, 38).keys((36, 40), 0), (0, 4));
    }

    #[test]
    fn a_narrow_zone_can_be_moved_and_widened() {
        let keyboard = Keyboard { rect: Rect::from_min_size(pos2(0.0, 0.0), vec2(384.0, HEIGHT)) };
        assert_eq!((keyboard.key(0.0), keyboard.key(107.0), keyboard.key(500.0)), (0, 35, 127));
        let part = |x| keyboard.part((36, 36), x);
        assert_eq!([104.5, 106.0, 108.5].map(part), [Some(Part::Lowest); 3]);
        assert_eq!((part(109.5), part(110.5), part(113.0)), (Some(Part::All), Some(Part::Highest), Some(Part::Highest)));
        assert_eq!((part(103.0), part(116.0)), (None, None));
    }
}
