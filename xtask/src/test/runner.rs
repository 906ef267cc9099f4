//! Parallel execution of test programs, a few tests per process, with the time of every test.

use super::options::{Part, Tier};
use super::program::TestProgram;
use super::times::Times;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Target time of the tests in one process [s].
const PROCESS_SECONDS: f64 = 6.0;
/// Largest number of tests in one process.
const PROCESS_TESTS: usize = 12;
/// Estimated time of a test without a recorded time [s].
const DEFAULT_SECONDS: f64 = 0.8;

/// Time limit of one test. After it the process is killed, and the test fails.
fn time_limit(tier: Tier) -> Duration {
    Duration::from_secs(if tier.is_thorough() { 3_600 } else { 180 })
}

/// Result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    Passed,
    Failed,
    /// Not run: it belongs to a higher tier, or a requirement is missing.
    Skipped,
}

impl Outcome {
    /// The outcome in a list.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// A finished test.
pub struct TestResult {
    /// Part of the test.
    pub part: Part,
    /// Names of program and test, separated by a space.
    pub name: String,
    pub outcome: Outcome,
    /// Time [s].
    pub seconds: f64,
}

/// Tests of one process.
struct Batch<'a> {
    program: &'a TestProgram,
    tests: Vec<&'a str>,
    /// Estimated time [s].
    seconds: f64,
}

/// Runs all tests with one process per processor at a time; each process runs one test at a time. A failing test prints its
/// output and the command that repeats it. `on_results` gets the results of each process that has ended. Errors: a program that cannot be started; those of
/// `on_results`.
pub fn run(
    programs: &[TestProgram],
    tier: Tier,
    times: &Times,
    on_results: impl Fn(&TestProgram, &[TestResult]) -> Result<()> + Sync,
) -> Result<Vec<TestResult>> {
    let batches = batches(programs, tier, times);
    let (next, finished) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let left: BTreeMap<&str, AtomicUsize> = programs.iter().map(|program| (program.name.as_str(), AtomicUsize::new(0))).collect();
    for program in programs {
        left[program.name.as_str()].fetch_add(program.tests.len(), Ordering::Relaxed);
    }
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let results = run_batch(batch, tier)?;
                let name = batch.program.name.as_str();
                on_results(batch.program, &results)?;
                if batch.program.launcher.emulator.is_some() {
                    // emulated tests take minutes
                    results
                        .iter()
                        .for_each(|result| println!("{:8.1} s  {:7}  {}", result.seconds, result.outcome.word(), result.name));
                }
                let mut finished = finished.lock().expect("the workers do not panic");
                finished.extend(results);
                if left[name].fetch_sub(batch.tests.len(), Ordering::Relaxed) == batch.tests.len() {
                    println!("{}", summary(name, &finished));
                }
            }
            Ok(())
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("the workers do not panic"))
    })?;
    Ok(finished.into_inner().expect("the workers do not panic"))
}

/// Divides the programs into batches, the longest first; of an emulator the shortest, so that most tests have a result if the run is ended.
fn batches<'a>(programs: &'a [TestProgram], tier: Tier, times: &Times) -> Vec<Batch<'a>> {
    let mut batches: Vec<Batch> = Vec::new();
    for program in programs {
        let largest =
            if program.runs_one_test_per_process() { 1 } else { program.launcher.largest_batch.unwrap_or(PROCESS_TESTS) };
        let mut batch = Batch { program, tests: Vec::new(), seconds: 0.0 };
        for test in &program.tests {
            let seconds = times.test_seconds(tier, &format!("{} {test}", program.name)).unwrap_or(DEFAULT_SECONDS);
            let full = batch.tests.len() == largest || batch.seconds + seconds > PROCESS_SECONDS;
            if full && !batch.tests.is_empty() {
                batches.push(std::mem::replace(&mut batch, Batch { program, tests: Vec::new(), seconds: 0.0 }));
            }
            batch.tests.push(test);
            batch.seconds += seconds;
        }
        batches.push(batch);
    }
    batches.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    if programs.iter().any(|program| program.launcher.emulator.is_some()) {
        batches.reverse();
    }
    batches
}

/// Runs the tests of a batch in one process. The time between two results is the time of the later test.
fn run_batch(batch: &Batch, tier: Tier) -> Result<Vec<TestResult>> {
    let program = batch.program;
    let mut child = command(batch, tier).spawn().with_context(|| format!("cannot start {}", program.path.display()))?;
    let output = child.stdout.take().context("the output of the test program is not piped")?;
    let mut errors = child.stderr.take().context("the error output of the test program is not piped")?;
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = std::io::Read::read_to_end(&mut errors, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let (mut text, mut results) = (String::new(), Vec::new());
    let (child, test_start, finished) = (Mutex::new(child), Mutex::new(Instant::now()), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (child, test_start, finished) = (&child, &test_start, &finished);
        let limit = program.launcher.time_limit.unwrap_or(time_limit(tier));
        scope.spawn(move || kill_after_limit(child, test_start, finished, limit));
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if let Some((name, outcome)) = parse_result(&line).filter(|(name, _)| batch.tests.contains(name)) {
                let mut test_start = test_start.lock().expect("the reader does not panic");
                let seconds = test_start.elapsed().as_secs_f64();
                *test_start = Instant::now();
                results.push(TestResult { part: program.part, name: format!("{} {name}", program.name), outcome, seconds });
            }
            text.push_str(&line);
            text.push('\n');
        }
        finished.store(true, Ordering::Relaxed);
    });
    let status = child.into_inner().expect("the reader does not panic").wait()?;
    let errors = errors.join().expect("the reader does not panic");
    // a test without a result: the process has ended during the test, or the test was not run
    let rest = test_start.into_inner().expect("the reader does not panic").elapsed().as_secs_f64();
    for test in &batch.tests {
        let name = format!("{} {test}", program.name);
        if !results.iter().any(|result: &TestResult| result.name == name) {
            let outcome = if status.success() { Outcome::Skipped } else { Outcome::Failed };
            results.push(TestResult { part: program.part, name, outcome, seconds: rest });
        }
    }
    if !status.success() {
        report_failure(program, &results, tier, &text, &errors);
    } else if let Some(reason) = text.lines().find(|line| line.starts_with("skipped: ")) {
        println!("{}: {reason}", program.name);
    }
    Ok(results)
}

/// The command that runs the tests of a batch one after the other.
fn command(batch: &Batch, tier: Tier) -> Command {
    let program = batch.program;
    let mut command = program.launcher.command(&program.path);
    command.args(["--exact", "--test-threads=1"]).args(&batch.tests).current_dir(&program.folder);
    command.env("CARGO_MANIFEST_DIR", &program.folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    if program.name == "plugin" {
        // the plugin framework logs a warning for every block without a side-chain: a hundred thousand lines
        command.env("NICE_LOG", std::env::temp_dir().join("urto-test-plugin.log"));
    }
    if tier.is_thorough() {
        command.env("URTO_TEST_TIER", "thorough");
        if !program.runs_one_test_per_process() {
            command.arg("--include-ignored");
        }
    }
    command
}

/// Kills the process when its current test takes longer than `limit`.
fn kill_after_limit(child: &Mutex<Child>, test_start: &Mutex<Instant>, finished: &AtomicBool, limit: Duration) {
    while !finished.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(20));
        if test_start.lock().expect("the reader does not panic").elapsed() > limit {
            println!("a test exceeds the time limit of {} s; its process is killed", limit.as_secs());
            let _ = child.lock().expect("the reader does not panic").kill();
            return;
        }
    }
}

/// Prints the output of a failed process, and the command that repeats each failed test.
fn report_failure(program: &TestProgram, results: &[TestResult], tier: Tier, text: &str, errors: &str) {
    let mut report = format!("\n{text}{errors}");
    for failed in results.iter().filter(|result| result.outcome == Outcome::Failed) {
        let name = failed.name.split_once(' ').map_or(failed.name.as_str(), |(_, name)| name);
        report += &format!("FAILED {}\nrepeat this test alone: {}\n", failed.name, program.repeat_command(name, tier));
    }
    println!("{report}");
}

/// Name and outcome in a line such as `test module::name ... ok` of the standard harness or libtest-mimic.
fn parse_result(line: &str) -> Option<(&str, Outcome)> {
    let (name, word) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let name = name.split(" - ").next()?.trim();
    let outcome = match word.trim() {
        word if word.ends_with("ok") => Outcome::Passed,
        word if word.ends_with("FAILED") => Outcome::Failed,
        word if word.contains("ignored") => Outcome::Skipped,
        _ => return None,
    };
    Some((name, outcome))
}

/// The summary line of a finished program. The time is summed over its tests.
fn summary(name: &str, results: &[TestResult]) -> String {
    let own = || results.iter().filter(|result| result.name.split_once(' ').is_some_and(|(program, _)| program == name));
    let count = |outcome| own().filter(|result| result.outcome == outcome).count();
    let seconds: f64 = own().map(|result| result.seconds).sum();
    let [passed, failed, skipped] = [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(count);
    format!("{name:<14} {passed:>4} passed, {failed} failed, {skipped} skipped, {seconds:.0} s in total")
}

#[cfg(test)]
mod tests {
    use super::super::launcher::Launcher;
    use super::*;

    #[test]
    fn result_lines_are_parsed() {
        assert_eq!(parse_result("test a::b ... ok"), Some(("a::b", Outcome::Passed)));
        assert_eq!(parse_result("test a::b - should panic ... ok"), Some(("a::b", Outcome::Passed)));
        assert_eq!(parse_result("test a::b ... FAILED"), Some(("a::b", Outcome::Failed)));
        assert_eq!(parse_result("test a::b ... ignored, takes an hour"), Some(("a::b", Outcome::Skipped)));
        assert_eq!(parse_result("test result: ok. 3 passed; 0 failed"), None);
        assert_eq!(parse_result("running 3 tests"), None);
    }

    #[test]
    fn batches_contain_every_test_and_the_longest_comes_first() {
        let tests = (0..30).map(|i| format!("test_{i}")).collect();
        let program = TestProgram {
            path: "p".into(),
            launcher: Launcher::default(),
            name: "p".into(),
            folder: ".".into(),
            target: String::new(),
            part: Part::Physics,
            tests,
        };
        let mut times = Times::default();
        times.record(Tier::Everyday, Part::Physics, "p test_7", 60.0);
        let programs = [program];
        let batches = batches(&programs, Tier::Everyday, &times);
        assert_eq!(batches[0].tests, ["test_7"]);
        assert_eq!(batches.iter().map(|batch| batch.tests.len()).sum::<usize>(), 30);
        assert!(batches.iter().all(|batch| batch.tests.len() <= PROCESS_TESTS));
        let emulated = programs
            .map(|program| TestProgram { launcher: Launcher { emulator: Some("e".into()), ..Launcher::default() }, ..program });
        assert_eq!(super::batches(&emulated, Tier::Everyday, &times).last().expect("a batch").tests, ["test_7"]);
    }
}
