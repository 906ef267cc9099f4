//! Search for partials in bands of a signal, row by row: long windows in narrow bands, short ones in wide bands.
//!
//! A band is demodulated, low-passed and decimated, so that an exponential remains one:
//!
//! ```text
//! y_m = sum_n h_n e^(-i w0 (m D + n)) x_(m D + n)        n = 0..taps: only later samples, none before the first
//! x_n = z^n  gives  y_m = G(z) (z e^(-i w0))^(m D),      G(z) = sum_n h_n (z e^(-i w0))^n
//! ```
//!
//! h is a Kaiser window's low-pass (Kaiser 1974): within 1e-6 of 1 up to a quarter of the new rate, below 1e-6 from three quarters
//! on, so that aliasing is outside the middle half.

use std::f64::consts::{PI, TAU};

use nalgebra::Complex;

use crate::analysis::esprit;
use crate::analysis::types::{C, Octave, Pole, decibels};

/// Rates of the bands [Hz], about: windows of 2.7 s, 0.7 s, 0.17 s and 43 ms.
const RATES: [f64; 4] = [94.0, 375.0, 1500.0, 6000.0];
/// Samples of a window.
const WINDOW: usize = 256;
/// Minimum number of samples of a window.
const LEAST: usize = 40;
/// Maximum number of partials in a band.
const MOST: [usize; 4] = [16, 24, 32, 40];
/// First stage of narrow bands, over the step of the widest ones.
const FIRST_STAGE: usize = 2;
/// Decay in one sample of a band above which it is left to wider bands, as an exponent.
const FASTEST: f64 = 0.5;
/// Energy over that of the noise below which an exponential is discarded.
pub const SURE: f64 = 30.0;
/// Distance over width below which two exponentials are one.
const SAME: f64 = 0.1;
/// Power of the loudest frequency of a band over the median above which there may be a partial: white noise passes in one band of 20.
const LOUD: f64 = 11.0;
/// Evaluated duration of the residual [s].
const OBSERVED: f64 = 3.0;
/// Duration of a partial over its decay time to 1/e, and the minimum number of samples of a band in it.
const LIFE: f64 = 3.0;
const LEAST_LIFE: f64 = 8.0;
/// Taps of a filter that halves the rate, either side.
const HALF: usize = 31;

/// Taps of a band's filter over the decimation: a transition band of half the new rate at 120 dB.
const TAPS: usize = 16;
/// Kaiser's beta for 120 dB.
const BETA: f64 = 12.265;

/// Half the usable width of the band over the new rate.
pub const USABLE: f64 = 0.25;

/// One row of bands.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    step: usize,
    first: usize,
    most: usize,
}

/// The rows of bands at `rate` [Hz], longest windows first.
pub fn levels(rate: f64) -> impl Iterator<Item = Level> {
    let step = move |band: f64| (rate / band).log2().round().max(0.0).exp2() as usize;
    let widest = step(RATES[3]);
    RATES.into_iter().zip(MOST).map(move |(band, most)| {
        let (step, first) = (step(band), widest * FIRST_STAGE);
        Level { step, first: if step > 2 * first { first } else { 1 }, most }
    })
}

/// The exponentials of `signal` in the bands of `level` up to `highest` (over the rate) that are not among `known`; the strongest
/// ones, at most `most`.
pub fn search(signal: &[f64], level: Level, highest: f64, quiet: f64, known: &[Pole], most: usize) -> Vec<Pole> {
    let mut found = if level.first > 1 { narrow(signal, level, highest, quiet) } else { wide(signal, level, highest, quiet) };
    let length = signal.len() as f64;
    found.retain(|pole| energy(pole, length) > SURE * pole.noise);
    found.sort_by(|a, b| energy(b, length).total_cmp(&energy(a, length)));
    let mut fresh: Vec<Pole> = Vec::new();
    for pole in found {
        let apart = |other: &Pole| distance(&pole, other, length) > SAME;
        if fresh.len() < most && fresh.iter().chain(known).all(apart) {
            fresh.push(pole);
        }
    }
    fresh
}

/// Bands straight from the signal.
fn wide(signal: &[f64], level: Level, highest: f64, quiet: f64) -> Vec<Pole> {
    let mut found = Vec::new();
    for band in 0..level.step {
        let centre = PI * (band as f64 + 0.5) / level.step as f64;
        if centre - TAU * USABLE / level.step as f64 > TAU * highest {
            break;
        }
        let zoom = Zoom::new(centre, level.step);
        let chain = |lambda: C| (zoom.outside(lambda), zoom.gain(zoom.outside(lambda)));
        found.extend(band_poles(&zoom.real(signal, WINDOW), level, zoom.noise_gain(), quiet, chain));
    }
    found
}

/// Bands in two stages, the first of which several share.
fn narrow(signal: &[f64], level: Level, highest: f64, quiet: f64) -> Vec<Pole> {
    let mut found = Vec::new();
    let inner = level.step / level.first;
    for outer in 0..level.first {
        let middle = PI * (outer as f64 + 0.5) / level.first as f64;
        if middle - TAU * USABLE / level.first as f64 > TAU * highest {
            break;
        }
        let wide = Zoom::new(middle, level.first);
        let most = Zoom::new(0.0, inner).reach(WINDOW);
        let samples = wide.real(signal, most);
        for band in 0..inner {
            // the middle half of the wide band, from -pi/2 to pi/2
            let centre = PI * ((band as f64 + 0.5) / inner as f64 - 0.5);
            let zoom = Zoom::new(centre, inner);
            let chain = |lambda: C| {
                let between = zoom.outside(lambda);
                let outside = wide.outside(between);
                (outside, zoom.gain(between) * wide.gain(outside))
            };
            let noise = zoom.noise_gain() / level.first as f64;
            found.extend(band_poles(&zoom.complex(&samples, WINDOW), level, noise, quiet, chain));
        }
    }
    found
}

/// The exponentials in the middle half of a band; `chain` gives exponent and gain outside of it.
fn band_poles(samples: &[C], level: Level, noise_gain: f64, quiet: f64, chain: impl Fn(C) -> (C, C)) -> Vec<Pole> {
    if samples.len() < LEAST || !stands_out(samples) {
        return Vec::new();
    }
    let esprit::Poles { poles, noise } = esprit::poles(samples, level.most);
    let noise = (noise / noise_gain).max(quiet);
    let inside = |(lambda, _): &(C, C)| {
        lambda.im.abs() < TAU * (USABLE + 0.02) && lambda.re > -FASTEST && lambda.re * (samples.len() as f64) < 1.0
    };
    let outside = |(lambda, b): (C, C)| {
        let (lambda, gain) = chain(lambda);
        Pole { lambda: Complex::new(lambda.re.min(0.0), lambda.im), c: 2.0 * b / gain, noise }
    };
    poles.into_iter().filter(inside).map(outside).filter(|pole| pole.lambda.im > 0.0).collect()
}

/// Whether some frequency in the middle half of the band is louder than noise would be.
fn stands_out(samples: &[C]) -> bool {
    let bins = samples.len();
    let power = |bin: usize| {
        let turn = Complex::from_polar(1.0, -TAU * (bin as f64 / bins as f64 - USABLE));
        samples.iter().rev().fold(Complex::new(0.0, 0.0), |sum, y| sum * turn + y).norm_sqr()
    };
    let mut powers: Vec<f64> = (0..=(2.0 * USABLE * bins as f64) as usize).map(power).collect();
    powers.sort_by(f64::total_cmp);
    powers.last().copied().unwrap_or_default() > LOUD * powers[powers.len() / 2]
}

/// Sum of squares of an exponential over `length` samples.
pub fn energy(pole: &Pole, length: f64) -> f64 {
    let rate = -2.0 * pole.lambda.re;
    let lasting = if rate * length > 1e-6 { -(-rate * length).exp_m1() / rate } else { length };
    0.5 * pole.c.norm_sqr() * lasting
}

/// Distance of two exponentials over the width of the narrower one.
fn distance(a: &Pole, b: &Pole, length: f64) -> f64 {
    let width = (-a.lambda.re).min(-b.lambda.re).max(1.0 / length);
    (a.lambda - b.lambda).norm() / width
}

/// Levels of `signal` and `rest` octave by octave, from the highest down.
pub fn octaves(signal: &[f64], rest: &[f64], rate: f64) -> Vec<Octave> {
    let total: f64 = signal.iter().map(|x| x * x).sum();
    let (mut signal, mut rest, mut top, mut weight) = (signal.to_vec(), rest.to_vec(), 0.5 * rate, 1.0);
    let mut octaves = Vec::new();
    while top > 40.0 && signal.len() > 4 * HALF {
        let ((low, high), (rest_low, rest_high)) = (halved(&signal), halved(&rest));
        octaves.push(Octave {
            range: (0.5 * top, top),
            signal_db: decibels(weight * high / total),
            residual_db: decibels(rest_high / high),
        });
        (signal, rest, top, weight) = (low, rest_low, 0.5 * top, 2.0 * weight);
    }
    octaves.reverse();
    octaves
}

/// The lower half of the band at half the rate, and the energy of the upper half.
fn halved(signal: &[f64]) -> (Vec<f64>, f64) {
    let tap = |n: usize| {
        let t = n as f64 - HALF as f64;
        let sinc = if t == 0.0 { 0.5 } else { (0.5 * PI * t).sin() / (PI * t) };
        sinc * (0.5 * PI * t / (HALF as f64 + 1.0)).cos().powi(2)
    };
    let taps: Vec<f64> = (0..=2 * HALF).map(tap).collect();
    let low = |n: usize| -> f64 {
        let from = n.saturating_sub(HALF);
        let to = (n + HALF + 1).min(signal.len());
        (from..to).map(|i| signal[i] * taps[i + HALF - n]).sum()
    };
    let lows: Vec<f64> = (0..signal.len()).map(low).collect();
    let high = signal.iter().zip(&lows).map(|(x, low)| (x - low) * (x - low)).sum();
    (lows.into_iter().step_by(2).collect(), high)
}

/// Variance of white noise as loud as `rest` is around each of `poles` while it lasts.
pub fn noise_around(rest: &[f64], rate: f64, poles: &[Pole]) -> Vec<f64> {
    let rest = &rest[..rest.len().min((OBSERVED * rate) as usize)];
    let step = |band: f64| (rate / band).log2().round().max(0.0).exp2() as usize;
    let first = step(RATES[3]) * FIRST_STAGE;
    let inner = (step(RATES[1]) / first).max(1);
    let mut wide: Vec<Option<Vec<C>>> = vec![None; first];
    let mut narrow: Vec<Option<Vec<f64>>> = vec![None; first * inner];
    let around = |pole: &Pole| {
        let place = pole.lambda.im.abs() / PI * (first * inner) as f64;
        let band = (place as usize).min(first * inner - 1);
        let powers = narrow[band].get_or_insert_with(|| {
            let outer = band / inner;
            let wide = wide[outer]
                .get_or_insert_with(|| Zoom::new(PI * (outer as f64 + 0.5) / first as f64, first).real(rest, usize::MAX));
            let zoom = Zoom::new(PI * (((band % inner) as f64 + 0.5) / inner as f64 - 0.5), inner);
            let gain = zoom.noise_gain() / first as f64;
            zoom.complex(wide, usize::MAX).iter().map(|y| y.norm_sqr() / gain).collect()
        });
        let lasting = (LIFE / (pole.lambda.re.abs() * (first * inner) as f64)).clamp(LEAST_LIFE, 1e9) as usize;
        let counted = &powers[..lasting.min(powers.len())];
        counted.iter().sum::<f64>() / counted.len().max(1) as f64
    };
    poles.iter().map(around).collect()
}

/// The filter of one band.
#[derive(Clone, Debug)]
pub struct Zoom {
    /// Angular frequency of the middle of the band [rad/sample].
    centre: f64,
    step: usize,
    /// h_n e^(-i w0 n).
    taps: Vec<C>,
}

impl Zoom {
    /// The band around `centre` [rad/sample], one sample out of `step`.
    pub fn new(centre: f64, step: usize) -> Self {
        let count = TAPS * step + 1;
        let middle = 0.5 * (count - 1) as f64;
        let cutoff = std::f64::consts::PI / step as f64;
        let low_pass = |n: usize| {
            let t = n as f64 - middle;
            let sinc = if t == 0.0 { cutoff } else { (cutoff * t).sin() / t };
            sinc * bessel_i0(BETA * (1.0 - (t / middle).powi(2)).max(0.0).sqrt())
        };
        let sum: f64 = (0..count).map(low_pass).sum();
        let taps = (0..count).map(|n| Complex::from_polar(low_pass(n) / sum, -centre * n as f64)).collect();
        Self { centre, step, taps }
    }

    /// Samples of the signal that `count` samples of the band need.
    pub fn reach(&self, count: usize) -> usize {
        if count == 0 { 0 } else { (count - 1) * self.step + self.taps.len() }
    }

    /// Samples of the band that `length` samples of the signal give.
    pub fn count(&self, length: usize) -> usize {
        if length < self.taps.len() { 0 } else { (length - self.taps.len()) / self.step + 1 }
    }

    /// The first `count` samples of the band of a real signal, or as many as there are.
    pub fn real(&self, signal: &[f64], count: usize) -> Vec<C> {
        self.run(signal.len(), count, |from, n| (signal[from + n], 0.0))
    }

    /// The same of a complex signal.
    pub fn complex(&self, signal: &[C], count: usize) -> Vec<C> {
        self.run(signal.len(), count, |from, n| (signal[from + n].re, signal[from + n].im))
    }

    fn run(&self, length: usize, count: usize, sample: impl Fn(usize, usize) -> (f64, f64)) -> Vec<C> {
        let one = |m: usize| {
            let from = m * self.step;
            let (mut re, mut im) = (0.0, 0.0);
            for (n, tap) in self.taps.iter().enumerate() {
                let (x, y) = sample(from, n);
                re += tap.re * x - tap.im * y;
                im += tap.re * y + tap.im * x;
            }
            Complex::new(re, im) * Complex::from_polar(1.0, -self.centre * from as f64)
        };
        (0..count.min(self.count(length))).map(one).collect()
    }

    /// G(z) of z = e^`lambda`.
    pub fn gain(&self, lambda: C) -> C {
        let ratio = lambda.exp();
        self.taps.iter().rev().fold(Complex::new(0.0, 0.0), |sum, tap| sum * ratio + tap)
    }

    /// Exponent per sample of the signal of what has the exponent `lambda` per sample of the band.
    pub fn outside(&self, lambda: C) -> C {
        lambda / self.step as f64 + Complex::new(0.0, self.centre)
    }

    /// Variance of a band of white noise of variance 1.
    pub fn noise_gain(&self) -> f64 {
        self.taps.iter().map(|tap| tap.norm_sqr()).sum()
    }
}

/// Modified Bessel function I0 by its series.
fn bessel_i0(x: f64) -> f64 {
    let (mut sum, mut term, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-17 * sum {
        term *= (0.5 * x / k).powi(2);
        sum += term;
        k += 1.0;
    }
    sum
}
