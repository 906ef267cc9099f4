//! The higher modes of a hi-hat: chatter and dry friction of plates that touch, the cascade of hard strokes, and the frame that sticks shake.

use super::hi_hat::{HAT, MEDIUM, band, foot, hat_with, level, listen, t60};
use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::Event;
use urto_engine::params::ParamId::{self, *};
use urto_fourier::spectrum;

/// A thin pair that a heavy stick strikes hard.
const HARD: [(ParamId, f64); 4] = [(Thickness, 0.9e-3), (HammerMass, 0.05), (SpeedHigh, 9.0), (Cascade, 16.0)];

/// Power of the lines of `sound` from 30 to 430 ms between two frequencies [Hz].
fn lines(sound: &[f64], [low, high]: [f64; 2]) -> Vec<f64> {
    let part = &sound[1_440..20_640];
    let window = |i: usize| 0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / part.len() as f64).cos();
    let input: Vec<f64> = part.iter().enumerate().map(|(i, x)| x * window(i)).collect();
    let lines = spectrum(&input);
    let hertz = |i: usize| i as f64 * RATE / part.len() as f64;
    lines.iter().enumerate().filter(|(i, _)| (low..high).contains(&hertz(*i))).map(|(_, line)| line.norm_sqr()).collect()
}

/// Geometric over arithmetic mean of the power: 0.56 for noise.
fn flatness(sound: &[f64], limits: [f64; 2]) -> f64 {
    let lines = lines(sound, limits);
    let count = lines.len() as f64;
    let log = lines.iter().map(|line| (line + 1e-30).ln()).sum::<f64>() / count;
    log.exp() / (lines.iter().sum::<f64>() / count)
}

/// Half a second of a stroke of `velocity`.
fn stroke(params: &[(ParamId, f64)], velocity: u8) -> Vec<f64> {
    let mut engine = hat_with(params);
    engine.event(&on(60, velocity));
    listen(&mut engine, 24_000)
}

/// Between closed plates, soft strokes are as noisy as medium ones; an open hat has lines.
#[test]
fn closed_plates_chatter() {
    let of = |position: f64, velocity: u8| {
        let sound = stroke(&[(HiHatPedal, position)], velocity);
        [[2e3, 4e3], [4e3, 8e3]].map(|limits| flatness(&sound, limits))
    };
    let [open, soft, medium] = [(0.0, MEDIUM), (0.8, 30), (0.8, MEDIUM)].map(|(position, velocity)| of(position, velocity));
    println!("open {open:.3?}, closed {soft:.3?} soft, {medium:.3?} medium");
    for band in 0..2 {
        assert!(open[band] < 0.02 && soft[band] > 0.06 && medium[band] > 0.06, "{open:?}, {soft:?}, {medium:?}");
    }
}

/// Dry friction: a hard stroke on a closed hat decays more slowly than a soft one; open, both decay alike.
#[test]
fn friction_falls_with_the_motion() {
    let of = |position: f64| {
        let gap = if position == 0.0 { 0.02 } else { 3e-3 };
        let params = [(HiHatPedal, position), (HiHatGap, gap), (HiHatFriction, 0.5), (HammerMass, 0.05), (SpeedHigh, 9.0)];
        [20, 127].map(|velocity| t60(&stroke(&params, velocity), [4.5e3, 5.5e3]))
    };
    let ([soft, hard], [open_soft, open_hard]) = (of(1.0), of(0.0));
    println!("closed {soft:.2} s and {hard:.2} s, open {open_soft:.2} s and {open_hard:.2} s");
    assert!(hard > 1.2 * soft && (open_hard / open_soft - 1.0).abs() < 0.1);
}

/// A hard stroke on an open hat gets brighter after the stroke, a soft one does not, and the energy of the field comes from the low modes.
#[test]
fn the_cascade_brightens_hard_strokes() {
    let with = |strength: f64, velocity: u8| stroke(&[&HARD[..3], &[(Cascade, strength)]].concat(), velocity);
    let high =
        |sound: &[f64]| level(&band(sound, [5e3, 12e3])[14_400..19_200]) - level(&band(sound, [0.2e3, 2e3])[14_400..19_200]);
    let [soft, soft_linear] = [16.0, 0.1].map(|strength| high(&with(strength, 20)));
    let [hard, hard_linear] = [16.0, 0.1].map(|strength| high(&with(strength, 127)));
    println!("5 to 12 kHz over 0.2 to 2 kHz: soft {soft:.1} and {soft_linear:.1} dB, hard {hard:.1} and {hard_linear:.1} dB");
    assert!((soft - soft_linear).abs() < 2.0 && hard > hard_linear + 6.0);
}

/// Nearly closed plates touch at one place, where the low modes feed the high ones: these decay more slowly than with the same friction and no contact.
#[test]
fn nearly_closed_plates_rattle_for_long() {
    let fall = |gap: f64| {
        let mut engine =
            hat_with(&[(HiHatPedal, 0.24), (HiHatGap, gap), (HiHatFriction, 0.2), (HammerMass, 0.045), (SpeedHigh, 9.0)]);
        engine.event(&on(60, 90));
        let sound = band(&listen(&mut engine, 38_400), [4e3, 12e3]);
        level(&sound[9_600..14_400]) - level(&sound[33_600..])
    };
    let (touching, apart) = (fall(1.05e-3), fall(4e-3));
    println!("4 to 12 kHz falls by {touching:.1} dB in half a second, without contacts by {apart:.1} dB");
    assert!(touching < 0.75 * apart, "{touching} dB, {apart} dB");
}

/// The force of a stick shakes the frame; once it is still, the hat sounds as without it.
#[test]
fn sticks_shake_the_frame() {
    let frame = [(KnockLow, 500.0), (KnockHigh, 1_000.0), (KnockDecay, 0.1), (KnockLoss, 1e-3)];
    let with = |knock: f64| stroke(&[&frame[..], &[(KnockLevel, knock)]].concat(), MEDIUM);
    let (without, weak, strong) = (with(-60.0), with(0.0), with(6.0));
    let added = |sound: &[f64]| {
        let frame: Vec<f64> = sound.iter().zip(&without).map(|(with, without)| with - without).collect();
        [level(&band(&frame, [450.0, 1_050.0])[..2_400]), level(&frame[..2_400]), level(&frame[21_600..])]
    };
    let ([in_band, early, late], [strong, ..]) = (added(&weak), added(&strong));
    println!("{in_band:.1} of {early:.1} dB, late {late:.1} dB; strong {strong:.1} dB");
    assert!(in_band > early - 1.0 && (strong - in_band - 6.0).abs() < 0.1 && late < early - 100.0);
}

/// With cascade, chatter and frame the network gains nothing, whatever is turned, and blocks do not change a bit.
#[test]
fn exchange_keeps_balance_and_bits() {
    let frames = size(12_000, 48_000);
    let params = [&HAT[..], &HARD, &[(KnockLevel, 6.0)]].concat();
    let mut score: Vec<(usize, Event)> = Vec::new();
    for n in 0..frames / 600 {
        score.push((n * 600 + 37, on(60, [127, 40, 90][n % 3])));
        score.push((n * 600 + 301, foot([0.0, 0.55, 0.3, 1.0][n % 4])));
        score.push((n * 600 + 411, set(Cascade, [16.0, 1e5, 0.1, 300.0][n % 4])));
    }
    assert_same_in_blocks(&params, &score, frames, &[&[1], &[16], &[37], &[64, 1, 480]]);
    let mut engine = engine(RATE, &params);
    engine.enable_energy_balance();
    perform(&mut engine, &score, frames, &[480], &[]);
    let report = engine.energy_balance_report();
    println!("{report:?}");
    assert!(report.balance > 0.0 && report.balance <= 1e-12 && report.unsupplied <= 1e-14, "{report:?}");
}
