//! The project's tasks, run as `cargo xtask <task>`.

mod archives;
mod bench;
mod build;
mod bundle;
mod c_interface;
mod cargo_tools;
mod command_line;
mod commands;
mod cross;
mod debian_toolchain;
mod docs;
mod editor_pictures;
mod examples;
mod external_hosts;
mod fingerprints;
mod frame_timing;
mod fuzz;
mod install;
mod instruction_counts;
mod lock_files;
mod manual;
mod media;
mod paper;
mod paper_figures;
mod paths;
mod python_environment;
mod python_package;
mod recordings;
mod samplers;
mod setup;
mod soak;
mod standalone;
mod target;
mod test;
mod virtual_display;
mod web;

use anyhow::{Result, bail};
use paths::Paths;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  demo                build the plugin, play a short piece through it, check the sound and draw it (target/demo/)
  test [--thorough | --nightly] [--list] [PART...]
                      run the checks: about ten minutes without an option; `cargo xtask test --help` lists parts and tiers
  fuzz [TARGET...] [--seconds N]
                      search for files and events that violate a claim (needs cargo-fuzz and a nightly compiler)
  soak                render an hour of music with random automation, and check every block
  hosts [HOST...]     run the bundled plugin in DawDreamer, pedalboard, Ardour and Qtractor, or in named hosts (needs Python 3, and
                      the network the first time); the two with windows are skipped where they are not installed
  samplers [--large]  play exports of `urto-cli export` in FluidSynth and parse them (needs FluidSynth, Python 3, and the network the
                      first time); --large exports five octaves
  python [--clusters] build the Python package, install it into an environment of its own and run its tests (needs Python 3.11, and the
                      network the first time); --clusters also runs the examples for Ray and Dask, and kills a worker of each
  web [--test]        build the page for browsers, a folder of static files (target/web/); --test plays it in Node and headless Chromium (needs
                      Node and Chromium, and the network the first time)
  c                   build the C interface, a program in C and an external of Pure Data, and compare them with urto-cli bit for bit (target/c/)
  bundle              build the CLAP and VST3 bundles (target/bundled/)
  install             build both bundles and copy them to your plug-in folders
  dist [--try] [--quick] [--target windows | arm | web | all]
                      pack plugins, programs, installer, licences, manual and checksums for this system, or for others (target/dist/);
                      --try unpacks the archive of this system, installs from it and plays, without Rust; --quick packs builds of the dev
                      profile
  cross windows [--quick]
                      build for Windows, test in Wine, compare all presets with this system, pack the archive and load its plugins;
                      --quick packs builds of the dev profile
  cross arm [--long]  build for 64-bit ARM, test physics and engine in QEMU and compare ten presets with this system; a short list of tests,
                      or all of them in some two hours; a run that was ended goes on with the tests that have not passed
  standalone [-- ...] build the standalone program and start it; arguments after -- go to the program
  bench [--json FILE] [PART...]
                      time ringing, contacts and whole engines relative to a reference cost; parts of names select figures, --json
                      also writes them to FILE
  bench --plots       draw the scaling of the cost with modes, bodies, contacts and sample rate (docs/images/performance/)
  bench --editor      time the frames of the editor, and count the frames of an idle window
  counts [--renew]    count the instructions of the kernels and compare them with benches/counts.toml; --renew writes that file
  pictures            draw the pictures of the editor (docs/images/editor/)
  figures             write the figures and tables of the papers (docs/papers/)
  validation          compare Urto with published measurements and write the tables and the figure (docs/validation.md)
  paper               compute the figures and tables of the paper (docs/paper/) and write it as one page (target/paper/)
  docs                build the documentation of the library and check its links (target/doc/)
  examples            run the examples of the library (target/examples/)
  manual              write the generated pages of the manual, and the manual as HTML (target/manual/)
  fingerprints        store the fingerprints of the presets after an intended change of sound (engine/tests/engine/preset_regression/)
  sheets              render all presets and draw their spectrograms (docs/images/presets/)
  recordings FOLDER   put recordings of real instruments out of Debian packages, and their map, into FOLDER, for
                      `urto-cli presets compare`
  sounds              render the pieces of the manual's page of sounds (docs/manual/sounds/)
  score               write the MIDI file of the demo after a change of media/src/demo/score.rs
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
    commands::note_first_build(&paths.target, commands::Build::of_task(task));
    match (task, rest) {
        ("demo", []) => media::demo(&paths),
        ("test", [help]) if help == "--help" => {
            print!("{}", test::HELP);
            Ok(())
        }
        ("test", options) => test::run(&paths, options),
        ("hosts", names) => external_hosts::run(&paths, names),
        ("samplers", []) => samplers::run(&paths, samplers::Size::Small),
        ("samplers", [large]) if large == "--large" => samplers::run(&paths, samplers::Size::Large),
        ("python", []) => python_package::run(&paths, python_package::Scope::Package),
        ("python", [clusters]) if clusters == "--clusters" => python_package::run(&paths, python_package::Scope::Clusters),
        ("web", []) => web::run(&paths, web::Check::None),
        ("web", [test]) if test == "--test" => web::run(&paths, web::Check::Browser),
        ("c", []) => c_interface::run(&paths),
        ("bundle", []) => bundle::run(&paths).map(drop),
        ("install", []) => install::run(&paths),
        ("dist", options) => archives::run(&paths, options),
        ("cross", options) => cross::run(&paths, options),
        ("docs", []) => docs::run(&paths),
        ("examples", []) => examples::run(&paths, ""),
        ("manual", []) => manual::run(&paths),
        ("fingerprints", []) => fingerprints::renew(&paths),
        ("soak", []) => soak::run(&paths),
        ("figures", []) => paper_figures::run(&paths, paper_figures::Pages::Papers),
        ("paper", []) => paper::run(&paths),
        ("validation", []) => paper_figures::run(&paths, paper_figures::Pages::Validation),
        ("pictures", []) => editor_pictures::run(&paths),
        ("sheets", []) => media::preset_sheets(&paths),
        ("sounds", []) => media::sounds(&paths),
        ("recordings", [folder]) => recordings::run(std::path::Path::new(folder)),
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
            bail!("unexpected argument `{}` of `cargo xtask {task}`; `cargo xtask help` lists the arguments", rest.join(" "))
        }
        (other, _) => bail!("no task `{other}`; the tasks are\n\n{HELP}"),
    }
}
