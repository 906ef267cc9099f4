//! What ringing, contact and whole engines cost, beside a yardstick that any machine can run.

use crate::place::{Place, cargo, run as run_command};
use anyhow::{Result, bail};

/// Runs `benches/cost` optimised: the figures whose names have one of the parts in `options`, or all; `--json FILE` keeps them.
pub fn run(place: &Place, options: &[String]) -> Result<()> {
    if options == ["--editor"] {
        return crate::frames::run(place);
    }
    let (file, parts) = match options {
        [flag, file, parts @ ..] if flag == "--json" => (Some(file), parts),
        parts => (None, parts),
    };
    if let Some(other) = parts.iter().find(|part| part.starts_with('-')) {
        bail!("`cargo xtask bench` takes `--editor`, or `--json FILE` and parts of the names of figures, but got `{other}`");
    }
    let mut command = cargo();
    command.current_dir(&place.root).args(["bench", "--package", "urto", "--no-default-features", "--features", "plugin"]);
    command.args(["--bench", "cost", "--"]);
    if let Some(file) = file {
        command.arg("--json").arg(std::path::absolute(file)?);
    }
    run_command(command.args(parts))
}
