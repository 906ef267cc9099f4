//! Editing of a partial: dragging it, typing its values, and the actions that the Modes page executes.

use egui::text::{CCursor, CCursorRange};
use egui::{Align2, CursorIcon, Frame, Id, Key, Modifiers, Pos2, Rect, Sense, TextEdit, Ui, Vec2, WidgetInfo, vec2};

use crate::editor::modes::axes::Axes;
use crate::editor::param_context::ParamContext;
use crate::editor::partial::Partial;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::ThemePainter;
use urto_engine::params::value_text::{self, number};
use urto_engine::patch::{DECAYS, LEVELS, PartialEdit, Patch, RATIOS};
use urto_engine::tuning::{KEYS, KeyFrequencies};

/// The dragged end of a partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Level and frequency.
    Head,
    /// Decay time.
    Foot,
}

/// Dead zone of the pointer: horizontal for the frequency, vertical for the level [px].
const DEAD_ZONE: Vec2 = Vec2::new(6.0, 3.0);
/// Fraction of pointer movements while Shift is held.
const FINE: f32 = 0.1;
/// Maximum morph at which the frequency still follows the pointer exactly.
const MAX_MORPH: f64 = 0.95;

/// A partial while it is dragged: its head changes level and frequency, its foot the decay time.
#[derive(Clone, Debug)]
pub struct DraggedPartial {
    end: End,
    place: usize,
    /// The partial when the drag started.
    partial: Partial,
    /// Pointer movement since then [px], and last pointer position.
    moved: Vec2,
    at: Pos2,
    /// The axes when the drag started: they stay fixed during the drag.
    pub axes: Axes,
}

impl DraggedPartial {
    /// Starts to drag the `end` of a partial with the pointer `at`; none if the partial belongs to the morph target only.
    pub fn new(end: End, partial: &Partial, at: Pos2, axes: Axes) -> Option<Self> {
        Some(Self { end, place: partial.index?, partial: *partial, moved: Vec2::ZERO, at, axes })
    }

    /// Index of the partial.
    pub fn index(&self) -> usize {
        self.place
    }

    /// The edit with the pointer `at`. `morph`: 0 to 1; `snap`: tuning to whose keys the frequency snaps.
    pub fn edit(&mut self, at: Pos2, modifiers: Modifiers, morph: f64, snaps: Option<&KeyFrequencies>) -> PartialEdit {
        self.moved += (at - self.at) * if modifiers.shift { FINE } else { 1.0 };
        self.at = at;
        let (before, moved) = (self.partial.edit, beyond(self.moved));
        if self.end == End::Foot {
            let factor = (f64::from(moved.y) * self.axes.decay_per_pixel()).exp();
            return PartialEdit { decay: within(before.decay * factor, DECAYS), ..before };
        }
        let level = within(before.level - f64::from(moved.y) * self.axes.db_per_pixel(), LEVELS);
        if moved.x == 0.0 {
            return PartialEdit { level, ..before };
        }
        let hertz = self.axes.hertz(self.axes.x(self.partial.hertz) + moved.x);
        let hertz = snaps.map_or(hertz, |tuning| nearest(tuning, hertz));
        // the morph target's frequency is not edited
        let factor = (hertz / self.partial.hertz).powf(1.0 / (1.0 - morph.min(MAX_MORPH)));
        PartialEdit { level, ratio: within(before.ratio * factor, RATIOS), ..before }
    }
}

/// A movement minus the dead zone.
fn beyond(moved: Vec2) -> Vec2 {
    let one = |moved: f32, stays: f32| moved.signum() * (moved.abs() - stays).max(0.0);
    Vec2::new(one(moved.x, DEAD_ZONE.x), one(moved.y, DEAD_ZONE.y))
}

fn within(value: f64, range: std::ops::RangeInclusive<f64>) -> f64 {
    value.clamp(*range.start(), *range.end())
}

/// Frequency [Hz] of the key nearest to `hertz`; beyond the last key in semitones.
pub fn nearest(tuning: &KeyFrequencies, hertz: f64) -> f64 {
    let far = |other: f64| (other / hertz).log2().abs();
    let keys = (0..KEYS as u8).filter_map(|key| tuning.hertz(key));
    let beyond = (KEYS as i32..KEYS as i32 + 24).map(|key| 440.0 * (f64::from(key - 69) / 12.0).exp2());
    keys.chain(beyond).min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap_or(hertz)
}

/// A command of the user about partials, as a value that the page executes.
pub enum ModesAction {
    /// Drags a partial: the edit is a draft until the pointer is released.
    Drag(PartialEdit),
    /// Releases the partial that was dragged.
    Release,
    /// Sets the edit of one partial.
    Edit(PartialEdit),
    /// Removes all edits.
    ClearEdits,
    /// Adds the partial with this index to the soloed ones, or removes it from them.
    Solo(usize),
    /// Replaces the patch by one with another body.
    Body(Box<Patch>),
}

/// The value that is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Frequency [Hz], or a note.
    Hertz,
    /// Ratio to the frequency of the lowest partial.
    Ratio,
    /// Note and cents.
    Note,
    /// Level [dB].
    Level,
    /// Decay time [s].
    Decay,
}

impl Number {
    /// The allowed input, as the end of an error message.
    fn expected(self) -> &'static str {
        match self {
            Self::Hertz => "type a frequency in Hz or a note, such as 880 Hz, 1.2 kHz or A5",
            Self::Ratio => "type a ratio above 0, such as 3.98",
            Self::Note => "type a note, optionally with cents, such as A5 or A#5 -9",
            Self::Level => "type a level in dB, such as -12",
            Self::Decay => "type a time, such as 0.66 s or 300 ms",
        }
    }

    /// Parses `text` into the edit that gives `partial` this value; none if the text is invalid or the value out of range. `lowest`:
    /// frequency of ratio 1 [Hz]; `morph`: 0 to 1.
    pub fn read(self, text: &str, partial: &Partial, lowest: f64, morph: f64) -> Option<PartialEdit> {
        let text = text.trim().replace('−', "-");
        let edit = partial.edit;
        let tuned = |hertz: f64| {
            let ratio = edit.ratio * (hertz / partial.hertz).powf(1.0 / (1.0 - morph));
            RATIOS.contains(&ratio).then_some(PartialEdit { ratio, ..edit })
        };
        match self {
            Self::Hertz => tuned(number(&text, "Hz").or_else(|| note(&text))?),
            Self::Ratio => tuned(lowest * number(&text, "")?),
            Self::Note => tuned(note(&text)?),
            Self::Level => {
                let level = edit.level + number(&text, "dB")? - partial.level;
                LEVELS.contains(&level).then_some(PartialEdit { level, ..edit })
            }
            Self::Decay => {
                let decay = edit.decay * number(&text, "s")? / partial.t60;
                DECAYS.contains(&decay).then_some(PartialEdit { decay, ..edit })
            }
        }
    }
}

/// Frequency [Hz] of a note with optional cents, A4 = 440 Hz.
fn note(text: &str) -> Option<f64> {
    let (name, cents) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let key = value_text::note(name)?;
    let cents = cents.trim().trim_end_matches("ct").trim_end();
    let cents: f64 = if cents.is_empty() { 0.0 } else { cents.parse().ok()? };
    Some(440.0 * ((f64::from(key) - 69.0 + 0.01 * cents) / 12.0).exp2()).filter(|hertz| hertz.is_finite())
}

/// A value of a partial while it is typed: frequency, ratio, note, level, decay time.
pub struct NumberEntry {
    number: Number,
    text: String,
    fresh: bool,
    is_invalid: bool,
}

impl NumberEntry {
    /// The clickable area of the value `shown` in `rect`; a click or Enter starts the entry.
    pub fn target(ui: &Ui, rect: Rect, (number, name): (Number, &str), shown: &str, typed: &mut Option<Self>) {
        let response = ui.interact(rect, ui.scope_id().with(("number", name)), Sense::click());
        response.widget_info(|| WidgetInfo {
            current_text_value: Some(shown.to_owned()),
            ..WidgetInfo::labeled(egui::accesskit::Role::Button, true, format!("Partial {name}, type a value"))
        });
        if response.hovered() {
            ui.set_cursor_icon(CursorIcon::Text);
        }
        if response.has_focus() {
            ThemePainter::new(ui).focus(rect.shrink(2.0), theme::FIELD);
        }
        if response.clicked() {
            let text = shown.to_owned();
            *typed = Some(Self { number, text, fresh: true, is_invalid: false });
        }
    }

    /// Whether `number` is being typed.
    pub fn is(&self, number: Number) -> bool {
        self.number == number
    }

    /// Draws the entry field in `rect`. Ok: the entry continues. Err: it ended, with what `read` parsed, or none if cancelled.
    pub fn edit<T>(
        mut self,
        ui: &mut Ui,
        rect: Rect,
        read: impl Fn(Number, &str) -> Option<T>,
        params: &mut ParamContext,
    ) -> Result<Self, Option<T>> {
        let painter = ThemePainter::new(ui);
        let border = if self.is_invalid { painter.ink.warn } else { painter.ink.text };
        painter.rect(rect, theme::FIELD, painter.ink.raised);
        painter.outline(rect, theme::FIELD, theme::FOCUS, border);
        if self.is_invalid {
            *params.hint = format!("\"{}\" is not a valid value: {}", self.text.trim(), self.number.expected());
        }
        let id = Id::unique("urto partial entry");
        let field = TextEdit::singleline(&mut self.text)
            .id(id)
            .font(theme::font(Face::Medium, Size::Row))
            .frame(Frame::NONE)
            .align(Align2::CENTER_CENTER)
            .desired_width(rect.width());
        let response = ui.put(rect.shrink2(vec2(4.0, 2.0)), field);
        if std::mem::take(&mut self.fresh) {
            response.request_focus();
            if let Some(mut state) = TextEdit::load_state(ui, id) {
                let all = CCursorRange::two(CCursor::new(0), CCursor::new(self.text.chars().count()));
                state.cursor.set_char_range(Some(all));
                TextEdit::store_state(ui, id, state);
            }
        } else if ui.input(|input| input.key_pressed(Key::Escape)) {
            return Err(None);
        } else if response.lost_focus() {
            match read(self.number, &self.text) {
                None if ui.input(|input| input.key_pressed(Key::Enter)) => {
                    self.is_invalid = true;
                    response.request_focus();
                }
                read => return Err(read),
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2};

    use super::*;

    fn dragged(end: End) -> DraggedPartial {
        let (weights, edit) = ([1.0; 3], PartialEdit { level: -3.0, ..PartialEdit::new(4) });
        let partial =
            Partial { hertz: 500.0, t60: 1.0, weights, level: -9.0, family: None, is_dense: false, index: Some(4), edit };
        let axes = Axes::new(Rect::from_min_size(Pos2::ZERO, Vec2::new(900.0, 560.0)), &[partial]);
        DraggedPartial::new(end, &partial, pos2(300.0, 200.0), axes).expect("its own")
    }

    #[test]
    fn a_head_follows_the_pointer_and_a_straight_drag_changes_one_value() {
        let mut up = dragged(End::Head);
        let pixels = (10.0 / up.axes.db_per_pixel()) as f32 + DEAD_ZONE.y;
        let edit = up.edit(pos2(304.0, 200.0 - pixels), Modifiers::NONE, 0.0, None);
        assert!((edit.level - 7.0).abs() < 1e-4 && (edit.ratio, edit.decay) == (1.0, 1.0), "{edit:?}");
        let mut right = dragged(End::Head);
        let octave = right.axes.x(1000.0) - right.axes.x(500.0) + DEAD_ZONE.x;
        let edit = right.edit(pos2(300.0 + octave, 201.0), Modifiers::NONE, 0.0, None);
        assert!((edit.ratio - 2.0).abs() < 1e-4 && edit.level == -3.0, "{edit:?}");
        let mut fine = dragged(End::Head);
        let edit = fine.edit(pos2(300.0 + 10.0 * octave, 200.0), Modifiers::SHIFT, 0.0, None);
        assert!((edit.ratio - 2.0).abs() < 1e-4, "{edit:?}");
        let mut half = dragged(End::Head);
        let edit = half.edit(pos2(300.0 + octave, 200.0), Modifiers::NONE, 0.5, None);
        assert!((edit.ratio - 4.0).abs() < 1e-3, "half of it is the morph target: {edit:?}");
    }

    #[test]
    fn a_foot_changes_the_decay_and_ranges_are_kept() {
        let mut foot = dragged(End::Foot);
        let pixels = (2_f64.ln() / foot.axes.decay_per_pixel()) as f32 + DEAD_ZONE.y;
        let edit = foot.edit(pos2(500.0, 200.0 + pixels), Modifiers::NONE, 0.0, None);
        assert!((edit.decay - 2.0).abs() < 1e-4 && (edit.ratio, edit.level) == (1.0, -3.0), "{edit:?}");
        let far = dragged(End::Head).edit(pos2(1e6, -1e6), Modifiers::NONE, 0.0, None);
        assert_eq!((far.ratio, far.level), (*RATIOS.end(), *LEVELS.end()));
    }

    #[test]
    fn frequencies_snap_to_the_keys_of_the_tuning() {
        let tuning = KeyFrequencies::default();
        assert_eq!(nearest(&tuning, 450.0), 440.0);
        assert!((nearest(&tuning, 15_000.0) / 14_917.0 - 1.0).abs() < 1e-3);
        let edit = dragged(End::Head).edit(pos2(330.0, 200.0), Modifiers::NONE, 0.0, Some(&tuning));
        assert!((69.0 + 12.0 * (500.0 * edit.ratio / 440.0).log2()).fract().abs() < 1e-9, "{edit:?}");
    }

    #[test]
    fn values_are_parsed_with_units_and_rejected_out_of_range() {
        let (weights, edit) = ([1.0; 3], PartialEdit { ratio: 1.1, level: -3.0, decay: 0.5, ..PartialEdit::new(1) });
        let partial =
            Partial { hertz: 880.0, t60: 0.4, weights, level: -12.0, family: None, is_dense: false, index: Some(1), edit };
        let read = |number: Number, text: &str, morph| number.read(text, &partial, 220.0, morph);
        let near = |found: Option<PartialEdit>, of: fn(&PartialEdit) -> f64, expected: f64| {
            let found = found.map(|edit| of(&edit)).expect("understood");
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} instead of {expected}");
        };
        near(read(Number::Hertz, "1.76 kHz", 0.0), |edit| edit.ratio, 2.2);
        near(read(Number::Hertz, "1760", 0.5), |edit| edit.ratio, 4.4);
        near(read(Number::Hertz, "a6", 0.0), |edit| edit.ratio, 2.2);
        near(read(Number::Ratio, "8", 0.0), |edit| edit.ratio, 2.2);
        near(read(Number::Note, "A5 −100 ct", 0.0), |edit| edit.ratio, 1.1 * 2_f64.powf(-1.0 / 12.0));
        near(read(Number::Level, "−6 dB", 0.0), |edit| edit.level, 3.0);
        near(read(Number::Decay, "800 ms", 0.0), |edit| edit.decay, 1.0);
        for (number, text) in [
            (Number::Hertz, "loud"),
            (Number::Hertz, "0"),
            (Number::Ratio, "900"),
            (Number::Note, "H9"),
            (Number::Note, "A5 x"),
            (Number::Level, "6 Hz"),
            (Number::Level, "90"),
            (Number::Decay, "-1"),
        ] {
            assert_eq!(read(number, text, 0.0), None, "{text}");
        }
    }
}
