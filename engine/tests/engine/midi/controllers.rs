//! Controllers besides strikes: pitch bend, pressure, slide, pedals and MPE zones.

use std::f64::consts::TAU;

use crate::support::spectrum::{Spectrum, compare, kaiser};
use crate::support::test_engine::*;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::{Engine, Event, Expression, NoteId};

/// One mode that hardly decays, struck so slowly that nothing but a sine is heard.
const SINE: [(ParamId, f64); 7] =
    [(Body, 0.0), (Modes, 1.0), (Decay, 200.0), (Loss, 0.0), (Viscosity, 0.0), (Stiffness, 3.0), (Level, 10.0)];

fn on_channel(channel: u8, key: u8) -> NoteId {
    NoteId { voice: None, channel, key }
}

fn strike(channel: u8, key: u8) -> Event {
    Event::NoteOn { note: on_channel(channel, key), velocity: 0.8 }
}

fn with(params: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    SINE.iter().chain(params).copied().collect()
}

fn controller(number: u8, value: u8) -> Event {
    Event::Controller { channel: 0, number, value: f64::from(value) / 127.0 }
}

/// Frequency [Hz] of a sine over a few frames: x(n+1) + x(n-1) = 2 cos(omega h) x(n), by least squares.
fn frequency(sound: &[f32]) -> f64 {
    let (mut both, mut square) = (0.0, 0.0);
    for x in sound.windows(3) {
        let [before, now, after] = [x[0], x[1], x[2]].map(f64::from);
        both += now * (before + after);
        square += now * now;
    }
    (0.5 * both / square).acos() * RATE / TAU
}

fn cents(hertz: f64, over: f64) -> f64 {
    1200.0 * (hertz / over).log2()
}

/// Frequencies of the grid cells of a sine.
fn track(sound: &[f32]) -> Vec<f64> {
    sound.chunks_exact(16).map(frequency).collect()
}

const KEY: u8 = 84;
const HERTZ: f64 = 1_046.502_261_202_394_5;

#[test]
fn a_pitch_bend_step_settles_within_20_ms() {
    for (range, value) in [(2.0, 1.0), (2.0, -1.0), (48.0, -0.5)] {
        let mut engine = engine(RATE, &with(&[(BendRange, range)]));
        engine.event(&strike(0, KEY));
        play(&mut engine, 24_000);
        engine.event(&Event::Bend { channel: 0, value });
        play(&mut engine, 960);
        let heard = frequency(&play(&mut engine, 480).left);
        let error = cents(heard, HERTZ) - 100.0 * range * value;
        assert!(error.abs() < 0.02, "range {range}: {error} cents off");
    }
}

/// Two semitones in 100 ms, by events every millisecond as a host sends them, and every ten as a wheel does.
#[test]
fn a_slow_pitch_bend_has_steps_below_one_cent() {
    for every in [48, 480] {
        let mut engine = engine(RATE, &SINE);
        engine.event(&strike(0, KEY));
        play(&mut engine, 24_000);
        let score: Vec<_> =
            (0..=4_800 / every).map(|i| (i * every, Event::Bend { channel: 0, value: (i * every) as f64 / 4_800.0 })).collect();
        let sound = perform(&mut engine, &score, 7_200, &[333], &[]);
        let track = track(&sound.left);
        let largest = track.windows(2).map(|pair| cents(pair[1], pair[0]).abs()).fold(0.0, f64::max);
        println!("every {every} frames: at most {largest} cents at once");
        assert!(largest < 1.0, "{largest} cents at once");
        assert!((cents(track[track.len() - 1], HERTZ) - 200.0).abs() < 0.1);
    }
}

/// What the bend adds beside the partial that it moves.
#[test]
fn a_bend_does_not_click() {
    for key in [KEY, 108] {
        let mut engine = engine(RATE, &SINE);
        engine.event(&strike(0, key));
        play(&mut engine, 24_000);
        let score: Vec<_> = (0..=100).map(|i| (4_800 + i * 48, Event::Bend { channel: 0, value: i as f64 / 100.0 })).collect();
        let sound = perform(&mut engine, &score, 16_384, &[64], &[]);
        let spectrum = Spectrum::new(&sound.left, RATE);
        let hertz = HERTZ * 2_f64.powf(f64::from(key - KEY) / 12.0);
        let beside = spectrum.loudest(20.0, 0.9 * hertz).max(spectrum.loudest(1.25 * hertz, 20e3));
        let db = 20.0 * (beside / spectrum.loudest(0.9 * hertz, 1.25 * hertz)).log10();
        println!("key {key}: {db} dB beside the partial");
        assert!(db < -80.0, "key {key}: {db} dB");
    }
}

/// The rest of a mix when what one note does alone is taken away: the other note, as if nothing had happened.
fn other_note(params: &[(ParamId, f64)], first: &[(usize, Event)], second: &[(usize, Event)]) -> f64 {
    let hear = |score: &[(usize, Event)]| perform(&mut engine(RATE, params), score, 24_000, &[500], &[]).left;
    let mut both: Vec<_> = first.iter().chain(second).copied().collect();
    both.sort_by_key(|(frame, _)| *frame);
    let (both, first, second) = (hear(&both), hear(first), hear(second));
    let apart = (0..both.len()).map(|i| (both[i] - first[i] - second[i]).abs()).fold(0.0, f32::max);
    assert!(second.iter().chain(&first).any(|x| x.abs() > 0.01));
    f64::from(apart)
}

#[test]
fn bend_and_pressure_act_on_their_own_channel_only() {
    let params = with(&[(PressureAmount, 1.0)]);
    let second = [(0, strike(1, 72))];
    for event in [
        Event::Bend { channel: 0, value: 1.0 },
        Event::Pressure { channel: 0, value: 1.0 },
        Event::NoteExpression { note: on_channel(0, KEY), what: Expression::Tuning, value: 7.0 },
        Event::NoteExpression { note: on_channel(0, KEY), what: Expression::Pressure, value: 1.0 },
        Event::NoteExpression { note: on_channel(0, KEY), what: Expression::Volume, value: 0.3 },
        Event::NoteModulation { note: on_channel(0, KEY), param: Stiffness, travel: 0.3 },
    ] {
        let first = [(0, strike(0, KEY)), (20, event)];
        let apart = other_note(&params, &first, &second);
        assert!(apart < 1e-6, "{event:?}: {apart:e}");
        let plain = perform(&mut engine(RATE, &params), &first[..1], 24_000, &[500], &[]);
        let changed = perform(&mut engine(RATE, &params), &first, 24_000, &[500], &[]);
        assert!(plain.left != changed.left, "{event:?} does nothing");
    }
}

/// A note that is tuned on the frame where it begins has never sounded elsewhere.
#[test]
fn controllers_apply_from_the_first_sample_of_a_note() {
    let mut engine = engine(RATE, &SINE);
    engine.event(&strike(0, KEY - 1));
    engine.event(&Event::NoteExpression { note: on_channel(0, KEY - 1), what: Expression::Tuning, value: 1.0 });
    engine.event(&Event::NoteExpression { note: on_channel(0, KEY - 1), what: Expression::Pan, value: 0.0 });
    let sound = play(&mut engine, 4_800);
    let off = track(&sound.left[1_200..]).iter().map(|&hertz| cents(hertz, HERTZ).abs()).fold(0.0, f64::max);
    assert!(off < 0.5, "{off} cents");
    let right = sound.right[160..].iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    assert!(right < 1e-4 && sound.peak() > 0.03, "right {right}, peak {}", sound.peak());
}

#[test]
fn mpe_zones_bend_each_note_separately() {
    let mut engine = engine(RATE, &with(&[(Mpe, 1.0)]));
    let heard = |engine: &mut Engine| {
        play(engine, 1_200);
        cents(frequency(&play(engine, 480).left), HERTZ)
    };
    engine.event(&strike(3, KEY));
    play(&mut engine, 12_000);
    engine.event(&Event::Bend { channel: 3, value: 0.25 });
    assert!((heard(&mut engine) - 1200.0).abs() < 0.5, "a quarter of 48 semitones");
    engine.event(&Event::Bend { channel: 4, value: 1.0 });
    engine.event(&Event::Bend { channel: 0, value: 0.5 });
    assert!((heard(&mut engine) - 1300.0).abs() < 0.5, "the manager bends all, by the patch's range");
    for (number, value) in [(101, 0), (100, 0), (6, 12)] {
        engine.event(&Event::Controller { channel: 5, number, value: f64::from(value) / 127.0 });
    }
    assert!((heard(&mut engine) - 400.0).abs() < 0.5, "as far as the controller says");
}

/// Fall [dB] over a tenth of a second.
fn fall(engine: &mut Engine) -> f64 {
    let (early, late) = (play(engine, 4_800).energy(), play(engine, 4_800).energy());
    10.0 * (early / late).log10()
}

#[test]
fn sustain_lifts_the_dampers_in_proportion() {
    // 60 dB in .4 s: 15 in a tenth; with the pedal half down a quarter of that
    let params = with(&[(Release, 1.0), (ReleaseTime, 0.4)]);
    for (pedal, wanted) in [(0, 15.0), (127, 0.0), (64, 15.0 * (63.0_f64 / 127.0).powi(2))] {
        let mut engine = engine(RATE, &params);
        engine.event(&strike(0, KEY));
        engine.event(&controller(64, pedal));
        play(&mut engine, 4_800);
        engine.event(&off(KEY));
        play(&mut engine, 480);
        let db = fall(&mut engine);
        assert!((db - wanted).abs() < 0.1, "pedal {pedal}: {db} dB");
        engine.event(&controller(64, 0));
        play(&mut engine, 480);
        assert!((fall(&mut engine) - 15.0).abs() < 0.1, "pedal up");
    }
}

#[test]
fn sostenuto_holds_the_keys_held_when_it_is_pressed() {
    let params = with(&[(Release, 1.0), (ReleaseTime, 0.4)]);
    let mut engine = engine(RATE, &params);
    engine.event(&strike(0, KEY));
    engine.event(&controller(66, 127));
    engine.event(&strike(0, KEY - 12));
    play(&mut engine, 4_800);
    engine.event(&off(KEY));
    engine.event(&off(KEY - 12));
    play(&mut engine, 48_000);
    assert_eq!(engine.active_voices(), 1, "the later key has died away");
    assert!(fall(&mut engine) < 0.1);
    engine.event(&controller(66, 0));
    play(&mut engine, 480);
    assert!((fall(&mut engine) - 15.0).abs() < 0.1);
}

#[test]
fn a_fast_release_damps_faster() {
    for (velocity, wanted) in [(0.5, 15.0), (1.0, 47.4), (0.0, 4.74)] {
        let mut engine = engine(RATE, &with(&[(Release, 1.0), (ReleaseTime, 0.4), (ReleaseVelocity, 0.5)]));
        engine.event(&strike(0, KEY));
        play(&mut engine, 4_800);
        engine.event(&Event::NoteOff { note: on_channel(0, KEY), velocity });
        play(&mut engine, 16);
        let db = fall(&mut engine);
        assert!((db - wanted).abs() < 0.3, "velocity {velocity}: {db} dB");
    }
}

/// 40/s at full pressure and amount take 34.7 dB in a tenth of a second; the key that is up feels nothing of its channel's pressure.
#[test]
fn key_pressure_damps() {
    let mut engine = engine(RATE, &with(&[(PressureAmount, 1.0)]));
    engine.event(&strike(0, KEY));
    play(&mut engine, 4_800);
    engine.event(&Event::Pressure { channel: 0, value: 0.5 });
    play(&mut engine, 480);
    let db = fall(&mut engine);
    assert!((db - 17.37).abs() < 0.1, "{db} dB");
    engine.event(&off(KEY));
    play(&mut engine, 16);
    assert!(fall(&mut engine) < 0.1);
}

/// Centroid [Hz] of the first quarter of a second of a bar.
fn centroid(params: &[(ParamId, f64)], events: &[Event]) -> f64 {
    let mut engine = engine(RATE, params);
    events.iter().for_each(|event| engine.event(event));
    Spectrum::new(&play(&mut engine, 12_000).left, RATE).centroid()
}

#[test]
fn stiffness_modulation_brightens_and_the_soft_pedal_darkens() {
    let struck = strike(0, 60);
    let plain = centroid(&[], &[struck]);
    let param = centroid(&[(Hardness, 1.0)], &[struck]);
    assert!(param > 1.3 * plain, "{param} over {plain}");
    assert!(centroid(&[(Hardness, -1.0)], &[struck]) < 0.9 * plain);
    assert_eq!(centroid(&[], &[controller(1, 127), struck]), param);
    let bright = Event::NoteExpression { note: on_channel(0, 60), what: Expression::Brightness, value: 1.0 };
    assert_eq!(centroid(&[], &[struck, bright]), param, "also in the frame of the strike");
    assert!(centroid(&[], &[controller(67, 127), struck]) < 0.95 * plain);
}

/// A hammer that is pressed against the body stays, and is let go with the key.
#[test]
fn key_pressure_can_press_the_hammer() {
    let params = [(PressureTarget, 9.0), (PressureAmount, 1.0), (Body, 0.0), (Decay, 200.0), (Loss, 0.0), (Viscosity, 0.0)];
    let ring = |press: bool| {
        let mut engine = engine(RATE, &params);
        engine.enable_energy_balance();
        engine.event(&strike(0, 48));
        play(&mut engine, 24_000);
        if press {
            engine.event(&Event::Pressure { channel: 0, value: 1.0 });
        }
        let sound = play(&mut engine, 48_000).energy();
        engine.event(&off(48));
        let rest = play(&mut engine, 48_000).energy();
        let worst = engine.energy_balance_report();
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
        (sound, rest)
    };
    let ((free, still), (held, after)) = (ring(false), ring(true));
    println!("{free} {still} free, {held} {after} held");
    assert!(held < 0.5 * free, "held: {held}, free: {free}");
    assert!(after < 0.5 * still && after > 0.0);
}

#[test]
fn all_sound_off_and_all_notes_off_end_the_notes_of_their_channel() {
    for (number, active) in [(120, 1), (123, 1)] {
        let mut engine = engine(RATE, &with(&[(Release, 1.0), (ReleaseTime, 0.05)]));
        engine.event(&strike(0, KEY));
        engine.event(&strike(1, 60));
        play(&mut engine, 4_800);
        engine.event(&controller(number, 0));
        play(&mut engine, 9_600);
        assert_eq!(engine.active_voices(), active, "controller {number}");
    }
}

/// Pitch and decay of the string's partials are unchanged while every centred controller is sent its centre.
#[test]
fn centred_controllers_change_nothing() {
    let plain = perform(&mut engine(RATE, &SINE), &[(0, strike(0, KEY))], 9_600, &[480], &[]);
    let centre = [
        (0, Event::Bend { channel: 0, value: 0.0 }),
        (0, controller(74, 64)),
        (0, controller(11, 127)),
        (0, strike(0, KEY)),
        (0, Event::NoteExpression { note: on_channel(0, KEY), what: Expression::Brightness, value: 0.5 }),
        (0, Event::NoteExpression { note: on_channel(0, KEY), what: Expression::Expression, value: 0.5 }),
        (0, Event::NoteExpression { note: on_channel(0, KEY), what: Expression::Volume, value: 1.0 }),
        (0, Event::NoteExpression { note: on_channel(0, KEY), what: Expression::Pan, value: 0.5 }),
        (0, Event::NoteModulation { note: on_channel(0, KEY), param: HammerMass, travel: 0.0 }),
    ];
    assert_eq!(perform(&mut engine(RATE, &SINE), &centre, 9_600, &[480], &[]), plain);
    let window = kaiser(4_800, 20.0);
    let (off, _) = compare(&plain.left, 0, 4_800, &window, HERTZ, RATE);
    assert!(off.abs() < 0.05, "{off} cents");
}
