//! By how much a sound has to be higher or lower to resemble another.

use crate::io::Sound;
use crate::realism::fourier::{hann, padded_spectrum, windowed};

/// Frames of the transform.
const FRAMES: usize = 1 << 15;
/// Steps in an octave.
const STEPS: usize = 24;
/// Octaves above [`LOWEST`].
const OCTAVES: usize = 8;
/// Lowest frequency [Hz].
const LOWEST: f64 = 40.0;
/// Levels further below the largest do not count [dB].
const RANGE: f64 = 40.0;

/// Levels of the first half second by quarter tones [dB above 40 dB below the largest].
fn levels(sound: &Sound) -> Vec<f64> {
    let rate = f64::from(sound.rate);
    let part = &sound.channels[0][..sound.frames().min((0.5 * rate) as usize)];
    let window = hann(2 * part.len());
    let bins = padded_spectrum(windowed(part, &window[part.len()..]), FRAMES.max(part.len().next_power_of_two()));
    let frames = 2 * (bins.len() - 1);
    let power: Vec<f64> = bins.iter().map(|bin| bin.norm_sqr()).collect();
    let smooth = |n: usize| power[n.saturating_sub(1)..(n + 2).min(power.len())].iter().sum::<f64>() / 3.0;
    let level = |step: usize| {
        let place = (LOWEST * 2_f64.powf(step as f64 / STEPS as f64) * frames as f64 / rate).min((power.len() - 1) as f64);
        let (low, part) = (place as usize, place.fract());
        let next = (low + 1).min(power.len() - 1);
        10.0 * ((1.0 - part) * smooth(low) + part * smooth(next) + 1e-20).log10()
    };
    let levels: Vec<f64> = (0..STEPS * OCTAVES).map(level).collect();
    let top = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    levels.into_iter().map(|level| (level - top + RANGE).max(0.0)).collect()
}

/// Semitones, at most `most`, by which `sound` should be higher to resemble `recording`.
pub fn best_shift(recording: &Sound, sound: &Sound, most: f64) -> f64 {
    let (wanted, found) = (levels(recording), levels(sound));
    let most = (most * STEPS as f64 / 12.0) as isize;
    let likeness = |shift: isize| {
        let pair = |n: isize| Some((wanted.get(usize::try_from(n + shift).ok()?)?, found.get(usize::try_from(n).ok()?)?));
        let pairs = || (0..found.len() as isize).filter_map(pair);
        let sum = |product: fn(f64, f64) -> f64| pairs().map(|(a, b)| product(*a, *b)).sum::<f64>();
        sum(|a, b| a * b) / (sum(|a, _| a * a) * sum(|_, b| b * b) + 1e-9).sqrt()
    };
    let rated = (-most..=most).map(|shift| (likeness(shift), shift));
    // of equals the highest shift, as the reference program chooses
    let best = rated.fold((-1.0, 0), |best, next| if next.0 >= best.0 { next } else { best });
    best.1 as f64 * 12.0 / STEPS as f64
}
