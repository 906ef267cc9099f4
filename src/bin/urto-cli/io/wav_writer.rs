//! Writes WAV files: stereo, 32-bit float or 24-bit integer.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use hound::{SampleFormat, WavSpec, WavWriter};

use crate::io::error::CliError;
use crate::io::output_file::PendingFile;

/// Maximum number of frames of stereo float: sizes in a WAV header have 32 bits.
pub const MAX_FRAMES: u64 = (u32::MAX as u64 - 256) / 8;

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
