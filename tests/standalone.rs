//! The standalone program, as far as it runs without a sound card: its words, its ends, its window under Xvfb.

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program with neither a display nor a JACK server.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urto"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("DISPLAY").env("JACK_DEFAULT_SERVER", "nobody").env("PIPEWIRE_REMOTE", "nobody");
    command
}

/// Exit code and what was said on both channels of a program that ends by itself.
fn end(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

fn assert_holds(said: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(said.contains(part), "{part:?} missing in:\n{said}"));
}

#[test]
fn help_names_the_backends_and_how_to_connect_midi() {
    let (code, said) = end(&mut program(&["--help"]));
    assert_eq!(code, Some(0), "{said}");
    assert_holds(&said, &["--backend", "jack", "alsa", "dummy", "--midi-input", "--connect-jack-midi-input", "--output-device"]);
    assert!(!said.contains("no display"), "{said}");
}

#[test]
fn an_unknown_backend_is_refused_with_those_that_there_are() {
    let (code, said) = end(&mut program(&["--backend", "oss"]));
    assert_eq!(code, Some(2), "{said}");
    assert_holds(&said, &["'oss'", "auto, jack, alsa, dummy"]);
}

#[test]
fn jack_without_a_server_says_how_to_start_one() {
    let (code, said) = end(&mut program(&["--backend", "jack"]));
    assert_eq!(code, Some(1), "{said}");
    assert_holds(&said, &["JACK", "jackd -d alsa", "pw-jack", "--backend alsa"]);
}

#[cfg(target_os = "linux")]
#[test]
fn alsa_without_the_card_says_how_to_find_one() {
    for glued in [&["--backend=alsa", "--output-device", "no such card"][..], &["-b", "alsa", "--output-device=no such card"]] {
        let (code, said) = end(&mut program(glued));
        assert_eq!(code, Some(1), "{said}");
        assert_holds(&said, &["no such card", "aplay -l", "--backend dummy"]);
    }
    let (code, said) = end(&mut program(&["--backend", "alsa", "--output-device", ""]));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Available devices") && !said.contains("aplay"), "a list was asked for:\n{said}");
}

/// A program that ends with its owner.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Sends a signal; exit code and what was said, once it has ended.
    fn interrupted(mut self, signal: &str) -> (Option<i32>, String) {
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

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_it_says_so_and_ends_when_interrupted() {
    for signal in ["-INT", "-TERM"] {
        let running = Running(program(&["--backend", "dummy"]).spawn().expect("the program runs"));
        std::thread::sleep(Duration::from_millis(1500));
        let (code, said) = running.interrupted(signal);
        assert_eq!(code, Some(0), "{signal}: {said}");
        assert_holds(&said, &["no display", "Ctrl-C", "neither sound nor MIDI"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn its_window_opens_and_closes_when_interrupted() {
    let server = Command::new("Xvfb").args(["-displayfd", "1", "-screen", "0", "1280x800x24"]).stdout(Stdio::piped()).spawn();
    let Ok(mut server) = server else { return println!("left out: there is no Xvfb here") };
    let mut output = server.stdout.take().expect("piped");
    let server = Running(server);
    let (mut number, mut byte) = (String::from(":"), [0]);
    while output.read_exact(&mut byte).is_ok() && byte[0].is_ascii_digit() {
        number.push(char::from(byte[0]));
    }
    let running = Running(program(&["--backend", "dummy"]).env("DISPLAY", &number).spawn().expect("the program runs"));
    std::thread::sleep(Duration::from_millis(4000));
    let (code, said) = running.interrupted("-INT");
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("No GUI") && !said.contains("Failed") && !said.contains("panicked"), "{said}");
    drop(server);
}
