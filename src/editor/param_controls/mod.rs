//! Controls of parameters: knob, slider, menu, value field, and grids of them.

pub(crate) mod dense_body;
pub(crate) mod dropdown;
pub(crate) mod group;
pub(crate) mod knob;
pub(crate) mod param_grid;
pub(crate) mod param_row;
pub(crate) mod stiffening;
pub(crate) mod value_entry;
pub(crate) mod velocity_curve;

pub use crate::editor::param_controls::knob::Spot;
pub use crate::editor::param_controls::param_grid::Row;
