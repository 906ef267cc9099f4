//! Test programs and the tests that they contain.

use super::launcher::Launcher;
use super::options::{Part, Tier};
use anyhow::{Context, Result, ensure};
use cargo_metadata::Artifact;
use std::path::{Path, PathBuf};

/// Tests of one part in one program.
pub struct TestProgram {
    /// Path of the program.
    pub path: PathBuf,
    /// How it is started.
    pub launcher: Launcher,
    /// Name of the target.
    pub name: String,
    /// Folder of the package, which cargo makes the working directory of the tests.
    pub folder: PathBuf,
    /// Arguments of cargo that build and select the program.
    pub target: String,
    /// Part of the tests.
    pub part: Part,
    /// Full names of the tests.
    pub tests: Vec<String>,
}

impl TestProgram {
    /// The tests of an artifact that `is_chosen` selects by part and full name, one entry per part. Errors: a program that cannot list its
    /// tests.
    pub fn select(artifact: &Artifact, launcher: &Launcher, is_chosen: impl Fn(Part, &str) -> bool) -> Result<Vec<Self>> {
        let name = artifact.target.name.clone();
        let path: PathBuf = artifact.executable.clone().context("a test artifact has no executable")?.into();
        let is_kind = |kind: &str| artifact.target.kind.iter().any(|own| own.to_string() == kind);
        // the step "examples" runs the examples, the step of the costs runs the benchmark, and `archive` needs an archive
        if is_kind("example") || is_kind("bench") || name == "archive" {
            return Ok(Vec::new());
        }
        let folder: PathBuf = artifact.manifest_path.parent().context("the path of a manifest has no folder")?.into();
        let package = package_name(&folder)?;
        let target = if is_kind("test") {
            format!("--test {name}")
        } else if is_kind("bin") {
            format!("--bin {name}")
        } else {
            "--lib".to_owned()
        };
        // default features are sufficient for the other programs
        let features = if ["editor_windows", "standalone"].contains(&name.as_str()) { " --features standalone" } else { "" };
        let target = format!("--package {package}{features} {target}");
        let mut programs: Vec<Self> = Vec::new();
        for test in list_tests(launcher, &path, &folder)? {
            let part = Part::of_test(&name, &test);
            if !is_chosen(part, &test) {
                continue;
            }
            match programs.iter_mut().find(|program| program.part == part) {
                Some(program) => program.tests.push(test),
                None => programs.push(Self {
                    path: path.clone(),
                    launcher: launcher.clone(),
                    name: name.clone(),
                    folder: folder.clone(),
                    target: target.clone(),
                    part,
                    tests: vec![test],
                }),
            }
        }
        Ok(programs)
    }

    /// Whether each test needs a process of its own. Such programs have no `--include-ignored`.
    pub fn runs_one_test_per_process(&self) -> bool {
        self.name == "editor_windows"
    }

    /// The command that repeats one test alone.
    pub fn repeat_command(&self, test: &str, tier: Tier) -> String {
        if let Some(emulator) = &self.launcher.emulator {
            return format!("{} {} --exact {test} --include-ignored", emulator.display(), self.path.display());
        }
        let (variable, ignored) = if tier.is_thorough() { ("URTO_TEST_TIER=thorough ", " --include-ignored") } else { ("", "") };
        format!("{variable}cargo test {} -- --exact {test}{ignored}", self.target)
    }
}

/// Name of the package in a folder of the workspace.
fn package_name(folder: &Path) -> Result<String> {
    let manifest = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let table: toml::Table = toml::from_str(&text).with_context(|| format!("{} is not valid TOML", manifest.display()))?;
    let name = table.get("package").and_then(|package| package.get("name")).and_then(|name| name.as_str());
    name.map(str::to_owned).with_context(|| format!("{}: the key `package.name` is missing", manifest.display()))
}

/// Names of all tests in a program.
fn list_tests(launcher: &Launcher, path: &Path, folder: &Path) -> Result<Vec<String>> {
    let output = launcher.command(path).args(["--list", "--format", "terse"]).current_dir(folder).output();
    let output = output.with_context(|| format!("cannot start {}", path.display()))?;
    ensure!(output.status.success(), "`{} --list --format terse` failed", path.display());
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect())
}
