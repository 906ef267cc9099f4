//! Kits in a host: separate outputs of zones, and changes of kits while notes sound.

use std::time::{Duration, Instant};

use clack_extensions::audio_ports_config::{AudioPortsConfigBuffer, PluginAudioPortsConfig};
use clack_host::prelude::*;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::{OUTPUTS, Zone};

use crate::support::clap_host::{Clap, Side, note_on, state};
use crate::support::engine_reference::{Stereo, assert_same, on, peak, render_patch};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 512;

/// Two zones: a bar on keys 36 to 40 on the main output, another on 50 on bus 3.
fn kit() -> Patch {
    let patch = Patch::default();
    let aside = Zone { bus: 3, pan: -0.5, ..Zone::new(&patch, (50, 50)) };
    Patch { name: "Pair".into(), zones: vec![Zone::new(&patch, (36, 40)), aside], ..patch }
}

fn one_note(clap: &mut Clap, key: u8) -> Stereo {
    let mut events = EventBuffer::new();
    events.push(&note_on(0, key, 0.7, None));
    clap.block(FRAMES, &events, Side::Absent).sound
}

fn expected(patch: &Patch, key: u8) -> Stereo {
    render_patch(patch, RATE, FRAMES, &[(0, on(key, 0.7))], &[])
}

/// Chooses the ports of that name; the names of all there are.
fn choose(clap: &mut Clap, wanted: &str) -> Vec<String> {
    let handle = clap.instance.plugin_handle();
    let ports: PluginAudioPortsConfig = handle.get_extension().expect("several arrangements of ports");
    let mut buffer = AudioPortsConfigBuffer::new();
    let mut names = Vec::new();
    for index in 0..ports.count(&handle) {
        let config = ports.get(&handle, index, &mut buffer).expect("an arrangement");
        names.push(String::from_utf8_lossy(config.name).into_owned());
        if names.last().is_some_and(|name| name == wanted) {
            let id = config.id;
            ports.select(&handle, id).expect("is taken");
        }
    }
    names
}

/// One block with a note, on all outputs.
fn all_outputs(clap: &mut Clap, key: u8) -> Vec<Stereo> {
    let mut sound: Vec<Stereo> = vec![[vec![f32::NAN; FRAMES], vec![f32::NAN; FRAMES]]; OUTPUTS];
    let mut events = EventBuffer::new();
    events.push(&note_on(0, key, 0.7, None));
    let mut said = EventBuffer::with_capacity(256);
    let mut outs = AudioPorts::with_capacity(2 * OUTPUTS, OUTPUTS);
    let mut outputs = outs.with_output_buffers(sound.iter_mut().map(|channels| AudioPortBuffer {
        latency: 0,
        channels: AudioPortBufferType::f32_output_only(channels.iter_mut().map(|channel| channel.as_mut_slice())),
    }));
    let audio = clap.audio.as_mut().expect("runs");
    let inputs = InputAudioBuffers::empty();
    audio.process(&inputs, &mut outputs, &events.as_input(), &mut said.as_output(), None, None).expect("processes");
    sound
}

#[test]
fn a_kit_from_the_state_plays_its_zones() {
    let mut clap = Clap::with(&kit());
    clap.start(RATE);
    assert_same(&one_note(&mut clap, 38), &expected(&kit(), 38));
    clap.reset();
    assert_same(&one_note(&mut clap, 50), &expected(&kit(), 50));
    clap.reset();
    assert_eq!(peak(&one_note(&mut clap, 60)), 0.0, "no zone holds it");
    let saved = clap.save();
    assert!(String::from_utf8_lossy(&saved).contains("[[zone]]"), "zones are part of the state");
}

#[test]
fn every_kit_bus_can_be_used_separately() {
    let mut clap = Clap::with(&kit());
    assert_eq!(choose(&mut clap, "Eight outputs"), ["Stereo", "Eight outputs"]);
    clap.start(RATE);
    for (key, bus) in [(38, 1), (50, 3)] {
        clap.reset();
        let sound = all_outputs(&mut clap, key);
        for (i, channels) in sound.iter().enumerate() {
            if i + 1 == bus {
                assert_same(channels, &expected(&kit(), key));
            } else {
                assert_eq!(peak(channels), 0.0, "output {}", i + 1);
            }
        }
    }
}

/// Loads states while it plays: what sounds rings on, the new kit plays, nothing is allocated while processing.
#[test]
fn kits_can_change_while_notes_sound() {
    let mut long = Patch::default();
    long.settings.set(ParamId::Decay, 30.0);
    let mut clap = Clap::with(&long);
    clap.start(RATE);
    one_note(&mut clap, 60);
    for (patch, key, silent) in [(kit(), 38, 70), (long.clone(), 70, 200), (kit(), 50, 45), (kit(), 40, 20), (long, 64, 200)] {
        assert!(clap.load(&state(&patch)));
        let before = peak(&clap.block(FRAMES, &EventBuffer::new(), Side::Absent).sound);
        assert!(before > 0.0, "what sounded sounds on");
        let begun = Instant::now();
        // so soft that the sound shows only whether the new patch plays
        loop {
            clap.reset();
            let heard = one_note(&mut clap, key);
            let quiet = silent > 127 || {
                clap.reset();
                peak(&one_note(&mut clap, silent)) == 0.0
            };
            if quiet && heard == expected(&patch, key) {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "the patch does not play key {key}");
            std::thread::sleep(Duration::from_millis(2));
        }
        one_note(&mut clap, key);
    }
}
