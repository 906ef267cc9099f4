//! Fingerprints of the presets, which detect unintended changes of sound.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use anyhow::Result;

/// Computes and stores the fingerprints of all presets, and prints the presets whose sound has changed.
pub fn renew(paths: &Paths) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_FINGERPRINTS", "1");
    command.args(["test", "--package", "urto-engine", "--test", "engine", "presets_sound", "--", "--nocapture"]);
    run_command(&mut command)
}
