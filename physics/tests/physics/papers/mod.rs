//! The papers that Urto is based on: one file per paper, one test per figure, table or numbered claim.
//!
//! `cargo xtask figures` sets `URTO_FIGURES`, with which these tests write their tables and figures to `docs/papers/`. Without the
//! variable they compare the tables there with their results.

mod avanzini_rocchesso_2001;
mod avanzini_rocchesso_2001_drive;
mod avanzini_rocchesso_2001_runs;
mod papetti_2011;
mod papetti_2011_hard;
mod rath;
mod rath_curved;
mod rath_string;
mod schemes;
mod stiffening;
mod stiffening_discs;
mod stiffening_plates;
mod stulov_1995;
mod woodhouse;
