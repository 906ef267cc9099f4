//! The standalone program, which needs no host.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use crate::setup;
use anyhow::{Result, bail, ensure};
use std::path::PathBuf;
use std::process::Command;

/// Builds the program with JACK, ALSA and MIDI and starts it with the arguments after `--`. `options` are the arguments of the
/// task.
pub fn run(paths: &Paths, options: &[String]) -> Result<()> {
    let arguments = program_arguments(options)?;
    run_command(Command::new(build(paths)?).args(arguments))
}

/// Builds the program after installing its requirements. Returns its path.
pub fn build(paths: &Paths) -> Result<PathBuf> {
    setup::build()?;
    setup::standalone()?;
    println!("building the standalone program; the first build takes some minutes");
    let features = ["--no-default-features", "--features", "standalone"];
    run_command(
        cargo().current_dir(&paths.root).args(["build", "--package", "urto", "--bin", "urto", "--release"]).args(features),
    )?;
    let program = paths.target.join("release").join(format!("urto{}", std::env::consts::EXE_SUFFIX));
    ensure!(program.exists(), "cargo has not written {}", program.display());
    Ok(program)
}

/// The arguments after `--`.
fn program_arguments(options: &[String]) -> Result<&[String]> {
    match options {
        [] => Ok(&[]),
        [dashes, rest @ ..] if dashes == "--" => Ok(rest),
        other => bail!("write arguments of the program after two dashes: `cargo xtask standalone -- {}`", other.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_the_program_need_two_dashes() {
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(program_arguments(&[]).unwrap().is_empty());
        assert_eq!(program_arguments(&split("-- --backend dummy")).unwrap(), split("--backend dummy"));
        let error = program_arguments(&split("--backend dummy")).unwrap_err().to_string();
        assert!(error.contains("cargo xtask standalone -- --backend dummy"), "{error}");
    }
}
