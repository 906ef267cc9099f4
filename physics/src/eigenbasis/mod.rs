//! Common eigenvectors of a hammer and a body in linear contact.

mod contact_basis;
mod coupled;
mod damped_roots;
mod phasors;
mod probe;
mod uncoupled;
mod undamped_roots;

pub use crate::eigenbasis::contact_basis::ContactBasis;
pub use crate::eigenbasis::probe::{MAX_PROBES, Probe};
