//! MIDI files to WAV files.

use crate::support::midi_writer::{C4_OFF, C4_ON, header, song, tempo, track};
use crate::support::program::Folder;
use crate::tier::size;

/// Renders `bytes` with a tail of 0.1 s if nothing else is said; left and right.
fn render(folder: &Folder, bytes: Vec<u8>, arguments: &[&str]) -> (Vec<f32>, Vec<f32>) {
    folder.write("in.mid", bytes);
    let tail: &[&str] = if arguments.contains(&"--tail") { &[] } else { &["--tail", "0.1"] };
    folder.succeed(&[&["render", "in.mid", "out.wav"], tail, arguments].concat());
    folder.read_wav("out.wav")
}

/// Frame of the first sample that is not zero.
fn onset(sound: &(Vec<f32>, Vec<f32>)) -> usize {
    sound.0.iter().zip(&sound.1).position(|(left, right)| *left != 0.0 || *right != 0.0).expect("a sound")
}

/// Root of the mean square.
fn rms(samples: &[f32]) -> f64 {
    (samples.iter().map(|&sample| f64::from(sample).powi(2)).sum::<f64>() / samples.len() as f64).sqrt()
}

#[test]
fn block_size_does_not_change_the_file() {
    let folder = Folder::new("blocks");
    folder.write("in.mid", song(&[(0, C4_ON), (7, &[0x90, 64, 90]), (100, C4_ON), (33, C4_OFF), (500, &[0x90, 67, 127])]));
    folder.write("drive.wav", wav(48_000, 30_000));
    for (preset, tail) in [("Piano C4 Wire", "auto"), ("Rosewood Marimba", "auto"), ("Bossed Gong C3", "0.5")] {
        let play = |out: &str, block: &str| {
            let drive = ["--drive", "drive.wav", "--set", "drive_gain=20"];
            let arguments = [&drive[..], &["--preset", preset, "--tail", tail, "--block", block]].concat();
            folder.succeed(&[&["render", "in.mid", out], &arguments[..]].concat())
        };
        play("whole.wav", "1048576");
        for block in &["1", "1000", "7", "64", "4096"][..size(2, 5)] {
            play("split.wav", block);
            assert!(folder.read("whole.wav") == folder.read("split.wav"), "{preset}: --block {block} changes the bits");
        }
    }
}

#[test]
fn a_trace_does_not_change_the_output_and_contains_every_sample_and_hit() {
    let folder = Folder::new("trace-render");
    let (left, right) = render(&folder, song(&[(0, C4_ON), (240, C4_ON)]), &["--set", "release=damp"]);
    let again = render(&folder, song(&[(0, C4_ON), (240, C4_ON)]), &["--trace", "trace.csv", "--set", "release=1"]);
    assert!(again == (left.clone(), right), "the trace changes the sound");
    let trace = String::from_utf8(folder.read("trace.csv")).expect("UTF-8");
    let rows: Vec<Vec<&str>> = trace.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let width = trace.lines().next().expect("a header").split(',').count();
    assert!(rows.len() == left.len() && rows.iter().all(|row| row.len() == width));
    assert!(rows.iter().zip(&left).all(|(row, sample)| row[1].parse::<f32>() == Ok(*sample)));
    let hits: Vec<f64> = rows.iter().filter(|row| row[3] == "60").map(|row| row[0].parse().expect("a time")).collect();
    assert!(hits.len() >= 2 && hits[0] < 0.01 && hits.iter().any(|time| (0.25..0.26).contains(time)), "{hits:?}");
}

#[test]
fn notes_are_rounded_to_the_nearest_frame() {
    let folder = Folder::new("frames");
    let start = onset(&render(&folder, song(&[(0, C4_ON)]), &[]));
    assert!(start <= 1, "a note on frame 0 is heard on frame {start}");
    // 480 ticks at 120 a minute, 240 at 60, 480 at 90.9: (0.5 + 0.5 + 0.66) s
    let tempi = [tempo(1_000_000), tempo(660_000)];
    let changing = [(480, &tempi[0][..]), (240, &tempi[1]), (480, C4_ON)];
    for (bytes, rate, frame) in [
        (song(&[(960, C4_ON)]), "44100", 44_100),
        (song(&changing), "48000", 79_680),
        (song(&changing), "44100", 73_206),
        // one tick is 45.9375 frames: 16.0, rounded once
        (song(&[(1, C4_ON)]), "44100", 46),
        ([header(0, 1, 0xe728), track(&[(500, C4_ON)])].concat(), "48000", 24_000),
        ([header(0, 1, 0xe350), track(&[(2400, C4_ON)])].concat(), "48000", 48_048),
        // SMPTE time does not follow a tempo
        ([header(0, 1, 0xe728), track(&[(0, &tempi[0]), (500, C4_ON)])].concat(), "48000", 24_000),
    ] {
        assert_eq!(onset(&render(&folder, bytes, &["--rate", rate])), frame + start);
    }
}

#[test]
fn the_tempo_map_of_one_track_applies_to_all() {
    let folder = Folder::new("tracks");
    let slow = tempo(1_000_000);
    let single = song(&[(0, C4_ON), (480, &slow), (240, &[0x91, 64, 80]), (240, C4_OFF)]);
    let map = track(&[(480, &slow)]);
    let (one, two) = (track(&[(0, C4_ON), (960, C4_OFF)]), track(&[(720, &[0x91, 64, 80])]));
    let alone = render(&folder, single, &[]);
    for order in [[&map, &one, &two], [&one, &two, &map], [&two, &map, &one]] {
        let merged = [header(1, 3, 480), order[0].clone(), order[1].clone(), order[2].clone()].concat();
        assert!(render(&folder, merged, &[]) == alone);
    }
}

#[test]
fn running_status_and_unknown_messages_change_nothing() {
    let folder = Folder::new("running");
    let plain = song(&[(0, C4_ON), (200, &[0x90, 64, 80]), (200, &[0x90, 60, 0]), (0, &[0x90, 64, 0])]);
    let running = song(&[(0, C4_ON), (200, &[64, 80]), (200, &[60, 0]), (0, &[64, 0])]);
    // a text, a system exclusive message and controllers without meaning here
    let strange = song(&[
        (0, &[0xff, 1, 2, b'h', b'i']),
        (0, C4_ON),
        (0, &[0xf0, 2, 1, 0xf7]),
        (100, &[0xb0, 10, 9]),
        (0, &[0xb0, 7, 70]),
        (100, &[0xb0, 91, 3]),
        (0, &[0x90, 64, 80]),
        (200, &[60, 0]),
        (0, &[64, 0]),
    ]);
    let expected = render(&folder, plain, &["--set", "release=damp"]);
    assert!(render(&folder, running, &["--set", "release=damp"]) == expected);
    assert!(render(&folder, strange, &["--set", "release=damp"]) == expected);
}

#[test]
fn a_truncated_file_is_played_with_a_warning() {
    let folder = Folder::new("cut");
    let whole = song(&[(0, C4_ON), (480, &[0x90, 64, 80])]);
    folder.write("in.mid", &whole[..whole.len() - 4]);
    let output = folder.run(&["render", "in.mid", "out.wav", "--tail", "0.1"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("note: in.mid: track 1 has no end"));
    assert!(folder.read_wav("out.wav") == render(&folder, whole, &[]));
}

/// A file that only moves the foot pedal plays a hi-hat, and is rejected with any other preset.
#[test]
fn the_foot_pedal_alone_plays_a_hi_hat() {
    let folder = Folder::new("foot-pedal");
    let steps = [(0, &[0xb0, 4, 0][..]), (240, &[0xb0, 4, 127])];
    let sound = render(&folder, song(&steps), &["--preset", "Pedal Hi-Hat", "--tail", "0.5"]);
    assert!(rms(&sound.0) > 1e-5, "{}", rms(&sound.0));
    let message = folder.refuse(&["render", "in.mid", "out.wav", "--preset", "Rosewood Marimba"]);
    assert!(message.contains("no notes"), "{message}");
}

#[test]
fn the_pedal_sustains_released_notes() {
    let folder = Folder::new("pedal");
    let damp = ["--set", "release=damp", "--set", "release_time=0.05"];
    let play = |events: &[(u32, &[u8])]| render(&folder, song(events), &damp);
    let (down, up): (&[u8], &[u8]) = (&[0xb0, 64, 127], &[0xb0, 64, 0]);
    // dampers follow the pedal on a grid of 16 frames, on which this end is
    let held = play(&[(0, down), (0, C4_ON), (100, C4_OFF), (796, up)]);
    assert!(held == play(&[(0, C4_ON), (896, C4_OFF)]), "the pedal's end is the note's end");
    let struck_again = play(&[(0, down), (0, C4_ON), (100, C4_OFF), (100, C4_ON), (300, up), (300, C4_OFF)]);
    assert!(struck_again == play(&[(0, C4_ON), (200, C4_ON), (600, C4_OFF), (0, C4_OFF)]), "a key that is down again stays");
    let other = play(&[(0, &[0xb1, 64, 127]), (0, C4_ON), (100, C4_OFF), (796, &[0xb1, 64, 0])]);
    assert!(other.0[5_000..6_000] == play(&[(0, C4_ON), (100, C4_OFF)]).0[5_000..6_000], "another channel's pedal holds it");
}

#[test]
fn mode_messages_end_notes_or_silence_them() {
    let folder = Folder::new("modes");
    let damp = ["--set", "release=damp", "--set", "release_time=0.05"];
    let all_off = render(&folder, song(&[(0, C4_ON), (480, &[0xb0, 123, 0])]), &damp);
    assert!(all_off == render(&folder, song(&[(0, C4_ON), (480, C4_OFF)]), &damp));
    // 120 takes hold of a body that a release would let ring
    let ring = ["--set", "release=ring", "--tail", "1"];
    let ringing = render(&folder, song(&[(0, C4_ON), (480, C4_OFF)]), &ring).0;
    let choked = render(&folder, song(&[(0, C4_ON), (480, &[0xb0, 120, 0])]), &ring).0;
    let late = 60_000..72_000;
    assert!(rms(&ringing[late.clone()]) > 30.0 * rms(&choked[late]), "all sound off leaves the body ringing");
}

#[test]
fn an_automatic_tail_ends_when_nothing_sounds() {
    let folder = Folder::new("tail");
    folder.write("in.mid", song(&[(0, C4_ON), (480, C4_OFF)]));
    let arguments = ["render", "in.mid", "out.wav", "--set", "release=damp", "--set", "release_time=0.1"];
    let said = folder.succeed(&arguments);
    let (left, right) = folder.read_wav("out.wav");
    assert!(left.len() > 24_000 && left.len() < 48_000, "{} frames", left.len());
    assert!([&left, &right].iter().all(|side| rms(&side[side.len() - 100..]) < 1e-4), "cut while it sounds");
    assert!(said.starts_with("out.wav: ") && said.contains(" s at 48000 Hz, peak -"), "{said}");
    assert_eq!(folder.names(), ["in.mid", "out.wav"]);
}

#[test]
fn a_24_bit_file_has_the_same_sound() {
    let folder = Folder::new("bits");
    let float = render(&folder, song(&[(0, C4_ON)]), &[]);
    let whole = render(&folder, song(&[(0, C4_ON)]), &["--bits", "24"]);
    let step = 0.5 / f64::from(1 << 23);
    assert!(float.0.len() == whole.0.len() && rms(&whole.0) > 0.01);
    assert!(float.0.iter().zip(&whole.0).all(|(a, b)| f64::from(a - b).abs() <= 1.01 * step));
}

#[test]
fn modes_above_the_band_limit_are_omitted_with_a_warning() {
    let folder = Folder::new("band");
    folder
        .write("p.toml", "schema = 1\nname = \"Two\"\n[body]\nkind = \"modes\"\n[[modes]]\nratio = 1.0\n[[modes]]\nratio = 60.0");
    folder.write("in.mid", song(&[(0, C4_ON), (10, &[0x90, 84, 99])]));
    let output = folder.run(&["render", "in.mid", "out.wav", "--preset", "p.toml", "--tail", "0.1"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.contains("note: modes of Two above the band limit are omitted: 1 on key 84."), "{errors}");
    // of any body, and of the zones of a kit
    let note = |arguments: &[&str]| {
        let output = folder.run(&[&["render", "in.mid", "out.wav", "--tail", "0.1"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let string = ["--set", "body=string", "--set", "modes=100", "--set", "inharmonicity=0"];
    assert_eq!(
        note(&string),
        "urto-cli: note: modes of the patch above the band limit are omitted: 24 on key 60, 81 on key 84.\n"
    );
    assert_eq!(note(&["--set", "body=string", "--set", "modes=10", "--set", "inharmonicity=0"]), "");
    folder.write("kit.toml", "schema = 2\nname = \"Kit\"\n[[zone]]\nkeys = [80, 90]\nplays = 56\npreset = \"Rosewood Marimba\"\n[zone.body]\nkind = \"string\"\nmodes = 100\ninharmonicity = 0.0\n");
    assert_eq!(note(&["--preset", "kit.toml"]), "urto-cli: note: modes of Kit above the band limit are omitted: 24 on key 84.\n");
    let chord: Vec<[u8; 3]> = (60..72).map(|key| [0x90, key, 99]).collect();
    folder.write("in.mid", song(&chord.iter().map(|event| (0, &event[..])).collect::<Vec<_>>()));
    let said = note(&string);
    assert!(said.ends_with("are omitted: 24 to 60 on each of 12 keys.\n"), "{said}");
}

/// The same numbers in other units give the same file.
#[test]
fn numbers_may_have_units() {
    let folder = Folder::new("units");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    let plain =
        ["--rate", "44100", "--tail", "0.2", "--set", "hammer_mass=0.012", "--set", "home_key=54", "--reference", "69=442"];
    let units = [
        "--rate",
        "44.1k",
        "--tail",
        "200 ms",
        "--set",
        "hammer_mass=12 g",
        "--set",
        "home_key=F#3",
        "--reference",
        "A4=0.442 kHz",
    ];
    for (arguments, out) in [(plain, "plain.wav"), (units, "units.wav")] {
        let more = ["--set", "speed_high=300 cm/s", "--set", "level=-6 dB", "--set", "tune=50 cents", "--stretch", "-2 cents"];
        folder.succeed(&[&["render", "in.mid", out], &arguments[..], &more[..]].concat());
    }
    assert!(folder.read("plain.wav") == folder.read("units.wav"));
}

/// A mono WAV file: a sine of 440 Hz at half scale.
fn wav(sample_rate: u32, frames: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let spec = hound::WavSpec { channels: 1, sample_rate, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::new(&mut bytes, spec).expect("a header");
    for frame in 0..frames {
        let phase = std::f64::consts::TAU * 440.0 * f64::from(frame) / f64::from(sample_rate);
        writer.write_sample((16_384.0 * phase.sin()) as i16).expect("a sample");
    }
    writer.finalize().expect("a file");
    bytes.into_inner()
}

#[test]
fn the_drive_file_is_resampled_and_drives_the_hammer() {
    let folder = Folder::new("drive");
    for rate in [44_100, 48_000] {
        folder.write(&format!("{rate}.wav"), wav(rate, rate / 2));
    }
    let play = |arguments: &[&str]| {
        let common = ["--set", "drive_gain=50", "--tail", "0.5"];
        render(&folder, song(&[(0, C4_ON)]), &[&common[..], arguments].concat()).0
    };
    let still = play(&[]);
    let (same, other) = (play(&["--drive", "48000.wav"]), play(&["--drive", "44100.wav"]));
    let difference = |a: &[f32], b: &[f32]| rms(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>());
    assert!(difference(&still, &same) > 1e-3, "the drive moves nothing");
    // before the contacts part ways
    let early = 0..1000;
    let (pushed, resampled) =
        (difference(&still[early.clone()], &same[early.clone()]), difference(&same[early.clone()], &other[early]));
    assert!(resampled < 0.02 * pushed, "resampled {resampled:e}, pushed {pushed:e}");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    let silent = folder.run(&["render", "in.mid", "out.wav", "--drive", "48000.wav", "--tail", "0.1"]);
    assert!(String::from_utf8_lossy(&silent.stderr).contains("the drive is silent while drive_gain is 0"));
}

#[test]
fn driven_presets_need_no_note() {
    let folder = Folder::new("no-note");
    let (left, _) = render(&folder, song(&[]), &["--set", "drive_gain=20", "--set", "drive_source=noise", "--tail", "0.5"]);
    assert!(left.len() == 24_000 && rms(&left) > 1e-3, "{} frames, {}", left.len(), rms(&left));
}
