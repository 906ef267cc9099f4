//! Readers of the command line, which this package shares: the same files give the same experiments and songs.
#![allow(dead_code)]

#[path = "../../src/bin/urto-cli/io/error.rs"]
pub mod error;
#[path = "../../src/bin/urto-cli/io/midi_file.rs"]
pub mod midi_file;

pub use error::CliError;
