//! Urto's own tasks, run as `cargo xtask <task>`.

mod bench;
mod bundle;
mod demo;
mod figures;
mod frames;
mod hosts;
mod install;
mod pictures;
mod place;
mod screen;
mod setup;
mod sheets;
mod standalone;
mod test;

use anyhow::{Result, bail};
use place::Place;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  demo                play a short piece through the bundled plugin, draw it and check it (target/demo/)
  test                run every check: format, lints, tests of all floors, the bundled plugin in a host
  hosts               run the bundled plugin in DawDreamer and pedalboard (needs Python 3, the first time the network)
  bundle              build the CLAP and VST3 bundles (target/bundled/)
  install             bundle, then copy both to your plugin folders
  standalone [-- ...] build the program that needs no host and start it; what stands behind -- is handed on
  bench [--json FILE] time ringing, contact and whole engines against a plain bank of biquads; parts of names choose among the figures
  bench --editor      time a frame of the editor, and count those of an idle window
  pictures            draw the pictures of the editor anew (docs/images/editor/)
  figures             compute the papers' figures and tables anew (docs/papers/)
  sheets              play all presets and draw their spectrograms anew (docs/images/presets/)
  score               store the demo's piece anew after a change of xtask/src/demo/score.rs
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
    let (task, rest) = match arguments.split_first() {
        Some((task, rest)) => (task.as_str(), rest),
        None => ("help", &[][..]),
    };
    let place = Place::find()?;
    match (task, rest) {
        ("demo", []) => demo::run(&place),
        ("test", []) => test::run(&place),
        ("hosts", []) => hosts::run(&place),
        ("bundle", []) => bundle::run(&place).map(drop),
        ("install", []) => install::run(&place),
        ("figures", []) => figures::run(&place),
        ("pictures", []) => pictures::run(&place),
        ("sheets", []) => sheets::run(&place),
        ("score", []) => demo::store_score(&place),
        ("standalone", options) => standalone::run(&place, options),
        ("bench", options) => bench::run(&place, options),
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(())
        }
        (task @ ("demo" | "test" | "hosts" | "bundle" | "install" | "figures" | "pictures" | "sheets" | "score"), rest) => {
            bail!("`cargo xtask {task}` takes no arguments, but got `{}`", rest.join(" "))
        }
        (other, _) => bail!("there is no task `{other}`; the tasks are\n\n{HELP}"),
    }
}
