//! Roughness profiles, and what rolls over them.

mod profile;
mod rolling;

pub use crate::surface::profile::{Roughness, Surface, SurfaceProfile};
pub use crate::surface::rolling::{Rolling, RollingGeometry};
