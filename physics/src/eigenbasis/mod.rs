//! Common eigenvectors of a hammer and a body in linear contact, and the equation of the eigenvalues of joined modes.

mod contact_basis;
mod coupled;
mod damped_roots;
mod phasors;
mod secular;

pub use crate::eigenbasis::contact_basis::ContactBasis;
pub use crate::eigenbasis::coupled::{MAX_PROBES, Probe};
pub(crate) use crate::eigenbasis::secular::{Compliance, Eigenvalue, SecularJoint, SecularTerms, eigenvalue};
