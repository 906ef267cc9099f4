//! The left half of the tuning page: the scale, and the reference pitch.
//!
//! The scale is drawn as the deviation of each key of an octave from 12-tone equal temperament. The reference pitch, a key and its
//! frequency, is an editable row.

use egui::{Align2, CursorIcon, Frame, Id, Key, Rect, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

use crate::editor::command::PatchChange;
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::param_row;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::tuning::controllers::TuningReadings;
use crate::editor::tuning::source::Sources;
use crate::editor::widgets::{Side, ThemePainter, keys, title};
use urto_engine::params::{ParamId, value_text};
use urto_engine::patch::Patch;
use urto_engine::tuning::{FREQUENCIES, KeyFrequencies, PatchTuning, ReferencePitch, TuningSet, TuningSource, key_name};

/// First key drawn (C4), and number of keys.
const FIRST: u8 = 60;
const OCTAVE_KEYS: u8 = 12;
/// Width of the numbers at the left, and height of a key.
const NUMBERS: f32 = 48.0;
const KEY: f32 = 30.0;
/// Top and height of the row of tuning sources.
const TOP: f32 = 55.0;
const ROW: f32 = 30.0;
/// Rows below in two columns; the others are key map and reference.
const LINES: [(ParamId, &str); 4] = [
    (ParamId::ConcertPitch, "Concert pitch, A4"),
    (ParamId::Stretch, "Octave stretch"),
    (ParamId::Sounding, "Held notes keep pitch"),
    (ParamId::MtsEsp, "MTS-ESP master"),
];
const ROWS: f32 = 3.0;
const BETWEEN: f32 = 32.0;

/// Draws the left half of the page. Returns the patch with another tuning if the user has chosen one.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    sources: &mut Sources,
    context: &mut ParamContext,
    now: &TuningReadings,
) -> Option<PatchChange> {
    let patch = context.params.patch();
    let master = now.master.filter(|_| patch.settings.get(ParamId::MtsEsp) > 0.5);
    let about = if master.is_some() { "set by the MTS-ESP master, cents" } else { "deviation from equal temperament, cents" };
    title(&ThemePainter::new(ui), rect, "Scale", about);
    let inside = rect.shrink2(vec2(theme::MARGIN, 0.0));
    let lines = param_row::HEIGHT * ROWS;
    let chart = Rect::from_min_max(inside.min + vec2(NUMBERS, 132.0), inside.max - vec2(0.0, lines + KEY + 34.0));
    let tuning = TuningSet { master, ..TuningSet::of(&patch.tuning) }.effective(&patch.settings);
    deviations(&ThemePainter::new(ui), chart, &tuning, patch.settings.get(ParamId::ConcertPitch), now.last.map(|hit| hit.key));
    let row = Rect::from_min_size(inside.min + vec2(0.0, TOP), vec2(inside.width(), ROW));
    let mut chosen = sources.show(ui, row, &patch, master.is_some(), context);
    let half = 0.5 * (inside.width() - BETWEEN);
    let line = |i: usize| {
        let corner = vec2((half + BETWEEN) * (i % 2) as f32, rect.height() - lines - 12.0 + param_row::HEIGHT * (i / 2) as f32);
        Rect::from_min_size(pos2(inside.left(), rect.top()) + corner, vec2(half, param_row::HEIGHT))
    };
    param_row::show(ui, line(0), LINES[0], false, context);
    chosen = sources.map_line(ui, line(1), &patch).or(chosen);
    param_row::show(ui, line(2), LINES[1], true, context);
    chosen = reference_line(ui, line(3), &patch, context).or(chosen);
    param_row::show(ui, line(4), LINES[2], true, context);
    param_row::show(ui, line(5), LINES[3], true, context);
    let own = chosen.map(|intonation| Patch { tuning: intonation, ..context.params.own_patch() });
    own.map(|patch| PatchChange { patch, fresh: true })
}

/// Deviation of `key` [cents] from 12-tone equal temperament with A4 at `concert` [Hz].
fn cents(tuning: &KeyFrequencies, key: u8, concert: f64) -> Option<f64> {
    let equal = concert * ((f64::from(key) - 69.0) / 12.0).exp2();
    Some(1200.0 * (tuning.hertz(key)? / equal).log2())
}

fn deviations(painter: &ThemePainter, rect: Rect, tuning: &KeyFrequencies, concert: f64, last: Option<u8>) {
    let ink = painter.ink;
    let keys = FIRST..FIRST + OCTAVE_KEYS;
    let greatest =
        keys.clone().filter_map(|key| cents(tuning, key, concert)).fold(0.0, |greatest: f64, cents| greatest.max(cents.abs()));
    let step = [10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0].into_iter().find(|step| 2.0 * step >= greatest).unwrap_or(2500.0);
    let middle = rect.center().y;
    let y = |cents: f64| middle - (cents / (2.0 * step)) as f32 * 0.5 * rect.height();
    for i in -2..=2 {
        let value = step * f64::from(i);
        painter.hline(rect.x_range(), y(value), if i == 0 { ink.line } else { ink.grid });
        let text = if i > 0 { format!("+{value:.0}") } else { format!("{value:.0}").replace('-', "−") };
        painter.text(pos2(rect.left() - 10.0, y(value)), Side::Right, &text, (Face::Regular, Size::Tick, ink.text3));
    }
    let width = rect.width() / f32::from(OCTAVE_KEYS);
    for key in keys {
        let x = rect.left() + width * (f32::from(key - FIRST) + 0.5);
        let lit = last.is_some_and(|last| last % 12 == key % 12);
        keycap(painter, pos2(x, rect.bottom() + 12.0), width, key, lit);
        let Some(cents) = cents(tuning, key, concert) else { continue };
        let at = pos2(x, y(cents));
        painter.line(pos2(x, middle), at, 3.0, ink.body);
        painter.disc(at, if lit { 6.5 } else { 5.0 }, ink.body, 0.0, ink.body);
        if lit {
            painter.circle(at, 10.5, 1.5, ink.text);
        }
        let sign = if cents >= -0.05 { "+" } else { "−" };
        let off = if cents >= 0.0 { -17.0 } else { 19.0 };
        let (face, color) = if lit { (Face::SemiBold, ink.text) } else { (Face::Regular, ink.text2) };
        let text = if step >= 100.0 { format!("{sign}{:.0}", cents.abs()) } else { format!("{sign}{:.1}", cents.abs()) };
        if width > 34.0 {
            painter.text(at + vec2(0.0, off), Side::Center, &text, (face, Size::Label, color));
        }
    }
}

fn keycap(painter: &ThemePainter, top: egui::Pos2, width: f32, key: u8, lit: bool) {
    let name = key_name(key);
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-');
    let cap = Rect::from_min_size(top - vec2(0.5 * width - 1.5, 0.0), vec2(width - 3.0, KEY));
    if name.contains('#') {
        painter.rect(cap, 2.0, painter.ink.panel);
    } else {
        painter.field(cap, painter.ink.raised);
    }
    let (face, color) = if lit { (Face::SemiBold, painter.ink.text) } else { (Face::Regular, painter.ink.text2) };
    painter.text(cap.center(), Side::Center, name, (face, Size::Label, color));
}

/// Draws the row. Returns the tuning with another reference if the user has typed one.
fn reference_line(ui: &mut Ui, rect: Rect, patch: &Patch, context: &mut ParamContext) -> Option<PatchTuning> {
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
        keys::name_field(&response, "Reference key and frequency");
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

/// Reads a key and a frequency; an empty text means no reference. None if it cannot be read.
fn read(text: &str) -> Option<Option<ReferencePitch>> {
    let text = text.trim().trim_end_matches("Hz").trim_end();
    if text.is_empty() {
        return Some(None);
    }
    let (key, hertz) = text.split_once([' ', '=']).unwrap_or(("A4", text));
    let key = value_text::key(key)?;
    let hertz = value_text::number(hertz, "Hz").filter(|hertz| FREQUENCIES.contains(hertz))?;
    Some(Some(ReferencePitch { key, hertz }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_temperament_deviates_by_nothing_at_any_concert_pitch() {
        for concert in [415.0, 440.0, 442.0] {
            let mut settings = urto_engine::params::ParamValues::default();
            settings.set(ParamId::ConcertPitch, concert);
            let tuning = TuningSet::of(&Patch::default().tuning).effective(&settings);
            let worst =
                (FIRST..FIRST + OCTAVE_KEYS).filter_map(|key| cents(&tuning, key, concert)).fold(0.0, |a: f64, b| a.max(b.abs()));
            assert!(worst < 1e-9, "{worst} at {concert}");
        }
    }

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
