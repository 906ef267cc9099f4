//! Writes the figures and tables of `docs/papers/` from the tests that assert them.

use crate::paths::{Place, cargo, run as run_command};
use anyhow::Result;

/// Runs the papers' tests with the pen in hand.
pub fn run(place: &Place) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&place.root).env("URTO_FIGURES", "1");
    command.args(["test", "--package", "urto-physics", "--test", "physics", "papers"]);
    run_command(&mut command)?;
    println!("written to {}", place.root.join("docs").join("papers").display());
    Ok(())
}

/// Takes the fingerprints of all presets anew, and says which sound otherwise.
pub fn fingerprints(place: &Place) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&place.root).env("URTO_FINGERPRINTS", "1");
    command.args(["test", "--package", "urto-engine", "--test", "engine", "presets_sound", "--", "--nocapture"]);
    run_command(&mut command)
}
