//! The papers that Urto stands on: one file a paper, one test a figure, table or numbered claim.
//!
//! What a test computes it also writes down: `cargo xtask figures` runs these tests with `URTO_FIGURES` set, and then tables and
//! figures go into `docs/papers/`; without it the tables there are compared, and a stale one fails.

mod avanzini_rocchesso_2001;
mod avanzini_rocchesso_2001_drive;
mod avanzini_rocchesso_2001_runs;
mod papetti_2011;
mod papetti_2011_hard;
mod rath;
mod rath_curved;
mod rath_string;
mod schemes;
mod stulov_1995;
mod woodhouse;
