//! Import of partials from a list of modes or a recorded hit; files are read on a background thread.

use std::path::{Path, PathBuf};

use crossbeam_channel::{Receiver, bounded};
use egui::{Key, Rect, Ui};

use crate::editor::widgets::{FileRequest, Kind, WAIT, tooltip};
use urto_engine::formats::WavFile;
use urto_engine::import::{Form, from_recording, from_text, recorded_strike};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_physics::analysis::{Options, estimate};

/// Kinds of files, by their extensions.
const LIST: Kind = Kind { title: "List of modes", endings: &["csv", "tsv", "toml", "json"] };
const RECORDING: Kind = Kind { title: "Recording of a hit", endings: &["wav"] };

/// Destination of the imported modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportTarget {
    /// The body.
    Body,
    /// The morph target.
    Morph,
}

/// State of the import: the requested file, the one being read, the last error.
#[derive(Default)]
pub struct Import {
    request: Option<(FileRequest, ImportTarget)>,
    pending: Option<(Receiver<Result<Patch, String>>, ImportTarget)>,
    error: Option<String>,
}

impl Import {
    /// Requests a list of modes or a recording.
    pub fn request(&mut self, recording: bool, target: ImportTarget) {
        let mut request = FileRequest::new(if recording { RECORDING } else { LIST });
        request.open();
        (self.request, self.error) = (Some((request, target)), None);
    }

    /// Draws the file field in `rect` while a file is requested, and the error; returns the patch with the imported modes once read.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, own: impl Fn() -> Patch) -> Option<Patch> {
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            (self.request, self.error) = (None, None);
        }
        let dropped = || [LIST, RECORDING].iter().find_map(|kind| FileRequest::new(*kind).given(ui));
        let given = match &mut self.request {
            Some((request, target)) => request.field(ui, rect, "").map(|file| (file, *target)),
            None => dropped().map(|file| (file, ImportTarget::Body)),
        };
        if let Some((file, target)) = given {
            self.read(file, target);
        }
        if self.error.as_ref().is_some_and(|error| tooltip::error_notice(ui, rect, "Partials", error)) {
            self.error = None;
        }
        let (receiver, target) = self.pending.as_ref()?;
        ui.ctx().request_repaint_after(WAIT);
        let (read, target) = (receiver.try_recv().ok()?, *target);
        self.pending = None;
        match read {
            Ok(found) => Some(with_modes(own(), &found, target)),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }

    /// Starts to read a file.
    fn read(&mut self, file: PathBuf, target: ImportTarget) {
        (self.request, self.error) = (None, None);
        let (sender, receiver) = bounded(1);
        let work = move || drop(sender.send(modes(&file)));
        match std::thread::Builder::new().name("urto modes".into()).spawn(work) {
            Ok(_) => self.pending = Some((receiver, target)),
            Err(error) => self.error = Some(format!("cannot start a thread to read the file: {error}; close other programs")),
        }
    }

    /// Whether a file is being read.
    pub fn is_reading(&self) -> bool {
        self.pending.is_some()
    }
}

/// Reads the modes in `file` into a patch. Slow. Errors: file, place, problem and remedy.
fn modes(file: &Path) -> Result<Patch, String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let at = |error: String| format!("{name}: {error}");
    if RECORDING.fits(file) {
        let wave = WavFile::read(file).map_err(|flaw| at(flaw.to_string()))?;
        let recording = recorded_strike(&wave);
        let found = estimate(&recording.mono(), recording.rate, &Options::default());
        let patch = found.and_then(|found| from_recording(&found, &recording));
        return patch.ok_or_else(|| at("no decaying partials found; use a recording of one hit with its decay".into()));
    }
    let form = Form::of_extension(&ending)
        .ok_or_else(|| at(format!("\".{ending}\" is not a list of modes; use .csv, .toml or .json, or a .wav recording")))?;
    let text = std::fs::read_to_string(file)
        .map_err(|error| at(format!("cannot read the file: {error}; check that it exists and is readable")))?;
    from_text(&text, form).map_err(|fault| at(fault.to_string()))
}

/// `own` with the modes of `found` and the parameters they need: positions, force and tuning.
fn with_modes(own: Patch, found: &Patch, target: ImportTarget) -> Patch {
    let mut patch = own;
    if target == ImportTarget::Morph {
        patch.morph_modes = found.modes.clone();
        patch.settings.set(ParamId::MorphTo, 1.0 + found.settings.get(ParamId::Body));
        return patch;
    }
    (patch.modes, patch.residual) = (found.modes.clone(), found.residual.clone());
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
    fn errors_name_the_file_and_a_remedy() {
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
        assert!(odd.starts_with("odd.txt: \".txt\" is not a list of modes; use"), "{odd}");
        let quiet = place("not.wav", "RIFF").expect_err("no sound");
        assert!(quiet.starts_with("not.wav: not a WAV file"), "{quiet}");
        let missing = modes(&folder.join("none.csv")).expect_err("missing");
        assert!(missing.starts_with("none.csv: ") && missing.ends_with("check that it exists and is readable"), "{missing}");
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn imported_modes_are_added_to_the_current_sound() {
        let text = "frequency,gain\n440,1\n1210,-0.4\n";
        let found = from_text(text, Form::Csv).expect("valid");
        let mut own = Patch::default();
        own.settings.set(ParamId::HammerMass, 0.07);
        own.partial_edits.push(urto_engine::patch::PartialEdit { muted: true, ..urto_engine::patch::PartialEdit::new(1) });
        let body = with_modes(own.clone(), &found, ImportTarget::Body);
        assert_eq!((body.modes.len(), body.settings.body_kind(), body.partial_edits.len()), (2, BodyKind::Modes, 0));
        assert_eq!((body.settings.get(ParamId::HammerMass), body.settings.get(ParamId::PickupLeft)), (0.07, 1.0));
        let morph = with_modes(own.clone(), &found, ImportTarget::Morph);
        assert_eq!((morph.morph_modes, morph.settings.morph_kind()), (found.modes, Some(BodyKind::Modes)));
        assert_eq!((morph.modes, morph.settings.body_kind()), (own.modes, own.settings.body_kind()));
    }
}
