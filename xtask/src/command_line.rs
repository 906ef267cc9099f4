//! The command-line program `urto-cli` in the release profile.

use crate::commands::{cargo, run};
use crate::paths::Paths;
use anyhow::Result;
use std::path::PathBuf;

/// Builds the program without the plugin. Returns its path.
pub fn build(paths: &Paths) -> Result<PathBuf> {
    let features = ["--no-default-features", "--features", "cli"];
    run(cargo().current_dir(&paths.root).args(["build", "--package", "urto", "--bin", "urto-cli", "--release"]).args(features))?;
    Ok(paths.target.join("release").join(format!("urto-cli{}", std::env::consts::EXE_SUFFIX)))
}
