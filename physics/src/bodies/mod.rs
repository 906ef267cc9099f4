//! Geometry and material to modes: frequency ratios, shapes, modal masses and losses of strings, beams, plates, drum heads and shells.

mod beams;
mod circular;
mod edge;
mod far_field;
mod irregularity;
mod material;
mod modal_shape;
mod mode_list;
mod mode_thinning;
mod partial_edit;
mod position;
mod rectangular;
mod rotation;
mod shape_table;
mod shells;

pub use crate::bodies::beams::{Links, Rod, Section, TunedBar};
pub use crate::bodies::circular::{Air, Disc, Head};
pub use crate::bodies::edge::EdgeSupport;
pub use crate::bodies::material::{Losses, Material};
pub use crate::bodies::modal_shape::ModalShape;
pub use crate::bodies::mode_list::{ListMode, ListShape, Round as RoundMode};
pub use crate::bodies::partial_edit::Trim;
pub use crate::bodies::position::BodyPosition;
pub use crate::bodies::rectangular::Plate;
pub use crate::bodies::shells::{Bell, Bowl, Glass, Partial, Wall};
