//! Partials from a file: a list of modes, or a recording of a stroke. Files are read away from the window's thread.

use std::path::{Path, PathBuf};

use crossbeam_channel::{Receiver, bounded};
use egui::{Key, Rect, Ui};

use crate::editor::widgets::error_notice;
use crate::editor::widgets::{FileRequest, Kind, WAIT};
use urto_engine::formats::WavFile;
use urto_engine::import::{Form, from_estimate, from_text};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_physics::analysis::{Options, estimate};

/// What a file may be. Several ends say the same.
const LIST: Kind = Kind { title: "List of modes", endings: &["csv", "tsv", "toml", "json"] };
const RECORDING: Kind = Kind { title: "Recording of a stroke", endings: &["wav"] };

/// Which list of modes a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// That of the body.
    Body,
    /// That of what it may turn into.
    Morph,
}

/// A file that is wanted, one that is being read, and what was wrong with the last.
#[derive(Default)]
pub struct Import {
    wanted: Option<(FileRequest, Goal)>,
    coming: Option<(Receiver<Result<Patch, String>>, Goal)>,
    trouble: Option<String>,
}

impl Import {
    /// Asks for a list of modes, or for a recording.
    pub fn ask(&mut self, recording: bool, goal: Goal) {
        let mut ask = FileRequest::new(if recording { RECORDING } else { LIST });
        ask.open();
        (self.wanted, self.trouble) = (Some((ask, goal)), None);
    }

    /// Draws the field for the file in `rect` while one is wanted, and what is wrong; the patch with what was read, if it is there.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, own: impl Fn() -> Patch) -> Option<Patch> {
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            (self.wanted, self.trouble) = (None, None);
        }
        let dropped = || [LIST, RECORDING].iter().find_map(|kind| FileRequest::new(*kind).given(ui));
        let given = match &mut self.wanted {
            Some((ask, goal)) => ask.field(ui, rect, "").map(|file| (file, *goal)),
            None => dropped().map(|file| (file, Goal::Body)),
        };
        if let Some((file, goal)) = given {
            self.read(file, goal);
        }
        if self.trouble.as_ref().is_some_and(|trouble| error_notice::show(ui, rect, "Partials", trouble)) {
            self.trouble = None;
        }
        let (coming, goal) = self.coming.as_ref()?;
        ui.ctx().request_repaint_after(WAIT);
        let (read, goal) = (coming.try_recv().ok()?, *goal);
        self.coming = None;
        match read {
            Ok(found) => Some(joined(own(), &found, goal)),
            Err(trouble) => {
                self.trouble = Some(trouble);
                None
            }
        }
    }

    /// Begins to read a file.
    fn read(&mut self, file: PathBuf, goal: Goal) {
        (self.wanted, self.trouble) = (None, None);
        let (give, coming) = bounded(1);
        let work = move || drop(give.send(modes(&file)));
        match std::thread::Builder::new().name("urto modes".into()).spawn(work) {
            Ok(_) => self.coming = Some((coming, goal)),
            Err(error) => self.trouble = Some(format!("no thread to read it: {error}; close other programs")),
        }
    }

    /// Whether a file is being read.
    pub fn reads(&self) -> bool {
        self.coming.is_some()
    }
}

/// The patch of the modes in `file`. Errors: file, place, problem and remedy in one sentence. Takes its time.
fn modes(file: &Path) -> Result<Patch, String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let at = |trouble: String| format!("{name}: {trouble}");
    if RECORDING.fits(file) {
        let wave = WavFile::read(file).map_err(|flaw| at(flaw.to_string()))?;
        let signal: Vec<f64> = wave.mono().into_iter().map(f64::from).collect();
        let found = estimate(&signal, f64::from(wave.rate), &Options::default());
        let patch = found.as_ref().and_then(from_estimate);
        return patch.ok_or_else(|| at("nothing rings in it; give a recording of a stroke that rings for a while".into()));
    }
    let form = Form::of_extension(&ending)
        .ok_or_else(|| at(format!("\".{ending}\" is no list of modes; give .csv, .toml, .json or a .wav recording")))?;
    let text = std::fs::read_to_string(file).map_err(|error| at(format!("{error}; check file and permissions")))?;
    from_text(&text, form).map_err(|fault| at(fault.to_string()))
}

/// `own` with the modes that were `found`, and with what they need: where struck and heard, how hard, how tuned.
fn joined(own: Patch, found: &Patch, goal: Goal) -> Patch {
    let mut patch = own;
    if goal == Goal::Morph {
        patch.morph_modes = found.modes.clone();
        patch.settings.set(ParamId::MorphTo, 1.0 + found.settings.get(ParamId::Body));
        return patch;
    }
    patch.modes = found.modes.clone();
    patch.partial_edits.clear();
    let tuned = [ParamId::Body, ParamId::Modes, ParamId::HomeKey, ParamId::Tune];
    for &id in ParamId::ALL {
        let value = found.settings.get(id);
        if tuned.contains(&id) || value != id.spec().default {
            patch.settings.set(id, value);
        }
    }
    patch
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::params::BodyKind;

    #[test]
    fn what_is_wrong_with_a_file_is_told_with_its_name_and_a_remedy() {
        let folder = std::env::temp_dir().join(format!("urto modes {}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let place = |name: &str, text: &str| {
            let file = folder.join(name);
            std::fs::write(&file, text).expect("written");
            modes(&file)
        };
        let good = place("bar.csv", "frequency,t60,gain\n440,2,1\n1210,0.5,-0.4\n").expect("a list");
        assert_eq!((good.modes.len(), good.settings.body_kind()), (2, BodyKind::Modes));
        let bad = place("bad.csv", "frequency,t60\n440,2\n-1,3\n").expect_err("below zero");
        assert!(bad.starts_with("bad.csv: line 3, modes[1].frequency: "), "{bad}");
        let odd = place("odd.txt", "440").expect_err("no form");
        assert!(odd.starts_with("odd.txt: \".txt\" is no list of modes; give"), "{odd}");
        let quiet = place("not.wav", "RIFF").expect_err("no sound");
        assert!(quiet.starts_with("not.wav: not a WAV file"), "{quiet}");
        let missing = modes(&folder.join("none.csv")).expect_err("missing");
        assert!(missing.starts_with("none.csv: ") && missing.ends_with("check file and permissions"), "{missing}");
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn found_modes_join_the_sound_that_plays() {
        let text = "frequency,gain\n440,1\n1210,-0.4\n";
        let found = from_text(text, Form::Csv).expect("valid");
        let mut own = Patch::default();
        own.settings.set(ParamId::HammerMass, 0.07);
        own.partial_edits.push(urto_engine::patch::PartialEdit { muted: true, ..urto_engine::patch::PartialEdit::new(1) });
        let body = joined(own.clone(), &found, Goal::Body);
        assert_eq!((body.modes.len(), body.settings.body_kind(), body.partial_edits.len()), (2, BodyKind::Modes, 0));
        assert_eq!((body.settings.get(ParamId::HammerMass), body.settings.get(ParamId::PickupLeft)), (0.07, 1.0));
        let morph = joined(own.clone(), &found, Goal::Morph);
        assert_eq!((morph.morph_modes, morph.settings.morph_kind()), (found.modes, Some(BodyKind::Modes)));
        assert_eq!((morph.modes, morph.settings.body_kind()), (own.modes, own.settings.body_kind()));
    }
}
