//! The drawn form of a body: points on its surface, grids of quads and edges between them, and the shape of its modes at every point.
//!
//! World coordinates: x along the body from -1 to 1, y depth, z up. The editor and the C interface draw the same meshes.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
// brackets enclose units, [kg]; links are in brackets and backticks
#![allow(rustdoc::broken_intra_doc_links)]

mod mesh;
mod mode_shapes;
mod outline;

pub use crate::mesh::{BodyMesh, Edge, Grid};
pub use crate::mode_shapes::mode_shapes;
pub use crate::outline::{
    BAR, BOARD, Form, HEADS, PLATES, RADIUS, STRING, STRINGS_APART, Support, SurfacePoint, TUBE, Wall, arch_depth, profile,
};
