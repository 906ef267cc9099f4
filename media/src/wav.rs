//! Stereo sound and its 24-bit WAV files.

use anyhow::{Context, Result};
use std::path::Path;

/// Left and right channel, full scale 1.
pub type Stereo = [Vec<f32>; 2];

/// Sound of a file.
pub struct Recording {
    pub sound: Stereo,
    /// Sample rate [Hz].
    pub rate: f64,
}

/// Reads a stereo WAV of 24 bits.
pub fn read(file: &Path) -> Result<Recording> {
    let mut wav = hound::WavReader::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let rate = f64::from(wav.spec().sample_rate);
    let mut sound: Stereo = Default::default();
    for (i, sample) in wav.samples::<i32>().enumerate() {
        sound[i % 2].push(sample? as f32 / 8_388_608.0);
    }
    Ok(Recording { sound, rate })
}

/// Writes a stereo WAV of 24 bits.
pub fn write(file: &Path, sound: &Stereo, rate: f64) -> Result<()> {
    let spec =
        hound::WavSpec { channels: 2, sample_rate: rate as u32, bits_per_sample: 24, sample_format: hound::SampleFormat::Int };
    let mut wav = hound::WavWriter::create(file, spec).with_context(|| format!("cannot write {}", file.display()))?;
    for (left, right) in sound[0].iter().zip(&sound[1]) {
        for sample in [left, right] {
            wav.write_sample((f64::from(*sample) * 8_388_607.0).round() as i32)?;
        }
    }
    Ok(wav.finalize()?)
}
