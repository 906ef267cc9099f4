//! States of the CLAP plugin load in the VST3 plugin and the command line, and the other way round.

use std::fs;

use clack_host::prelude::*;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::{all, from_toml, to_toml};
use vst3_host::Plugin;

use crate::support::clap_host::{Clap, Side, note_on, state};
use crate::support::engine_reference::{Stereo, assert_same, on, peak, render_patch};
use crate::support::host_state_file;
use crate::support::vst3_bundle::{BLOCK, Bundle, RATE, play, strike};

const BLOCKS: usize = 12;
const KEY: u8 = 57;
/// Velocity 100 as both formats hand it on.
const VELOCITY: f32 = 100.0 / 127.0;

/// A preset of every sort: pitched, thinned, a kit, one that drives itself.
const NAMES: [&str; 4] = ["Rosewood Marimba", "Symphonic Tam-Tam", "Studio Kit", "Slit Drum Machine"];

fn patches() -> Vec<Patch> {
    let chosen: Vec<Patch> = all().filter(|patch| NAMES.iter().any(|name| patch.name.eq_ignore_ascii_case(name))).collect();
    assert_eq!(chosen.len(), NAMES.len());
    chosen
}

/// What the engine plays, as the command line does.
fn as_engine(patch: &Patch) -> Stereo {
    render_patch(patch, RATE, BLOCKS * BLOCK, &[(0, on(KEY, f64::from(VELOCITY)))], &[])
}

fn as_clap(saved: &[u8]) -> (Stereo, Vec<u8>) {
    let mut plugin = Clap::new();
    assert!(plugin.load(saved));
    plugin.start(RATE);
    let mut heard: Stereo = Default::default();
    for block in 0..BLOCKS {
        let mut events = EventBuffer::new();
        if block == 0 {
            events.push(&note_on(0, KEY, f64::from(VELOCITY), None));
        }
        for (all, part) in heard.iter_mut().zip(plugin.block(BLOCK, &events, Side::Absent).sound) {
            all.extend(part);
        }
    }
    let saved = plugin.save();
    (heard, saved)
}

fn as_vst3(plugin: &mut Plugin) -> Stereo {
    play(plugin, BLOCKS, |plugin, frame| {
        if frame == 0 {
            strike(plugin, KEY, 100, 0);
        }
    })
}

#[test]
fn clap_states_give_the_same_sound_in_vst3_and_command_line() {
    let bundle = Bundle::new("recall");
    for mut patch in patches() {
        patch.settings.set(ParamId::Stiffness, 123.456_789);
        let expected = as_engine(&patch);
        assert!(peak(&expected) > 0.0, "{} is silent", patch.name);
        let (sound, saved) = as_clap(&state(&patch));
        assert_same(&sound, &expected);

        // what the CLAP has saved, in the command line
        let text = host_state_file::patch_text(&saved).expect("the command line reads it");
        assert_eq!(from_toml(&text).as_ref(), Ok(&patch));

        // the same as a preset file of VST3, in the VST3
        let preset = std::env::temp_dir().join(format!("urto-recall-{}.vstpreset", std::process::id()));
        fs::write(&preset, host_state_file::vst_preset(&text)).expect("written");
        let mut plugin = bundle.load();
        plugin.load_vstpreset(&preset).expect("the VST3 takes the preset file");
        assert_same(&as_vst3(&mut plugin), &expected);

        // and what the VST3 saves, in the command line and in the CLAP
        plugin.save_vstpreset(&preset).expect("the VST3 writes one");
        let text = host_state_file::patch_text(&fs::read(&preset).expect("read")).expect("the command line reads it");
        fs::remove_file(&preset).expect("removed");
        assert_eq!(from_toml(&text).as_ref(), Ok(&patch));
        assert_same(&as_clap(&host_state_file::clap_state(&to_toml(&patch))).0, &expected);
    }
}
