//! The reference pitch, a key and its frequency, as an editable row.

use egui::{Align2, CursorIcon, Frame, Id, Key, Rect, Sense, TextEdit, Ui, WidgetInfo, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::param_row;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::patch::Patch;
use urto_engine::tuning::PatchTuning;
use urto_engine::tuning::{FREQUENCIES, KEYS, ReferencePitch, TuningSource, key_name};

/// Draws the row; the tuning with another reference if the user has typed one.
pub fn line(ui: &mut Ui, rect: Rect, patch: &Patch, context: &mut ParamContext) -> Option<PatchTuning> {
    let source = patch.tuning.source();
    let Ok(start) = source.reference_pitch() else { return None };
    param_row::label(&ThemePainter::new(ui), rect, "Reference", true);
    let text = format!("{} {:.2} Hz", key_name(start.key), start.hertz);
    let place = Id::unique("urto reference text");
    let field = rect.with_min_x(rect.right() - 128.0).shrink2(vec2(-4.0, 5.0));
    if let Some(mut typed) = ui.data(|data| data.get_temp::<String>(place)) {
        let painter = ThemePainter::new(ui);
        painter.rect(field, theme::FIELD, painter.ink.raised);
        painter.outline(field, theme::FIELD, theme::FOCUS, painter.ink.text);
        let edit = TextEdit::singleline(&mut typed)
            .id(Id::unique("urto reference"))
            .font(theme::font(Face::Medium, Size::Row))
            .frame(Frame::NONE)
            .align(Align2::CENTER_CENTER)
            .desired_width(field.width());
        let response = ui.put(field.shrink2(vec2(4.0, 1.0)), edit);
        *context.hint =
            "Type a key and its frequency, such as A4 440 or 60 261.63 Hz. Leave empty for the reference of the scale.".into();
        if !response.lost_focus() {
            response.request_focus();
            ui.data_mut(|data| data.insert_temp(place, typed));
            return None;
        }
        ui.data_mut(|data| data.remove_temp::<String>(place));
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        return entered.then(|| read(&typed)).flatten().and_then(|reference| {
            let source = TuningSource { reference, ..source.clone() };
            PatchTuning::new(source).ok()
        });
    }
    let response = ui.interact(field, ui.scope_id().with("reference"), Sense::click());
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(text.clone()),
        ..WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Reference key and frequency, type a value")
    });
    let painter = ThemePainter::new(ui);
    if response.hovered() {
        ui.set_cursor_icon(CursorIcon::Text);
        painter.rect(field, theme::FIELD, painter.ink.raised);
    }
    if response.has_focus() {
        painter.focus(field, theme::FIELD);
    }
    if response.clicked() {
        ui.data_mut(|data| data.insert_temp(place, text.clone()));
    }
    painter.text(rect.right_center(), Side::Right, &text, (Face::Medium, Size::Row, painter.ink.text));
    None
}

/// Reads a key and a frequency; an empty text stands for no reference. None if it cannot be read.
fn read(text: &str) -> Option<Option<ReferencePitch>> {
    let text = text.trim().trim_end_matches("Hz").trim_end();
    if text.is_empty() {
        return Some(None);
    }
    let (key, hertz) = text.split_once([' ', '=']).unwrap_or(("A4", text));
    let named = (0..KEYS as u8).find(|known| key_name(*known).eq_ignore_ascii_case(key));
    let key = named.or_else(|| key.parse().ok()).filter(|key| usize::from(*key) < KEYS)?;
    let hertz = hertz.trim().replace(',', ".").parse().ok().filter(|hertz| FREQUENCIES.contains(hertz))?;
    Some(Some(ReferencePitch { key, hertz }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_a_key_and_a_frequency() {
        let reference = |key, hertz| Some(Some(ReferencePitch { key, hertz }));
        assert_eq!(read("A4 442 Hz"), reference(69, 442.0));
        assert_eq!(read("c#4 277,2"), reference(61, 277.2));
        assert_eq!((read("60=256"), read("432")), (reference(60, 256.0), reference(69, 432.0)));
        assert_eq!(read(" "), Some(None));
        assert_eq!([read("H4 440"), read("A4 loud"), read("200 440"), read("A4 0")], [None; 4]);
    }
}
