//! The bundled plugin in hosts that others have built: DawDreamer and pedalboard, from a Python environment in `target/hosts/`.

use crate::place::{self, Place};
use crate::{bundle, command_line, setup};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is installed, with versions, relative to the root.
const REQUIREMENTS: &str = "tests/external_hosts/requirements.txt";

/// Bundles the plugin and runs `tests/external_hosts/` on it, beside the command line, without a display.
pub fn run(place: &Place) -> Result<()> {
    let python = environment(place)?;
    let bundles = bundle::run(place)?;
    let program = command_line::build(place)?;
    place::run(Command::new(python).env_remove("DISPLAY").arg("tests/external_hosts/run.py").arg(&bundles.vst3).arg(program))?;
    println!("Neither host loads CLAP; `cargo xtask test` plays the CLAP in clack-host.");
    Ok(())
}

/// The environment's Python; what is required is installed when it is not there yet, or when its list has changed.
fn environment(place: &Place) -> Result<PathBuf> {
    let folder = place.output("hosts")?;
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (wanted, installed) = (place.root.join(REQUIREMENTS), folder.join("requirements.txt"));
    if python.exists() && is_same(&wanted, &installed) {
        return Ok(python);
    }
    let system = setup::python()?;
    println!("setting up Python with DawDreamer and pedalboard (once, over the network)");
    place::run(Command::new(system).args(["-m", "venv", "--clear"]).arg(&folder))?;
    place::run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement", REQUIREMENTS])).with_context(
        || "the hosts come from pypi.org: this needs the network, and a Python for which DawDreamer is built (3.11 to 3.14)",
    )?;
    fs::copy(wanted, installed).context("cannot write into target/hosts")?;
    Ok(python)
}

fn is_same(wanted: &Path, installed: &Path) -> bool {
    fs::read(installed).is_ok_and(|installed| fs::read(wanted).is_ok_and(|wanted| wanted == installed))
}
