//! TODO.

mod readout;
pub(crate) mod schemes;
mod strike;

pub use crate::lab::readout::{Contact, Readout};
pub use crate::lab::schemes::corrections::Corrections;
pub use crate::lab::schemes::exact_linear::{Offset, Onset};
pub use crate::lab::schemes::method::Method;
pub use crate::lab::schemes::piecewise_linear::Piecewise;
pub use crate::lab::schemes::{Scheme, State, System};
pub use crate::lab::strike::{Experiment, LabMode, LabStriker, Report, TracePoint};
