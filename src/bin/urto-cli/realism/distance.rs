//! The distance D of two sounds: the mean difference of their mel spectrograms.
//!
//! 48 bands from 40 Hz to 16 kHz, frames evenly spaced in the logarithm of time, levels matched by their median, both cut 50 dB below the
//! recording's maximum. D compares levels and decays only: noise with the band envelopes of a recording scores 1.3 to 4 dB.

use urto_fourier::Complex64;

use crate::io::Sound;
use crate::realism::fourier::hann;
use urto_fourier::spectrum;

/// Window of a frame [frames].
const WINDOW: usize = 2048;
/// Time between two frames [frames].
const HOP: usize = 256;
/// Frames in a doubling of time.
const FRAMES_AN_OCTAVE: f64 = 12.0;
/// Frames at the end that are left out: they lie within one window of it.
const LAST: usize = 8;
/// Number of mel bands.
const BANDS: usize = 48;
/// Lowest and highest edge of the bands [Hz]; the highest is also at most 0.45 of the rate.
const EDGES: (f64, f64) = (40.0, 16_000.0);
/// Cells within this of the maximum match the levels [dB].
const HOT: f64 = 30.0;
/// Power below which a cell is silent.
const SILENCE: f64 = 1e-20;
/// End of the early part [s].
const EARLY: f64 = 0.1;

/// Levels by frame and band [dB].
type Levels = Vec<Vec<f64>>;

/// Distances of two sounds [dB].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Distance {
    /// Of all cells.
    pub all: f64,
    /// Of the first 100 ms.
    pub early: f64,
    /// After them.
    pub late: f64,
    /// Of the spectra, averaged over time: microphone and radiation count here.
    pub spectrum: f64,
    /// Of what remains: how the bands decay.
    pub decay: f64,
}

/// The frames of a sound at the times of the distance: bins of every channel.
pub struct Frames {
    /// By frame, then by channel.
    bins: Vec<Vec<Vec<Complex64>>>,
    /// Times of the frames [s].
    times: Vec<f64>,
    rate: u32,
}

impl Frames {
    /// The frames of the first `frames` frames of `sound`.
    pub fn new(sound: &Sound, frames: usize) -> Self {
        let grid = grid(1 + (frames + WINDOW / 2) / HOP);
        let window = hann(WINDOW);
        let at = |index: usize, channel: &Vec<f64>| {
            let start = (index * HOP) as isize - (WINDOW / 2) as isize;
            let sample = |n: usize| {
                let place = start + n as isize;
                if place < 0 || place as usize >= frames { 0.0 } else { channel.get(place as usize).copied().unwrap_or(0.0) }
            };
            spectrum(&(0..WINDOW).map(|n| sample(n) * window[n]).collect::<Vec<_>>())
        };
        let bins = grid.iter().map(|&index| sound.channels.iter().map(|channel| at(index, channel)).collect()).collect();
        let times = grid.iter().map(|&index| (index * HOP) as f64 / f64::from(sound.rate)).collect();
        Self { bins, times, rate: sound.rate }
    }

    /// The frames of this sound with two channels, each plus `gain` times a channel of `other`.
    pub fn plus(&self, other: &Self, gain: f64) -> Self {
        let sum = |own: &Vec<Vec<Complex64>>, added: &Vec<Vec<Complex64>>| {
            let side = |n: usize| {
                own[n.min(own.len() - 1)].iter().zip(&added[n]).map(|(own, added)| own + added * gain).collect::<Vec<_>>()
            };
            (0..2).map(side).collect()
        };
        let bins = self.bins.iter().zip(&other.bins).map(|(own, added)| sum(own, added)).collect();
        Self { bins, times: self.times.clone(), rate: self.rate }
    }

    /// Levels of the mel bands [dB].
    fn levels(&self) -> Levels {
        let bands = bands(f64::from(self.rate));
        let power = |channels: &Vec<Vec<Complex64>>, bin: usize| {
            channels.iter().map(|channel| channel[bin].norm_sqr()).sum::<f64>() / channels.len() as f64
        };
        let band = |channels: &Vec<Vec<Complex64>>, weights: &Vec<(usize, f64)>| {
            10.0 * (weights.iter().map(|&(bin, weight)| weight * power(channels, bin)).sum::<f64>() + SILENCE).log10()
        };
        self.bins.iter().map(|channels| bands.iter().map(|weights| band(channels, weights)).collect()).collect()
    }
}

/// Indices of the frames out of `count`, evenly spaced in the logarithm of time.
fn grid(count: usize) -> Vec<usize> {
    if count <= 12 {
        return (0..count).collect();
    }
    let (last, number) = ((count - LAST) as f64, (FRAMES_AN_OCTAVE * (count as f64).log2()) as usize);
    let place = |n: usize| last.powf(n as f64 / (number - 1) as f64).round_ties_even() as usize;
    let mut places: Vec<usize> = (0..number).map(place).collect();
    places.dedup();
    places
}

/// Triangular weights of the bins of every band, with the sum 1.
fn bands(rate: f64) -> Vec<Vec<(usize, f64)>> {
    let mel = |hertz: f64| 2595.0 * (1.0 + hertz / 700.0).log10();
    let (low, high) = (mel(EDGES.0), mel(EDGES.1.min(0.45 * rate)));
    let edge = |n: usize| low + (high - low) * n as f64 / (BANDS + 1) as f64;
    let band = |n: usize| {
        let (from, middle, to) = (edge(n), edge(n + 1), edge(n + 2));
        let weight = |bin: usize| {
            let place = mel(bin as f64 * rate / WINDOW as f64);
            ((place - from) / (middle - from)).min((to - place) / (to - middle)).max(0.0)
        };
        let weights: Vec<(usize, f64)> = (0..=WINDOW / 2).map(|bin| (bin, weight(bin))).filter(|(_, w)| *w > 0.0).collect();
        let sum = weights.iter().map(|(_, weight)| weight).sum::<f64>().max(1e-9);
        weights.into_iter().map(|(bin, weight)| (bin, weight / sum)).collect()
    };
    (0..BANDS).map(band).collect()
}

/// The middle of `values`; 0 for none.
pub fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { 0.5 * (values[middle - 1] + values[middle]) } else { values[middle] }
}

/// The distance of `other` from `recording`, both made of equally many frames; `range`: how far below the maximum cells count [dB].
pub fn distance(recording: &Frames, other: &Frames, range: f64) -> Distance {
    let (wanted, mut found) = (recording.levels(), other.levels());
    let cells = || (0..wanted.len()).flat_map(|frame| (0..BANDS).map(move |band| (frame, band)));
    let top = cells().map(|(frame, band)| wanted[frame][band]).fold(f64::NEG_INFINITY, f64::max);
    let mut raise = |counts: &dyn Fn(f64, f64) -> bool| {
        let counted = cells().filter(|&(frame, band)| counts(wanted[frame][band], found[frame][band]));
        let gain = median(counted.map(|(frame, band)| wanted[frame][band] - found[frame][band]).collect());
        found.iter_mut().flatten().for_each(|level| *level += gain);
    };
    raise(&|wanted, _| wanted > top - HOT);
    raise(&|wanted, found| wanted > top - HOT || found > top - HOT);
    let floor = top - range;
    let (mut sums, mut counts) = ([[0.0_f64; BANDS]; 2], [0.0_f64; BANDS]);
    let (mut early, mut late) = ((0.0_f64, 0.0_f64), (0.0_f64, 0.0_f64));
    let mut used = Vec::new();
    for (frame, band) in cells() {
        let (wanted, found) = (wanted[frame][band], found[frame][band]);
        if wanted.max(found) <= floor {
            continue;
        }
        let difference = found.max(floor) - wanted.max(floor);
        used.push((band, difference));
        sums[0][band] += difference;
        sums[1][band] += difference.abs();
        counts[band] += 1.0;
        let part = if recording.times[frame] < EARLY { &mut early } else { &mut late };
        *part = (part.0 + difference.abs(), part.1 + 1.0);
    }
    let count = (used.len() as f64).max(1.0);
    let mean = |band: usize| sums[0][band] / counts[band].max(1.0);
    Distance {
        all: sums[1].iter().sum::<f64>() / count,
        early: early.0 / early.1.max(1.0),
        late: late.0 / late.1.max(1.0),
        spectrum: (0..BANDS).map(|band| mean(band).abs() * counts[band]).sum::<f64>() / count,
        decay: used.iter().map(|&(band, difference)| (difference - mean(band)).abs()).sum::<f64>() / count,
    }
}
