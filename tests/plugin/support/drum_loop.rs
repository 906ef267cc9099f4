//! A drum loop as an input signal.

use std::f32::consts::TAU;

use crate::support::engine_reference::{Stereo, dice};

/// Rate of the loop [Hz].
pub const RATE: f64 = 48_000.0;
/// Distance of two drums [frames].
const STEP: usize = 6000;

/// Two bars of bass drum and snare, left and right a little different, full scale 1.
pub fn drums(frames: usize) -> Stereo {
    let mut next = dice(5);
    let mut sound: Stereo = [vec![0.0; frames], vec![0.0; frames]];
    for start in (0..frames).step_by(STEP) {
        let snare = (start / STEP) % 4 == 2;
        for n in 0..STEP.min(frames - start) {
            let t = n as f32 / RATE as f32;
            let hiss = next() as f32 / (1u32 << 30) as f32 - 1.0;
            let drum =
                if snare { 0.7 * hiss * (-t / 0.04).exp() } else { (TAU * (50.0 * t + 3.0 * (1.0 - (-t / 0.02).exp()))).sin() };
            let hit = 0.9 * drum * (-t / 0.08).exp();
            [sound[0][start + n], sound[1][start + n]] = [hit, 0.8 * hit];
        }
    }
    sound
}

/// Largest step between two samples in the frames `part` of either channel.
pub fn largest_step(sound: &Stereo, part: std::ops::Range<usize>) -> f32 {
    let step =
        |channel: &Vec<f32>| channel[part.clone()].windows(2).fold(0.0f32, |most, pair| most.max((pair[1] - pair[0]).abs()));
    sound.iter().map(step).fold(0.0, f32::max)
}

/// Nothing but zeros in the frames `part`.
pub fn is_silent(sound: &Stereo, part: std::ops::Range<usize>) -> bool {
    sound.iter().all(|channel| channel[part.clone()].iter().all(|&sample| sample == 0.0))
}

/// Frames until both channels give nothing but zeros.
pub fn time_to_silence(sound: &Stereo) -> usize {
    sound.iter().filter_map(|channel| channel.iter().rposition(|&sample| sample != 0.0)).max().map_or(0, |last| last + 1)
}
