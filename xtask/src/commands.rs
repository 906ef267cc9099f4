//! Calls of cargo and other programs.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Variable of cargo that switches incremental builds on or off.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// Whether the target folder contained no such build when the task began.
static IS_FIRST_BUILD: OnceLock<bool> = OnceLock::new();

/// What a task builds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Build {
    /// The plugin and programs.
    Programs,
    /// The test programs too.
    Tests,
}

impl Build {
    /// What the task `task` builds.
    pub fn of_task(task: &str) -> Self {
        if task == "test" { Self::Tests } else { Self::Programs }
    }

    /// A file of cargo that tells that physics was built for it.
    fn trace(self) -> &'static str {
        match self {
            Self::Programs => "lib-urto_physics",
            Self::Tests => "test-lib-urto_physics",
        }
    }

    /// Whether `target` contains such a build.
    fn is_in(self, target: &Path) -> bool {
        let is_ours = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("urto-physics-");
        let fingerprints = std::fs::read_dir(target.join("debug").join(".fingerprint"));
        fingerprints.is_ok_and(|entries| entries.flatten().filter(is_ours).any(|entry| entry.path().join(self.trace()).exists()))
    }
}

/// Notes whether `target` contains the build that the task makes. The first build keeps nothing for later ones: this takes a third of the time
/// of compiling physics and engine. Builds after it are incremental.
pub fn note_first_build(target: &Path, build: Build) {
    IS_FIRST_BUILD.get_or_init(|| !build.is_in(target));
}

/// Whether the builds of this task keep code for later ones. Such a build divides a crate into more pieces, and inlines less.
pub fn is_incremental() -> bool {
    std::env::var_os(INCREMENTAL).map_or(IS_FIRST_BUILD.get() != Some(&true), |value| value != "0")
}

/// The cargo that runs this task.
pub fn cargo() -> Command {
    let command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if is_incremental() { command } else { not_incremental(command) }
}

/// The same command with builds that keep nothing for later ones.
pub fn not_incremental(mut command: Command) -> Command {
    command.env(INCREMENTAL, "0");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_built_first_after_programs_too() {
        let target = std::env::temp_dir().join(format!("urto-first-build-{}", std::process::id()));
        let unit = target.join("debug").join(".fingerprint").join("urto-physics-1");
        std::fs::create_dir_all(&unit).expect("a folder");
        let present = || [Build::of_task("demo"), Build::of_task("test")].map(|build| build.is_in(&target));
        assert_eq!(present(), [false, false]);
        std::fs::write(unit.join("lib-urto_physics"), "").expect("a file");
        assert_eq!(present(), [true, false]);
        std::fs::write(unit.join("test-lib-urto_physics"), "").expect("a file");
        assert_eq!(present(), [true, true]);
        std::fs::remove_dir_all(&target).expect("the folder is there");
    }
}
