//! The surroundings of the body (a floor with a grid and a shadow, supports, a ruler), and the camera.
//!
//! World coordinates: x along the body from -1 to 1, y depth, z up.

use egui::epaint::Mesh;
use egui::{Pos2, pos2, vec2};

use crate::editor::theme::{Face, Size, mix};
use crate::editor::widgets::{RESTING, Side, ThemePainter};
use urto_body_mesh::{BAR, BOARD, Form, RADIUS, Support, TUBE, Wall, profile};
use urto_engine::telemetry::MAX_SHOWN_MODES;
use urto_physics::bodies::BodyPosition;

/// y of the ruler [world].
pub const RULER: f32 = -0.36;
/// Position of the first node of the lowest mode of a free bar, over its length.
const NODES: f64 = 0.2242;

/// Distance of the eye from the origin [world].
const DISTANCE: f32 = 7.0;

/// Weight of a point's depth [world] against its squared distance from the pointer [px^2].
const DEPTH_WEIGHT: f32 = 40.0;

/// Draws floor, grid and shadow, for long bodies also the ruler.
pub fn paint(painter: &ThemePainter, camera: &Camera, form: Form) {
    let floor = form.floor();
    for i in -6..=6 {
        let x = 0.25 * i as f32;
        painter.line(camera.project([x, -1.0, floor]), camera.project([x, 1.1, floor]), 1.0, painter.ink.grid);
    }
    for j in -4..=4 {
        let y = 0.25 * j as f32;
        painter.line(camera.project([-1.5, y, floor]), camera.project([1.5, y, floor]), 1.0, painter.ink.grid);
    }
    shadow(painter, camera, form);
    if form.is_line() {
        ruler(painter, camera, floor);
    }
}

/// A soft shadow: opaque under the body, fading over a rim.
fn shadow(painter: &ThemePainter, camera: &Camera, form: Form) {
    const N: usize = 48;
    const RIM: f32 = 0.14;
    let (half_x, half_y, round) = match form {
        Form::Bar(..) | Form::Tube => (1.0, BAR.0, 10.0),
        Form::String(_) => (1.0, 0.03, 10.0),
        Form::Course(_) => (1.0, 0.62, 10.0),
        Form::Plate => (0.98, 0.62, 10.0),
        Form::Round(_) | Form::TwoHeads | Form::TwoPlates => (RADIUS, RADIUS, 2.0),
        Form::Wall(wall) => {
            let largest = (0..=20).map(|i| profile(wall, i as f32 / 20.0).0).fold(0.0, f32::max);
            let least = if wall == Wall::Glass { 0.6 * largest } else { 0.85 * largest };
            (least, least, 2.0)
        }
    };
    let full = painter.ink.shadow.gamma_multiply(if painter.ink.dark { 0.42 } else { 0.20 });
    let mut mesh = Mesh::default();
    mesh.colored_vertex(camera.project([0.0, 0.0, form.floor()]), full);
    for i in 0..=N {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / N as f32).sin_cos();
        // a superellipse: a rectangle with soft corners, or a circle
        let edge = |power: f32| (cos.abs().powf(power) + sin.abs().powf(power)).powf(-1.0 / power);
        for (grown, color) in [(0.0, full), (RIM, egui::Color32::TRANSPARENT)] {
            let r = edge(round);
            let place = [(half_x + grown) * r * cos, (half_y + grown) * r * sin, form.floor()];
            mesh.colored_vertex(camera.project(place), color);
        }
        if i > 0 {
            let last = 2 * i as u32 + 1;
            mesh.add_triangle(0, last - 2, last);
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.mesh(mesh);
}

/// Projects a position on the ruler, 0 to 1.
pub fn on_ruler(camera: &Camera, form: Form, along: f32) -> Pos2 {
    camera.project([2.0 * along - 1.0, RULER, form.floor()])
}

fn ruler(painter: &ThemePainter, camera: &Camera, floor: f32) {
    let at = |x: f32, y: f32| camera.project([x, RULER - y, floor]);
    let ink = painter.ink;
    painter.line(at(-1.0, 0.0), at(1.0, 0.0), 1.2, ink.text3);
    for i in 0..=20 {
        let x = -1.0 + 0.1 * i as f32;
        let major = i % 5 == 0;
        painter.line(at(x, 0.0), at(x, if major { 0.06 } else { 0.03 }), if major { 1.2 } else { 1.0 }, ink.text3);
        if major {
            let text = ["0", "0.25", "0.5", "0.75", "1"][i / 5];
            painter.text(at(x, 0.135), Side::Center, text, (Face::Regular, Size::Tick, ink.text3));
        }
    }
    painter.text(at(1.11, 0.02), Side::Left, "*x* / *L*", (Face::Regular, Size::Text, ink.text2));
}

/// Draws the supports. `moved` returns the displacement of the body at a position [world].
pub fn supports(painter: &ThemePainter, camera: &Camera, form: Form, mut moved: impl FnMut(BodyPosition) -> f32) {
    let floor = form.floor();
    match form {
        Form::Bar(Support::Free, _) | Form::Tube => {
            let top = if form == Form::Tube { -TUBE } else { -0.07 };
            for along in [NODES, 1.0 - NODES] {
                for y in [0.11, -0.11] {
                    let x = 2.0 * along as f32 - 1.0;
                    let w = moved(BodyPosition { along, across: 0.5 });
                    cord(
                        painter,
                        camera.project([x, y, w + top]),
                        camera.project([x, y, floor + 0.10]),
                        camera.project([x, y, floor]),
                    );
                }
            }
        }
        Form::Bar(support, _) => {
            let ends: &[f32] = if support == Support::Cantilever { &[-1.0] } else { &[-1.0, 1.0] };
            for &x in ends {
                if support == Support::Supported { knife(painter, camera, x, floor) } else { block(painter, camera, x, floor) }
            }
        }
        Form::String(_) | Form::Course(_) => {
            for x in [-1.0, 1.0] {
                let foot = if form.has_second_surface() { BOARD } else { -0.3 };
                let (foot, top) = (camera.project([x, 0.0, foot]), camera.project([x, 0.0, urto_body_mesh::STRING]));
                let points = vec![foot - vec2(13.0, 0.0), top, foot + vec2(13.0, 0.0)];
                painter.polygon(points, mix(painter.ink.solid[0], painter.ink.bg, 0.2), 1.0, painter.ink.line);
            }
        }
        Form::Wall(Wall::Glass) => stem(painter, camera),
        _ => {}
    }
}

fn cord(painter: &ThemePainter, top: Pos2, knot: Pos2, foot: Pos2) {
    painter.line(top, knot, 1.4, painter.ink.line);
    painter.polygon(vec![knot, foot - vec2(8.0, 0.0), foot + vec2(8.0, 0.0)], painter.ink.bg, 1.4, painter.ink.line);
}

/// A knife edge that supports an end.
fn knife(painter: &ThemePainter, camera: &Camera, x: f32, floor: f32) {
    let top = camera.project([x, -BAR.0, -BAR.1]);
    let foot = camera.project([x, -BAR.0, floor]);
    let points = vec![top, foot - vec2(14.0, 0.0), foot + vec2(14.0, 0.0)];
    painter.polygon(points, mix(painter.ink.solid[0], painter.ink.bg, 0.2), 1.0, painter.ink.line);
}

/// A block that clamps an end, seen behind the bar.
fn block(painter: &ThemePainter, camera: &Camera, x: f32, floor: f32) {
    let (y, wide) = (1.4 * BAR.0, 0.09);
    let face =
        |x0: f32, x1: f32| [[x0, -y, 0.12], [x1, -y, 0.12], [x1, -y, floor], [x0, -y, floor]].map(|p| camera.project(p)).to_vec();
    let out = if x < 0.0 { (x - wide, x) } else { (x, x + wide) };
    let top = [[out.0, -y, 0.12], [out.1, -y, 0.12], [out.1, y, 0.12], [out.0, y, 0.12]].map(|p| camera.project(p)).to_vec();
    painter.polygon(top, mix(painter.ink.solid[0], painter.ink.solid[1], 0.5), 1.0, painter.ink.line);
    painter.polygon(face(out.0, out.1), mix(painter.ink.solid[0], painter.ink.bg, 0.2), 1.0, painter.ink.line);
}

/// Draws the closed tube under the middle of a bar: its wall, and its mouth.
pub fn resonator(painter: &ThemePainter, camera: &Camera, form: Form) {
    const RADIUS: f32 = 0.12;
    const MOUTH: f32 = -0.20;
    let foot = form.floor();
    let ring = |z: f32, from: f32, turn: f32| {
        let point = move |i: usize| {
            let (sin, cos) = (from + turn * i as f32 / 32.0).sin_cos();
            camera.project([RADIUS * cos, RADIUS * sin, z])
        };
        (0..=32).map(point)
    };
    // the half that faces the eye, from the left to the right
    let (left, half) = (std::f32::consts::PI, std::f32::consts::PI);
    let wall = ring(MOUTH, left, half).chain(ring(foot, 2.0 * left, -half)).collect();
    painter.polygon(wall, mix(painter.ink.solid[0], painter.ink.bg, 0.2), 1.0, painter.ink.line);
    painter.polygon(ring(MOUTH, 0.0, 2.0 * half).collect(), painter.ink.bg, 1.2, painter.ink.body);
}

/// Stem and foot of a glass.
fn stem(painter: &ThemePainter, camera: &Camera) {
    let (bowl, floor) = (profile(Wall::Glass, 0.0).1, Form::Wall(Wall::Glass).floor());
    let ring = |r: f32| {
        let point = |i: usize| {
            let (sin, cos) = (std::f32::consts::TAU * i as f32 / 40.0).sin_cos();
            camera.project([r * cos, r * sin, floor])
        };
        (0..40).map(point).collect::<Vec<_>>()
    };
    painter.polygon(ring(0.30), mix(painter.ink.solid[0], painter.ink.bg, 0.2), 1.2, painter.ink.body);
    let (top, foot) = (camera.project([0.0, 0.0, bowl]), camera.project([0.0, 0.0, floor]));
    painter.line(top, foot, 5.0, mix(painter.ink.solid[0], painter.ink.body, 0.4));
}

/// Dashes the rest position of a long body, or of the lip of a wall.
pub fn rest(painter: &ThemePainter, camera: &Camera, form: Form, line: bool) {
    let points: Vec<Pos2> = match form {
        Form::Bar(..) => (0..=2).map(|i| camera.project([-1.04 + 1.04 * i as f32, -BAR.0, 0.0])).collect(),
        Form::String(_) | Form::Course(_) => [-1.0, 1.0].map(|x| camera.project([x, 0.0, urto_body_mesh::STRING])).to_vec(),
        Form::Tube => [-1.0, 1.0].map(|x| camera.project([x, 0.0, TUBE])).to_vec(),
        Form::Wall(wall) => {
            let (r, z) = profile(wall, 1.0);
            let angle = |i: usize| std::f32::consts::PI * (1.0 + i as f32 / 40.0);
            (0..=40).map(|i| camera.project([r * angle(i).cos(), r * angle(i).sin(), z])).collect()
        }
        _ => return,
    };
    let _ = line;
    painter.dashed(&points, RESTING, 1.0, painter.ink.text3);
}

/// Dashes a line from the body down to the floor and along it to the ruler.
pub fn plumb(painter: &ThemePainter, from: Pos2, foot: Pos2, mark: Pos2, color: egui::Color32) {
    let color = color.gamma_multiply(0.5);
    let lines = [[from, foot], [foot, pos2(mark.x, mark.y - 8.0)]];
    for line in lines {
        painter.dashed(&line, [3.0, 4.0], 1.0, color);
    }
}

/// A camera that projects world coordinates to the window with weak perspective: turned about the vertical axis, then tilted.
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

/// Geometry of one frame of the body view: the camera, and how far every point of the body is displaced.
pub struct ViewGeometry {
    /// The camera.
    pub camera: Camera,
    /// What is drawn.
    pub form: Form,
    /// Modal displacements [m kg^1/2], of the body and of the lower plate of two.
    pub q: [[f32; MAX_SHOWN_MODES]; 2],
    /// Factor from displacements to displacements in the picture [world/m].
    pub scale: f32,
    /// Displacement of every point [world].
    pub w: Vec<f32>,
}

/// Squared distance on the window from `at` to a point projected at `projected`; of two equally distant points the one in front is nearer.
pub fn screen_distance((projected, depth): &(Pos2, f32), at: Pos2) -> f32 {
    projected.distance_sq(at) + DEPTH_WEIGHT * depth
}
