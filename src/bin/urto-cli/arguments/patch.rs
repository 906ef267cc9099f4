//! Patches that arguments name, and the options that set their parameters and their tuning.
//!
//! An argument names a built-in preset, one of the user's presets, a preset file, or a state that a host has saved.
//! `--set ID=VALUE` and the short forms set parameters; other options set scale, key map, reference and stretch.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use crate::io::error::{is_standard_input, print_note, read_bytes, read_text, read_text_of_any_age, text_in};
use crate::io::{CliError, host_state};
use urto_engine::formats::{TextError, or_nearest};
use urto_engine::params::{BodyKind, PARAMS, ParamId, ParamValues, Scale, value_text};
use urto_engine::patch::{
    LibraryError, ListedMode, Patch, PresetEntry, Source, preset_library, read_in, recordings_named_in, value_of,
};
use urto_engine::tuning::{PatchTuning, ReferencePitch, SCALES, SourcePart};

/// A patch, and every file that was read for it.
pub struct LoadedPatch {
    /// The patch.
    pub patch: Patch,
    /// Its file and the recordings that the file names; none for a built-in preset.
    pub files: Vec<PathBuf>,
}

/// The patch that `--preset` names: a built-in preset, one of the user's, or a file. Errors: no such preset, or a fault in the file.
pub fn load_patch(name: impl AsRef<OsStr>) -> Result<Patch, CliError> {
    load_patch_and_files(name).map(|loaded| loaded.patch)
}

/// As [`load_patch`], with the files that were read.
pub fn load_patch_and_files(name: impl AsRef<OsStr>) -> Result<LoadedPatch, CliError> {
    let (file, name) = (Path::new(name.as_ref()), name.as_ref().to_string_lossy());
    if let Some(entry) =
        preset_library::list(preset_library::folder().as_deref()).iter().find(|entry| entry.name.eq_ignore_ascii_case(&name))
    {
        return read_entry(entry);
    }
    if name.trim().is_empty() {
        return Err(CliError::new("the name of the preset is empty", "give a name from urto-cli presets list, or a file"));
    }
    if !is_standard_input(file) && !file.exists() && file.extension().is_none() && file.components().count() == 1 {
        return Err(unknown_preset(&name));
    }
    let text = preset_text(file, read_bytes(file)?)?;
    // files that a preset on standard input names are in the current folder
    let folder = if is_standard_input(file) { Some(Path::new("")) } else { file.parent() };
    let (mut patch, notes) = read_in(folder, &text).map_err(|fault| CliError::at(file, &fault))?;
    print_notes(&name, &notes);
    name_after(&mut patch, file);
    Ok(LoadedPatch { patch, files: files_read(file, folder, &text) })
}

/// The text of the preset in the content of `file`: a text, or a state that a host has saved.
fn preset_text(file: &Path, bytes: Vec<u8>) -> Result<String, CliError> {
    match host_state::patch_text(&bytes) {
        Some(text) => Ok(text),
        None if host_state::is_no_text(file, &bytes) => {
            let problem = "damaged, or neither a preset nor a saved state of Urto";
            Err(CliError::about(file, problem, "give a preset in TOML as UTF-8 text, or save the state again"))
        }
        None => text_in(file, bytes),
    }
}

/// The patch of a MIDI program change; `None` if there is no preset with that number.
pub fn load_program(number: u8) -> Option<Result<LoadedPatch, CliError>> {
    preset_library::list(preset_library::folder().as_deref()).get(usize::from(number)).map(read_entry)
}

fn read_entry(entry: &PresetEntry) -> Result<LoadedPatch, CliError> {
    let (patch, notes) = entry.read().map_err(library_error)?;
    print_notes(&entry.name, &notes);
    let files = match &entry.source {
        Source::BuiltIn(_) => Vec::new(),
        Source::File(file) => files_read(file, file.parent(), &read_text(file)?),
    };
    Ok(LoadedPatch { patch, files })
}

/// `file` with the preset `text`, and the recordings in `folder` that it names.
fn files_read(file: &Path, folder: Option<&Path>, text: &str) -> Vec<PathBuf> {
    let recordings = recordings_named_in(text).into_iter().map(|name| folder.unwrap_or(Path::new("")).join(name));
    std::iter::once(file.to_owned()).chain(recordings).collect()
}

fn print_notes(name: &str, notes: &[TextError]) {
    notes.iter().for_each(|note| print_note(format_args!("{name}, {note}.")));
}

/// The message for an error of the preset library.
pub fn library_error(error: LibraryError) -> CliError {
    CliError::sentence(error)
}

/// The folder of the user's presets. Errors: the system has no home folder.
pub fn preset_folder() -> Result<std::path::PathBuf, CliError> {
    let remedy = || format!("set the environment variable {}", preset_library::HOME_VARIABLE);
    preset_library::folder().ok_or_else(|| CliError::new("there is no home folder", remedy()))
}

fn unknown_preset(name: &str) -> CliError {
    let all = preset_library::list(preset_library::folder().as_deref());
    let near = or_nearest(name, all.iter().map(|entry| entry.name.as_str()));
    if near.is_empty() {
        let names: Vec<_> = all.iter().map(|entry| format!("\"{}\"", entry.name)).collect();
        return CliError::new(
            format_args!("no preset \"{name}\""),
            format_args!("the presets are {}; or give a file", names.join(", ")),
        );
    }
    CliError::new(format_args!("no preset \"{name}\"{near}"), "urto-cli presets list lists all of them, or give a file")
}

/// Refuses a body that is a list of modes where there is no list: the engine would play one mode in its place. Errors: such a body.
pub fn check_modes(patch: &Patch) -> Result<(), CliError> {
    let lacks = |settings: &ParamValues, modes: &[ListedMode]| {
        modes.is_empty() && settings.get(ParamId::Body) == BodyKind::Modes as usize as f64
    };
    let lacking = if patch.zones.is_empty() {
        lacks(&patch.settings, &patch.modes).then_some(&patch.name)
    } else {
        patch.zones.iter().find(|zone| lacks(&zone.settings, &zone.modes)).map(|zone| &zone.name)
    };
    let Some(name) = lacking else { return Ok(()) };
    let name = if name.is_empty() { "the patch" } else { name };
    let remedy = "give a preset with sections [[modes]], or choose another body type, for example bar";
    Err(CliError::new(format_args!("{name}: the body type modes needs a list of modes, and there is none"), remedy))
}

/// Names a patch without a name after its file.
pub fn name_after(patch: &mut Patch, file: &Path) {
    if patch.name.is_empty() && !is_standard_input(file) {
        patch.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
}

/// Sets one parameter from the argument of `--set`, `id=value`. Errors: no such parameter, or a value out of its range.
pub fn set(settings: &mut ParamValues, given: &str) -> Result<(), CliError> {
    let fault = |problem: String, remedy: &str| CliError::new(format_args!("--set {given}: {problem}"), remedy);
    let (id, value) = given.split_once('=').ok_or_else(|| fault("no value".into(), "write it as id=value"))?;
    let unknown = || {
        let near = or_nearest(id, PARAMS.iter().map(|param| param.id));
        fault(format!("no parameter \"{id}\"{near}"), "urto-cli params lists them")
    };
    let param = ParamId::from_id(id.trim()).ok_or_else(unknown)?;
    put(settings, param, value, format_args!("--set {given}"))
}

/// Sets one parameter to the text `value`; the error names `option`. Errors: a value out of range.
pub fn put(settings: &mut ParamValues, param: ParamId, value: &str, option: impl fmt::Display) -> Result<(), CliError> {
    let spec = param.spec();
    let fault = |(problem, remedy): (String, String)| {
        let example = match spec.scale {
            Scale::Choice(_) => String::new(),
            _ => format!(", for example {}", value_text::show(spec, spec.default).replace('−', "-")),
        };
        CliError::new(format_args!("{option}: {problem}"), format_args!("{remedy}{example}"))
    };
    settings.set(param, value_of(spec, value.trim()).map_err(fault)?);
    Ok(())
}

/// The options that set the tuning.
#[derive(Args, Clone, Default)]
pub struct TuningOptions {
    /// Scala scale file, or the name of a built-in scale; `tune list` lists them.
    #[arg(long, value_name = "FILE.scl|NAME")]
    pub scale: Option<OsString>,
    /// Scala key map file.
    #[arg(long, value_name = "FILE.kbm")]
    pub keymap: Option<PathBuf>,
    /// Concert pitch, as `--set concert_pitch`: the frequency of the A that is 440 Hz by default. KEY=HZ sets the frequency of one key
    /// instead, and replaces the reference of the key map: 69=442 or A4=442.
    #[arg(long, value_name = "HZ|KEY=HZ", allow_hyphen_values = true)]
    reference: Option<Reference>,
    /// Octave stretch around the reference key, -100 to 100 cents, as `--set stretch`.
    #[arg(long, value_name = "CENTS", allow_hyphen_values = true)]
    stretch: Option<String>,
}

/// The argument of `--reference`.
#[derive(Clone)]
enum Reference {
    ConcertPitch(String),
    Key(ReferencePitch),
}

impl FromStr for Reference {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains('=') { text.parse().map(Self::Key) } else { Ok(Self::ConcertPitch(text.to_owned())) }
    }
}

impl TuningOptions {
    /// The input files, scale and key map.
    pub fn files(&self) -> [Option<&Path>; 2] {
        [self.scale.as_deref().filter(|scale| built_in(scale).is_none()).map(Path::new), self.keymap.as_deref()]
    }

    /// Applies the options to the tuning of `patch`. Errors: a file that cannot be read, a fault in it, a value out of range.
    pub fn apply(&self, patch: &mut Patch) -> Result<(), CliError> {
        let mut source = patch.tuning.source().clone();
        if let Some(scale) = &self.scale {
            source.scale = match built_in(scale) {
                Some(name) => name.to_owned(),
                None => self.read_scale(Path::new(scale))?,
            };
        }
        if let Some(file) = &self.keymap {
            source.map = Some(read_text_of_any_age(file)?);
        }
        match &self.reference {
            Some(Reference::Key(reference)) => {
                source.reference = Some(*reference);
                patch.settings.set(ParamId::ConcertPitch, ParamId::ConcertPitch.spec().default);
            }
            Some(Reference::ConcertPitch(hertz)) => set_tuning(patch, ParamId::ConcertPitch, "--reference", hertz)?,
            None => {}
        }
        if let Some(cents) = &self.stretch {
            set_tuning(patch, ParamId::Stretch, "--stretch", cents)?;
        }
        patch.tuning = PatchTuning::new(source).map_err(|(part, fault)| self.error(part, &fault))?;
        Ok(())
    }

    /// The text of a scale file, ending in a line break: without one it would be a name.
    fn read_scale(&self, file: &Path) -> Result<String, CliError> {
        if !is_standard_input(file) && !file.exists() && file.extension().is_none() && file.components().count() == 1 {
            let names: Vec<_> = SCALES.iter().map(|(name, _)| *name).collect();
            let remedy = format!("the built-in scales are {}; or give a file", names.join(", "));
            let near = or_nearest(&file.to_string_lossy(), names.iter().copied());
            return Err(CliError::new(format_args!("no scale \"{}\"{near}", file.display()), remedy));
        }
        Ok(read_text_of_any_age(file)? + "\n")
    }

    fn error(&self, part: SourcePart, fault: &TextError) -> CliError {
        match (part, self.files()) {
            (SourcePart::Scale, [Some(file), _]) | (SourcePart::Map, [_, Some(file)]) => CliError::at(file, fault),
            (SourcePart::Reference, _) => CliError::new(format_args!("--reference: {}", fault.problem), &fault.remedy),
            _ => CliError::new(&fault.problem, &fault.remedy),
        }
    }
}

fn set_tuning(patch: &mut Patch, param: ParamId, option: &str, text: &str) -> Result<(), CliError> {
    put(&mut patch.settings, param, text, format_args!("{option} {text}"))
}

/// The name of the built-in scale that `name` gives in upper or lower case.
fn built_in(name: &OsStr) -> Option<&'static str> {
    SCALES.iter().map(|(built_in, _)| *built_in).find(|built_in| name.eq_ignore_ascii_case(built_in))
}
