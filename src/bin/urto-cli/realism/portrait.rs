//! What one stroke sounds like, in figures: partials, grain, level between partials, brightness, decay, stereo.
//!
//! All figures but the stereo ones are those of the louder channel.

use urto_fourier::spectrum;

use crate::io::Sound;
use crate::realism::attack::Attack;
use crate::realism::distance::median;
use crate::realism::fourier::{hann, part, rise_and_fall, windowed};
use crate::realism::glide::Glide;
use crate::realism::partials::{Partial, decay_time, louder, partials};
use crate::realism::pitch_pattern::PitchPattern;
use crate::realism::unsteadiness::unsteadiness;

/// Centres of the octaves [Hz].
pub const OCTAVES: [f64; 9] = [63.0, 125.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 16_000.0];
/// Octaves whose flatness is judged: 2 to 8 kHz.
const JUDGED: std::ops::Range<usize> = 5..8;
/// Parts in which the level between partials is measured [s].
const BETWEEN: [(f64, f64); 2] = [(0.0, 0.06), (0.1, 0.4)];
/// Frequencies between which it is the median [Hz].
const BETWEEN_BAND: (f64, f64) = (300.0, 8000.0);
/// Part of the flatness [s].
const FLATNESS_PART: (f64, f64) = (0.03, 0.43);
/// Times of the centroid [s].
const CENTROIDS: [f64; 2] = [0.02, 0.3];
/// Window and step of spectra over time [frames].
const FRAME: (usize, usize) = (2048, 256);
/// Least share of the largest power at which a centroid is measured.
const AUDIBLE: f64 = 1e-6;

/// The figures of one stroke.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// Partials of the first second.
    pub partials: Vec<Partial>,
    /// Geometric over arithmetic mean of the power by octave; 0.56 is noise, 0 is tones. `None` above the band limit.
    pub flatness: [Option<f64>; 9],
    /// How unsteadily narrow bands decay [dB]; 5 is noise.
    pub unsteadiness: Option<f64>,
    /// Median level between 0.3 and 8 kHz under the peak, in the first 60 ms and from 100 to 400 ms [dB].
    pub between: [Option<f64>; 2],
    /// Spectral centroid at 20 and at 300 ms [Hz].
    pub centroid: [Option<f64>; 2],
    /// Time to -60 dB by octave [s].
    pub t60: [Option<f64>; 9],
    /// Side over mid [dB]; `None` for mono.
    pub width: Option<f64>,
    /// Pitch of the strongest low partial over time.
    pub glide: Option<Glide>,
    /// The first 20 ms.
    pub attack: Attack,
    /// The pattern of its partials.
    pub pattern: PitchPattern,
}

impl Portrait {
    /// The portrait of `sound`, which starts 2 ms before its onset.
    pub fn of(sound: &Sound) -> Self {
        let (mono, rate) = (louder(sound), f64::from(sound.rate));
        let partials = partials(mono, rate);
        let frames = Spectra::of(mono, rate);
        Self {
            flatness: flatness(mono, rate),
            unsteadiness: unsteadiness(mono, rate),
            between: BETWEEN.map(|part| between(mono, rate, part)),
            centroid: CENTROIDS.map(|time| frames.centroid(time)),
            t60: frames.octave_decays(),
            width: width(sound),
            glide: Glide::of(mono, rate, &partials),
            attack: Attack::of(mono, rate),
            pattern: PitchPattern::of(mono, rate),
            partials,
        }
    }

    /// Mean flatness from 2 to 8 kHz.
    pub fn judged_flatness(&self) -> Option<f64> {
        let values: Vec<f64> = self.flatness[JUDGED].iter().flatten().copied().collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

/// Geometric over arithmetic mean; `None` for few values or silence.
fn evenness(powers: &[f64]) -> Option<f64> {
    let mean = powers.iter().sum::<f64>() / powers.len() as f64;
    let logarithm = powers.iter().map(|power| (power + 1e-20).ln()).sum::<f64>() / powers.len() as f64;
    (powers.len() >= 8 && mean > 1e-18).then(|| (logarithm.exp() / mean).min(1.0))
}

fn flatness(mono: &[f64], rate: f64) -> [Option<f64>; 9] {
    let part = part(mono, rate, FLATNESS_PART);
    if part.len() < 64 {
        return [None; 9];
    }
    let power: Vec<f64> = spectrum(&windowed(part, &hann(part.len()))).iter().map(|bin| bin.norm_sqr()).collect();
    let step = rate / part.len() as f64;
    OCTAVES.map(|centre| {
        let bins = (centre / 1.41 / step).ceil() as usize..((centre * 1.41 / step) as usize + 1).min(power.len());
        (centre * 1.41 <= rate / 2.0 && bins.len() > 16).then(|| evenness(&power[bins])).flatten()
    })
}

fn between(mono: &[f64], rate: f64, bounds: (f64, f64)) -> Option<f64> {
    let part = part(mono, rate, bounds);
    let rise = (rate / 500.0) as usize;
    if (part.len() as f64) < 0.02 * rate {
        return None;
    }
    let window = if bounds.0 > 0.0 { hann(part.len()) } else { rise_and_fall(rise, part.len()) };
    let levels: Vec<f64> = spectrum(&windowed(part, &window)).iter().map(|bin| 20.0 * (bin.norm() + 1e-12).log10()).collect();
    let step = rate / part.len() as f64;
    let top = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_inside = |bin: &usize| (BETWEEN_BAND.0..BETWEEN_BAND.1).contains(&(*bin as f64 * step));
    let inside: Vec<f64> = (0..levels.len()).filter(is_inside).map(|bin| levels[bin]).collect();
    Some(median(inside) - top)
}

fn width(sound: &Sound) -> Option<f64> {
    let [left, right] = &sound.channels[..] else { return None };
    let energy = |sum: fn(f64, f64) -> f64| left.iter().zip(right).map(|(l, r)| sum(*l, *r).powi(2)).sum::<f64>() + 1e-20;
    Some(10.0 * (energy(|l, r| l - r) / energy(|l, r| l + r)).log10())
}

/// Power spectra over time.
struct Spectra {
    /// By frame and bin.
    power: Vec<Vec<f64>>,
    /// Distance of the bins [Hz].
    step: f64,
    /// Distance of the frames [s].
    time: f64,
}

impl Spectra {
    /// Frames centred on every 256th sample, of the first four seconds.
    fn of(mono: &[f64], rate: f64) -> Self {
        let (frames, hop) = FRAME;
        let window = hann(frames);
        let used = mono.len().min((4.0 * rate) as usize);
        let padded: Vec<f64> = std::iter::repeat_n(0.0, frames / 2)
            .chain(mono[..used].iter().copied())
            .chain(std::iter::repeat_n(0.0, frames))
            .collect();
        let power = padded.windows(frames).step_by(hop);
        let power = power.map(|part| spectrum(&windowed(part, &window)).iter().map(|bin| bin.norm_sqr()).collect()).collect();
        Self { power, step: rate / frames as f64, time: hop as f64 / rate }
    }

    fn centroid(&self, time: f64) -> Option<f64> {
        let sum = |power: &Vec<f64>| power.iter().sum::<f64>();
        let largest = self.power.iter().map(sum).fold(0.0, f64::max);
        let power = self.power.get((time / self.time) as usize).filter(|power| sum(power) > AUDIBLE * largest)?;
        let weighted: f64 = power.iter().enumerate().map(|(bin, power)| bin as f64 * self.step * power).sum();
        Some(weighted / (sum(power) + 1e-20))
    }

    fn octave_decays(&self) -> [Option<f64>; 9] {
        let level = |power: &Vec<f64>, centre: f64| {
            let bins = (centre / 1.41 / self.step).ceil() as usize..((centre * 1.41 / self.step) as usize + 1).min(power.len());
            10.0 * (power.get(bins).map_or(0.0, |bins| bins.iter().sum::<f64>()) + 1e-20).log10()
        };
        let lines = OCTAVES.map(|centre| self.power.iter().map(|power| level(power, centre)).collect::<Vec<f64>>());
        let top = |line: &Vec<f64>| line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let loudest = lines.iter().map(top).fold(f64::NEG_INFINITY, f64::max);
        lines.map(|line| {
            let time = decay_time(&line, self.time);
            (top(&line) > loudest - 50.0 && time.is_finite()).then_some(time)
        })
    }
}
