//! What every kind of body is made of, and how it may differ from an even one.

use crate::body::prepared_body::BodySpec;
use crate::params::BodyKind;
use crate::params::{ParamId, ParamValues};
use crate::patch::ListedMode;
use crate::patch::mode_list;
use urto_physics::bodies::{Bell, EdgeSupport, Links, Material, ModalShape, Section, TunedBar};

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
pub struct BodyVariation {
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

impl BodyVariation {
    /// As `settings` stand.
    pub fn of(settings: &ParamValues) -> Self {
        Self {
            aspect: settings.get(ParamId::Aspect),
            air: settings.get(ParamId::AirLoad),
            split: settings.get(ParamId::Split),
            irregularity: settings.get(ParamId::Irregularity),
            power: settings.get(ParamId::RatioPower),
        }
    }
}

/// The shape of `kind` with as many modes as `request` asks for; `list` for [`BodyKind::Modes`]. Dense bodies are thinned for the
/// strike. Allocates.
pub fn shape(kind: BodyKind, request: &BodySpec, list: &[ListedMode]) -> ModalShape {
    let (modes, outline) = (request.modes.max(1), &request.outline);
    let uneven = |shape: ModalShape| shape.uneven(outline.power, outline.irregularity);
    match dense_modes(kind, modes.max(DENSE), outline) {
        Some(shape) => uneven(shape).thinned(modes, request.strike),
        None => uneven(sparse_modes(kind, modes, outline, list)),
    }
}

/// The lowest modes of a kind that has hundreds within the band; none of others.
fn dense_modes(kind: BodyKind, modes: usize, outline: &BodyVariation) -> Option<ModalShape> {
    let disc = |rim| ModalShape::disc(rim, POISSON, modes, outline.split);
    let plate = |rim| ModalShape::plate(rim, outline.aspect, POISSON, modes);
    Some(match kind {
        BodyKind::Head => ModalShape::head_with_air(outline.air, modes, outline.split),
        BodyKind::Kettle => ModalShape::timpani(modes, outline.split),
        BodyKind::Disc => disc(EdgeSupport::Free),
        BodyKind::SupportedDisc => disc(EdgeSupport::Supported),
        BodyKind::ClampedDisc => disc(EdgeSupport::Clamped),
        BodyKind::Plate => plate(EdgeSupport::Free),
        BodyKind::SupportedPlate => plate(EdgeSupport::Supported),
        BodyKind::ClampedPlate => plate(EdgeSupport::Clamped),
        _ => return None,
    })
}

/// The lowest modes of the other kinds.
fn sparse_modes(kind: BodyKind, modes: usize, outline: &BodyVariation, list: &[ListedMode]) -> ModalShape {
    let ring = |bell: Bell| ModalShape::bell(&Bell { split: bell.split + outline.split, ..bell }, modes);
    match kind {
        BodyKind::String => ModalShape::string(modes),
        BodyKind::Modes => mode_list::shape(list, modes),
        BodyKind::Marimba => ModalShape::tuned_bar(&TunedBar::MARIMBA, modes),
        BodyKind::Vibraphone => ModalShape::tuned_bar(&TunedBar::VIBRAPHONE, modes),
        BodyKind::Xylophone => ModalShape::tuned_bar(&TunedBar::XYLOPHONE, modes),
        BodyKind::ClampedBar => ModalShape::clamped(modes),
        BodyKind::SupportedBar => ModalShape::hinged(modes),
        BodyKind::Tongue => ModalShape::tongue(0.0, modes),
        BodyKind::Tube => ModalShape::stiff_bar(&tube(TUBE, Material::ALUMINIUM), TUBE.0, modes),
        BodyKind::Chime => ModalShape::chime(&tube(CHIME, Material::BRASS), CHIME.0, modes),
        BodyKind::Chain => ModalShape::chain(&Links::even(LINKS.min(modes), 1.0, 1.0)),
        BodyKind::Bell => ring(Bell::tuned()),
        BodyKind::Handbell => ring(Bell::handbell()),
        BodyKind::Bowl => ring(Bell::large_bowl()),
        BodyKind::Glass => ring(Bell::wine_glass()),
        // the rest is dense
        _ => ModalShape::bar(modes),
    }
}

/// Section of a tube (length, diameter, wall) [m].
fn tube((_, diameter, wall): (f64, f64, f64), material: Material) -> Section {
    Section::tube(diameter, wall, material)
}
