//! Audio files: the output of renderings as WAV or FLAC, drive signals, and recordings.
//!
//! Output is stereo. The drive signal of a rendering is read at the rate of the rendering, a recording in mono at its own rate.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::Path;

use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, StreamInfo};
use flacenc::config::Encoder;
use flacenc::encode_fixed_size_frame;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Context, Fill, FrameBuf};
use hound::{SampleFormat, WavSpec, WavWriter};
use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Async, FixedAsync, Resampler, SincInterpolationParameters};

use crate::io::error::{CliError, is_standard_input, standard_input};
use crate::io::output_file::{PendingFile, check_terminal};
use urto::dataset::flac_encoder;
use urto_engine::formats::{FLAC_HEADER_SIZE, Origin, WavError, WavFile};
use urto_physics::random::SplitMix64;

/// Maximum number of frames of stereo float: sizes in a WAV header have 32 bits.
pub const MAX_FRAMES: u64 = (u32::MAX as u64 - 1024) / 8;

/// Input frames of the resampler at a time.
const CHUNK: usize = 1024;

/// Names of files in formats that are not written.
const OTHER_FORMATS: &[&str] =
    &["aac", "aif", "aifc", "aiff", "alac", "ape", "au", "caf", "m4a", "mp3", "oga", "ogg", "opus", "rf64", "w64", "wma", "wv"];

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum AudioFormat {
    /// WAV, 16-bit integer, with TPDF dither
    #[value(name = "wav-16")]
    Wav16,
    /// WAV, 24-bit integer, without dither
    #[value(name = "wav-24")]
    Wav24,
    /// WAV, 32-bit floating point
    #[value(name = "wav-float")]
    WavFloat,
    /// FLAC, 16-bit integer, with TPDF dither
    #[value(name = "flac-16")]
    Flac16,
    /// FLAC, 24-bit integer, without dither
    #[value(name = "flac-24")]
    Flac24,
}

/// Bits of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Bits {
    /// Integer, with TPDF dither
    #[value(name = "16")]
    Integer16,
    /// Integer, without dither
    #[value(name = "24")]
    Integer24,
    /// Floating point, only WAV
    #[value(name = "32")]
    Float32,
}

impl AudioFormat {
    /// The format that `format` or `bits` ask for, or else the name `path`. Errors: they contradict each other, or the name is that of
    /// another format, or of none that is known and `format` is not given.
    pub fn choose(path: &Path, format: Option<Self>, bits: Option<Bits>) -> Result<Self, CliError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if let Some(format) = format {
            let container = format.ending();
            let contradicts = ["flac", "wav"].contains(&&*extension) && extension != container;
            if contradicts || OTHER_FORMATS.contains(&&*extension) {
                let problem = format!("the name ends in .{extension}, but --format asks for {}", container.to_uppercase());
                let other = path.with_extension(container);
                return Err(CliError::about(path, problem, format_args!("name it {}, or leave out --format", other.display())));
            }
            return Ok(format);
        }
        // a name without an ending is that of a device or of standard output, too
        if !["", "wav", "flac"].contains(&&*extension) {
            let problem = format!("files that end in .{extension} are not written");
            let remedy = if OTHER_FORMATS.contains(&&*extension) {
                "give a name that ends in .wav or .flac"
            } else {
                "give a name that ends in .wav or .flac, or choose the format, for example --format wav-24"
            };
            return Err(CliError::about(path, problem, remedy));
        }
        match (extension == "flac", bits) {
            (false, Some(Bits::Integer16)) => Ok(Self::Wav16),
            (false, Some(Bits::Integer24)) => Ok(Self::Wav24),
            (false, Some(Bits::Float32) | None) => Ok(Self::WavFloat),
            (true, Some(Bits::Integer16)) => Ok(Self::Flac16),
            (true, Some(Bits::Integer24) | None) => Ok(Self::Flac24),
            (true, Some(Bits::Float32)) => Err(CliError::about(
                path,
                "FLAC has no 32-bit floating point",
                "give --bits 24 or 16, or a name that ends in .wav",
            )),
        }
    }

    fn is_flac(self) -> bool {
        matches!(self, Self::Flac16 | Self::Flac24)
    }

    /// Whether samples are integers, which end at full scale.
    pub fn is_integer(self) -> bool {
        self != Self::WavFloat
    }

    /// Ending of the names of such files.
    pub fn ending(self) -> &'static str {
        if self.is_flac() { "flac" } else { "wav" }
    }

    fn bits(self) -> u16 {
        match self {
            Self::Wav16 | Self::Flac16 => 16,
            Self::Wav24 | Self::Flac24 => 24,
            Self::WavFloat => 32,
        }
    }
}

/// A stereo file that gets its name only when it is complete.
pub struct AudioFile {
    pending: PendingFile,
    encoder: Container,
    origin: Origin,
    format: AudioFormat,
    dither: Dither,
}

enum Container {
    /// The writer, and the file for what follows the samples.
    Wav(WavWriter<BufWriter<File>>, File),
    Flac(Box<FlacWriter>),
}

impl AudioFile {
    /// Creates the file `path` of this origin at `sample_rate` [Hz]. Errors: it cannot be written, or the format has no such rate.
    pub fn create(path: &Path, sample_rate: u32, format: AudioFormat, origin: Origin) -> Result<Self, CliError> {
        check_terminal(path)?;
        if format.is_flac() && sample_rate > FlacWriter::MAX_RATE {
            let problem = format!("FLAC has no sample rate of {sample_rate} Hz");
            let remedy = format!("give at most --rate {}, or write WAV", FlacWriter::MAX_RATE);
            return Err(CliError::about(path, problem, remedy));
        }
        let (pending, file) = PendingFile::create(path)?;
        let encoder = if format.is_flac() {
            let writer = FlacWriter::new(file, sample_rate, format.bits(), &origin);
            Container::Flac(Box::new(writer.map_err(|error| CliError::unwritable(path, error))?))
        } else {
            let sample_format = if format == AudioFormat::WavFloat { SampleFormat::Float } else { SampleFormat::Int };
            let spec = WavSpec { channels: 2, sample_rate, bits_per_sample: format.bits(), sample_format };
            let end = file.try_clone().map_err(|error| CliError::unwritable(path, error))?;
            let writer = WavWriter::new(BufWriter::new(file), spec);
            Container::Wav(writer.map_err(|error| CliError::unwritable(path, system_error(error)))?, end)
        };
        Ok(Self { pending, encoder, origin, format, dither: Dither::default() })
    }

    /// Appends samples.
    pub fn write(&mut self, left: &[f32], right: &[f32]) -> Result<(), CliError> {
        for sample in left.iter().zip(right).flat_map(|(&left, &right)| [left, right]) {
            self.write_sample(sample).map_err(|error| CliError::unwritable(self.pending.path(), error))?;
        }
        Ok(())
    }

    fn write_sample(&mut self, sample: f32) -> std::io::Result<()> {
        let whole = match self.format {
            AudioFormat::WavFloat => 0,
            AudioFormat::Wav16 | AudioFormat::Flac16 => integer(sample, 16, self.dither.next()),
            AudioFormat::Wav24 | AudioFormat::Flac24 => integer(sample, 24, 0.0),
        };
        match &mut self.encoder {
            Container::Wav(writer, _) if self.format == AudioFormat::WavFloat => {
                writer.write_sample(sample).map_err(system_error)
            }
            Container::Wav(writer, _) => writer.write_sample(whole).map_err(system_error),
            Container::Flac(writer) => writer.write(whole),
        }
    }

    /// Completes the file and gives it its name.
    pub fn publish(self) -> Result<(), CliError> {
        let finished = match self.encoder {
            Container::Wav(writer, mut end) => {
                writer.finalize().map_err(system_error).and_then(|()| self.origin.append_to_wav(&mut end))
            }
            Container::Flac(writer) => writer.finish(),
        };
        finished.map_err(|error| CliError::unwritable(self.pending.path(), error))?;
        self.pending.publish()
    }
}

/// A sample of full scale 1 as an integer of `bits` bits, plus `dither` [steps].
pub fn integer(sample: f32, bits: i32, dither: f64) -> i32 {
    let full = 2f64.powi(bits - 1);
    (f64::from(sample) * full + dither).round().clamp(-full, full - 1.0) as i32
}

/// Dither with a triangular probability density from -1 to 1 step: it makes mean and power of the rounding error independent of the
/// signal (Lipshitz, Wannamaker and Vanderkooy 1992). The seed is fixed: the same sound gives the same file.
#[derive(Default)]
pub struct Dither(SplitMix64);

impl Dither {
    /// The next number.
    pub fn next(&mut self) -> f64 {
        self.0.uniform() - self.0.uniform()
    }
}

fn system_error(error: hound::Error) -> std::io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => std::io::Error::other(other.to_string()),
    }
}

/// Encodes a stereo FLAC file in blocks of constant length, block by block (RFC 9639).
struct FlacWriter {
    file: BufWriter<File>,
    /// The block of metadata after the description of the stream.
    comment: Vec<u8>,
    config: Verified<Encoder>,
    info: StreamInfo,
    buffer: FrameBuf,
    /// Number of frames, and the MD5 sum of the samples.
    context: Context,
    /// The samples of the next block, interleaved.
    block: Vec<i32>,
    /// Sample rate [Hz].
    rate: u32,
    bits: u16,
    /// Sizes of the smallest and the largest block [bytes].
    sizes: (usize, usize),
}

impl FlacWriter {
    /// Maximum sample rate of decoders [Hz].
    const MAX_RATE: u32 = 655_350;
    /// Frames of a block.
    const BLOCK: usize = 4096;
    /// Maximum sample rate of the encoder [Hz].
    const MAX_ENCODER_RATE: u32 = 96_000;
    /// A rate for which a block has no code, so that decoders take the rate from the header of the file [Hz].
    const RATE_WITHOUT_CODE: u32 = 65_537;

    fn new(file: File, rate: u32, bits: u16, origin: &Origin) -> std::io::Result<Self> {
        let failed = |problem: String| std::io::Error::other(problem);
        let coded_rate = if rate > Self::MAX_ENCODER_RATE { Self::RATE_WITHOUT_CODE } else { rate };
        let info = StreamInfo::new(coded_rate as usize, 2, usize::from(bits)).map_err(|error| failed(error.to_string()))?;
        let buffer = FrameBuf::with_size(2, Self::BLOCK).map_err(|error| failed(error.to_string()))?;
        let config = flac_encoder().into_verified().map_err(|(_, error)| failed(error.to_string()))?;
        let context = Context::new(usize::from(bits), 2);
        let mut file = BufWriter::new(file);
        let comment = origin.flac_block();
        file.write_all(&[0; FLAC_HEADER_SIZE])?;
        file.write_all(&comment)?;
        let block = Vec::with_capacity(2 * Self::BLOCK);
        Ok(Self { file, comment, config, info, buffer, context, block, rate, bits, sizes: (0, 0) })
    }

    /// Appends a sample of the left or right channel, in turn.
    fn write(&mut self, sample: i32) -> std::io::Result<()> {
        self.block.push(sample);
        if self.block.len() < 2 * Self::BLOCK { Ok(()) } else { self.encode() }
    }

    fn encode(&mut self) -> std::io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let failed = |error: &dyn std::fmt::Display| std::io::Error::other(error.to_string());
        self.buffer.fill_interleaved(&self.block).map_err(|error| failed(&error))?;
        self.context.fill_interleaved(&self.block).map_err(|error| failed(&error))?;
        self.block.clear();
        let number = self.context.current_frame_number().unwrap_or_default();
        let frame = encode_fixed_size_frame(&self.config, &self.buffer, number, &self.info);
        let mut sink = ByteSink::new();
        frame.map_err(|error| failed(&error))?.write(&mut sink).map_err(|error| failed(&error))?;
        let size = sink.as_slice().len();
        self.sizes = if self.sizes.1 == 0 { (size, size) } else { (self.sizes.0.min(size), self.sizes.1.max(size)) };
        self.file.write_all(sink.as_slice())
    }

    /// Encodes the rest and writes the header.
    fn finish(mut self) -> std::io::Result<()> {
        self.encode()?;
        self.file.rewind()?;
        self.file.write_all(&self.header())?;
        self.file.flush()
    }

    /// The beginning of the file: its mark, the description of the stream, and the comments.
    fn header(&self) -> Vec<u8> {
        let mut header = b"fLaC\0\0\0\x22".to_vec();
        header.extend([Self::BLOCK as u16; 2].iter().flat_map(|frames| frames.to_be_bytes()));
        for size in [self.sizes.0, self.sizes.1] {
            header.extend(&(size as u32).to_be_bytes()[1..]);
        }
        // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of frames
        let (channels, bits) = (1, u64::from(self.bits) - 1);
        let packed = u64::from(self.rate) << 44 | channels << 41 | bits << 36 | self.context.total_samples() as u64;
        header.extend(packed.to_be_bytes());
        header.extend(self.context.md5_digest());
        header.extend(&self.comment);
        header
    }
}

/// Both channels of a WAV file, full scale 1, at `sample_rate` [Hz]; the second is empty for a mono file. Errors: missing, damaged, not
/// finite, too long, or more than two channels.
pub fn read(file: &Path, sample_rate: u32) -> Result<[Vec<f32>; 2], CliError> {
    let wave = wave(file)?;
    if wave.frames() == 0 {
        return Err(CliError::about(file, "contains no samples", "record or export it again"));
    }
    if wave.channels > 2 {
        let problem = format!("{} channels are neither mono nor stereo", wave.channels);
        return Err(CliError::about(file, problem, "save it with one or two channels"));
    }
    if wave.frames() as u64 * u64::from(sample_rate) / u64::from(wave.rate) > MAX_FRAMES {
        let problem = format!("longer than a WAV file can hold at {sample_rate} Hz");
        return Err(CliError::about(file, problem, "shorten it, or lower --rate"));
    }
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

/// The content of a WAV file. Errors: as of [`read`].
pub fn wave(file: &Path) -> Result<WavFile, CliError> {
    let wave = if is_standard_input(file) { WavFile::from_reader(standard_input()?) } else { WavFile::read(file) };
    wave.map_err(|error| match error {
        WavError::System(error) => CliError::unreadable(file, error),
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
