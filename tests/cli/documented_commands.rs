//! Every example of `docs/manual/command-line.md` runs as shown.

use urto_engine::params::BODY_KINDS;

use crate::support::midi_writer::{C4_OFF, C4_ON, song};
use crate::support::program::Folder;

const PAGE: &str = include_str!("../../docs/manual/command-line.md");

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fences: Vec<_> = PAGE.split("```").collect();
    let blocks = fences.iter().skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}

/// The commands of all shell blocks.
fn commands() -> Vec<&'static str> {
    blocks("sh").into_iter().flat_map(str::lines).collect()
}

/// The words of a command as a shell hands them on; only plain words and double quotes are understood.
fn words(command: &str) -> Vec<String> {
    assert!(!command.contains(['\\', '\'', '$', '|', '>', '<', ';', '&', '*', '#']), "too much of a shell: {command}");
    let (mut words, mut quoted) = (vec![String::new()], false);
    for letter in command.chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("never empty").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A folder with all that the page presumes: one note, a push, and the files that it shows.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("song.mid", song(&[(0, C4_ON), (240, C4_OFF)]));
    let spec = hound::WavSpec { channels: 1, sample_rate: 48_000, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut drive = hound::WavWriter::create(folder.path("drive.wav"), spec).expect("a WAV file");
    (0..4_800).for_each(|i| drive.write_sample(if i % 480 < 40 { 20_000_i16 } else { 0 }).expect("a sample"));
    drive.finalize().expect("a WAV file");
    for block in blocks("toml") {
        let name = block.lines().next().and_then(|line| line.strip_prefix("# ")).expect("the name of the file");
        folder.write(name, block);
    }
    folder
}

#[test]
fn every_documented_command_runs_and_writes_its_files() {
    let folder = folder("documented");
    let commands = commands();
    assert!(commands.len() >= 8 + BODY_KINDS.len(), "{}", commands.len());
    for command in commands {
        let words = words(command);
        assert_eq!(words[0], "urto-cli", "{command}");
        let arguments: Vec<_> = words[1..].iter().map(String::as_str).collect();
        // a body that rings for a minute would take too long
        let short: &[&str] = if arguments[0] == "render" && !arguments.contains(&"--tail") { &["--tail", "0.3"] } else { &[] };
        let said = folder.succeed(&[&arguments, short].concat());
        assert!(!said.is_empty() && !said.contains("silent"), "{command}: {said}");
        let names = folder.names();
        for file in arguments.iter().filter(|word| [".wav", ".csv", ".svg"].iter().any(|end| word.ends_with(end))) {
            assert!(names.iter().any(|name| name == file), "{command}: no {file}");
        }
        if arguments.contains(&"--json") {
            assert!(serde_json::from_str::<serde_json::Value>(&said).is_ok(), "{command}: {said}");
        }
    }
}

#[test]
fn every_body_type_has_a_row_and_an_example() {
    let commands = commands();
    for kind in BODY_KINDS.iter().map(|kind| kind.to_lowercase()) {
        assert!(PAGE.contains(&format!("\n| `{kind}` ")), "no row for {kind}");
        let by_preset = kind == "modes" && PAGE.contains("kind = \"modes\"");
        let set = format!("body={kind}");
        let shown = commands.iter().any(|command| words(command).contains(&set));
        assert!(shown || by_preset, "no example for {kind}");
    }
}
