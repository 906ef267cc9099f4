//! A hi-hat: two plates and a pedal that closes them while they ring.

use crate::support::counted_memory::calls_in;
use crate::support::test_engine::*;
use std::f64::consts::TAU;
use urto_engine::params::ParamId::{self, *};
use urto_engine::params::{BodyKind, KeyLayout};
use urto_engine::{Engine, Event};

/// A hi-hat of two plates of 14 inches.
const HAT: [(ParamId, f64); 24] = [
    (Body, BodyKind::HiHat as usize as f64),
    (BodyMass, 0.96),
    (Thickness, 1.1e-3),
    (Tune, -8.5),
    (DensityTune, -8.5),
    (Density, 1.0),
    (Modes, 96.0),
    (Decay, 4.0),
    (Loss, 5e-5),
    (Viscosity, 1e-9),
    (Irregularity, 0.03),
    (Specimen, 3.0),
    (Stiffness, 50.0),
    (Exponent, 1.5),
    (Damping, 0.25),
    (HammerMass, 0.015),
    (SpeedLow, 0.2),
    (SpeedHigh, 6.0),
    (StrikePosition, 0.9),
    (Radiation, 1.0),
    (Corner, 3e3),
    (HiHatGap, 3e-3),
    (HiHatFriction, 1.0),
    (ParamId::Level, 0.0),
];

fn hat() -> Engine {
    engine(RATE, &HAT)
}

fn foot(position: f64) -> Event {
    Event::Controller { channel: 0, number: 4, value: position }
}

/// A hat whose pedal stays at `position`, at rest.
fn hat_at(position: f64) -> Engine {
    engine(RATE, &[&HAT[..], &[(HiHatPedal, position)]].concat())
}

/// The next frames, both channels added.
fn listen(engine: &mut Engine, frames: usize) -> Vec<f64> {
    let Sound { left, right } = play(engine, frames);
    left.iter().zip(&right).map(|(l, r)| f64::from(l + r)).collect()
}

/// A band of the sound, by two resonators in a row around `centre` [Hz] of the given width [Hz].
fn band(sound: &[f64], centre: f64, width: f64) -> Vec<f64> {
    let mut out = sound.to_vec();
    for _ in 0..2 {
        let (r, w) = ((-TAU * 0.5 * width / RATE).exp(), TAU * centre / RATE);
        let (mut y1, mut y2) = (0.0, 0.0);
        let (mut x1, mut x2) = (0.0, 0.0);
        for x in &mut out {
            let y = (1.0 - r) * (*x - x2) + 2.0 * r * w.cos() * y1 - r * r * y2;
            (x2, x1) = (x1, *x);
            (y2, y1) = (y1, y);
            *x = y;
        }
    }
    out
}

/// T60 [s] by the energy left, from -3 to -18 dB.
fn t60(signal: &[f64]) -> f64 {
    let mut left: Vec<f64> = signal
        .iter()
        .rev()
        .scan(0.0, |sum, x| {
            *sum += x * x;
            Some(*sum)
        })
        .collect();
    left.reverse();
    let level = |at: usize| 10.0 * (left[at] / left[0] + 1e-30).log10();
    let below = |limit: f64| (0..left.len()).find(|&at| level(at) < limit);
    let first = below(-3.0).expect("it decays");
    let last = below(-18.0).unwrap_or(left.len() * 3 / 5).max(first + 20);
    60.0 * (last - first) as f64 / RATE / (level(first) - level(last))
}

fn level(sound: &[f64]) -> f64 {
    10.0 * (sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64 + 1e-30).log10()
}

#[test]
fn measure() {
    for step in 0..=8 {
        let closing = f64::from(step) / 8.0;
        let mut engine = hat_at(closing);
        engine.event(&on(60, 60));
        let t = std::time::Instant::now();
        let sound = listen(&mut engine, 24_000);
        let each = t.elapsed().as_secs_f64() / 24_000.0 * 1e9;
        let totals = engine.cost_totals();
        println!(
            "{closing:.3}: T60 {:.2} s at 5 kHz, {:.2} s at 0.5 kHz, level {:.1} / 5k {:.1} dB, peak {:.3}, {each:.0} ns, work {:.0}",
            t60(&band(&sound[600..], 5000.0, 800.0)),
            t60(&band(&sound[600..], 500.0, 400.0)),
            level(&sound),
            level(&band(&sound, 5000.0, 800.0)),
            sound.iter().fold(0.0_f64, |m, x| m.max(x.abs())),
            totals.work / 24_000.0,
        );
    }
    let mut open = hat_at(0.0);
    open.event(&on(60, 60));
    let stroke = level(&listen(&mut open, 4_800));
    for (name, ramp) in [("jump", 0), ("20 ms", 20), ("60 ms", 60), ("200 ms", 200)] {
        let mut engine = hat_at(0.0);
        listen(&mut engine, 480);
        let mut sound = Vec::new();
        for k in 0..=ramp.max(1) {
            engine.event(&foot(f64::from(k) / f64::from(ramp.max(1))));
            sound.extend(listen(&mut engine, 48));
        }
        sound.extend(listen(&mut engine, 24_000));
        let top = sound.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let from = sound.iter().position(|x| x.abs() > 0.01 * top).unwrap_or(0);
        println!("chick {name}: {:.1} dB of the stroke, T60 {:.2} {:.2}", level(&sound[from..from + 4_800]) - stroke, t60(&band(&sound[from..], 5000.0, 800.0)), t60(&band(&sound[from..], 500.0, 400.0)));
        println!("   static end peak {:e} voices {}", listen(&mut engine, 4800).iter().fold(0.0_f64, |m, x| m.max(x.abs())), engine.active_voices());
    }
    let mut engine = hat_at(0.0);
    engine.event(&foot(1.0));
    let mut sound = listen(&mut engine, 2_400);
    engine.event(&foot(0.0));
    sound.extend(listen(&mut engine, 48_000));
    println!("splash: {:.1} dB of the stroke; T60 {:.2} {:.2}", level(&sound[4_800..9_600]) - stroke, t60(&band(&sound[4_800..], 5000.0, 800.0)), t60(&band(&sound[4_800..], 500.0, 400.0)));
}

#[test]
fn balance_closes() {
    let mut engine = hat();
    engine.enable_energy_balance();
    let mut chance = Chance::new(4);
    for i in 0..400 {
        if i % 20 == 0 {
            engine.event(&on(60, 1 + chance.below(127) as u8));
        }
        engine.event(&foot(chance.part()));
        if i % 7 == 0 {
            let param = [Tune, BodyMass, Decay, PickupLeft, HiHatGap, HiHatFriction][i / 7 % 6];
            engine.event(&set(param, chance.value(param.spec())));
        }
        play(&mut engine, 100);
    }
    let report = engine.energy_balance_report();
    println!("{report:?}");
    assert!(report.balance <= 1e-12 && report.unsupplied <= 1e-14, "{report:?}");
}
