//! The papers' own schemes, one small interface each: state in, one sample out.

#![allow(clippy::expect_used, clippy::unreachable, reason = "the laboratory, which no audio thread enters")]

mod exact_linear;
mod explicit;
mod k_method;
mod method;
mod piecewise_linear;
mod system;

pub use crate::lab::schemes::exact_linear::{Offset, Onset};
pub use crate::lab::schemes::method::Method;
pub use crate::lab::schemes::piecewise_linear::Piecewise;
pub use crate::lab::schemes::system::{Corrections, Scheme, State, System};
pub(crate) use crate::lab::schemes::system::{Cost, Limits, Losses};
