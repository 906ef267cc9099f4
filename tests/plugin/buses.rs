//! The side-chain and the output in every bus arrangement of a VST3 host.

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SpeakerArr::{k51, kEmpty, kMono, kStereo};
use nice_plug::wrapper::vst3::vst3::Steinberg::kResultOk;
use urto::host_params::HostParams;
use urto_engine::Event;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

use crate::support::clap_host::{Clap, LARGEST};
use crate::support::engine_reference::{Stereo, assert_same, noise, on, peak, render_driven, turn};
use crate::support::vst3_com_host::{Sent, Vst3, Wire};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 3000;
const GAIN: f64 = 0.6;
const VELOCITY: f32 = 0.3;

/// The engine by itself, with this side-chain.
fn expected(drive: [&[f32]; 2]) -> Stereo {
    let events: [(usize, Event); 2] =
        [(0, turn(&HostParams::new(|_| ()), ParamId::DriveGain, GAIN)), (0, on(57, f64::from(VELOCITY)))];
    render_driven(&Patch::default(), RATE, FRAMES, &events, drive)
}

fn strike() -> [Sent; 2] {
    let id = Clap::new().listed()[ParamId::DriveGain as usize].id;
    [Sent::Turn { at: 0, id, travel: GAIN }, Sent::NoteOn { at: 0, channel: 0, key: 57, velocity: VELOCITY }]
}

/// A note in blocks of odd sizes; `wire` says what is on the side-chain for a span of frames.
fn play<'a>(plugin: &Vst3, wire: impl Fn(std::ops::Range<usize>) -> Wire<'a>) -> Stereo {
    let mut sound: Stereo = Default::default();
    for size in [64, 1, 935, 1, 512, 999, 488] {
        let start = sound[0].len();
        let sent = if start == 0 { strike().to_vec() } else { Vec::new() };
        let block = plugin.block(size, &sent, &wire(start..start + size));
        for (all, part) in sound.iter_mut().zip(block) {
            all.extend(part);
        }
    }
    assert_eq!(sound[0].len(), FRAMES);
    sound
}

#[test]
fn the_side_chain_acts_only_while_its_bus_is_active() {
    let [left, right] = noise(FRAMES);
    let stereo = |span: std::ops::Range<usize>| Wire::Channels(vec![Some(&left[span.clone()]), Some(&right[span])]);
    let (driven, alone) = (expected([&left, &right]), expected([&[]; 2]));
    assert!(peak(&driven) > 2.0 * peak(&alone), "the drive is heard");

    // switched on before the plugin is activated, as VST3 asks for
    let plugin = Vst3::new();
    plugin.set_up(RATE);
    plugin.switch(true);
    plugin.start();
    assert_same(&play(&plugin, stereo), &driven);

    // off at the start whatever the buffers hold; on later, between two activations
    let plugin = Vst3::running(RATE);
    assert_same(&play(&plugin, stereo), &alone);
    plugin.stop();
    plugin.switch(true);
    plugin.start();
    assert_same(&play(&plugin, stereo), &driven);

    // on and off while it is active
    let plugin = Vst3::running(RATE);
    plugin.switch(true);
    assert_same(&play(&plugin, stereo), &driven);
    plugin.stop();
    plugin.start();
    assert_same(&play(&plugin, stereo), &driven);
    plugin.switch(false);
    plugin.stop();
    plugin.start();
    assert_same(&play(&plugin, stereo), &alone);
}

#[test]
fn the_side_chain_accepts_stereo_mono_and_no_channels() {
    let [left, right] = noise(FRAMES);
    let plugin = Vst3::new();
    assert_eq!([plugin.arrangement(true), plugin.arrangement(false)], [(kStereo, 2); 2]);
    for (arrangement, channels) in [(kMono, 1), (kEmpty, 0), (kStereo, 2)] {
        assert!(plugin.arrange(&[arrangement], &[kStereo]));
        assert_eq!(plugin.arrangement(true), (arrangement, channels));
    }
    assert!(plugin.arrange(&[kMono], &[kStereo]));
    for (inputs, outputs) in [
        (&[kStereo][..], &[kMono][..]),
        (&[k51], &[kStereo]),
        (&[kStereo, kStereo], &[kStereo]),
        (&[kStereo], &[kStereo, kMono]),
        (&[kStereo], &[kEmpty]),
        (&[kStereo], &[kStereo; 9]),
        (&[kStereo], &[]),
        (&[], &[k51]),
    ] {
        assert!(!plugin.arrange(inputs, outputs), "{inputs:?} {outputs:?}");
        assert_eq!([plugin.arrangement(true), plugin.arrangement(false)], [(kMono, 1), (kStereo, 2)]);
    }
    assert!(plugin.arrange(&[], &[kStereo]), "stereo out and nothing said of the side-chain");
    assert_eq!(plugin.arrangement(true), (kMono, 1));

    plugin.set_up(RATE);
    plugin.switch(true);
    plugin.start();
    assert_same(&play(&plugin, |span| Wire::Channels(vec![Some(&left[span])])), &expected([&left, &[]]));
    plugin.stop();
    assert!(plugin.arrange(&[kStereo], &[kStereo]));
    plugin.start();
    let stereo = |span: std::ops::Range<usize>| Wire::Channels(vec![Some(&left[span.clone()]), Some(&right[span])]);
    assert_same(&play(&plugin, stereo), &expected([&left, &right]));
    plugin.stop();
    assert!(plugin.arrange(&[kEmpty], &[kStereo]));
    plugin.start();
    assert_same(&play(&plugin, |_| Wire::Hollow(0)), &expected([&[]; 2]));
}

#[test]
fn a_side_chain_without_audio_is_silence() {
    let [left, _] = noise(FRAMES);
    let plugin = Vst3::running(RATE);
    plugin.switch(true);
    let alone = expected([&[]; 2]);
    for wire in [|_| Wire::Absent, |_| Wire::Hollow(2), |_| Wire::Hollow(-1), |_| Wire::Channels(vec![None, None])] {
        assert_same(&play(&plugin, wire), &alone);
        plugin.stop();
        plugin.start();
    }
    // one cable of two, and one more than two
    assert_same(&play(&plugin, |span| Wire::Channels(vec![Some(&left[span]), None])), &expected([&left, &[]]));
    plugin.stop();
    plugin.start();
    let three = |span: std::ops::Range<usize>| Wire::Channels(vec![Some(&left[span.clone()]), Some(&left[span.clone()]), None]);
    assert_same(&play(&plugin, three), &expected([&left, &[]]));
}

#[test]
fn an_invalid_block_is_rejected_and_the_next_one_sounds() {
    let mut room = [vec![0.0f32; 2 * LARGEST], vec![0.0; 2 * LARGEST], vec![0.5; 64]];
    let [left, right, third] = &mut room;
    let mut outputs = [left.as_mut_ptr(), right.as_mut_ptr()];
    let early = Vst3::new();
    assert_ne!(early.process(64, &strike(), &Wire::Absent, &mut outputs), kResultOk, "nothing is set up");
    let plugin = Vst3::running(RATE);
    for frames in [-1, i32::MIN, LARGEST as i32 + 1] {
        assert_ne!(plugin.process(frames, &strike(), &Wire::Absent, &mut outputs), kResultOk, "{frames} frames");
    }
    for outputs in [&mut [][..], &mut [std::ptr::null_mut(); 2], &mut [left.as_mut_ptr()]] {
        plugin.process(64, &[], &Wire::Absent, outputs);
    }
    let mut outputs = [left.as_mut_ptr(), right.as_mut_ptr(), third.as_mut_ptr()];
    assert_eq!(plugin.process(64, &strike(), &Wire::Absent, &mut outputs), kResultOk);
    assert!(left[..64].iter().any(|&sample| sample != 0.0) && third.iter().all(|&sample| sample == 0.5));
}
