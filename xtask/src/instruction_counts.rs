//! Instruction counts of the kernels, which repeat exactly where times on a busy machine do not.
//!
//! Valgrind runs the cases of `benches/cost` on a simulated processor with AVX2 and without AVX-512. Code that selects its path
//! by processor features therefore takes the same path on every machine. Each case runs with N and with 2 N rounds; the
//! difference of the two counts excludes the preparation.

use crate::build::Artifacts;
use crate::commands::{cargo, command_text, not_incremental};
use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cases counted in the release build.
const CASES: [&str; 7] = [
    REFERENCE,
    "ring_stereo_64",
    "ring_stereo_1024",
    "contact_substep_64",
    "contact_sample_64_p16",
    "offset_sample_64",
    "retune_64",
];

/// Cases counted in the test build, which has no optimisation across crates.
const TEST_BUILD_CASES: [&str; 2] = ["ring_stereo_64", "contact_substep_64"];

/// Number of units into which cargo divides physics in a build that is not incremental. Stated, it gives the artifacts names of their own, so that
/// those of incremental builds are not used.
const OWN_ARTIFACTS: &str = "profile.dev.package.urto-physics.codegen-units=16";

/// Rounds of the shorter run of a case.
const ROUNDS: u64 = 4;

/// Case of the reference cost.
const REFERENCE: &str = "yardstick_64";

/// Modes of the reference resonators.
const REFERENCE_MODES: f64 = 64.0;

/// Instructions per mode and sample of the reference resonators: fewer if they are vectorised, more if they are slowed down.
const REFERENCE_LIMITS: RangeInclusive<f64> = 10.0..=24.0;

/// Largest allowed increase over a stored count, relative to it.
const MARGIN: f64 = 0.05;

const HEADER: &str = "\
# Instructions per sample or call, counted by valgrind on a processor with AVX2; see docs/performance.md.
# The table `test_build` contains the counts of the test build, which has no optimisation across crates.
# `cargo xtask counts` compares the counts; `cargo xtask counts --renew` writes this file.
";

/// Instructions per sample or call, by case.
type Counts = BTreeMap<String, f64>;

/// Content of `benches/counts.toml`.
#[derive(Default)]
struct StoredCounts {
    release: Counts,
    test_build: Counts,
}

/// Total of one run.
struct RunTotal {
    instructions: f64,
    /// Samples or calls.
    units: f64,
}

/// Counts the release build and compares with the stored counts. Errors: a missing requirement; a count above its margin.
pub fn check(paths: &Paths) -> Result<()> {
    setup::valgrind()?;
    let (stored, counted) = (read_stored(paths)?, count_cases(&build_release(paths)?, &CASES)?);
    compare(paths, &stored.release, &counted)?;
    check_reference(&counted)
}

/// Compares counts with stored counts. Errors: counts above their margin.
fn compare(paths: &Paths, stored: &Counts, counted: &Counts) -> Result<()> {
    println!("{:<24} {:>12} {:>12} {:>8}", "case", "instructions", "stored", "change");
    let mut exceeded = Vec::new();
    for (key, &count) in counted {
        let before = *stored.get(key).with_context(|| {
            format!("{}: `{key}` is missing; add it with `cargo xtask counts --renew`", stored_file(paths).display())
        })?;
        let change = count / before - 1.0;
        println!("{key:<24} {count:>12.1} {before:>12.1} {:>7.1}%", 100.0 * change);
        if change > MARGIN {
            exceeded.push(key.as_str());
        } else if change < -MARGIN {
            println!("{key} has improved; store the new count with `cargo xtask counts --renew`");
        }
    }
    if !exceeded.is_empty() {
        bail!(
            "{}: more than {} % above {}; if this is intended, or the compiler is a different one, run `cargo xtask counts --renew`",
            exceeded.join(", "),
            100.0 * MARGIN,
            stored_file(paths).display()
        );
    }
    Ok(())
}

/// Counts the cases of the test build in `bench` and compares them with the table `test_build`. Errors: counts above their margin.
pub fn check_test_build(paths: &Paths, bench: &Path) -> Result<()> {
    compare(paths, &read_stored(paths)?.test_build, &count_cases(bench, &TEST_BUILD_CASES)?)
}

/// Builds the benchmark in the dev profile, not incrementally: incremental builds inline less, and count up to 18 % more. Returns its path.
pub fn build_test(paths: &Paths, features: &str) -> Result<PathBuf> {
    let mut command = not_incremental(cargo());
    command.current_dir(&paths.root).args(["test", "--no-run", "--package", "urto", "--bench", "cost"]);
    command.args(["--no-default-features", "--features", features, "--config", OWN_ARTIFACTS]);
    Artifacts::build_with(command)?.bench("cost")
}

/// Counts both builds and writes the file.
pub fn renew(paths: &Paths) -> Result<()> {
    setup::valgrind()?;
    let release = count_cases(&build_release(paths)?, &CASES)?;
    check_reference(&release)?;
    let test_build = count_cases(&build_test(paths, "plugin,cli")?, &TEST_BUILD_CASES)?;
    let lines = |counts: &Counts, cases: &[&str]| -> String {
        cases.iter().map(|&key| format!("{key} = {:.1}\n", counts[key])).collect()
    };
    let text = format!("{HEADER}{}\n[test_build]\n{}", lines(&release, &CASES), lines(&test_build, &TEST_BUILD_CASES));
    std::fs::write(stored_file(paths), text)?;
    println!("wrote {}", stored_file(paths).display());
    Ok(())
}

/// Checks that the compiler neither vectorises nor slows down the reference resonators: all ratios refer to them.
fn check_reference(counted: &Counts) -> Result<()> {
    let per_mode = counted.get(REFERENCE).context("the reference case has not been counted")? / REFERENCE_MODES;
    println!("the reference resonators take {per_mode:.1} instructions per mode and sample");
    if !REFERENCE_LIMITS.contains(&per_mode) {
        bail!(
            "{REFERENCE}: {per_mode:.1} instructions per mode and sample; allowed are {} to {}",
            REFERENCE_LIMITS.start(),
            REFERENCE_LIMITS.end()
        );
    }
    Ok(())
}

fn stored_file(paths: &Paths) -> PathBuf {
    paths.root.join("benches").join("counts.toml")
}

/// Reads the file; values that are not floating-point numbers are ignored. Errors: a file that cannot be read or is not TOML.
fn read_stored(paths: &Paths) -> Result<StoredCounts> {
    let path = stored_file(paths);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let table: toml::Table = toml::from_str(&text).with_context(|| format!("{} is not valid TOML", path.display()))?;
    let numbers = |table: &toml::Table| {
        let number = |(key, value): (&String, &toml::Value)| Some((key.clone(), value.as_float()?));
        table.iter().filter_map(number).collect::<Counts>()
    };
    let test_build = table.get("test_build").and_then(toml::Value::as_table).map(numbers).unwrap_or_default();
    Ok(StoredCounts { release: numbers(&table), test_build })
}

/// Instructions per sample or call of each case.
fn count_cases(program: &Path, cases: &[&str]) -> Result<Counts> {
    let count_case = |&key: &&str| {
        let (short, long) = (run_case(program, key, ROUNDS)?, run_case(program, key, 2 * ROUNDS)?);
        anyhow::Ok((key.to_owned(), (long.instructions - short.instructions) / (long.units - short.units)))
    };
    cases.iter().map(count_case).collect()
}

/// Builds the benchmark in the bench profile. Returns its path.
fn build_release(paths: &Paths) -> Result<PathBuf> {
    let arguments = ["bench", "--package", "urto", "--no-default-features", "--features", "simd", "--bench", "cost", "--no-run"];
    Artifacts::build(paths, &arguments)?.bench("cost")
}

/// Runs a case for a number of rounds under valgrind.
fn run_case(program: &Path, key: &str, rounds: u64) -> Result<RunTotal> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.arg(program).args(["--count", &rounds.to_string(), key]);
    let output = command.output().context("cannot start valgrind")?;
    let summary = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("`{}` failed:\n{summary}", command_text(&command));
    }
    let instructions = parse_instructions(&summary)
        .with_context(|| format!("`{}`: the output contains no count of instructions", command_text(&command)))?;
    let units = String::from_utf8_lossy(&output.stdout).trim().parse()?;
    Ok(RunTotal { instructions, units })
}

/// The number in cachegrind's line `I refs: 19,210,748`.
fn parse_instructions(summary: &str) -> Option<f64> {
    summary.lines().find_map(|line| line.split_once("refs:")?.1.trim().replace(',', "").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_cachegrind_is_parsed() {
        let summary = "==7== Cachegrind, a cache and branch-prediction profiler\n==7== \n==7== I   refs:      19,210,748\n";
        assert_eq!(parse_instructions(summary), Some(19_210_748.0));
        assert_eq!(parse_instructions("==7== Process terminating"), None);
    }
}
