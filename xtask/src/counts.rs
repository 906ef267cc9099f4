//! Instructions of the kernels: figures that repeat, where times on a busy machine do not.
//!
//! Valgrind runs the cases of `benches/cost` as on a processor with AVX2 and without AVX-512, whatever the machine has beyond that, so
//! that every machine takes the same way through code which looks what there is. Of a run with twice the rounds the same run is
//! taken off: what is left are the rounds, without what made them ready.

use crate::place::{Place, cargo, typed};
use crate::setup;
use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Cases that are counted.
const CASES: [&str; 7] = [
    YARDSTICK,
    "ring_stereo_64",
    "ring_stereo_1024",
    "contact_substep_64",
    "contact_sample_64_p16",
    "offset_sample_64",
    "retune_64",
];

/// Rounds that are taken off.
const ROUNDS: u64 = 4;

const YARDSTICK: &str = "yardstick_64";

/// Modes of the yardstick, and how many instructions each may take for a sample: fewer would be vectorised, more slowed down.
const YARDSTICK_MODES: f64 = 64.0;
const YARDSTICK_SPAN: (f64, f64) = (10.0, 24.0);

/// Part by which a count may be larger than the one in the file.
const MARGIN: f64 = 0.05;

const HEAD: &str = "\
# Instructions of a sample or a call, as valgrind counts them on a processor with AVX2; see docs/performance.md.
# `cargo xtask counts` compares, `cargo xtask counts --renew` writes this file.
";

/// Counts, and compares with what the file says. Where nothing can be counted it says so and passes.
pub fn check(place: &Place) -> Result<()> {
    if !setup::counting()? {
        return Ok(());
    }
    let (stored, counted) = (stored(place)?, count(place)?);
    println!("{:<24} {:>12} {:>12} {:>8}", "case", "instructions", "before", "change");
    let mut missed = Vec::new();
    for (key, &count) in &counted {
        let before = *stored.get(key).with_context(|| format!("{}: there is no `{key}`", file(place).display()))?;
        let change = count / before - 1.0;
        println!("{key:<24} {count:>12.1} {before:>12.1} {:>7.1}%", 100.0 * change);
        if change > MARGIN {
            missed.push(key.as_str());
        } else if change < -MARGIN {
            println!("{key} takes less than before: `cargo xtask counts --renew` holds it there");
        }
    }
    hold_yardstick(&counted)?;
    if !missed.is_empty() {
        let (all, file) = (missed.join(", "), file(place));
        bail!(
            "{all}: more than {} % over {}; if that is meant, or the compiler is another one, run `cargo xtask counts --renew`",
            100.0 * MARGIN,
            file.display()
        );
    }
    Ok(())
}

/// Counts, and writes the file anew.
pub fn renew(place: &Place) -> Result<()> {
    if !setup::counting()? {
        bail!("nothing can be counted here");
    }
    let counted = count(place)?;
    hold_yardstick(&counted)?;
    let lines: String = CASES.iter().map(|&key| format!("{key} = {:.1}\n", counted[key])).collect();
    std::fs::write(file(place), format!("{HEAD}{lines}"))?;
    println!("wrote {}", file(place).display());
    Ok(())
}

/// The yardstick is what it says: a scalar bank, neither vectorised nor slowed down.
fn hold_yardstick(counted: &BTreeMap<String, f64>) -> Result<()> {
    let each = counted.get(YARDSTICK).context("the yardstick is counted")? / YARDSTICK_MODES;
    println!("the yardstick takes {each:.1} instructions a mode and sample");
    if !(YARDSTICK_SPAN.0..=YARDSTICK_SPAN.1).contains(&each) {
        bail!("the yardstick takes {each:.1} instructions a mode and sample, not {} to {}", YARDSTICK_SPAN.0, YARDSTICK_SPAN.1);
    }
    Ok(())
}

fn file(place: &Place) -> PathBuf {
    place.root.join("benches").join("counts.toml")
}

/// What the file says.
fn stored(place: &Place) -> Result<BTreeMap<String, f64>> {
    let path = file(place);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is no list of counts", path.display()))
}

/// Instructions of a unit of every case.
fn count(place: &Place) -> Result<BTreeMap<String, f64>> {
    let program = build(place)?;
    let each = |&key: &&str| {
        let (once, twice) = (run(&program, key, ROUNDS)?, run(&program, key, 2 * ROUNDS)?);
        anyhow::Ok((key.to_owned(), (twice.0 - once.0) / (twice.1 - once.1)))
    };
    CASES.iter().map(each).collect()
}

/// Builds the benchmark without the floors above the engine; where the program is.
fn build(place: &Place) -> Result<PathBuf> {
    let mut command = cargo();
    command.current_dir(&place.root).args(["bench", "--package", "urto", "--no-default-features", "--bench", "cost"]);
    command.args(["--no-run", "--message-format=json-render-diagnostics"]);
    println!("$ {}", typed(&command));
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().context("the output is piped")?;
    let mut program = None;
    for message in Message::parse_stream(BufReader::new(output)) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.target.name == "cost"
        {
            program = artifact.executable.map(Into::into);
        }
    }
    if !child.wait()?.success() {
        bail!("`{}` failed", typed(&command));
    }
    program.context("cargo has built no benchmark")
}

/// Instructions and units of so many rounds.
fn run(program: &Path, key: &str, rounds: u64) -> Result<(f64, f64)> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.arg(program).args(["--count", &rounds.to_string(), key]);
    let output = command.output().context("cannot start valgrind")?;
    let told = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("`{}` failed:\n{told}", typed(&command));
    }
    let units = String::from_utf8_lossy(&output.stdout);
    Ok((refs(&told).context("valgrind has counted nothing")?, units.trim().parse()?))
}

/// The instructions in what cachegrind tells.
fn refs(told: &str) -> Option<f64> {
    told.lines().find_map(|line| line.split_once("refs:")?.1.trim().replace(',', "").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cachegrind_is_understood() {
        let told = "==7== Cachegrind, a cache and branch-prediction profiler\n==7== \n==7== I   refs:      19,210,748\n";
        assert_eq!(refs(told), Some(19_210_748.0));
        assert_eq!(refs("==7== Process terminating"), None);
    }
}
