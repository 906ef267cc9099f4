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
#[derive(Debug)]
pub struct Journal {
    file: PathBuf,
    /// Digest of each program.
    digests: BTreeMap<PathBuf, String>,
}

impl Journal {
    /// That in `file`, which may be missing.
    pub fn at(file: PathBuf) -> Self {
        Self { file, digests: BTreeMap::new() }
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Takes the tests out of `programs` that have passed in these very programs, and the programs without other tests. Returns the results of these
    /// tests. Errors: a program that cannot be read.
    pub fn take_passed(&mut self, programs: &mut Vec<TestProgram>) -> Result<Vec<TestResult>> {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        let mut results = Vec::new();
        for TestProgram { path, name, part, tests, .. } in programs.iter_mut() {
            let digest = digest(path)?;
            let passed: BTreeMap<&str, f64> = text.lines().filter_map(|line| entry(line, &digest)).collect();
            tests.retain(|test| {
                let seconds = passed.get(test.as_str());
                results.extend(seconds.map(|&seconds| passed_result(*part, name, test, seconds)));
                seconds.is_none()
            });
            self.digests.insert(path.clone(), digest);
        }
        // a program that is started without names of tests would run all
        programs.retain(|program| !program.tests.is_empty());
        Ok(results)
    }

    /// Adds those of `results`, of a program of [`Self::take_passed`], that have passed. Errors: a file that cannot be written.
    pub fn add(&self, program: &TestProgram, results: &[TestResult]) -> Result<()> {
        let digest = self.digests.get(&program.path).context("the program has no digest")?;
        let mut lines = String::new();
        for result in results.iter().filter(|result| result.outcome == Outcome::Passed) {
            let test = result.name.split_once(' ').map_or(result.name.as_str(), |(_, test)| test);
            lines += &format!("{digest} {:.1} {test}\n", result.seconds);
        }
        let file = OpenOptions::new().create(true).append(true).open(&self.file);
        // one write, so that the lines of two threads do not mix
        let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.with_context(|| format!("cannot write {}", self.file.display()))
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
        let path = folder.join("engine");
        // a run: the results of earlier ones, and the other tests
        let begin = || {
            let (mut journal, mut programs) = (Journal::at(folder.join("passed.txt")), vec![program(&path)]);
            (journal.take_passed(&mut programs).unwrap(), programs, journal)
        };
        let passed = |test: &str, seconds: f64| passed_result(Part::Engine, "engine", test, seconds);
        fs::write(&path, "first build").unwrap();
        let (known, programs, journal) = begin();
        assert!(known.is_empty() && programs[0].tests.len() == 3);
        let failed = TestResult { outcome: Outcome::Failed, ..passed("kit::rests", 2.0) };
        journal.add(&programs[0], &[passed("kit::plays", 70.25), failed]).unwrap();
        let (known, programs, journal) = begin();
        assert_eq!(programs[0].tests, ["kit::rests", "kit::ends"]);
        assert!(known.len() == 1 && known[0].name == "engine kit::plays" && (known[0].seconds - 70.25).abs() < 0.06);
        journal.add(&programs[0], &[passed("kit::rests", 2.0), passed("kit::ends", 1.0)]).unwrap();
        let (known, programs, _) = begin();
        assert!(known.len() == 3 && programs.is_empty(), "without names a program would run all of its tests");
        // a change of the program makes all results void
        fs::write(&path, "second build").unwrap();
        let (known, programs, _) = begin();
        assert!(known.is_empty() && programs[0].tests.len() == 3);
        fs::remove_dir_all(folder).unwrap();
    }
}
