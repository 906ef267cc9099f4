//! Every check, in the order in which a mistake shows soonest.

use crate::place::{Place, cargo, typed};
use crate::{counts, demo, docs, examples, setup};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Counted results of the test programs.
#[derive(Default)]
struct Totals {
    passed: u64,
    failed: u64,
    ignored: u64,
    programs: u64,
}

impl Totals {
    /// Adds a line such as `test result: ok. 12 passed; 0 failed; 1 ignored; ...`; leaves others alone.
    fn add(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        let count = |what: &str| {
            let before = result.split(what).next().filter(|before| before.len() < result.len());
            before.and_then(|b| b.split_whitespace().last()).and_then(|n| n.parse().ok()).unwrap_or(0)
        };
        self.passed += count(" passed");
        self.failed += count(" failed");
        self.ignored += count(" ignored");
        self.programs += 1;
    }
}

/// Runs everything; the first failure ends it.
pub fn run(place: &Place) -> Result<()> {
    let start = Instant::now();
    setup::build()?;
    setup::lints()?;
    let mut totals = Totals::default();
    // nice-plug warns of every block without a side-chain, a hundred thousand times in the tests of hosts
    let log = place.output("test")?.join("plugin.log");
    if log.exists() {
        std::fs::remove_file(&log)?;
    }
    let mut check = |what: &str, arguments: &[&str]| {
        let since = Instant::now();
        println!("\n== {what}");
        let mut command = cargo();
        if arguments.contains(&"plugin") {
            println!("what the plugin logs goes to {}", log.display());
            command.env("NICE_LOG", &log);
        }
        stream(command.current_dir(&place.root).args(arguments), &mut totals)?;
        println!("== {what}: done in {:.0} s", since.elapsed().as_secs_f64());
        anyhow::Ok(())
    };
    const DENY: [&str; 3] = ["--", "-D", "warnings"];
    let lint = |scope: &[&'static str]| [&["clippy"], scope, &DENY].concat();
    check("format", &["fmt", "--all", "--check"])?;
    check("lints, floors 0 and 1", &lint(&["--all-targets", "--no-default-features"]))?;
    check("lints, plugin, command line, tasks", &lint(&["--workspace", "--all-targets"]))?;
    if setup::standalone_possible() {
        check("lints, standalone", &lint(&["--all-targets", "--features", "standalone"]))?;
    } else {
        println!("\n== lints and tests, standalone: left out (it needs the packages libasound2-dev and libjack-jackd2-dev)");
    }
    check("tests, floors 0 and 1", &["test", "--no-default-features"])?;
    check("tests, floors 0 and 1, the long ones", &["test", "--no-default-features", "--", "--ignored"])?;
    // the tests of floors 0 and 1 need no second round: they do not see the features
    const ABOVE: [&str; 16] = [
        "test",
        "--workspace",
        "--lib",
        "--bins",
        "--test",
        "plugin",
        "--test",
        "churn",
        "--test",
        "cycles",
        "--test",
        "cli",
        "--test",
        "anything",
        "--test",
        "windows",
    ];
    if cfg!(target_os = "linux")
        && let Err(missing) = setup::screen()
    {
        println!("\nno window is opened in the tests: {missing:#}");
    }
    check("tests, plugin, command line, tasks", &ABOVE)?;
    println!("\n== documentation and examples of the library");
    docs::run(place)?;
    examples::run(place)?;
    check("tests, examples in the documentation", &["test", "--doc"])?;
    if setup::standalone_possible() {
        check("tests, standalone", &["test", "--features", "standalone", "--test", "standalone"])?;
    }

    println!("\n== instructions of the kernels");
    counts::check(place)?;

    println!("\n== the bundled plugin in a host");
    demo::run(place)?;

    let Totals { passed, failed, ignored, programs } = totals;
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    println!(
        "\nall checks passed in {minutes:.1} min: {passed} tests passed, {failed} failed, {ignored} ignored in {programs} programs"
    );
    Ok(())
}

/// Runs a command, shows its output as it comes, and counts the results in it.
fn stream(command: &mut Command, totals: &mut Totals) -> Result<()> {
    println!("$ {}", typed(command));
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{}`", typed(command)))?;
    let output = child.stdout.take().context("the output is piped")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        println!("{line}");
        totals.add(&line);
    }
    let status = child.wait()?;
    if !status.success() {
        let Totals { passed, failed, .. } = totals;
        bail!("`{}` failed ({status}); so far {passed} tests passed, {failed} failed", typed(command));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_programs_add_up() {
        let mut totals = Totals::default();
        for line in [
            "running 3 tests",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        ] {
            totals.add(line);
        }
        assert_eq!((totals.passed, totals.failed, totals.ignored, totals.programs), (15, 2, 1, 2));
    }
}
