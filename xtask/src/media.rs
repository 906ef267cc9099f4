//! Demo, pieces and spectrograms: builds the inputs of `urto-media` and runs it.

use crate::build::{self, Artifacts};
use crate::bundle::{self, Bundles};
use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::{command_line, setup};
use anyhow::Result;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Builds the plugin and a headless host, plays the demo's piece, checks the sound and draws it (`target/demo/`).
pub fn demo(paths: &Paths) -> Result<()> {
    let start = Instant::now();
    let print_stage = |number: u8, stage: &str| println!("\ndemo {number}/3, {:.0} s: {stage}", start.elapsed().as_secs_f64());
    setup::build()?;
    print_stage(1, "building the plugin and a headless host");
    let packages = ["build", "--package", "urto", "--package", "urto-media", "--lib", "--bin", "urto-media"];
    let built = Artifacts::build(paths, &[&packages[..], &["--no-default-features", "--features", "urto/plugin"]].concat())?;
    print_stage(2, "bundling the plugin");
    let bundles = bundle::everyday(paths, &built.plugin()?)?;
    print_stage(3, "playing, checking and drawing the piece");
    play_demo(paths, &built.program("urto-media")?, &bundles)?;
    println!("\ndemo: finished after {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Plays the demo's piece through a bundled plugin with the program `media`, and checks the sound.
pub fn play_demo(paths: &Paths, media: &Path, bundles: &Bundles) -> Result<()> {
    let folder = paths.output("demo")?;
    let mut command = Command::new(media);
    run_command(command.current_dir(&paths.root).arg("demo").args([&bundles.clap, &folder]))
}

/// Stores the demo's piece as a MIDI file.
pub fn score(paths: &Paths) -> Result<()> {
    run(paths, ["score"])
}

/// Renders the pieces of the page of sounds into `target/sounds/` and encodes them into `docs/manual/sounds/`.
pub fn sounds(paths: &Paths) -> Result<()> {
    let (program, folder) = (command_line::build(paths)?, paths.output("sounds")?);
    run(paths, ["sounds".as_ref(), program.as_os_str(), folder.as_os_str()])
}

/// Renders all presets into `target/presets/` and draws their spectrograms (`docs/images/presets/`).
pub fn preset_sheets(paths: &Paths) -> Result<()> {
    let (program, folder) = (command_line::build(paths)?, paths.output("presets")?);
    run_command(Command::new(program).args(["presets", "render-all", "--out"]).arg(&folder))?;
    run(paths, ["sheets".as_ref(), folder.as_os_str()])
}

/// Builds `urto-media` and runs it with `arguments` in the folder of the workspace.
pub fn run<S: AsRef<OsStr>>(paths: &Paths, arguments: impl IntoIterator<Item = S>) -> Result<()> {
    let program = build::program(paths, "urto-media", &["--package", "urto-media"])?;
    run_command(Command::new(program).current_dir(&paths.root).args(arguments))
}
