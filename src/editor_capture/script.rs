//! The steps of a scene: `strike 57 0.75`, `wait 0.4`, `key Ctrl+Z`, `type soft`, `point 66 686`, `click 540 26`,
//! `drag 66 686 66 640`, `turn 21`.

use egui::{Event as Input, Key, Modifiers, Pos2, pos2};

use crate::editor::{FRAME_RATE, HeadlessWindow};
use crate::editor_capture::canvas::Canvas;

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Plays a note: key, and velocity 0 to 1.
    Strike(u8, f64),
    /// Moves a MIDI controller.
    Turn(u8),
    /// Waits [s].
    Wait(f64),
    /// Presses a key with its modifiers.
    Key(Modifiers, Key),
    /// Types a text.
    Type(String),
    /// Moves the pointer [logical pixels].
    Point(Pos2),
    /// Clicks [logical pixels].
    Click(Pos2),
    /// Drags from one point to another; the button stays down.
    Drag(Pos2, Pos2),
}

/// Frames of a drag.
const DRAG: u16 = 12;

/// Parses a step. Errors: the problem, with all steps.
pub fn step(text: &str) -> Result<Step, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let numbers: Vec<f32> = rest.split_whitespace().map_while(|number| number.parse().ok()).collect();
    let found = match (word, &*numbers) {
        ("strike", &[key, velocity]) => Some(Step::Strike(key as u8, f64::from(velocity))),
        ("turn", &[number]) => Some(Step::Turn(number as u8)),
        ("wait", &[time]) => Some(Step::Wait(f64::from(time))),
        ("point", &[x, y]) => Some(Step::Point(pos2(x, y))),
        ("click", &[x, y]) => Some(Step::Click(pos2(x, y))),
        ("drag", &[x0, y0, x1, y1]) => Some(Step::Drag(pos2(x0, y0), pos2(x1, y1))),
        ("type", _) => Some(Step::Type(rest.to_owned())),
        ("key", _) => key(rest),
        _ => None,
    };
    found.ok_or_else(|| {
        format!("`{text}` is not a step; use strike KEY VELOCITY, turn CONTROLLER, wait SECONDS, key NAME, type TEXT, point X Y, click X Y, drag X Y X Y")
    })
}

fn key(name: &str) -> Option<Step> {
    let (modifiers, name) = match name.split_once('+') {
        Some(("Ctrl", name)) => (Modifiers::COMMAND, name),
        Some(("Shift", name)) => (Modifiers::SHIFT, name),
        _ => (Modifiers::NONE, name),
    };
    Some(Step::Key(modifiers, Key::from_name(name)?))
}

impl Step {
    /// Runs the step.
    pub fn run(&self, window: &mut HeadlessWindow, canvas: &mut Canvas) {
        let mut live = |window: &mut HeadlessWindow, events: Vec<Input>| canvas.take(&mut window.settled(events));
        match self {
            Self::Strike(key, velocity) => window.strike(*key, *velocity),
            Self::Turn(number) => window.turn(*number),
            Self::Wait(time) => (0..(time * FRAME_RATE).round() as usize).for_each(|_| live(window, Vec::new())),
            Self::Key(modifiers, key) => {
                HeadlessWindow::key(*key, *modifiers).into_iter().for_each(|events| live(window, events))
            }
            Self::Type(text) => live(window, vec![Input::Text(text.clone())]),
            Self::Point(at) => live(window, vec![Input::PointerMoved(*at)]),
            Self::Click(at) => {
                let presses = [true, false].map(|pressed| HeadlessWindow::button(*at, pressed));
                [vec![Input::PointerMoved(*at)]].into_iter().chain(presses).for_each(|events| live(window, events));
            }
            Self::Drag(from, to) => {
                live(window, vec![Input::PointerMoved(*from)]);
                live(window, HeadlessWindow::button(*from, true));
                for i in 1..=DRAG {
                    live(window, vec![Input::PointerMoved(*from + (*to - *from) * f32::from(i) / f32::from(DRAG))]);
                }
            }
        }
        live(window, Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_parsed_and_errors_list_all_steps() {
        assert_eq!(step("strike 57 0.5"), Ok(Step::Strike(57, 0.5)));
        assert_eq!(step("turn 21"), Ok(Step::Turn(21)));
        assert_eq!(step("click 3 4"), Ok(Step::Click(pos2(3.0, 4.0))));
        assert_eq!(step("key Ctrl+Z"), Ok(Step::Key(Modifiers::COMMAND, Key::Z)));
        assert_eq!(step("type 2.5 g"), Ok(Step::Type("2.5 g".into())));
        assert_eq!(step("drag 1 2 3 4"), Ok(Step::Drag(pos2(1.0, 2.0), pos2(3.0, 4.0))));
        for wrong in ["", "strike", "strike 57 hard", "key Nowhere", "hit 1 2"] {
            let complaint = step(wrong).expect_err("not a step");
            assert!(complaint.contains("strike KEY VELOCITY"), "{complaint}");
        }
    }
}
