//! The papers' own schemes, one small interface each: state in, one sample out.

#![allow(clippy::expect_used, clippy::unreachable, reason = "the laboratory, which no audio thread enters")]

mod corrections;
mod crossing;
mod exact_linear;
mod explicit;
mod free_step;
mod k_method;
mod method;
mod piecewise_law;
mod piecewise_linear;
mod system;

pub use crate::lab::schemes::corrections::Corrections;
pub(crate) use crate::lab::schemes::corrections::Limits;
pub use crate::lab::schemes::exact_linear::{Offset, Onset};
pub use crate::lab::schemes::method::Method;
pub use crate::lab::schemes::piecewise_linear::Piecewise;
pub(crate) use crate::lab::schemes::system::{Cost, Losses};
pub use crate::lab::schemes::system::{Scheme, State, System};
