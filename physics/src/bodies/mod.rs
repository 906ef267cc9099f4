//! Geometry and material to modes: frequency ratios, shapes, modal masses and losses of strings, beams, plates, drum heads and shells.

mod beams;
mod circular;
mod far_field;
mod field;
mod material;
mod modal_shape;
mod mode_list;
mod mode_thinning;
mod position;
mod rectangular;
mod remembered_shapes;
mod resonator_tube;
mod shells;
mod strings;
mod tension;

pub use crate::bodies::beams::{Links, Rod, Section, TunedBar};
pub use crate::bodies::circular::{
    Air, CurvedDisc, CurvedDiscSpec, Disc, DiscPotential, DiscStretch, Head, RestShape, TwoHeads, disc_forms,
};
pub use crate::bodies::field::{Field, FieldLoss, HeavyField, HeavyMode, ModalDensity, Outline, PlaneWaves, Sheet, ladder};
pub use crate::bodies::material::{Losses, Material};
pub use crate::bodies::modal_shape::ModalShape;
pub use crate::bodies::mode_list::{ListMode, ListShape};
pub use crate::bodies::mode_thinning::Trim;
pub use crate::bodies::position::{BodyPosition, EdgeSupport, RoundMode};
pub use crate::bodies::rectangular::{
    InPlaneEdges, MAX_HALF_WAVES, Plate, PlateEdges, PlatePotential, PlateStretch, StressDetail, StretchDetail, StretchForms,
    StretchPotential, StretchSpec, plate_forms,
};
pub use crate::bodies::resonator_tube::ResonatorTube;
pub use crate::bodies::shells::{Bell, Bowl, Glass, Partial, Wall};
pub use crate::bodies::strings::{CourseParts, Soundboard, StringCourse, StringJoint};
pub use crate::bodies::tension::StretchStiffness;
