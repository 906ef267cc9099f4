//! TODO.

pub(crate) mod case_file;
