//! The side-chain as a force on a hammer.

use crate::playing::*;
use urto::engine::knob::KnobId::*;
use urto::engine::{Engine, Event};

fn tone(frames: usize, hertz: f64) -> Vec<f32> {
    (0..frames).map(|i| (std::f64::consts::TAU * hertz * i as f64 / RATE).sin() as f32).collect()
}

#[test]
fn without_gain_the_signal_is_not_there() {
    let signal = tone(48_000, 100.0);
    assert_eq!(play_driven(&mut engine(RATE, &[]), 48_000, &signal).peak(), 0.0);
    let score = [(5, on(60, 100)), (9_000, on(62, 60))];
    let with = perform(&mut engine(RATE, &[]), &score, 48_000, &[480], &signal);
    assert_eq!(with, perform(&mut engine(RATE, &[]), &score, 48_000, &[480], &[]));
}

/// The body of the home key is driven before any note; with the gate nothing is.
#[test]
fn it_sounds_without_a_note_unless_notes_open_the_gate() {
    let knobs = [(DriveGain, 100.0), (HomeKey, 55.0)];
    let signal = tone(9_600, 100.0);
    let mut free = engine(RATE, &knobs);
    assert_eq!(play_driven(&mut free, 480, &[0.0; 480]).peak(), 0.0, "silence moves nothing");
    assert!(free.is_asleep());
    let sound = play_driven(&mut free, 9_600, &signal);
    assert!(sound.peak() > 1e-3, "{}", sound.peak());
    let mut gated = engine(RATE, &[&knobs[..], &[(DriveNotes, 1.0), (KeyStrikes, 0.0)]].concat());
    assert_eq!(play_driven(&mut gated, 9_600, &signal).peak(), 0.0);
    assert!(gated.is_asleep());
}

/// Rings a driven body after its stroke has died away.
fn driven(engine: &mut Engine, frames: usize) -> Sound {
    engine.event(&on(60, 100));
    engine.event(&Event::ChokeAll);
    play(engine, 24_000);
    assert!(engine.is_asleep());
    play_driven(engine, frames, &tone(frames, 90.0))
}

#[test]
fn with_gain_it_drives_the_body_struck_last_even_from_sleep() {
    let knobs = [(DriveGain, 20.0), (Decay, 0.5)];
    let sound = driven(&mut engine(RATE, &knobs), 24_000);
    assert!(sound.peak() > 1e-3, "{}", sound.peak());
    let twice = driven(&mut engine(RATE, &[(DriveGain, 40.0), (Decay, 0.5)]), 24_000);
    assert!(twice.energy() > 2.0 * sound.energy());
    let mut engine = engine(RATE, &knobs);
    engine.book();
    driven(&mut engine, 24_000);
    let worst = engine.ledger_worst();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

/// The hammer rests on the body until it is pushed; with nothing on the side-chain everything still falls asleep.
#[test]
fn an_idle_drive_hammer_lets_the_body_sleep() {
    let mut engine = engine(RATE, &[(DriveGain, 20.0), (Decay, 0.2), (Level, 0.0)]);
    engine.event(&on(60, 100));
    let mut frames = 0;
    while !engine.is_asleep() && frames < 480_000 {
        play_driven(&mut engine, 480, &[0.0; 480]);
        frames += 480;
    }
    assert!(engine.is_asleep());
    assert_eq!(engine.next_ended(), Some(note(60)));
    assert_eq!(play_driven(&mut engine, 480, &[0.0; 480]).peak(), 0.0);
}

#[test]
fn the_gain_may_move_at_any_time() {
    let mut chance = Chance::new(2);
    let mut score = vec![(0, on(60, 100)), (12_000, on(62, 100)), (24_000, on(60, 100))];
    for i in 0..400 {
        let gain = if i % 3 == 0 { 0.0 } else { 50.0 * chance.part() };
        score.push((i * 100, set(DriveGain, gain)));
    }
    score.sort_by_key(|(frame, _)| *frame);
    let mut engine = engine(RATE, &[]);
    engine.book();
    let sound = perform(&mut engine, &score, 40_000, &[64], &tone(40_000, 60.0));
    assert!(sound.left.iter().all(|x| x.is_finite()));
    let worst = engine.ledger_worst();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}
