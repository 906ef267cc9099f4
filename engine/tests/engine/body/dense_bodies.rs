//! Dense bodies: as many modes as Weyl's law counts, specimens, energy and brightness with the cascade, and nothing where both are off.

use crate::support::spectrum::Spectrum;
use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::body::BodyTuning;
use urto_engine::body::KeyScaling;
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::{BodySpec, Engine, EngineConfig, PreparedBody};

/// A crash cymbal of 18 in and 0.9 mm: mass, thickness, bronze, struck near the rim.
const CRASH: [(ParamId, f64); 12] = [
    (Body, BodyKind::Disc as usize as f64),
    (BodyMass, 1.2856),
    (Thickness, 0.9e-3),
    (Material, 8.0),
    (Modes, 12.0),
    (HomeKey, 45.0),
    (Stage, 1.0),
    (StrikePosition, 0.92),
    (HammerMass, 0.03),
    (SpeedHigh, 6.0),
    (Loss, 0.0),
    (Decay, 6.0),
];

fn crash(params: &[(ParamId, f64)]) -> Engine {
    engine(RATE, &[&CRASH[..], params].concat())
}

fn prepared(params: &[(ParamId, f64)]) -> Box<PreparedBody> {
    PreparedBody::of(&patch(&[&CRASH[..], params].concat()))
}

/// Pitch of the home key, 110 Hz.
fn tuning(params: &[(ParamId, f64)]) -> BodyTuning {
    let settings = patch(&[&CRASH[..], params].concat()).settings;
    BodyTuning::new(110.0, KeyScaling::default(), |param| settings.get(param))
}

/// (S/2) sqrt(rho h/D) = 0.0855 modes per hertz, 1709 to 20 kHz, and the term of the free rim, 1.71 P/(4 pi) k with sqrt(rho h/D) =
/// 1.042 s/m^2.
#[test]
fn a_crash_has_the_modes_of_weyls_law() {
    let body = prepared(&[(Density, 1.0)]);
    let below = |hertz: f64| (0..body.partials()).filter(|&i| body.partial(i, &tuning(&[])) < hertz).count() as f64;
    let exact = body.partial(11, &tuning(&[]));
    for (from, to) in [(exact, 5e3), (5e3, 10e3), (10e3, 20e3)] {
        let counted = below(to) - below(from);
        let wave_number = |f: f64| (std::f64::consts::TAU * f * 1.042).sqrt();
        let known = 0.0855 * (to - from) + 1.71 * 0.5 * 0.2286 * (wave_number(to) - wave_number(from));
        assert!((counted - known).abs() < 3.5, "{from} to {to} Hz: {counted} instead of {known}");
    }
    let all = body.modes_below_limit(&tuning(&[]), RATE);
    assert!((1650..1760).contains(&all), "{all}");
    let half = prepared(&[(Density, 0.5)]).modes_below_limit(&tuning(&[]), RATE);
    assert!((half as f64 / all as f64 - 0.5).abs() < 0.02, "{half}");
    let thick = prepared(&[(Density, 1.0), (Thickness, 1.8e-3)]).modes_below_limit(&tuning(&[]), RATE);
    assert!((thick as f64 / all as f64 - 0.25).abs() < 0.02, "n goes with 1/h^2 at the same mass: {thick}");
}

/// A body that is tuned 24 semitones below its key: with the same tune for the density it has the real modes, which another tune moves.
#[test]
fn a_low_body_has_the_modes_of_weyls_law_at_the_tune_of_the_density() {
    let between = |params: &[(ParamId, f64)], from: f64, to: f64| {
        let (body, tuning) = (prepared(&[&[(Density, 1.0)], params].concat()), tuning(params));
        (0..body.partials()).filter(|&i| (from..to).contains(&body.partial(i, &tuning))).count() as f64
    };
    let low = [(Tune, -24.0), (DensityTune, -24.0)];
    let (known, counted) = (between(&[], 2e3, 18e3), between(&low, 2e3, 18e3));
    assert!((counted / known - 1.0).abs() < 0.01, "{counted} instead of {known}");
    let octave_up = between(&[(Tune, -12.0), low[1]], 4e3, 36e3);
    assert!((octave_up / counted - 1.0).abs() < 0.01, "{octave_up} instead of {counted}");
    assert!(between(&low[..1], 11e3, 18e3) == 0.0, "without it the modes end early");
}

/// Every type with a field has one, the others are as before.
#[test]
fn sheets_have_fields_and_strings_have_none() {
    for kind in BodyKind::ALL {
        let params = [(Body, kind as usize as f64), (Modes, 24.0)];
        let (plain, dense) =
            (PreparedBody::of(&patch(&params)), PreparedBody::of(&patch(&[params[0], params[1], (Density, 1.0)])));
        let sheet = !matches!(
            kind,
            BodyKind::String
                | BodyKind::StringCourse
                | BodyKind::Bar
                | BodyKind::Marimba
                | BodyKind::Vibraphone
                | BodyKind::Xylophone
                | BodyKind::ClampedBar
                | BodyKind::SupportedBar
                | BodyKind::Tongue
                | BodyKind::Tube
                | BodyKind::Chime
                | BodyKind::Chain
        );
        assert_eq!(dense.is_dense(), sheet, "{kind:?}");
        assert!(!plain.is_dense() && (sheet || dense.partials() == plain.partials()), "{kind:?}");
        if sheet {
            assert!(dense.partials() > plain.partials().min(24) && dense.partials() <= 256 + 2560, "{kind:?}");
            let pitch = BodyTuning::new(261.6, KeyScaling::default(), |param| patch(&params).settings.get(param));
            assert!((1..dense.partials()).all(|i| dense.partial(i, &pitch) >= dense.partial(i - 1, &pitch)), "{kind:?}");
        }
    }
}

/// Without a field and a cascade the other parameters of dense bodies change no bit.
#[test]
fn density_zero_is_the_body_without_a_field() {
    let plain = play_crash(&mut crash(&[]), 20_000);
    let others = [(Specimen, 77.0), (FieldRadiation, 1.0), (Cascade, Cascade.spec().min), (Density, 0.0)];
    assert_eq!(play_crash(&mut crash(&others), 20_000), plain);
    assert_ne!(play_crash(&mut crash(&[(Density, 1.0)]), 20_000), plain);
    let spec = |params: &[(ParamId, f64)]| BodySpec::of(&patch(params).settings);
    assert!(spec(&[(Specimen, 5.0), (BodyMass, 3.0)]).is_satisfied_by(&spec(&[])), "no new body is needed");
    assert!(!spec(&[(Density, 1.0), (Specimen, 5.0)]).is_satisfied_by(&spec(&[(Density, 1.0)])));
}

fn play_crash(engine: &mut Engine, frames: usize) -> Sound {
    engine.event(&on(45, 100));
    play(engine, frames)
}

#[test]
fn a_specimen_is_the_same_every_time_and_differs_from_others() {
    let sound = |specimen| play_crash(&mut crash(&[(Density, 1.0), (Cascade, 16.0), (Specimen, specimen)]), 6_000);
    assert_eq!(sound(3.0), sound(3.0));
    let (one, other) = (sound(3.0), sound(4.0));
    assert_ne!(one, other);
    assert!((one.energy() / other.energy()).log10().abs() < 0.3, "another specimen is as loud");
    assert_ne!(one.left, one.right, "stereo by geometry");
}

/// Strikes, pickups that move, a pitch bend, at any division into blocks, with and without the cascade.
#[test]
fn block_size_does_not_change_a_dense_body() {
    for cascade in [Cascade.spec().min, 1e4] {
        let params = [(Density, 1.0), (Cascade, cascade)];
        let mut score = vec![(0, on(45, 120)), (5_003, on(45, 60)), (9_000, set(PickupLeft, 0.7)), (13_001, set(Tune, -1.5))];
        score.push((17_777, on(50, 127)));
        let whole = perform(&mut crash(&params), &score, 24_000, &[24_000], &[]);
        for blocks in [&[64][..], &[37, 1, 500], &[480]] {
            let split = perform(&mut crash(&params), &score, 24_000, blocks, &[]);
            let first = (0..24_000).find(|&i| split.left[i] != whole.left[i] || split.right[i] != whole.right[i]);
            assert_eq!(first, None, "cascade {cascade}, blocks {blocks:?}");
        }
        assert!(whole.peak() > 1e-3 && whole.left.iter().all(|x| x.is_finite()));
    }
}

/// Exchanges, reversals, pruned and thinned modes begin again.
#[test]
fn a_reset_restores_bodies_with_the_cascade() {
    let params = [&CRASH[..], &[(Density, 1.0), (Cascade, 1e4)]].concat();
    let score = [(1_003, on(45, 127)), (9_001, on(45, 60)), (14_500, on(52, 110)), (20_000, set(Tune, -1.5))];
    assert_reset_restores(&params, &score, 24_000);
    let chords: Vec<_> = (0..60).map(|i| (701 * i, on(40 + (7 * i % 12) as u8, 60 + i as u8))).collect();
    let (names, frames) = size((&["Crash Cymbal"][..], 12_000), (&["Crash Cymbal", "Symphonic Tam-Tam"], 48_000));
    for preset in urto_engine::patch::built_in().filter(|patch| names.contains(&patch.name.as_str())) {
        let play = |engine: &mut Engine| perform(engine, &chords, frames, &[480], &[]);
        let engine = || Engine::new(EngineConfig::at(RATE), &preset);
        let mut played = engine();
        play(&mut played);
        played.reset();
        let (again, new) = (play(&mut played), play(&mut engine()));
        let first = (0..frames).find(|&i| again.left[i] != new.left[i] || again.right[i] != new.right[i]);
        assert_eq!(first, None, "{}", preset.name);
    }
}

/// Nothing is lost or gained by the cascade: with next to no losses a ringing body keeps its energy, whatever its strength, and a body
/// with hammers on it balances.
#[test]
fn the_cascade_keeps_the_energy() {
    for strength in [16.0, 1e5] {
        let params = [(Density, 1.0), (Cascade, strength), (Decay, 500.0), (Viscosity, 0.0), (Material, 0.0)];
        let mut engine = crash(&params);
        engine.enable_energy_balance();
        engine.event(&on(45, 127));
        play(&mut engine, 4_800);
        let report = engine.energy_balance_report();
        println!("{strength}: balance {:e}, unsupplied {:e}", report.balance, report.unsupplied);
        assert!(report.balance <= 1e-12 && report.unsupplied <= 1e-14, "{:e} {:e}", report.balance, report.unsupplied);
        // until the suspension is at rest
        play(&mut engine, 24_000);
        let mut before = engine.energy();
        for _ in 0..40 {
            // the state follows the sound every 512 frames
            play(&mut engine, 512);
            let after = engine.energy();
            // T60 of 500 s: 2.95e-4 of the energy
            assert!((2.9e-4..3.0e-4).contains(&(1.0 - after / before)), "{strength}: {:e}", 1.0 - after / before);
            before = after;
        }
    }
}

/// Centroid [Hz] of the sound from `from` on.
fn centroid(sound: &Sound, from: usize) -> f64 {
    Spectrum::new(&sound.left[from..from + 8192], RATE).centroid()
}

/// A thin crash becomes brighter after a hard strike, not after a soft one, and not without the cascade.
#[test]
fn a_hard_strike_becomes_brighter_after_the_strike() {
    let at_300_ms = |velocity, cascade| {
        let params =
            [(Density, 1.0), (Cascade, cascade), (Thickness, 0.6e-3), (BodyMass, 0.857), (HammerMass, 0.055), (SpeedHigh, 10.0)];
        let mut engine = crash(&params);
        engine.event(&on(45, velocity));
        centroid(&play(&mut engine, 24_000), 14_400)
    };
    let [hard, soft, linear] = [at_300_ms(127, 16.0), at_300_ms(10, 16.0), at_300_ms(127, 0.1)];
    println!("hard {hard:.0} Hz, soft {soft:.0} Hz, without {linear:.0} Hz");
    assert!((hard / soft).log2() > 1.2 && (hard / linear).log2() > 1.0, "{hard} {soft} {linear}");
}

/// Correlation of the sound from 0.2 to 0.5 s of two equal strikes that begin at other times.
fn likeness_of_two_strikes(velocity: u8, cascade: f64) -> f64 {
    let params =
        [(Density, 1.0), (Cascade, cascade), (Thickness, 0.6e-3), (BodyMass, 0.857), (HammerMass, 0.055), (SpeedHigh, 10.0)];
    // whole steps of the exchange between bands
    let [one, other] = [0, 6_400].map(|silence| {
        let mut engine = crash(&params);
        play(&mut engine, silence);
        play_at(&mut engine, velocity).left.split_off(9_600)
    });
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt()
}

fn play_at(engine: &mut Engine, velocity: u8) -> Sound {
    engine.event(&on(45, velocity));
    play(engine, 24_000)
}

/// While bands exchange energy the phases of the modes become random, so that two equal hard strikes differ; two soft ones do not.
#[test]
fn hard_strikes_differ_from_each_other() {
    let [hard, soft, linear] =
        [likeness_of_two_strikes(127, 16.0), likeness_of_two_strikes(10, 16.0), likeness_of_two_strikes(127, 0.1)];
    println!("hard {hard:.3}, soft {soft:.3}, without {linear:.6}");
    assert!(hard < 0.5 && soft > 0.9 && linear > 0.99999, "{hard} {soft} {linear}");
}

/// Modes that nobody can hear any more are at rest; the sound differs by less than that.
#[test]
fn inaudible_modes_are_not_rendered() {
    let mut engine = crash(&[(Density, 1.0), (Decay, 1.0), (Viscosity, 1e-7)]);
    engine.event(&on(45, 80));
    play(&mut engine, 240_000);
    let config = EngineConfig { modes: 4096, ..EngineConfig::at(RATE) };
    assert!(engine.active_voices() <= 1 && config.modes == 4096);
    let again = play_crash(&mut engine, 4_800);
    assert!(again.peak() > 1e-3, "all modes move again");
}

/// Centroids [Hz] of the crash cymbal around several times after a strike, both channels, mean of `strikes` strikes with other random phases.
fn crash_centroids(velocity: u8, rate: f64, strikes: usize) -> [f64; 5] {
    let preset = urto_engine::patch::built_in().find(|patch| patch.name == "Crash Cymbal").expect("a preset");
    let half = (0.04 * rate) as usize;
    let mut sums = [0.0; 5];
    for strike in 0..strikes {
        let mut engine = Engine::new(EngineConfig::at(rate), &preset);
        // whole steps of the exchange between bands
        play(&mut engine, 128 * strike);
        engine.event(&on(45, velocity));
        let sound = play(&mut engine, (0.7 * rate) as usize);
        for (sum, time) in sums.iter_mut().zip([0.05, 0.1, 0.2, 0.3, 0.6]) {
            let centre = (time * rate) as usize;
            let of = |channel: &[f32]| Spectrum::new(&channel[centre - half..centre + half], rate).centroid();
            *sum += 0.5 * (of(&sound.left) + of(&sound.right)) / strikes as f64;
        }
    }
    sums
}

/// The rise of brightness does not depend on the sample rate. The phases are random, so that single strikes differ by a sixth, and the means of
/// 48 and 384 at two rates by 2.7 and 1.2 %. The everyday tier plays the hard strike at two of the three rates.
#[test]
fn crash_cymbal_is_as_bright_at_any_rate() {
    let (strikes, most) = (size(24, 384), if size(0, 1) == 1 { 0.03 } else { 0.06 });
    for velocity in size(&[127][..], &[90, 127]) {
        let velocity = *velocity;
        let expected = crash_centroids(velocity, 96e3, strikes);
        for &rate in size(&[44.1e3][..], &[44.1e3, 48e3]) {
            let found = crash_centroids(velocity, rate, strikes);
            let apart = found.iter().zip(expected).map(|(found, expected)| (found / expected - 1.0).abs()).fold(0.0, f64::max);
            println!("{rate} Hz, velocity {velocity}: {found:.0?}, at 96 kHz {expected:.0?}: {apart:.3}");
            assert!(apart < most, "{rate} Hz, velocity {velocity}: {found:.0?}, at 96 kHz {expected:.0?}");
        }
    }
}
