//! Data sets: the same bytes on any number of threads and after any interruption, and nothing overwritten.

use std::path::Path;
use std::process::Stdio;

use crate::support::midi_writer::song;
use crate::support::program::Folder;

/// Strokes of a short bar; `strokes` of them, two in a shard.
fn spec(strokes: u32) -> String {
    format!(
        "count = {strokes}\nseed = 5\nsampling = \"sobol\"\nlength = 0.05\nrate = 16000\nformat = \"flac\"\nshard = 2\n\
         keys = {{ from = \"C4\", to = \"C5\" }}\nvelocities = {{ from = 20, to = 127 }}\n\
         [parameters]\nposition = {{ from = 0.1, to = 0.5 }}\nhammer_mass = {{ from = \"5 g\", to = \"50 g\", spacing = \"log\" }}\n\
         body = [\"bar\", \"string\"]\n"
    )
}

/// Names and contents of the files in `folder` and the folders in it, sorted.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files.extend(contents(&path)),
            false => files.push((path.display().to_string(), std::fs::read(&path).expect("a file"))),
        }
    }
    files.sort();
    files
}

/// The same with names relative to `folder`.
fn files(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let root = folder.path(name);
    let relative = |path: String| path.trim_start_matches(&root.display().to_string()).replace('\\', "/");
    contents(&root).into_iter().map(|(path, bytes)| (relative(path), bytes)).collect()
}

#[test]
fn the_same_bytes_after_kills_and_on_any_number_of_threads() {
    let folder = Folder::new("dataset-killed");
    folder.write("spec.toml", spec(40));
    let said = folder.succeed(&["dataset", "spec.toml", "whole", "--jobs", "1"]);
    assert!(said.contains("whole: 40 strokes in 20 shards; 40 rendered"), "{said}");
    folder.succeed(&["dataset", "spec.toml", "parallel", "--jobs", "3"]);
    let expected = files(&folder, "whole");
    assert!(files(&folder, "parallel") == expected);
    let complete = || {
        std::fs::read_dir(folder.path("killed/rows")).map_or(0, |rows| {
            rows.filter(|row| row.as_ref().is_ok_and(|row| row.path().extension().is_some_and(|end| end == "csv"))).count()
        })
    };
    for kills in 1..=3 {
        let mut command = folder.command(&["dataset", "spec.toml", "killed", "--jobs", "2"]);
        let mut program = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
        while complete() < 4 * kills && program.try_wait().expect("a status").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        program.kill().expect("SIGKILL");
        program.wait().expect("it ended");
        assert!((4 * kills..20).contains(&complete()), "killed after {} shards", complete());
    }
    let kept = complete();
    let said = folder.succeed(&["dataset", "spec.toml", "killed"]);
    assert!(said.contains(&format!("; {} rendered", 40 - 2 * kept)), "{kept} shards kept: {said}");
    assert!(files(&folder, "killed") == expected);
    assert!(folder.succeed(&["dataset", "spec.toml", "killed"]).contains("complete before"));
    let said = folder.succeed(&["dataset", "--verify", "killed"]);
    assert_eq!(said, "killed: 40 strokes, 20 shards, all checksums match\n");
}

/// A row of the manifest by the names of its columns.
fn cell(manifest: &str, row: usize, column: &str) -> String {
    let mut lines = manifest.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let place = lines.next().expect("names").iter().position(|name| *name == column).unwrap_or_else(|| panic!("no {column}"));
    lines.nth(row).expect("a row")[place].to_owned()
}

#[test]
fn a_stroke_is_the_note_of_its_parameters() {
    let folder = Folder::new("dataset-sound");
    folder.write("spec.toml", spec(3).replace("\"flac\"", "\"wav\"") + "\n");
    folder.succeed(&["dataset", "spec.toml", "out", "--jobs", "1"]);
    let manifest = String::from_utf8(folder.read("out/manifest.csv")).expect("UTF-8");
    assert_eq!(manifest.lines().count(), 4);
    let value = |column: &str| cell(&manifest, 2, column);
    let key: u8 = value("key").parse().expect("a key");
    // velocities of MIDI are whole numbers
    let set = |id: &str, column: &str| format!("{id}={}", value(column));
    let arguments = [
        "modes",
        &value("body"),
        "--key",
        &key.to_string(),
        "--rate",
        "16000",
        "--json",
        "--set",
        &set("position", "position"),
        "--set",
        &set("hammer_mass", "hammer_mass [kg]"),
    ];
    let modes: serde_json::Value = serde_json::from_str(&folder.succeed(&arguments)).expect("JSON");
    let first: f64 = value("mode_frequencies_hz").split(' ').next().expect("a mode").parse().expect("a number");
    assert_eq!(modes["modes"][0]["hertz"].as_f64(), Some(first));
    let [energy_in, hammer, body, loss, decay] =
        ["energy_in_j", "energy_hammer_j", "energy_body_j", "energy_contact_loss_j", "energy_decay_j"]
            .map(|column| value(column).parse::<f64>().expect("a number"));
    assert!((hammer + body + loss + decay - energy_in).abs() < 1e-9 * energy_in, "the energy is not split completely");
    // the same stroke at a whole velocity, as a MIDI file
    folder.write("fixed.toml", format!(
        "count = 1\nlength = 0.05\nrate = 16000\nkeys = {key}\nvelocities = 90\n[parameters]\nposition = {}\nhammer_mass = {}\nbody = \"{}\"\n",
        value("position"), value("hammer_mass [kg]"), value("body")
    ));
    folder.succeed(&["dataset", "fixed.toml", "fixed"]);
    folder.write("in.mid", song(&[(0, &[0x90, key, 90]), (96, &[0x80, key, 64])]));
    let body = set("body", "body");
    let options = [&set("position", "position")[..], &set("hammer_mass", "hammer_mass [kg]"), &body];
    let sets: Vec<&str> = options.iter().flat_map(|option| ["--set", option]).collect();
    folder.succeed(&[&["render", "in.mid", "note.wav", "--rate", "16000", "--tail", "0"][..], &sets].concat());
    let (note, stroke) = (folder.read_wav("note.wav"), folder.read_wav("fixed/shards/00000.wav"));
    assert_eq!(stroke.0.len(), 800);
    assert!(note.0[..800] == stroke.0[..] && note.1[..800] == stroke.1[..]);
}

#[test]
fn faults_are_one_sentence_and_overwrite_nothing() {
    let folder = Folder::new("dataset-refused");
    folder.write("spec.toml", spec(2));
    for (change, with, problem) in [
        (
            "position",
            "positon",
            "spec.toml, parameters.positon: no parameter has this id (did you mean \"position\"?); urto-cli params",
        ),
        ("to = 0.5", "to = 0.1", "spec.toml, parameters.position: the range from 0.1 to 0.1 is empty; give a higher number"),
        ("seed", "sed", "spec.toml, sed: unknown key (did you mean \"seed\"?); the keys are"),
        ("\"bar\"", "\"bra\"", "spec.toml, parameters.body: \"bra\" is not an allowed value"),
        ("count = 2", "count = [", "spec.toml, line"),
    ] {
        folder.write("faulty.toml", spec(2).replace(change, with));
        let complaint = folder.refuse(&["dataset", "faulty.toml", "new"]);
        assert!(complaint.contains(&problem.replace("spec.toml", "faulty.toml")), "{complaint}");
    }
    std::fs::create_dir(folder.path("other")).expect("a folder");
    folder.write("other/song.txt", "kept");
    let complaint = folder.refuse(&["dataset", "spec.toml", "other"]);
    assert!(
        complaint.contains("other: the folder contains files that are not of a data set; choose an empty or a new folder"),
        "{complaint}"
    );
    assert_eq!(files(&folder, "other"), [("/song.txt".to_owned(), b"kept".to_vec())]);
    folder.succeed(&["dataset", "spec.toml", "out"]);
    let before = files(&folder, "out");
    folder.write("changed.toml", spec(3));
    let complaint = folder.refuse(&["dataset", "changed.toml", "out"]);
    assert!(complaint.contains("out: the folder holds a data set of another specification"), "{complaint}");
    assert!(files(&folder, "out") == before);
    let complaint = folder.refuse(&["dataset", "--verify", "other"]);
    assert!(complaint.contains("other: not a data set of Urto; give the folder of a data set"), "{complaint}");
    let mut damaged = folder.read("out/shards/00000.flac");
    *damaged.last_mut().expect("bytes") ^= 1;
    folder.write("out/shards/00000.flac", damaged);
    let complaint = folder.refuse(&["dataset", "--verify", "out"]);
    assert!(complaint.contains("00000.flac: the checksum differs: the file is damaged or was changed"), "{complaint}");
    assert!(folder.refuse(&["dataset", "spec.toml", "-"]).contains("several files cannot go to standard output"));
    assert!(folder.refuse(&["dataset", "spec.toml", "spec.toml"]).contains("a part of its path is a file"));
    assert!(folder.refuse(&["dataset", "spec.toml"]).contains("missing: <OUT>"));
}

/// A file beyond the limit of the system stands for a full disk: the error of writing is the same, but for its kind.
#[cfg(unix)]
#[test]
fn a_disk_without_room_keeps_complete_shards() {
    let folder = Folder::new("dataset-full");
    folder.write("spec.toml", spec(6).replace("\"flac\"", "\"wav\""));
    folder.succeed(&["dataset", "spec.toml", "whole"]);
    let run = |blocks: u32| {
        let script = format!("ulimit -f {blocks}; exec \"{}\" dataset spec.toml out --jobs 1", env!("CARGO_BIN_EXE_urto-cli"));
        std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().expect("a shell")
    };
    // the description is smaller than a shard
    let ended = run(16);
    let said = String::from_utf8(ended.stderr).expect("UTF-8");
    assert_eq!(ended.status.code(), Some(2), "{said}");
    assert!(said.contains("shards/00000.wav: the file would exceed the largest size allowed; raise the limit"), "{said}");
    assert!(said.lines().count() == 1 && !folder.path("out/rows/00000.csv").exists());
    assert!(files(&folder, "out").iter().all(|(name, _)| !name.ends_with(".part")));
    folder.succeed(&["dataset", "spec.toml", "out"]);
    assert!(files(&folder, "out") == files(&folder, "whole"));
}
