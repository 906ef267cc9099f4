//! Urto's own tasks, run as `cargo xtask <task>`.

mod bench;
mod build;
mod bundle;
mod command_line;
mod counts;
mod dist;
mod docs;
mod examples;
mod figures;
mod frames;
mod fuzz;
mod hosts;
mod install;
mod manual;
mod media;
mod pictures;
mod place;
mod screen;
mod setup;
mod soak;
mod standalone;
mod test;

use anyhow::{Result, bail};
use place::Place;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  demo                play a short piece through the bundled plugin, draw it and check it (target/demo/)
  test [--thorough | --nightly] [--list] [PART...]
                      run the checks: about ten minutes without an option; `cargo xtask test --help` lists parts and tiers
  fuzz [TARGET] [--seconds N]
                      look for files and events that break a claim (needs cargo-fuzz and a nightly compiler)
  soak                play an hour of everything at once, and look at every block
  hosts               run the bundled plugin in DawDreamer and pedalboard (needs Python 3, the first time the network)
  bundle              build the CLAP and VST3 bundles (target/bundled/)
  install             bundle, then copy both to your plugin folders
  dist                pack plugins, programs, licences and manual for this system, with sums (target/dist/)
  standalone [-- ...] build the program that needs no host and start it; what stands behind -- is handed on
  bench [...]         time ringing, contact and whole engines against a plain bank of biquads; --json FILE keeps the figures, parts of
                      names choose among them, --plots draws anew how the cost grows (docs/images/performance/)
  bench --editor      time a frame of the editor, and count those of an idle window
  counts [--renew]    count the instructions of the kernels and compare them with benches/counts.toml, or write that anew
  pictures            draw the pictures of the editor anew (docs/images/editor/)
  figures             compute the papers' figures and tables anew (docs/papers/)
  docs                build the documentation of the library, and follow its links (target/doc/)
  examples            run the examples of the library (target/examples/)
  manual              write the pages of the manual that are made from the program, and bind it (target/manual/)
  fingerprints        take the fingerprints of the presets anew after a change of sound that is meant (engine/tests/engine/preset_regression/)
  sheets              play all presets and draw their spectrograms anew (docs/images/presets/)
  clips               play the short pieces of the README anew (assets/audio/)
  score               store the demo's piece anew after a change of media/src/demo/score.rs
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
        ("demo", []) => media::demo(&place),
        ("test", [help]) if help == "--help" => {
            print!("{}", test::HELP);
            Ok(())
        }
        ("test", options) => test::run(&place, options),
        ("hosts", []) => hosts::run(&place),
        ("bundle", []) => bundle::run(&place).map(drop),
        ("install", []) => install::run(&place),
        ("dist", []) => dist::run(&place),
        ("docs", []) => docs::run(&place),
        ("examples", []) => examples::run(&place, ""),
        ("manual", []) => manual::run(&place),
        ("fingerprints", []) => figures::fingerprints(&place),
        ("soak", []) => soak::run(&place),
        ("figures", []) => figures::run(&place),
        ("pictures", []) => pictures::run(&place),
        ("sheets", []) => media::sheets(&place),
        ("clips", []) => media::clips(&place),
        ("score", []) => media::score(&place),
        ("standalone", options) => standalone::run(&place, options),
        ("fuzz", options) => fuzz::run(&place, options),
        ("counts", []) => counts::check(&place),
        ("counts", [renew]) if renew == "--renew" => counts::renew(&place),
        ("bench", options) => bench::run(&place, options),
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(())
        }
        (task, rest) if HELP.lines().any(|line| line.split_whitespace().next() == Some(task)) => {
            bail!("`cargo xtask {task}` takes no arguments, but got `{}`", rest.join(" "))
        }
        (other, _) => bail!("there is no task `{other}`; the tasks are\n\n{HELP}"),
    }
}
