//! The noise of a recorded strike between its partials: two decays in each of 36 bands.
//!
//! ```text
//! E(t) = median over the bins of a band of |STFT|^2/0.69      the median of noise is 0.69 of its mean, and ignores partials
//! late:  a straight line in dB from 60 ms on                  early: another, to E less the late one, in the first 60 ms
//! ```
//!
//! A line goes down to the noise of the recording, or 30 dB. Levels and slopes are limited where a band is nearly empty.

use nalgebra::Complex;

use crate::analysis::fourier::{SideBin, sides};
use crate::analysis::types::C;

/// Number of bands, and their lowest and highest edge [Hz].
const BANDS: usize = 36;
const EDGES: (f64, f64) = (50.0, 17e3);
/// Highest edge over the sample rate.
const HIGHEST: f64 = 0.46;
/// Duration of a window [s], about; the step is an eighth of it.
const WINDOW: f64 = 0.0225;
const STEPS: usize = 8;
/// Median over mean of the power of noise.
const MEDIAN: f64 = 0.69;
/// Time [s] that separates early from late.
const EARLY: f64 = 0.06;
/// Range of a fitted line, and below which levels do not count [dB].
const FITTED: f64 = 30.0;
const COUNTED: f64 = 45.0;
/// Range of the early line [dB].
const EARLY_FITTED: f64 = 20.0;
/// Margin over the quietest part of the recording, and the least rise of a line's start over that [dB].
const MARGIN: f64 = 6.0;
const LEAST_RISE: f64 = 3.0;
/// Most by which a line starts above the loudest level of its band [dB].
const MOST_ABOVE: f64 = 4.0;
/// Slopes of lines [dB/s]: slowest, fastest, that of a rising band, and that of one without enough levels.
const SLOPES: (f64, f64) = (2.0, 3000.0);
const RISING: f64 = 4.0;
const SHORT: f64 = 600.0;
/// Level of nothing [dB].
const NOTHING: f64 = -300.0;
/// Levels so far below the strongest are left out [dB].
const AUDIBLE: f64 = 90.0;

/// Decaying noise in a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseBand {
    /// Its edges [Hz].
    pub range: (f64, f64),
    /// Decay rate of the amplitude [1/s].
    pub decay: f64,
    /// Mean squares left and right at the start, in the square of the signal's unit.
    pub power: [f64; 2],
    /// Correlation of left and right, -1 to 1.
    pub correlation: f64,
}

/// A line in the course of a level.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Level at the start [dB].
    level: f64,
    /// Fall [dB/s].
    slope: f64,
}

/// The course of one band: level at the times of all windows [dB], and sums for the stereo image.
struct Course {
    range: (f64, f64),
    levels: Vec<f64>,
    /// Left, right and common power, early and late.
    sums: [[f64; 3]; 2],
}

/// The noise of the two channels `signals`, which begin at the onset of the strike, sampled at `rate` [Hz]. Both have the same length.
pub fn noise_bands(signals: [&[f64]; 2], rate: f64) -> Vec<NoiseBand> {
    let size = (WINDOW * rate).log2().round().exp2() as usize;
    if size < 2 * STEPS || signals[0].len() < size {
        return Vec::new();
    }
    let courses = courses(signals, rate, size);
    let step = (size / STEPS) as f64 / rate;
    // power of a bin [dB] to mean square of a hertz: 2/(rate sum w^2)
    let to_density = 2.0 / (rate * 0.375 * size as f64);
    let mut bands = Vec::new();
    for course in &courses {
        for (stage, line) in lines(&course.levels, step).into_iter().enumerate() {
            let Some(line) = line else { continue };
            let [left, right, common] = course.sums[stage];
            let mean = (0.5 * (left + right)).max(f64::MIN_POSITIVE);
            let power = 10_f64.powf(0.1 * line.level) / MEDIAN * to_density * (course.range.1 - course.range.0);
            bands.push(NoiseBand {
                range: course.range,
                decay: line.slope / (20.0 * std::f64::consts::LOG10_E),
                power: [power * left / mean, power * right / mean],
                correlation: (common / (left * right).sqrt().max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0),
            });
        }
    }
    let loudest = bands.iter().map(total).fold(0.0, f64::max);
    bands.retain(|band| total(band) > loudest * 10_f64.powf(-0.1 * AUDIBLE));
    bands
}

fn total(band: &NoiseBand) -> f64 {
    band.power[0] + band.power[1]
}

/// The courses of all bands by windows of `size` samples, the first centred at the onset.
fn courses([left, right]: [&[f64]; 2], rate: f64, size: usize) -> Vec<Course> {
    let highest = EDGES.1.min(HIGHEST * rate);
    let edge = |b: usize| EDGES.0 * (highest / EDGES.0).powf(b as f64 / BANDS as f64);
    let width = rate / size as f64;
    let mut courses: Vec<(std::ops::Range<usize>, Course)> = (0..BANDS)
        .map(|b| {
            let range = (edge(b), edge(b + 1));
            let (first, last) = ((range.0 / width).ceil() as usize, (range.1 / width).ceil() as usize);
            let nearest = (0.5 * (range.0 + range.1) / width).round() as usize;
            let bins = if first < last { first..last } else { nearest..nearest + 1 };
            (bins, Course { range, levels: Vec::new(), sums: [[0.0; 3]; 2] })
        })
        .collect();
    let window: Vec<f64> = (0..size).map(|n| (std::f64::consts::PI * (n as f64 + 0.5) / size as f64).sin().powi(2)).collect();
    let (hop, half) = (size / STEPS, size / 2);
    let at = |signal: &[f64], n: usize| n.checked_sub(half).and_then(|n| signal.get(n)).copied().unwrap_or(0.0);
    let (mut values, mut bins) = (vec![Complex::new(0.0, 0.0); size], vec![SideBin::default(); half + 1]);
    let mut powers = Vec::<f64>::new();
    for k in 0..=(left.len() - half) / hop {
        let from = k * hop;
        let value = |n: usize| -> C { Complex::new(window[n] * at(left, from + n), window[n] * at(right, from + n)) };
        values.iter_mut().enumerate().for_each(|(n, z)| *z = value(n));
        sides(&mut values, &mut bins);
        let stage = usize::from(from as f64 <= EARLY * rate);
        for (range, course) in &mut courses {
            let part = &bins[range.clone()];
            powers.clear();
            powers.extend(part.iter().map(|bin| 0.5 * (bin.powers[0] + bin.powers[1])));
            course.levels.push((10.0 * median(&mut powers).log10()).max(NOTHING));
            for bin in part {
                let [l, r] = bin.powers;
                course.sums[stage].iter_mut().zip([l, r, bin.common]).for_each(|(sum, value)| *sum += value);
            }
        }
    }
    courses.into_iter().map(|(_, course)| course).collect()
}

/// The median; the mean of the two in the middle of an even number.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { 0.5 * (values[middle - 1] + values[middle]) }
}

/// The late and the early line through `levels` [dB], one every `step` [s]; None for those that start in the noise.
fn lines(levels: &[f64], step: f64) -> [Option<Line>; 2] {
    let split = (levels.len()).min((EARLY / step) as usize + 1);
    let (early, late) = levels.split_at(split);
    let mut sorted = levels.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quietest = &sorted[..(levels.len() / 20).max(3).min(levels.len())];
    let floor = quietest.iter().sum::<f64>() / quietest.len() as f64 + MARGIN;
    let loudest = |levels: &[f64]| levels.iter().copied().fold(NOTHING, f64::max);
    let heard = late.len() > STEPS && loudest(late) > floor + LEAST_RISE;
    let late = heard.then(|| line(late, split as f64 * step, step, floor));
    let rest = |(i, level): (usize, &f64)| {
        let later = late.map_or(0.0, |line: Line| 10_f64.powf(0.1 * (line.level - line.slope * i as f64 * step)));
        (10.0 * (10_f64.powf(0.1 * level) - later).max(1e-30).log10()).max(NOTHING)
    };
    let rest: Vec<f64> = early.iter().enumerate().map(rest).collect();
    let top = loudest(&rest);
    let early = (top > NOTHING + COUNTED).then(|| line(&rest, 0.0, step, top - EARLY_FITTED));
    let slowest = late.map_or(SLOPES.0, |line| line.slope);
    [late, early.map(|line| Line { slope: line.slope.max(slowest), ..line })]
}

/// The line from the loudest of `levels` down to `floor` [dB]; the first is at `start` [s].
fn line(levels: &[f64], start: f64, step: f64, floor: f64) -> Line {
    let first = levels.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))).map_or(0, |(i, _)| i);
    let top = levels[first];
    let end = levels[first..].iter().position(|&level| level < floor.max(top - FITTED)).map_or(levels.len(), |n| first + n);
    let end = end.max((first + 3).min(levels.len()));
    if end - first < 3 {
        return Line { level: top, slope: SHORT };
    }
    let points = (first..end).map(|i| (start + i as f64 * step, levels[i].max(top - COUNTED)));
    let (level, slope) = regression(points);
    if slope >= 0.0 {
        return Line { level: top, slope: RISING };
    }
    Line { level: level.min(top + MOST_ABOVE), slope: (-slope).clamp(SLOPES.0, SLOPES.1) }
}

/// Value at 0 and slope of the straight line with the least squares.
fn regression(points: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let count = points.clone().count() as f64;
    let (x, y) = points.clone().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (square, product) =
        points.fold((0.0, 0.0), |(a, b), point| (a + (point.0 - x).powi(2), b + (point.0 - x) * (point.1 - y)));
    let slope = product / square.max(f64::MIN_POSITIVE);
    (y - slope * x, slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    const RATE: f64 = 48e3;

    /// White noise of variance `power` that decays to -60 dB in `t60` [s].
    fn noise(seed: u64, power: f64, t60: f64) -> Vec<f64> {
        let mut random = SplitMix64::new(seed);
        let decay = 1000_f64.ln() / t60;
        let scale = (12.0 * power).sqrt();
        (0..48_000).map(|n| scale * (random.uniform() - 0.5) * (-decay * f64::from(n) / RATE).exp()).collect()
    }

    #[test]
    fn levels_decays_and_correlation_of_noise_are_found() {
        let (left, other) = (noise(1, 0.01, 0.8), noise(2, 0.01, 0.8));
        let right: Vec<f64> = left.iter().zip(&other).map(|(a, b)| 0.5 * (0.6 * a + 0.8 * b)).collect();
        let bands = noise_bands([&left, &right], RATE);
        let late: Vec<_> = bands.iter().filter(|band| band.range.0 > 3000.0 && band.decay < 20.0).collect();
        assert!(late.len() >= 8, "{} bands", late.len());
        for band in late {
            let t60 = 1000_f64.ln() / band.decay;
            let density = 0.01 / (0.5 * RATE) * (band.range.1 - band.range.0);
            let off = 10.0 * (band.power[0] / density).log10();
            assert!((t60 / 0.8 - 1.0).abs() < 0.1, "{} Hz: T60 {t60}", band.range.0);
            assert!(off.abs() < 1.5, "{} Hz: off by {off} dB", band.range.0);
            assert!((band.power[1] / band.power[0] - 0.25).abs() < 0.06 && (band.correlation - 0.6).abs() < 0.1);
        }
    }

    #[test]
    fn a_sine_is_no_noise() {
        let mut signal = noise(3, 1e-8, 1.0);
        signal.iter_mut().enumerate().for_each(|(n, x)| {
            *x += 0.5 * (n as f64 / 9600.0).min(1.0).powi(3) * (std::f64::consts::TAU * 9000.0 * n as f64 / RATE).cos()
        });
        let bands = noise_bands([&signal, &signal], RATE);
        let loudest = bands.iter().filter(|band| band.range.0 > 5000.0).map(|band| band.power[0]).fold(0.0, f64::max);
        assert!(loudest < 1e-5, "{loudest}");
    }

    #[test]
    fn silence_and_short_signals_have_none() {
        assert!(noise_bands([&[0.0; 9600]; 2], RATE).is_empty() && noise_bands([&[1.0; 100]; 2], RATE).is_empty());
    }
}
