//! Lets cargo-fuzz look for files and events that break a claim of `tests/fuzz_claims`.

use crate::place::{Place, answers, run as run_command};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The targets, and the files of the repository from which each starts.
const TARGETS: [(&str, &[&str]); 7] = [
    ("preset", &["assets/presets", "assets/kits", "assets/demo", "engine/tests/engine/preset_regression"]),
    ("scala", &["assets/scales"]),
    ("midi", &["assets/demo"]),
    ("wav", &["assets/demo"]),
    ("case", &["fuzz/seeds"]),
    ("events", &["assets/demo"]),
    ("state", &["engine/tests/engine/preset_regression"]),
];
/// How long each runs where nothing else is said [s].
const SECONDS: &str = "600";

/// Runs the target named in `options`, or all of them, each for `--seconds N`. Errors: what it has found.
pub fn run(place: &Place, options: &[String]) -> Result<()> {
    let (mut seconds, mut chosen) = (SECONDS.to_owned(), Vec::new());
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option.as_str() {
            "--seconds" => seconds = options.next().context("--seconds: give their number")?.clone(),
            name if TARGETS.iter().any(|(target, _)| *target == name) => chosen.push(name),
            other => bail!("`{other}` is no target; there are {}", TARGETS.map(|(name, _)| name).join(", ")),
        }
    }
    if !answers(&mut cargo_fuzz()) {
        bail!(
            "cargo-fuzz is missing; please type\n\n    rustup toolchain install nightly && cargo install cargo-fuzz\n\nand run this again"
        );
    }
    for (target, seeds) in TARGETS.iter().filter(|(target, _)| chosen.is_empty() || chosen.contains(target)) {
        let corpus = place.root.join("fuzz").join("corpus").join(target);
        fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
        for folder in *seeds {
            seed(&place.root.join(folder), &corpus)?;
        }
        let mut command = cargo_fuzz();
        command.current_dir(&place.root).args(["run", target]);
        if *target == "state" {
            command.args(["--features", "plugin"]);
        }
        run_command(command.args(["--", "-timeout=60", "-rss_limit_mb=4096"]).arg(format!("-max_total_time={seconds}")))?;
    }
    Ok(())
}

/// `cargo +nightly fuzz`: nightly by rustup, which the cargo that runs this task may not be.
fn cargo_fuzz() -> Command {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz"]).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    command
}

/// Copies the files below `folder` to where the fuzzer starts.
fn seed(folder: &Path, corpus: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry?.path();
        if path.is_dir() {
            seed(&path, corpus)?;
        } else if let Some(name) = path.file_name() {
            fs::copy(&path, corpus.join(name)).with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    Ok(())
}
