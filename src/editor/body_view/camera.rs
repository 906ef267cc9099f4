//! The camera: projects world coordinates to the window. World: x along the body from -1 to 1, y depth, z up.

use egui::{Pos2, pos2};

/// Distance of the eye from the origin [world].
const DISTANCE: f32 = 7.0;

/// A camera with weak perspective: turned about the vertical axis, then tilted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    center: Pos2,
    /// Pixels per world unit at the origin.
    pub scale: f32,
    yaw: (f32, f32),
    pitch: (f32, f32),
}

impl Camera {
    /// A camera that looks at the origin, drawn at `center`, turned by `yaw` and tilted by `pitch` [degrees].
    pub fn new(center: Pos2, scale: f32, yaw: f32, pitch: f32) -> Self {
        Self { center, scale, yaw: yaw.to_radians().sin_cos(), pitch: pitch.to_radians().sin_cos() }
    }

    /// Projects a point [world] to the window.
    pub fn project(&self, point: [f32; 3]) -> Pos2 {
        self.project_with_depth(point).0
    }

    /// Projects a point [world] to the window; with its distance from the plane through the origin, away from the eye [world].
    pub fn project_with_depth(&self, [x, y, z]: [f32; 3]) -> (Pos2, f32) {
        let ((yaw_sin, yaw_cos), (pitch_sin, pitch_cos)) = (self.yaw, self.pitch);
        let (across, depth) = (x * yaw_cos - y * yaw_sin, x * yaw_sin + y * yaw_cos);
        let far = depth * pitch_cos - z * pitch_sin;
        let size = self.scale * DISTANCE / (DISTANCE + far);
        (pos2(self.center.x + size * across, self.center.y - size * (z * pitch_cos + depth * pitch_sin)), far)
    }
}
