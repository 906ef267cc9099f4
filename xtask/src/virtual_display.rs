//! The standalone program on a virtual display: Xvfb, with OpenGL in software.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::{setup, standalone};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command, Stdio};

/// An Xvfb server that ends when it is dropped.
pub struct VirtualDisplay {
    server: Child,
    /// Value of the environment variable `DISPLAY`.
    name: String,
}

impl VirtualDisplay {
    /// Starts a server, which chooses a free display number.
    pub fn start() -> Result<Self> {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().context("cannot start Xvfb")?;
        let mut output = server.stdout.take().context("the output of Xvfb is not piped")?;
        let mut name = String::from(":");
        let mut byte = [0];
        while output.read_exact(&mut byte).is_ok() && byte[0].is_ascii_digit() {
            name.push(char::from(byte[0]));
        }
        let display = Self { server, name };
        if display.name.len() < 2 {
            bail!("Xvfb has not started; run `Xvfb :99` to see its error message");
        }
        Ok(display)
    }

    /// Value of the environment variable `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for VirtualDisplay {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Builds the standalone program and runs it with `arguments` on a virtual display, with separate user data. Errors:
/// missing packages, with the command that installs them; a program that fails.
pub fn run_standalone<S: AsRef<OsStr>>(paths: &Paths, arguments: impl IntoIterator<Item = S>) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("this task draws the editor under Xvfb and therefore needs Linux");
    }
    setup::virtual_display()?;
    let program = standalone::build(paths)?;
    let display = VirtualDisplay::start()?;
    let user_data = paths.output("editor/nobody")?;
    let mut command = Command::new(program);
    command.args(arguments).env("DISPLAY", &display.name).env("LIBGL_ALWAYS_SOFTWARE", "1").env("XDG_DATA_HOME", user_data);
    run_command(&mut command)
}
