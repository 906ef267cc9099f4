//! Urto's own tasks, run as `cargo xtask <task>`.

mod archives;
mod bench;
mod build;
mod bundle;
mod command_line;
mod commands;
mod docs;
mod editor_pictures;
mod examples;
mod external_hosts;
mod fingerprints;
mod frame_timing;
mod fuzz;
mod install;
mod instruction_counts;
mod manual;
mod media;
mod paper_figures;
mod paths;
mod setup;
mod soak;
mod standalone;
mod test;
mod virtual_display;

use anyhow::{Result, bail};
use paths::Paths;
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
  fingerprints        take the fingerprints of the presets anew after a change of sound that is meant (engine/tests/engine/recall/)
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
    let paths = Paths::find()?;
    match (task, rest) {
        ("demo", []) => media::demo(&paths),
        ("test", [help]) if help == "--help" => {
            print!("{}", test::HELP);
            Ok(())
        }
        ("test", options) => test::run(&paths, options),
        ("hosts", []) => external_hosts::run(&paths),
        ("bundle", []) => bundle::run(&paths).map(drop),
        ("install", []) => install::run(&paths),
        ("dist", []) => archives::run(&paths),
        ("docs", []) => docs::run(&paths),
        ("examples", []) => examples::run(&paths, ""),
        ("manual", []) => manual::run(&paths),
        ("fingerprints", []) => fingerprints::renew(&paths),
        ("soak", []) => soak::run(&paths),
        ("figures", []) => paper_figures::run(&paths),
        ("pictures", []) => editor_pictures::run(&paths),
        ("sheets", []) => media::sheets(&paths),
        ("clips", []) => media::clips(&paths),
        ("score", []) => media::score(&paths),
        ("standalone", options) => standalone::run(&paths, options),
        ("fuzz", options) => fuzz::run(&paths, options),
        ("counts", []) => instruction_counts::check(&paths),
        ("counts", [renew]) if renew == "--renew" => instruction_counts::renew(&paths),
        ("bench", options) => bench::run(&paths, options),
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
