//! Concert pitch and octave stretch, also of held notes.

use crate::support::spectrum::{compare, kaiser};
use crate::support::test_engine::*;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::{Engine, EngineConfig};

/// Bound on every frequency [cents].
const CENTS: f64 = 0.01;

/// One mode that lasts, so that a key is one partial.
fn one_mode(params: &[(ParamId, f64)]) -> Patch {
    let mut patch = patch(&[(Body, 2.0), (Modes, 1.0), (Decay, 60.0), (Loss, 0.0), (Viscosity, 0.0)]);
    params.iter().for_each(|&(param, value)| patch.settings.set(param, value));
    patch.modes = vec![ListedMode { ratio: 1.0, decay: None, mass: 1.0, shape: vec![1.0].into() }];
    patch
}

/// Deviation [cents] of what sounds in the next half second from `hertz`.
fn deviation(engine: &mut Engine, hertz: f64) -> f64 {
    let sound = play(engine, 24_000);
    assert!(sound.peak() > 1e-3, "too soft to be measured");
    compare(&sound.left, 0, 9_600, &kaiser(12_000, 24.0), hertz, RATE).0
}

/// Key 81 is an octave above the reference key.
fn pitch(concert: f64, stretch: f64) -> f64 {
    2.0 * concert * (stretch / 1200.0).exp2()
}

#[test]
fn concert_pitch_and_octave_stretch_change_the_pitch() {
    for (concert, stretch) in [(380.0, 0.0), (442.5, 0.0), (440.0, 3.5), (500.0, -100.0), (415.0, 100.0)] {
        let mut engine = Engine::new(EngineConfig::at(RATE), &one_mode(&[(ConcertPitch, concert), (Stretch, stretch)]));
        engine.event(&on(81, 100));
        play(&mut engine, 2_400);
        let off = deviation(&mut engine, pitch(concert, stretch));
        assert!(off.abs() < CENTS, "{concert} Hz, {stretch} cents: {off}");
    }
}

#[test]
fn held_notes_glide_to_a_new_concert_pitch_or_keep_theirs() {
    for follows in [true, false] {
        let mut engine = Engine::new(EngineConfig::at(RATE), &one_mode(&[(Sounding, if follows { 0.0 } else { 1.0 })]));
        engine.enable_energy_balance();
        engine.event(&on(81, 100));
        play(&mut engine, 2_405);
        engine.event(&set(ConcertPitch, 442.0));
        engine.event(&set(Stretch, 5.0));
        play(&mut engine, 12_000);
        let heard = if follows { pitch(442.0, 5.0) } else { 880.0 };
        let off = deviation(&mut engine, heard);
        assert!(off.abs() < CENTS, "follows {follows}: {off} cents");
        // a strike at the very frame of a change has the new pitch
        engine.event(&set(ConcertPitch, 430.0));
        engine.event(&on(83, 100));
        assert_eq!(engine.tuning().hertz(69), Some(430.0));
        let worst = engine.energy_balance_report();
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    }
}

#[test]
fn block_size_does_not_change_pitch_automation() {
    let turned = |blocks: &[usize]| {
        let mut events = vec![(0, on(60, 100)), (300, on(64, 90)), (901, set(Sounding, 1.0)), (1_300, on(64, 90))];
        events.extend((100..2_000).step_by(3).map(|frame| (frame, set(ConcertPitch, 440.0 + frame as f64 / 50.0))));
        events.extend((100..2_000).step_by(7).map(|frame| (frame, set(Stretch, frame as f64 / 100.0))));
        events.sort_by_key(|(frame, _)| *frame);
        perform(&mut engine(RATE, &[]), &events, 4_000, blocks, &[])
    };
    let whole = turned(&[4_000]);
    assert!(whole.peak() > 0.01);
    assert!(turned(&[1]) == whole && turned(&[37, 512]) == whole);
}
