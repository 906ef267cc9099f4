//! Outputs: distinct files, standard input and output, and nothing left behind by a signal.

use crate::support::midi_writer::{C4_OFF, C4_ON, song};
use crate::support::program::Folder;

const CASE: &str = "[contact]\nstiffness = 1e7\nexponent = 1.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n";

/// A folder with a song and a case.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("in.mid", song(&[(0, C4_ON), (240, C4_OFF)]));
    folder.write("case.toml", CASE);
    folder
}

#[test]
fn one_name_for_two_outputs_is_rejected() {
    let folder = folder("two-outputs");
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    folder.write("old.csv", "kept");
    std::fs::hard_link(folder.path("old.csv"), folder.path("link.csv")).expect("a hard link");
    for arguments in [
        &["render", "in.mid", "o.wav", "--trace", "o.wav"][..],
        &["render", "in.mid", "o.wav", "--trace", "./sub/../o.wav"],
        &["render", "in.mid", "old.csv", "--trace", "link.csv"],
        &["render", "in.mid", "-", "--trace", "-"],
        #[cfg(unix)]
        &["render", "in.mid", "-", "--trace", "/dev/stdout"],
        &["strike", "case.toml", "--trace", "x", "--plot", "x"],
    ] {
        let complaint = folder.refuse(arguments);
        assert!(complaint.contains("two outputs go to this file; give each output its own name"), "{complaint}");
    }
    assert_eq!(folder.read("old.csv"), b"kept");
}

#[test]
fn an_output_that_is_an_input_under_another_name_is_rejected() {
    let folder = folder("output-is-input");
    folder.write("p.toml", "schema = 2\n");
    std::fs::hard_link(folder.path("in.mid"), folder.path("hard.mid")).expect("a hard link");
    #[cfg(unix)]
    std::os::unix::fs::symlink("in.mid", folder.path("soft.mid")).expect("a symbolic link");
    let before = folder.read("in.mid");
    for output in ["in.mid", "./in.mid", "hard.mid", if cfg!(unix) { "soft.mid" } else { "HARD.mid" }] {
        let complaint = folder.refuse(&["render", "in.mid", output]);
        assert!(complaint.contains("this is also an input file; choose another name"), "{complaint}");
    }
    assert_eq!(folder.read("in.mid"), before);
    let complaint = folder.refuse(&["presets", "export", "p.toml", "p.toml"]);
    assert!(complaint.contains("p.toml: this is also an input file"), "{complaint}");
}

#[test]
fn sound_goes_to_standard_output_with_its_size() {
    let folder = folder("sound-to-pipe");
    let song = folder.read("in.mid");
    for (name, options) in [
        ("file.wav", &["--tail", "0.2"][..]),
        ("auto.wav", &["--set", "release=damp", "--set", "release_time=0.05"]),
        ("file.flac", &["--tail", "0.2", "--format", "flac-16"]),
    ] {
        folder.succeed(&[&["render", "in.mid", name], options].concat());
        let mut pairs = vec![("-", "-")];
        if cfg!(target_os = "linux") {
            pairs.push(("/dev/stdin", "/dev/stdout"));
        }
        for (input, output) in pairs {
            let piped = folder.run_with(&[&["render", input, output], options].concat(), &song);
            let said = String::from_utf8_lossy(&piped.stderr).into_owned();
            assert!(piped.status.success() && piped.stdout == folder.read(name), "{name}: {said}");
            let report: Vec<_> = said.lines().filter(|line| !line.starts_with("urto-cli: note: ")).collect();
            assert!(report.len() == 1 && report[0].starts_with("standard output: "), "{said}");
        }
    }
    assert_eq!(folder.names(), ["auto.wav", "case.toml", "file.flac", "file.wav", "in.mid"]);
}

#[test]
fn texts_go_to_standard_output_and_reports_to_standard_error() {
    let folder = folder("text-to-pipe");
    folder.succeed(&["strike", "case.toml", "--trace", "trace.csv", "--plot", "plot.svg"]);
    for (option, name) in [("--trace", "trace.csv"), ("--plot", "plot.svg")] {
        let output = folder.run(&["strike", "case.toml", option, "-"]);
        assert!(output.status.success() && output.stdout == folder.read(name), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("at the end\n"), "{name}");
        let complaint = folder.refuse(&["strike", "case.toml", option, "-", "--json"]);
        assert!(complaint.contains("--json and a file both go to standard output; give the file a name"), "{complaint}");
    }
    folder.write("two.csv", "frequency,t60\n500,2\n900,1\n");
    let patch = folder.run(&["modes", "from-file", "two.csv", "--out", "-"]);
    assert!(patch.stdout.starts_with(b"schema = ") && !patch.stderr.is_empty());
    let state = folder.run(&["presets", "export", "Rosewood Marimba", "-"]);
    folder.write("state", &state.stdout);
    assert!(folder.succeed(&["presets", "show", "state"]).contains("name = \"Rosewood Marimba\""));
    let complaint = folder.refuse(&["presets", "render-all", "--out", "-"]);
    assert!(complaint.contains("several files cannot go to standard output; give a folder"), "{complaint}");
    let complaint = folder.refuse(&["presets", "render-all", "--out", "phrases", "--only", "theremin"]);
    assert!(complaint.contains("no built-in preset has such a name; `urto-cli presets list`"), "{complaint}");
}

#[test]
fn inputs_are_read_from_standard_input() {
    let folder = folder("from-pipe");
    let preset = folder.succeed(&["presets", "show", "Piano C4 Wire"]);
    folder.write("p.toml", &preset);
    for (arguments, file, input) in [
        (&["render", "in.mid", "o.wav", "--tail", "0.1", "--preset", "-"][..], "p.toml", preset.as_bytes()),
        (&["modes", "-"], "p.toml", preset.as_bytes()),
        (&["presets", "show", "-"], "p.toml", preset.as_bytes()),
        (&["strike", "-", "--json"], "case.toml", CASE.as_bytes()),
        (&["modes", "from-file", "-"], "list.csv", b"# modes\nfrequency;t60\n500;2\n"),
        (&["modes", "from-file", "-"], "list.json", b" [\n{\"frequency\": 500, \"t60\": 2}]"),
        (&["modes", "from-file", "-"], "list.toml", b"# modes\n[[modes]]\nfrequency = 500\n"),
        (&["tune", "check", "-"], "scale.scl", b"! a\na\n 2\n 3/2\n 2/1\n"),
    ] {
        folder.write(file, input);
        let named: Vec<_> = arguments.iter().map(|argument| if *argument == "-" { file } else { argument }).collect();
        let piped = folder.run_with(arguments, input);
        assert!(piped.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&piped.stderr));
        assert_eq!(String::from_utf8_lossy(&piped.stdout), folder.succeed(&named), "{arguments:?}");
    }
    let twice = folder.run_with(&["render", "-", "o.wav", "--preset", "-"], preset.as_bytes());
    assert_eq!(twice.status.code(), Some(2));
    let damaged = folder.run_with(&["strike", "-"], CASE.replace("0.01", "-1").as_bytes());
    let complaint = String::from_utf8_lossy(&damaged.stderr).into_owned();
    assert!(complaint.starts_with("urto-cli: standard input, line 5, striker.mass: -1 is out of range"), "{complaint}");
}

#[test]
fn standard_input_is_not_read_twice() {
    let folder = folder("pipe-twice");
    let twice = folder.run_with(&["tune", "check", "-", "--keymap", "-"], b"a\n 1\n 2/1\n");
    let complaint = String::from_utf8_lossy(&twice.stderr).into_owned();
    assert!(complaint.contains("standard input is given for two inputs; give the name of a file"), "{complaint}");
    assert_eq!(twice.status.code(), Some(2));
}

/// Sends `signal` to a rendering once its unfinished files exist. Returns the exit code.
#[cfg(unix)]
fn interrupted(folder: &Folder, arguments: &[&str], signal: &str, has_begun: impl Fn() -> bool) -> Option<i32> {
    use std::process::Stdio;
    let mut program = folder.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
    for _ in 0..600 {
        if has_begun() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(has_begun(), "no unfinished file within 30 s");
    let sent = std::process::Command::new("kill").args([signal, &program.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    program.wait().expect("the program ends").code()
}

/// Whether the tests outlive their terminal, as under `nohup`; the program then does, too.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:").map(str::trim));
    ignored.and_then(|mask| u64::from_str_radix(mask, 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn a_hangup_does_not_end_a_program_under_nohup() {
    let folder = folder("nohup");
    let program = format!(
        "\"{}\" render in.mid o.wav --tail 100 & child=$!; until ls .o.wav.*.part; do kill -0 $child || exit 8; sleep 0.01; done; kill -HUP $child || exit 9; wait $child",
        env!("CARGO_BIN_EXE_urto-cli")
    );
    let script = ["-c", "trap '' HUP; eval \"$0\"", &program];
    let ended = std::process::Command::new("sh").args(script).current_dir(folder.path(".")).output().expect("a shell");
    assert!(ended.status.success() && folder.path("o.wav").is_file(), "{}", String::from_utf8_lossy(&ended.stderr));
}

/// A file beyond the limit of the system is an error of writing: nothing is left, and an older file stays.
#[cfg(unix)]
#[test]
fn a_file_that_becomes_too_large_is_reported() {
    let folder = folder("too-large");
    std::fs::create_dir(folder.path("tmp")).expect("a folder");
    folder.write("o.wav", "kept");
    folder.write("long.toml", format!("duration = 1\n{CASE}"));
    let before = folder.names();
    for arguments in [
        "render in.mid o.wav --tail 1",
        "render in.mid new.wav --tail 1",
        "render in.mid - --tail 1",
        "strike long.toml --trace t.csv",
    ] {
        let script = format!("ulimit -f 20; exec \"{}\" {arguments}", env!("CARGO_BIN_EXE_urto-cli"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path(".")).env("TMPDIR", folder.path("tmp"));
        let ended = shell.output().expect("a shell");
        let said = String::from_utf8(ended.stderr).expect("UTF-8");
        assert_eq!(ended.status.code(), Some(2), "{arguments}: {said}");
        assert!(
            said.contains(": the file would exceed the largest size allowed; raise the limit (ulimit -f)"),
            "{arguments}: {said}"
        );
        assert_eq!((folder.names(), folder.read("o.wav")), (before.clone(), b"kept".to_vec()), "{arguments}");
        assert_eq!(std::fs::read_dir(folder.path("tmp")).expect("a folder").count(), 0, "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn signals_remove_unfinished_files() {
    let folder = folder("signals");
    let temporary = folder.path("tmp");
    std::fs::create_dir(&temporary).expect("a folder");
    let unfinished = |folder: &std::path::Path| {
        let names = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".part")).count()
    };
    let before = folder.names();
    let to_files = ["render", "in.mid", "o.wav", "--trace", "o.csv", "--tail", "10000"];
    let to_pipe = ["render", "in.mid", "-", "--tail", "10000"];
    let mut signals = vec![("-INT", 130), ("-TERM", 143), ("-QUIT", 131)];
    if !is_hangup_ignored() {
        signals.push(("-HUP", 129));
    }
    for (signal, code) in signals {
        let ended = interrupted(&folder, &to_files, signal, || unfinished(&folder.path(".")) == 2);
        assert_eq!(ended, Some(code));
        let ended = interrupted(&folder, &to_pipe, signal, || unfinished(&temporary) == 1);
        assert_eq!(ended, Some(code));
        assert_eq!((folder.names(), unfinished(&temporary)), (before.clone(), 0));
    }
}
