//! TODO.

pub(crate) mod choices;
pub mod table;
