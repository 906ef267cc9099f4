//! Clips of built-in presets as FLAC files for the README.

mod pieces;

use crate::wav::{self, Stereo};
use anyhow::{Context, Result, anyhow, ensure};
use flacenc::component::BitRepr;
use flacenc::error::Verify;
use pieces::Piece;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sample rate of the clips [Hz].
const RATE: usize = 48_000;
/// Peak of each clip [full scale].
const PEAK: f64 = 0.7;
/// Length of the fade-out at the end [s].
const FADE: f64 = 0.01;

/// Renders the pieces with the command line `program` into `folder` and encodes them into `assets/audio/`.
pub fn run(program: &Path, folder: &Path) -> Result<()> {
    let clips = Path::new("assets").join("audio");
    fs::create_dir_all(&clips).with_context(|| format!("cannot create {}", clips.display()))?;
    for piece in pieces::all() {
        let wav = render(program, &piece, folder)?;
        let file = clips.join(format!("{}.flac", piece.name));
        encode(&wav, &file)?;
        println!("wrote {}", file.display());
    }
    Ok(())
}

/// Renders a piece, and before it the piece that drives it. Returns the WAV file.
fn render(program: &Path, piece: &Piece, folder: &Path) -> Result<PathBuf> {
    let (midi, wav) = (folder.join(piece.name).with_extension("mid"), folder.join(piece.name).with_extension("wav"));
    fs::write(&midi, piece.midi_file()?).with_context(|| format!("cannot write {}", midi.display()))?;
    let mut command = Command::new(program);
    command.arg("render").args([&midi, &wav]).args(["--bits", "24", "--preset", piece.preset]);
    command.args(["--rate", &RATE.to_string(), "--tail", &piece.tail.to_string()]);
    if let Some(driver) = piece.driven_by {
        let driver = pieces::all().find(|other| other.name == driver);
        let driver = driver.with_context(|| format!("the piece that drives {} does not exist", piece.name))?;
        command.arg("--drive").arg(render(program, &driver, folder)?);
    }
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(status.success(), "{} failed ({status}) at the piece {}", program.display(), piece.name);
    Ok(wav)
}

/// Encodes a stereo WAV as a 16-bit FLAC with the common peak of all clips.
fn encode(wav: &Path, file: &Path) -> Result<()> {
    let failure = |cause: String| anyhow!("cannot encode {}: {cause}", file.display());
    let samples = quantise(&wav::read(wav)?.sound);
    let config = flacenc::config::Encoder::default().into_verified().map_err(|(_, error)| failure(format!("{error:?}")))?;
    let source = flacenc::source::MemSource::from_samples(&samples, 2, 16, RATE);
    let stream = flacenc::encode_with_fixed_block_size(&config, source, config.block_size);
    let mut sink = flacenc::bitsink::ByteSink::new();
    stream.map_err(|error| failure(format!("{error:?}")))?.write(&mut sink).map_err(|error| failure(format!("{error:?}")))?;
    fs::write(file, sink.as_slice()).with_context(|| format!("cannot write {}", file.display()))
}

/// Scales a sound to the common peak and quantises it to 16 bits, with rectangular dither of one step. The channels are
/// interleaved.
fn quantise(sound: &Stereo) -> Vec<i32> {
    let frames = sound[0].len().min(sound[1].len());
    let peak = sound.iter().flatten().fold(f32::MIN_POSITIVE, |peak, x| peak.max(x.abs()));
    let scale = 32_767.0 * PEAK / f64::from(peak);
    let mut random = 1_u32;
    let mut dither = || {
        // linear congruential generator of Numerical Recipes; its upper bits are sufficiently random for dither
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(random) / f64::from(u32::MAX) - 0.5
    };
    let mut samples = Vec::with_capacity(2 * frames);
    for frame in 0..frames {
        let fade = ((frames - frame) as f64 / (FADE * RATE as f64)).min(1.0);
        for channel in sound {
            let value = f64::from(channel[frame]) * fade * scale + dither();
            samples.push(value.round().clamp(-32_768.0, 32_767.0) as i32);
        }
    }
    samples
}
