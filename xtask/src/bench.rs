//! The cost of a ringing body and of a contact, beside a yardstick that any machine can run.

use crate::place::{Place, cargo, run as run_command};
use anyhow::{Result, bail};

/// Runs `benches/cost.rs` optimised; `--json FILE` keeps the figures.
pub fn run(place: &Place, options: &[String]) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&place.root).args(["bench", "--package", "urto", "--no-default-features", "--bench", "cost"]);
    match options {
        [] => {}
        [flag, file] if flag == "--json" => {
            command.args(["--", "--json"]).arg(std::path::absolute(file)?);
        }
        other => bail!("`cargo xtask bench` takes `--json FILE` or nothing, but got `{}`", other.join(" ")),
    }
    run_command(&mut command)
}
