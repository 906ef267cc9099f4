//! The lock files of all workspaces of the repository: each contains what its manifests ask for.
//!
//! The tasks for the web, C, Python and fuzzing build workspaces of their own with `--locked`, and no everyday check builds them.

use crate::commands::{cargo, command_text};
use crate::paths::Paths;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Folders of the workspaces, relative to the root.
const WORKSPACES: [&str; 4] = [".", "c-interface", "fuzz", "python"];

/// Checks all lock files. Returns the number of those that cannot be checked because cargo does not reach its index.
/// Errors: a lock file that cargo would change, with the command that does it.
pub fn check(paths: &Paths) -> Result<usize> {
    let mut unchecked = 0;
    for workspace in WORKSPACES {
        if check_workspace(paths, workspace)? == Check::Impossible {
            unchecked += 1;
        }
    }
    Ok(unchecked)
}

#[derive(Debug, PartialEq)]
enum Check {
    Current,
    Impossible,
}

fn check_workspace(paths: &Paths, workspace: &str) -> Result<Check> {
    let mut command = update(paths, workspace);
    command.arg("--locked");
    println!("$ {} # in {workspace}", command_text(&command));
    let output = command.output().with_context(|| format!("cannot start `{}`", command_text(&command)))?;
    if output.status.success() {
        return Ok(Check::Current);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    eprint!("{message}");
    if is_outdated(&message) {
        let remedy = command_text(&update(paths, workspace));
        bail!("{workspace}/Cargo.lock lacks what the manifests ask for; `{remedy}` in that folder completes it");
    }
    Ok(Check::Impossible)
}

/// Adds to a lock file what it lacks, and changes no version.
fn update(paths: &Paths, workspace: &str) -> Command {
    let mut command = cargo();
    command.current_dir(paths.root.join(workspace)).args(["update", "--workspace"]);
    command
}

/// Whether cargo says in `message` that it would change the lock file.
fn is_outdated(message: &str) -> bool {
    message.contains("--locked was passed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lock_file_that_cargo_would_change_is_outdated() {
        let outdated = "error: cannot update the lock file c-interface/Cargo.lock because --locked was passed to prevent this";
        assert!(is_outdated(outdated));
        assert!(!is_outdated("error: failed to query replaced source registry `crates-io`"));
    }
}
