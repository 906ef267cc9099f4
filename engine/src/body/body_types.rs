//! What every kind of body is made of, and how it may differ from an even one.

use crate::body::prepared_body::BodyRequest;
use crate::params::table::{KnobId, Settings};
use crate::patch::mode_list;
use crate::patch::mode_list::FreeMode;
use crate::patch::patch::BodyKind;
use urto_physics::bodies::{Bell, Links, Material, Rim, Section, Shape, TunedBar};

/// Modes of a dense body among which the strike finds those that are computed.
const DENSE: usize = 512;

/// Poisson's ratio of discs and plates.
const POISSON: f64 = 0.33;

/// Masses of a chain.
const LINKS: usize = 50;

/// Length, diameter and wall [m] of a tube of aluminium.
const TUBE: (f64, f64, f64) = (1.0, 0.05, 2e-3);

/// The same of a chime of brass.
const CHIME: (f64, f64, f64) = (1.6, 0.038, 1.5e-3);

/// How bodies differ from even ones of their kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Longer side of a plate over the shorter.
    pub aspect: f64,
    /// 2 rho a/sigma of a head.
    pub air: f64,
    /// How far the modes of a pair lie apart (relative), beside what a bell has of its own.
    pub split: f64,
    /// How far partials lie beside their places (relative).
    pub irregularity: f64,
    /// Power of all ratios.
    pub power: f64,
}

impl Outline {
    /// As `settings` stand.
    pub fn of(settings: &Settings) -> Self {
        Self {
            aspect: settings.get(KnobId::Aspect),
            air: settings.get(KnobId::AirLoad),
            split: settings.get(KnobId::Split),
            irregularity: settings.get(KnobId::Irregularity),
            power: settings.get(KnobId::RatioPower),
        }
    }
}

/// The shape of `kind` with as many modes as `request` asks for; `list` for [`BodyKind::Modes`]. Dense bodies are thinned for the
/// strike. Allocates.
pub fn shape(kind: BodyKind, request: &BodyRequest, list: &[FreeMode]) -> Shape {
    let (modes, outline) = (request.modes.max(1), &request.outline);
    let uneven = |shape: Shape| shape.uneven(outline.power, outline.irregularity);
    match dense(kind, modes.max(DENSE), outline) {
        Some(shape) => uneven(shape).thinned(modes, request.strike),
        None => uneven(sparse(kind, modes, outline, list)),
    }
}

/// The lowest modes of a kind that has hundreds within the band; none of others.
fn dense(kind: BodyKind, modes: usize, outline: &Outline) -> Option<Shape> {
    let disc = |rim| Shape::disc(rim, POISSON, modes, outline.split);
    let plate = |rim| Shape::plate(rim, outline.aspect, POISSON, modes);
    Some(match kind {
        BodyKind::Head => Shape::head_with_air(outline.air, modes, outline.split),
        BodyKind::Kettle => Shape::timpani(modes, outline.split),
        BodyKind::Disc => disc(Rim::Free),
        BodyKind::SupportedDisc => disc(Rim::Supported),
        BodyKind::ClampedDisc => disc(Rim::Clamped),
        BodyKind::Plate => plate(Rim::Free),
        BodyKind::SupportedPlate => plate(Rim::Supported),
        BodyKind::ClampedPlate => plate(Rim::Clamped),
        _ => return None,
    })
}

/// The lowest modes of the other kinds.
fn sparse(kind: BodyKind, modes: usize, outline: &Outline, list: &[FreeMode]) -> Shape {
    let ring = |bell: Bell| Shape::bell(&Bell { split: bell.split + outline.split, ..bell }, modes);
    match kind {
        BodyKind::String => Shape::string(modes),
        BodyKind::Modes => mode_list::shape(list, modes),
        BodyKind::Marimba => Shape::tuned_bar(&TunedBar::MARIMBA, modes),
        BodyKind::Vibraphone => Shape::tuned_bar(&TunedBar::VIBRAPHONE, modes),
        BodyKind::Xylophone => Shape::tuned_bar(&TunedBar::XYLOPHONE, modes),
        BodyKind::ClampedBar => Shape::clamped(modes),
        BodyKind::SupportedBar => Shape::hinged(modes),
        BodyKind::Tongue => Shape::tongue(0.0, modes),
        BodyKind::Tube => Shape::stiff_bar(&tube(TUBE, Material::ALUMINIUM), TUBE.0, modes),
        BodyKind::Chime => Shape::chime(&tube(CHIME, Material::BRASS), CHIME.0, modes),
        BodyKind::Chain => Shape::chain(&Links::even(LINKS.min(modes), 1.0, 1.0)),
        BodyKind::Bell => ring(Bell::tuned()),
        BodyKind::Handbell => ring(Bell::handbell()),
        BodyKind::Bowl => ring(Bell::large_bowl()),
        BodyKind::Glass => ring(Bell::wine_glass()),
        // the rest is dense
        _ => Shape::bar(modes),
    }
}

/// Section of a tube (length, diameter, wall) [m].
fn tube((_, diameter, wall): (f64, f64, f64), material: Material) -> Section {
    Section::tube(diameter, wall, material)
}
