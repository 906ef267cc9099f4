//! Scripted editor sessions: pictures of scenes, painted with OpenGL as in a window, and frame times.

mod canvas;
mod frame_timing;
mod scene;
mod script;

pub use crate::editor_capture::frame_timing::frames;
pub use crate::editor_capture::scene::pictures;
