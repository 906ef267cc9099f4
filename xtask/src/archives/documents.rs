//! Documents of the archives: texts, manual, and the licences of all dependencies.

use crate::cargo_tools::{ABOUT, DENY};
use crate::commands::{command_text, run as run_command};
use crate::manual;
use crate::paths::{Paths, copy};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;

/// Text files in every archive, relative to the root.
const TEXTS: [&str; 8] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CITATION.cff",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "assets/fonts/LICENSE_FONT",
];
/// Folders that the README links to or uses.
const LINKED: [&str; 2] = ["docs", "assets/demo"];
/// Name of the file with the licences of all dependencies.
const LICENCES: &str = "LICENCES-OF-DEPENDENCIES.txt";

/// Checks the dependencies with cargo-deny. Advisories need the network; without it they are skipped with a message. Errors: a licence or
/// source that `deny.toml` does not allow.
pub fn check_licences(paths: &Paths) -> Result<()> {
    let deny = |arguments: &[&str]| -> Result<_> {
        let mut command = DENY.provide(paths)?;
        command.current_dir(&paths.root).args(arguments);
        Ok(command)
    };
    run_command(&mut deny(&["--workspace", "check", "licenses", "bans", "sources"])?)?;
    let fetched = deny(&["fetch", "db"])?.status();
    if fetched.is_ok_and(|status| status.success()) {
        run_command(&mut deny(&["--workspace", "check", "advisories"])?)
    } else {
        println!("advisories: not checked, because their database cannot be fetched; try again with a network connection");
        Ok(())
    }
}

/// Copies documents and manual into a folder, and generates the licences of the dependencies there. Returns the folder.
pub fn collect(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.output("dist-documents")?;
    fs::remove_dir_all(&folder)?;
    fs::create_dir_all(&folder)?;
    for document in TEXTS {
        let file = paths.root.join(document);
        copy(&file, &folder.join(file.file_name().context("a document has no file name")?))?;
    }
    for linked in LINKED {
        copy(&paths.root.join(linked), &folder.join(linked))?;
    }
    copy(&manual::provide_html(paths)?, &folder.join("manual"))?;
    let mut about = ABOUT.provide(paths)?;
    about.current_dir(&paths.root).args(["about", "generate", "--fail", "--all-features", "about.hbs"]);
    run_command(about.arg("--output-file").arg(folder.join(LICENCES)))?;
    let text = fs::read_to_string(folder.join(LICENCES))?;
    // nice-plug is a direct dependency: without it the list is incomplete
    ensure!(text.contains("nice-plug"), "{LICENCES} does not list the dependency nice-plug; check `{}`", command_text(&about));
    Ok(folder)
}
