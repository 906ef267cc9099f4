//! The physics against closed forms, reference solutions, papers and its own energy balance.

mod connections;
mod eigenbasis;
mod modal;
mod papers;
mod solver;
mod support;
mod surface;
#[path = "../../../tests/support/tier.rs"]
mod tier;
