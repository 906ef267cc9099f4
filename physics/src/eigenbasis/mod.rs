//! Common eigenvectors of a hammer and a body in linear contact.

mod contact_basis;
mod coupled;
mod damped_roots;
mod phasors;

pub use crate::eigenbasis::contact_basis::ContactBasis;
pub use crate::eigenbasis::coupled::{MAX_PROBES, Probe};
