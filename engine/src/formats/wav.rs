//! A reader of WAV files with any number of channels, PCM or float.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use hound::{SampleFormat, WavReader, WavSpec};

/// The content of a WAV file.
#[derive(Clone, Debug, PartialEq)]
pub struct WavFile {
    /// All samples, interleaved; full scale is 1.
    pub samples: Vec<f32>,
    /// Number of channels, at least 1.
    pub channels: usize,
    /// Sample rate [Hz], at least 1.
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
            Self::System(error) => write!(f, "{error}; check file and permissions"),
            Self::Content(problem, remedy) => write!(f, "{problem}; {remedy}"),
        }
    }
}

impl WavError {
    fn of(error: hound::Error) -> Self {
        match error {
            // an error without a code of the system is a truncated file
            hound::Error::IoError(error) if error.raw_os_error().is_some() => Self::System(error),
            _ => Self::Content("not a WAV file, or damaged".into(), "give a WAV file with PCM or float samples"),
        }
    }
}

impl WavFile {
    /// Reads `file`. Errors: a missing or damaged file, or samples that are not finite.
    pub fn read(file: &Path) -> Result<Self, WavError> {
        Self::from_reader(BufReader::new(File::open(file).map_err(WavError::System)?))
    }

    /// Reads the content of a file. Errors: as [`WavFile::read`].
    pub fn from_reader(bytes: impl Read) -> Result<Self, WavError> {
        let reader = WavReader::new(bytes).map_err(WavError::of)?;
        let WavSpec { channels, sample_rate, .. } = reader.spec();
        if channels == 0 || sample_rate == 0 {
            return Err(WavError::Content("a WAV file without channels or sample rate".into(), "save it again as WAV"));
        }
        let samples = samples(reader).map_err(WavError::of)?;
        if let Some(place) = samples.iter().position(|sample| !sample.is_finite()) {
            let second = (place / usize::from(channels)) as f64 / f64::from(sample_rate);
            return Err(WavError::Content(format!("not a finite number at {second:.6} s"), "save it again as WAV"));
        }
        Ok(Self { samples, channels: usize::from(channels), rate: sample_rate })
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

fn samples(reader: WavReader<impl Read>) -> Result<Vec<f32>, hound::Error> {
    let spec = reader.spec();
    match spec.sample_format {
        SampleFormat::Float => reader.into_samples::<f32>().collect(),
        SampleFormat::Int => {
            let full = 2f64.powi(i32::from(spec.bits_per_sample) - 1);
            reader.into_samples::<i32>().map(|sample| sample.map(|s| (f64::from(s) / full) as f32)).collect()
        }
    }
}
