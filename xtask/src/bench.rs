//! What ringing, contact and whole engines cost, beside a yardstick that any machine can run.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use anyhow::{Result, bail};

/// Runs `benches/cost` optimised: the figures whose names have one of the parts in `options`, or all; `--json FILE` keeps them.
/// `--plots` draws how the cost grows instead.
pub fn run(paths: &Paths, options: &[String]) -> Result<()> {
    if options == ["--editor"] {
        return crate::frame_timing::run(paths);
    }
    let mut command = cargo();
    command.current_dir(&paths.root).args(["bench", "--package", "urto", "--no-default-features", "--features", "plugin"]);
    command.args(["--bench", "cost", "--"]);
    let parts = match options {
        [flag, file, parts @ ..] if flag == "--json" => {
            command.arg("--json").arg(std::path::absolute(file)?);
            parts
        }
        [flag] if flag == "--plots" => {
            command.arg("--plots").arg(paths.root.join("docs").join("images").join("performance"));
            &[]
        }
        parts => parts,
    };
    if let Some(other) = parts.iter().find(|part| part.starts_with('-')) {
        bail!(
            "`cargo xtask bench` takes `--editor`, `--plots`, or `--json FILE` and parts of the names of figures, but got `{other}`"
        );
    }
    run_command(command.args(parts))
}
