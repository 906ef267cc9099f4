//! The standalone program as a child process.

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program with neither a display nor a JACK server.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urto"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("DISPLAY").env("JACK_DEFAULT_SERVER", "nobody").env("PIPEWIRE_REMOTE", "nobody");
    command
}

/// Exit code and what was said on both channels of a program that ends by itself.
#[allow(dead_code, reason = "not every program waits for the end")]
pub fn end(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// A program that ends with its owner.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Starts `program`.
    pub fn new(program: &mut Command) -> Self {
        Self(program.spawn().expect("the program runs"))
    }

    /// Sends a signal; exit code and what was said, once it has ended.
    pub fn interrupted(mut self, signal: &str) -> (Option<i32>, String) {
        assert!(self.0.try_wait().expect("a child").is_none(), "it did not stay");
        let sent = Command::new("kill").args([signal, &self.0.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        let since = Instant::now();
        let status = loop {
            match self.0.try_wait().expect("a child") {
                Some(status) => break status,
                None if since.elapsed() > PATIENCE => panic!("{signal} was not heard"),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        let mut said = String::new();
        self.0.stderr.take().expect("piped").read_to_string(&mut said).expect("UTF-8");
        (status.code(), said)
    }
}
