//! The WAV file that is written: stereo, 32-bit float or 24-bit.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use hound::{SampleFormat, WavSpec, WavWriter};

use crate::io::error::Complaint;
use crate::io::output_file::Draft;

/// Most frames of stereo float: sizes in a WAV header have 32 bits.
pub const MOST_FRAMES: u64 = (u32::MAX as u64 - 256) / 8;

/// How samples are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Bits {
    /// Whole numbers of 24 bits, rounded without dither.
    #[value(name = "24")]
    Whole24,
    /// Floating point of 32 bits.
    #[value(name = "32")]
    Float32,
}

/// A stereo WAV file that appears only when it is complete.
pub struct Wav {
    draft: Draft,
    writer: WavWriter<BufWriter<File>>,
    bits: Bits,
}

impl Wav {
    /// Begins the file `place` at `sample_rate` [Hz].
    pub fn create(place: &Path, sample_rate: u32, bits: Bits) -> Result<Self, Complaint> {
        let (draft, file) = Draft::create(place)?;
        let (bits_per_sample, sample_format) = match bits {
            Bits::Whole24 => (24, SampleFormat::Int),
            Bits::Float32 => (32, SampleFormat::Float),
        };
        let spec = WavSpec { channels: 2, sample_rate, bits_per_sample, sample_format };
        let writer = WavWriter::new(BufWriter::new(file), spec).map_err(|error| failed(place, error))?;
        Ok(Self { draft, writer, bits })
    }

    /// Appends samples.
    pub fn write(&mut self, left: &[f32], right: &[f32]) -> Result<(), Complaint> {
        for sample in left.iter().zip(right).flat_map(|(&left, &right)| [left, right]) {
            let written = match self.bits {
                Bits::Float32 => self.writer.write_sample(sample),
                Bits::Whole24 => self.writer.write_sample(whole24(sample)),
            };
            written.map_err(|error| failed(self.draft.place(), error))?;
        }
        Ok(())
    }

    /// Completes the file and gives it its name.
    pub fn publish(self) -> Result<(), Complaint> {
        self.writer.finalize().map_err(|error| failed(self.draft.place(), error))?;
        self.draft.publish()
    }
}

/// Full scale 1 is 2^23.
fn whole24(sample: f32) -> i32 {
    const FULL: f64 = (1 << 23) as f64;
    (f64::from(sample) * FULL).round().clamp(-FULL, FULL - 1.0) as i32
}

fn failed(place: &Path, error: hound::Error) -> Complaint {
    match error {
        hound::Error::IoError(error) => Complaint::unwritable(place, &error),
        other => Complaint::about(place, format_args!("cannot be written ({other})"), "choose another place"),
    }
}
