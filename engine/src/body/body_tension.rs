//! Tension of prepared bodies, which grows with their deflection: strings, membranes, and bars held at both ends.
//!
//! Material and thickness are those of the other parameters; 0 is usual for the type:
//!
//! ```text
//! heads, kettledrum  K = E h/((1 - nu^2) S)    S = M/(rho h): the film; polyester
//! string             K = E A/L                 thickness: its diameter; without one the length is that of a string of usual stress; steel
//! bar                K g^2 by thickness, mass and lowest frequency alone; 5 mm
//! ```
//!
//! On a drum with two heads only the deflection of the batter head counts; its modes share that head, so that the products of different modes which
//! the law leaves out are as large as the squares: the stretch is that of the mean over a beat.
//!
//! The nonlinearity n makes K n^2 times as large: the body moves as one n times thinner at its old pitch. All other types have free
//! ends, or are lists of modes whose slopes are unknown.

use std::f64::consts::{PI, TAU};

use crate::body::body_scratch::BodyScratch;
use crate::body::dense_field::sheet_thickness;
use crate::body::key_body::BodySize;
use crate::body::prepared_body::PreparedBody;
use crate::params::BodyKind;
use urto_physics::bodies::{Material, ModalShape, StretchStiffness};

/// Usual stress of strings [Pa], and the largest part of Young's modulus: steel 0.7 GPa, nylon 0.12 GPa.
const STRESS: f64 = 0.7e9;
const LARGEST_STRAIN: f64 = 0.04;

/// Usual thickness of a bar [m].
const BAR_THICKNESS: f64 = 5e-3;

/// Waves of the lowest mode of a bar hinged or clamped at both ends [rad].
const HINGED_WAVE: f64 = PI;
const CLAMPED_WAVE: f64 = 4.730_040_744_862_704;

/// Tension of a voice against its stretch: see `urto_physics::solver::TensionLaw`.
#[derive(Clone, Copy, Debug)]
pub struct BodyStretch<'a> {
    /// K; 0: none.
    pub stiffness: f64,
    /// g of every mode.
    pub stretches: &'a [f64],
}

/// What the tension of a body depends on beside its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TensionSetting {
    /// Nonlinearity n: 0 none, 1 physical.
    pub nonlinearity: f64,
    /// Number of the material, from 1; 0: usual for the type.
    pub material: usize,
    /// Frequency of the ratio 1 [Hz] at which the body was made.
    pub hertz: f64,
    /// Mass and morph.
    pub size: BodySize,
}

impl TensionSetting {
    /// Resistance of a body of `kind` against stretching; None for types without tension. `thickness` [m], 0: usual.
    fn stiffness(&self, kind: BodyKind, thickness: f64) -> Option<StretchStiffness> {
        let material = |usual: Material| Material::NAMED.get(self.material.wrapping_sub(1)).map_or(usual, |(_, named)| *named);
        let bar = |wave: f64| {
            let thickness = if thickness > 0.0 { thickness } else { BAR_THICKNESS };
            StretchStiffness::bar(thickness, self.size.mass, TAU * self.hertz, wave)
        };
        Some(match kind {
            BodyKind::Head | BodyKind::Kettle | BodyKind::TwoHeadedDrum => {
                StretchStiffness::film(&material(Material::POLYESTER), self.size.mass, sheet_thickness(kind, thickness)?)
            }
            BodyKind::String => {
                let material = material(Material::STEEL);
                StretchStiffness::string(&material, self.size.mass, self.string_length(&material, thickness))
            }
            BodyKind::SupportedBar => bar(HINGED_WAVE),
            BodyKind::ClampedBar => bar(CLAMPED_WAVE),
            _ => return None,
        })
    }

    /// Length [m] of a string.
    fn string_length(&self, material: &Material, diameter: f64) -> f64 {
        if diameter > 0.0 {
            return self.size.mass / (material.density * 0.25 * PI * diameter * diameter);
        }
        let stress = STRESS.min(LARGEST_STRAIN * material.young);
        (stress / material.density).sqrt() / (2.0 * self.hertz)
    }
}

impl PreparedBody {
    /// Whether its tension can grow.
    pub fn has_tension(&self) -> bool {
        let setting = TensionSetting { nonlinearity: 1.0, material: 0, hertz: 1.0, size: BodySize { mass: 1.0, morph: 0.0 } };
        self.shapes().any(|(kind, shape)| shape.stretches() && setting.stiffness(kind, 0.0).is_some())
    }

    /// The tension of a voice with `count` modes, in the order of [`PreparedBody::voice_modes`]. A body that morphs keeps that of the
    /// shapes it is made of: the stretch of mixed shapes, without products of different modes.
    pub fn tension<'a>(&self, setting: &TensionSetting, count: usize, scratch: &'a mut BodyScratch) -> BodyStretch<'a> {
        let BodyScratch { weights, others, .. } = scratch;
        let count = count.min(weights.len()).min(others.len());
        let (stretches, more) = (&mut weights[..count], &mut others[..count]);
        stretches.fill(0.0);
        let mut stiffness = 0.0;
        let parts = [1.0 - setting.size.morph, setting.size.morph];
        let parts = if self.morphs() { parts } else { [1.0, 0.0] };
        let first = self.rigid().min(count);
        for ((kind, shape), part) in self.shapes().zip(parts) {
            let Some(own) = self.resistance(kind, shape, setting).filter(|_| part > 0.0) else { continue };
            shape.stretch_weights(&own, setting.size.mass, &mut more[first..]);
            if stiffness == 0.0 {
                stiffness = own.stiffness;
            }
            // K g^2 is what counts
            let factor = part * part * (own.stiffness / stiffness).sqrt();
            stretches[first..].iter_mut().zip(&more[first..]).for_each(|(all, g)| *all += factor * g);
        }
        BodyStretch { stiffness: setting.nonlinearity * setting.nonlinearity * stiffness, stretches }
    }

    fn resistance(&self, kind: BodyKind, shape: &ModalShape, setting: &TensionSetting) -> Option<StretchStiffness> {
        setting.stiffness(kind, self.request().thickness).filter(|_| shape.stretches())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::body_types::BodySpec;

    const SIZE: BodySize = BodySize { mass: 0.03744, morph: 0.0 };
    const SETTING: TensionSetting = TensionSetting { nonlinearity: 1.0, material: 0, hertz: 150.0, size: SIZE };

    fn law(spec: BodySpec, setting: &TensionSetting) -> (f64, Vec<f64>) {
        let body = PreparedBody::prepare(spec, &[], &[]);
        let mut scratch = BodyScratch::new(64);
        let BodyStretch { stiffness, stretches } = body.tension(setting, body.partials() + body.suspensions(), &mut scratch);
        (stiffness, stretches.to_vec())
    }

    /// The film of a head of 14.6 inches: its rim has a tension at which the lowest mode is tuned, and a film of twice the thickness
    /// is a smaller head.
    #[test]
    fn a_head_is_a_film_of_its_mass_and_thickness() {
        let (stiffness, stretches) = law(BodySpec::new(BodyKind::Head, 24), &SETTING);
        let area = SIZE.mass / (1390.0 * 0.25e-3);
        assert!((stiffness / (4e9 * 0.25e-3 / ((1.0 - 0.38 * 0.38) * area)) - 1.0).abs() < 1e-12);
        assert!((stretches[0] / (PI * 2.404_825_557_695_773_f64.powi(2) / SIZE.mass) - 1.0).abs() < 1e-12);
        let (thicker, same) = law(BodySpec { thickness: 0.5e-3, ..BodySpec::new(BodyKind::Head, 24) }, &SETTING);
        assert!((thicker / stiffness - 4.0).abs() < 1e-12 && same == stretches);
        let (skin, _) = law(BodySpec::new(BodyKind::Head, 24), &TensionSetting { material: 11, ..SETTING });
        assert!(skin < 0.5 * stiffness, "calfskin yields more");
    }

    /// n times the nonlinearity is the same as n times the deflection: V scales with n^2 at the fourth power of the deflection.
    #[test]
    fn nonlinearity_scales_the_stiffness_by_its_square() {
        let (once, g) = law(BodySpec::new(BodyKind::String, 24), &SETTING);
        let (thrice, same) = law(BodySpec::new(BodyKind::String, 24), &TensionSetting { nonlinearity: 3.0, ..SETTING });
        assert!((thrice / once - 9.0).abs() < 1e-12 && g == same);
        assert_eq!(law(BodySpec::new(BodyKind::String, 24), &TensionSetting { nonlinearity: 0.0, ..SETTING }).0, 0.0);
    }

    /// A steel string of usual stress: E A/T = E/stress = 300; its tension at rest follows from pitch, length and mass.
    #[test]
    fn a_string_has_the_usual_stress() {
        let length = SETTING.string_length(&Material::STEEL, 0.0);
        let (stiffness, _) = law(BodySpec::new(BodyKind::String, 24), &SETTING);
        let rest = 4.0 * SETTING.hertz.powi(2) * length * SIZE.mass;
        assert!((stiffness * length / rest - 300.0).abs() < 1e-9, "{}", stiffness * length / rest);
        let of_diameter = SETTING.string_length(&Material::STEEL, 1e-3);
        assert!((of_diameter * 7800.0 * 0.25 * PI * 1e-6 / SIZE.mass - 1.0).abs() < 1e-12);
    }

    /// Bars by w/h alone: the deflection by a thickness raises the stiffness of a hinged bar by 0.75 (Duffing; 12 (pi^4/4) (w/h)^2/pi^4
    /// over 4).
    #[test]
    fn bars_depend_on_the_deflection_in_thicknesses() {
        let (stiffness, g) = law(BodySpec::new(BodyKind::SupportedBar, 8), &SETTING);
        // amplitude w in the middle, phi = sqrt2 sin
        let q = BAR_THICKNESS * (0.5 * SIZE.mass).sqrt();
        let rise = stiffness * g[0] * g[0] * q * q / 2.0 / (TAU * SETTING.hertz).powi(2);
        assert!((rise - 3.0).abs() < 1e-9, "{rise}");
    }

    #[test]
    fn bodies_with_free_ends_have_none() {
        for kind in [BodyKind::Bar, BodyKind::Tongue, BodyKind::Disc, BodyKind::Plate, BodyKind::Bell, BodyKind::Marimba] {
            let body = PreparedBody::prepare(BodySpec::new(kind, 8), &[], &[]);
            assert!(!body.has_tension() && law(BodySpec::new(kind, 8), &SETTING).0 == 0.0, "{kind:?}");
        }
    }

    /// The tension of a body that morphs into a free one fades.
    #[test]
    fn morphing_into_a_free_body_takes_the_tension_away() {
        let spec = BodySpec { to: Some(BodyKind::Bar), ..BodySpec::new(BodyKind::Head, 8) };
        let at = |morph| law(spec, &TensionSetting { size: BodySize { morph, ..SIZE }, ..SETTING });
        let ((stiffness, whole), (same, half), (none, _)) = (at(0.0), at(0.5), at(1.0));
        assert!(stiffness == same && none == 0.0);
        assert!(whole.iter().zip(&half).all(|(whole, half)| (half - 0.25 * whole).abs() <= 1e-12 * whole));
    }
}
