//! Separate outputs of zones in a VST3 host, which switches on any of them.

use urto_engine::patch::{Patch, Zone};
use vst3_host::Plugin;
use vst3_host::audio::{BusDirection, MediaType};

use crate::support::clap_host::state;
use crate::support::engine_reference::{Stereo, assert_same, on, peak, render_patch};
use crate::support::vst3_bundle::{BLOCK, Bundle, RATE, play, strike};

const BLOCKS: usize = 4;
/// Velocity 100 as VST3 hands it on.
const VELOCITY: f32 = 100.0 / 127.0;

/// Three zones: on the main output, on bus 3 and on bus 8.
fn kit() -> Patch {
    let patch = Patch::default();
    let on_bus = |key: u8, bus: u8| Zone { bus, ..Zone::new(&patch, (key, key)) };
    Patch { name: "Three".into(), zones: vec![on_bus(36, 1), on_bus(50, 3), on_bus(60, 8)], ..patch }
}

fn expected(key: u8) -> Stereo {
    render_patch(&kit(), RATE, BLOCKS * BLOCK, &[(0, on(key, f64::from(VELOCITY)))], &[])
}

/// A plugin with the kit in which the buses `active` are on besides the main one.
fn plugin_with(bundle: &Bundle, active: &[i32]) -> Plugin {
    let mut plugin = bundle.load();
    plugin.load_state(&state(&kit())[8..]).expect("loads");
    for &bus in active {
        plugin.set_bus_active(MediaType::Audio, BusDirection::Output, bus, true).expect("is switched on");
    }
    plugin
}

/// All outputs after a strike of `key`.
fn outputs(plugin: &mut Plugin, key: u8) -> Vec<Stereo> {
    plugin.start_processing().expect("starts");
    let mut buffers = plugin.create_bus_audio_buffers(BLOCK).expect("buffers");
    let mut sound: Vec<Stereo> = vec![Default::default(); buffers.outputs.len()];
    for block in 0..BLOCKS {
        if block == 0 {
            strike(plugin, key, 100, 0);
        }
        plugin.process_bus_audio(&mut buffers).expect("processes");
        for (all, bus) in sound.iter_mut().zip(&buffers.outputs) {
            all.iter_mut().zip(&bus.channels).for_each(|(all, part)| all.extend(part));
        }
    }
    plugin.stop_processing().expect("stops");
    sound
}

#[test]
fn zones_play_on_the_outputs_that_are_on_and_else_on_the_main_one() {
    let bundle = Bundle::new("outputs");
    for (active, heard_on) in [(&[][..], [0, 0, 0]), (&[2], [0, 2, 0]), (&[1, 7], [0, 0, 7]), (&[1, 2, 3, 4, 5, 6, 7], [0, 2, 7])]
    {
        let mut plugin = plugin_with(&bundle, active);
        for (key, place) in [36, 50, 60].into_iter().zip(heard_on) {
            let sound = outputs(&mut plugin, key);
            assert_eq!(sound.len(), 8);
            assert!(peak(&sound[place]) > 1e-3, "{active:?}: key {key}");
            for (i, channels) in sound.iter().enumerate().filter(|(i, _)| *i == place || active.contains(&(*i as i32))) {
                if i == place {
                    assert_same(channels, &expected(key));
                } else {
                    assert_eq!(peak(channels), 0.0, "{active:?}: key {key} on output {}", i + 1);
                }
            }
        }
    }
}

/// A host that knows one output only plays everything.
#[test]
fn a_host_with_one_output_hears_all_zones() {
    let bundle = Bundle::new("one-output");
    let mut plugin = plugin_with(&bundle, &[]);
    for key in [36, 50, 60] {
        let sound = play(&mut plugin, BLOCKS, |plugin, frame| {
            if frame == 0 {
                strike(plugin, key, 100, 0);
            }
        });
        assert_same(&sound, &expected(key));
    }
}
