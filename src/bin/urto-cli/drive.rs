//! The side-chain of a rendering: a WAV file of any rate, heard in mono.

use std::path::Path;

use hound::{SampleFormat, WavReader};
use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Async, FixedAsync, Resampler, SincInterpolationParameters};

use crate::complaint::Complaint;

/// Frames that the resampler takes at a time.
const CHUNK: usize = 1024;

/// The mean of the channels of a WAV file, full scale 1, at `sample_rate` [Hz]. Errors: missing, damaged or not finite.
pub fn read(file: &Path, sample_rate: u32) -> Result<Vec<f32>, Complaint> {
    let damaged = |error| match error {
        hound::Error::IoError(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => Complaint::unreadable(file, &error),
        other => Complaint::about(file, format_args!("not a WAV file that can be read ({other})"), "give a PCM or float WAV"),
    };
    let reader = WavReader::open(file).map_err(damaged)?;
    let spec = reader.spec();
    if spec.channels == 0 || spec.sample_rate == 0 {
        return Err(Complaint::about(file, "a WAV file without channels or sample rate", "save it anew"));
    }
    let samples: Vec<f32> = match spec.sample_format {
        SampleFormat::Float => reader.into_samples::<f32>().collect::<Result<_, _>>().map_err(damaged)?,
        SampleFormat::Int => {
            let full = 2f64.powi(i32::from(spec.bits_per_sample) - 1);
            let samples = reader.into_samples::<i32>();
            samples.map(|sample| sample.map(|s| (f64::from(s) / full) as f32)).collect::<Result<_, _>>().map_err(damaged)?
        }
    };
    if let Some(place) = samples.iter().position(|sample| !sample.is_finite()) {
        let second = (place / usize::from(spec.channels)) as f64 / f64::from(spec.sample_rate);
        return Err(Complaint::about(file, format_args!("not a finite number at {second:.6} s"), "save it anew"));
    }
    let channels = usize::from(spec.channels);
    let mono: Vec<f32> = samples.chunks_exact(channels).map(|frame| frame.iter().sum::<f32>() / channels as f32).collect();
    if spec.sample_rate == sample_rate || mono.is_empty() {
        return Ok(mono);
    }
    resample(&mono, f64::from(sample_rate) / f64::from(spec.sample_rate)).map_err(|error| {
        let problem = format!("cannot be brought from {} to {sample_rate} Hz ({error})", spec.sample_rate);
        Complaint::about(file, problem, format_args!("save it at {sample_rate} Hz"))
    })
}

/// Windowed sinc, start aligned.
fn resample(mono: &[f32], ratio: f64) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    let parameters = SincInterpolationParameters::default();
    let mut resampler = Async::<f32>::new_sinc(ratio, 1.0, &parameters, CHUNK, 1, FixedAsync::Input)?;
    let output = resampler.process_all(&InterleavedSlice::new(mono, 1, mono.len())?, mono.len(), None)?;
    Ok(output.take_data())
}
