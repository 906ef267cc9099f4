//! The command line: plays MIDI files, strikes in the laboratory, shows modes, parameters, presets and tunings. Floors 0 and 1 only.
#![forbid(unsafe_code)]

pub(crate) mod arguments;
pub(crate) mod commands;
pub(crate) mod io;

use std::process::ExitCode;

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
    /// Plays a MIDI file into a WAV file.
    Render(crate::commands::Render),
    /// Makes one strike in the laboratory.
    Strike(crate::commands::Strike),
    /// Shows the modes of a body: frequencies, decay, weights at the strike and at the pickups; or makes a body of modes from outside.
    Modes(crate::commands::Modes),
    /// Lists every parameter with id, name, group, unit and range.
    Params(crate::commands::Params),
    /// Lists presets, shows one as text, or keeps one in the user's folder.
    #[command(subcommand)]
    Presets(crate::commands::Presets),
    /// Shows what a scale and a key map make of the keys, or lists the built-in scales.
    #[command(subcommand)]
    Tune(crate::commands::Tune),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Render(render) => render.run(),
        Command::Strike(strike) => strike.run(),
        Command::Modes(modes) => modes.run(),
        Command::Params(params) => params.run(),
        Command::Presets(presets) => presets.run(),
        Command::Tune(tune) => tune.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            crate::io::error::tell(&complaint);
            ExitCode::from(2)
        }
    }
}
