//! Bodies with one long side: strings, bars, tongues, rods, chains of masses.

mod beam;
mod cantilever;
mod finite_elements;
mod mass_chain;
mod timoshenko_bar;
mod tuned_bar;
mod uniform_bar;

pub use crate::bodies::beams::beam::Section;
pub(crate) use crate::bodies::beams::beam::shapes_at as string_shapes_at;
pub use crate::bodies::beams::mass_chain::Links;
pub use crate::bodies::beams::tuned_bar::TunedBar;
pub use crate::bodies::beams::uniform_bar::Rod;
pub(crate) use crate::bodies::beams::uniform_bar::{Bar, Ends};
