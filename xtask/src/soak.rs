//! An hour of everything at once.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use anyhow::Result;

/// Plays the session of `engine/tests/engine/soak` for an hour of music, as fast as it goes.
pub fn run(paths: &Paths) -> Result<()> {
    println!(
        "an hour of music takes half an hour to an hour to play: dice turn every knob, and every step is booked and checked"
    );
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_SOAK_MINUTES", "60");
    run_command(command.args(["test", "--package", "urto-engine", "--test", "engine", "--", "soak", "--nocapture"]))
}
