//! The checks of the repository, in parts and tiers.

mod options;
mod program;
mod runner;
mod steps;
mod times;

use crate::build::Artifacts;
use crate::paths::Paths;
use crate::setup;
use anyhow::{Result, bail};
pub use options::{HELP, Options};
use options::{Part, Tier};
use program::TestProgram;
use runner::Outcome;
use std::time::Instant;
use times::Times;

/// Slowest tests that are named at the end of a run.
const SLOWEST: usize = 10;

/// Results of everything that was run.
#[derive(Default)]
struct Totals {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Seconds that building took.
    building: f64,
    /// Names and seconds of the tests.
    timed: Vec<(String, f64)>,
}

/// Runs the tests that `arguments` choose. Errors: a check that fails, with the command that repeats it.
pub fn run(paths: &Paths, arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let mut times = Times::read(paths);
    if options.list {
        list(&options, &times);
        return Ok(());
    }
    let begun = Instant::now();
    let mut totals = Totals::default();
    let features = set_up(&options, &mut totals)?;
    let result = run_parts(paths, &options, features, &mut times, &mut totals);
    times.write(paths)?;
    println!("\nthe {SLOWEST} slowest tests:");
    totals.timed.sort_by(|a, b| b.1.total_cmp(&a.1));
    totals.timed.iter().take(SLOWEST).for_each(|(name, seconds)| println!("{seconds:8.1} s  {name}"));
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    let parts = options.parts.iter().map(|part| part.name()).collect::<Vec<_>>().join(", ");
    println!("\n{} tier ({parts}): {minutes:.1} min, of which {:.1} min building", options.tier.name(), totals.building / 60.0);
    println!("{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped);
    result
}

/// Installs what the checks need where that is allowed. Returns the features of the library that can be built here; tests that cannot
/// be built count as one that is skipped.
fn set_up(options: &Options, totals: &mut Totals) -> Result<&'static str> {
    setup::build()?;
    setup::lints()?;
    if options.includes(Part::Editor) {
        setup::optional("tests of windows", setup::virtual_display());
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
        bail!("{} tests failed; the command that repeats each is printed with it", steps.totals.failed);
    }
    Ok(())
}

/// Builds the test programs that the chosen parts need; nothing where they need none.
fn build_tests(paths: &Paths, options: &Options, features: &str, totals: &mut Totals) -> Result<Artifacts> {
    if options.parts.iter().all(|part| part.build_targets().is_empty()) {
        return Ok(Artifacts::none());
    }
    let begun = Instant::now();
    println!("\n== building the tests");
    let arguments = build_arguments(options, features);
    let built = Artifacts::build(paths, &arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
    let building = begun.elapsed().as_secs_f64();
    println!("== building the tests: {building:.0} s");
    totals.building += building;
    Ok(built)
}

/// Runs the chosen tests side by side and counts their results.
fn run_tests(built: &Artifacts, options: &Options, times: &mut Times, totals: &mut Totals) -> Result<()> {
    let begun = Instant::now();
    let mut programs = Vec::new();
    for artifact in built.tests() {
        programs.extend(TestProgram::of(artifact, options)?);
    }
    let count: usize = programs.iter().map(|program| program.tests.len()).sum();
    println!("\n== {count} tests in {} programs", programs.len());
    for done in runner::run(&programs, options.tier, times)? {
        match done.outcome {
            Outcome::Passed => totals.passed += 1,
            Outcome::Failed => totals.failed += 1,
            Outcome::Skipped => totals.skipped += 1,
        }
        times.note(options.tier, done.part, &done.name, done.seconds);
        totals.timed.push((done.name, done.seconds));
    }
    println!("== tests: {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Arguments of the build of all test programs that the chosen parts need.
fn build_arguments(options: &Options, features: &str) -> Vec<String> {
    let mut words: Vec<String> = ["test", "--no-run"].map(String::from).into();
    if options.is_everything() {
        // the benchmark is built with the tests: its instructions are counted
        words.extend(["--workspace", "--lib", "--bins", "--tests", "--bench", "cost"].map(String::from));
        words.extend(["--features".to_owned(), features.to_owned()]);
        return words;
    }
    let targets: Vec<&str> = options.parts.iter().flat_map(|part| part.build_targets()).copied().collect();
    words.extend(targets.iter().map(|word| (*word).to_owned()));
    // cargo refuses a target that is named without its feature
    if options.includes(Part::Plugin) && features.contains("standalone") {
        words.extend(["--test", "standalone"].map(String::from));
    }
    if targets.contains(&"urto") {
        words.extend([
            "--features".to_owned(),
            features.split(',').map(|name| format!("urto/{name}")).collect::<Vec<_>>().join(","),
        ]);
    }
    words
}

/// Prints the parts with their tiers and the time that each took last.
fn list(options: &Options, times: &Times) {
    println!("{:<14} {:>10} {:>10} {:>10}  checks", "part", "everyday", "thorough", "nightly");
    for part in &options.parts {
        let time = |tier| times.part(tier, *part).map_or("-".to_owned(), |seconds| format!("{seconds:.0} s"));
        let [everyday, thorough, nightly] = Tier::ALL.map(time);
        println!("{:<14} {everyday:>10} {thorough:>10} {nightly:>10}  {}", part.name(), part.checks());
    }
    println!("\nTimes are those of the last run here, summed over the processes that ran side by side; `-`: not run yet.");
}
