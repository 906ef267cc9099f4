//! The drawn form of a kind of body, and the world coordinates of its positions.

use std::f32::consts::{FRAC_PI_2, TAU};

use urto_engine::BodySpec;
use urto_engine::params::{BodyKind, DrumHead};
use urto_physics::bodies::BodyPosition;

/// How a bar is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// On two cords.
    Free,
    /// Clamped at both ends.
    Clamped,
    /// On a knife edge at both ends.
    Supported,
    /// Clamped at its left end.
    Cantilever,
}

/// Axisymmetric wall, from the crown to the lip or from the bottom to the rim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// A bell.
    Bell,
    /// A singing bowl.
    Bowl,
    /// A wine glass.
    Glass,
}

/// The drawn form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A bar; true: with an arch cut from below.
    Bar(Support, bool),
    /// A circular surface; true: a drumhead over a shell, false: a disc.
    Round(bool),
    /// Two drumheads, one above the other.
    TwoHeads,
    /// Two cymbals, one above the other.
    TwoPlates,
    /// A rectangular plate.
    Plate,
    /// A string; true: a chain of beads.
    String(bool),
    /// So many strings over a soundboard.
    Course(usize),
    /// A hollow body, open at one end.
    Wall(Wall),
    /// A tube.
    Tube,
}

/// A point of the drawn surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoint {
    /// Position at rest [world].
    pub rest: [f32; 3],
    /// Direction of its displacement, a unit vector; 0 for points that do not move.
    pub direction: [f32; 3],
    /// Its position on the body.
    pub position: BodyPosition,
    /// Brightness at rest, 0 to 1.
    pub brightness: f32,
    /// Whether it is on the lower of two plates, which has modes of its own.
    pub is_lower_plate: bool,
}

/// Half width and thickness of a bar [world].
pub const BAR: (f32, f32) = (0.17, 0.105);
/// Radius of heads and discs [world].
pub const RADIUS: f32 = 0.86;
/// Half sides of plates [world].
const SIDES: (f32, f32) = (0.98, 0.62);
/// Radius of a tube [world].
pub const TUBE: f32 = 0.13;
/// Height of a string above its bridges [world].
pub const STRING: f32 = 0.03;
/// Height of a soundboard [world].
pub const BOARD: f32 = -0.26;
/// Distance between neighbouring strings of a course [world].
pub const STRINGS_APART: f32 = 0.05;
/// Height of the upper of two heads, and depth of the lower one [world].
pub const HEADS: f32 = 0.27;
/// The same for plates.
pub const PLATES: f32 = 0.11;
/// Number of strings of a small picture of a course.
const USUAL_STRINGS: usize = 3;

impl Form {
    /// The form of a kind of body; `round`: its modes have nodal diameters and circles.
    pub fn of(kind: BodyKind, round: bool) -> Self {
        match kind {
            BodyKind::String => Self::String(false),
            BodyKind::StringCourse => Self::Course(USUAL_STRINGS),
            BodyKind::Chain => Self::String(true),
            BodyKind::Marimba | BodyKind::Vibraphone | BodyKind::Xylophone => Self::Bar(Support::Free, true),
            BodyKind::Bar => Self::Bar(Support::Free, false),
            BodyKind::Modes if round => Self::Round(false),
            BodyKind::Modes => Self::Bar(Support::Free, false),
            BodyKind::ClampedBar => Self::Bar(Support::Clamped, false),
            BodyKind::SupportedBar => Self::Bar(Support::Supported, false),
            BodyKind::Tongue => Self::Bar(Support::Cantilever, false),
            BodyKind::Tube | BodyKind::Chime => Self::Tube,
            BodyKind::Head | BodyKind::Kettle => Self::Round(true),
            BodyKind::TwoHeadedDrum => Self::TwoHeads,
            BodyKind::HiHat => Self::TwoPlates,
            BodyKind::Disc | BodyKind::SupportedDisc | BodyKind::ClampedDisc => Self::Round(false),
            BodyKind::Plate | BodyKind::SupportedPlate | BodyKind::ClampedPlate => Self::Plate,
            BodyKind::Bell | BodyKind::Handbell => Self::Wall(Wall::Bell),
            BodyKind::Bowl => Self::Wall(Wall::Bowl),
            BodyKind::Glass => Self::Wall(Wall::Glass),
        }
    }

    /// The form of the body that `spec` asks for; `round`: its modes have nodal diameters and circles.
    pub fn of_body(spec: &BodySpec, round: bool) -> Self {
        match Self::of(spec.kind, round) {
            Self::Course(_) => Self::Course(spec.outline.course.strings),
            form => form,
        }
    }

    /// Whether positions are on a line.
    pub fn is_line(self) -> bool {
        matches!(self, Self::Bar(..) | Self::String(_) | Self::Course(_) | Self::Tube)
    }

    /// Whether it has a second surface, whose places are beyond 1 along it: see [`BodyPosition`].
    pub fn has_second_surface(self) -> bool {
        matches!(self, Self::TwoHeads | Self::Course(_))
    }

    /// The place at which `place` on the batter head, or on the other surface if `head` says so, is drawn.
    pub fn shown_place(self, place: BodyPosition, head: DrumHead) -> BodyPosition {
        let is_second = self.has_second_surface() && head == DrumHead::Resonant;
        if is_second { BodyPosition { along: 2.0 - place.along, ..place } } else { place }
    }

    /// Yaw and pitch of the camera for this form [degrees].
    pub fn best_view(self) -> (f32, f32) {
        match self {
            Self::Bar(..) => (-15.0, 23.0),
            Self::Round(_) => (-15.0, 34.0),
            Self::TwoHeads => (-15.0, 23.0),
            Self::TwoPlates => (-15.0, 21.0),
            Self::Course(_) => (-15.0, 19.0),
            Self::Plate => (-15.0, 36.0),
            Self::String(_) => (-15.0, 14.0),
            Self::Wall(_) => (-15.0, 14.0),
            Self::Tube => (-30.0, 23.0),
        }
    }

    /// z of the floor below the body [world].
    pub fn floor(self) -> f32 {
        match self {
            Self::Bar(..) | Self::Tube | Self::String(_) | Self::Course(_) => -0.37,
            Self::Round(true) => -0.32,
            Self::Round(false) | Self::Plate => -0.30,
            Self::TwoHeads => -0.60,
            Self::TwoPlates => -0.48,
            Self::Wall(_) => -0.60,
        }
    }

    /// The surface point at a position on the body.
    pub fn surface_point(self, place: BodyPosition) -> SurfacePoint {
        let (along, across) = (place.along as f32, place.across as f32);
        let up = [0.0, 0.0, 1.0];
        let flat = |x: f32, y: f32, z: f32| SurfacePoint {
            rest: [x, y, z],
            direction: up,
            position: place,
            brightness: 0.42,
            is_lower_plate: false,
        };
        let round = |z: f32| {
            let (radius, (sin, cos)) = (RADIUS * along.min(2.0 - along), (TAU * across).sin_cos());
            flat(radius * cos, radius * sin, z)
        };
        let is_second = place.along > 1.0;
        match self {
            Self::Bar(..) => flat(2.0 * along - 1.0, BAR.0 * (2.0 * across - 1.0), 0.0),
            Self::String(_) => flat(2.0 * along - 1.0, 0.0, STRING),
            Self::Plate => flat(SIDES.0 * (2.0 * along - 1.0), SIDES.1 * (2.0 * across - 1.0), 0.0),
            Self::Round(_) => round(0.0),
            Self::TwoHeads => round(if is_second { -HEADS } else { HEADS }),
            Self::TwoPlates => round(PLATES),
            Self::Course(_) if is_second => flat(3.0 - 2.0 * along, SIDES.1 * (2.0 * across - 1.0), BOARD),
            Self::Course(_) => flat(2.0 * along - 1.0, 0.0, STRING),
            Self::Tube => flat(2.0 * along - 1.0, 0.0, TUBE),
            Self::Wall(wall) => {
                let (radius, height) = profile(wall, along);
                let (sin, cos) = (TAU * across).sin_cos();
                let light = if sin < 0.05 { 0.40 + 0.45 * (TAU * across + 2.54).cos() } else { 0.02 };
                SurfacePoint {
                    rest: [radius * cos, radius * sin, height],
                    direction: [cos, sin, 0.0],
                    position: place,
                    brightness: light,
                    is_lower_plate: false,
                }
            }
        }
    }
}

/// Radius and height [world] of a wall at the fraction `s` of the way from crown or bottom to the lip.
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

/// Thickness at `x` of a bar with an arch [world].
pub fn arch_depth(x: f32) -> f32 {
    let part = (x.abs() / 0.52).min(1.0);
    BAR.1 * (0.34 + 0.66 * part.powf(2.6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_second_surface_are_opposite_to_those_of_the_first() {
        let place = BodyPosition { along: 0.3, across: 0.7 };
        for form in [Form::TwoHeads, Form::Course(2)] {
            let [upper, lower] =
                [DrumHead::Batter, DrumHead::Resonant].map(|head| form.surface_point(form.shown_place(place, head)));
            assert!((upper.rest[0] - lower.rest[0]).abs() < 1e-6 && upper.rest[2] > lower.rest[2], "{form:?}");
        }
        let disc = Form::Round(false);
        assert_eq!(disc.shown_place(place, DrumHead::Resonant), place);
    }
}
