//! Recordings of single strokes: WAV, FLAC and MP3 files, and samples of soundfonts as `FILE.sf2#NAME`.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use claxon::FlacReader;
use nanomp3::{Decoder, MAX_SAMPLES_PER_FRAME};

use crate::io::audio_file::wave;
use crate::io::error::{CliError, read_bytes};
use crate::io::soundfont::read_sample;

/// Ending of a soundfont's name, and the mark before the name of its sample.
const SAMPLE_MARK: &str = ".sf2#";
/// Sample rates that can be compared [Hz].
const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;
/// Frames that a sound needs: the longest window of the measures.
const MIN_FRAMES: usize = 64;

/// A sound of one or two channels, full scale 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// Left and right, or the only one; all of the same length.
    pub channels: Vec<Vec<f64>>,
    /// Sample rate [Hz].
    pub rate: u32,
}

impl Sound {
    /// Reads a file, or a sample of a soundfont. Errors: missing, damaged, silent or of an unknown format.
    pub fn read(file: &Path) -> Result<Self, CliError> {
        let text = file.to_string_lossy();
        let sound = match text.split_once(SAMPLE_MARK) {
            Some((start, sample)) => {
                let (channels, rate) = read_sample(Path::new(&format!("{start}.sf2")), sample)?;
                Self { channels, rate }
            }
            None => match file.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
                "wav" => wav(file)?,
                "flac" => flac(file)?,
                "mp3" => mp3(file)?,
                _ => return Err(CliError::about(file, "not a format that is read", "give WAV, FLAC or MP3, or FILE.sf2#SAMPLE")),
            },
        };
        sound.check(file)
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.channels[0].len()
    }

    /// Duration [s].
    pub fn seconds(&self) -> f64 {
        self.frames() as f64 / f64::from(self.rate)
    }

    fn check(self, file: &Path) -> Result<Self, CliError> {
        if !RATES.contains(&self.rate) {
            let problem = format!("a sample rate of {} Hz is out of range", self.rate);
            return Err(CliError::about(file, problem, "save it at 8000 to 192000 Hz, for example 48000"));
        }
        let samples = || self.channels.iter().flatten();
        if self.frames() < MIN_FRAMES || samples().all(|sample| *sample == 0.0) {
            return Err(CliError::about(file, "contains no sound", "record it again, or leave it out of the map"));
        }
        Ok(self)
    }
}

/// The file of a recording: that of the soundfont for one of its samples.
pub fn file_of(recording: &Path) -> PathBuf {
    match recording.to_string_lossy().split_once(SAMPLE_MARK) {
        Some((start, _)) => format!("{start}.sf2").into(),
        None => recording.to_owned(),
    }
}

/// At most two channels out of interleaved samples.
fn separated(samples: &[f32], channels: usize) -> Vec<Vec<f64>> {
    let channel = |n: usize| samples.iter().skip(n).step_by(channels).map(|&sample| f64::from(sample)).collect();
    (0..channels.min(2)).map(channel).collect()
}

fn wav(file: &Path) -> Result<Sound, CliError> {
    let wave = wave(file)?;
    Ok(Sound { channels: separated(&wave.samples, wave.channels), rate: wave.rate })
}

fn flac(file: &Path) -> Result<Sound, CliError> {
    let damaged = |error: claxon::Error| match error {
        claxon::Error::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            CliError::about(file, "not a FLAC file, or damaged (it ends too early)", "save it again as FLAC or WAV")
        }
        claxon::Error::IoError(error) => CliError::unreadable(file, error),
        other => CliError::about(file, format_args!("not a FLAC file, or damaged ({other})"), "save it again as FLAC or WAV"),
    };
    let opened = File::open(file).map_err(|error| CliError::unreadable(file, error))?;
    let mut reader = FlacReader::new(BufReader::new(opened)).map_err(damaged)?;
    let info = reader.streaminfo();
    let full = 2_f32.powi(info.bits_per_sample as i32 - 1);
    let samples: Vec<f32> =
        reader.samples().map(|sample| sample.map(|sample| sample as f32 / full)).collect::<Result<_, _>>().map_err(damaged)?;
    Ok(Sound { channels: separated(&samples, info.channels as usize), rate: info.sample_rate })
}

fn mp3(file: &Path) -> Result<Sound, CliError> {
    let bytes = read_bytes(file)?;
    let (mut decoder, mut pcm, mut place) = (Decoder::new(), [0.0_f32; MAX_SAMPLES_PER_FRAME], 0);
    let (mut samples, mut format) = (Vec::new(), None);
    while place < bytes.len() {
        let (used, frame) = decoder.decode(&bytes[place..], &mut pcm);
        if used == 0 {
            break;
        }
        place += used;
        let Some(frame) = frame else { continue };
        let channels = usize::from(frame.channels.num());
        // a file whose frames differ keeps the form of its first one
        if *format.get_or_insert((channels, frame.sample_rate)) == (channels, frame.sample_rate) {
            samples.extend_from_slice(&pcm[..frame.samples_produced * channels]);
        }
    }
    let (channels, rate) =
        format.ok_or_else(|| CliError::about(file, "not an MP3 file, or damaged", "save it again as MP3 or WAV"))?;
    Ok(Sound { channels: separated(&samples, channels), rate })
}
