//! A WAV file as the recording of one strike.

use crate::formats::WavFile;
use urto_physics::analysis::Recording;

/// The first two channels of `wave`, or its only one. Allocates.
pub fn recorded_strike(wave: &WavFile) -> Recording {
    let channel = |n: usize| wave.channel(n).into_iter().map(f64::from).collect();
    Recording { channels: (0..wave.channels.min(2)).map(channel).collect(), rate: f64::from(wave.rate) }
}
