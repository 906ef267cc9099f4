//! Figures and tables of `docs/papers/` and `docs/validation.md`, written by the tests that assert them.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use anyhow::Result;

/// Pages that tests write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pages {
    /// Figures and tables of papers on numerical methods.
    Papers,
    /// Published measurements of real objects.
    Validation,
}

impl Pages {
    /// Module of the tests, and what they write below the root.
    fn tests(self) -> (&'static str, &'static str) {
        match self {
            Self::Papers => ("papers::", "docs/papers"),
            Self::Validation => ("validation::", "docs/validation.md"),
        }
    }
}

/// Runs the tests of `pages` in the mode in which they write figures and tables.
pub fn run(paths: &Paths, pages: Pages) -> Result<()> {
    let (module, written) = pages.tests();
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_FIGURES", "1");
    command.args(["test", "--package", "urto-physics", "--test", "physics", module]);
    run_command(&mut command)?;
    println!("wrote figures and tables to {}", paths.root.join(written).display());
    Ok(())
}
