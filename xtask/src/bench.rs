//! The benchmark: times of ringing, contacts and whole engines relative to a reference cost.

use crate::commands::{cargo, run as run_command};
use crate::frame_timing;
use crate::paths::Paths;
use anyhow::{Result, bail};

/// Runs `benches/cost` in the bench profile. Without `options` it prints all figures. Parts of names select figures; `--json
/// FILE` also writes them to a file. `--plots` draws the scaling plots instead, `--editor` times frames of the editor.
pub fn run(paths: &Paths, options: &[String]) -> Result<()> {
    if options == ["--editor"] {
        return frame_timing::run(paths);
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
            "unexpected argument `{other}`; `cargo xtask bench` takes `--editor`, `--plots`, or `--json FILE` and parts of the names \
             of figures, for example `cargo xtask bench --json cost.json ring_stereo`"
        );
    }
    run_command(command.args(parts))
}
