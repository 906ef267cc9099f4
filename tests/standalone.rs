//! The standalone program without a sound card: its options, its messages and its exit. `editor_windows` tests its window.

use std::time::Duration;

#[path = "support/standalone_process.rs"]
mod standalone_process;

use standalone_process::{Running, end, program};

fn assert_holds(said: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(said.contains(part), "{part:?} missing in:\n{said}"));
}

#[test]
fn help_lists_the_backends_and_how_to_connect_midi() {
    let (code, said) = end(&mut program(&["--help"]));
    assert_eq!(code, Some(0), "{said}");
    assert_holds(&said, &["--backend", "jack", "alsa", "dummy", "--midi-input", "--connect-jack-midi-input", "--output-device"]);
    assert!(!said.contains("no display"), "{said}");
}

#[test]
fn an_unknown_backend_is_rejected_with_the_available_ones() {
    let (code, said) = end(&mut program(&["--backend", "oss"]));
    assert_eq!(code, Some(2), "{said}");
    assert_holds(&said, &["'oss'", "auto, jack, alsa, dummy"]);
}

#[test]
fn a_missing_jack_server_gives_a_message_with_a_fix() {
    let (code, said) = end(&mut program(&["--backend", "jack"]));
    assert_eq!(code, Some(1), "{said}");
    assert_holds(&said, &["JACK", "jackd -d alsa", "pw-jack", "--backend alsa"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_missing_alsa_card_gives_a_message_with_a_fix() {
    for glued in [&["--backend=alsa", "--output-device", "no such card"][..], &["-b", "alsa", "--output-device=no such card"]] {
        let (code, said) = end(&mut program(glued));
        assert_eq!(code, Some(1), "{said}");
        assert_holds(&said, &["no such card", "aplay -l", "--backend dummy"]);
    }
    let (code, said) = end(&mut program(&["--backend", "alsa", "--output-device", ""]));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Available devices") && !said.contains("aplay"), "a list was asked for:\n{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_program_reports_it_and_ends_when_interrupted() {
    for signal in ["-INT", "-TERM"] {
        let running = Running::new(&mut program(&["--backend", "dummy"]));
        std::thread::sleep(Duration::from_millis(1500));
        let (code, said) = running.interrupted(signal);
        assert_eq!(code, Some(0), "{signal}: {said}");
        assert_holds(&said, &["no display", "Ctrl-C", "neither sound nor MIDI"]);
    }
}
