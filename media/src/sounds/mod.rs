//! The pieces of the page of sounds, dry and in a room, as files in Ogg Vorbis.

mod piece;
mod scores;

use crate::wav::{self, Stereo};
use anyhow::{Context, Result, ensure};
use piece::{Part, Piece};
use std::f64::consts::FRAC_PI_4;
use std::fs;
use std::num::{NonZeroU8, NonZeroU32};
use std::path::{Path, PathBuf};
use std::process::Command;
use vorbis_rs::{VorbisBitrateManagementStrategy, VorbisEncoderBuilder};

/// Sample rate of the pieces [Hz].
const RATE: u32 = 48_000;
/// Peak of each piece [full scale].
const PEAK: f32 = 0.7;
/// Length of the fade-out at the end [s].
const FADE: f32 = 1.0;
/// Quality of Vorbis, -0.2 to 1: about 128 kbit/s.
const QUALITY: f32 = 0.4;
/// Frames that are encoded at once.
const BLOCK: usize = 4096;
/// Distance of a part to the right at which it is heard on the right only [m].
const WIDTH: f64 = 2.0;
/// Microphones of the version in a room, beside its type and the position of a part.
const MICROPHONES: [&str; 4] = ["close_level=-5dB", "overhead_level=-4dB", "far_level=-8dB", "room_level=-4dB"];

/// A version of a piece.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    /// The close sound.
    Dry,
    /// With all pairs of microphones, in a room.
    Room,
}

impl Version {
    fn name(self) -> &'static str {
        match self {
            Self::Dry => "dry",
            Self::Room => "room",
        }
    }
}

/// Renders both versions of all pieces with the command line `program` into `folder`, mixes their parts, and encodes them into `docs/manual/sounds/`.
pub fn run(program: &Path, folder: &Path) -> Result<()> {
    let files = Path::new("docs/manual/sounds");
    fs::create_dir_all(files).with_context(|| format!("cannot create {}", files.display()))?;
    for piece in &scores::ALL {
        for version in [Version::Dry, Version::Room] {
            let file = files.join(format!("{}_{}.ogg", piece.name, version.name()));
            encode(mix(program, piece, version, folder)?, &file)?;
            println!("wrote {}", file.display());
        }
    }
    Ok(())
}

/// Renders the parts of a piece, and sums them.
fn mix(program: &Path, piece: &Piece, version: Version, folder: &Path) -> Result<Stereo> {
    let mut mix: Stereo = Default::default();
    for (number, part) in (piece.parts)().iter().enumerate() {
        let name = folder.join(format!("{}_{}_{number}", piece.name, version.name()));
        let sound = wav::read(&render(program, piece, part, version, &name)?)?.sound;
        let gain = 10_f64.powf(part.level / 20.0);
        let angle = FRAC_PI_4 * (1.0 + part.x / WIDTH);
        for ((mix, sound), side) in mix.iter_mut().zip(&sound).zip([angle.cos(), angle.sin()]) {
            mix.resize(mix.len().max(sound.len()), 0.0);
            let gain = (gain * side * 2_f64.sqrt()) as f32;
            mix.iter_mut().zip(sound).for_each(|(mix, x)| *mix += gain * x);
        }
    }
    let frames = mix[0].len().max(mix[1].len());
    mix.iter_mut().for_each(|channel| channel.resize(frames, 0.0));
    Ok(mix)
}

/// Renders a part; `name` is the path of its files without extension. Returns the WAV file.
fn render(program: &Path, piece: &Piece, part: &Part, version: Version, name: &Path) -> Result<PathBuf> {
    let (midi, wav) = (name.with_extension("mid"), name.with_extension("wav"));
    fs::write(&midi, piece.midi_file(part)?).with_context(|| format!("cannot write {}", midi.display()))?;
    let mut command = Command::new(program);
    command.arg("render").args([&midi, &wav]).args(["--bits", "24", "--preset", part.preset]);
    command.args(["--rate", &RATE.to_string(), "--tail", &piece.tail.to_string()]);
    if version == Version::Room {
        let room = [format!("room_type={}", piece.room), format!("instrument_x={}", part.x)];
        room.iter().map(String::as_str).chain(MICROPHONES).for_each(|setting| {
            command.args(["--set", setting]);
        });
    }
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(status.success(), "{} failed ({status}) at the piece {}", program.display(), piece.name);
    Ok(wav)
}

/// Encodes a sound as Ogg Vorbis with the common peak of all pieces.
fn encode(mut sound: Stereo, file: &Path) -> Result<()> {
    scale_and_fade(&mut sound);
    let rate = NonZeroU32::new(RATE).context("a sample rate")?;
    let output = fs::File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
    // a fixed number of the stream, so that the same sound gives the same bytes
    let mut builder = VorbisEncoderBuilder::new_with_serial(rate, NonZeroU8::MIN.saturating_add(1), output, 1);
    builder.bitrate_management_strategy(VorbisBitrateManagementStrategy::QualityVbr { target_quality: QUALITY });
    let failure = || format!("cannot encode {}", file.display());
    let mut encoder = builder.build().with_context(failure)?;
    let [left, right] = &sound;
    for (left, right) in left.chunks(BLOCK).zip(right.chunks(BLOCK)) {
        encoder.encode_audio_block([left, right]).with_context(failure)?;
    }
    encoder.finish().with_context(failure)?;
    Ok(())
}

/// Scales a sound to the common peak, and fades it out.
fn scale_and_fade(sound: &mut Stereo) {
    let peak = sound.iter().flatten().fold(f32::MIN_POSITIVE, |peak, x| peak.max(x.abs()));
    for channel in sound {
        let frames = channel.len();
        for (frame, x) in channel.iter_mut().enumerate() {
            let fade = ((frames - frame) as f32 / (FADE * RATE as f32)).min(1.0);
            *x *= fade * PEAK / peak;
        }
    }
}
