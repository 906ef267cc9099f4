//! One strike, fully measured, with Urto's solver or with the papers' own schemes.

mod experiment;
mod readout;
mod scheme_run;
mod schemes;
mod strike;

pub use crate::lab::experiment::{Experiment, LabMode, LabStriker, Report, TracePoint};
pub use crate::lab::readout::{Contact, Readout};
pub use crate::lab::schemes::{Corrections, Method, Offset, Onset, Piecewise, Scheme, State, System};
