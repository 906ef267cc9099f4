//! The arguments of several commands: patches, parameters, tunings, and the file of an experiment.

pub(crate) mod case_file;
pub(crate) mod patch;

pub use crate::arguments::patch::{TuningOptions, library_error, load_patch, load_program, name_after, preset_folder};
