//! The standalone program: nice-plug's, with words for what goes wrong, and an end when it is interrupted.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use nice_plug::prelude::nice_export_standalone_with_args;
use urto::editor_capture;
use urto::plugin::Urto;

/// What helps when a backend does not start.
const REMEDIES: [(&str, &str); 2] = [
    (
        "jack",
        "JACK needs a server that runs: start one (`jackd -d alsa`, or under PipeWire put `pw-jack` in front of `urto`), or use \
         `--backend alsa`",
    ),
    (
        "alsa",
        "ALSA needs a sound card: `aplay -l` lists them, `--output-device ''` shows the names to give to `--output-device`; \
         `--backend dummy` opens the editor without sound",
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(done) = studio(&arguments) {
        return done;
    }
    let backend = backend(&arguments).unwrap_or("auto").to_owned();
    let helps = arguments.iter().any(|word| word == "--help" || word == "-h");
    if !helps && ["auto", "jack", "alsa", "dummy"].contains(&backend.as_str()) {
        announce(&backend);
    }
    #[cfg(unix)]
    interrupt::await_it();
    // an empty name asks for a list, which is an error to nice-plug only
    let lists = arguments.iter().any(|word| word.is_empty() || word.ends_with('='));
    if nice_export_standalone_with_args::<Urto, _>(arguments) {
        return ExitCode::SUCCESS;
    }
    match REMEDIES.iter().find(|(name, _)| *name == backend) {
        Some((_, remedy)) if !lists => eprintln!("urto: {remedy}."),
        _ => {}
    }
    ExitCode::FAILURE
}

/// For the project's own tasks: pictures of the editor and what they cost. None if neither is asked for.
fn studio(arguments: &[String]) -> Option<ExitCode> {
    let words: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    let done = match *words {
        ["--pictures", scenes, folder] => editor_capture::pictures(scenes.as_ref(), folder.as_ref()),
        ["--frames", scenes] => editor_capture::frames(scenes.as_ref()),
        _ => return None,
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("urto: {fault}");
            ExitCode::FAILURE
        }
    })
}

/// The backend that is asked for.
fn backend(arguments: &[String]) -> Option<&str> {
    arguments.iter().enumerate().find_map(|(i, word)| {
        let glued = ["--backend=", "-b=", "-b"].iter().find_map(|option| word.strip_prefix(option));
        match word.as_str() {
            "--backend" | "-b" => arguments.get(i + 1).map(String::as_str),
            _ => glued,
        }
    })
}

/// Says what is not to be expected.
fn announce(backend: &str) {
    if cfg!(target_os = "linux") && std::env::var_os("DISPLAY").is_none_or(|display| display.is_empty()) {
        eprintln!("urto: no display (DISPLAY is not set), so there is no window: MIDI plays it, Ctrl-C ends it.");
    }
    match backend {
        "auto" => eprintln!("urto: if you hear nothing, `--backend jack` and `--backend alsa` say what is missing."),
        "dummy" => eprintln!("urto: the dummy backend has neither sound nor MIDI; a click on the body strikes."),
        _ => {}
    }
}

/// Ctrl-C and a friendly kill: nice-plug hears neither while its window is open.
#[cfg(unix)]
mod interrupt {
    use std::time::Duration;

    use nix::sys::signal::{SigSet, Signal};

    /// Time for the window to close, after which the program ends anyhow.
    const GRACE: Duration = Duration::from_millis(700);

    /// Closes the window on the first SIGINT or SIGTERM. To be called before any thread is started: those to come inherit that
    /// the signals are held back, so that only the thread that waits for them gets them.
    pub fn await_it() {
        let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM].into_iter().collect();
        if signals.thread_block().is_err() {
            return;
        }
        std::thread::spawn(move || {
            if signals.wait().is_ok() {
                urto::editor::close();
                std::thread::sleep(GRACE);
                std::process::exit(0);
            }
        });
    }
}
