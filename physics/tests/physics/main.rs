//! The physics against closed forms, reference solutions, papers and its own energy balance.

mod assembly;
mod connections;
#[path = "../../../engine/tests/engine/support/counted_memory.rs"]
#[allow(dead_code, reason = "the tests of the engine use all of it")]
mod counted_memory;
mod eigenbasis;
mod modal;
mod papers;
mod solver;
mod string_course;
mod support;
mod surface;
#[path = "../../../tests/support/tier.rs"]
mod tier;
mod validation;
