//! Stems of `render`: files of zones and of outputs beside the mix, which add up to it.

use crate::support::midi_writer::{C4_ON, song};
use crate::support::program::Folder;
use crate::tier::size;

/// A kit of four zones on three outputs, which answer to each other.
const KIT: &str = "schema = 2\nname = \"Four\"\n\
    [[zone]]\nname = \"Kick/In\"\npreset = \"Felt Kick\"\nkeys = [36]\nplays = 60\nbus = 3\n\
    [[zone]]\nname = \"Bar: \\\"C\\\"\"\npreset = \"Rosewood Marimba\"\nkeys = [60, 72]\nlevel = -6.0\npan = -0.5\n\
    [[zone]]\nname = \"Kick/In\"\npreset = \"Snare with Wires\"\nkeys = [38]\nlevel = -9.0\npan = 0.3\nbus = 3\n\
    [[zone]]\nname = \"..\"\npreset = \"Felt Kick\"\nkeys = [50]\nplays = 64\nbus = 8\n";

/// Names of its stems.
const ZONES: [&str; 4] = ["out 01 Kick-In.wav", "out 02 Bar- -C-.wav", "out 03 Kick-In.wav", "out 04.wav"];

/// Three strokes, two of them at once.
fn strokes() -> Vec<u8> {
    song(&[(0, &[0x90, 36, 90]), (300, &[0x90, 38, 80]), (0, C4_ON), (200, &[0x90, 36, 60])])
}

/// A folder with `in.mid` and `kit.toml`.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("in.mid", strokes());
    folder.write("kit.toml", KIT);
    folder
}

/// Renders the kit into `out.wav`, and returns the report.
fn render(folder: &Folder, arguments: &[&str]) -> String {
    folder.succeed(
        &[&["render", "in.mid", "out.wav", "--preset", "kit.toml", "--tail", "0.5", "--set", "bleed=1"], arguments].concat(),
    )
}

/// The names that begin with `out `.
fn stems(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with("out ")).collect()
}

/// The largest difference between the mix and the sum of `stems`, over what the rounding of every sample to f32 allows: half a step of each stem and
/// of the mix, and the means below 1e-9 that the DC blockers set to zero.
fn deviation(folder: &Folder, stems: &[String]) -> f64 {
    let mix = folder.read_wav("out.wav");
    let stems: Vec<_> = stems.iter().map(|name| folder.read_wav(name)).collect();
    let of_channel = |mix: &[f32], channel: &dyn Fn(usize) -> Vec<f32>| -> f64 {
        let channels: Vec<_> = (0..stems.len()).map(channel).collect();
        assert!(channels.iter().all(|stem| stem.len() == mix.len()));
        let at = |i: usize| {
            let sum: f64 = channels.iter().map(|stem| f64::from(stem[i])).sum();
            let sizes: f64 = channels.iter().map(|stem| f64::from(stem[i].abs())).sum::<f64>() + f64::from(mix[i].abs());
            let allowed = sizes * f64::from(f32::EPSILON) / 2.0 + 1e-9 * (channels.len() + 1) as f64;
            (sum - f64::from(mix[i])).abs() / allowed
        };
        (0..mix.len()).map(at).fold(0.0, f64::max)
    };
    of_channel(&mix.0, &|i| stems[i].0.clone()).max(of_channel(&mix.1, &|i| stems[i].1.clone()))
}

#[test]
fn zones_add_up_to_the_mix() {
    let folder = folder("stems-zones");
    render(&folder, &[]);
    let alone = folder.read("out.wav");
    let report = render(&folder, &["--stems", "zones"]);
    assert!(folder.read("out.wav") == alone, "stems change the mix");
    assert_eq!(stems(&folder), ZONES);
    let lines: Vec<_> = report.lines().collect();
    assert_eq!(lines.len(), 5, "{report}");
    assert!(lines[0].starts_with("out.wav: ") && lines[1].starts_with("out 01 Kick-In.wav: peak -"), "{report}");
    assert!(ZONES[..3].iter().all(|name| folder.read_wav(name).0.iter().any(|x| x.abs() > 1e-3)));
    let unplayed = folder.read_wav(ZONES[3]).0;
    let peak = unplayed.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    assert!(peak > 0.0 && peak < 1e-2, "the answer of the zone that is not struck: {peak}");
    let off = deviation(&folder, &stems(&folder));
    println!("{off} of the bound");
    assert!(off <= 1.0, "{off}");
    let three: Vec<_> = stems(&folder).into_iter().take(3).collect();
    assert!(deviation(&folder, &three) > 100.0, "the sum of three is the mix as well");
}

#[test]
fn outputs_add_up_to_the_mix_and_hold_their_zones() {
    let folder = folder("stems-outputs");
    render(&folder, &["--stems", "zones"]);
    let [first, third] = [ZONES[0], ZONES[2]].map(|name| folder.read_wav(name).0);
    ZONES.iter().for_each(|name| std::fs::remove_file(folder.path(name)).expect("a file"));
    render(&folder, &["--stems", "outputs"]);
    assert_eq!(stems(&folder), ["out Output 1.wav", "out Output 3.wav", "out Output 8.wav"]);
    let off = deviation(&folder, &stems(&folder));
    assert!(off <= 1.0, "{off}");
    let both = folder.read_wav("out Output 3.wav").0;
    let apart = (0..both.len()).map(|i| (both[i] - first[i] - third[i]).abs()).fold(0.0, f32::max);
    assert!(apart < 2e-7, "output 3 is both of its zones: {apart}");
}

/// Microphones and room have a file of their own; the level of the close microphones is that of the stems.
#[test]
fn the_room_is_a_stem_of_its_own() {
    let folder = folder("stems-room");
    let room = ["--set", "room_type=hall", "--set", "overhead_level=-6", "--set", "close_level=-3", "--set", "level=-12"];
    render(&folder, &[&["--stems", "zones"], &room[..]].concat());
    assert_eq!(stems(&folder), [&ZONES[..], &["out Room.wav"]].concat());
    let off = deviation(&folder, &stems(&folder));
    assert!(off <= 1.0, "{off}");
    assert!(deviation(&folder, &ZONES.map(String::from)) > 100.0, "the room is silent");
}

#[test]
fn stems_do_not_depend_on_the_block_size() {
    let folder = folder("stems-blocks");
    render(&folder, &["--stems", "zones"]);
    let whole: Vec<_> = ZONES.iter().map(|name| folder.read(name)).collect();
    for block in ["1", "7", "100000"] {
        render(&folder, &["--stems", "zones", "--block", block]);
        assert!(whole == ZONES.iter().map(|name| folder.read(name)).collect::<Vec<_>>(), "--block {block}");
    }
}

#[test]
fn a_preset_that_is_not_a_kit_is_one_stem() {
    let folder = folder("stems-preset");
    let render = |stems: &str| {
        let arguments = ["render", "in.mid", "out.flac", "--preset", "Rosewood Marimba", "--tail", "0.2", "--stems", stems];
        folder.succeed(&[&arguments[..], &["--set", "level=-12"]].concat())
    };
    render("zones");
    assert!(folder.read("out 01 Rosewood Marimba.flac") == folder.read("out.flac"));
    render("outputs");
    assert!(folder.read("out Output 1.flac") == folder.read("out.flac"));
}

/// The limiter acts on the mix only, and integers end at full scale.
#[test]
fn stems_are_before_the_limiter() {
    let folder = folder("stems-limiter");
    folder.write("in.mid", song(&[(0, &[0x90, 36, 127])]));
    let arguments =
        ["render", "in.mid", "out.wav", "--preset", "kit.toml", "--tail", "0.5", "--set", "level=12", "--stems", "zones"];
    let output = folder.run(&[&arguments[..], &["--bits", "24"]].concat());
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{notes}");
    assert!(notes.contains("note: the limiter lowers the mix out.wav by up to "), "{notes}");
    assert!(notes.contains("note: out 01 Kick-In.wav: clipped at full scale"), "{notes}");
    folder.succeed(&arguments);
    let kick = folder.read_wav(ZONES[0]);
    assert!(kick.0.iter().any(|x| x.abs() > 1.0), "floating point keeps the peaks");
}

#[test]
fn stems_are_refused_where_they_cannot_be() {
    let folder = folder("stems-refused");
    let refuse = |arguments: &[&str]| folder.refuse(&[&["render", "in.mid"], arguments].concat());
    let to_pipe = refuse(&["-", "--preset", "kit.toml", "--stems", "zones"]);
    assert!(to_pipe.contains("--stems: several files cannot go to standard output; give the name of a file"), "{to_pipe}");
    let dry = refuse(&["out.wav", "--preset", "kit.toml", "--stems", "zones", "--set", "dry_wet=0.5"]);
    assert!(dry.contains("add --set dry_wet=1"), "{dry}");
    let unknown = refuse(&["out.wav", "--stems", "buses"]);
    assert!(unknown.contains("zones") && unknown.contains("outputs"), "{unknown}");
    folder.write("programs.mid", song(&[(0, &[0xc0, 3]), (0, C4_ON)]));
    let changing = folder.refuse(&["render", "programs.mid", "out.wav", "--stems", "zones"]);
    assert!(changing.contains("the song changes programs") && changing.contains("--stems outputs"), "{changing}");
    folder.succeed(&["render", "programs.mid", "out.wav", "--stems", "outputs", "--tail", "0.1"]);
    // a stem never replaces an input
    folder.write("out 01.wav", b"kept");
    let input = folder.refuse(&["render", "in.mid", "out.wav", "--stems", "zones", "--drive", "out 01.wav"]);
    assert!(!input.is_empty() && folder.read("out 01.wav") == b"kept");
    std::fs::rename(folder.path("in.mid"), folder.path("out 01.wav")).expect("renamed");
    let input = folder.refuse(&["render", "out 01.wav", "out.wav", "--stems", "zones"]);
    assert!(input.contains("out 01.wav: this is also an input file"), "{input}");
}

/// The zones of a kit on one thread and on several.
#[test]
fn threads_do_not_change_a_kit() {
    let folder = folder("kit-threads");
    let render = |threads: &str| {
        let arguments = ["render", "in.mid", "out.wav", "--preset", "Studio Kit", "--tail", "0.5", "--stems", "outputs"];
        folder.succeed(&[&arguments[..], &["--threads", threads, "--set", "bleed=1"]].concat());
        ["out.wav", "out Output 2.wav", "out Output 3.wav"].map(|name| folder.read(name))
    };
    let one = render("1");
    for threads in &["5", "2"][..size(1, 2)] {
        assert!(render(threads) == one, "{threads} threads");
    }
    assert!(
        folder
            .refuse(&["render", "in.mid", "out.wav", "--threads", "0"])
            .contains("give a whole number from 1 to 64, for example 2")
    );
}
