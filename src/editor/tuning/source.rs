//! The tuning source: equal temperament, a built-in scale, a Scala file, a keyboard map, an MTS-ESP master.

use std::path::Path;

use egui::{Rect, RichText, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{param_row, value_entry};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{FileRequest, Kind, Side, ThemePainter, Way, button, icon, menu, tooltip};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::tuning::{PatchTuning, SCALES, SourcePart, TuningSource};

/// Scala files.
const SCALE: Kind = Kind { title: "Scala scale", endings: &["scl"] };
const MAP: Kind = Kind { title: "Scala key map", endings: &["kbm"] };
/// Tuning sources.
const FROM: [&str; 3] = ["Equal", "Scala file", "MTS-ESP"];
/// Part of the row that the segments take, and the gap after them.
const SEGMENTS: f32 = 0.56;
const GAP: f32 = 12.0;

/// Requested files, the last error, and the scale before equal temperament was chosen.
pub struct Sources {
    scale: FileRequest,
    map: FileRequest,
    /// The file whose path is requested: the row is then a text field.
    requested: Option<SourcePart>,
    error: Option<String>,
    before: Option<TuningSource>,
}

impl Default for Sources {
    fn default() -> Self {
        Self { scale: FileRequest::new(SCALE), map: FileRequest::new(MAP), requested: None, error: None, before: None }
    }
}

impl Sources {
    /// Draws the row of sources in `rect`. Returns the tuning that the user has chosen.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        patch: &Patch,
        has_master: bool,
        context: &mut ParamContext,
    ) -> Option<PatchTuning> {
        let source = patch.tuning.source();
        if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
            (self.requested, self.error) = (None, None);
        }
        let given = match self.requested {
            Some(SourcePart::Map) => self.map.field(ui, rect, "").map(|file| (file, SourcePart::Map)),
            Some(_) => self.scale.field(ui, rect, "").map(|file| (file, SourcePart::Scale)),
            None => {
                let dropped = self.scale.given(ui).map(|file| (file, SourcePart::Scale));
                dropped.or_else(|| self.map.given(ui).map(|file| (file, SourcePart::Map)))
            }
        };
        let mut chosen = None;
        if let Some((file, part)) = given {
            (self.requested, self.error) = (None, None);
            match loaded(&file, part, source) {
                Ok(intonation) => chosen = Some(intonation),
                Err(error) => self.error = Some(error),
            }
        } else if self.requested.is_none() {
            let (left, right) = rect.split_left_right_at_x(rect.left() + SEGMENTS * rect.width());
            chosen = self.segments(ui, left, source, has_master, context);
            let list = right.with_min_x(right.left() + GAP);
            chosen = self.list(ui, list, source).or(chosen);
        }
        let below = Rect::from_min_size(pos2(rect.left(), rect.bottom() + 6.0), vec2(rect.width(), rect.height()));
        if self.error.as_ref().is_some_and(|error| tooltip::error_notice(ui, below, "Tuning", error)) {
            self.error = None;
        }
        chosen
    }

    /// Draws the three sources. Returns the tuning if the user has chosen another.
    fn segments(
        &mut self,
        ui: &Ui,
        rect: Rect,
        source: &TuningSource,
        has_master: bool,
        context: &mut ParamContext,
    ) -> Option<PatchTuning> {
        let own = usize::from(source.scale != "equal");
        let now = if has_master { 2 } else { own };
        let next = button::segments(ui, rect, "Tuning from", &FROM, now, Hue::Plain);
        if next == now {
            return None;
        }
        let follow =
            |context: &mut ParamContext, on: f64| context.jump(ParamId::MtsEsp, context.params.travel_of(ParamId::MtsEsp, on));
        if next == 2 {
            follow(context, 1.0);
            let words = "No MTS-ESP master is running. Start one in the session; Urto then follows it.";
            self.error = Some(words.into());
            return None;
        }
        if has_master {
            follow(context, 0.0);
        }
        if next == own {
            return None;
        }
        if next == 1 {
            let before = self.before.take().and_then(|source| PatchTuning::new(source).ok());
            self.scale.open();
            self.requested = before.is_none().then_some(SourcePart::Scale);
            return before;
        }
        self.before = Some(source.clone());
        PatchTuning::new(TuningSource { scale: "equal".into(), map: None, ..source.clone() }).ok()
    }

    /// The menu of built-in scales, and of a scale from a file.
    fn list(&mut self, ui: &Ui, rect: Rect, source: &TuningSource) -> Option<PatchTuning> {
        let response = button::drop_down(ui, rect, "Scale", &shown(source));
        let mut chosen = None;
        menu(&response).width(rect.width()).show(|ui| {
            if value_entry::entry(ui, "Load a scale file (.scl)") {
                self.scale.open();
                self.requested = Some(SourcePart::Scale);
            }
            for (name, _) in &SCALES {
                let text = RichText::new(name.replace('-', " ")).font(theme::font(Face::Regular, Size::Row));
                if ui.selectable_label(*name == source.scale, text).clicked() {
                    chosen = joined(TuningSource { scale: (*name).to_owned(), ..source.clone() }).ok();
                    ui.close();
                }
            }
        });
        chosen
    }

    /// The row of the keyboard map.
    pub fn map_line(&mut self, ui: &Ui, rect: Rect, patch: &Patch) -> Option<PatchTuning> {
        let source = patch.tuning.source();
        let word = if source.map.is_some() { "From a file" } else { "Linear" };
        param_row::label(&ThemePainter::new(ui), rect, "Key map", false);
        let width = ThemePainter::new(ui).width(word, Face::Medium, Size::Row) + 34.0;
        let field = rect.with_min_x(rect.right() - width).shrink2(vec2(0.0, 3.0));
        let response = button::bare(ui, field, "Key map");
        let painter = ThemePainter::new(ui);
        painter.text(
            pos2(field.right() - 24.0, field.center().y),
            Side::Right,
            word,
            (Face::Medium, Size::Row, painter.ink.text),
        );
        icon::chevron(&painter, pos2(field.right() - 12.0, field.center().y), Way::Down, 3.5, painter.ink.text2);
        let mut chosen = None;
        menu(&response).show(|ui| {
            if value_entry::entry(ui, "Load a key map (.kbm)") {
                self.map.open();
                self.requested = Some(SourcePart::Map);
            }
            if source.map.is_some() && value_entry::entry(ui, "Linear: one scale degree per key") {
                chosen = PatchTuning::new(TuningSource { map: None, ..source.clone() }).ok();
            }
        });
        chosen
    }
}

/// Displayed name of a scale.
pub fn shown(source: &TuningSource) -> String {
    if source.scale.contains('\n') {
        let first = source.scale.lines().find(|line| !line.starts_with('!') && !line.trim().is_empty());
        return first.unwrap_or("Scala scale").trim().to_owned();
    }
    source.scale.replace('-', " ")
}

/// The tuning of `source`; without its key map if that has another number of notes.
fn joined(source: TuningSource) -> Result<PatchTuning, (SourcePart, urto_engine::formats::TextError)> {
    let plain = TuningSource { map: None, ..source.clone() };
    PatchTuning::new(source).or_else(|_| PatchTuning::new(plain))
}

/// The tuning with the scale or the map in `file`. Errors: file, line, problem and remedy; the tuning stays as it was.
fn loaded(file: &Path, part: SourcePart, source: &TuningSource) -> Result<PatchTuning, String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read(file)
        .map_err(|_| format!("{name}: cannot be read. Check that the file exists and that you may read it."))?;
    // old Scala files are in Latin-1
    let mut text =
        String::from_utf8(text).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
    if !text.contains('\n') {
        text.push('\n');
    }
    let made = match part {
        SourcePart::Map => PatchTuning::new(TuningSource { map: Some(text), ..source.clone() }),
        _ => joined(TuningSource { scale: text, ..source.clone() }),
    };
    made.map_err(|(_, fault)| format!("{name}: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_scale_can_be_chosen_and_is_named() {
        for (name, _) in &SCALES {
            let source = TuningSource { scale: (*name).to_owned(), ..TuningSource::default() };
            assert_eq!(shown(&source), name.replace('-', " "));
            PatchTuning::new(source).expect(name);
        }
        let own = TuningSource { scale: "! mine.scl\n!\nMy own scale\n 1\n!\n 2/1\n".into(), ..TuningSource::default() };
        assert_eq!(shown(&own), "My own scale");
    }

    #[test]
    fn files_of_scala_are_loaded_and_complaints_name_file_line_and_remedy() {
        let folder = std::env::temp_dir().join(format!("urto scales {}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let place = |name: &str, bytes: &[u8], part: SourcePart| {
            let file = folder.join(name);
            std::fs::write(&file, bytes).expect("written");
            loaded(&file, part, &TuningSource::default())
        };
        let five = place("f\u{fc}nf.scl", b"! five.scl\nF\xfcnf\n 5\n 240.\n 480.\n 720.\n 960.\n 2/1\n", SourcePart::Scale)
            .expect("a scale");
        assert_eq!(shown(five.source()), "F\u{fc}nf");
        let hertz = |key| five.tuning().hertz(key).expect("sounds");
        assert!((hertz(62) / hertz(61) - 2_f64.powf(0.2)).abs() < 1e-12);
        let bad = place("bad.scl", b"! bad.scl\nBad\n 2\n 100.\n hello\n", SourcePart::Scale).expect_err("no interval");
        assert!(bad.starts_with("bad.scl: line 5: ") && bad.contains("; "), "{bad}");
        let map = place("odd.kbm", b"12\n0\n200\n60\n69\n440\n12\n", SourcePart::Map).expect_err("no key");
        assert!(map.starts_with("odd.kbm: line 3: ") && map.contains("; "), "{map}");
        let missing = loaded(&folder.join("none.scl"), SourcePart::Scale, &TuningSource::default()).expect_err("missing");
        assert!(missing.starts_with("none.scl: ") && missing.ends_with("that you may read it."), "{missing}");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
