//! Fuzzing: cargo-fuzz searches for files and events that violate a claim of `tests/fuzz_claims`.

use crate::commands::{is_installed, run as run_command};
use crate::paths::{Paths, copy};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A fuzz target.
struct Target {
    name: &'static str,
    /// Folders whose files start the corpus, relative to the root.
    seeds: &'static [&'static str],
}

const TARGETS: [Target; 7] = [
    Target { name: "preset", seeds: &["assets/presets", "assets/kits", "assets/demo", "engine/tests/engine/preset_regression"] },
    Target { name: "scala", seeds: &["assets/scales"] },
    Target { name: "midi", seeds: &["assets/demo"] },
    Target { name: "wav", seeds: &["assets/demo"] },
    Target { name: "case", seeds: &["fuzz/seeds"] },
    Target { name: "events", seeds: &["assets/demo"] },
    Target { name: "state", seeds: &["engine/tests/engine/preset_regression"] },
];
/// Default time per target [s].
const SECONDS: &str = "600";

/// Runs the targets named in `options`, or all targets, each for `--seconds N`. Errors: an input that violates a claim.
pub fn run(paths: &Paths, options: &[String]) -> Result<()> {
    let (mut seconds, mut selected) = (SECONDS.to_owned(), Vec::new());
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option.as_str() {
            "--seconds" => {
                seconds = options.next().context("--seconds: a number is missing, for example `--seconds 60`")?.clone()
            }
            name if TARGETS.iter().any(|target| target.name == name) => selected.push(name),
            other => bail!("no fuzz target `{other}`; the targets are {}", TARGETS.map(|target| target.name).join(", ")),
        }
    }
    if !is_installed(&mut cargo_fuzz()) {
        bail!(
            "cargo-fuzz is missing; install it with\n\n    rustup toolchain install nightly && cargo install cargo-fuzz\n\nand try again"
        );
    }
    for target in TARGETS.iter().filter(|target| selected.is_empty() || selected.contains(&target.name)) {
        let corpus = paths.root.join("fuzz").join("corpus").join(target.name);
        fs::create_dir_all(&corpus).with_context(|| format!("cannot create {}", corpus.display()))?;
        for folder in target.seeds {
            copy_seeds(&paths.root.join(folder), &corpus)?;
        }
        let mut command = cargo_fuzz();
        command.current_dir(&paths.root).args(["run", target.name]);
        if target.name == "state" {
            command.args(["--features", "plugin"]);
        }
        run_command(command.args(["--", "-timeout=60", "-rss_limit_mb=4096"]).arg(format!("-max_total_time={seconds}")))?;
    }
    Ok(())
}

/// `cargo +nightly fuzz`. Only rustup's cargo understands `+nightly`, so the variables of the cargo that runs this task are
/// removed.
fn cargo_fuzz() -> Command {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz"]).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    command
}

/// Copies all files below `folder` into `corpus`, without subfolders.
fn copy_seeds(folder: &Path, corpus: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry?.path();
        if path.is_dir() {
            copy_seeds(&path, corpus)?;
        } else if let Some(name) = path.file_name() {
            copy(&path, &corpus.join(name))?;
        }
    }
    Ok(())
}
