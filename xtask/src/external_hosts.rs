//! The bundled plugin in DawDreamer and pedalboard, from a Python environment in `target/hosts/`.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::{bundle, command_line, setup};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Python packages with versions, relative to the root.
const REQUIREMENTS: &str = "tests/external_hosts/requirements.txt";

/// Bundles the plugin and compares it with the command line in both hosts, without a display.
pub fn run(paths: &Paths) -> Result<()> {
    let python = environment(paths)?;
    let bundles = bundle::run(paths)?;
    let program = command_line::build(paths)?;
    run_command(Command::new(python).env_remove("DISPLAY").arg("tests/external_hosts/run.py").arg(&bundles.vst3).arg(program))?;
    println!("These hosts load VST3 only; `cargo xtask test` plays the CLAP in clack-host.");
    Ok(())
}

/// Path of the environment's Python. Creates the environment if it is missing or if the requirements have changed.
fn environment(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.output("hosts")?;
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (required, installed) = (paths.root.join(REQUIREMENTS), folder.join("requirements.txt"));
    if python.exists() && have_same_content(&required, &installed) {
        return Ok(python);
    }
    let system = setup::python()?;
    println!("installing DawDreamer and pedalboard into target/hosts; this needs the network once");
    run_command(Command::new(system).args(["-m", "venv", "--clear"]).arg(&folder))?;
    run_command(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement", REQUIREMENTS])).with_context(
        || "cannot install from pypi.org: check the network, and use a Python for which DawDreamer is built (3.11 to 3.14)",
    )?;
    fs::copy(required, installed).context("cannot write target/hosts/requirements.txt")?;
    Ok(python)
}

fn have_same_content(first: &Path, second: &Path) -> bool {
    fs::read(second).is_ok_and(|second| fs::read(first).is_ok_and(|first| first == second))
}
