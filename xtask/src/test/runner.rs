//! Runs test programs side by side, a few tests a process, and times every test.

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

/// Seconds that the tests of one process should take.
const PROCESS_SECONDS: f64 = 6.0;
/// Most tests of one process.
const PROCESS_TESTS: usize = 12;
/// What a test takes that has not been timed yet [s].
const UNKNOWN_SECONDS: f64 = 0.8;

/// Longest time of one test; after it the process is ended and the test has failed.
fn limit(tier: Tier) -> Duration {
    Duration::from_secs(if tier.is_thorough() { 3_600 } else { 180 })
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was not run: it belongs to a later tier, or what it needs is missing.
    Skipped,
}

/// A test that was run.
pub struct Done {
    /// Its part.
    pub part: Part,
    /// Program and name.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub seconds: f64,
}

/// Tests of one process.
struct Batch<'a> {
    program: &'a TestProgram,
    tests: Vec<&'a str>,
    /// How long they will take, as far as that is known.
    seconds: f64,
}

/// Runs all tests with as many processes at once as there are processors; each runs one test at a time. A failing test prints its
/// output and the command that repeats it. Errors: a program that cannot be started.
pub fn run(programs: &[TestProgram], tier: Tier, times: &Times) -> Result<Vec<Done>> {
    let batches = batches(programs, tier, times);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
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
                let mut done = done.lock().expect("no worker panics");
                done.extend(results);
                if left[name].fetch_sub(batch.tests.len(), Ordering::Relaxed) == batch.tests.len() {
                    println!("{}", summary(name, &done));
                }
            }
            Ok(())
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no worker panics"))
    })?;
    Ok(done.into_inner().expect("no worker panics"))
}

/// Cuts the programs into batches, the longest first.
fn batches<'a>(programs: &'a [TestProgram], tier: Tier, times: &Times) -> Vec<Batch<'a>> {
    let mut batches: Vec<Batch> = Vec::new();
    for program in programs {
        let most = if program.takes_one_test() { 1 } else { PROCESS_TESTS };
        let mut batch = Batch { program, tests: Vec::new(), seconds: 0.0 };
        for test in &program.tests {
            let seconds = times.test(tier, &format!("{} {test}", program.name)).unwrap_or(UNKNOWN_SECONDS);
            let full = batch.tests.len() == most || batch.seconds + seconds > PROCESS_SECONDS;
            if full && !batch.tests.is_empty() {
                batches.push(std::mem::replace(&mut batch, Batch { program, tests: Vec::new(), seconds: 0.0 }));
            }
            batch.tests.push(test);
            batch.seconds += seconds;
        }
        batches.push(batch);
    }
    batches.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    batches
}

/// Runs the tests of a batch in one process. The time between two results is that of the later test.
fn run_batch(batch: &Batch, tier: Tier) -> Result<Vec<Done>> {
    let program = batch.program;
    let mut child = command(batch, tier).spawn().with_context(|| format!("cannot start {}", program.path.display()))?;
    let output = child.stdout.take().context("the output is piped")?;
    let mut errors = child.stderr.take().context("the output is piped")?;
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = std::io::Read::read_to_end(&mut errors, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let (mut text, mut done) = (String::new(), Vec::new());
    let (child, since, ended) = (Mutex::new(child), Mutex::new(Instant::now()), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| end_if_stuck(&child, &since, &ended, limit(tier)));
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if let Some((name, outcome)) = result(&line).filter(|(name, _)| batch.tests.contains(name)) {
                let mut since = since.lock().expect("no reader panics");
                let seconds = since.elapsed().as_secs_f64();
                *since = Instant::now();
                done.push(Done { part: program.part, name: format!("{} {name}", program.name), outcome, seconds });
            }
            text.push_str(&line);
            text.push('\n');
        }
        ended.store(true, Ordering::Relaxed);
    });
    let status = child.into_inner().expect("no reader panics").wait()?;
    let errors = errors.join().expect("no reader panics");
    // a test without a result has ended its process
    let rest = since.into_inner().expect("no reader panics").elapsed().as_secs_f64();
    for test in &batch.tests {
        let name = format!("{} {test}", program.name);
        if !done.iter().any(|done| done.name == name) {
            let outcome = if status.success() { Outcome::Skipped } else { Outcome::Failed };
            done.push(Done { part: program.part, name, outcome, seconds: rest });
        }
    }
    if !status.success() {
        report_failure(program, &done, tier, &text, &errors);
    } else if let Some(reason) = text.lines().find(|line| line.starts_with("skipped: ")) {
        println!("{}: {reason}", program.name);
    }
    Ok(done)
}

/// The process that runs the tests of a batch one after the other.
fn command(batch: &Batch, tier: Tier) -> Command {
    let program = batch.program;
    let mut command = Command::new(&program.path);
    command.args(["--exact", "--test-threads=1"]).args(&batch.tests).current_dir(&program.folder);
    command.env("CARGO_MANIFEST_DIR", &program.folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    if program.name == "plugin" {
        // the plugin framework warns of every block without a side-chain, a hundred thousand times
        command.env("NICE_LOG", std::env::temp_dir().join("urto-test-plugin.log"));
    }
    if tier.is_thorough() {
        command.env("URTO_TEST_TIER", "thorough");
        if !program.takes_one_test() {
            command.arg("--include-ignored");
        }
    }
    command
}

/// Ends a process whose current test takes longer than `limit`.
fn end_if_stuck(child: &Mutex<Child>, since: &Mutex<Instant>, ended: &AtomicBool, limit: Duration) {
    while !ended.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(20));
        if since.lock().expect("no reader panics").elapsed() > limit {
            println!("a test takes longer than {} s; its process is ended", limit.as_secs());
            let _ = child.lock().expect("no reader panics").kill();
            return;
        }
    }
}

/// Prints what a failed process wrote, and how to repeat each failed test.
fn report_failure(program: &TestProgram, done: &[Done], tier: Tier, text: &str, errors: &str) {
    let mut report = format!("\n{text}{errors}");
    for failed in done.iter().filter(|done| done.outcome == Outcome::Failed) {
        let name = failed.name.split_once(' ').map_or(failed.name.as_str(), |(_, name)| name);
        report += &format!("FAILED {}\nrepeat it alone: {}\n", failed.name, program.repeat(name, tier.is_thorough()));
    }
    println!("{report}");
}

/// Name and outcome in a line such as `test module::name ... ok` of the standard harness, or of one that looks like it.
fn result(line: &str) -> Option<(&str, Outcome)> {
    let (name, said) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let name = name.split(" - ").next()?.trim();
    let outcome = match said.trim() {
        said if said.ends_with("ok") => Outcome::Passed,
        said if said.ends_with("FAILED") => Outcome::Failed,
        said if said.contains("ignored") => Outcome::Skipped,
        _ => return None,
    };
    Some((name, outcome))
}

/// A line on a program that has ended.
fn summary(name: &str, done: &[Done]) -> String {
    let own = || done.iter().filter(|done| done.name.split_once(' ').is_some_and(|(program, _)| program == name));
    let count = |outcome| own().filter(|done| done.outcome == outcome).count();
    let seconds: f64 = own().map(|done| done.seconds).sum();
    let [passed, failed, skipped] = [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(count);
    format!("{name:<14} {passed:>4} passed, {failed} failed, {skipped} skipped, {seconds:.0} s of a processor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        assert_eq!(result("test a::b ... ok"), Some(("a::b", Outcome::Passed)));
        assert_eq!(result("test a::b - should panic ... ok"), Some(("a::b", Outcome::Passed)));
        assert_eq!(result("test a::b ... FAILED"), Some(("a::b", Outcome::Failed)));
        assert_eq!(result("test a::b ... ignored, takes an hour"), Some(("a::b", Outcome::Skipped)));
        assert_eq!(result("test result: ok. 3 passed; 0 failed"), None);
        assert_eq!(result("running 3 tests"), None);
    }

    #[test]
    fn no_test_is_lost_between_batches_and_long_ones_come_first() {
        let tests = (0..30).map(|i| format!("test_{i}")).collect();
        let program = TestProgram {
            path: "p".into(),
            name: "p".into(),
            folder: ".".into(),
            target: String::new(),
            part: Part::Physics,
            tests,
        };
        let mut times = Times::default();
        times.note(Tier::Everyday, Part::Physics, "p test_7", 60.0);
        let programs = [program];
        let batches = batches(&programs, Tier::Everyday, &times);
        assert_eq!(batches[0].tests, ["test_7"]);
        assert_eq!(batches.iter().map(|batch| batch.tests.len()).sum::<usize>(), 30);
        assert!(batches.iter().all(|batch| batch.tests.len() <= PROCESS_TESTS));
    }
}
