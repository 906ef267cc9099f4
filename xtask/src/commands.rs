//! Calls of cargo and other programs.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Variable of cargo that switches incremental builds on or off.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// Whether the target folder contained no build of the workspace when the task began.
static IS_FIRST_BUILD: OnceLock<bool> = OnceLock::new();

/// Notes whether `target` contains a build of the workspace. The first build keeps nothing for later ones: this takes a third of the time of
/// compiling physics and engine. Builds after it are incremental.
pub fn note_first_build(target: &Path) {
    let is_ours = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("urto-physics-");
    let fingerprints = std::fs::read_dir(target.join("debug").join(".fingerprint"));
    let has_build = fingerprints.is_ok_and(|entries| entries.flatten().any(is_ours));
    IS_FIRST_BUILD.get_or_init(|| !has_build);
}

/// The cargo that runs this task.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if IS_FIRST_BUILD.get() == Some(&true) && std::env::var_os(INCREMENTAL).is_none() {
        command.env(INCREMENTAL, "0");
    }
    command
}

/// A command as a line for the terminal: the name of the program without its folder, and the arguments.
pub fn command_text(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Prints a command and runs it. Errors: the program cannot be started, or its exit code is not 0.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", command_text(command));
    let status = command.status().with_context(|| format!("cannot start `{}`", command_text(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", command_text(command));
    }
    Ok(())
}

/// Whether a program is installed: it succeeds with `--version`.
pub fn is_installed(command: &mut Command) -> bool {
    let status = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
