//! The view of the body: a drawing of it that vibrates in slow motion, the hammer, and handles for the strike and the pickups.

mod floor;
mod hammer;
mod mesh;
mod mesh_builder;
mod position_handles;
mod slow_motion;
mod view;

pub use crate::editor::body_view::hammer::head;
pub use crate::editor::body_view::mesh_builder::miniature;
pub use crate::editor::body_view::view::{BodyView, struck_zone};
