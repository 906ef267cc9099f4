//! How test programs are started: directly, or by an emulator of another system.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The program that starts test programs, and their environment.
#[derive(Clone, Debug, Default)]
pub struct Launcher {
    /// The emulator; none for programs of this system.
    pub emulator: Option<PathBuf>,
    /// Variables and their values.
    pub environment: Vec<(OsString, OsString)>,
    /// Variables that are removed from it.
    pub removed: Vec<OsString>,
    /// Time limit of one test, if it is not that of the tier.
    pub time_limit: Option<Duration>,
    /// Largest number of tests in one process, if it is not that of the runner.
    pub largest_batch: Option<usize>,
}

impl Launcher {
    /// A command that starts `program`.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = match &self.emulator {
            None => Command::new(program),
            Some(emulator) => {
                let mut command = Command::new(emulator);
                command.arg(program);
                command
            }
        };
        self.removed.iter().for_each(|name| _ = command.env_remove(name));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Value of a variable that the launcher sets.
    pub fn variable(&self, name: &str) -> Option<&OsString> {
        self.environment.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Sets a variable of the environment.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.environment.push((name.into(), value.into()));
    }
}
