//! Test programs and their tests.

use super::options::{Options, Part};
use anyhow::{Context, Result, ensure};
use cargo_metadata::Artifact;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tests of one part in one program.
pub struct TestProgram {
    /// The program.
    pub path: PathBuf,
    /// Name of the target.
    pub name: String,
    /// Folder of its package, in which cargo runs it.
    pub folder: PathBuf,
    /// Arguments of cargo that build and choose it.
    pub target: String,
    /// The part its tests belong to.
    pub part: Part,
    /// Full names of the tests.
    pub tests: Vec<String>,
}

impl TestProgram {
    /// The tests in a program that belong to the chosen parts, by part. Errors: a program that cannot list its tests.
    pub fn of(artifact: &Artifact, options: &Options) -> Result<Vec<Self>> {
        let name = artifact.target.name.clone();
        let path: PathBuf = artifact.executable.clone().context("a test is a program")?.into();
        let is = |kind: &str| artifact.target.kind.iter().any(|own| own.to_string() == kind);
        // examples are run by a step of the documents
        if is("example") || is("bench") {
            return Ok(Vec::new());
        }
        let folder: PathBuf = artifact.manifest_path.parent().context("a manifest is in a folder")?.into();
        let package = package_of(&folder)?;
        let target = if is("test") {
            format!("--test {name}")
        } else if is("bin") {
            format!("--bin {name}")
        } else {
            "--lib".to_owned()
        };
        // the other features are those that cargo takes by itself
        let features = if ["editor_windows", "standalone"].contains(&name.as_str()) { " --features standalone" } else { "" };
        let target = format!("--package {package}{features} {target}");
        let tests = list(&path, &folder)?;
        let mut programs: Vec<Self> = Vec::new();
        for test in tests {
            let part = Part::of_test(&name, &test);
            if !options.includes(part) {
                continue;
            }
            match programs.iter_mut().find(|program| program.part == part) {
                Some(program) => program.tests.push(test),
                None => programs.push(Self {
                    path: path.clone(),
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

    /// Whether the program takes one test at a time, in a process of its own.
    pub fn takes_one_test(&self) -> bool {
        self.name == "editor_windows"
    }

    /// The line that repeats one test alone.
    pub fn repeat(&self, test: &str, thorough: bool) -> String {
        let (tier, ignored) = if thorough { ("URTO_TEST_TIER=thorough ", " --include-ignored") } else { ("", "") };
        format!("{tier}cargo test {} -- --exact {test}{ignored}", self.target)
    }
}

/// Name of the package in a folder of the workspace.
fn package_of(folder: &Path) -> Result<String> {
    let manifest = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let table: toml::Table = toml::from_str(&text).with_context(|| format!("{} is not valid TOML", manifest.display()))?;
    let name = table.get("package").and_then(|package| package.get("name")).and_then(|name| name.as_str());
    name.map(str::to_owned).with_context(|| format!("{}: the package has no name", manifest.display()))
}

/// Asks a program for its tests.
fn list(path: &Path, folder: &Path) -> Result<Vec<String>> {
    let output = Command::new(path).args(["--list", "--format", "terse"]).current_dir(folder).output();
    let output = output.with_context(|| format!("cannot start {}", path.display()))?;
    ensure!(output.status.success(), "{} cannot list its tests", path.display());
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect())
}
