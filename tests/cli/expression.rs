//! Pitch bend, pressure, release velocity and MPE from a MIDI file.

use crate::support::midi_writer::{C4_OFF, C4_ON, song};
use crate::support::program::Folder;

const C5_ON: &[u8] = &[0x90, 72, 100];
const D4_ON: &[u8] = &[0x90, 62, 100];

fn render(folder: &Folder, events: &[(u32, &[u8])], arguments: &[&str]) -> Vec<f32> {
    folder.write("in.mid", song(events));
    folder.succeed(&[&["render", "in.mid", "out.wav", "--tail", "0.5"], arguments].concat());
    folder.read_wav("out.wav").0
}

/// Root of the mean square of `a` - `b` over that of `b`.
fn distance(a: &[f32], b: &[f32]) -> f64 {
    let square = |x: f64| x * x;
    let apart: f64 = a.iter().zip(b).map(|(a, b)| square(f64::from(a - b))).sum();
    (apart / b.iter().map(|b| square(f64::from(*b))).sum::<f64>()).sqrt()
}

fn late(sound: &[f32]) -> f64 {
    sound[sound.len() - 4800..].iter().map(|x| f64::from(x * x)).sum::<f64>().sqrt()
}

#[test]
fn the_bend_range_scales_pitch_bend() {
    let folder = Folder::new("touch-bend");
    let (up, down): (&[u8], &[u8]) = (&[0xe0, 127, 127], &[0xe0, 0, 0]);
    let two = render(&folder, &[(0, D4_ON)], &[]);
    assert!(distance(&render(&folder, &[(0, up), (0, C4_ON)], &[]), &two) < 1e-3, "two semitones");
    assert!(distance(&render(&folder, &[(0, down), (0, &[0x90, 64, 100])], &[]), &two) < 1e-3, "two semitones down");
    assert!(distance(&render(&folder, &[(0, &[0xe1, 127, 127]), (0, D4_ON)], &[]), &two) == 0.0, "of another channel");
    // registered parameter 0: twelve semitones
    let range = [(0, &[0xb0, 101, 0][..]), (0, &[0xb0, 100, 0]), (0, &[0xb0, 6, 12]), (0, up), (0, C4_ON)];
    let octave = render(&folder, &[(0, C5_ON)], &[]);
    assert!(distance(&render(&folder, &range, &[]), &octave) < 1e-3, "an octave");
    assert!(distance(&render(&folder, &[(0, up), (0, C4_ON)], &["--set", "bend_range=12"]), &octave) < 1e-3, "by the parameter");
}

#[test]
fn mpe_member_channels_bend_one_note_and_the_manager_bends_all() {
    let folder = Folder::new("touch-mpe");
    let zone = [(0, &[0xb0, 101, 0][..]), (0, &[0xb0, 100, 6]), (0, &[0xb0, 6, 15])];
    let members = [(0, &[0xb1, 101, 0][..]), (0, &[0xb1, 100, 0]), (0, &[0xb1, 6, 10])];
    let bends = [(0, &[0xe0, 127, 127][..]), (0, &[0xe1, 127, 127])];
    let notes = [(0, &[0x91, 60, 100][..]), (0, &[0x92, 70, 100])];
    let mpe = render(&folder, &[&zone[..], &members, &bends, &notes].concat(), &[]);
    let plain = render(&folder, &[(0, C5_ON), (0, &[0x90, 72, 100])], &[]);
    let other = render(&folder, &[(0, C5_ON)], &[]);
    // 60 + 2 + 10 and 70 + 2: two bodies of the same pitch, struck at once
    let sum: Vec<f32> = other.iter().map(|sample| 2.0 * sample).collect();
    assert!(distance(&mpe, &sum) < 1e-3, "{} and {}", distance(&mpe, &sum), distance(&mpe, &plain));
}

#[test]
fn pressure_damps_its_own_key() {
    let folder = Folder::new("touch-pressure");
    let play = |pressure: &[u8]| late(&render(&folder, &[(0, C4_ON), (48, pressure)], &[]));
    let free = play(&[0xa0, 61, 127]);
    for (what, pressure) in [("a key", &[0xa0, 60, 127][..]), ("the channel", &[0xd0, 127])] {
        let pressed = play(pressure);
        assert!(pressed < 0.2 * free, "pressure of {what}: {pressed} of {free}");
    }
    assert!(play(&[0xd1, 127]) == free, "of another channel");
}

#[test]
fn a_fast_release_damps_faster() {
    let folder = Folder::new("touch-release");
    let set = ["--set", "release=damp", "--set", "release_time=1", "--set", "release_velocity=1"];
    let play = |velocity: u8| late(&render(&folder, &[(0, C4_ON), (48, &[0x80, 60, velocity])], &set));
    let (slow, fast) = (play(1), play(127));
    assert!(fast < 0.01 * slow, "slow {slow}, fast {fast}");
    let even = late(&render(&folder, &[(0, C4_ON), (48, &[0x90, 60, 0])], &set));
    assert!((even / late(&render(&folder, &[(0, C4_ON), (48, C4_OFF)], &set[..4])) - 1.0).abs() < 1e-6, "none is in the middle");
}
