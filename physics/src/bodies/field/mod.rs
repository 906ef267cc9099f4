//! Modes above those with exact shapes, by their statistics: number, shapes, losses. A seed is one specimen of the body.

mod field_loss;
mod heavy_modes;
mod ladder;
mod modal_density;
mod plane_waves;
mod statistical_modes;

pub use crate::bodies::field::field_loss::FieldLoss;
pub use crate::bodies::field::heavy_modes::{HeavyField, HeavyMode};
pub use crate::bodies::field::ladder::ladder;
pub use crate::bodies::field::modal_density::{ModalDensity, Sheet};
pub use crate::bodies::field::plane_waves::{Outline, PlaneWaves};
pub use crate::bodies::field::statistical_modes::Field;
