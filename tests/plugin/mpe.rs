//! MPE: one channel per note, and a manager channel.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

use crate::support::clap_host::Clap;
use crate::support::engine_reference::assert_same;
use crate::support::measurements::{beside, centroid, cents, t60};
use crate::support::timed_events::Cue;
use crate::support::timed_events::Cue::*;
use crate::support::timed_events::{RATE, Score, alone, patch, perform, sine, take};

const A3: f64 = 220.0;
const A5: f64 = 880.0;
const FRAMES: usize = 24_000;

/// A controller asks for the lower zone: registered parameter 6, 15 members.
const ZONE: [(usize, Cue); 3] = [(0, Midi([0xb0, 101, 0])), (0, Midi([0xb0, 100, 6])), (0, Midi([0xb0, 6, 15]))];
/// Two members play.
const FIRST: (usize, Cue) = (16, Midi([0x91, 57, 100]));
const SECOND: (usize, Cue) = (40, Midi([0x92, 64, 100]));

fn with(more: &[(usize, Cue)]) -> Score {
    ZONE.into_iter().chain(more.iter().copied()).collect()
}

/// The first member with `more` done; the second stays as it is.
fn member(patch: &Patch, more: &[(usize, Cue)]) -> Vec<f32> {
    let [left, _] = alone(patch, FRAMES, &with(&[&[FIRST], more].concat()), &with(&[SECOND]));
    left
}

fn bend(channel: u8, steps: i32) -> Cue {
    let value = (8192 + steps) as u16;
    Midi([0xe0 | channel, (value & 127) as u8, (value >> 7) as u8])
}

#[test]
fn a_member_channel_bends_its_own_note_by_the_wide_range() {
    let patch = sine(&[]);
    let steps = 512;
    let left = member(&patch, &[(9600, bend(1, steps))]);
    let wanted = 4800.0 * f64::from(steps) / 8191.0;
    let bent = cents(&left, 9600 + 960, A3 * 2_f64.powf(wanted / 1200.0));
    assert!(bent.abs() < 0.5, "{bent} cents from {wanted}");
    assert!(cents(&left, 4800, A3).abs() < 0.1);
}

#[test]
fn the_manager_channel_bends_all_members_by_its_own_range() {
    let patch = sine(&[]);
    for (note, hertz) in [(FIRST, A3), (SECOND, 440.0 * 2_f64.powf(-5.0 / 12.0))] {
        let [left, _] = take(&patch, FRAMES, &with(&[note, (9600, bend(0, 8191)), (9600, bend(3, 8191))]));
        let off = cents(&left, 9600 + 960, hertz * 2_f64.powf(2.0 / 12.0));
        assert!(off.abs() < 0.5, "{off} cents");
    }
}

#[test]
fn pressure_damps_and_slide_stiffens_one_note() {
    let patch_of_decay = sine(&[(ParamId::Decay, 4.0)]);
    let left = member(&patch_of_decay, &[(9600, Midi([0xd1, 127, 0]))]);
    let pressed = t60(&left, 10_560, A3);
    let wanted = 1000_f64.ln() / (1000_f64.ln() / 4.0 + 20.0);
    assert!((pressed / wanted - 1.0).abs() < 0.01, "{pressed} s instead of {wanted} s");
    let patch = patch(&[(ParamId::Level, -10.0)]);
    let [dark, even, bright] = [0, 64, 127].map(|value| centroid(&member(&patch, &[(16, Midi([0xb1, 74, value]))])));
    assert!(dark < 0.8 * even && bright > 1.25 * even, "{dark}, {even}, {bright} Hz");
}

#[test]
fn a_member_channel_bend_does_not_click() {
    let slide = (0..=100).map(|i| (9600 + 48 * i, bend(1, (i as f64 * 0.02 / 48.0 * 8191.0).round() as i32)));
    let score: Score = with(&[(16, Midi([0x91, 81, 100]))]).into_iter().chain(slide).collect();
    let [left, _] = take(&sine(&[]), FRAMES, &score);
    let db = beside(&left[4800..], A5, A5 * 2_f64.powf(2.0 / 12.0));
    assert!(db < -80.0, "{db} dB beside the partial");
}

/// The setting of the plugin does what the controller's message does.
#[test]
fn mpe_zones_can_be_configured() {
    let patch = sine(&[]);
    let play = |clap: &mut Clap, more: &[(usize, Cue)]| perform(clap, FRAMES, more);
    let notes = [FIRST, SECOND, (9600, bend(1, 512))];
    let mut by_hand = Clap::with(&patch);
    by_hand.start(RATE);
    let set = (0, Turn { param: ParamId::Mpe, travel: 1.0 / 3.0 });
    assert_same(&play(&mut by_hand, &[&[set], &notes[..]].concat()), &take(&patch, FRAMES, &with(&notes)));
    assert_ne!(take(&patch, FRAMES, &notes), take(&patch, FRAMES, &with(&notes)), "without a zone it is a plain bend");
}
