//! The checks of the repository, in parts and tiers.

mod journal;
mod launcher;
mod options;
mod program;
mod runner;
mod steps;
mod times;
mod totals;

use crate::build::Artifacts;
use crate::paths::Paths;
use crate::setup;
use anyhow::{Result, bail};
use journal::Journal;
pub use launcher::Launcher;
use options::Options;
pub use options::{HELP, Part, Tier};
use program::TestProgram;
pub use runner::{Outcome, TestResult};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;
pub use times::Times;
use totals::{TimedTest, Totals};

/// Number of slowest tests that a run prints at its end.
const SLOWEST: usize = 10;

/// Runs the checks that `arguments` select. Errors: a check that fails, with the command that repeats it.
pub fn run(paths: &Paths, arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let mut times = Times::read(paths);
    if options.list {
        list(&options, &times);
        return Ok(());
    }
    let start = Instant::now();
    let mut totals = Totals::default();
    let features = set_up(&options, &mut totals)?;
    let result = run_parts(paths, &options, features, &mut times, &mut totals);
    times.write(paths)?;
    print_totals(&options, &mut totals, start);
    result
}

fn print_totals(options: &Options, totals: &mut Totals, start: Instant) {
    println!("\nthe {SLOWEST} slowest tests:");
    totals.timed_tests.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    totals.timed_tests.iter().take(SLOWEST).for_each(|test| println!("{:8.1} s  {}", test.seconds, test.name));
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    let parts = options.parts.iter().map(|part| part.name()).collect::<Vec<_>>().join(", ");
    let build_minutes = totals.build_seconds / 60.0;
    println!("\n{} tier ({parts}): {minutes:.1} min, of which {build_minutes:.1} min building", options.tier.name());
    println!("{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped);
}

/// Installs the requirements of the checks as far as possible. Returns the features of the library that this machine can build.
/// The tests of the standalone program count as one skipped test if it cannot be built.
fn set_up(options: &Options, totals: &mut Totals) -> Result<&'static str> {
    setup::build()?;
    setup::lints()?;
    if options.includes(Part::Editor) {
        setup::optional("tests of windows", setup::virtual_display());
        setup::optional("the test of screen readers", setup::accessibility_bus());
    }
    if setup::optional("the standalone program and its tests", setup::standalone()) {
        return Ok("plugin,cli,standalone");
    }
    totals.skipped += 1;
    Ok("plugin,cli")
}

fn run_parts(paths: &Paths, options: &Options, features: &str, times: &mut Times, totals: &mut Totals) -> Result<()> {
    let mut steps = steps::Steps { paths, options, features, times, totals };
    steps.before_tests()?;
    let built = build_tests(paths, options, features, steps.totals)?;
    run_tests(&built, options, steps.times, steps.totals)?;
    steps.after_tests(&built)?;
    if steps.totals.failed > 0 {
        bail!("{} tests failed; the command that repeats each of them is printed above", steps.totals.failed);
    }
    Ok(())
}

/// Builds the test programs of the selected parts; nothing if these have none.
fn build_tests(paths: &Paths, options: &Options, features: &str, totals: &mut Totals) -> Result<Artifacts> {
    if options.parts.iter().all(|part| part.build_targets().is_empty()) {
        return Ok(Artifacts::none());
    }
    let start = Instant::now();
    println!("\n== building the tests");
    let arguments = build_arguments(options, features);
    let built = Artifacts::build(paths, &arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
    let seconds = start.elapsed().as_secs_f64();
    println!("== building the tests: {seconds:.0} s");
    totals.build_seconds += seconds;
    Ok(built)
}

/// Runs the selected tests in parallel and counts their results.
fn run_tests(built: &Artifacts, options: &Options, times: &mut Times, totals: &mut Totals) -> Result<()> {
    let start = Instant::now();
    let is_chosen = |part, _: &str| options.includes(part);
    for result in run_programs(built, &Launcher::default(), options.tier, times, is_chosen)? {
        match result.outcome {
            Outcome::Passed => totals.passed += 1,
            Outcome::Failed => totals.failed += 1,
            Outcome::Skipped => totals.skipped += 1,
        }
        times.record(options.tier, result.part, &result.name, result.seconds);
        totals.timed_tests.push(TimedTest { name: result.name, seconds: result.seconds });
    }
    println!("== tests: {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs the tests that `is_chosen` selects by part and full name, started by `launcher`; `times`: those of earlier runs. A failed test prints its output
/// and the command that repeats it. Errors: a program that cannot be started.
pub fn run_programs(
    built: &Artifacts,
    launcher: &Launcher,
    tier: Tier,
    times: &Times,
    is_chosen: impl Fn(Part, &str) -> bool,
) -> Result<Vec<TestResult>> {
    runner::run(&select(built, launcher, is_chosen)?, tier, times, |_, _| Ok(()))
}

/// The same in the everyday tier, without tests that the journal in `file` says have passed; it gets those that pass now. Their results are returned too.
/// Errors: also a file that cannot be written.
pub fn resume_programs(
    built: &Artifacts,
    launcher: &Launcher,
    times: &Times,
    is_chosen: impl Fn(Part, &str) -> bool,
    file: PathBuf,
) -> Result<Vec<TestResult>> {
    let (mut programs, mut journal) = (select(built, launcher, is_chosen)?, Journal::at(file));
    let mut results = journal.take_passed(&mut programs)?;
    if !results.is_empty() {
        let file = journal.file().display();
        println!("{} of them passed in an earlier run of the same programs; the list is {file}", results.len());
    }
    results.extend(runner::run(&programs, Tier::Everyday, times, |program, results| journal.add(program, results))?);
    Ok(results)
}

/// The test programs with the tests that `is_chosen` selects.
fn select(built: &Artifacts, launcher: &Launcher, is_chosen: impl Fn(Part, &str) -> bool) -> Result<Vec<TestProgram>> {
    let mut programs = Vec::new();
    for artifact in built.tests() {
        programs.extend(TestProgram::select(artifact, launcher, &is_chosen)?);
    }
    let count: usize = programs.iter().map(|program| program.tests.len()).sum();
    println!("\n== {count} tests in {} programs", programs.len());
    Ok(programs)
}

/// Arguments of cargo that build all test programs of the selected parts.
fn build_arguments(options: &Options, features: &str) -> Vec<String> {
    let mut arguments: Vec<String> = ["test", "--no-run"].map(String::from).into();
    if options.is_everything() {
        // the instructions of the benchmark are counted in its test build
        arguments.extend(["--workspace", "--lib", "--bins", "--tests", "--bench", "cost"].map(String::from));
        arguments.extend(["--features".to_owned(), features.to_owned()]);
        return arguments;
    }
    // parts share packages, and cargo refuses some options that are given twice
    let targets: BTreeSet<&str> = options.parts.iter().flat_map(|part| part.build_targets()).copied().collect();
    arguments.extend(targets.iter().flat_map(|target| target.split(' ')).map(str::to_owned));
    // cargo refuses a target whose required features are missing
    if options.includes(Part::Plugin) && features.contains("standalone") {
        arguments.extend(["--test", "standalone"].map(String::from));
    }
    if targets.contains("--package urto") {
        arguments.extend([
            "--features".to_owned(),
            features.split(',').map(|name| format!("urto/{name}")).collect::<Vec<_>>().join(","),
        ]);
    }
    arguments
}

/// Prints the parts with their content and their times in the last run of each tier.
fn list(options: &Options, times: &Times) {
    println!("{:<14} {:>10} {:>10} {:>10}  checks", "part", "everyday", "thorough", "nightly");
    for part in &options.parts {
        let time = |tier| times.part_seconds(tier, *part).map_or("-".to_owned(), |seconds| format!("{seconds:.0} s"));
        let [everyday, thorough, nightly] = Tier::ALL.map(time);
        println!("{:<14} {everyday:>10} {thorough:>10} {nightly:>10}  {}", part.name(), part.description());
    }
    println!("\nTimes are from the last run on this machine, summed over parallel processes; `-` means no run yet.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_package_are_built_together() {
        let options = Options { tier: Tier::Everyday, parts: vec![Part::Plugin, Part::Editor], list: false };
        let arguments = build_arguments(&options, "plugin,cli");
        let count = |wanted: &str| arguments.iter().filter(|argument| *argument == wanted).count();
        assert_eq!((count("--lib"), count("--package"), count("plugin"), count("editor_windows")), (1, 2, 1, 1), "{arguments:?}");
    }
}
