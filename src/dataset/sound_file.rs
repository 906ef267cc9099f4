//! The sound of a shard as the bytes of a WAV or FLAC file, stereo.

use std::io::Cursor;

use flacenc::bitsink::ByteSink;
use flacenc::component::BitRepr;
use flacenc::config::Encoder;
use flacenc::error::Verify;
use flacenc::source::MemSource;
use hound::{SampleFormat, WavSpec, WavWriter};

use urto_engine::formats::Origin;

use crate::dataset::error::DatasetError;

/// Frames of a FLAC block.
const BLOCK: usize = 4096;
/// Maximum sample rate of the FLAC encoder [Hz].
const MAX_FLAC_RATE: u32 = 96_000;

/// Format of the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundFormat {
    is_flac: bool,
    /// Bits of a sample: 16 or 24, or 32 for floating point.
    bits: u16,
    /// Sample rate [Hz].
    rate: u32,
}

impl SoundFormat {
    /// A format of `bits` bits at `rate` [Hz]. Errors: bits or a rate that the format does not have.
    pub(crate) fn new(is_flac: bool, bits: u16, rate: u32) -> Result<Self, DatasetError> {
        match (is_flac, bits) {
            (true, _) if rate > MAX_FLAC_RATE => Err(DatasetError::new(
                "rate",
                format_args!("FLAC files have at most {MAX_FLAC_RATE} Hz"),
                "lower it, or choose format = \"wav\"",
            )),
            (true, 32) => Err(DatasetError::new("bits", "FLAC has no 32-bit floating point", "give 16 or 24")),
            (_, 16 | 24 | 32) => Ok(Self { is_flac, bits, rate }),
            _ => Err(DatasetError::new("bits", format_args!("{bits} bits are not written"), "give 16, 24 or 32")),
        }
    }

    /// Ending of the name of a file.
    pub(crate) fn extension(self) -> &'static str {
        if self.is_flac { "flac" } else { "wav" }
    }

    /// The bytes of a file of this origin with these samples, left and right in turn, full scale 1. Errors: those of the encoder, as text.
    pub(crate) fn encode(self, samples: &[f32], origin: &Origin) -> Result<Vec<u8>, String> {
        if self.is_flac {
            let mut bytes = self.flac(samples)?;
            origin.insert_into_flac(&mut bytes);
            return Ok(bytes);
        }
        let mut bytes = Cursor::new(self.wav(samples).map_err(|error| error.to_string())?);
        origin.append_to_wav(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes.into_inner())
    }

    fn wav(self, samples: &[f32]) -> Result<Vec<u8>, hound::Error> {
        let sample_format = if self.bits == 32 { SampleFormat::Float } else { SampleFormat::Int };
        let spec = WavSpec { channels: 2, sample_rate: self.rate, bits_per_sample: self.bits, sample_format };
        let mut bytes = Cursor::new(Vec::new());
        let mut writer = WavWriter::new(&mut bytes, spec)?;
        for &sample in samples {
            match sample_format {
                SampleFormat::Float => writer.write_sample(sample)?,
                SampleFormat::Int => writer.write_sample(self.integer(sample))?,
            }
        }
        writer.finalize()?;
        Ok(bytes.into_inner())
    }

    fn flac(self, samples: &[f32]) -> Result<Vec<u8>, String> {
        let samples: Vec<i32> = samples.iter().map(|&sample| self.integer(sample)).collect();
        let config = flac_encoder().into_verified().map_err(|(_, error)| error.to_string())?;
        let source = MemSource::from_samples(&samples, 2, usize::from(self.bits), self.rate as usize);
        let stream = flacenc::encode_with_fixed_block_size(&config, source, BLOCK).map_err(|error| format!("{error:?}"))?;
        let mut sink = ByteSink::new();
        stream.write(&mut sink).map_err(|error| format!("{error:?}"))?;
        Ok(sink.as_slice().to_vec())
    }

    /// A sample as an integer, without dither.
    fn integer(self, sample: f32) -> i32 {
        let full = 2_f64.powi(i32::from(self.bits) - 1);
        (f64::from(sample) * full).round().clamp(-full, full - 1.0) as i32
    }
}

/// The settings of the FLAC encoder. Without fixed predictors: flacenc 0.5 chooses them by an estimate, which loud strokes in 24 bits exceed up to
/// fifty times; predictors from the signal and plain samples are compared by their true sizes.
pub fn flac_encoder() -> Encoder {
    let mut encoder = Encoder::default();
    encoder.subframe_coding.use_fixed = false;
    encoder
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks that begin loud and end in silence, as those of strokes, once took up to fifty times their size.
    #[test]
    fn flac_files_are_never_larger_than_wav_files() {
        let mut random = urto_physics::random::SplitMix64::default();
        let stroke = (0..10 * BLOCK).map(|n| if n % BLOCK < 1000 { (2.0 * random.uniform() - 1.0) as f32 } else { 0.0 });
        let samples: Vec<f32> = stroke.flat_map(|sample| [sample; 2]).collect();
        let size = |is_flac| SoundFormat::new(is_flac, 24, 48_000).unwrap().encode(&samples, &Origin::default()).unwrap().len();
        let (wav, flac) = (size(false), size(true));
        assert!(flac < wav + 1000, "{flac} bytes, WAV {wav}");
    }

    #[test]
    fn flac_and_wav_hold_the_same_samples() {
        let samples: Vec<f32> = (0..20_000).map(|n| (0.01 * n as f32).sin() * 0.9).collect();
        let origin = Origin { title: "A data set".into(), seeds: "seed = 3".into() };
        for bits in [16, 24] {
            let encode = |is_flac| SoundFormat::new(is_flac, bits, 48_000).unwrap().encode(&samples, &origin).unwrap();
            let (wav, flac) = (encode(false), encode(true));
            assert!(flac.len() < wav.len());
            let wav: Vec<i32> = hound::WavReader::new(&wav[..]).unwrap().into_samples().map(Result::unwrap).collect();
            let flac: Vec<i32> = claxon::FlacReader::new(&flac[..]).unwrap().samples().map(Result::unwrap).collect();
            assert_eq!(wav, flac);
            assert!(
                wav.iter().zip(&samples).all(|(a, b)| (f64::from(*a) / 2_f64.powi(i32::from(bits) - 1) - f64::from(*b)).abs()
                    <= 2_f64.powi(-i32::from(bits)))
            );
        }
    }
}
