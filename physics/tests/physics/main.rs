//! The physics against closed forms, reference solutions, and itself.

mod bounces;
mod clear;
mod convergence;
mod crowd;
mod eigenbasis;
mod energy;
mod exact;
mod jumps;
mod obstacle;
mod pair;
mod papers;
mod profile;
mod propagators;
mod pushed;
mod reference;
mod reference_strikes;
mod rng;
mod rolling;
mod stretch;
mod surface;
#[path = "../../../tests/support/tier.rs"]
mod tier;
