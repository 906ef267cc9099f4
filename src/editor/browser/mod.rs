//! The presets: which there are, which play.

mod shelf;

pub use shelf::Shelf;
