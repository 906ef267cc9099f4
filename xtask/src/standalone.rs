//! The program that needs no host.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use crate::setup;
use anyhow::{Result, bail, ensure};
use std::path::PathBuf;
use std::process::Command;

/// Builds the standalone program with JACK, ALSA and MIDI and starts it; `options` are the words of the task, of which those
/// behind `--` are handed on.
pub fn run(paths: &Paths, options: &[String]) -> Result<()> {
    let handed_on = handed_on(options)?;
    run_command(Command::new(build(paths)?).args(handed_on))
}

/// Builds the program, with what that needs; where it is.
pub fn build(paths: &Paths) -> Result<PathBuf> {
    setup::build()?;
    setup::standalone()?;
    println!("building the standalone program (some minutes the first time)");
    let features = ["--no-default-features", "--features", "standalone"];
    run_command(
        cargo().current_dir(&paths.root).args(["build", "--package", "urto", "--bin", "urto", "--release"]).args(features),
    )?;
    let program = paths.target.join("release").join(format!("urto{}", std::env::consts::EXE_SUFFIX));
    ensure!(program.exists(), "the program was built, but {} is not there", program.display());
    Ok(program)
}

/// What stands behind `--`.
fn handed_on(options: &[String]) -> Result<&[String]> {
    match options {
        [] => Ok(&[]),
        [dashes, rest @ ..] if dashes == "--" => Ok(rest),
        other => bail!("options of the program stand behind two dashes: `cargo xtask standalone -- {}`", other.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_two_dashes_are_handed_on_and_others_refused() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(handed_on(&[]).unwrap().is_empty());
        assert_eq!(handed_on(&words("-- --backend dummy")).unwrap(), words("--backend dummy"));
        let complaint = handed_on(&words("--backend dummy")).unwrap_err().to_string();
        assert!(complaint.contains("cargo xtask standalone -- --backend dummy"), "{complaint}");
    }
}
