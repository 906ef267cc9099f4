//! Per-note modulation of CLAP.

use clack_host::prelude::*;
use urto_engine::params::{PER_NOTE_PARAMS, ParamId};

use crate::support::clap_host::Clap;
use crate::support::engine_reference::{Stereo, assert_same};
use crate::support::measurements::{centroid, level};
use crate::support::timed_events::Cue;
use crate::support::timed_events::Cue::*;
use crate::support::timed_events::{RATE, alone, patch, perform, take};

const A3: f64 = 220.0;
const FRAMES: usize = 14_336;
const FIRST: (usize, Cue) = (0, On { voice: 1, key: 57 });
const SECOND: [(usize, Cue); 1] = [(40, On { voice: 2, key: 64 })];

fn quiet() -> urto_engine::patch::Patch {
    patch(&[(ParamId::Level, -10.0)])
}

fn moved(param: ParamId, travel: f64) -> (usize, Cue) {
    (0, Move { voice: 1, param, travel })
}

/// Largest difference over the largest sample.
fn distance(a: &Stereo, b: &Stereo) -> f32 {
    let apart = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    apart / b.iter().flatten().fold(0.0, |most, sample| sample.abs().max(most))
}

#[test]
fn only_contact_and_position_can_be_modulated_per_note() {
    let mut clap = Clap::running(RATE);
    for (&id, listed) in ParamId::ALL.iter().zip(clap.listed()) {
        assert_eq!(listed.per_note, PER_NOTE_PARAMS.contains(&id), "{}", id.spec().id);
    }
    assert_eq!(clap.voices(), (64, 64, true));
    clap.stop();
    let mut events = EventBuffer::new();
    events.push(&clap.turn(0, ParamId::Voices, 7.0 / 63.0));
    clap.flush(&events);
    clap.start(RATE);
    assert_eq!(clap.voices(), (8, 64, true), "as many as the polyphony allows");
}

/// A note that is moved sounds as one whose param is set there; the other note stays as it is.
#[test]
fn per_note_modulation_equals_a_parameter_change() {
    for param in PER_NOTE_PARAMS {
        let row = param.spec();
        let travel = if param == ParamId::StrikeAcross { 0.3 } else { 0.15 };
        let mut set = quiet();
        if param == ParamId::StrikeAcross {
            set.settings.set(ParamId::Body, 3.0);
        }
        let unmoved = set.clone();
        set.settings.set(param, row.from_normalized(row.to_normalized(set.settings.get(param)) + travel));
        let sound = alone(&unmoved, FRAMES, &[FIRST, moved(param, travel)], &SECOND);
        let wanted = take(&set, FRAMES, &[FIRST]);
        assert!(distance(&sound, &wanted) < 1e-4, "{}: {} beside", row.id, distance(&sound, &wanted));
        let plain = take(&unmoved, FRAMES, &[FIRST]);
        assert!(distance(&sound, &plain) > 0.01, "{} changes {}", row.id, distance(&sound, &plain));
    }
}

#[test]
fn modulated_stiffness_and_position_change_the_spectrum() {
    let [soft, even, hard] =
        [-0.3, 0.0, 0.3].map(|travel| centroid(&take(&quiet(), FRAMES, &[FIRST, moved(ParamId::Stiffness, travel)])[0]));
    assert!(soft < 0.7 * even && hard > 1.4 * even, "{soft}, {even}, {hard} Hz");
    use ParamId::*;
    let params = [(Body, 0.0), (Modes, 8.0), (BodyMass, 1.0), (HammerMass, 1e-3), (Stiffness, 1e5), (StrikePosition, 0.2)];
    let string = patch(&params);
    let second = |score: &[(usize, Cue)]| {
        let [left, _] = take(&string, 4800, score);
        level(&left, 480, 2.0 * A3) / level(&left, 480, A3)
    };
    let (plain, middle) = (second(&[FIRST]), second(&[FIRST, moved(StrikePosition, 0.3)]));
    assert!(middle < 0.01 * plain, "in the middle the second partial has a node: {middle}, {plain}");
}

/// "The polyphonic modulation amount will already include the monophonic signal" (clap/events.h).
#[test]
fn per_note_modulation_replaces_global_modulation() {
    let (param, patch) = (ParamId::Stiffness, quiet());
    let all = |frame, travel| (frame, MoveAll { param, travel });
    let alone = take(&patch, FRAMES, &[FIRST, moved(param, 0.2)]);
    let together = take(&patch, FRAMES, &[all(0, -0.1), FIRST, moved(param, 0.2)]);
    assert!(distance(&together, &alone) < 1e-4, "{}", distance(&together, &alone));
    // all are moved while the hammer touches: its own note is not
    let later = take(&patch, FRAMES, &[FIRST, moved(param, 0.2), all(5, -0.1), all(9, 0.1)]);
    assert!(distance(&later, &alone) < 1e-4, "{}", distance(&later, &alone));
    let plain = take(&patch, FRAMES, &[FIRST]);
    assert!(distance(&take(&patch, FRAMES, &[FIRST, all(5, -0.1)]), &plain) > 0.01, "others are");
}

/// A param that is turned takes the note with it.
#[test]
fn modulation_keeps_its_offset_from_a_changed_parameter() {
    let (param, patch) = (ParamId::StrikePosition, quiet());
    let turned = take(&patch, FRAMES, &[(0, Turn { param, travel: 0.1 }), FIRST, moved(param, 0.25)]);
    let set = take(&patch, FRAMES, &[(0, Turn { param, travel: 0.35 }), FIRST]);
    assert!(distance(&turned, &set) < 1e-4, "{}", distance(&turned, &set));
}

#[test]
fn modulation_ends_with_its_note() {
    let mut patch = quiet();
    [(ParamId::Decay, 0.02), (ParamId::Loss, 0.1)].into_iter().for_each(|(param, value)| patch.settings.set(param, value));
    let play = |score: &[(usize, Cue)]| {
        let mut clap = Clap::with(&patch);
        clap.start(RATE);
        perform(&mut clap, 48_128, score)
    };
    // the note has died away, and the host uses the number of its voice again
    let again = [(40_000, On { voice: 1, key: 57 }), (40_004, MoveAll { param: ParamId::Stiffness, travel: 0.1 })];
    let fresh = play(&[&[FIRST], &again[..]].concat());
    let used = play(&[&[FIRST, moved(ParamId::Stiffness, 0.3)], &again[..]].concat());
    let late = |sound: &Stereo| [sound[0][39_000..].to_vec(), sound[1][39_000..].to_vec()];
    assert!(late(&fresh)[0].iter().any(|sample| sample.abs() > 0.01));
    assert_same(&late(&used), &late(&fresh));
}
