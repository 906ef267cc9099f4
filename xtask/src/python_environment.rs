//! Python environments below the target folder with pinned packages.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Path of the Python of the environment `name`. Creates the environment if it is missing or if `requirements`, a file relative to the
/// root, has changed.
pub fn provide(paths: &Paths, name: &str, requirements: &str) -> Result<PathBuf> {
    let folder = paths.output(name)?;
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (required, installed) = (paths.root.join(requirements), folder.join("requirements.txt"));
    if python.exists() && have_same_content(&required, &installed) {
        return Ok(python);
    }
    let system = setup::python()?;
    println!("installing the packages of {requirements} into target/{name}; this needs the network once");
    run_command(Command::new(system).args(["-m", "venv", "--clear"]).arg(&folder))?;
    run_command(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement", requirements]))
        .context("cannot install from pypi.org: check the network, and use Python 3.11 to 3.14")?;
    fs::copy(required, &installed).with_context(|| format!("cannot write {}", installed.display()))?;
    Ok(python)
}

fn have_same_content(first: &Path, second: &Path) -> bool {
    fs::read(second).is_ok_and(|second| fs::read(first).is_ok_and(|first| first == second))
}
