//! Helpers of the tests.

pub mod page;
pub mod plot;
pub mod reference;
pub mod rng;
