//! The command line: renders MIDI files, exports instruments for samplers, runs experiments, and shows modes, parameters, presets and tunings. Needs no plugin.
#![forbid(unsafe_code)]

pub(crate) mod arguments;
pub(crate) mod commands;
pub(crate) mod io;
pub(crate) mod realism;
pub(crate) mod sampler;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

/// A percussion instrument built on contact physics.
#[derive(Parser)]
#[command(name = "urto-cli", version, about, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Renders a MIDI file to a WAV file.
    Render(crate::commands::Render),
    /// Simulates one strike and reports contacts, energy balance and solver.
    Strike(crate::commands::Strike),
    /// Shows the modes of a body: frequencies, decay, weights at strike and pickups; or makes a body from measured modes.
    Modes(crate::commands::Modes),
    /// Lists every parameter with id, name, group, unit and range.
    Params(crate::commands::Params),
    /// Lists presets, shows one as text, or saves one in the user's folder.
    #[command(subcommand)]
    Presets(crate::commands::Presets),
    /// Records the strokes of a preset and writes an instrument for samplers: SFZ, SoundFont 2, DecentSampler or WAV files.
    Export(crate::commands::Export),
    /// Renders many strokes with drawn parameters, as shards of sound and one manifest.
    Dataset(crate::commands::Dataset),
    /// Shows the key frequencies of a scale and a key map, or lists the built-in scales.
    #[command(subcommand)]
    Tune(crate::commands::Tune),
}

fn main() -> ExitCode {
    crate::io::output_file::remove_unfinished_on_signals();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        Err(error) => {
            crate::io::error::print_error(crate::arguments::usage_error(&error));
            return ExitCode::from(2);
        }
    };
    let result = match cli.command {
        Command::Render(render) => render.run(),
        Command::Strike(strike) => strike.run(),
        Command::Modes(modes) => modes.run(),
        Command::Params(params) => params.run(),
        Command::Presets(presets) => presets.run(),
        Command::Export(export) => export.run(),
        Command::Dataset(dataset) => dataset.run(),
        Command::Tune(tune) => tune.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            crate::io::error::print_error(&error);
            ExitCode::from(2)
        }
    }
}
