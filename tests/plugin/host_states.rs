//! Host states from files and sessions: intact, corrupted, from a newer version.

use std::ops::Range;

use clack_host::prelude::*;
use serde_json::{Value, json};
use urto_engine::params::{MOD_ROW_PARAMS, MOD_TARGET_PARAMS, ParamId, UpdateRate};
use urto_engine::patch::ChokeGroups;
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::patch::{all, from_toml, to_toml};
use urto_engine::tuning::PatchTuning;
use urto_engine::tuning::TuningSource;

use crate::corrupted_files::{dice, spoil};
use crate::support::clap_host::{Clap, Side, note_on};
use crate::support::engine_reference::{assert_same, on, render_patch};
use crate::tier::size;

const RATE: f64 = 48_000.0;

/// A state as nice-plug frames it.
fn framed(json: &str) -> Vec<u8> {
    [&(json.len() as u64).to_le_bytes()[..], json.as_bytes()].concat()
}

/// The state with a patch's text and these parameters.
pub fn state(text: &str, params: Value) -> Vec<u8> {
    let field = Value::from(text).to_string();
    framed(&json!({ "version": "", "params": params, "fields": { "patch": field } }).to_string())
}

/// The text of the patch in a saved state.
fn text_in(saved: &[u8]) -> String {
    let state: Value = serde_json::from_slice(&saved[8..]).expect("JSON");
    serde_json::from_str(state["fields"]["patch"].as_str().expect("a field")).expect("a text")
}

/// A patch with something in every part.
fn full() -> Patch {
    let map = "7\n0\n127\n60\n60\n261.0\n7\n0\n1\n2\nx\n4\n5\n6\n".to_owned();
    let source =
        TuningSource { scale: "Sieben\n7\n9/8\n5/4\n4/3\n3/2\n5/3\n15/8\n2/1\n".into(), map: Some(map), reference: None };
    let mode = |ratio, decay| ListedMode { ratio, decay, mass: 0.3, shape: vec![1.0, -0.123_456_789_012_345_68, 1e-300].into() };
    let mut patch = Patch {
        name: "Tam \"Tam\" \\ ä".into(),
        author: "Zwei\nZeilen".into(),
        tags: vec!["metal".into(), String::new(), "'".into()],
        description: "\t".into(),
        modes: vec![mode(1.0, None), mode(2.756_123_456_789, Some(3.3))],
        morph_modes: vec![mode(1.1, Some(0.1)), mode(2.2, None), mode(3.3, None)],
        tuning: PatchTuning::new(source).expect("a tuning"),
        choke_groups: ChokeGroups::new(&[vec![42, 44], vec![1, 2, 3]]).expect("two groups"),
        ..Patch::default()
    };
    let mut next = dice(5);
    for &id in ParamId::ALL.iter().filter(|id| id.spec().in_patch) {
        let travel = f64::from(next()) / f64::from(1u32 << 31);
        patch.settings.set(id, id.spec().from_normalized(travel));
    }
    patch.settings.set(ParamId::Body, 2.0);
    patch.settings.set(ParamId::Level, -20.0);
    // the worker would send a body that such a row moves, at a time of its own
    for row in &MOD_ROW_PARAMS {
        let target = MOD_TARGET_PARAMS[patch.settings.get(row.target) as usize];
        if target.is_some_and(|target| target.spec().update_rate == UpdateRate::NewBody) {
            patch.settings.set(row.target, 0.0);
        }
    }
    patch
}

fn one_note(clap: &mut Clap) -> crate::support::engine_reference::Stereo {
    let strike = |_: &Clap, span: Range<usize>, events: &mut EventBuffer| {
        if span.start == 0 {
            events.push(&note_on(0, 64, 0.7, None));
        }
    };
    clap.blocks([512; 6], strike, None)
}

#[test]
fn a_patch_round_trips_through_states() {
    let patch = full();
    assert_eq!(from_toml(&to_toml(&patch)).as_ref(), Ok(&patch), "its text holds it");
    let mut bytes = state(&to_toml(&patch), json!({}));
    for round in 0..3 {
        let mut clap = Clap::new();
        assert!(clap.load(&bytes));
        let saved = clap.save();
        assert_eq!(from_toml(&text_in(&saved)).as_ref(), Ok(&patch), "round {round}");
        clap.start(RATE);
        assert_same(&one_note(&mut clap), &render_patch(&patch, RATE, 6 * 512, &[(0, on(64, 0.7))], &[]));
        assert_eq!(clap.save(), saved, "round {round}");
        bytes = saved;
    }
}

/// What is built in plays the same from its text, and from a session that was saved with it.
#[test]
fn presets_and_kits_round_trip_through_states() {
    let mut clap = Clap::new();
    for patch in all().step_by(size(4, 1)) {
        assert!(clap.load(&state(&to_toml(&patch), json!({}))), "{}", patch.name);
        let saved = clap.save();
        assert_eq!(from_toml(&text_in(&saved)), Ok(patch.clone()));
        let mut other = Clap::new();
        assert!(other.load(&saved) && other.save() == saved, "{}", patch.name);
    }
}

#[test]
fn a_state_of_a_newer_version_loads_and_keeps_unknown_keys() {
    let text = "schema = 99\nname = \"Later\"\nresonance = 0.5\n[body]\nkind = \"cloud\"\ndecay = 3.3\nhaze = \"thick\"\n";
    let later = json!({ "decay": { "f32": 3.3_f64.log10() }, "body": { "i32": 99 }, "haze": { "f32": 1.0 } });
    let mut clap = Clap::running(RATE);
    assert!(clap.load(&state(text, later)));
    let defaults = Clap::new().values();
    assert_eq!(clap.values()[ParamId::Body as usize], defaults[ParamId::Body as usize], "a kind that is not known");
    let saved = text_in(&clap.save());
    for line in ["schema = 99", "name = \"Later\"", "resonance = 0.5", "kind = \"cloud\"", "haze = \"thick\"", "decay = 3.3  # s"]
    {
        assert!(saved.lines().any(|saved| saved == line), "{line} in {saved}");
    }
}

/// After a state whose patch cannot be read all is as it was; after one that can, it is what the state says.
#[test]
fn corrupted_states_load_or_change_nothing() {
    let (mut next, good) = (dice(77), full());
    let mut clap = Clap::running(RATE);
    assert!(clap.load(&state(&to_toml(&good), json!({}))));
    let text = to_toml(&good);
    let (mut loaded, mut refused) = (0, 0);
    let rounds = size(150, 1_000);
    for round in 0..rounds {
        let spoiled = spoil(&text, &mut next);
        let before = (clap.values(), clap.save());
        let params = json!({ "hammer_mass": { "f32": -2.0 }, "mu": { "f32": f64::from(next() % 5) } });
        clap.load(&state(&spoiled, params));
        match from_toml(&spoiled) {
            Ok(patch) => {
                let kept = from_toml(&text_in(&clap.save())).expect("what is saved can be read");
                assert_eq!((&kept.name, &kept.modes, &kept.tags), (&patch.name, &patch.modes, &patch.tags), "round {round}");
                assert!((kept.settings.get(ParamId::HammerMass) - 0.01).abs() < 1e-6, "round {round}");
                loaded += 1;
            }
            Err(_) => {
                assert!((clap.values(), clap.save()) == before, "round {round}: {spoiled}");
                refused += 1;
            }
        }
        if round % 50 == 0 {
            let heard = clap.block(512, &EventBuffer::new(), Side::Absent).sound;
            assert!(heard.iter().flatten().all(|sample| sample.is_finite()));
        }
    }
    println!("{loaded} loaded, {refused} refused");
    assert!(10 * loaded > rounds && 10 * refused > rounds, "{loaded} loaded, {refused} refused");
}

#[test]
fn corrupted_frames_are_rejected_or_read() {
    let (mut next, mut clap) = (dice(3), Clap::running(RATE));
    let whole = state(&to_toml(&full()), json!({ "decay": { "f32": 0.5 } }));
    for _ in 0..size(150, 1_000) {
        let mut bytes = whole.clone();
        for _ in 0..1 + next() % 4 {
            let place = next() as usize % bytes.len();
            bytes[place] ^= 1 << (next() % 8);
        }
        if next() % 4 == 0 {
            bytes.truncate(next() as usize % bytes.len());
        }
        let before = (clap.values(), clap.save());
        if !clap.load(&bytes) {
            assert!((clap.values(), clap.save()) == before, "a state that is refused changes nothing");
        }
        assert!(from_toml(&text_in(&clap.save())).is_ok());
    }
}
