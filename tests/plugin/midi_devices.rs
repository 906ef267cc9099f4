//! The MIDI devices of the user, from a file in a data folder that a variable names: learned controllers, and pads of electronic drums.

use clack_host::events::event_types::MidiEvent;
use clack_host::prelude::*;
use serde_json::json;
use urto_engine::params::ParamId;
use urto_engine::patch::{factory_presets, to_toml};
use urto_engine::{ControllerAssignment, ControllerMode, DrumModule, MidiMap};

use crate::host_states::state;
use crate::support::clap_host::{Clap, Side};
use crate::tier::in_own_process_with;

const RATE: f64 = 48_000.0;

/// Parameters that controllers of the user set.
const KNOB: ControllerAssignment = ControllerAssignment {
    number: 21,
    channel: None,
    param: ParamId::HammerMass,
    mode: ControllerMode::Absolute,
    range: [0.2, 0.7],
};
const ENCODER: ControllerAssignment = ControllerAssignment {
    number: 1,
    channel: Some(9),
    param: ParamId::Decay,
    mode: ControllerMode::Offset64,
    range: [0.0, 1.0],
};

/// Runs `body` in a process whose user has the devices of `map`.
fn with_devices(name: &str, map: &MidiMap, body: impl FnOnce()) {
    let folder = std::env::temp_dir().join(format!("urto-assigned-{}-{name}", std::process::id()).replace("::", "-"));
    std::fs::create_dir_all(folder.join("urto")).expect("a folder");
    std::fs::write(folder.join("urto").join("controllers.toml"), map.to_toml()).expect("a file");
    in_own_process_with(name, &[("XDG_DATA_HOME", folder.as_os_str())], body);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn assigned_controllers_set_parameters_at_their_frame_and_the_host_reads_them_again() {
    let mut map = MidiMap::default();
    assert!(map.assign(KNOB) && map.assign(ENCODER));
    with_devices("midi_devices::assigned_controllers_set_parameters_at_their_frame_and_the_host_reads_them_again", &map, || {
        let mut clap = Clap::running(RATE);
        let control = |time, channel: u8, number, value| MidiEvent::new(time, 0, [0xB0 | channel, number, value]);
        // the worker sends the assignments within a few milliseconds
        let begun = std::time::Instant::now();
        let at = |clap: &mut Clap, param| clap.values()[param as usize];
        let mut events = EventBuffer::new();
        events.push(&control(3, 5, 21, 127));
        while (at(&mut clap, ParamId::HammerMass) - KNOB.range[1]).abs() > 1e-6 {
            assert!(begun.elapsed().as_secs() < 20, "the knob sets nothing");
            clap.block(64, &events, Side::Absent);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        assert!(clap.idle().0 > 0, "the host reads the values again");
        let before = at(&mut clap, ParamId::Decay);
        let mut events = EventBuffer::new();
        [control(0, 9, 1, 66), control(5, 8, 1, 66), control(9, 9, 1, 63)].iter().for_each(|event| events.push(event));
        clap.block(64, &events, Side::Absent);
        let moved = at(&mut clap, ParamId::Decay) - before;
        assert!((moved - 1.0 / 127.0).abs() < 1e-6, "two steps up, one down, none on another channel: {moved}");
    });
}

#[test]
fn the_rim_of_a_pad_strikes_its_tom_and_ends_as_the_note_of_the_host() {
    let mut map = MidiMap::default();
    map.drums = DrumModule::RolandTd17;
    with_devices("midi_devices::the_rim_of_a_pad_strikes_its_tom_and_ends_as_the_note_of_the_host", &map, || {
        let rim = |clap: &mut Clap, at, key| {
            let mut events = EventBuffer::new();
            events.push(&MidiEvent::new(at, 0, [0x99, key, 100]));
            clap.block(480, &events, Side::Absent)
        };
        // the worker sends the module within a few milliseconds
        let begun = std::time::Instant::now();
        loop {
            let [mut sent, mut meant] = [Clap::running(RATE), Clap::running(RATE)];
            let kit = factory_presets::find("Studio Kit").expect("a kit");
            assert!([&mut sent, &mut meant].into_iter().all(|clap| clap.load(&state(&to_toml(&kit), json!({})))));
            std::thread::sleep(std::time::Duration::from_millis(30));
            let (rim, head) = (rim(&mut sent, 3, 50), rim(&mut meant, 3, 48));
            if rim.sound == head.sound {
                return;
            }
            assert!(begun.elapsed().as_secs() < 20, "the rim of the tom strikes another tom");
        }
    });
}
