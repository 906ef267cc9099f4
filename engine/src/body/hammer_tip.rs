//! Finite tip of a hammer: a head, plate or shell is struck over an area, so that waves shorter than it are not excited.
//!
//! ```text
//! W *= exp(-(k a)^2/4)        k: wave number of the mode, a: radius of the tip
//! ```
//!
//! A membrane needs it: at a point its compliance grows with every mode that is computed. Bars, strings and tubes are struck across
//! their whole width and keep their weights.

use crate::body::dense_field::BodyArea;
use crate::params::{BodyKind, ParamId, ParamValues};
use urto_physics::bodies::ModalShape;

/// Tip of the hammer, and what gives the wave numbers of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TipSpec {
    /// Radius [m], > 0.
    pub radius: f64,
    /// Mass of the body [kg].
    pub mass: f64,
    /// Number of its material, from 1; 0: usual for the type.
    pub material: usize,
    /// Frequency [Hz] of the ratio 1.
    pub home: f64,
}

impl TipSpec {
    /// The tip for the parameters `settings`; None for a point.
    pub fn of(settings: &ParamValues) -> Option<Self> {
        let radius = settings.get(ParamId::TipRadius);
        let key = settings.get(ParamId::HomeKey) - 69.0 + settings.get(ParamId::Tune);
        (radius > 0.0).then(|| Self {
            radius,
            mass: settings.get(ParamId::BodyMass),
            material: settings.get(ParamId::Material) as usize,
            home: 440.0 * (key / 12.0).exp2(),
        })
    }

    /// `exact`, the modes of a body of `kind`, as this tip excites them. `thickness` [m], 0: usual; `aspect`: of a plate.
    pub fn applied(&self, kind: BodyKind, thickness: f64, aspect: f64, exact: ModalShape) -> ModalShape {
        let Some(area) = BodyArea::of(kind, self.material, thickness, self.mass) else { return exact };
        let density = area.density(aspect, &exact, self.home);
        let radius = self.radius / area.unit();
        exact.softened(|ratio| (-(0.5 * density.wave_number(self.home * ratio) * radius).powi(2)).exp())
    }
}
