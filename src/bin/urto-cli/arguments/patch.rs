//! Patches that arguments name: built-in presets, the user's presets, preset files, and states that hosts have saved.

use std::path::Path;

use urto_engine::formats::TextError;
use urto_engine::patch::{LibraryError, Patch, PresetEntry, preset_library, read_in};

use crate::io::CliError;
use crate::io::error::{print_note, read_text};
use crate::io::host_state;

/// The patch that `--preset` names: a built-in preset, one of the user's, or a file. Errors: no such preset, or a fault in the file.
pub fn load_patch(name: &str) -> Result<Patch, CliError> {
    if let Some(entry) =
        preset_library::list(preset_library::folder().as_deref()).iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    {
        return read_entry(entry);
    }
    let file = Path::new(name);
    if !file.exists() && file.extension().is_none() && file.components().count() == 1 {
        return Err(unknown_preset(name));
    }
    let text = std::fs::read(file).ok().and_then(|bytes| host_state::patch_text(&bytes)).map_or_else(|| read_text(file), Ok)?;
    let (mut patch, notes) = read_in(file.parent(), &text).map_err(|fault| CliError::at(file, &fault))?;
    print_notes(name, &notes);
    name_after(&mut patch, file);
    Ok(patch)
}

/// The patch of a MIDI program change; `None` if there is no preset with that number.
pub fn load_program(number: u8) -> Option<Result<Patch, CliError>> {
    preset_library::list(preset_library::folder().as_deref()).get(usize::from(number)).map(read_entry)
}

fn read_entry(entry: &PresetEntry) -> Result<Patch, CliError> {
    let (patch, notes) = entry.read().map_err(library_error)?;
    print_notes(&entry.name, &notes);
    Ok(patch)
}

fn print_notes(name: &str, notes: &[TextError]) {
    notes.iter().for_each(|note| print_note(format_args!("{name}, {note}.")));
}

/// The message for an error of the preset library.
pub fn library_error(error: LibraryError) -> CliError {
    match error {
        LibraryError::File(file, error) => CliError::about(&file, error, "check folder and permissions"),
        LibraryError::Text(file, fault) => CliError::at(&file, &fault),
        LibraryError::Name(problem, remedy) => CliError::new(problem, remedy),
    }
}

/// The folder of the user's presets. Errors: the system has no home folder.
pub fn preset_folder() -> Result<std::path::PathBuf, CliError> {
    preset_library::folder().ok_or_else(|| CliError::new("there is no home folder", "set the environment variable HOME"))
}

fn unknown_preset(name: &str) -> CliError {
    let all = preset_library::list(preset_library::folder().as_deref());
    let names: Vec<_> = all.iter().map(|entry| format!("\"{}\"", entry.name)).collect();
    CliError::new(format_args!("no preset \"{name}\""), format_args!("there are {}; or give a file", names.join(", ")))
}

/// Names a patch without a name after its file.
pub fn name_after(patch: &mut Patch, file: &Path) {
    if patch.name.is_empty() {
        patch.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
}
