//! `presets`: lists, shows, saves, exports and measures presets.

use std::io::Write;
use std::path::{Path, PathBuf};
use urto_engine::patch::factory_texts;

use clap::Subcommand;
use serde::Serialize;
use urto_engine::patch::{Patch, PitchReference, PresetEntry, Source, all, preset_library, to_toml};

use crate::arguments::{library_error, load_patch, preset_folder};
use crate::commands::presets_check;
use crate::commands::presets_render_all;
use crate::io::CliError;
use crate::io::PendingFile;
use crate::io::error::print;
use crate::io::host_state;

/// Lists presets, shows one as text, or saves one in the user's folder.
#[derive(Subcommand)]
pub enum Presets {
    /// Lists the built-in presets and those in the user's folder, in the order of MIDI program numbers.
    List {
        /// Prints one JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Prints a preset as TOML in the current schema. Edit it and pass it to `render --preset`.
    Show {
        /// Name of a preset, in upper or lower case, or a TOML file.
        #[arg(value_name = "NAME|FILE")]
        name: String,
    },
    /// Saves a preset in the user's folder, in the current schema; replaces a preset of the same name.
    Save {
        /// Name of a preset, or a TOML file.
        #[arg(value_name = "NAME|FILE")]
        name: String,
        /// New name; without it the preset keeps its name.
        #[arg(long = "as", value_name = "NAME")]
        new: Option<String>,
    },
    /// Writes a preset for hosts: a VST3 preset file if the name ends in `.vstpreset`, else a CLAP state.
    Export {
        /// Name of a preset, a TOML file, or a state that a host has saved.
        #[arg(value_name = "NAME|FILE")]
        name: String,
        /// Output file.
        #[arg(value_name = "OUT")]
        out: PathBuf,
    },
    /// Measures presets on their home keys: loudness, peaks, contact times, strongest partial, brightness, duration.
    Check {
        /// Names of presets, or TOML files; without one, all built-in presets.
        #[arg(value_name = "NAME|FILE")]
        names: Vec<String>,
        /// Prints one JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Renders soft, medium and hard strikes on the home key of each built-in preset, one WAV file for each.
    RenderAll {
        /// Folder for the files, numbered as listed; created if missing.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Prints the path of the user's folder, which need not exist.
    Path,
}

#[derive(Serialize)]
struct Row {
    /// Number of the MIDI program change, from 0.
    program: usize,
    name: String,
    family: String,
    /// Whether its keys have a pitch; null if unknown.
    pitched: Option<bool>,
    author: String,
    tags: Vec<String>,
    description: String,
    /// Its file; null for a built-in preset.
    file: Option<String>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

impl Presets {
    /// Runs the subcommand. Errors: no such preset, a fault in it, or a file that cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        match self {
            Presets::List { json } => list(*json),
            Presets::Show { name } => match all().position(|patch| patch.name.eq_ignore_ascii_case(name)) {
                Some(index) => print(factory_texts::text(index).unwrap_or_default()),
                None => print(&to_toml(&load_patch(name)?)),
            },
            Presets::Save { name, new } => save(load_patch(name)?, new.as_deref()),
            Presets::Export { name, out } => export(&load_patch(name)?, out),
            Presets::Check { names, json } => presets_check::run(names, *json),
            Presets::RenderAll { out } => presets_render_all::render_all(out),
            Presets::Path => print(&format!("{}\n", preset_folder()?.display())),
        }
    }
}

fn save(mut patch: Patch, new: Option<&str>) -> Result<(), CliError> {
    if let Some(new) = new {
        patch.name = new.to_owned();
    }
    let file = preset_library::save(&preset_folder()?, &patch).map_err(library_error)?;
    print(&format!("{}\n", file.display()))
}

fn export(patch: &Patch, out: &Path) -> Result<(), CliError> {
    let is_vst3 = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vstpreset"));
    let bytes = if is_vst3 { host_state::vst_preset(&to_toml(patch)) } else { host_state::clap_state(&to_toml(patch)) };
    let (pending, mut file) = PendingFile::create(out)?;
    file.write_all(&bytes).map_err(|error| CliError::unwritable(out, &error))?;
    drop(file);
    pending.publish()?;
    print(&format!("{}\n", out.display()))
}

fn row((program, entry): (usize, PresetEntry)) -> Row {
    let file = match &entry.source {
        Source::BuiltIn(_) => None,
        Source::File(file) => Some(file.display().to_string()),
    };
    let (Patch { author, family, pitch, tags, description, .. }, fault) = match entry.read() {
        Ok((patch, _)) => (patch, None),
        Err(error) => (Patch::default(), Some(error.to_string())),
    };
    let pitched = pitch.map(|pitch| pitch != PitchReference::No);
    Row { program, name: entry.name, family, pitched, author, tags, description, file, fault }
}

fn list(json: bool) -> Result<(), CliError> {
    let rows = preset_library::list(preset_library::folder().as_deref()).into_iter().enumerate().map(row);
    if json {
        let text = serde_json::to_string_pretty(&rows.collect::<Vec<_>>()).expect("plain texts");
        return print(&(text + "\n"));
    }
    let line = |row: Row| {
        let description = row.fault.map_or(row.description, |fault| format!("cannot be read: {fault}"));
        format!("{:<24} {:<25} {description}", row.name, row.family).trim_end().to_owned() + "\n"
    };
    print(&rows.map(line).collect::<String>())
}
