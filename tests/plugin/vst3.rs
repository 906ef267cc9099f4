//! The plugin in a VST3 host, as a bundle on disk.

use urto::host_params::HostParams;
use urto_engine::params::ParamId;
use vst3_host::Plugin;

use crate::support::clap_host::Clap;
use crate::support::engine_reference::{IN_CONTACT, assert_same, on, peak, render, turn, wander};
use crate::support::vst3_bundle::{BLOCK, Bundle, RATE, play, strike};

#[test]
fn buses_and_parameters_match_the_clap_plugin() {
    let bundle = Bundle::new("parameters");
    let plugin = bundle.load();
    assert_eq!((plugin.info().name.as_str(), plugin.info().audio_inputs, plugin.info().audio_outputs), ("Urto", 1, 8));
    assert!(plugin.info().has_midi_input);
    assert_eq!(plugin.latency_samples(), 0);
    let clap = Clap::new();
    let listed: Vec<_> = plugin.get_parameters().expect("parameters").iter().map(|p| (p.id, p.name.clone())).collect();
    let expected: Vec<_> = clap.listed().iter().map(|p| (p.id, p.name.clone())).collect();
    assert_eq!(listed[..expected.len()], expected);
    let added: Vec<_> = listed[expected.len()..].iter().map(|(_, name)| name.as_str()).collect();
    assert!(added.iter().all(|name| name.contains("Bypass") || name.starts_with("MIDI CC ")), "{added:?}");
}

#[test]
fn notes_start_on_their_frame() {
    let bundle = Bundle::new("notes");
    let heard = play(&mut bundle.load(), 8, |plugin, frame| match frame {
        0 => strike(plugin, 60, 100, 37),
        512 => strike(plugin, 67, 50, 255),
        _ => {}
    });
    let velocity = |midi: u8| f64::from(f32::from(midi) / 127.0);
    assert!(heard.iter().all(|channel| channel[..37].iter().all(|&sample| sample == 0.0)));
    assert_same(&heard, &render(RATE, 8 * BLOCK, &[(37, on(60, velocity(100))), (767, on(67, velocity(50)))], &[]));
}

#[test]
fn states_round_trip_before_and_after_processing() {
    let bundle = Bundle::new("state");
    let id = |param: ParamId| Clap::new().listed()[param as usize].id;
    let mut first = bundle.load();
    for (param, travel) in [(ParamId::Stiffness, 0.71), (ParamId::Body, 0.0), (ParamId::Modes, 17.0 / 255.0)] {
        first.set_parameter(id(param), travel).expect("set");
    }
    let note = |plugin: &mut Plugin, frame: usize| {
        if frame == 512 {
            strike(plugin, 64, 90, 0);
        }
    };
    // what is set while nothing is processed arrives with the first block
    play(&mut first, 1, |_, _| {});
    let saved = first.save_state().expect("saves");
    let mut fresh = bundle.load();
    fresh.load_state(&saved).expect("loads");
    assert_eq!(fresh.save_state().expect("saves"), saved);
    let sound = play(&mut fresh, 12, note);
    assert!(peak(&sound) > 0.0);
    assert_eq!(fresh.save_state().expect("saves"), saved, "processing leaves the state as it is");
    let mut again = bundle.load();
    play(&mut again, 4, |_, _| {});
    again.load_state(&saved).expect("loads after processing");
    assert_same(&play(&mut again, 12, note), &sound);
}

#[test]
fn automation_at_every_sample_matches_the_engine_bit_for_bit() {
    let bundle = Bundle::new("automation");
    let params = HostParams::new(|_| ());
    let clap = Clap::new();
    let blocks = 6;
    let mut events = Vec::new();
    for frame in 0..blocks * BLOCK {
        for param in IN_CONTACT {
            events.push((frame, turn(&params, param, wander(&params, param, frame))));
        }
        if frame % 400 == 3 {
            events.push((frame, on(60, f64::from(90.0f32 / 127.0))));
        }
    }
    let heard = play(&mut bundle.load(), blocks, |plugin, start| {
        for frame in start..start + BLOCK {
            let offset = (frame - start) as i32;
            for param in IN_CONTACT {
                let id = clap.listed()[param as usize].id;
                plugin.set_parameter_at(id, wander(&params, param, frame), offset).expect("set");
            }
            if frame % 400 == 3 {
                strike(plugin, 60, 90, frame - start);
            }
        }
    });
    let expected = render(RATE, blocks * BLOCK, &events, &[]);
    assert!(peak(&expected) > 0.01, "the hammer strikes");
    assert_same(&heard, &expected);
}
