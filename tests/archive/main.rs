//! Loads the plugins of an unpacked archive from their files, as hosts do, and plays a note in each of them.
//!
//! `archive FOLDER` loads `Urto.clap` and `Urto.vst3` in FOLDER. `archive FOLDER --editor` also opens the editor of the CLAP in a window
//! (on Windows), prints `editor open`, and closes it when its standard input ends. `cargo xtask dist` and `cargo xtask cross` run it; it
//! is not one of the programs of `cargo test`, because it needs an archive.

mod clap_file;
mod vst3_bundle;
#[cfg(windows)]
mod win32_window;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Rate that the hosts run at [Hz].
const RATE: f64 = 48_000.0;
/// Frames of a block.
const BLOCK: usize = 512;
/// Blocks with one note: two seconds.
const BLOCKS: usize = 188;
/// Key and MIDI velocity of the note.
const KEY: u8 = 60;
const VELOCITY: u8 = 90;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, editor) = match &arguments[..] {
        [folder] => (folder, false),
        [folder, option] if option == "--editor" => (folder, true),
        _ => {
            eprintln!("usage: archive FOLDER [--editor]; FOLDER contains Urto.clap and Urto.vst3");
            return ExitCode::FAILURE;
        }
    };
    match run(Path::new(folder), editor) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path, editor: bool) -> Result<(), String> {
    let start = Instant::now();
    let mut clap = clap_file::ClapFile::load(&folder.join("Urto.clap"))?;
    let sound = clap.play(BLOCKS);
    report("Urto.clap", &sound, start)?;
    if editor {
        open_editor(&mut clap)?;
    }
    drop(clap);
    let start = Instant::now();
    report("Urto.vst3", &vst3_bundle::play(&folder.join("Urto.vst3"), BLOCKS)?, start)
}

/// Prints peak and mean level of a note. Errors: it is silent, not finite, or clipped.
fn report(name: &str, sound: &[f32], start: Instant) -> Result<(), String> {
    let peak = sound.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
    let power = sound.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / sound.len().max(1) as f64;
    if !(sound.iter().all(|sample| sample.is_finite()) && peak > 1e-3 && peak <= 1.0) {
        return Err(format!("{name}: a note has a peak of {peak}, which must be between 0.001 and 1"));
    }
    let (level, seconds) = (10.0 * power.log10(), start.elapsed().as_secs_f64());
    println!("{name}: loaded and played in {seconds:.2} s; a note has a peak of {peak:.3} and a mean level of {level:.1} dB");
    Ok(())
}

#[cfg(windows)]
fn open_editor(clap: &mut clap_file::ClapFile) -> Result<(), String> {
    win32_window::show(clap)
}

#[cfg(not(windows))]
fn open_editor(_: &mut clap_file::ClapFile) -> Result<(), String> {
    Err("--editor is for Windows; the test program editor_windows opens the editor on Linux".into())
}
