//! `modes from-file`: a patch from the modes in a file.

use std::path::PathBuf;

use clap::Args;
use urto_engine::import::{Form, from_text};
use urto_engine::patch::to_toml;

use crate::arguments::name_after;
use crate::commands::mode_table::ModeTable;
use crate::io::CliError;
use crate::io::error::read_text;
use crate::io::output_file::{check_distinct, write_text};

/// Makes a patch from the modes in a TOML, JSON or CSV file.
#[derive(Args)]
pub struct FromFile {
    /// File of modes: .toml, .json, .csv or .tsv.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Writes the patch, for `render --preset`.
    #[arg(long, value_name = "PATCH.toml")]
    out: Option<PathBuf>,
    /// Prints the modes as one JSON object with all digits.
    #[arg(long)]
    json: bool,
}

impl FromFile {
    /// Prints the modes of the home key and writes the patch. Errors: a file that is missing, invalid or cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        check_distinct(&[Some(&self.file)], &[self.out.as_deref()])?;
        let extension = self.file.extension().unwrap_or_default().to_string_lossy();
        let Some(form) = Form::of_extension(&extension) else {
            return Err(CliError::about(
                &self.file,
                "unknown type of file",
                "give a name that ends in .toml, .json, .csv or .tsv",
            ));
        };
        let text = read_text(&self.file)?;
        let mut patch = from_text(&text, form).map_err(|fault| CliError::at(&self.file, &fault))?;
        name_after(&mut patch, &self.file);
        if let Some(out) = &self.out {
            write_text(out, &to_toml(&patch))?;
        }
        ModeTable::at_home(&patch).print(self.json)
    }
}
