//! Helpers of the tests.

pub mod elliptic_period;
pub mod page;
pub mod plot;
pub mod potential_reference;
pub mod reference;
pub mod rng;
pub mod round_plate;
pub mod square_plate;
pub mod strike_reference;
pub mod struck_body;
pub mod tension_reference;
