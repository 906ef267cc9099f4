//! Geometry of one frame of the body view: the camera, and how far every point of the body is displaced.

use egui::Pos2;

use crate::editor::body_view::camera::Camera;
use crate::editor::body_view::outline::Form;
use urto_engine::telemetry::MAX_SHOWN_MODES;

/// Weight of a point's depth [world] against its squared distance from the pointer [px^2].
const DEPTH_WEIGHT: f32 = 40.0;

/// Camera and displacements of one frame.
pub struct ViewGeometry {
    /// The camera.
    pub camera: Camera,
    /// What is drawn.
    pub form: Form,
    /// Modal displacements [m kg^1/2].
    pub q: [f32; MAX_SHOWN_MODES],
    /// Factor from displacements to displacements in the picture [world/m].
    pub scale: f32,
    /// Displacement of every point [world].
    pub w: Vec<f32>,
}

/// Squared distance on the window from `at` to a point projected at `projected`; of two equally distant points the one in front is nearer.
pub fn screen_distance((projected, depth): &(Pos2, f32), at: Pos2) -> f32 {
    projected.distance_sq(at) + DEPTH_WEIGHT * depth
}
