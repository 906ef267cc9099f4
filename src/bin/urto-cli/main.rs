//! The command line: plays MIDI files, strikes in the laboratory, shows modes, parameters, presets and tunings. Floors 0 and 1 only.
#![forbid(unsafe_code)]

mod case;
mod check;
mod complaint;
mod draft;
mod drive;
mod from_file;
mod from_wav;
mod midi;
mod modes;
mod params;
mod phrase;
mod plot;
mod portrait;
mod presets;
mod programs;
mod progress;
mod render;
mod state;
mod strike;
mod tuning;
mod wav;

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
    Render(render::Render),
    /// Makes one strike in the laboratory.
    Strike(strike::Strike),
    /// Shows the modes of a body: frequencies, decay, weights at the strike and at the pickups; or makes a body of modes from outside.
    Modes(modes::Modes),
    /// Lists every parameter with id, name, group, unit and range.
    Params(params::Params),
    /// Lists presets, shows one as text, or keeps one in the user's folder.
    #[command(subcommand)]
    Presets(presets::Presets),
    /// Shows what a scale and a key map make of the keys, or lists the built-in scales.
    #[command(subcommand)]
    Tune(tuning::Tune),
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
            complaint::tell(&complaint);
            ExitCode::from(2)
        }
    }
}
