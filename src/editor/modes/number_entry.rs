//! Typed entry of the values of a partial: frequency, ratio, note, level, decay time.

use egui::text::{CCursor, CCursorRange};
use egui::{Align2, CursorIcon, Frame, Id, Key, Rect, Sense, TextEdit, Ui, WidgetInfo, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::partial::Partial;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::ThemePainter;
use crate::host_params::value_text::number;
use urto_engine::patch::{DECAYS, LEVELS, PartialEdit, RATIOS};
use urto_engine::tuning::{KEYS, key_name};

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
    let key = (0..KEYS as u8).find(|key| key_name(*key).eq_ignore_ascii_case(name))?;
    let cents = cents.trim().trim_end_matches("ct").trim_end();
    let cents: f64 = if cents.is_empty() { 0.0 } else { cents.parse().ok()? };
    Some(440.0 * ((f64::from(key) - 69.0 + 0.01 * cents) / 12.0).exp2()).filter(|hertz| hertz.is_finite())
}

/// A value while it is typed.
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
        let pen = ThemePainter::new(ui);
        let border = if self.is_invalid { pen.ink.warn } else { pen.ink.text };
        pen.rect(rect, theme::FIELD, pen.ink.raised);
        pen.outline(rect, theme::FIELD, theme::FOCUS, border);
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
    use super::*;

    #[test]
    fn values_are_parsed_with_units_and_rejected_out_of_range() {
        let (weights, edit) = ([1.0; 3], PartialEdit { ratio: 1.1, level: -3.0, decay: 0.5, ..PartialEdit::new(1) });
        let partial = Partial { hertz: 880.0, t60: 0.4, weights, level: -12.0, family: None, index: Some(1), edit };
        let read = |number: Number, text: &str, morph| number.read(text, &partial, 220.0, morph);
        let near = |found: Option<PartialEdit>, of: fn(&PartialEdit) -> f64, wanted: f64| {
            let found = found.map(|edit| of(&edit)).expect("understood");
            assert!((found / wanted - 1.0).abs() < 1e-12, "{found} instead of {wanted}");
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
