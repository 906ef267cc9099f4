//! A reader of WAV files with any number of channels: integers of 8 to 32 bits, and floating point of 32 and 64 bits.
//!
//! The header is checked before the samples are read: a damaged or hostile header costs neither time nor memory. Format: Multimedia
//! Programming Interface and Data Specifications 1.0, IBM and Microsoft 1991, and WAVEFORMATEXTENSIBLE, Microsoft 2001.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

use crate::formats::system_error::{open_error, unreadable};

/// Range of sample rates [Hz].
const RATES: std::ops::RangeInclusive<u32> = 1_000..=768_000;
/// Maximum length [s].
const MAX_SECONDS: u64 = 3600;
/// Maximum number of samples of all channels: 46 minutes in stereo at 48 kHz. They need 1 GB of memory.
const MAX_SAMPLES: u64 = 1 << 28;
/// Maximum size of the chunk that describes the format [bytes].
const MAX_FORMAT_SIZE: u32 = 1024;
/// Size in the header of a stream whose length was unknown when it was written. Such samples last until the end of the file.
const UNKNOWN_SIZE: u32 = u32::MAX;

/// Number of the format that is described by a sub-format.
const EXTENSIBLE: u16 = 0xfffe;
/// The last 14 bytes of a sub-format in a WAVEFORMATEXTENSIBLE; the first two are the format's number.
const SUB_FORMAT: [u8; 14] = *b"\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71";

/// The content of a WAV file.
#[derive(Clone, Debug, PartialEq)]
pub struct WavFile {
    /// All samples, interleaved; full scale is 1.
    pub samples: Vec<f32>,
    /// Number of channels, at least 1.
    pub channels: usize,
    /// Sample rate [Hz], 1000 to 768000.
    pub rate: u32,
}

/// Why a WAV file cannot be read.
#[derive(Debug)]
pub enum WavError {
    /// An error of the operating system.
    System(io::Error),
    /// Invalid content: problem and fix.
    Content(String, &'static str),
}

impl fmt::Display for WavError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) => {
                let (problem, remedy) = unreadable(error);
                write!(f, "{problem}; {remedy}")
            }
            Self::Content(problem, remedy) => write!(f, "{problem}; {remedy}"),
        }
    }
}

impl From<io::Error> for WavError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof => not_a_wav_file(),
            _ => Self::System(error),
        }
    }
}

fn not_a_wav_file() -> WavError {
    WavError::Content("not a WAV file, or damaged".into(), "give a WAV file with PCM or float samples")
}

/// What a sample is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Coding {
    Integer,
    Float,
}

/// The header of a WAV file, checked.
#[derive(Clone, Copy, Debug)]
struct Format {
    coding: Coding,
    channels: u16,
    rate: u32,
    /// Size of a sample of one channel [bytes].
    size: usize,
    /// Bits of a sample, the lowest of its bytes.
    bits: u16,
}

impl WavFile {
    /// Reads `file`. Errors: a missing or damaged file, rate or length out of range, or samples that are not finite.
    pub fn read(file: &Path) -> Result<Self, WavError> {
        let file = File::open(file).map_err(|error| WavError::System(open_error(file, error)))?;
        let length = file.metadata().ok().filter(|found| found.is_file()).map(|found| found.len());
        Self::parse(BufReader::new(file), length)
    }

    /// Reads the content of a file. Errors: as [`WavFile::read`].
    pub fn from_reader(bytes: impl Read) -> Result<Self, WavError> {
        Self::parse(bytes, None)
    }

    /// Reads `bytes`, of which there are `length` if that is known.
    fn parse(mut bytes: impl Read, length: Option<u64>) -> Result<Self, WavError> {
        let (format, claimed) = read_header(&mut bytes)?;
        if let (Some(claimed), Some(length)) = (claimed, length)
            && u64::from(claimed) > length
        {
            return Err(too_short(claimed, &format!("the whole file has only {length}")));
        }
        format.check_length(claimed.map_or(0, u64::from))?;
        let mut data = Vec::new();
        bytes.take(claimed.map_or(format.max_bytes() + 1, u64::from)).read_to_end(&mut data).map_err(WavError::System)?;
        if let Some(claimed) = claimed.filter(|&claimed| data.len() < claimed as usize) {
            return Err(too_short(claimed, &format!("the file has only {}", data.len())));
        }
        format.check_length(data.len() as u64)?;
        let frame = format.size * usize::from(format.channels);
        data.truncate(data.len() / frame * frame);
        let samples = format.samples(&data);
        if let Some(place) = samples.iter().position(|sample| !sample.is_finite()) {
            let second = (place / usize::from(format.channels)) as f64 / f64::from(format.rate);
            return Err(WavError::Content(format!("not a finite number at {second:.6} s"), "save it again as WAV"));
        }
        Ok(Self { samples, channels: usize::from(format.channels), rate: format.rate })
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.samples.len() / self.channels
    }

    /// The mean of all channels.
    pub fn mono(&self) -> Vec<f32> {
        // the sum of large samples may overflow f32
        let mean = |frame: &[f32]| (frame.iter().copied().map(f64::from).sum::<f64>() / frame.len() as f64) as f32;
        self.samples.chunks_exact(self.channels).map(mean).collect()
    }

    /// Channel `n`; empty if it does not exist.
    pub fn channel(&self, n: usize) -> Vec<f32> {
        if n < self.channels { self.samples.iter().skip(n).step_by(self.channels).copied().collect() } else { Vec::new() }
    }
}

fn too_short(claimed: u32, found: &str) -> WavError {
    WavError::Content(format!("its header claims {claimed} bytes of samples, {found}"), "save it again as WAV")
}

/// Reads up to the first sample. Returns the format and the size of the samples [bytes], if it is known.
fn read_header(bytes: &mut impl Read) -> Result<(Format, Option<u32>), WavError> {
    let [riff, [a, b, c, d], wave] = [array(bytes)?, array(bytes)?, array::<4>(bytes)?];
    if riff != *b"RIFF" || wave != *b"WAVE" {
        return Err(not_a_wav_file());
    }
    let is_stream = u32::from_le_bytes([a, b, c, d]) == UNKNOWN_SIZE;
    let mut format = None;
    loop {
        let (name, size) = (array::<4>(bytes)?, u32::from_le_bytes(array(bytes)?));
        match (&name, format) {
            (b"data", Some(format)) => return Ok((format, (!is_stream || size != UNKNOWN_SIZE).then_some(size))),
            (b"data", None) => return Err(not_a_wav_file()),
            (b"fmt ", None) if (16..=MAX_FORMAT_SIZE).contains(&size) => {
                let mut chunk = vec![0; size.next_multiple_of(2) as usize];
                bytes.read_exact(&mut chunk)?;
                format = Some(Format::parse(&chunk)?);
            }
            // chunks are padded to an even size
            _ => {
                let padded = u64::from(size).next_multiple_of(2);
                if io::copy(&mut bytes.by_ref().take(padded), &mut io::sink())? < padded {
                    return Err(not_a_wav_file());
                }
            }
        }
    }
}

fn array<const N: usize>(bytes: &mut impl Read) -> Result<[u8; N], WavError> {
    let mut array = [0; N];
    bytes.read_exact(&mut array)?;
    Ok(array)
}

impl Format {
    /// The format in the chunk `fmt `, of at least 16 bytes. Errors: an unknown or contradictory format, or a rate out of range.
    fn parse(chunk: &[u8]) -> Result<Self, WavError> {
        let word = |at: usize| chunk.get(at..at + 2).map_or(0, |pair| u16::from_le_bytes([pair[0], pair[1]]));
        let (channels, rate, block) = (word(2), u32::from(word(4)) | u32::from(word(6)) << 16, word(12));
        // 12 bits are the upper ones of 16; no format has thousands of them
        let bits = word(14).min(1 << 12).next_multiple_of(8);
        let number = if word(0) == EXTENSIBLE && chunk.get(26..40) == Some(&SUB_FORMAT) { word(24) } else { word(0) };
        let coding = match number {
            1 => Coding::Integer,
            3 => Coding::Float,
            _ => {
                let problem = format!("compressed, or of an unknown kind (format {number})");
                return Err(WavError::Content(problem, "save it as WAV with PCM or float samples"));
            }
        };
        if channels == 0 || rate == 0 {
            return Err(WavError::Content("a WAV file without channels or sample rate".into(), "save it again as WAV"));
        }
        if !RATES.contains(&rate) {
            let problem = format!("a sample rate of {rate} Hz is out of range");
            return Err(WavError::Content(problem, "save it at 1000 to 768000 Hz, for example 48000"));
        }
        let size = usize::from(block / channels);
        let sizes = if coding == Coding::Float { [4, 8].contains(&size) } else { (1..=4).contains(&size) };
        let is_whole = coding == Coding::Integer || usize::from(bits) == 8 * size;
        if !sizes || !is_whole || !block.is_multiple_of(channels) || bits == 0 || usize::from(bits) > 8 * size {
            let problem = format!("samples of {bits} bits in {size} bytes are not supported");
            return Err(WavError::Content(problem, "save it with 8, 16, 24 or 32 bits, or as 32-bit or 64-bit float"));
        }
        Ok(Self { coding, channels, rate, size, bits })
    }

    /// Maximum size of the samples [bytes].
    fn max_bytes(&self) -> u64 {
        let frames = (MAX_SECONDS * u64::from(self.rate)).min(MAX_SAMPLES / u64::from(self.channels));
        frames * self.size as u64 * u64::from(self.channels)
    }

    /// Checks the size of the samples [bytes].
    fn check_length(&self, bytes: u64) -> Result<(), WavError> {
        if bytes <= self.max_bytes() {
            return Ok(());
        }
        let samples = bytes / self.size as u64;
        let minutes = samples as f64 / f64::from(self.channels) / f64::from(self.rate) / 60.0;
        let problem = format!("{samples} samples, {minutes:.1} minutes, are too many");
        Err(WavError::Content(problem, "cut it to at most 60 minutes, and to 268435456 samples of all channels together"))
    }

    /// The samples in whole frames of bytes; full scale is 1.
    fn samples(&self, data: &[u8]) -> Vec<f32> {
        let full = 2f64.powi(i32::from(self.bits) - 1);
        let samples = data.chunks_exact(self.size);
        let unused = 64 - u32::from(self.bits);
        // 8 bits are unsigned; the shift repeats the sign of the highest significant bit
        let integer = |bytes: &[u8]| match bytes {
            [byte] if self.bits == 8 => (f64::from(*byte) - full) / full,
            _ => ((little_endian(bytes) << unused) as i64 >> unused) as f64 / full,
        };
        match (self.coding, self.size) {
            (Coding::Float, 8) => samples.map(|bytes| f64::from_bits(little_endian(bytes)) as f32).collect(),
            (Coding::Float, _) => samples.map(|bytes| f32::from_bits(little_endian(bytes) as u32)).collect(),
            (Coding::Integer, _) => samples.map(|bytes| integer(bytes) as f32).collect(),
        }
    }
}

/// Up to eight bytes as a number.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a chunk `fmt ` of format, channels, rate, bytes and bits, and samples of which the header claims `claimed` bytes.
    fn file(number: u16, channels: u16, rate: u32, (size, bits): (u16, u16), claimed: u32, data: &[u8]) -> Vec<u8> {
        let riff = if claimed == UNKNOWN_SIZE { UNKNOWN_SIZE } else { claimed.wrapping_add(46) };
        let block = size * channels;
        let mut bytes = [b"RIFF", &riff.to_le_bytes()[..], b"WAVELIST\x01\0\0\0x\0fmt \x10\0\0\0"].concat();
        bytes.extend([number, channels].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([rate, rate.wrapping_mul(u32::from(block))].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([block, bits].iter().flat_map(|word| word.to_le_bytes()));
        [&bytes, &b"data"[..], &claimed.to_le_bytes(), data].concat()
    }

    fn read(number: u16, form: (u16, u16), data: &[u8]) -> Vec<f32> {
        WavFile::from_reader(&file(number, 1, 8_000, form, data.len() as u32, data)[..]).expect("a WAV file").samples
    }

    fn refusal(bytes: &[u8]) -> String {
        WavFile::from_reader(bytes).expect_err("refused").to_string()
    }

    #[test]
    fn every_coding_has_full_scale_1() {
        assert_eq!(read(1, (1, 8), &[0, 64, 128, 192]), [-1.0, -0.5, 0.0, 0.5]);
        assert_eq!(read(1, (2, 16), &[0, 0x80, 0, 0x40]), [-1.0, 0.5]);
        // 12 bits are the upper ones of 16, 24 bits the lower ones of 4 bytes
        assert_eq!(read(1, (2, 12), &[0, 0x80, 0, 0x40]), [-1.0, 0.5]);
        assert_eq!(read(1, (3, 24), &[0, 0, 0x80, 0, 0, 0x40]), [-1.0, 0.5]);
        assert_eq!(read(1, (4, 24), &[0, 0, 0x80, 0xff, 0, 0, 0x40, 0]), [-1.0, 0.5]);
        assert_eq!(read(1, (4, 32), &[0, 0, 0, 0x80, 0, 0, 0, 0x40]), [-1.0, 0.5]);
        assert_eq!(read(3, (4, 32), &[-2.5_f32, 0.5].map(f32::to_le_bytes).concat()), [-2.5, 0.5]);
        assert_eq!(read(3, (8, 64), &[-2.5_f64, 0.1].map(f64::to_le_bytes).concat()), [-2.5, 0.1]);
    }

    #[test]
    fn headers_are_checked_before_the_samples() {
        for (bytes, message) in [
            (file(1, 1, 1, (2, 16), 2, &[0; 2]), "a sample rate of 1 Hz is out of range; save it at 1000 to 768000 Hz"),
            (file(1, 1, 999, (2, 16), 2, &[0; 2]), "a sample rate of 999 Hz is out of range"),
            (file(1, 1, 768_001, (2, 16), 2, &[0; 2]), "a sample rate of 768001 Hz is out of range"),
            (file(1, 1, 48_000, (2, 16), 4_294_967_280, &[0; 2]), "minutes, are too many; cut it to at most 60 minutes"),
            (file(1, 1, 48_000, (2, 16), 4_000, &[0; 20]), "its header claims 4000 bytes of samples, the file has only 20"),
            (file(1, 0, 48_000, (2, 16), 2, &[0; 2]), "without channels"),
            (file(2, 1, 48_000, (2, 16), 2, &[0; 2]), "compressed, or of an unknown kind (format 2)"),
            (file(3, 1, 48_000, (2, 16), 2, &[0; 2]), "samples of 16 bits in 2 bytes are not supported"),
            (file(1, 1, 48_000, (8, 64), 8, &[0; 8]), "samples of 64 bits in 8 bytes are not supported"),
            (file(3, 1, 48_000, (8, 64), 8, &f64::NAN.to_le_bytes()), "not a finite number at 0.000000 s"),
        ] {
            assert!(refusal(&bytes).contains(message), "{}", refusal(&bytes));
        }
        let whole = file(1, 1, 48_000, (2, 16), 2, &[0; 2]);
        assert!((0..whole.len()).all(|length| WavFile::from_reader(&whole[..length]).is_err()));
    }

    #[test]
    fn a_stream_of_unknown_length_lasts_until_its_end() {
        let bytes = file(1, 2, 48_000, (2, 16), UNKNOWN_SIZE, &[0, 0x40, 0, 0x20, 0, 0x10, 1]);
        let wave = WavFile::from_reader(&bytes[..]).expect("a WAV file");
        assert_eq!((wave.samples, wave.channels, wave.rate), (vec![0.5, 0.25], 2, 48_000));
    }
}
