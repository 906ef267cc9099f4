//! Published measurements of real objects beside Urto, which is set by their dimensions and materials alone.
//!
//! `cargo xtask validation` sets `URTO_FIGURES`, with which the test writes the tables and the figure of `docs/validation.md`. Without the
//! variable it compares the tables there with its results.

mod balls;
mod bars;
mod comparison;
mod drums;
mod page;
mod pianos;
mod plates;
mod shells;
mod sources;
