//! Which of the drawn forms a body has, and where its places are in the world.

use std::f32::consts::{FRAC_PI_2, TAU};

use crate::editor::body_view::mesh::Point;
use urto_engine::params::BodyKind;
use urto_physics::bodies::BodyPosition;

/// How a bar is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// On two cords.
    Free,
    /// Clamped at both ends.
    Clamped,
    /// On a knife edge at both ends.
    Supported,
    /// Clamped at its left end.
    Tongue,
}

/// Wall of something round: from the crown down to the lip, or from the bottom up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// A bell.
    Bell,
    /// A singing bowl.
    Bowl,
    /// A wine glass.
    Glass,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A bar, cut from below or not.
    Bar(Held, bool),
    /// A head over a shell, or a bare disc.
    Round(bool),
    /// A rectangular plate.
    Plate,
    /// A string, or with beads a chain.
    String(bool),
    /// Something hollow and open.
    Wall(Wall),
    /// A tube.
    Tube,
}

/// Half width and thickness of a bar.
pub const BAR: (f32, f32) = (0.17, 0.105);
/// Radius of heads and discs, and half sides of plates.
pub const RADIUS: f32 = 0.86;
const SIDES: (f32, f32) = (0.98, 0.62);
/// Radius of a tube.
pub const TUBE: f32 = 0.13;
/// Height of a string above the floor of its bridges.
pub const STRING: f32 = 0.03;

impl Form {
    /// The form of a kind of body; `round`: its modes have nodal diameters and circles.
    pub fn of(kind: BodyKind, round: bool) -> Self {
        match kind {
            BodyKind::String => Self::String(false),
            BodyKind::Chain => Self::String(true),
            BodyKind::Marimba | BodyKind::Vibraphone | BodyKind::Xylophone => Self::Bar(Held::Free, true),
            BodyKind::Bar => Self::Bar(Held::Free, false),
            BodyKind::Modes if round => Self::Round(false),
            BodyKind::Modes => Self::Bar(Held::Free, false),
            BodyKind::ClampedBar => Self::Bar(Held::Clamped, false),
            BodyKind::SupportedBar => Self::Bar(Held::Supported, false),
            BodyKind::Tongue => Self::Bar(Held::Tongue, false),
            BodyKind::Tube | BodyKind::Chime => Self::Tube,
            BodyKind::Head | BodyKind::Kettle => Self::Round(true),
            BodyKind::Disc | BodyKind::SupportedDisc | BodyKind::ClampedDisc => Self::Round(false),
            BodyKind::Plate | BodyKind::SupportedPlate | BodyKind::ClampedPlate => Self::Plate,
            BodyKind::Bell | BodyKind::Handbell => Self::Wall(Wall::Bell),
            BodyKind::Bowl => Self::Wall(Wall::Bowl),
            BodyKind::Glass => Self::Wall(Wall::Glass),
        }
    }

    /// Whether places lie on a line.
    pub fn is_line(self) -> bool {
        matches!(self, Self::Bar(..) | Self::String(_) | Self::Tube)
    }

    /// Yaw and pitch [degrees] from which it is seen best.
    pub fn view(self) -> (f32, f32) {
        match self {
            Self::Bar(..) => (-15.0, 23.0),
            Self::Round(_) => (-15.0, 34.0),
            Self::Plate => (-15.0, 36.0),
            Self::String(_) => (-15.0, 14.0),
            Self::Wall(_) => (-15.0, 14.0),
            Self::Tube => (-30.0, 23.0),
        }
    }

    /// Height of the floor under it.
    pub fn floor(self) -> f32 {
        match self {
            Self::Bar(..) | Self::Tube | Self::String(_) => -0.37,
            Self::Round(true) => -0.32,
            Self::Round(false) | Self::Plate => -0.30,
            Self::Wall(_) => -0.60,
        }
    }

    /// The point of the surface at a place, with the way in which it moves.
    pub fn at(self, place: BodyPosition) -> Point {
        let (along, across) = (place.along as f32, place.across as f32);
        let up = [0.0, 0.0, 1.0];
        let flat = |x: f32, y: f32, z: f32| Point { rest: [x, y, z], way: up, place, light: 0.42 };
        match self {
            Self::Bar(..) => flat(2.0 * along - 1.0, BAR.0 * (2.0 * across - 1.0), 0.0),
            Self::String(_) => flat(2.0 * along - 1.0, 0.0, STRING),
            Self::Plate => flat(SIDES.0 * (2.0 * along - 1.0), SIDES.1 * (2.0 * across - 1.0), 0.0),
            Self::Round(_) => {
                let (sin, cos) = (TAU * across).sin_cos();
                flat(RADIUS * along * cos, RADIUS * along * sin, 0.0)
            }
            Self::Tube => flat(2.0 * along - 1.0, 0.0, TUBE),
            Self::Wall(wall) => {
                let (radius, height) = profile(wall, along);
                let (sin, cos) = (TAU * across).sin_cos();
                let light = if sin < 0.05 { 0.40 + 0.45 * (TAU * across + 2.54).cos() } else { 0.02 };
                Point { rest: [radius * cos, radius * sin, height], way: [cos, sin, 0.0], place, light }
            }
        }
    }
}

/// Radius and height of a wall at the part `s` of its way from crown or bottom to the lip.
pub fn profile(wall: Wall, s: f32) -> (f32, f32) {
    match wall {
        Wall::Bell if s < 0.22 => {
            let (sin, cos) = (s / 0.22 * FRAC_PI_2).sin_cos();
            (0.35 * sin, 0.42 + 0.16 * cos)
        }
        Wall::Bell => {
            let k = (s - 0.22) / 0.78;
            (0.35 + 0.07 * k + 0.34 * k.powf(3.4), 0.42 - 0.96 * k)
        }
        Wall::Bowl => {
            let angle = FRAC_PI_2 * s.powf(0.8);
            (0.82 * angle.sin(), -0.48 + 0.72 * (1.0 - angle.cos()))
        }
        Wall::Glass => {
            let angle = FRAC_PI_2 * s.powf(0.75);
            (0.46 * angle.sin() * (1.0 - 0.10 * s * s), -0.20 + 0.82 * (1.0 - angle.cos()).powf(0.9))
        }
    }
}

/// Depth of a bar that is cut from below, at x.
pub fn cut(x: f32) -> f32 {
    let part = (x.abs() / 0.52).min(1.0);
    BAR.1 * (0.34 + 0.66 * part.powf(2.6))
}
