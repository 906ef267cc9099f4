//! Sound and pictures of Urto for the demo, the README and the manual.
//!
//! `cargo xtask` builds the inputs of this program and runs it in the folder of the workspace.

mod demo;
mod editor_pictures;
mod midi_track;
mod plots;
mod preset_sheets;
mod sounds;
mod spectrum;
mod wav;

use anyhow::{Result, bail};
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
urto-media <task>

  demo CLAP FOLDER        play the demo's piece through the plugin CLAP, check the sound and draw it into FOLDER
  score                   write the demo's piece as a MIDI file
  sounds PROGRAM FOLDER   render the pieces of the page of sounds with the command line PROGRAM; FOLDER receives the WAV files
  sheets FOLDER           draw the spectrograms of all presets from the WAV files in FOLDER
  editor-pictures FOLDER  convert the editor's screenshots in FOLDER to PNG files
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["demo", clap, folder] => demo::run(Path::new(clap), Path::new(folder)),
        ["score"] => demo::store_score(),
        ["sounds", program, folder] => sounds::run(Path::new(program), Path::new(folder)),
        ["sheets", folder] => preset_sheets::run(Path::new(folder)),
        ["editor-pictures", folder] => editor_pictures::run(Path::new(folder)),
        _ => bail!("unknown task or wrong arguments `{}`\n\n{HELP}", arguments.join(" ")),
    }
}
