//! WAV files: the output of renderings, drive signals, and recordings.
//!
//! Output is stereo, 32-bit float or 24-bit integer. The drive signal of a rendering is read at the rate of the rendering, a
//! recording in mono at its own rate.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use hound::{SampleFormat, WavSpec, WavWriter};
use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Async, FixedAsync, Resampler, SincInterpolationParameters};

use crate::io::error::CliError;
use crate::io::output_file::PendingFile;
use urto_engine::formats::{WavError, WavFile};

/// Maximum number of frames of stereo float: sizes in a WAV header have 32 bits.
pub const MAX_FRAMES: u64 = (u32::MAX as u64 - 256) / 8;

/// Input frames of the resampler at a time.
const CHUNK: usize = 1024;

/// Sample formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Bits {
    /// 24-bit PCM without dither.
    #[value(name = "24")]
    Whole24,
    /// 32-bit floating point.
    #[value(name = "32")]
    Float32,
}

/// A stereo WAV file that gets its name only when it is complete.
pub struct Wav {
    pending: PendingFile,
    writer: WavWriter<BufWriter<File>>,
    bits: Bits,
}

impl Wav {
    /// Creates the file `path` at `sample_rate` [Hz].
    pub fn create(path: &Path, sample_rate: u32, bits: Bits) -> Result<Self, CliError> {
        let (pending, file) = PendingFile::create(path)?;
        let (bits_per_sample, sample_format) = match bits {
            Bits::Whole24 => (24, SampleFormat::Int),
            Bits::Float32 => (32, SampleFormat::Float),
        };
        let spec = WavSpec { channels: 2, sample_rate, bits_per_sample, sample_format };
        let writer = WavWriter::new(BufWriter::new(file), spec).map_err(|error| write_error(path, error))?;
        Ok(Self { pending, writer, bits })
    }

    /// Appends samples.
    pub fn write(&mut self, left: &[f32], right: &[f32]) -> Result<(), CliError> {
        for sample in left.iter().zip(right).flat_map(|(&left, &right)| [left, right]) {
            let written = match self.bits {
                Bits::Float32 => self.writer.write_sample(sample),
                Bits::Whole24 => self.writer.write_sample(to_24_bit(sample)),
            };
            written.map_err(|error| write_error(self.pending.path(), error))?;
        }
        Ok(())
    }

    /// Completes the file and gives it its name.
    pub fn publish(self) -> Result<(), CliError> {
        self.writer.finalize().map_err(|error| write_error(self.pending.path(), error))?;
        self.pending.publish()
    }
}

/// A sample of full scale 1 as an integer of full scale 2^23.
fn to_24_bit(sample: f32) -> i32 {
    const FULL: f64 = (1 << 23) as f64;
    (f64::from(sample) * FULL).round().clamp(-FULL, FULL - 1.0) as i32
}

fn write_error(path: &Path, error: hound::Error) -> CliError {
    match error {
        hound::Error::IoError(error) => CliError::unwritable(path, &error),
        _ => CliError::about(path, "cannot be written", "choose another file or folder"),
    }
}

/// The first two channels of a WAV file, full scale 1, at `sample_rate` [Hz]; the second is empty for a mono file. Errors:
/// missing, damaged or not finite.
pub fn read(file: &Path, sample_rate: u32) -> Result<[Vec<f32>; 2], CliError> {
    let wave = wave(file)?;
    let resampled = |signal: Vec<f32>| {
        if wave.rate == sample_rate || signal.is_empty() {
            return Ok(signal);
        }
        resample(&signal, wave.rate, sample_rate).map_err(|_| {
            let problem = format!("cannot be resampled from {} to {sample_rate} Hz", wave.rate);
            CliError::about(file, problem, format_args!("save it at {sample_rate} Hz"))
        })
    };
    Ok([resampled(wave.channel(0))?, resampled(wave.channel(1))?])
}

/// The mean of the channels of a WAV file, full scale 1, and its rate [Hz]. Errors: as of [`read`].
pub fn mono(file: &Path) -> Result<(Vec<f32>, u32), CliError> {
    let wave = wave(file)?;
    Ok((wave.mono(), wave.rate))
}

fn wave(file: &Path) -> Result<WavFile, CliError> {
    WavFile::read(file).map_err(|error| match error {
        WavError::System(error) => CliError::unreadable(file, &error),
        WavError::Content(problem, remedy) => CliError::about(file, problem, remedy),
    })
}

/// Resamples with a windowed sinc. The filter's delay (half its length, minus one output frame in rubato 5) and the silence before the
/// signal are a whole number of output frames, which are dropped: frame 0 stays frame 0 (within 1/128).
fn resample(mono: &[f32], from: u32, to: u32) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    let ratio = f64::from(to) / f64::from(from);
    let parameters = SincInterpolationParameters::default();
    let mut resampler = Async::<f32>::new_sinc(ratio, 1.0, &parameters, CHUNK, 1, FixedAsync::Input)?;
    let half = parameters.sinc_len / 2;
    let period = (from / greatest_common_divisor(from, to)) as usize;
    let silence = (half + 1).next_multiple_of(period) + period - half;
    let delay = (half + silence) as u64 * u64::from(to) / u64::from(from) - 1;
    let trimmed = resampler.output_delay();
    let padded: Vec<f32> = std::iter::repeat_n(0.0, silence).chain(mono.iter().copied()).collect();
    let output = resampler.process_all(&InterleavedSlice::new(&padded, 1, padded.len())?, padded.len(), None)?;
    Ok(output.take_data().split_off(delay as usize - trimmed))
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(sample_rate: f64, frames: usize) -> Vec<f32> {
        let step = std::f64::consts::TAU * 440.0 / sample_rate;
        // fades in, so that its spectrum is below the band limit
        (0..frames).map(|n| ((n as f64 * step).sin() * (n as f64 / sample_rate * 20.0).min(1.0).powi(3)) as f32).collect()
    }

    #[test]
    fn resampling_keeps_the_signal_and_its_time() {
        for rate in [22_050, 44_100, 96_000] {
            let resampled = resample(&sine(f64::from(rate), rate as usize / 2), rate, 48_000).expect("a signal");
            let expected = sine(48_000.0, 24_000);
            assert!(resampled.len().abs_diff(24_000) <= 1, "{} frames", resampled.len());
            let inner = 0..23_000;
            let worst = inner.map(|n| (resampled[n] - expected[n]).abs()).fold(0.0, f32::max);
            // 0.02 frames of a sine whose slope is 0.0576 per frame
            assert!(worst < 0.02 * 0.0576, "{rate} Hz: {worst}");
        }
    }
}
