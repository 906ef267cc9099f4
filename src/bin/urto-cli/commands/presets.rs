//! `presets`: what is built in, what the user has, and where a preset comes from.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use urto_engine::formats::TextError;
use urto_engine::patch::factory_texts;
use urto_engine::patch::preset_library;
use urto_engine::patch::{LibraryError, PresetEntry, Source};
use urto_engine::patch::{Patch, PitchReference};
use urto_engine::patch::{all, read_in, to_toml};

use crate::commands::presets_check;
use crate::commands::presets_render_all;
use crate::io::Complaint;
use crate::io::Draft;
use crate::io::error::{print, read_text, tell};
use crate::io::host_state;

/// Lists presets, shows one as text, or keeps one in the user's folder.
#[derive(Subcommand)]
pub enum Presets {
    /// Lists the built-in presets and those in the user's folder, in the order of MIDI program changes.
    List {
        /// One JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Shows a preset as TOML in the present schema, ready to be changed and given to `render --preset`.
    Show {
        /// Name of a preset, upper or lower case, or a TOML file.
        #[arg(value_name = "NAME|FILE")]
        name: String,
    },
    /// Keeps a preset in the user's folder, in the present schema; replaces one of the same name.
    Save {
        /// Name of a preset, or a TOML file.
        #[arg(value_name = "NAME|FILE")]
        name: String,
        /// Name to keep it under; its own without it.
        #[arg(long = "as", value_name = "NAME")]
        new: Option<String>,
    },
    /// Writes a preset as hosts load it: a preset file of VST3 if the name ends in `.vstpreset`, else the state of the CLAP.
    Export {
        /// Name of a preset, a TOML file, or what a host has saved.
        #[arg(value_name = "NAME|FILE")]
        name: String,
        /// The file to be written.
        #[arg(value_name = "OUT")]
        out: PathBuf,
    },
    /// Plays presets on their home keys: loudness, peaks, contact times, main partial, brightness, end.
    Check {
        /// Names of presets, or TOML files; all that are built in without one.
        #[arg(value_name = "NAME|FILE")]
        names: Vec<String>,
        /// One JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Plays a phrase with every built-in preset into a WAV file of its own: soft, medium, hard on its home key.
    RenderAll {
        /// Folder for the files, numbered as listed; made if it has to be.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Shows the user's folder, which need not exist.
    Path,
}

#[derive(Serialize)]
struct Row {
    /// Number of the MIDI program change, from 0.
    program: usize,
    name: String,
    family: String,
    /// Whether its keys have a pitch; null where it does not say.
    pitched: Option<bool>,
    author: String,
    tags: Vec<String>,
    description: String,
    /// Where it is; null if it is built in.
    file: Option<String>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

impl Presets {
    /// Prints the list, the preset or the place. Errors: no such preset, a fault in it, or a place that cannot be written.
    pub fn run(&self) -> Result<(), Complaint> {
        match self {
            Presets::List { json } => list(*json),
            Presets::Show { name } => match all().position(|patch| patch.name.eq_ignore_ascii_case(name)) {
                Some(place) => print(factory_texts::text(place).unwrap_or_default()),
                None => print(&to_toml(&load(name)?)),
            },
            Presets::Save { name, new } => save(load(name)?, new.as_deref()),
            Presets::Export { name, out } => export(&load(name)?, out),
            Presets::Check { names, json } => presets_check::run(names, *json),
            Presets::RenderAll { out } => presets_render_all::render_all(out),
            Presets::Path => print(&format!("{}\n", folder()?.display())),
        }
    }
}

/// The patch that `--preset` names: a built-in name, one of the user's, else a file. Errors: none of them, or a fault in the file.
pub fn load(name: &str) -> Result<Patch, Complaint> {
    if let Some(entry) =
        preset_library::list(preset_library::folder().as_deref()).iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    {
        return entry_patch(entry);
    }
    let file = Path::new(name);
    if !file.exists() && file.extension().is_none() && file.components().count() == 1 {
        return Err(unknown(name));
    }
    let text = std::fs::read(file).ok().and_then(|bytes| host_state::patch_text(&bytes)).map_or_else(|| read_text(file), Ok)?;
    let (mut patch, notes) = read_in(file.parent(), &text).map_err(|fault| Complaint::at(file, &fault))?;
    tell_notes(name, &notes);
    if patch.name.is_empty() {
        patch.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(patch)
}

/// The patch of a MIDI program change; nothing if there is none of that number.
pub fn program(number: u8) -> Option<Result<Patch, Complaint>> {
    preset_library::list(preset_library::folder().as_deref()).get(usize::from(number)).map(entry_patch)
}

fn entry_patch(entry: &PresetEntry) -> Result<Patch, Complaint> {
    let (patch, notes) = entry.read().map_err(complaint)?;
    tell_notes(&entry.name, &notes);
    Ok(patch)
}

fn tell_notes(name: &str, notes: &[TextError]) {
    notes.iter().for_each(|note| tell(format_args!("note: {name}, {note}.")));
}

fn complaint(trouble: LibraryError) -> Complaint {
    match trouble {
        LibraryError::File(place, error) => Complaint::about(&place, error, "check folder and permissions"),
        LibraryError::Text(place, fault) => Complaint::at(&place, &fault),
        LibraryError::Name(problem, remedy) => Complaint::new(problem, remedy),
    }
}

fn folder() -> Result<std::path::PathBuf, Complaint> {
    preset_library::folder().ok_or_else(|| Complaint::new("this system names no home folder", "set HOME"))
}

fn save(mut patch: Patch, new: Option<&str>) -> Result<(), Complaint> {
    if let Some(new) = new {
        patch.name = new.to_owned();
    }
    let place = preset_library::save(&folder()?, &patch).map_err(complaint)?;
    print(&format!("{}\n", place.display()))
}

fn export(patch: &Patch, out: &Path) -> Result<(), Complaint> {
    let is_vst3 = out.extension().is_some_and(|end| end.eq_ignore_ascii_case("vstpreset"));
    let bytes = if is_vst3 { host_state::vst_preset(&to_toml(patch)) } else { host_state::clap_state(&to_toml(patch)) };
    let (draft, mut file) = Draft::create(out)?;
    file.write_all(&bytes).map_err(|error| Complaint::unwritable(out, &error))?;
    drop(file);
    draft.publish()?;
    print(&format!("{}\n", out.display()))
}

fn unknown(name: &str) -> Complaint {
    let all = preset_library::list(preset_library::folder().as_deref());
    let names: Vec<_> = all.iter().map(|entry| format!("\"{}\"", entry.name)).collect();
    Complaint::new(format_args!("no preset \"{name}\""), format_args!("there are {}; or give a file", names.join(", ")))
}

fn row((program, entry): (usize, PresetEntry)) -> Row {
    let file = match &entry.source {
        Source::BuiltIn(_) => None,
        Source::File(file) => Some(file.display().to_string()),
    };
    let (Patch { author, family, pitch, tags, description, .. }, fault) = match entry.read() {
        Ok((patch, _)) => (patch, None),
        Err(trouble) => (Patch::default(), Some(trouble.to_string())),
    };
    let pitched = pitch.map(|pitch| pitch != PitchReference::No);
    Row { program, name: entry.name, family, pitched, author, tags, description, file, fault }
}

fn list(json: bool) -> Result<(), Complaint> {
    let rows = preset_library::list(preset_library::folder().as_deref()).into_iter().enumerate().map(row);
    if json {
        let text = serde_json::to_string_pretty(&rows.collect::<Vec<_>>()).expect("plain texts");
        return print(&(text + "\n"));
    }
    let line = |row: Row| {
        let about = row.fault.map_or(row.description, |fault| format!("cannot be read: {fault}"));
        format!("{:<24} {:<25} {about}", row.name, row.family).trim_end().to_owned() + "\n"
    };
    print(&rows.map(line).collect::<String>())
}
