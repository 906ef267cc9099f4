//! Figures and tables of `docs/papers/`, written by the tests that assert them.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use anyhow::Result;

/// Runs the tests of the papers in the mode in which they write figures and tables.
pub fn run(paths: &Paths) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_FIGURES", "1");
    command.args(["test", "--package", "urto-physics", "--test", "physics", "papers"]);
    run_command(&mut command)?;
    println!("wrote figures and tables to {}", paths.root.join("docs").join("papers").display());
    Ok(())
}
