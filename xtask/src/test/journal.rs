//! Tests that have passed, by the digest of their program: a run in an emulator that was ended goes on.

use super::options::Part;
use super::program::TestProgram;
use super::runner::{Outcome, TestResult};
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file with a line for each test that has passed: digest of the program, time [s], name.
#[derive(Clone, Debug)]
pub struct Journal(PathBuf);

impl Journal {
    /// That in `file`, which may be missing.
    pub fn at(file: PathBuf) -> Self {
        Self(file)
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.0
    }

    /// Takes the tests out of `program` that have passed in this very program, and returns their results. Errors: a program that cannot be read.
    pub fn take_passed(&self, program: &mut TestProgram) -> Result<Vec<TestResult>> {
        program.digest = digest(&program.path)?;
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let passed: BTreeMap<&str, f64> = text.lines().filter_map(|line| entry(line, &program.digest)).collect();
        let (part, name) = (program.part, program.name.clone());
        let mut results = Vec::new();
        program.tests.retain(|test| match passed.get(test.as_str()) {
            Some(&seconds) => {
                results.push(passed_result(part, &name, test, seconds));
                false
            }
            None => true,
        });
        Ok(results)
    }

    /// Adds those of `results` that have passed. Errors: a file that cannot be written.
    pub fn add(&self, program: &TestProgram, results: &[TestResult]) -> Result<()> {
        let mut lines = String::new();
        for result in results.iter().filter(|result| result.outcome == Outcome::Passed) {
            let test = result.name.split_once(' ').map_or(result.name.as_str(), |(_, test)| test);
            lines += &format!("{} {:.1} {test}\n", program.digest, result.seconds);
        }
        let file = OpenOptions::new().create(true).append(true).open(&self.0);
        // one write, so that the lines of two threads do not mix
        let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.with_context(|| format!("cannot write {}", self.0.display()))
    }
}

fn passed_result(part: Part, program: &str, test: &str, seconds: f64) -> TestResult {
    TestResult { part, name: format!("{program} {test}"), outcome: Outcome::Passed, seconds }
}

/// Test and time in a line, if it is of the program with this digest.
fn entry<'a>(line: &'a str, digest: &str) -> Option<(&'a str, f64)> {
    let (seconds, test) = line.strip_prefix(digest)?.strip_prefix(' ')?.split_once(' ')?;
    Some((test, seconds.parse().ok()?))
}

/// The SHA-256 digest of a file.
fn digest(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::Launcher;

    fn program(path: &Path) -> TestProgram {
        TestProgram {
            path: path.to_owned(),
            digest: String::new(),
            launcher: Launcher::default(),
            name: "engine".into(),
            folder: PathBuf::new(),
            target: String::new(),
            part: Part::Engine,
            tests: ["kit::plays", "kit::rests", "kit::ends"].map(String::from).into(),
        }
    }

    #[test]
    fn a_run_goes_on_with_the_tests_that_have_not_passed() {
        let folder = std::env::temp_dir().join(format!("urto-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (journal, path) = (Journal::at(folder.join("passed.txt")), folder.join("engine"));
        fs::write(&path, "first build").unwrap();
        let mut first = program(&path);
        assert!(journal.take_passed(&mut first).unwrap().is_empty() && first.tests.len() == 3);
        let failed = TestResult { outcome: Outcome::Failed, ..passed_result(Part::Engine, "engine", "kit::rests", 2.0) };
        journal.add(&first, &[passed_result(Part::Engine, "engine", "kit::plays", 70.25), failed]).unwrap();
        let mut second = program(&path);
        let known = journal.take_passed(&mut second).unwrap();
        assert_eq!(second.tests, ["kit::rests", "kit::ends"]);
        assert!(known.len() == 1 && known[0].name == "engine kit::plays" && (known[0].seconds - 70.25).abs() < 0.06);
        // a change of the program makes all results void
        fs::write(&path, "second build").unwrap();
        let mut changed = program(&path);
        assert!(journal.take_passed(&mut changed).unwrap().is_empty() && changed.tests.len() == 3);
        fs::remove_dir_all(folder).unwrap();
    }
}
