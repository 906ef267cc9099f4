//! Partials where they belong, and silent when they should be: pitch and decay measured from the sound.

use std::f64::consts::{PI, TAU};

use crate::playing::*;
use urto_engine::params::ParamId::*;
use urto_engine::patch::ListedMode;
use urto_engine::{Engine, EngineConfig};

/// Kaiser's beta: side lobes 230 dB down, main lobe 10 bins to either side.
const BETA: f64 = 30.0;

/// Modified Bessel function I0 by its series.
fn bessel(x: f64) -> f64 {
    let mut term = 1.0;
    (1..400).fold(1.0, |sum, n| {
        term *= (0.5 * x / f64::from(n)).powi(2);
        sum + term
    })
}

pub fn kaiser(n: usize, beta: f64) -> Vec<f64> {
    let at = |i: usize| 2.0 * (i as f64 + 0.5) / n as f64 - 1.0;
    (0..n).map(|i| bessel(beta * (1.0 - at(i).powi(2)).sqrt()) / bessel(beta)).collect()
}

/// Complex amplitude of the partial at `frequency`, phase counted from frame 0.
fn partial(sound: &[f32], start: usize, window: &[f64], frequency: f64, rate: f64) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for (i, w) in window.iter().enumerate() {
        let (sin, cos) = (TAU * (frequency * (start + i) as f64 / rate).fract()).sin_cos();
        sum.0 += w * f64::from(sound[start + i]) * cos;
        sum.1 -= w * f64::from(sound[start + i]) * sin;
    }
    sum
}

/// What two windows on the same partial say, `frames` apart: deviation from `frequency` [cents], fall [dB].
pub fn compare(sound: &[f32], start: usize, frames: usize, window: &[f64], frequency: f64, rate: f64) -> (f64, f64) {
    let (a, b) = (partial(sound, start, window, frequency, rate), partial(sound, start + frames, window, frequency, rate));
    let turned = (b.1 * a.0 - b.0 * a.1).atan2(b.0 * a.0 + b.1 * a.1) / TAU;
    let deviation = turned * rate / frames as f64;
    let fall = 10.0 * ((a.0 * a.0 + a.1 * a.1) / (b.0 * b.0 + b.1 * b.1)).log10();
    (1200.0 * (1.0 + deviation / frequency).log2(), fall)
}

/// A stiff string: f_n = f0 n ((1 + B n^2)/(1 + B))^(1/2), sigma = ln 1000/T + pi eta f + c f^2.
#[test]
fn every_partial_has_its_pitch_and_is_60_db_down_at_t60() {
    const PARTIALS: usize = 40;
    let (t60, loss, viscosity, b) = (2.5, 2e-4, 2e-8, 4e-4);
    let knobs = [
        (Body, 0.0),
        (Modes, PARTIALS as f64),
        (Inharmonicity, b),
        (Decay, t60),
        (Loss, loss),
        (Viscosity, viscosity),
        (StrikePosition, 0.0123),
        (PickupLeft, 0.0137),
        (Stiffness, 1e4),
        (HammerMass, 1e-3),
        (BodyMass, 0.02),
    ];
    for rate in [44.1e3, 48e3, 96e3, 192e3] {
        let mut engine = engine(rate, &knobs);
        engine.event(&on(57, 60));
        let sound = play(&mut engine, (3.2 * rate) as usize);
        let window = kaiser((0.25 * rate) as usize, BETA);
        for n in 1..=PARTIALS {
            let r = n as f64;
            let f = 220.0 * r * ((1.0 + b * r * r) / (1.0 + b)).sqrt();
            let sigma = 1000_f64.ln() / t60 + PI * loss * f + viscosity * f * f;
            let frames = (1000_f64.ln() / sigma * rate).round() as usize;
            let (cents, fall) = compare(&sound.left, (0.15 * rate) as usize, frames, &window, f, rate);
            assert!(cents.abs() < 0.01, "partial {n} at {rate}: {cents} cents");
            assert!((fall - 60.0).abs() < 0.1, "partial {n} at {rate}: {fall} dB");
        }
    }
}

/// Q 10: the damped frequency is 2 cents below omega/2 pi, and it is the one that is heard.
#[test]
fn a_dull_body_is_in_tune() {
    let mut patch = patch(&[(Body, 2.0), (Modes, 1.0), (Decay, 0.05), (Loss, 0.0), (Viscosity, 0.0)]);
    patch.modes = vec![ListedMode { ratio: 1.0, decay: None, mass: 1.0, shape: vec![1.0].into() }];
    for rate in [44.1e3, 48e3, 96e3, 192e3] {
        let mut engine = Engine::new(EngineConfig::at(rate), &patch);
        engine.event(&on(69, 100));
        let sound = play(&mut engine, (0.3 * rate) as usize);
        let window = kaiser((0.025 * rate) as usize, 16.0);
        let frames = (0.05 * rate).round() as usize;
        let (cents, fall) = compare(&sound.left, (0.01 * rate) as usize, frames, &window, 440.0, rate);
        assert!(cents.abs() < 0.01, "{cents} cents at {rate}");
        assert!((fall - 60.0 * frames as f64 / rate / 0.05).abs() < 0.1, "{fall} dB at {rate}");
    }
}

#[test]
fn what_lies_above_the_band_is_left_out_and_counted() {
    let engine = engine(44.1e3, &[(Body, 0.0), (Modes, 100.0), (Inharmonicity, 0.0)]);
    assert_eq!(engine.left_out(69), 100 - 45);
    assert_eq!(engine.left_out(21), 0);
    assert_eq!(engine.left_out(127), 99);
    assert_eq!(crate::playing::engine(8e3, &[(Body, 0.0), (Modes, 100.0), (Inharmonicity, 0.0)]).left_out(69), 100 - 8);
}

/// Amplitudes of a sound over frequency, windowed so that what is 12 bins away is 120 dB down.
pub struct Spectrum {
    lines: Vec<f64>,
    step: f64,
}

impl Spectrum {
    /// Of all of `sound` at `rate` [Hz].
    pub fn new(sound: &[f32], rate: f64) -> Self {
        let window = kaiser(sound.len(), 16.0);
        let mut input: Vec<f64> = sound.iter().zip(&window).map(|(x, w)| f64::from(*x) * w).collect();
        let plan = realfft::RealFftPlanner::<f64>::new().plan_fft_forward(input.len());
        let mut output = plan.make_output_vec();
        plan.process(&mut input, &mut output).expect("lengths agree");
        Self { lines: output.iter().map(|line| line.norm()).collect(), step: rate / sound.len() as f64 }
    }

    /// The largest amplitude between two frequencies [Hz].
    pub fn loudest(&self, from: f64, to: f64) -> f64 {
        let lines = self.lines.iter().enumerate().filter(|(i, _)| (from..to).contains(&(*i as f64 * self.step)));
        lines.map(|(_, line)| *line).fold(0.0, f64::max)
    }

    /// Mean frequency [Hz], weighted by amplitude squared.
    pub fn centroid(&self) -> f64 {
        let power: f64 = self.lines.iter().map(|line| line * line).sum();
        self.lines.iter().enumerate().map(|(i, line)| i as f64 * self.step * line * line).sum::<f64>() / power
    }
}
