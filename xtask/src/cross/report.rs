//! Lists of tests that ran on another system, with their times.

use crate::paths::Paths;
use crate::target::Target;
use crate::test::{Outcome, TestResult};
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write;

/// Writes the list `name` beside the build of `target`, prints its totals, and fails if a test has failed.
pub fn finish(paths: &Paths, target: Target, name: &str, mut results: Vec<TestResult>) -> Result<()> {
    results.sort_by(|a, b| a.name.cmp(&b.name));
    let mut text = String::new();
    for result in &results {
        writeln!(text, "{:8.1} s  {:7}  {}", result.seconds, result.outcome.word(), result.name)?;
    }
    let file = target.folder(paths)?.join(format!("{name}.txt"));
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    let count = |outcome| results.iter().filter(|result| result.outcome == outcome).count();
    let [passed, failed, skipped] = [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(count);
    let seconds: f64 = results.iter().map(|result| result.seconds).sum();
    println!("{passed} passed, {failed} failed, {skipped} skipped, {seconds:.0} s in total; the list is {}", file.display());
    ensure!(failed == 0, "{failed} tests fail on {}; the commands that repeat them are printed above", target.system());
    ensure!(passed > 0, "no test ran on {}", target.system());
    Ok(())
}

/// The error of all steps that have failed, so that one does not hide the others.
pub fn all(steps: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let errors: Vec<String> = steps.into_iter().filter_map(|step| Some(format!("{:#}", step.err()?))).collect();
    if !errors.is_empty() {
        bail!("{}", errors.join("\n"));
    }
    Ok(())
}
