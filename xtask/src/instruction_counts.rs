//! Instructions of the kernels: figures that repeat, where times on a busy machine do not.
//!
//! Valgrind runs the cases of `benches/cost` as on a processor with AVX2 and without AVX-512, whatever the machine has beyond that, so
//! that every machine takes the same way through code which looks what there is. Of a run with twice the rounds the same run is
//! taken off: what is left are the rounds, without what made them ready.

use crate::build::Artifacts;
use crate::commands::command_text;
use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Cases that are counted in the build of the tests, which has no optimisation across crates.
const TEST_BUILD: [&str; 2] = ["ring_stereo_64", "contact_substep_64"];

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

/// What `benches/counts.toml` holds: instructions by case.
#[derive(Default)]
struct Stored {
    /// Of the release build.
    release: BTreeMap<String, f64>,
    /// Of the build of the tests.
    test_build: BTreeMap<String, f64>,
}

/// Counts, and compares with what the file says. Errors: what counting needs; a count that has grown.
pub fn check(paths: &Paths) -> Result<()> {
    setup::valgrind()?;
    let (stored, counted) = (stored(paths)?, count(&release(paths)?, &CASES)?);
    compare(paths, &stored.release, &counted)?;
    hold_yardstick(&counted)
}

/// Compares counts with the stored ones. Errors: a count that has grown by more than the margin.
fn compare(paths: &Paths, stored: &BTreeMap<String, f64>, counted: &BTreeMap<String, f64>) -> Result<()> {
    println!("{:<24} {:>12} {:>12} {:>8}", "case", "instructions", "before", "change");
    let mut missed = Vec::new();
    for (key, &count) in counted {
        let before = *stored.get(key).with_context(|| format!("{}: there is no `{key}`", file(paths).display()))?;
        let change = count / before - 1.0;
        println!("{key:<24} {count:>12.1} {before:>12.1} {:>7.1}%", 100.0 * change);
        if change > MARGIN {
            missed.push(key.as_str());
        } else if change < -MARGIN {
            println!("{key} takes less than before: `cargo xtask counts --renew` holds it there");
        }
    }
    if !missed.is_empty() {
        let (all, file) = (missed.join(", "), file(paths));
        bail!(
            "{all}: more than {} % over {}; if that is meant, or the compiler is another one, run `cargo xtask counts --renew`",
            100.0 * MARGIN,
            file.display()
        );
    }
    Ok(())
}

/// Counts the cases of `TEST_BUILD` in the benchmark that was built with the tests, and compares with the table `test_build` of the
/// file. Errors: a count that has grown.
pub fn check_built(paths: &Paths, built: &Artifacts) -> Result<()> {
    compare(paths, &stored(paths)?.test_build, &count(&built.bench("cost")?, &TEST_BUILD)?)
}

/// Counts, and writes the file anew.
pub fn renew(paths: &Paths) -> Result<()> {
    setup::valgrind()?;
    let release = count(&release(paths)?, &CASES)?;
    hold_yardstick(&release)?;
    let arguments = ["test", "--no-run", "--package", "urto", "--bench", "cost"];
    let test_build = count(&Artifacts::build(paths, &arguments)?.bench("cost")?, &TEST_BUILD)?;
    let lines = |counts: &BTreeMap<String, f64>, cases: &[&str]| -> String {
        cases.iter().map(|&key| format!("{key} = {:.1}\n", counts[key])).collect()
    };
    let text = format!("{HEAD}{}\n[test_build]\n{}", lines(&release, &CASES), lines(&test_build, &TEST_BUILD));
    std::fs::write(file(paths), text)?;
    println!("wrote {}", file(paths).display());
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

fn file(paths: &Paths) -> PathBuf {
    paths.root.join("benches").join("counts.toml")
}

/// What the file says. Errors: a file that cannot be read, or a count that is not a number.
fn stored(paths: &Paths) -> Result<Stored> {
    let path = file(paths);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let table: toml::Table = toml::from_str(&text).with_context(|| format!("{} is not valid TOML", path.display()))?;
    let numbers = |table: &toml::Table| {
        let number = |(key, value): (&String, &toml::Value)| Some((key.clone(), value.as_float()?));
        table.iter().filter_map(number).collect::<BTreeMap<_, _>>()
    };
    let test_build = table.get("test_build").and_then(toml::Value::as_table).map(numbers).unwrap_or_default();
    Ok(Stored { release: numbers(&table), test_build })
}

/// Instructions of a unit of each case.
fn count(program: &Path, cases: &[&str]) -> Result<BTreeMap<String, f64>> {
    let each = |&key: &&str| {
        let (once, twice) = (run(program, key, ROUNDS)?, run(program, key, 2 * ROUNDS)?);
        anyhow::Ok((key.to_owned(), (twice.0 - once.0) / (twice.1 - once.1)))
    };
    cases.iter().map(each).collect()
}

/// The benchmark of physics and engine, built as a release.
fn release(paths: &Paths) -> Result<PathBuf> {
    let arguments = ["bench", "--package", "urto", "--no-default-features", "--bench", "cost", "--no-run"];
    Artifacts::build(paths, &arguments)?.bench("cost")
}

/// Instructions and units of so many rounds.
fn run(program: &Path, key: &str, rounds: u64) -> Result<(f64, f64)> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.arg(program).args(["--count", &rounds.to_string(), key]);
    let output = command.output().context("cannot start valgrind")?;
    let told = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("`{}` failed:\n{told}", command_text(&command));
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
