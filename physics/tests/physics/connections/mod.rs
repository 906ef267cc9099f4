//! Networks of connected bodies: poles, energy, hammers and contacts.

mod allocation;
mod bar_and_tube;
mod bodies;
mod exponent_rule;
mod fuzz;
mod hammers;
mod hi_hat;
mod joints;
mod played_network;
mod poles;
