//! Programs of cargo that a task needs: those on the search path, or copies in `target/tools`.

use crate::commands::{cargo, is_installed, run as run_command};
use crate::paths::Paths;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// A program that `cargo install` builds.
pub struct Tool {
    /// Name of the program and of its package.
    pub name: &'static str,
    /// Arguments before `--version`.
    pub probe: &'static [&'static str],
    /// Arguments of `cargo install` besides the name.
    pub arguments: &'static [&'static str],
}

/// Checks licences, sources and advisories of dependencies.
pub const DENY: Tool = Tool { name: "cargo-deny", probe: &[], arguments: &[] };
/// Collects the texts of licences.
pub const ABOUT: Tool = Tool { name: "cargo-about", probe: &["about"], arguments: &["--features", "cli"] };
/// Renders the manual as HTML.
pub const BOOK: Tool = Tool { name: "mdbook", probe: &[], arguments: &[] };

impl Tool {
    /// A command of the program, if it is installed.
    pub fn find(&self, paths: &Paths) -> Option<Command> {
        let places = [PathBuf::from(self.name), self.own(paths)];
        places.into_iter().find(|place| is_installed(Command::new(place).args(self.probe))).map(Command::new)
    }

    /// A command of the program, which is installed into `target/tools` if it is missing. Errors: it cannot be built, or the registry of
    /// crates cannot be reached.
    pub fn provide(&self, paths: &Paths) -> Result<Command> {
        if let Some(command) = self.find(paths) {
            return Ok(command);
        }
        println!("installing {} into target/tools; this takes some minutes, once", self.name);
        let mut install = cargo();
        install.args(["install", "--locked", self.name]).args(self.arguments).arg("--root").arg(paths.output("tools")?);
        // its build must not mix with that of the workspace
        install.current_dir(&paths.root).env("CARGO_TARGET_DIR", paths.output("tools/build")?);
        run_command(&mut install).with_context(|| {
            format!("{0} cannot be installed; try `cargo install --locked {0} {1}`", self.name, self.arguments.join(" "))
        })?;
        Ok(Command::new(self.own(paths)))
    }

    fn own(&self, paths: &Paths) -> PathBuf {
        paths.target.join("tools/bin").join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX))
    }
}
