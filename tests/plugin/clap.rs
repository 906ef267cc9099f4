//! Loading, ports, parameters, notes, state and voice ends in a CLAP host.

use clack_extensions::clap_wrapper::auv2::PluginAsAuv2Factory;
use clack_host::events::event_types::NoteChokeEvent;
use clack_host::prelude::*;
use clack_host::process::ProcessStatus;
use urto_engine::Event;
use urto_engine::params::{ParamId, Scale};
use urto_engine::patch::Patch;
use urto_engine::tuning::PatchTuning;
use urto_engine::tuning::TuningSource;

use crate::support::clap_host::{Clap, Side, note_on, state};
use crate::support::engine_reference::{assert_same, on, peak, render, turn};
use crate::support::vst3_com_host::Vst3;

const RATE: f64 = 48_000.0;

/// Id and number of every parameter, in the order in which hosts list them. Released ones never change. `cargo xtask manual` adds
/// new parameters.
const IDS: &str = include_str!("parameter_ids.csv");

#[test]
fn ports_are_stereo_out_and_a_side_chain() {
    let mut clap = Clap::running(RATE);
    assert_eq!(clap.ports(false), [("Output".to_owned(), 2, true)]);
    assert_eq!(clap.ports(true), [("Hammer Drive".to_owned(), 2, false)]);
    assert_eq!(clap.latency_and_tail().0, 0);
}

/// clap-wrapper makes an Audio Unit of each plugin; sessions store the codes.
#[test]
fn audio_units_have_codes_that_never_change() {
    // SAFETY: the entry is the plugin's own, linked into this test.
    let entry = unsafe { PluginEntry::load_from_raw(&urto::clap_entry, c"/nowhere/urto.clap") }.expect("the entry initialises");
    let plugins = entry.get_plugin_factory().expect("a factory").plugin_count();
    let factory: PluginAsAuv2Factory = entry.get_factory().expect("the codes of Audio Units");
    let codes = (0..plugins).map(|index| factory.auv2_info(index).expect("codes for every plugin"));
    assert_eq!(
        codes.map(|info| [*info.au_type(), *info.au_subt()]).collect::<Vec<_>>(),
        [[*b"aumu\0", *b"Urto\0"], [*b"aufx\0", *b"Fono\0"],]
    );
    assert!(factory.auv2_info(plugins).is_none());
}

#[test]
fn choices_with_names_are_lists_in_both_formats() {
    let clap = Clap::new();
    let lists: Vec<&str> = clap.listed().iter().filter(|listed| listed.is_list).map(|listed| listed.name.as_str()).collect();
    let of_two = ParamId::ALL.iter().map(|id| id.spec()).filter(|spec| spec.labels().len() == 2);
    for spec in of_two {
        let is_switch = spec.labels() == ["Off", "On"];
        assert_eq!(lists.contains(&spec.host_name().as_str()), !is_switch, "{}: {:?}", spec.id, spec.labels());
    }
    assert!(lists.contains(&ParamId::Body.spec().name) && !lists.contains(&ParamId::Stiffness.spec().name));
    assert_eq!(Vst3::new().lists(), lists);
}

#[test]
fn parameters_keep_their_ids_and_order() {
    let clap = Clap::new();
    assert_eq!(clap.listed().len(), ParamId::ALL.len());
    let listed = ParamId::ALL.iter().zip(clap.listed()).map(|(param, listed)| format!("{},{}", param.spec().id, listed.id));
    assert_eq!(listed.collect::<Vec<_>>(), IDS.lines().skip(1).collect::<Vec<_>>(), "new parameters: run `cargo xtask manual`");
    for (id, listed) in ParamId::ALL.iter().zip(clap.listed()) {
        let param = id.spec();
        assert_eq!((listed.group.as_str(), listed.name.as_str()), (param.group, param.host_name().as_str()));
        assert_eq!(listed.automatable, param.automatable, "{}", param.id);
        let steps = match param.scale {
            Scale::Integer | Scale::Choice(_) => param.max - param.min,
            _ => 1.0,
        };
        assert_eq!(listed.steps, steps, "{}", param.id);
    }
}

#[test]
fn values_are_shown_with_units_and_read_back() {
    let mut clap = Clap::new();
    for &param in ParamId::ALL {
        for travel in [0.0, 0.25, 0.6, 1.0] {
            let (text, back) = clap.text(param, travel);
            let back = back.unwrap_or_else(|| panic!("{}: {text}", param.spec().id));
            assert_eq!(clap.text(param, back).0, text, "{}", param.spec().id);
        }
    }
    let mass = clap.listed()[ParamId::HammerMass as usize].name.clone();
    assert_eq!((mass.as_str(), clap.text(ParamId::HammerMass, 1.0).0.as_str()), ("Hammer mass", "200 kg"));
}

#[test]
fn notes_start_on_their_frame() {
    let mut clap = Clap::running(RATE);
    let notes = [(37, 60, 0.8), (901, 67, 0.4), (1000, 60, 1.0)];
    let heard = clap.blocks(
        [500, 1, 499, 1000],
        |_, span, events| {
            for &(frame, key, velocity) in notes.iter().filter(|(frame, ..)| span.contains(frame)) {
                events.push(&note_on((frame - span.start) as u32, key, velocity, None));
            }
        },
        None,
    );
    assert!(heard.iter().all(|channel| channel[..37].iter().all(|&sample| sample == 0.0)));
    assert!(heard.iter().any(|channel| channel[37] != 0.0));
    let events: Vec<_> = notes.iter().map(|&(frame, key, velocity)| (frame, on(key, velocity))).collect();
    assert_same(&heard, &render(RATE, 2000, &events, &[]));
}

/// A patch that differs from the default in every kind of param.
fn altered(clap: &Clap) -> EventBuffer {
    let mut events = EventBuffer::new();
    let travels = [(ParamId::Stiffness, 0.71), (ParamId::HammerMass, 0.33), (ParamId::Body, 0.0), (ParamId::Modes, 17.0 / 255.0)];
    for (param, travel) in travels.into_iter().chain([(ParamId::Release, 1.0), (ParamId::Quality, 0.0), (ParamId::Loss, 0.4)]) {
        events.push(&clap.turn(0, param, travel));
    }
    events
}

fn one_note(clap: &mut Clap) -> crate::support::engine_reference::Stereo {
    let strike = |_: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
        if span.start == 0 {
            events.push(&note_on(0, 64, 0.7, None));
        }
    };
    clap.blocks([512; 6], strike, None)
}

#[test]
fn states_round_trip_before_and_after_processing() {
    let mut first = Clap::new();
    let events = altered(&first);
    first.flush(&events);
    let saved = first.save();
    first.start(RATE);
    let sound = one_note(&mut first);
    assert!(peak(&sound) > 0.0);
    assert_eq!(first.save(), saved, "processing leaves the state as it is");

    let mut fresh = Clap::new();
    assert_ne!(fresh.values(), first.values());
    assert!(fresh.load(&saved));
    assert_eq!(fresh.values(), first.values());
    assert_eq!(fresh.save(), saved);
    fresh.start(RATE);
    assert_same(&one_note(&mut fresh), &sound);

    let mut used = Clap::running(RATE);
    one_note(&mut used);
    assert!(used.load(&saved), "loads while it runs");
    used.block(64, &EventBuffer::new(), Side::Absent);
    used.reset();
    assert_same(&one_note(&mut used), &sound);
}

/// A state with a tuning: in a fresh plugin, in one that plays, and saved again.
#[test]
fn a_state_includes_its_tuning() {
    let source = TuningSource { scale: "just".into(), ..TuningSource::default() };
    let mut patch = Patch { tuning: PatchTuning::new(source).expect("a tuning"), ..Patch::default() };
    patch.settings.set(ParamId::Stretch, 1.5);
    patch.settings.set(ParamId::MtsEsp, 0.0);
    let expected = crate::support::engine_reference::render_patch(&patch, RATE, 6 * 512, &[(0, on(64, 0.7))], &[]);
    let (mut fresh, mut used) = (Clap::new(), Clap::running(RATE));
    assert!(fresh.load(&state(&patch)));
    fresh.start(RATE);
    assert_same(&one_note(&mut fresh), &expected);
    one_note(&mut used);
    assert!(used.load(&fresh.save()));
    used.block(64, &EventBuffer::new(), Side::Absent);
    used.reset();
    assert_same(&one_note(&mut used), &expected);
}

#[test]
fn a_corrupted_state_is_rejected_or_leaves_a_playable_plugin() {
    let mut clap = Clap::running(RATE);
    let mut events = EventBuffer::new();
    events.push(&clap.turn(0, ParamId::Stiffness, 0.9));
    clap.block(64, &events, Side::Absent);
    let framed = |json: &str| [&(json.len() as u64).to_le_bytes()[..], json.as_bytes()].concat();
    assert!(!clap.load(&[]));
    assert!(!clap.load(&framed("{")));
    assert!(!clap.load(&u64::MAX.to_le_bytes()));
    let wild = r#"{"version":"9","params":{"hammer_mass":{"f32":1e30},"body":{"i32":-9},"mu":{"bool":true},"x":{"i32":1}},"fields":{"patch":"\"schema = 7\""}}"#;
    assert!(clap.load(&framed(wild)));
    let sound = one_note(&mut clap);
    assert!(sound.iter().flatten().all(|sample| sample.is_finite()));
    let (values, defaults) = (clap.values(), Clap::new().values());
    assert!((0.0..=1.0).contains(&values[ParamId::HammerMass as usize]));
    assert_eq!(values[ParamId::Stiffness as usize], defaults[ParamId::Stiffness as usize], "what is missing is at its default");
}

#[test]
fn ended_voices_tail_and_sleep_are_reported() {
    let mut clap = Clap::running(RATE);
    let mut events = EventBuffer::new();
    for (param, travel) in [(ParamId::Decay, 0.0), (ParamId::Loss, 1.0)] {
        events.push(&clap.turn(0, param, travel));
    }
    events.push(&note_on(5, 60, 0.9, Some(7)));
    let first = clap.block(256, &events, Side::Absent);
    assert_eq!(first.status, ProcessStatus::Continue);
    let (_, tail) = clap.latency_and_tail();
    assert!(!tail.contains("Finite(0)"), "{tail}");
    let mut ends = Vec::new();
    let mut status = first.status;
    for _ in 0..2000 {
        let block = clap.block(256, &EventBuffer::new(), Side::Absent);
        for event in block.said.iter() {
            if let Some(clack_host::events::spaces::CoreEventSpace::NoteEnd(end)) = event.as_core_event() {
                ends.push(format!("{:?} {:?}", end.pckn().note_id, end.pckn().key));
            }
        }
        status = block.status;
        if status == ProcessStatus::ContinueIfNotQuiet {
            break;
        }
    }
    assert_eq!(status, ProcessStatus::ContinueIfNotQuiet);
    assert_eq!(peak(&clap.block(256, &EventBuffer::new(), Side::Absent).sound), 0.0, "asleep");
    assert_eq!(ends.len(), 1, "{ends:?}");
    assert!(ends[0].contains('7') && ends[0].contains("60"), "{ends:?}");
    assert!(clap.latency_and_tail().1.contains("Finite(0)"), "{:?}", clap.latency_and_tail());
}

#[test]
fn a_choke_without_an_address_damps_all_notes() {
    let mut clap = Clap::running(RATE);
    let heard = clap.blocks(
        [2048, 4096, 4096],
        |_, span, events| {
            if span.start == 0 {
                [60, 64, 67].into_iter().for_each(|key| events.push(&note_on(0, key, 0.8, None)));
            } else if span.start == 2048 {
                events.push(&NoteChokeEvent::new(9, Pckn::match_all()));
            }
        },
        None,
    );
    let notes = [60, 64, 67].map(|key| (0, on(key, 0.8)));
    let events: Vec<_> = notes.into_iter().chain([(2057, Event::ChokeAll)]).collect();
    assert_same(&heard, &render(RATE, 10_240, &events, &[]));
}

#[test]
fn offline_rendering_waits_for_the_requested_body() {
    let render = || {
        let mut clap = Clap::new();
        clap.offline();
        clap.start(RATE);
        let play = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
            if span.start == 0 {
                events.push(&clap.turn(100, ParamId::Body, 0.0));
                events.push(&clap.turn(100, ParamId::Modes, 7.0 / 255.0));
                events.push(&note_on(128, 60, 0.8, None));
            }
        };
        clap.blocks([1024; 4], play, None)
    };
    let heard = render();
    assert_same(&heard, &render());
    let mut patch = urto_engine::patch::Patch::default();
    patch.settings.set(ParamId::Body, 0.0);
    patch.settings.set(ParamId::Modes, 8.0);
    assert_same(&heard, &crate::support::engine_reference::render_patch(&patch, RATE, 4096, &[(128, on(60, 0.8))], &[]));
}

#[test]
fn the_worker_prepares_a_new_body_while_notes_continue() {
    let mut clap = Clap::running(RATE);
    let mut events = EventBuffer::new();
    events.push(&clap.turn(0, ParamId::Body, 0.0));
    clap.block(64, &events, Side::Absent);
    let mut expected = urto_engine::patch::Patch::default();
    expected.settings.set(ParamId::Body, 0.0);
    let expected = crate::support::engine_reference::render_patch(&expected, RATE, 512, &[(0, on(60, 0.8))], &[]);
    let mut strike = EventBuffer::new();
    strike.push(&note_on(0, 60, 0.8, None));
    for _ in 0..500 {
        clap.block(64, &EventBuffer::new(), Side::Absent);
        clap.reset();
        let heard = clap.block(512, &strike, Side::Absent).sound;
        assert!(peak(&heard) > 0.0, "a note plays the old body while the new one is made");
        if heard == expected {
            return;
        }
        clap.reset();
        std::thread::sleep(std::time::Duration::from_millis(4));
    }
    panic!("the string never came");
}

#[test]
fn host_values_map_to_the_range_of_the_table() {
    let params = urto::host_params::HostParams::new(|_| ());
    let Event::Set { value, .. } = turn(&params, ParamId::Modes, 1.0) else { panic!("a param") };
    assert_eq!(value, ParamId::Modes.spec().max);
}
