//! The effect: what it is to hosts, and what comes in as what drives the hammer.

use std::ffi::CStr;

use clack_host::prelude::*;
use urto::engine::Event;
use urto::engine::knob::KnobId;
use urto::engine::patch::Patch;
use urto::params::Knobs;

use crate::com::{Sent, Vst3, Wire};
use crate::host::{Clap, Side, note_on, state};
use crate::reference::{Stereo, assert_same, noise, on, peak, render_driven, render_patch, turn};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 6000;
/// Velocity of a note that is all but lost under the drive.
const SOFT: f64 = 0.02;

/// The patch that an effect begins with.
fn fresh() -> Patch {
    Knobs::of_effect(|_| ()).patch()
}

#[test]
fn both_plugins_are_listed_with_what_they_are() {
    // SAFETY: the entry is the plugin's own, linked into this test.
    let entry = unsafe { PluginEntry::load_from_raw(&urto::clap_entry, c"/nowhere/urto.clap") }.expect("the entry initialises");
    let factory = entry.get_plugin_factory().expect("a factory");
    let text = |text: Option<&CStr>| text.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
    let listed: Vec<_> = factory.plugin_descriptors().map(|d| (text(d.id()), text(d.name()))).collect();
    let expected = [("org.urto.urto", "Urto"), ("org.urto.fonobump", "Urto FonoBump")];
    assert_eq!(listed, expected.map(|(id, name)| (id.to_owned(), name.to_owned())));
    let features: Vec<Vec<String>> =
        factory.plugin_descriptors().map(|d| d.features().map(|f| f.to_string_lossy().into_owned()).collect()).collect();
    assert!(features[0].contains(&"instrument".to_owned()) && !features[0].contains(&"audio-effect".to_owned()));
    assert_eq!(features[1], ["audio-effect", "stereo"]);
}

#[test]
fn it_has_a_stereo_input_and_no_side_chain() {
    let mut clap = Clap::effect();
    clap.start(RATE);
    assert_eq!(clap.ports(true), [("Input".to_owned(), 2, true)]);
    assert_eq!(clap.ports(false), [("Output".to_owned(), 2, true)]);
    assert_eq!(clap.latency_and_tail().0, 0);
}

#[test]
fn its_knobs_are_those_of_the_instrument_but_it_is_driven_and_keys_do_not_strike() {
    let (mut instrument, mut effect) = (Clap::new(), Clap::effect());
    let ids = |clap: &Clap| clap.listed().iter().map(|listed| (listed.id, listed.name.clone())).collect::<Vec<_>>();
    assert_eq!(ids(&effect), ids(&instrument));
    let (ours, theirs) = (effect.values(), instrument.values());
    let differing: Vec<_> = KnobId::ALL.iter().filter(|&&id| ours[id as usize] != theirs[id as usize]).collect();
    assert_eq!(differing, [&KnobId::DriveGain, &KnobId::KeyStrikes]);
    let patch = fresh();
    assert!(patch.settings.get(KnobId::DriveGain) > 0.0);
    assert_eq!(patch.settings.get(KnobId::KeyStrikes), 0.0);
}

#[test]
fn a_state_of_the_instrument_loads_as_it_is_and_back() {
    let mut patch = Patch { name: "Mine".into(), ..Patch::default() };
    patch.settings.set(KnobId::Stiffness, 123.4);
    let (mut instrument, mut effect) = (Clap::with(&patch), Clap::effect());
    assert!(effect.load(&instrument.save()));
    assert_eq!(effect.values(), instrument.values());
    assert_eq!(effect.save(), instrument.save(), "gain 0 and keys that strike are what the state says");
    let own = Clap::effect().save();
    assert!(instrument.load(&own));
    assert_eq!(instrument.save(), own);
}

#[test]
fn a_preset_that_is_not_driven_is_driven_in_the_effect() {
    let knobs = Knobs::of_effect(|_| ());
    let mut patch = Patch::default();
    patch.settings.set(KnobId::Decay, 3.0);
    knobs.take_up(patch.clone(), |_| ());
    let [gain, strikes] = [KnobId::DriveGain, KnobId::KeyStrikes];
    let settings = knobs.patch().settings;
    assert_eq!((settings.get(gain), settings.get(strikes)), (fresh().settings.get(gain), 0.0));
    assert_eq!(settings.get(KnobId::Decay), 3.0);
    patch.settings.set(gain, 7.0);
    knobs.take_up(patch.clone(), |_| ());
    assert_eq!(knobs.patch().settings, patch.settings, "one that is driven stays as it is");
}

/// A note, and `drive` on the input, in blocks of these sizes.
fn play(sizes: &[usize], drive: Option<[&[f32]; 2]>) -> Stereo {
    let mut clap = Clap::effect();
    clap.start(RATE);
    let send = |_: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
        if span.start == 0 {
            events.push(&note_on(0, 57, SOFT, None));
        }
    };
    clap.blocks(sizes.iter().copied(), send, drive)
}

fn events() -> Vec<(usize, Event)> {
    vec![(0, on(57, SOFT))]
}

#[test]
fn what_comes_in_drives_the_hammer_in_any_blocks() {
    let [left, right] = noise(FRAMES);
    let expected = render_driven(&fresh(), RATE, FRAMES, &events(), [&left, &right]);
    assert!(peak(&expected) > 2.0 * peak(&render_patch(&fresh(), RATE, FRAMES, &events(), &[])), "the drive is heard");
    for sizes in [vec![FRAMES / 2; 2], vec![64, 1, 935, 4096, 7, 897], vec![250; 24]] {
        assert_same(&play(&sizes, Some([&left, &right])), &expected);
    }
}

#[test]
fn an_input_that_is_not_connected_is_silence() {
    let expected = render_patch(&fresh(), RATE, FRAMES, &events(), &[]);
    for sizes in [vec![64, 512, 1, 4096, 63, 1264], vec![500; 12]] {
        assert_same(&play(&sizes, None), &expected);
    }
}

#[test]
fn mono_doubles_and_what_is_no_number_are_survived() {
    let [mut left, right] = noise(4096);
    for (i, broken) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX].into_iter().enumerate() {
        left[100 * i + 50] = broken;
    }
    for side in [Side::Signal(&left, &right), Side::Mono(&right), Side::Doubles, Side::Constant(&right, &right)] {
        let mut clap = Clap::effect();
        clap.start(RATE);
        let mut events = EventBuffer::new();
        events.push(&clap.turn(0, KnobId::DriveGain, 1.0));
        events.push(&note_on(0, 57, SOFT, None));
        let sound = clap.block(4096, &events, side).sound;
        assert!(sound.iter().flatten().all(|sample| sample.is_finite() && sample.abs() <= 1.0));
    }
}

/// A VST3 host that plays a note, and has `wire` on the input of each span of frames.
fn as_vst3<'a>(plugin: &Vst3, wire: impl Fn(std::ops::Range<usize>) -> Wire<'a>) -> Stereo {
    let mut sound: Stereo = Default::default();
    for size in [64, 1, 935, 4000, 1000] {
        let start = sound[0].len();
        let strike = [Sent::NoteOn { at: 0, channel: 0, key: 57, velocity: SOFT as f32 }];
        let block = plugin.block(size, if start == 0 { &strike } else { &[] }, &wire(start..start + size));
        sound.iter_mut().zip(block).for_each(|(all, part)| all.extend(part));
    }
    sound
}

fn running_vst3() -> Vst3 {
    let plugin = Vst3::effect();
    plugin.set_up(RATE);
    plugin.start();
    plugin
}

#[test]
fn as_vst3_it_plays_the_same_bits() {
    let [left, right] = noise(FRAMES);
    let heard = play(&[FRAMES / 2; 2], Some([&left, &right]));
    let stereo = |span: std::ops::Range<usize>| Wire::Channels(vec![Some(&left[span.clone()]), Some(&right[span])]);
    let plugin = running_vst3();
    assert_same(&as_vst3(&plugin, stereo), &heard);
    // a host that switches it off hears what no input gives
    let silent = play(&[FRAMES / 2; 2], None);
    plugin.stop();
    plugin.switch(false);
    plugin.start();
    assert_same(&as_vst3(&plugin, stereo), &silent);
    plugin.switch(true);
    plugin.stop();
    plugin.start();
    for nothing in [|_| Wire::Absent, |_| Wire::Hollow(2), |_| Wire::Channels(vec![None, None])] {
        assert_same(&as_vst3(&plugin, nothing), &silent);
        plugin.stop();
        plugin.start();
    }
}

#[test]
fn a_patch_in_its_state_is_what_it_plays() {
    let [left, right] = noise(FRAMES);
    let mut patch = fresh();
    patch.settings.set(KnobId::Decay, 0.2);
    patch.settings.set(KnobId::Stiffness, 5e3);
    let mut clap = Clap::effect();
    assert!(clap.load(&state(&patch)));
    clap.start(RATE);
    let mono: Vec<f32> = left.iter().zip(&right).map(|(left, right)| 0.5 * (left + right)).collect();
    let knobs = Knobs::of_effect(|_| ());
    let expected = render_patch(&patch, RATE, FRAMES, &[(0, on(57, SOFT)), (3000, turn(&knobs, KnobId::DriveGain, 0.0))], &mono);
    let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| match span.start {
        0 => events.push(&note_on(0, 57, SOFT, None)),
        3000 => events.push(&clap.turn(0, KnobId::DriveGain, 0.0)),
        _ => {}
    };
    assert_same(&clap.blocks([1000; 6], send, Some([&left, &right])), &expected);
}
