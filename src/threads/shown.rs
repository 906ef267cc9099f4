//! Tests of what an open window is told, and of what it costs the sound: nothing.

use crate::threads::*;
use urto_engine::params::ParamId;
use urto_engine::{Engine, EngineConfig, NoteId};

#[test]
fn bodies_are_told_of_only_while_a_window_is_open() {
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
    let swing = editor.body_motion().expect("the newest");
    let lowest = f64::from(swing.modes[0].omega) / std::f64::consts::TAU;
    assert!((lowest - 220.0).abs() < 0.5 && swing.key == 57, "{lowest} Hz");
    assert!(swing.modes[0].q.hypot(swing.modes[0].v / swing.modes[0].omega) > 0.0);
    assert_eq!(editor.body_motion(), None, "each is shown once");
    editor.watch(false);
    audio.send_telemetry(&mut engine);
    assert_eq!(editor.body_motion(), None);
}

/// Blocks of 64 samples as a host asks for them, in which nothing is allocated or freed: their bits, and how many points and strips a
/// window that shows all it can would have taken.
fn played(open: bool) -> (Vec<u32>, [usize; 2]) {
    let (mut audio, editor, host) = wire_to(None);
    editor.watch(open);
    editor.listen(open);
    let mut patch = Patch::default();
    patch.settings.set(ParamId::DriveGain, 20.0);
    let mut engine = Engine::new(EngineConfig::at(48e3), &patch);
    audio.activate(&host, &mut engine);
    let (mut sound, mut taken) = (Vec::new(), [0; 2]);
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
        sound.extend(left.iter().chain(&*right).map(|sample| sample.to_bits()));
        taken = [taken[0] + editor.trace().count(), taken[1] + editor.sound().count()];
    }
    (sound, taken)
}

#[test]
fn an_open_window_costs_the_sound_no_bit_and_no_allocation() {
    let ((open, taken), (closed, nothing)) = (played(true), played(false));
    assert!(open == closed && open.iter().any(|bits| *bits != 0));
    assert!(taken[0] > 50 && taken[1] > 30, "{taken:?} points and strips");
    assert_eq!(nothing, [0; 2]);
}
