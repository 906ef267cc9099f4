//! TODO.

pub(crate) mod beam;
pub(crate) mod cantilever;
pub(crate) mod finite_elements;
pub(crate) mod mass_chain;
pub(crate) mod pinned_rod;
pub(crate) mod string;
pub(crate) mod timoshenko_bar;
pub(crate) mod tuned_bar;
pub(crate) mod uniform_bar;
