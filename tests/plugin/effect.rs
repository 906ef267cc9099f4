//! The effect plugin: its ports and features, and its input as the drive signal.

use std::ffi::CStr;

use clack_host::prelude::*;
use urto::host_params::HostParams;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

use crate::support::clap_host::{Clap, Side, note_on, state};
use crate::support::drum_loop::{drums, is_silent, largest_step};
use crate::support::engine_reference::{Stereo, assert_same, noise, on, peak, render_driven, turn};
use crate::support::measurements;
use crate::support::vst3_com_host::{Sent, Vst3, Wire};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 6000;

/// The patch that an effect begins with.
fn fresh() -> Patch {
    HostParams::of_effect(|_| ()).patch()
}

#[test]
fn both_plugins_are_listed_with_their_features() {
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
fn the_effect_has_a_stereo_input_and_no_side_chain() {
    let mut clap = Clap::effect();
    clap.start(RATE);
    assert_eq!(clap.ports(true), [("Input".to_owned(), 2, true)]);
    assert_eq!(clap.ports(false), [("Output".to_owned(), 2, true)]);
    assert_eq!(clap.latency_and_tail().0, 0);
}

#[test]
fn the_effect_has_the_parameters_of_the_instrument_with_its_own_defaults() {
    let (mut instrument, mut effect) = (Clap::new(), Clap::effect());
    let ids = |clap: &Clap| clap.listed().iter().map(|listed| (listed.id, listed.name.clone())).collect::<Vec<_>>();
    assert_eq!(ids(&effect), ids(&instrument));
    let (ours, theirs) = (effect.values(), instrument.values());
    let differing: Vec<_> = ParamId::ALL.iter().filter(|&&id| ours[id as usize] != theirs[id as usize]).collect();
    assert_eq!(differing, [&ParamId::DriveGain, &ParamId::KeyStrikes]);
    let patch = fresh();
    assert!(patch.settings.get(ParamId::DriveGain) > 0.0);
    assert_eq!(patch.settings.get(ParamId::KeyStrikes), 0.0);
}

#[test]
fn states_of_instrument_and_effect_are_interchangeable() {
    let mut patch = Patch { name: "Mine".into(), ..Patch::default() };
    patch.settings.set(ParamId::Stiffness, 123.4);
    let (mut instrument, mut effect) = (Clap::with(&patch), Clap::effect());
    assert!(effect.load(&instrument.save()));
    assert_eq!(effect.values(), instrument.values());
    assert_eq!(effect.save(), instrument.save(), "gain 0 and keys that strike are what the state says");
    let own = Clap::effect().save();
    assert!(instrument.load(&own));
    assert_eq!(instrument.save(), own);
}

#[test]
fn the_effect_drives_presets_without_drive() {
    let params = HostParams::of_effect(|_| ());
    let mut patch = Patch::default();
    patch.settings.set(ParamId::Decay, 3.0);
    let [gain, strikes] = [ParamId::DriveGain, ParamId::KeyStrikes];
    let settings = params.fitted(patch.clone()).settings;
    assert_eq!((settings.get(gain), settings.get(strikes)), (fresh().settings.get(gain), 0.0));
    assert_eq!(settings.get(ParamId::Decay), 3.0);
    let heavy = |mass| {
        let mut patch = patch.clone();
        patch.settings.set(ParamId::HammerMass, mass);
        params.fitted(patch).settings.get(gain)
    };
    assert!((heavy(0.3) / heavy(0.03) - 10.0).abs() < 1e-9, "ten times the hammer takes ten times the force");
    patch.settings.set(gain, 7.0);
    assert_eq!(params.fitted(patch.clone()), patch, "one that is driven stays as it is");
    patch.settings.set(gain, 0.0);
    params.load_patch(patch.clone(), |_| ());
    assert_eq!(params.patch(), patch, "what is undone was not a preset");
    assert_eq!(HostParams::new(|_| ()).fitted(patch.clone()), patch, "nor does it concern the instrument");
}

/// A fresh effect with `drive` on its input, in blocks of these sizes.
fn play(sizes: &[usize], drive: Option<[&[f32]; 2]>) -> Stereo {
    played(&[], sizes, drive)
}

/// The same with params turned to travels at the beginning.
fn played(turned: &[(ParamId, f64)], sizes: &[usize], drive: Option<[&[f32]; 2]>) -> Stereo {
    let mut clap = Clap::effect();
    clap.start(RATE);
    let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
        if span.start == 0 {
            turned.iter().for_each(|&(param, travel)| events.push(&clap.turn(0, param, travel)));
        }
    };
    clap.blocks(sizes.iter().copied(), send, drive)
}

#[test]
fn the_input_drives_the_hammer_for_any_block_size() {
    let [left, right] = drums(FRAMES);
    let expected = render_driven(&fresh(), RATE, FRAMES, &[], [&left, &right]);
    assert!(peak(&expected) > 0.03, "a fresh effect is heard without a note: {}", peak(&expected));
    for sizes in [vec![FRAMES / 2; 2], vec![64, 1, 935, 4096, 7, 897], vec![250; 24]] {
        assert_same(&play(&sizes, Some([&left, &right])), &expected);
    }
}

#[test]
fn without_input_or_drive_level_the_effect_is_silent() {
    for sizes in [vec![64, 512, 1, 4096, 63, 1264], vec![500; 12]] {
        assert!(is_silent(&play(&sizes, None), 0..FRAMES));
        assert!(is_silent(&played(&[(ParamId::DryWet, 0.0)], &sizes, None), 0..FRAMES), "dry of nothing");
    }
    let [left, right] = drums(FRAMES);
    assert!(is_silent(&played(&[(ParamId::DriveGain, 0.0)], &[1000; 6], Some([&left, &right])), 0..FRAMES));
}

/// Travels at which the default bar rings for seconds at its own frequencies, driven by noise.
const RINGING: [(ParamId, f64); 3] = [(ParamId::DriveGain, 0.2), (ParamId::Loss, 0.0), (ParamId::Decay, 0.8)];

/// Level at the partials of the bar of `hertz` over that between them [dB], in the second half of `sound`.
fn stands_out(sound: &[f32], hertz: f64) -> [f64; 3] {
    // free uniform bar: (beta L)^2 over the first of them
    [1.0, 2.7565, 5.4039].map(|ratio| {
        let level = |hertz: f64| (0..8).map(|k| measurements::level(sound, 24_000 + 2400 * k, hertz)).sum::<f64>();
        20.0 * (level(ratio * hertz) / level(0.7 * ratio * hertz)).log10()
    })
}

#[test]
fn noise_excites_the_partials_of_the_selected_body() {
    let [left, right] = noise(48_000);
    let send = |key: Option<u8>| {
        move |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
            if span.start == 0 {
                RINGING.iter().for_each(|&(param, travel)| events.push(&clap.turn(0, param, travel)));
                key.iter().for_each(|&key| events.push(&note_on(0, key, 0.9, None)));
            }
        }
    };
    for (key, hertz) in [(None, 261.6256), (Some(69), 440.0), (Some(76), 659.2551)] {
        let mut clap = Clap::effect();
        clap.start(RATE);
        let sound = clap.blocks([1000; 48], send(key), Some([&left, &right]));
        let levels = stands_out(&sound[0], hertz);
        assert!(levels.iter().all(|&level| level > 10.0), "key {key:?}: {levels:?} dB");
    }
}

#[test]
fn in_the_effect_keys_select_and_strike_only_on_request() {
    let strike = |strikes: f64| {
        let mut clap = Clap::effect();
        clap.start(RATE);
        let mut events = EventBuffer::new();
        events.push(&clap.turn(0, ParamId::KeyStrikes, strikes));
        events.push(&note_on(0, 60, 0.9, None));
        clap.block(4000, &events, Side::Absent).sound
    };
    assert!(is_silent(&strike(0.0), 0..4000));
    assert!(peak(&strike(1.0)) > 0.01);
}

#[test]
fn dry_is_bit_exact_and_half_wet_is_the_mean() {
    let [left, right] = drums(FRAMES);
    let dry: Stereo = [left.clone(), right.clone()];
    let wet = play(&[FRAMES / 2; 2], Some([&left, &right]));
    for sizes in [vec![FRAMES / 2; 2], vec![64, 1, 935, 4096, 7, 897]] {
        let at = |share| played(&[(ParamId::DryWet, share)], &sizes, Some([&left, &right]));
        assert_same(&at(0.0), &dry);
        assert_same(&at(1.0), &wet);
        let half = at(0.5);
        for channel in 0..2 {
            let error = |n: usize| (half[channel][n] - 0.5 * (dry[channel][n] + wet[channel][n])).abs();
            assert!((0..FRAMES).all(|n| error(n) < 1e-7));
        }
    }
}

#[test]
fn changing_dry_wet_does_not_click() {
    let tone: Vec<f32> = (0..26_000).map(|n| 0.5 * (std::f32::consts::TAU * 50.0 * n as f32 / RATE as f32).sin()).collect();
    let mut clap = Clap::effect();
    clap.start(RATE);
    let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| match span.start {
        0 => events.push(&clap.turn(0, ParamId::DriveGain, 0.0)),
        6000 => events.push(&clap.turn(100, ParamId::DryWet, 0.0)),
        18_000 => events.push(&clap.turn(0, ParamId::DryWet, 1.0)),
        _ => {}
    };
    let sound = clap.blocks([1000; 26], send, Some([&tone, &tone]));
    assert!(is_silent(&sound, 0..6000) && is_silent(&sound, 25_000..26_000), "fully wet, nothing driven");
    assert_eq!(sound[0][12_000..18_000], tone[12_000..18_000], "fully dry");
    let own = largest_step(&[tone.clone(), tone.clone()], 0..26_000);
    let moving = largest_step(&sound, 6000..12_000).max(largest_step(&sound, 18_000..25_000));
    assert!(moving < own + 1e-3, "{moving}, {own} in the tone itself");
}

#[test]
fn the_effect_handles_mono_and_non_finite_input() {
    let [mut left, right] = noise(4096);
    for (i, broken) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX].into_iter().enumerate() {
        left[100 * i + 50] = broken;
    }
    for side in [Side::Signal(&left, &right), Side::Mono(&right), Side::Doubles, Side::Constant(&right, &right)] {
        let mut clap = Clap::effect();
        clap.start(RATE);
        let mut events = EventBuffer::new();
        events.push(&clap.turn(0, ParamId::DriveGain, 1.0));
        let sound = clap.block(4096, &events, side).sound;
        assert!(sound.iter().flatten().all(|sample| sample.is_finite() && sample.abs() <= 1.0));
    }
}

/// A VST3 host that has `wire` on the input of each span of frames.
fn as_vst3<'a>(plugin: &Vst3, wire: impl Fn(std::ops::Range<usize>) -> Wire<'a>) -> Stereo {
    let mut sound: Stereo = Default::default();
    for size in [64, 1, 935, 4000, 1000] {
        let start = sound[0].len();
        let block = plugin.block(size, &[], &wire(start..start + size));
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
fn the_vst3_effect_matches_the_clap_effect() {
    let [left, right] = drums(FRAMES);
    let heard = play(&[FRAMES / 2; 2], Some([&left, &right]));
    let stereo = |span: std::ops::Range<usize>| Wire::Channels(vec![Some(&left[span.clone()]), Some(&right[span])]);
    let plugin = running_vst3();
    assert_same(&as_vst3(&plugin, stereo), &heard);
    plugin.stop();
    plugin.switch(false);
    plugin.start();
    assert!(is_silent(&as_vst3(&plugin, stereo), 0..FRAMES), "a host that switches the input off");
    plugin.switch(true);
    for nothing in [|_| Wire::Absent, |_| Wire::Hollow(2), |_| Wire::Channels(vec![None, None])] {
        plugin.stop();
        plugin.start();
        assert!(is_silent(&as_vst3(&plugin, nothing), 0..FRAMES));
    }
}

#[test]
fn the_vst3_effect_passes_dry_sound_in_mono_and_in_place() {
    let [left, _] = drums(FRAMES);
    let id = Clap::effect().listed()[ParamId::DryWet as usize].id;
    let dry = Sent::Turn { at: 0, id, travel: 0.0 };
    let mono: Stereo = [left[..4000].to_vec(), left[..4000].to_vec()];
    assert_same(&running_vst3().block(4000, &[dry], &Wire::Channels(vec![Some(&left[..4000])])), &mono);
    // the host's input and output are the same memory
    let [mut one, mut other] = [left[..4000].to_vec(), left[2000..6000].to_vec()];
    let expected = [one.clone(), other.clone()];
    let mut pointers = [one.as_mut_ptr(), other.as_mut_ptr()];
    let answer = running_vst3().process(4000, &[dry], &Wire::InPlace, &mut pointers);
    assert_eq!(answer, 0);
    assert_same(&[one, other], &expected);
}

#[test]
fn the_effect_plays_the_patch_of_its_state() {
    let [left, right] = drums(FRAMES);
    let mut patch = fresh();
    patch.settings.set(ParamId::Decay, 0.2);
    patch.settings.set(ParamId::Stiffness, 5e3);
    patch.settings.set(ParamId::DryWet, 0.7);
    let mut clap = Clap::effect();
    assert!(clap.load(&state(&patch)));
    clap.start(RATE);
    let params = HostParams::of_effect(|_| ());
    let events = [(100, on(64, 0.5)), (3000, turn(&params, ParamId::DriveGain, 0.1))];
    let expected = render_driven(&patch, RATE, FRAMES, &events, [&left, &right]);
    let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| match span.start {
        0 => events.push(&note_on(100, 64, 0.5, None)),
        3000 => events.push(&clap.turn(0, ParamId::DriveGain, 0.1)),
        _ => {}
    };
    assert_same(&clap.blocks([1000; 6], send, Some([&left, &right])), &expected);
}
