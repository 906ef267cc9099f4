//! The soak test at its full length.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use anyhow::Result;

/// Renders an hour of the session of `engine/tests/engine/soak`, faster than real time.
pub fn run(paths: &Paths) -> Result<()> {
    println!(
        "soak test: renders an hour of music in 30 to 60 minutes; random automation changes every parameter, and the test checks the \
         energy balance of every step"
    );
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_SOAK_MINUTES", "60");
    run_command(command.args(["test", "--package", "urto-engine", "--test", "engine", "--", "soak", "--nocapture"]))
}
