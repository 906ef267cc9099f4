//! Tests of the three ends together: bodies, hits, motion, and the cost of an open window.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::threads::audio_end::POLL_INTERVAL;
use crate::threads::{AudioEnd, connect, connect_to};
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::patch::{ChokeGroups, ListedMode, Patch};
use urto_engine::{BodySpec, Engine, EngineConfig, Event, NoteId};

fn wait_for_body(audio: &mut AudioEnd, engine: &mut Engine) {
    let begun = Instant::now();
    while engine.requested_body().is_some() {
        assert!(begun.elapsed() < Duration::from_secs(20), "no body came");
        std::thread::sleep(POLL_INTERVAL);
        audio.exchange_bodies(engine, false);
    }
}

#[test]
fn the_latest_request_for_a_body_wins() {
    let (mut audio, _editor, _host) = connect();
    let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
    for modes in [5.0, 6.0, 7.0, 8.0] {
        engine.event(&Event::Set { param: ParamId::Modes, value: modes });
        audio.exchange_bodies(&mut engine, false);
    }
    wait_for_body(&mut audio, &mut engine);
    assert_eq!(BodySpec::of(engine.settings()).modes, 8);
    assert!(!audio.is_waiting());
}

#[test]
fn a_loaded_patch_brings_its_body_and_discards_earlier_requests() {
    let (mut audio, _editor, host) = connect();
    let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
    engine.event(&Event::Set { param: ParamId::Body, value: 2.0 });
    audio.exchange_bodies(&mut engine, false);
    let mode = |ratio| ListedMode { ratio, decay: None, mass: 1.0, shape: Default::default() };
    let chokes = ChokeGroups::new(&[vec![60, 64]]).expect("two keys");
    let mut patch = Patch { modes: vec![mode(1.0), mode(2.7)], choke_groups: chokes, ..Patch::default() };
    patch.settings.set(ParamId::Body, 2.0);
    host.loader().load(&patch);
    let begun = Instant::now();
    while audio.generation() == 0 || audio.is_waiting() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the body did not come");
        std::thread::sleep(POLL_INTERVAL);
        audio.exchange_bodies(&mut engine, false);
    }
    let render = |engine: &mut Engine| {
        let mut sound = [[0.0f32; 2048], [0.0; 2048]];
        let [left, right] = &mut sound;
        engine.reset();
        for key in [60, 64] {
            engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: 0.7 });
        }
        engine.render(left, right, [&[]; 2]);
        sound
    };
    let mut fresh = Engine::new(EngineConfig::at(48e3), &patch);
    assert_eq!(render(&mut engine), render(&mut fresh), "the patch's listed modes sound, and its keys choke each other");
}

#[test]
fn a_full_channel_keeps_the_newest_hits() {
    let (mut audio, editor, _host) = connect();
    let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
    let mut sound = [[0.0f32; 1024], [0.0; 1024]];
    for key in 50..62 {
        engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: 0.7 });
        let [left, right] = &mut sound;
        engine.render(left, right, [&[]; 2]);
        audio.send_telemetry(&mut engine);
    }
    let hit = editor.hits().last().expect("a hit");
    assert!(hit.key >= 60, "key {}", hit.key);
    assert!(editor.hits().next().is_none(), "each is received once");
    let levels = editor.levels();
    assert!(levels.peaks[0] > 0.0 && levels.active_voices > 0);
    assert_eq!(editor.levels().peaks, [0.0; 2], "peaks since the last call");
}

#[test]
fn the_editor_reads_how_far_bodies_stiffen() {
    let (mut audio, editor, _host) = connect();
    let mut patch = Patch::default();
    patch.settings.set(ParamId::Body, BodyKind::String as usize as f64);
    patch.settings.set(ParamId::Nonlinearity, 2.0);
    let mut engine = Engine::new(EngineConfig::at(48e3), &patch);
    let [left, right] = &mut [[0.0f32; 1024], [0.0; 1024]];
    engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key: 57 }, velocity: 1.0 });
    engine.render(left, right, [&[]; 2]);
    audio.send_telemetry(&mut engine);
    let first = editor.levels().stiffening;
    assert!(first.tension > 1e-3 && first.deflection == 0.0, "{first:?}");
    assert_eq!(editor.levels().stiffening, Default::default(), "since the last call");
}

#[test]
fn motion_is_sent_only_while_a_window_is_open() {
    let (mut audio, editor, _host) = connect();
    let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
    let [left, right] = &mut [[0.0f32; 1024], [0.0; 1024]];
    engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key: 57 }, velocity: 0.7 });
    engine.render(left, right, [&[]; 2]);
    audio.send_telemetry(&mut engine);
    assert_eq!(editor.body_motion(), None);
    editor.watch(true);
    for _ in 0..5 {
        engine.render(left, right, [&[]; 2]);
        audio.send_telemetry(&mut engine);
    }
    let motion = editor.body_motion().expect("the newest");
    let lowest = f64::from(motion.modes[0].omega) / std::f64::consts::TAU;
    assert!((lowest - 220.0).abs() < 0.5 && motion.key == 57, "{lowest} Hz");
    assert!(motion.modes[0].q.hypot(motion.modes[0].v / motion.modes[0].omega) > 0.0);
    assert_eq!(editor.body_motion(), None, "each is received once");
    editor.watch(false);
    audio.send_telemetry(&mut engine);
    assert_eq!(editor.body_motion(), None);
}

/// Result of a rendering in blocks of 64 samples.
struct Rendering {
    /// The samples' bits.
    bits: Vec<u32>,
    /// Trace points and chunks of the sound that a window received.
    trace_points: usize,
    chunks: usize,
}

/// Renders in blocks of 64 samples, in which nothing is allocated or freed, with a window that shows everything or none.
fn render(is_open: bool) -> Rendering {
    let (mut audio, editor, host) = connect_to(None, Arc::default());
    editor.watch(is_open);
    editor.listen(is_open);
    let mut patch = Patch::default();
    patch.settings.set(ParamId::DriveGain, 20.0);
    let mut engine = Engine::new(EngineConfig::at(48e3), &patch);
    audio.activate(&host, &mut engine);
    let mut rendering = Rendering { bits: Vec::new(), trace_points: 0, chunks: 0 };
    for block in 0..150 {
        let signal: [f32; 64] = std::array::from_fn(|k| ((block * 64 + k) as f32 * 0.02).sin());
        let [left, right] = &mut [[0.0_f32; 64]; 2];
        if block % 40 == 0 {
            editor.play(Event::NoteOn { note: NoteId { key: 57, ..NoteId::default() }, velocity: 0.7 });
        }
        nice_assert_no_alloc::assert_no_alloc(|| {
            audio.tunings(&mut engine);
            audio.exchange_bodies(&mut engine, false);
            audio.take_editor_events(&mut engine);
            engine.render(left, right, [&signal; 2]);
            audio.send_audio([left, right]);
            audio.measure(1.0, 0.1);
            audio.send_telemetry(&mut engine);
        });
        rendering.bits.extend(left.iter().chain(&*right).map(|sample| sample.to_bits()));
        rendering.trace_points += editor.trace().count();
        rendering.chunks += editor.sound().count();
    }
    rendering
}

#[test]
fn an_open_window_changes_no_bit_and_allocates_nothing() {
    let (open, closed) = (render(true), render(false));
    assert!(open.bits == closed.bits && open.bits.iter().any(|bits| *bits != 0));
    assert!(open.trace_points > 50 && open.chunks > 30, "{} points, {} chunks", open.trace_points, open.chunks);
    assert_eq!((closed.trace_points, closed.chunks), (0, 0));
}
