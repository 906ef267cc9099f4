//! Fields of the body types: which of them have one, from mass, thickness and material.
//!
//! ```text
//! S = M/(rho h)                     area of a plate or shell
//! N = (S/2) sqrt(rho h/D) f         modes below f: Weyl's law
//! ```
//!
//! A membrane has as many modes as its exact ones predict, a head of 30 cm tens of thousands; a stick's tip excites those whose waves
//! are longer than itself. Strings, bars, tubes and chains have none: their modes are exact up to the band limit.
//!
//! All keys share the field in proportion to their pitch; its mass and size are those of the home key. There its frequencies are
//! those of the real body if Body tune has the value of Mode density tune; other tunes scale the whole body.

use std::f64::consts::PI;

use crate::params::{BodyKind, KeyLayout, ParamId, ParamValues};
use urto_physics::bodies::{EdgeSupport, Field, FieldLoss, Material, ModalDensity, ModalShape, Outline, Sheet};

/// Maximum number of modes of the field of a body.
pub const MAX_FIELD: usize = 2560;

/// Maximum number of modes of the field of a membrane, of which there would be tens of thousands.
const MAX_MEMBRANE: usize = 1024;

/// Frequency [Hz] up to which a field is heard.
const AUDIBLE: f64 = 20e3;

/// How much lower than the home key the body may sound and still have modes up to [`AUDIBLE`]: an octave with a body for every key,
/// a minor third with one body.
const KEY_RANGE: f64 = 2.0;
const BEND_RANGE: f64 = 1.2;

/// Radius [m] of the area in which a stick's tip touches a membrane: 2 to 4 mm.
const TIP: f64 = 3e-3;

/// Exponent of the radiation efficiency below coincidence.
const EFFICIENCY: f64 = 2.0;

/// The field of a body as its parameters describe it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldSpec {
    /// Part of all modes, > 0 to 1.
    pub density: f64,
    /// Number of the specimen.
    pub specimen: u32,
    /// Mass [kg].
    pub mass: f64,
    /// Number of the material, from 1; 0: usual for the type.
    pub material: usize,
    /// Part of the radiation, 0 to 1.
    pub radiation: f64,
    /// Radius [m] of the hammer's tip; 0: a point, on a membrane a stick's.
    pub tip: f64,
    /// Frequency [Hz] of the ratio 1 at the home key, the usual concert pitch and the tune of the density.
    pub home: f64,
    /// Frequency [Hz] up to which there are modes.
    pub reach: f64,
}

impl FieldSpec {
    /// The field for the parameters `settings`; None if there is none.
    pub fn of(settings: &ParamValues) -> Option<Self> {
        let density = settings.get(ParamId::Density);
        let range = if settings.key_layout() == KeyLayout::Keys { KEY_RANGE } else { BEND_RANGE };
        (density > 0.0).then(|| Self {
            density,
            specimen: settings.get(ParamId::Specimen) as u32,
            mass: settings.get(ParamId::BodyMass),
            material: settings.get(ParamId::Material) as usize,
            radiation: settings.get(ParamId::FieldRadiation),
            tip: settings.get(ParamId::TipRadius),
            home: 440.0 * ((settings.get(ParamId::HomeKey) - 69.0 + settings.get(ParamId::DensityTune)) / 12.0).exp2(),
            reach: range * AUDIBLE,
        })
    }

    /// The field of a body of `kind` with the exact modes `exact`; None for types without one. `thickness` [m], 0: usual; `aspect`:
    /// longer over shorter side of a plate.
    pub fn field(&self, kind: BodyKind, thickness: f64, aspect: f64, exact: &ModalShape) -> Option<Field> {
        let area = BodyArea::of(kind, self.material, thickness, self.mass)?;
        let (usual, sheet) = (area.usual, area.sheet);
        let is_membrane = usual.form == Form::Membrane;
        let part = self.radiation;
        let tip = if self.tip > 0.0 || !is_membrane { self.tip } else { TIP };
        Some(Field {
            density: area.density(aspect, exact, self.home),
            part: self.density,
            outline: area.outline(aspect),
            edge: Some(usual.edge),
            tip: tip / area.unit(),
            radiation: (part > 0.0 && !is_membrane).then(|| FieldLoss::new(&sheet, EFFICIENCY * part).weakened(part)),
            lowest: self.home,
            reach: self.reach,
            audible: AUDIBLE,
            most: if is_membrane { MAX_MEMBRANE } else { MAX_FIELD },
            seed: u64::from(self.specimen),
        })
    }
}

fn plate(sheet: Sheet, perimeter: f64, edge: EdgeSupport) -> ModalDensity {
    ModalDensity::Plate { sheet, ring: 0.0, perimeter, edge }
}

/// A body as a sheet of usual or given material and thickness.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyArea {
    usual: UsualSheet,
    sheet: Sheet,
}

impl BodyArea {
    /// Of a body of `kind` and `mass` [kg] of the material `material`, 0: usual, with `thickness` [m], 0: usual; None for bodies that
    /// are no sheets.
    pub(super) fn of(kind: BodyKind, material: usize, thickness: f64, mass: f64) -> Option<Self> {
        let usual = UsualSheet::of(kind)?;
        let material = Material::NAMED.get(material.wrapping_sub(1)).map_or(usual.material, |(_, material)| *material);
        Some(Self { usual, sheet: Sheet::of_mass(material, usual.thickness_or(thickness), mass) })
    }

    /// Radius [m] of a disc of this area.
    fn radius(&self) -> f64 {
        (self.sheet.area / PI).sqrt()
    }

    /// Length [m] of the unit of its outline: the radius of a membrane, else a metre.
    pub(super) fn unit(&self) -> f64 {
        if self.usual.form == Form::Membrane { self.radius() } else { 1.0 }
    }

    /// Sides [m] of a rectangle of the aspect ratio `aspect`.
    fn sides(&self, aspect: f64) -> [f64; 2] {
        [(self.sheet.area * aspect).sqrt(), (self.sheet.area / aspect).sqrt()]
    }

    /// Form and size, in the unit.
    fn outline(&self, aspect: f64) -> Outline {
        match self.usual.form {
            Form::Membrane => Outline::Round { radius: 1.0 },
            Form::Round => Outline::Round { radius: self.radius() },
            Form::Rectangle => {
                let [along, across] = self.sides(aspect);
                Outline::Rectangle { along, across }
            }
        }
    }

    /// Number of modes below a frequency, and their wave numbers per unit, of a body with the modes `exact` whose ratio 1 is `home` [Hz].
    pub(super) fn density(&self, aspect: f64, exact: &ModalShape, home: f64) -> ModalDensity {
        match self.usual.form {
            Form::Membrane => {
                // the field of a drum belongs to the batter head
                let batter = (0..exact.len()).filter(|&i| !exact.is_resonant(i));
                let highest = batter.clone().next_back().unwrap_or(0);
                ModalDensity::membrane_with(batter.count(), home * exact.ratio(highest))
            }
            Form::Round => plate(self.sheet, 2.0 * PI * self.radius(), self.usual.edge),
            Form::Rectangle => plate(self.sheet, 2.0 * self.sides(aspect).iter().sum::<f64>(), self.usual.edge),
        }
    }
}

/// Form of the area of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Membrane,
    Round,
    Rectangle,
}

/// What a body type is usually made of.
#[derive(Clone, Copy, Debug)]
struct UsualSheet {
    form: Form,
    edge: EdgeSupport,
    material: Material,
    /// Thickness [m].
    thickness: f64,
}

impl UsualSheet {
    /// Of `kind`; None for bodies that are no sheets. The thicknesses are those of common instruments.
    fn of(kind: BodyKind) -> Option<Self> {
        use EdgeSupport::{Clamped, Free, Supported};
        let (form, edge, material, thickness) = match kind {
            BodyKind::Head | BodyKind::Kettle | BodyKind::TwoHeadedDrum => {
                (Form::Membrane, Supported, Material::POLYESTER, 0.25e-3)
            }
            BodyKind::Disc | BodyKind::HiHat => (Form::Round, Free, Material::BELL_BRONZE, 1e-3),
            BodyKind::SupportedDisc => (Form::Round, Supported, Material::BELL_BRONZE, 1e-3),
            BodyKind::ClampedDisc => (Form::Round, Clamped, Material::BELL_BRONZE, 1e-3),
            BodyKind::Plate => (Form::Rectangle, Free, Material::STEEL, 1e-3),
            BodyKind::SupportedPlate => (Form::Rectangle, Supported, Material::STEEL, 1e-3),
            BodyKind::ClampedPlate => (Form::Rectangle, Clamped, Material::STEEL, 1e-3),
            BodyKind::Bell => (Form::Round, Free, Material::BELL_BRONZE, 10e-3),
            BodyKind::Handbell => (Form::Round, Free, Material::BELL_BRONZE, 3e-3),
            BodyKind::Bowl => (Form::Round, Free, Material::BELL_BRONZE, 4e-3),
            BodyKind::Glass => (Form::Round, Free, Material::GLASS, 1.2e-3),
            BodyKind::Modes => (Form::Rectangle, Free, Material::STEEL, 1.2e-3),
            _ => return None,
        };
        Some(Self { form, edge, material, thickness })
    }

    fn thickness_or(&self, thickness: f64) -> f64 {
        if thickness > 0.0 { thickness.max(LEAST_THICKNESS) } else { self.thickness }
    }
}

/// Least thickness [m]: a leaf of metal.
const LEAST_THICKNESS: f64 = 5e-5;

/// Thickness [m] of a body of `kind` that can have a field; None for other types. `thickness` [m], 0: usual.
pub fn sheet_thickness(kind: BodyKind, thickness: f64) -> Option<f64> {
    UsualSheet::of(kind).map(|usual| usual.thickness_or(thickness))
}

/// Thickness [m] at which large motion of a body of `kind` makes its modes exchange energy; None for bodies that are no plates or
/// shells. `thickness` [m], 0: usual.
pub fn cascade_thickness(kind: BodyKind, thickness: f64) -> Option<f64> {
    UsualSheet::of(kind).filter(|usual| usual.form != Form::Membrane).map(|usual| usual.thickness_or(thickness))
}
