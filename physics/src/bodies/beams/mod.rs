//! TODO.

mod beam;
pub(crate) mod cantilever;
mod finite_elements;
mod mass_chain;
mod pinned_rod;
pub(crate) mod string;
pub(crate) mod timoshenko_bar;
mod tuned_bar;
mod uniform_bar;

pub use crate::bodies::beams::beam::Section;
pub(crate) use crate::bodies::beams::cantilever::Tongue;
pub(crate) use crate::bodies::beams::mass_chain::Chain;
pub use crate::bodies::beams::mass_chain::Links;
pub use crate::bodies::beams::pinned_rod::Rod;
pub(crate) use crate::bodies::beams::string::shapes_at;
pub(crate) use crate::bodies::beams::tuned_bar::Tuned;
pub use crate::bodies::beams::tuned_bar::TunedBar;
pub(crate) use crate::bodies::beams::uniform_bar::{Bar, Ends};
