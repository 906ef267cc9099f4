//! The standalone program on a screen that nobody sees: Xvfb, and OpenGL in software.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::{setup, standalone};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command, Stdio};

/// An X server that ends with its owner.
struct Screen {
    server: Child,
    /// What is to stand in `DISPLAY`.
    display: String,
}

impl Screen {
    /// Starts one; it chooses its own number.
    fn start() -> Result<Self> {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().context("cannot start Xvfb")?;
        let mut said = server.stdout.take().context("Xvfb has no output")?;
        let mut display = String::from(":");
        let mut byte = [0];
        while said.read_exact(&mut byte).is_ok() && byte[0].is_ascii_digit() {
            display.push(char::from(byte[0]));
        }
        let screen = Self { server, display };
        if screen.display.len() < 2 {
            bail!("Xvfb did not start; try `Xvfb :99` to see why");
        }
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Builds the standalone program and runs it with `words` on such a screen, for a user who has no presets of his own. Errors: what
/// is missing, with the line to type; what the program says.
pub fn run_standalone<S: AsRef<OsStr>>(paths: &Paths, words: impl IntoIterator<Item = S>) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("this needs Linux: the editor is drawn under Xvfb");
    }
    setup::virtual_display()?;
    let program = standalone::build(paths)?;
    let screen = Screen::start()?;
    let nobody = paths.output("editor/nobody")?;
    let mut command = Command::new(program);
    command.args(words).env("DISPLAY", &screen.display).env("LIBGL_ALWAYS_SOFTWARE", "1").env("XDG_DATA_HOME", nobody);
    run_command(&mut command)
}
