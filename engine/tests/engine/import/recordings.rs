//! Bodies rendered, their modes estimated from the sound, and the patch played again.

use crate::support::partial_tracks;
use crate::support::test_engine::*;
use crate::tier::size;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;
use urto_engine::body::{BodyTuning, KeyScaling};
use urto_engine::import::from_recording;
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig};
use urto_physics::analysis::{Estimate, Options, Partial, Recording, estimate};
use urto_physics::modal::Mode;

/// Frames of a recording.
const FRAMES: usize = 3 * 48_000;
/// Noise that is reckoned with where there is none, over the peak: the rounding of 16 to 18 bits.
const QUIET: f64 = 3e-6;
/// A partial has to be told from the noise by this factor, for this time after the onset [s].
const CLEAR: (f64, f64) = (10.0, 0.1);
/// Distance of neighbours that have to be told apart [Hz].
const APART: f64 = 5.0;

/// A body and how it is struck.
struct Case {
    name: &'static str,
    patch: Patch,
    key: u8,
    velocity: u8,
}

fn case(name: &'static str, kind: BodyKind, key: u8, velocity: u8, params: &[(ParamId, f64)]) -> Case {
    let patch = patch(&[&[(Body, kind as usize as f64), (Decay, 6.0), (Level, -20.0)], params].concat());
    Case { name, patch, key, velocity }
}

fn cases() -> Vec<Case> {
    vec![
        case("bar", BodyKind::Bar, 60, 100, &[(Modes, 10.0), (StrikePosition, 0.46)]),
        case(
            "marimba",
            BodyKind::Marimba,
            53,
            70,
            &[(Modes, 12.0), (Loss, 2e-3), (Stiffness, 30.0), (StrikeAcross, 0.7), (PickupLeftAcross, 0.8)],
        ),
        case(
            "bell",
            BodyKind::Bell,
            84,
            110,
            &[(Modes, 24.0), (BodyMass, 5.0), (Loss, 2e-4), (StrikePosition, 0.97), (StrikeAcross, 0.06)],
        ),
        case(
            "string",
            BodyKind::String,
            45,
            120,
            &[(Modes, 40.0), (Inharmonicity, 4e-4), (BodyMass, 0.01), (Stiffness, 1e3), (StrikePosition, 0.117)],
        ),
        case(
            "plate",
            BodyKind::Plate,
            48,
            90,
            &[(Modes, 36.0), (BodyMass, 2.0), (Loss, 5e-4), (StrikePosition, 0.3), (StrikeAcross, 0.35), (PickupLeftAcross, 0.2)],
        ),
    ]
}

/// What the body of `patch` sounds on `key`.
fn modes(patch: &Patch, key: u8) -> Vec<Mode> {
    let tuning = *Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, patch).tuning();
    let settings = &patch.settings;
    let hertz = tuning.hertz(key).expect("a pitch");
    let home = tuning.hertz(settings.get(HomeKey) as u8).expect("a pitch");
    let pitch = BodyTuning::new(hertz, KeyScaling::new(settings, hertz / home), |param| settings.get(param));
    let body = urto_engine::PreparedBody::of(patch);
    let fitting = body.modes_below_limit(&pitch, RATE);
    let mut modes = vec![Mode::RIGID; body.suspensions() + fitting];
    body.modes(fitting, &pitch, RATE, &mut modes);
    modes[body.rigid()..body.rigid() + fitting].to_vec()
}

/// The left channel of a stroke, peak 0.5, with white noise of `noise` over the peak before and under it.
fn recording(case: &Case, noise: f64) -> Vec<f64> {
    let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, &case.patch);
    engine.event(&on(case.key, case.velocity));
    let sound = play(&mut engine, FRAMES);
    let peak = sound.left.iter().fold(0.0_f64, |peak, x| peak.max(f64::from(x.abs())));
    assert!(
        (1e-3..f64::from(urto_engine::CEILING)).contains(&peak),
        "{}: the limiter is not to be heard, peak {peak}",
        case.name
    );
    let mut chance = Chance::new(7);
    let mut gauss = move || {
        let (a, b) = (chance.part().max(1e-300), chance.part());
        (-2.0 * a.ln()).sqrt() * (TAU * b).cos()
    };
    let silence = std::iter::repeat_n(0.0, 4_800);
    let sound = silence.chain(sound.left.iter().map(|&x| f64::from(x) / peak));
    sound.map(|x| f64::from((0.5 * (x + noise * gauss())) as f32)).collect()
}

/// A recording of one channel.
fn mono(signal: &[f64]) -> Recording {
    Recording { channels: vec![signal.to_vec()], rate: RATE }
}

/// Amplitudes of `modes` in `signal` at its first sample, by least squares over half a second: not the estimator's own way.
fn amplitudes(signal: &[f64], modes: &[Mode]) -> Vec<f64> {
    let length = signal.len().min(24_000);
    let column = |mode: &Mode, n: usize| {
        let t = n as f64 / RATE;
        let (sin, cos) = (TAU * mode.heard_frequency() * t).sin_cos();
        [(-mode.sigma * t).exp() * cos, (-mode.sigma * t).exp() * sin]
    };
    // the DC blocker's own decay stands among them
    let count = 2 * modes.len() + 1;
    let (mut matrix, mut right) = (DMatrix::<f64>::zeros(count, count), DVector::<f64>::zeros(count));
    let mut row = vec![0.0; count];
    for (n, &x) in signal[..length].iter().enumerate() {
        for (k, mode) in modes.iter().enumerate() {
            row[2 * k..2 * k + 2].copy_from_slice(&column(mode, n));
        }
        row[count - 1] = (-TAU * 5.0 * n as f64 / RATE).exp();
        for j in 0..count {
            right[j] += row[j] * x;
            (0..=j).for_each(|k| matrix[(j, k)] += row[j] * row[k]);
        }
    }
    let solved = matrix.cholesky().expect("modes apart").solve(&right);
    (0..modes.len()).map(|k| solved[2 * k].hypot(solved[2 * k + 1])).collect()
}

/// How many partials had to be found, were found as wanted beyond that, and were not.
#[derive(Debug, Default)]
struct Tally {
    due: usize,
    more: usize,
    missed: Vec<String>,
}

/// Compares what was found with `truth`; fails where what is due is off by more than so many cents or such a part of its T60.
fn check(name: &str, signal: &[f64], found: &Estimate, truth: &[Mode], noise: f64, (cents, part): (f64, f64)) -> Tally {
    let from = (found.start * RATE).round() as usize;
    let levels = amplitudes(&signal[from..], truth);
    let since_onset = found.start - found.onset;
    let mut tally = Tally::default();
    for (k, (mode, level)) in truth.iter().zip(levels).enumerate() {
        let hertz = mode.heard_frequency();
        let near = |other: &&Partial| (other.hertz - hertz).abs();
        let partials: Vec<_> = found.found.iter().map(|found| found.partial).collect();
        let nearest = partials.iter().min_by(|a, b| near(a).total_cmp(&near(b))).expect("something");
        let off = (1200.0 * (nearest.hertz / hertz).log2().abs(), (mode.sigma / nearest.decay - 1.0).abs());
        let fine = off.0 < cents && off.1 < part;
        let later = level * (-mode.sigma * (CLEAR.1 - since_onset)).exp();
        let apart = truth.iter().enumerate().all(|(j, other)| j == k || (other.heard_frequency() - hertz).abs() >= APART);
        let over_noise = 20.0 * (later / (0.5 * noise)).log10();
        let text = format!(
            "{name}: {hertz:.2} Hz, T60 {:.3} s, {over_noise:.0} dB over the noise after 100 ms: off by {:.3} cents, {:.2} %",
            1000_f64.ln() / mode.sigma,
            off.0,
            100.0 * off.1
        );
        if over_noise >= 20.0 * CLEAR.0.log10() && apart {
            tally.due += 1;
            assert!(fine, "{text}");
        } else if fine {
            tally.more += 1;
        } else {
            tally.missed.push(text);
        }
    }
    tally
}

/// Estimates every case in so much noise; how many of all modes were found within `bounds`, by the fit and by peaks of the spectrum.
fn round_trip(noise: f64, bounds: (f64, f64), most_missed: f64) -> [usize; 3] {
    let mut counts = [0; 3];
    for case in cases().into_iter().step_by(size(3, 1)) {
        let signal = recording(&case, noise);
        let found = estimate(&signal, RATE, &Options::default()).expect("a sound");
        let truth = modes(&case.patch, case.key);
        let tally = check(case.name, &signal, &found, &truth, noise.max(QUIET), bounds);
        println!("{}: {} modes, {tally:#?}, left {:.1} dB", case.name, truth.len(), found.residual_db);
        assert!(tally.missed.len() as f64 <= most_missed * truth.len() as f64, "{}: {:#?}", case.name, tally.missed);
        let strange = found.found.iter().filter(|found| {
            truth.iter().all(|mode| (1200.0 * (found.partial.hertz / mode.heard_frequency()).log2()).abs() > 20.0)
        });
        assert!(strange.count() <= 1, "{}: partials that no mode has", case.name);
        assert!(noise > 0.0 || found.residual_db < -50.0, "{}: {:.1} dB are not explained", case.name, found.residual_db);
        let peaks = partial_tracks::partials(&signal[(found.start * RATE) as usize..], RATE);
        let near = |mode: &&Mode| {
            peaks.iter().any(|&(hertz, decay)| {
                let cents = 1200.0 * (hertz / mode.heard_frequency()).log2();
                cents.abs() < bounds.0 && (mode.sigma / decay - 1.0).abs() < bounds.1
            })
        };
        let tracked = truth.iter().filter(near).count();
        counts = [counts[0] + truth.len(), counts[1] + tally.due + tally.more, counts[2] + tracked];
    }
    println!("noise {noise}: of {} modes {} by the fit, {} by peaks", counts[0], counts[1], counts[2]);
    counts
}

#[test]
fn modes_without_noise_are_found_within_a_cent_and_3_percent() {
    let [_, fitted, tracked] = round_trip(0.0, (1.0, 0.03), 0.1);
    assert!(2 * fitted > 3 * tracked, "{fitted} by the fit, {tracked} by peaks");
}

#[test]
fn modes_in_noise_at_minus_60_db_are_found_within_3_cents_and_8_percent() {
    let [_, fitted, tracked] = round_trip(1e-3, (3.0, 0.08), 0.4);
    assert!(fitted > tracked, "{fitted} by the fit, {tracked} by peaks");
}

/// The patch of a recording, struck as it stands, sounds the frequencies, decays and levels of the body that was recorded.
#[test]
fn a_patch_of_a_recording_sounds_like_the_body() {
    for case in &cases()[..size(1, 3)] {
        let signal = recording(case, 0.0);
        let found = estimate(&signal, RATE, &Options::default()).expect("a sound");
        let patch = from_recording(&found, &mono(&signal)).expect("partials");
        let key = patch.settings.get(HomeKey) as u8;
        let again = Case { name: case.name, patch, key, velocity: 100 };
        let (old, new) = (modes(&case.patch, case.key), modes(&again.patch, again.key));
        assert_eq!(new.len(), found.found.len());
        for mode in &new {
            let off = old.iter().map(|old| (old.heard_frequency() / mode.heard_frequency()).log2().abs());
            assert!(1200.0 * off.fold(f64::INFINITY, f64::min) < 1.0, "{}: {}", case.name, mode.heard_frequency());
        }
        let from = (found.start * RATE) as usize;
        let (was, is) = (amplitudes(&signal[from..], &new), amplitudes(&recording(&again, 0.0)[from..], &new));
        let strongest = |levels: &[f64]| levels.iter().copied().fold(0.0, f64::max);
        let (was_most, is_most) = (strongest(&was), strongest(&is));
        for ((mode, was), is) in new.iter().zip(&was).zip(&is).filter(|((_, was), _)| **was > 0.01 * was_most) {
            let off = 20.0 * (is / is_most * was_most / was).log10();
            println!(
                "{}: {:.1} Hz {:.1} dB, off by {off:.2} dB",
                case.name,
                mode.heard_frequency(),
                20.0 * (was / was_most).log10()
            );
            assert!(off.abs() < 0.5, "{}: {} Hz is off by {off} dB", case.name, mode.heard_frequency());
        }
    }
}

/// Three partials, each with its own levels left and right: the imported patch plays them at these levels.
#[test]
fn a_stereo_recording_gives_both_pickups_their_own_gains() {
    let partials = [(220.0, [0.3, 0.1]), (603.0, [0.05, 0.2]), (1187.0, [0.2, -0.15])];
    let channel = |side: usize| -> Vec<f64> {
        let value = |n: usize| {
            let t = n as f64 / RATE;
            partials.iter().map(|(hertz, sides)| sides[side] * (-4.0 * t).exp() * (TAU * hertz * t).cos()).sum::<f64>()
        };
        std::iter::repeat_n(0.0, 480).chain((0..FRAMES / 2).map(value)).collect()
    };
    let recording = Recording { channels: vec![channel(0), channel(1)], rate: RATE };
    let found = estimate(&recording.mono(), RATE, &Options::default()).expect("a sound");
    let patch = from_recording(&found, &recording).expect("partials");
    let key = patch.settings.get(HomeKey) as u8;
    let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, &patch);
    engine.event(&on(key, 100));
    let sound = play(&mut engine, FRAMES / 2);
    let sides = [&sound.left, &sound.right].map(|side| side[2400..].iter().map(|&x| f64::from(x)).collect::<Vec<f64>>());
    let played = sides.each_ref().map(|side| amplitudes(side, &modes(&patch, key)));
    assert_eq!(played[0].len(), 3);
    let scale = played[0][0] / partials[0].1[0];
    for (k, (hertz, sides)) in partials.iter().enumerate() {
        for side in 0..2 {
            let off = 20.0 * (played[side][k] / (scale * sides[side].abs())).log10();
            assert!(off.abs() < 0.5, "{hertz} Hz is off by {off} dB on side {side}");
        }
    }
    let product: f64 = sides[0].iter().zip(&sides[1]).map(|(l, r)| l * r).sum();
    assert!(product > 0.0, "the first partial, in phase, is the strongest");
}

/// A kick drum's glide and noise hide its partial from the fit; it still stands out of the spectrum.
#[test]
fn a_gliding_partial_in_noise_is_imported() {
    let mut chance = Chance::new(3);
    let (mut phase, mut signal) = (0.0_f64, vec![0.0; 480]);
    for n in 0..FRAMES / 3 {
        let t = n as f64 / RATE;
        phase += TAU * (62.0 + 40.0 * (-t / 0.03).exp()) / RATE;
        signal.push(0.5 * (-9.0 * t).exp() * phase.sin() + 0.3 * (-25.0 * t).exp() * (chance.part() - 0.5));
    }
    let found = estimate(&signal, RATE, &Options::default()).expect("a sound");
    let patch = from_recording(&found, &mono(&signal)).expect("partials");
    let lowest = modes(&patch, patch.settings.get(HomeKey) as u8)[0].heard_frequency();
    assert!((55.0..75.0).contains(&lowest), "{lowest} Hz");
}

/// Partials and noise that decays: the imported patch plays the noise with its level in every band and on both sides, relative to the
/// partials, and a softer stroke plays it darker.
#[test]
fn the_noise_of_a_recording_is_played_again() {
    let mut chance = Chance::new(11);
    let mut noise = |t: f64| 0.2 * (-10.0 * t).exp() * (chance.part() - 0.5);
    let tone = |t: f64| 0.3 * (-5.0 * t).exp() * ((TAU * 310.0 * t).sin() + 0.5 * (TAU * 870.0 * t).sin());
    let mut channels = [vec![0.0; 480], vec![0.0; 480]];
    for n in 0..FRAMES / 2 {
        let t = n as f64 / RATE;
        let (left, right) = (noise(t), 0.5 * noise(t));
        channels[0].push(tone(t) + left);
        channels[1].push(tone(t) + right);
    }
    let recording = Recording { channels: channels.to_vec(), rate: RATE };
    let found = estimate(&recording.mono(), RATE, &Options::default()).expect("a sound");
    let patch = from_recording(&found, &recording).expect("partials");
    let modes: usize = patch.residual.iter().map(|band| band.modes).sum();
    assert!((200..=2400).contains(&modes) && patch.residual.len() <= 72, "{modes} modes in {} bands", patch.residual.len());
    let played = |velocity: u8| {
        let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, &patch);
        engine.event(&on(patch.settings.get(HomeKey) as u8, velocity));
        let sound = play(&mut engine, FRAMES / 2);
        [sound.left, sound.right].map(|side| side.into_iter().map(f64::from).collect::<Vec<f64>>())
    };
    // energy of the second difference: mostly noise above 5 kHz
    let high = |side: &[f64]| side.windows(3).map(|x| (x[0] - 2.0 * x[1] + x[2]).powi(2)).sum::<f64>();
    let all = |side: &[f64]| side.iter().map(|x| x * x).sum::<f64>();
    let (hard, soft) = (played(100), played(20));
    for side in 0..2 {
        let (was, is) = (high(&channels[side]) / all(&channels[side]), high(&hard[side]) / all(&hard[side]));
        // the residual ends at 17 kHz, where the noise has a third of this energy left
        let off = 10.0 * (is / was).log10();
        assert!((-6.0..2.0).contains(&off), "side {side}: off by {off} dB");
        assert!(high(&soft[side]) / all(&soft[side]) < 0.8 * is, "a soft stroke is darker");
    }
}
