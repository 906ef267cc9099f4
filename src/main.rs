//! The standalone program: nice-plug's, with advice when a backend does not start, and an end on Ctrl-C.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use nice_plug::prelude::nice_export_standalone_with_args;
use urto::editor_capture;
use urto::plugin::Urto;

/// Advice for a backend that does not start.
const REMEDIES: [(&str, &str); 2] = [
    (
        "jack",
        "JACK needs a running server: start one (`jackd -d alsa`; under PipeWire start `pw-jack urto`), or use `--backend alsa`",
    ),
    (
        "alsa",
        "ALSA needs a sound card: `aplay -l` lists the cards, `--output-device ''` lists the names for `--output-device`; \
         `--backend dummy` opens the editor without sound",
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(exit_code) = capture_editor(&arguments) {
        return exit_code;
    }
    let backend = backend(&arguments).unwrap_or("auto").to_owned();
    let asks_for_help = arguments.iter().any(|word| word == "--help" || word == "-h");
    if !asks_for_help && ["auto", "jack", "alsa", "dummy"].contains(&backend.as_str()) {
        announce(&backend);
    }
    #[cfg(unix)]
    interrupt::handle_signals();
    // an empty device name asks for the list of devices; nice-plug reports it as an error
    let asks_for_list = arguments.iter().any(|word| word.is_empty() || word.ends_with('='));
    if nice_export_standalone_with_args::<Urto, _>(arguments) {
        return ExitCode::SUCCESS;
    }
    match REMEDIES.iter().find(|(name, _)| *name == backend) {
        Some((_, remedy)) if !asks_for_list => eprintln!("urto: {remedy}."),
        _ => {}
    }
    ExitCode::FAILURE
}

/// Takes pictures of the editor, or times its frames, for `cargo xtask`. `None` without these options.
fn capture_editor(arguments: &[String]) -> Option<ExitCode> {
    let words: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    let result = match *words {
        ["--pictures", scenes, folder] => editor_capture::pictures(scenes.as_ref(), folder.as_ref()),
        ["--frames", scenes] => editor_capture::frames(scenes.as_ref()),
        _ => return None,
    };
    Some(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("urto: {fault}");
            ExitCode::FAILURE
        }
    })
}

/// The backend that the arguments choose.
fn backend(arguments: &[String]) -> Option<&str> {
    arguments.iter().enumerate().find_map(|(i, word)| {
        let joined = ["--backend=", "-b=", "-b"].iter().find_map(|option| word.strip_prefix(option));
        match word.as_str() {
            "--backend" | "-b" => arguments.get(i + 1).map(String::as_str),
            _ => joined,
        }
    })
}

/// Prints which functions are missing without a display or with this backend.
fn announce(backend: &str) {
    if cfg!(target_os = "linux") && std::env::var_os("DISPLAY").is_none_or(|display| display.is_empty()) {
        eprintln!("urto: no display (DISPLAY is not set), so there is no window. Play with MIDI; end with Ctrl-C.");
    }
    match backend {
        "auto" => eprintln!("urto: if there is no sound, start with `--backend jack` or `--backend alsa` to see the reason."),
        "dummy" => eprintln!("urto: the dummy backend has neither sound nor MIDI. Click the body to strike it."),
        _ => {}
    }
}

/// SIGINT and SIGTERM: nice-plug does not handle them while its window is open.
#[cfg(unix)]
mod interrupt {
    use std::time::Duration;

    use nix::sys::signal::{SigSet, Signal};

    /// Time for the window to close before the program ends.
    const CLOSE_TIMEOUT: Duration = Duration::from_millis(700);

    /// Closes the window on the first SIGINT or SIGTERM. To be called before any thread is started: later threads inherit the blocked
    /// signals, so that only the thread that waits for them receives them.
    pub fn handle_signals() {
        let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM].into_iter().collect();
        if signals.thread_block().is_err() {
            return;
        }
        std::thread::spawn(move || {
            if signals.wait().is_ok() {
                urto::editor::close();
                std::thread::sleep(CLOSE_TIMEOUT);
                std::process::exit(0);
            }
        });
    }
}
