//! `presets`: what is built in, and where a preset comes from.

use std::path::Path;

use clap::Subcommand;
use serde::Serialize;
use urto::engine::patch::Patch;
use urto::engine::preset::{BUILT_IN, built_in, from_toml};

use crate::complaint::{Complaint, print, read_text};

/// Lists the built-in presets, or shows one as text.
#[derive(Subcommand)]
pub enum Presets {
    /// Lists the built-in presets.
    List {
        /// One JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Shows a preset as TOML, ready to be changed and given to `render --preset`.
    Show {
        /// Name of a built-in preset, upper or lower case.
        name: String,
    },
}

#[derive(Serialize)]
struct Row {
    name: String,
    author: String,
    tags: Vec<String>,
    description: String,
}

impl Presets {
    /// Prints the list or the preset.
    pub fn run(&self) -> Result<(), Complaint> {
        match self {
            Presets::List { json } => list(*json),
            Presets::Show { name } => match find(name) {
                Some((text, _)) => print(text),
                None => Err(unknown(name)),
            },
        }
    }
}

/// The patch that `--preset` names: a built-in name, else a file. Errors: neither, or a fault in the file.
pub fn load(name: &str) -> Result<Patch, Complaint> {
    if let Some((_, patch)) = find(name) {
        return Ok(patch);
    }
    let file = Path::new(name);
    if !file.exists() && file.extension().is_none() && file.components().count() == 1 {
        return Err(unknown(name));
    }
    let mut patch = from_toml(&read_text(file)?).map_err(|fault| Complaint::at(file, &fault))?;
    if patch.name.is_empty() {
        patch.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(patch)
}

fn find(name: &str) -> Option<(&'static str, Patch)> {
    BUILT_IN.iter().copied().zip(built_in()).find(|(_, patch)| patch.name.eq_ignore_ascii_case(name))
}

fn unknown(name: &str) -> Complaint {
    let names: Vec<_> = built_in().map(|patch| format!("\"{}\"", patch.name)).collect();
    Complaint::new(format_args!("no preset \"{name}\""), format_args!("built in are {}; or give a file", names.join(", ")))
}

fn list(json: bool) -> Result<(), Complaint> {
    let rows = built_in().map(|Patch { name, author, tags, description, .. }| Row { name, author, tags, description });
    if json {
        let text = serde_json::to_string_pretty(&rows.collect::<Vec<_>>()).expect("plain texts");
        return print(&(text + "\n"));
    }
    print(&rows.map(|row| format!("{:<18} {}\n", row.name, row.description)).collect::<String>())
}
