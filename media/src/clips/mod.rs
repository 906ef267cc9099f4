//! How it sounds: short pieces through built-in presets, as FLAC files for the README.

mod pieces;

use crate::demo::host::Stereo;
use crate::preset_sheets;
use anyhow::{Context, Result, anyhow, ensure};
use flacenc::component::BitRepr;
use flacenc::error::Verify;
use pieces::Piece;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sample rate of the clips [Hz].
const RATE: usize = 48_000;
/// Their largest sample, full scale 1.
const PEAK: f64 = 0.7;

/// Plays the pieces with the command line `program` into `folder` and packs them into `assets/audio/`. Errors: a file that cannot be
/// read or written.
pub fn run(program: &Path, folder: &Path) -> Result<()> {
    let kept = Path::new("assets").join("audio");
    fs::create_dir_all(&kept).with_context(|| format!("cannot make {}", kept.display()))?;
    for piece in pieces::all() {
        let wav = play(program, &piece, folder)?;
        let file = kept.join(format!("{}.flac", piece.name));
        pack(&wav, &file)?;
        println!("wrote {}", file.display());
    }
    Ok(())
}

/// Renders a piece, after what drives it.
fn play(program: &Path, piece: &Piece, folder: &Path) -> Result<PathBuf> {
    let (song, wav) = (folder.join(piece.name).with_extension("mid"), folder.join(piece.name).with_extension("wav"));
    fs::write(&song, piece.song()?).with_context(|| format!("cannot write {}", song.display()))?;
    let mut command = Command::new(program);
    command.arg("render").args([&song, &wav]).args(["--bits", "24", "--preset", piece.preset]);
    command.args(["--rate", &RATE.to_string(), "--tail", &piece.tail.to_string()]);
    if let Some(driver) = piece.driven_by {
        let driver = pieces::all().find(|other| other.name == driver).context("what drives a clip is a clip")?;
        command.arg("--drive").arg(play(program, &driver, folder)?);
    }
    let status = command.status().context("cannot start the command line")?;
    ensure!(status.success(), "the command line failed ({status}) at {}", piece.name);
    Ok(wav)
}

/// A stereo WAV as FLAC of 16 bits, all clips with the same peak.
fn pack(wav: &Path, file: &Path) -> Result<()> {
    let failed = |what: String| anyhow!("{} cannot be packed: {what}", file.display());
    let whole = whole_numbers(&preset_sheets::read(wav)?.0);
    let config = flacenc::config::Encoder::default().into_verified().map_err(|(_, error)| failed(format!("{error:?}")))?;
    let source = flacenc::source::MemSource::from_samples(&whole, 2, 16, RATE);
    let stream = flacenc::encode_with_fixed_block_size(&config, source, config.block_size);
    let mut sink = flacenc::bitsink::ByteSink::new();
    stream.map_err(|error| failed(format!("{error:?}")))?.write(&mut sink).map_err(|error| failed(format!("{error:?}")))?;
    fs::write(file, sink.as_slice()).with_context(|| format!("cannot write {}", file.display()))
}

/// Left and right in turns as whole numbers of 16 bits, with rectangular dither of one step.
fn whole_numbers(sound: &Stereo) -> Vec<i32> {
    let frames = sound[0].len().min(sound[1].len());
    let peak = sound.iter().flatten().fold(f32::MIN_POSITIVE, |peak, x| peak.max(x.abs()));
    let steps = 32_767.0 * PEAK / f64::from(peak);
    let mut dice = 1_u32;
    let mut toss = || {
        // Numerical Recipes' linear congruence; its upper bits are good enough to dither
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(dice) / f64::from(u32::MAX) - 0.5
    };
    let mut whole = Vec::with_capacity(2 * frames);
    for frame in 0..frames {
        // the last hundredth of a second leads to silence
        let fade = ((frames - frame) as f64 / (0.01 * RATE as f64)).min(1.0);
        for channel in sound {
            let step = f64::from(channel[frame]) * fade * steps + toss();
            whole.push(step.round().clamp(-32_768.0, 32_767.0) as i32);
        }
    }
    whole
}
