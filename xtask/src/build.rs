//! Builds by cargo, and the files that they leave.

use crate::commands::{cargo, command_text};
use crate::paths::Paths;
use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message, TargetKind};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::Stdio;

/// What a build has left.
pub struct Artifacts(Vec<Artifact>);

impl Artifacts {
    /// Nothing was built.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Runs cargo with `arguments` and collects what it builds. Errors: a build that fails.
    pub fn build(paths: &Paths, arguments: &[&str]) -> Result<Self> {
        let mut command = cargo();
        command.current_dir(&paths.root).args(arguments);
        println!("$ {}", command_text(&command));
        let mut child = command.arg("--message-format=json-render-diagnostics").stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("the output is piped")?;
        let mut built = Vec::new();
        for message in Message::parse_stream(BufReader::new(output)) {
            if let Message::CompilerArtifact(artifact) = message? {
                built.push(artifact);
            }
        }
        if !child.wait()?.success() {
            bail!("`cargo {}` failed", arguments.join(" "));
        }
        Ok(Self(built))
    }

    /// The test programs, and programs that are tests of themselves.
    pub fn tests(&self) -> impl Iterator<Item = &Artifact> {
        self.0.iter().filter(|artifact| artifact.profile.test && artifact.executable.is_some())
    }

    /// The program `name`. Errors: it was not built.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        let mut named = self.0.iter().filter(|artifact| artifact.target.name == name && !artifact.profile.test);
        let found = named.find_map(|artifact| artifact.executable.clone());
        found.map(Into::into).with_context(|| format!("cargo has built no program `{name}`"))
    }

    /// The benchmark `name`. Errors: it was not built.
    pub fn bench(&self, name: &str) -> Result<PathBuf> {
        let is = |artifact: &&Artifact| artifact.target.name == name && artifact.target.kind.contains(&TargetKind::Bench);
        let found = self.0.iter().filter(is).find_map(|artifact| artifact.executable.clone());
        found.map(Into::into).with_context(|| format!("cargo has built no benchmark `{name}`"))
    }

    /// The plugin as a dynamic library. Errors: it was not built.
    pub fn plugin(&self) -> Result<PathBuf> {
        let is_plugin = |artifact: &&Artifact| {
            artifact.target.name == "urto" && !artifact.profile.test && artifact.target.kind.contains(&TargetKind::CDyLib)
        };
        let files = self.0.iter().filter(is_plugin).flat_map(|artifact| &artifact.filenames);
        let ending = std::env::consts::DLL_EXTENSION;
        let mut libraries = files.filter(|file| file.extension() == Some(ending));
        libraries.next().map(|file| file.clone().into()).context("cargo has built no dynamic library of the plugin")
    }
}

/// Builds a program in the everyday profile and returns its path.
pub fn program(paths: &Paths, name: &str, arguments: &[&str]) -> Result<PathBuf> {
    Artifacts::build(paths, &[&["build"], arguments].concat())?.program(name)
}
