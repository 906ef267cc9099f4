//! `modes from-file`: a patch of modes that stand in a file.

use std::path::{Path, PathBuf};

use clap::Args;
use urto_engine::import::{Form, from_text};
use urto_engine::patch::Patch;
use urto_engine::patch::to_toml;

use crate::commands::modes::Table;
use crate::io::Complaint;
use crate::io::Draft;
use crate::io::error::read_text;
use crate::io::output_file::spare;

/// Makes a patch of modes that stand in a TOML, JSON or CSV file.
#[derive(Args)]
pub struct FromFile {
    /// File of modes; its name ends in .toml, .json, .csv or .tsv.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Writes the patch, to be given to `render --preset`.
    #[arg(long, value_name = "PATCH.toml")]
    out: Option<PathBuf>,
    /// Shows the modes as one JSON object with every digit.
    #[arg(long)]
    json: bool,
}

impl FromFile {
    /// Shows the modes of the home key and writes the patch. Errors: a file that is missing or wrong, a place that cannot be written.
    pub fn run(&self) -> Result<(), Complaint> {
        spare(&[Some(&self.file)], &[self.out.as_deref()])?;
        let extension = self.file.extension().unwrap_or_default().to_string_lossy();
        let Some(form) = Form::of_extension(&extension) else {
            let problem = "the end of the name does not tell what form the file has";
            return Err(Complaint::about(&self.file, problem, "name it .toml, .json or .csv"));
        };
        let text = read_text(&self.file)?;
        let mut patch = from_text(&text, form).map_err(|fault| Complaint::at(&self.file, &fault))?;
        name(&mut patch, &self.file);
        if let Some(out) = &self.out {
            write(&patch, out)?;
        }
        Table::at_home(&patch).show(self.json)
    }
}

/// A patch without a name is named as the file that it comes from.
pub fn name(patch: &mut Patch, file: &Path) {
    if patch.name.is_empty() {
        patch.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
}

/// Writes `patch` to `place`, whole or not at all.
pub fn write(patch: &Patch, place: &Path) -> Result<(), Complaint> {
    let (draft, file) = Draft::create(place)?;
    draft.fill(file, &to_toml(patch))
}
