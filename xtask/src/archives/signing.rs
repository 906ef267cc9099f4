//! Signatures of plugins and programs, by a program that the release workflow provides.

use crate::commands::run as run_command;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// Variable with the program that signs the file or bundle in its argument.
const VARIABLE: &str = "URTO_SIGN";

/// Signs each file, or says that nothing is signed. Errors: the program fails.
pub fn sign(files: &[PathBuf]) -> Result<()> {
    let Some(program) = std::env::var_os(VARIABLE) else {
        println!("plugins and programs are not signed: {VARIABLE} names no program");
        return Ok(());
    };
    for file in files {
        run_command(Command::new(&program).arg(file)).with_context(|| format!("cannot sign {}", file.display()))?;
    }
    Ok(())
}
