//! TODO.

pub(crate) mod dry_wet;
pub(crate) mod output_stage;
