//! Sounds made from a recording that are not the instrument: they show what the measures hear.

use urto_fourier::Complex64;
use urto_physics::random::SplitMix64;

use crate::io::Sound;
use crate::realism::fourier::{hann, windowed};
use crate::realism::stroke::{level, transposed};
use urto_fourier::{signal, spectrum};

/// Window and step of the band envelopes [frames].
const FRAME: (usize, usize) = (1024, 256);
/// Bands of the envelopes: lowest and highest edge [Hz], and number.
const BANDS: (f64, f64, usize) = (40.0, 16_000.0, 48);
/// Duration in which the noise follows the level by milliseconds [s], and the largest gain with which it does.
const ATTACK: f64 = 0.03;
const MOST_GAIN: f64 = 8.0;
/// Semitones by which a recording is moved.
const MOVED: f64 = 0.5;
/// Seed of the noise.
const SEED: u64 = 20;

/// The recording played 50 cents higher.
pub fn moved(sound: &Sound) -> Sound {
    transposed(sound, MOVED)
}

/// White noise with the envelopes of 48 mel bands of the recording.
pub fn noise(sound: &Sound) -> Sound {
    let mut random = SplitMix64::new(SEED);
    let mut shaped = |channel: &[f64]| shaped_noise(channel, f64::from(sound.rate), &mut random);
    let [left, right] = &sound.channels[..] else {
        return Sound { channels: vec![shaped(&sound.channels[0])], rate: sound.rate };
    };
    // mid and side, so that the noise is as wide as the recording
    let mix = |a: &[f64], b: &[f64], sign: f64| a.iter().zip(b).map(|(a, b)| 0.5 * (a + sign * b)).collect::<Vec<f64>>();
    let (mid, side) = (shaped(&mix(left, right, 1.0)), shaped(&mix(left, right, -1.0)));
    let sum = |sign: f64| mid.iter().zip(&side).map(|(mid, side)| mid + sign * side).collect();
    Sound { channels: vec![sum(1.0), sum(-1.0)], rate: sound.rate }
}

/// Edges of the bands [bins].
fn edges(rate: f64) -> Vec<usize> {
    let mel = |hertz: f64| 2595.0 * (1.0 + hertz / 700.0).log10();
    let hertz = |mel: f64| 700.0 * (10_f64.powf(mel / 2595.0) - 1.0);
    let (low, high) = (mel(BANDS.0), mel(BANDS.1.min(0.45 * rate)));
    let edge = |n: usize| hertz(low + (high - low) * n as f64 / BANDS.2 as f64) * FRAME.0 as f64 / rate;
    let mut edges: Vec<usize> = (0..=BANDS.2).map(|n| (edge(n).round() as usize).clamp(1, FRAME.0 / 2)).collect();
    edges.dedup();
    edges
}

fn shaped_noise(channel: &[f64], rate: f64, random: &mut SplitMix64) -> Vec<f64> {
    let ((frames, hop), edges) = (FRAME, edges(rate));
    // both halves of the product are windowed by the root of the window, which adds up to a constant
    let window: Vec<f64> = hann(frames + 1)[..frames].iter().map(|weight| weight.sqrt()).collect();
    let long = channel.len() + 2 * frames;
    let white: Vec<f64> = (0..long).map(|_| random.uniform() * 2.0 - 1.0).collect();
    let padded: Vec<f64> =
        std::iter::repeat_n(0.0, frames).chain(channel.iter().copied()).chain(std::iter::repeat_n(0.0, frames)).collect();
    let mut output = vec![0.0; long];
    for start in (0..=long - frames).step_by(hop) {
        let wanted = spectrum(&windowed(&padded[start..start + frames], &window));
        let mut bins = spectrum(&windowed(&white[start..start + frames], &window));
        let power = |bins: &[Complex64]| bins.iter().map(|bin| bin.norm_sqr()).sum::<f64>();
        bins[0] = Complex64::ZERO;
        for pair in edges.windows(2) {
            // the expected power of the noise, so that its own fluctuation stays
            let expected = (pair[1] - pair[0]) as f64 * frames as f64 / 6.0;
            let gain = (power(&wanted[pair[0]..pair[1]]) / expected).sqrt();
            bins[pair[0]..pair[1]].iter_mut().for_each(|bin| *bin *= gain);
        }
        bins[..edges[0]].fill(Complex64::ZERO);
        bins[edges[edges.len() - 1]..].fill(Complex64::ZERO);
        for (n, sample) in signal(bins, frames).into_iter().enumerate() {
            output[start + n] += sample * window[n] * hop as f64 / frames as f64 * 2.0;
        }
    }
    let mut noise = Sound { channels: vec![output[frames..frames + channel.len()].to_vec()], rate: rate as u32 };
    follow_attack(&mut noise, channel);
    noise.channels.swap_remove(0)
}

/// Gives `noise` the level of `channel` in every millisecond of the attack: the frames of the envelopes are longer than an attack.
fn follow_attack(noise: &mut Sound, channel: &[f64]) {
    let attack = (ATTACK * f64::from(noise.rate)) as usize;
    let wanted = level(&Sound { channels: vec![channel.to_vec()], rate: noise.rate }, attack);
    let found = level(noise, attack);
    let gains = wanted.iter().zip(found).map(|(wanted, found)| wanted / found.max(1e-9));
    noise.channels[0].iter_mut().zip(gains).for_each(|(sample, gain)| *sample *= gain.min(MOST_GAIN));
}
