//! Builds by cargo, and the artifacts that they produce.

use crate::commands::{cargo, command_text};
use crate::paths::Paths;
use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message, TargetKind};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The artifacts of one build.
pub struct Artifacts(Vec<Artifact>);

impl Artifacts {
    /// An empty set, for runs that need no build.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Runs cargo with `arguments` and collects the artifacts. Errors: a build that fails.
    pub fn build(paths: &Paths, arguments: &[&str]) -> Result<Self> {
        let mut command = cargo();
        command.current_dir(&paths.root).args(arguments);
        Self::build_with(command)
    }

    /// Runs a command of cargo and collects the artifacts. Errors: a build that fails.
    pub fn build_with(mut command: Command) -> Result<Self> {
        let text = command_text(&command);
        println!("$ {text}");
        let mut child = command.arg("--message-format=json-render-diagnostics").stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("the output of cargo is not piped")?;
        let mut artifacts = Vec::new();
        for message in Message::parse_stream(BufReader::new(output)) {
            if let Message::CompilerArtifact(artifact) = message? {
                artifacts.push(artifact);
            }
        }
        if !child.wait()?.success() {
            bail!("`{text}` failed");
        }
        Ok(Self(artifacts))
    }

    /// The test programs, including programs with unit tests.
    pub fn tests(&self) -> impl Iterator<Item = &Artifact> {
        self.0.iter().filter(|artifact| artifact.profile.test && artifact.executable.is_some())
    }

    /// Path of the program `name`. Errors: cargo has not built it.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        let mut named = self.0.iter().filter(|artifact| artifact.target.name == name && !artifact.profile.test);
        let found = named.find_map(|artifact| artifact.executable.clone());
        found.map(Into::into).with_context(|| format!("cargo has built no program `{name}`"))
    }

    /// Path of the test program `name`. Errors: cargo has not built it.
    pub fn test(&self, name: &str) -> Result<PathBuf> {
        let found = self.tests().find(|artifact| artifact.target.name == name).and_then(|artifact| artifact.executable.clone());
        found.map(Into::into).with_context(|| format!("cargo has built no test program `{name}`"))
    }

    /// Path of the dynamic library of the example `name`. Errors: cargo has not built it.
    pub fn library(&self, name: &str) -> Result<PathBuf> {
        let files = self.0.iter().filter(|artifact| artifact.target.name == name).flat_map(|artifact| &artifact.filenames);
        let mut libraries = files.filter(|file| matches!(file.extension(), Some("dll" | "so" | "dylib")));
        libraries.next().map(|file| file.clone().into()).with_context(|| format!("cargo has built no library `{name}`"))
    }

    /// Path of the benchmark `name`. Errors: cargo has not built it.
    pub fn bench(&self, name: &str) -> Result<PathBuf> {
        let matches = |artifact: &&Artifact| artifact.target.name == name && artifact.target.kind.contains(&TargetKind::Bench);
        let found = self.0.iter().filter(matches).find_map(|artifact| artifact.executable.clone());
        found.map(Into::into).with_context(|| format!("cargo has built no benchmark `{name}`"))
    }

    /// Path of the plugin's dynamic library. Errors: cargo has not built it.
    pub fn plugin(&self) -> Result<PathBuf> {
        let is_plugin = |artifact: &&Artifact| {
            artifact.target.name == "urto" && !artifact.profile.test && artifact.target.kind.contains(&TargetKind::CDyLib)
        };
        let files = self.0.iter().filter(is_plugin).flat_map(|artifact| &artifact.filenames);
        let extension = std::env::consts::DLL_EXTENSION;
        let mut libraries = files.filter(|file| file.extension() == Some(extension));
        libraries.next().map(|file| file.clone().into()).context("cargo has built no dynamic library of the plugin")
    }
}

/// Builds a program in the dev profile and returns its path.
pub fn program(paths: &Paths, name: &str, arguments: &[&str]) -> Result<PathBuf> {
    Artifacts::build(paths, &[&["build"], arguments].concat())?.program(name)
}
