//! `urto-cli`, as a release.

use crate::paths::{Place, cargo, run};
use anyhow::Result;
use std::path::PathBuf;

/// Builds it, without the plugin. Returns where it is.
pub fn build(place: &Place) -> Result<PathBuf> {
    let features = ["--no-default-features", "--features", "cli"];
    run(cargo().current_dir(&place.root).args(["build", "--package", "urto", "--bin", "urto-cli", "--release"]).args(features))?;
    Ok(place.target.join("release").join(format!("urto-cli{}", std::env::consts::EXE_SUFFIX)))
}
