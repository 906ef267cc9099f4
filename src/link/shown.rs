//! Tests of what an open window is told, and of what it costs the sound: nothing.

use super::*;
use crate::engine::knob::KnobId;
use crate::engine::{Config, Engine, NoteId};

#[test]
fn bodies_are_told_of_only_while_a_window_is_open() {
    let (mut audio, editor, _host) = wire();
    let mut engine = Engine::new(Config::at(48e3), &Patch::default());
    let [left, right] = &mut [[0.0f32; 1024], [0.0; 1024]];
    engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key: 57 }, velocity: 0.7 });
    engine.render(left, right, [&[]; 2]);
    audio.show(&mut engine);
    assert_eq!(editor.swing(), None);
    editor.watch(true);
    for _ in 0..5 {
        engine.render(left, right, [&[]; 2]);
        audio.show(&mut engine);
    }
    let swing = editor.swing().expect("the newest");
    let lowest = f64::from(swing.modes[0].omega) / std::f64::consts::TAU;
    assert!((lowest - 220.0).abs() < 0.5 && swing.key == 57, "{lowest} Hz");
    assert!(swing.modes[0].q.hypot(swing.modes[0].v / swing.modes[0].omega) > 0.0);
    assert_eq!(editor.swing(), None, "each is shown once");
    editor.watch(false);
    audio.show(&mut engine);
    assert_eq!(editor.swing(), None);
}

#[test]
fn an_open_window_changes_no_bit_of_the_sound() {
    let play = |open: bool| {
        let (mut audio, editor, _host) = wire();
        editor.watch(open);
        let mut patch = Patch::default();
        patch.settings.set(KnobId::DriveGain, 20.0);
        let mut engine = Engine::new(Config::at(48e3), &patch);
        engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key: 57 }, velocity: 0.7 });
        let mut sound = Vec::new();
        for block in 0..40 {
            let signal: Vec<f32> = (0..128).map(|k| ((block * 128 + k) as f32 * 0.02).sin()).collect();
            let [left, right] = &mut [[0.0f32; 128], [0.0; 128]];
            engine.render(left, right, [&signal; 2]);
            audio.show(&mut engine);
            sound.extend(left.iter().chain(&*right).map(|sample| sample.to_bits()));
        }
        (sound, editor.trace().count())
    };
    let (open, closed) = (play(true), play(false));
    assert!(open.0 == closed.0 && open.0.iter().any(|bits| *bits != 0));
    assert!(open.1 > 50 && closed.1 == 0, "{} points", open.1);
}
