//! Test programs and their tests.

use super::options::{Options, Part};
use anyhow::{Context, Result, ensure};
use cargo_metadata::Artifact;
use std::path::PathBuf;
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
        let package = artifact.package_id.repr.rsplit(['#', '/']).next().unwrap_or_default();
        let package = package.split(['@', ':']).next().unwrap_or_default();
        let package =
            if package.starts_with(|first: char| first.is_ascii_digit()) { folder_name(&folder) } else { package.to_owned() };
        let target = if is("test") {
            format!("--test {name}")
        } else if is("bin") {
            format!("--bin {name}")
        } else {
            "--lib".to_owned()
        };
        let needs = artifact.target.required_features.join(",");
        let features =
            if needs.is_empty() || needs == "plugin" || needs == "cli" { String::new() } else { format!(" --features {needs}") };
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
        self.name == "windows"
    }

    /// The line that repeats one test alone.
    pub fn repeat(&self, test: &str, thorough: bool) -> String {
        let (tier, ignored) = if thorough { ("URTO_TEST_TIER=thorough ", " --include-ignored") } else { ("", "") };
        format!("{tier}cargo test {} -- --exact {test}{ignored}", self.target)
    }
}

fn folder_name(folder: &std::path::Path) -> String {
    match folder.file_name().and_then(|name| name.to_str()) {
        Some(name @ "xtask") => name.to_owned(),
        Some(name @ ("physics" | "engine" | "media")) => format!("urto-{name}"),
        _ => "urto".to_owned(),
    }
}

/// Asks a program for its tests.
fn list(path: &PathBuf, folder: &PathBuf) -> Result<Vec<String>> {
    let output = Command::new(path).args(["--list", "--format", "terse"]).current_dir(folder).output();
    let output = output.with_context(|| format!("cannot start {}", path.display()))?;
    ensure!(output.status.success(), "{} cannot list its tests", path.display());
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect())
}
