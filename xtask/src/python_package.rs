//! The Python package in an environment of its own in `target/python/`, and its tests.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::{command_line, python_environment, setup};
use anyhow::{Context, Result};
use std::process::Command;

/// What the tests need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scope {
    /// One machine.
    Package,
    /// Also Ray and Dask, with which the examples spread a data set over workers.
    Clusters,
}

impl Scope {
    /// Folder of the environment below the target folder, and the list of its packages relative to the root.
    fn environment(self) -> (&'static str, &'static str) {
        match self {
            Self::Package => ("python", "python/tests/requirements.txt"),
            Self::Clusters => ("python-clusters", "python/tests/requirements_clusters.txt"),
        }
    }
}

/// Builds and installs the package, and runs its tests. Errors: no Python 3.11 or later, or a test that fails.
pub fn run(paths: &Paths, scope: Scope) -> Result<()> {
    setup::python()?;
    let (environment, requirements) = scope.environment();
    let python = python_environment::provide(paths, environment, requirements)?;
    let program = command_line::build(paths)?;
    // a build folder of its own: features and profile differ
    let build = paths.output("python-build")?;
    let mut install = Command::new(&python);
    install.current_dir(&paths.root).env("CARGO_TARGET_DIR", build);
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", "./python"]);
    run_command(&mut install).context("the package cannot be built: it needs Python 3.11 or later, and PyPI once for maturin")?;
    let mut tests = Command::new(&python);
    tests.current_dir(paths.root.join("python")).env("URTO_CLI", program);
    run_command(tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]))
}
