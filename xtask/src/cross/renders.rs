//! Renderings of presets by the command line of this system and of another, compared bit for bit.

use crate::build;
use crate::paths::Paths;
use crate::target::Target;
use crate::test::Launcher;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Presets that do not amplify rounding errors: linear bodies without rattle or a cascade. Their samples must be the same on every system with
/// fused multiply-add, although the last digits of sine and exponential functions differ.
const CALM: [&str; 10] = [
    "Rosewood Marimba",
    "Concert Xylophone",
    "Vibraphone Motor Off",
    "Glockenspiel Brass",
    "Parish Bell",
    "Himalayan Bowl",
    "Tubular Chime C5",
    "Thumb Kalimba",
    "Piano C4 Wire",
    "Crystal Bars",
];
/// Keys of the piece, one every quarter of a second.
const KEYS: [u8; 5] = [48, 60, 55, 67, 60];
/// Velocities of the piece.
const VELOCITIES: [u8; 5] = [30, 64, 100, 127, 90];
/// Sound after the last note, as an argument of the command line.
const TAIL: &str = "500ms";

/// Which presets are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Presets {
    /// The ten calm ones.
    Calm,
    /// All built-in presets and kits.
    All,
}

/// Renders a short piece with the native command line and with `program`, and compares the samples. Prints the presets that differ. Errors:
/// a calm preset whose samples are not the same.
pub fn compare(paths: &Paths, launcher: &Launcher, program: &Path, target: Target, presets: Presets) -> Result<()> {
    // the features of the tests, so that nothing is built twice
    let arguments = ["--package", "urto", "--no-default-features", "--features", "plugin,cli", "--bin", "urto-cli"];
    let native = build::program(paths, "urto-cli", &arguments)?;
    let names = match presets {
        Presets::Calm => CALM.map(String::from).to_vec(),
        Presets::All => all_names(&native)?,
    };
    println!("\n== {} presets, rendered here and on {}", names.len(), target.system());
    let folder = target.folder(paths)?.join("renders");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let piece = folder.join("piece.mid");
    fs::write(&piece, midi_file()).with_context(|| format!("cannot write {}", piece.display()))?;
    let here = render(Command::new(&native), &piece, &folder.join("here"), &names)?;
    let there = render(launcher.command(program), &piece, &folder.join("there"), &names)?;
    let differing = differing(&here, &there, &names)?;
    println!("the samples of {} of {} presets are the same, bit for bit", names.len() - differing.len(), names.len());
    differing.iter().for_each(|difference| println!("  {difference}"));
    let wrong: Vec<&str> =
        differing.iter().map(|difference| difference.preset.as_str()).filter(|name| CALM.contains(name)).collect();
    ensure!(wrong.is_empty(), "these presets must have the same samples on {}: {}", target.system(), wrong.join(", "));
    println!("among them all calm ones: {}", CALM.join(", "));
    Ok(())
}

/// Names of all built-in presets.
fn all_names(program: &Path) -> Result<Vec<String>> {
    // a home of its own: the user's presets are not built in
    let nowhere = std::env::temp_dir().join("urto-no-user-presets");
    let output = Command::new(program).args(["presets", "list", "--json"]).env("XDG_DATA_HOME", nowhere).output()?;
    let rows: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("`urto-cli presets list --json` prints no JSON")?;
    let names = rows.as_array().into_iter().flatten().filter_map(|row| Some(row["name"].as_str()?.to_owned()));
    Ok(names.collect())
}

/// Renders the piece with every preset. Returns the folder of the files.
fn render(mut program: Command, piece: &Path, folder: &Path, names: &[String]) -> Result<PathBuf> {
    program.arg("render").arg(piece).arg(folder).args(["--tail", TAIL]);
    for name in names {
        program.args(["--preset", name]);
    }
    // the list of presets is too long to be printed
    let output = program.output().context("cannot start the command line")?;
    if !output.status.success() {
        bail!("rendering failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(folder.to_owned())
}

/// How two renderings of a preset differ.
struct Difference {
    preset: String,
    /// The first sample that differs, counted over both channels.
    first: usize,
    /// Level of the difference below the sound [dB].
    level: f64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(out, "{}: from frame {} on, {:.0} dB relative to the sound", self.preset, self.first / 2, self.level)
    }
}

fn differing(here: &Path, there: &Path, names: &[String]) -> Result<Vec<Difference>> {
    let mut found = Vec::new();
    for name in names {
        let file = format!("piece {name}.wav");
        let read = |folder: &Path| {
            let path = folder.join(&file);
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let (here, there) = (read(here)?, read(there)?);
        if here != there {
            found.push(difference(name, &samples(&here), &samples(&there)));
        }
    }
    Ok(found)
}

fn difference(preset: &str, here: &[f32], there: &[f32]) -> Difference {
    let first = here.iter().zip(there).position(|(a, b)| a.to_bits() != b.to_bits()).unwrap_or(here.len().min(there.len()));
    let power = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>();
    let sound = power(&mut here.iter().map(|sample| f64::from(*sample)));
    let error = power(&mut here.iter().zip(there).map(|(a, b)| f64::from(a - b)));
    Difference { preset: preset.to_owned(), first, level: 10.0 * (error / sound).log10() }
}

/// The samples of a WAV file of 32-bit floating point; none without a chunk `data`. Text may follow them.
fn samples(wav: &[u8]) -> Vec<f32> {
    let word = |bytes: &[u8]| [bytes[0], bytes[1], bytes[2], bytes[3]];
    let start = wav.windows(8).position(|bytes| bytes.starts_with(b"data")).map_or(wav.len(), |at| at + 8);
    let length = wav[..start].last_chunk().map_or(0, |length| u32::from_le_bytes(*length) as usize);
    let data = &wav[start..];
    data[..length.min(data.len())].chunks_exact(4).map(|bytes| f32::from_le_bytes(word(bytes))).collect()
}

/// The piece as a MIDI file of format 0 with 480 ticks per quarter note, at 120 quarter notes per minute.
fn midi_file() -> Vec<u8> {
    let mut track = Vec::new();
    for (key, velocity) in KEYS.into_iter().zip(VELOCITIES) {
        // 240 ticks are a variable-length quantity of two bytes
        track.extend([0x00, 0x90, key, velocity, 0x81, 0x70, 0x80, key, 64]);
    }
    track.extend([0x00, 0xff, 0x2f, 0x00]);
    let mut file = b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk".to_vec();
    file.extend((track.len() as u32).to_be_bytes());
    file.extend(track);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wav(samples: &[f32]) -> Vec<u8> {
        let mut file = b"RIFF____WAVEdata".to_vec();
        file.extend((4 * samples.len() as u32).to_le_bytes());
        samples.iter().for_each(|sample| file.extend(sample.to_le_bytes()));
        file.extend(b"LIST with text");
        file
    }

    #[test]
    fn a_difference_of_one_bit_is_found_and_measured() {
        let folder = std::env::temp_dir().join(format!("urto-renders-{}", std::process::id()));
        let there = folder.join("there");
        fs::create_dir_all(&there).unwrap();
        let names = ["A".to_owned(), "B".to_owned()];
        for (folder, last) in [(&folder, 1.0_f32), (&there, 1.0 + f32::EPSILON)] {
            fs::write(folder.join("piece A.wav"), wav(&[0.5, -0.5])).unwrap();
            fs::write(folder.join("piece B.wav"), wav(&[0.0, 0.0, 0.0, last])).unwrap();
        }
        let found = differing(&folder, &there, &names).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.iter().map(|found| (found.preset.as_str(), found.first)).collect::<Vec<_>>(), [("B", 3)]);
        assert!((found[0].level - 20.0 * f64::from(f32::EPSILON).log10()).abs() < 0.1, "{}", found[0].level);
    }
}
