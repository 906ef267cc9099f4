//! Exports of `urto-cli export` in FluidSynth and in parsers of SFZ from a Python environment in `target/samplers/`.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::{command_line, python_environment, setup};
use anyhow::Result;
use std::process::Command;

/// Python packages with versions, relative to the root.
const REQUIREMENTS: &str = "tests/samplers/requirements.txt";

/// Size of the exports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// Three keys and two velocities.
    Small,
    /// Five octaves, four velocities, three round robins.
    Large,
}

/// Exports a marimba and a kit in every format, plays and parses them. Errors: a missing program, or a difference from Urto's own notes.
pub fn run(paths: &Paths, size: Size) -> Result<()> {
    setup::fluidsynth()?;
    let python = python_environment::provide(paths, "samplers", REQUIREMENTS)?;
    let program = command_line::build(paths)?;
    let mut tests = Command::new(python);
    tests.arg("tests/samplers/run.py").arg(program).arg(paths.output("samplers/exports")?);
    if size == Size::Large {
        tests.arg("--large");
    }
    run_command(&mut tests)
}
