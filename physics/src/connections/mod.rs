//! Connected bodies: springs, dashpots and one-sided contacts between bodies that ring, and hammers on them.
//!
//! Bottom up: `port_matrix` < `exponent_rule`, `joints`, `contact_point` < `prepared_step`, `contact_forces` < `network` (state) < `network_energy`,
//! `network_fit` < `network_step`, `network_play`.

mod contact_forces;
mod contact_point;
mod exponent_rule;
mod joints;
mod network;
mod network_energy;
mod network_fit;
mod network_play;
mod network_step;
mod port_matrix;
mod prepared_step;

pub use crate::connections::contact_point::{ContactSpec, PointHammer};
pub use crate::connections::exponent_rule::Joint;
pub use crate::connections::network::{Network, NetworkCapacity, NetworkResolution, PortEnd, Side};
