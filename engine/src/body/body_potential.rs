//! Potential of prepared bodies that stretch as they bend: rectangular plates, and discs with or without a dome and dents.
//!
//! ```text
//! V = n^2 12 (1 - nu^2) (omega/Omega)^2/(h^2 M) times that of unit mass, area and E h      n: nonlinearity
//! ```
//!
//! Pitch, mass and thickness are those of the other parameters; the material has no effect of its own. The body moves as one n times
//! thinner at its old pitch, with a dome of as many thicknesses. omega is that of the lowest mode, without the dome. The lowest 72
//! modes of a supported plate take part, the lowest 48 of a disc, and the lowest 40 of a free or clamped plate. A body has a few copies of its potential for the voices that play it; further voices are linear.

use crate::body::body_tension::TensionSetting;
use crate::body::dense_field::sheet_thickness;
use crate::body::prepared_body::PreparedBody;
use std::f64::consts::TAU;
use urto_physics::modal::PotentialSize;

impl PreparedBody {
    /// Whether it can have a potential.
    pub fn has_potential(&self) -> bool {
        self.request().has_potential()
    }

    /// Size of its potential.
    pub fn potential_size(&self, setting: &TensionSetting) -> PotentialSize {
        let request = self.request();
        match sheet_thickness(request.kind, request.thickness).filter(|_| self.has_potential() && setting.nonlinearity > 0.0) {
            Some(thickness) => self.unit_size.of_sheet(thickness / setting.nonlinearity, setting.size.mass, TAU * setting.hertz),
            None => PotentialSize::default(),
        }
    }
}

impl PreparedBody {
    /// Deflection in thicknesses of modes whose displacements have the sum of squares 1 m^2 kg: 2/(h M^1/2), twice the root mean square over
    /// the plate.
    pub fn thicknesses(&self, setting: &TensionSetting) -> f64 {
        let request = self.request();
        sheet_thickness(request.kind, request.thickness).map_or(0.0, |thickness| 2.0 / (thickness * setting.size.mass.sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::body_slots::BodySlots;
    use crate::body::body_types::{BodySpec, POISSON};
    use crate::body::key_body::BodySize;
    use crate::body::potential_copies::COPIES;
    use crate::body::whole_modes::MAX_WHOLE;
    use crate::params::{BodyKind, EdgeMount, ParamId, ParamValues};
    use urto_physics::bodies::{EdgeSupport, ModalShape};
    use urto_physics::modal::Mode;
    use urto_physics::solver::{Capacity, Collision};

    fn spec(params: &[(ParamId, f64)]) -> BodySpec {
        let mut settings = ParamValues::default();
        params.iter().for_each(|&(param, value)| settings.set(param, value));
        BodySpec::of(&settings)
    }

    fn body(kind: BodyKind, nonlinearity: f64) -> Box<PreparedBody> {
        let params = [(ParamId::Body, kind as usize as f64), (ParamId::Modes, 128.0), (ParamId::Nonlinearity, nonlinearity)];
        PreparedBody::prepare(spec(&params), &[], &[])
    }

    /// The mode (1, 1) of a square plate stiffens 1 + 2/(1 - nu) times as much where the edges are held; a linear plate needs no other body.
    #[test]
    fn held_edges_stiffen_a_plate_more() {
        let plate = |edges: EdgeMount, nonlinearity: f64| {
            let kind = BodyKind::SupportedPlate as usize as f64;
            let edges = (ParamId::Edges, edges as usize as f64);
            spec(&[(ParamId::Body, kind), (ParamId::Aspect, 1.0), (ParamId::Nonlinearity, nonlinearity), edges])
        };
        let strength = |edges: EdgeMount| {
            let mut body = PreparedBody::prepare(plate(edges, 1.0), &[], &[]);
            let capacity = Capacity { modes: 72, held: 0, hammers: 1, hammer_modes: 1, levels: 4 };
            let mut collision = Collision::new(48e3, capacity);
            collision.set_body([2.0, 5.0, 5.0, 8.0].map(|ratio| Mode { omega: 100.0 * ratio, sigma: 0.0 }));
            collision.exchange_potential(body.potentials.pop(), PotentialSize::flat(1.0));
            collision.change_state(|_, v| v[0] = 1.0);
            collision.potential_strength()
        };
        let ratio = strength(EdgeMount::Held) / strength(EdgeMount::Sliding);
        assert!((ratio / (1.0 + 2.0 / (1.0 - POISSON)) - 1.0).abs() < 1e-5, "{ratio}");
        let satisfied =
            |nonlinearity: f64| plate(EdgeMount::Held, nonlinearity).is_satisfied_by(&plate(EdgeMount::Sliding, nonlinearity));
        assert!(satisfied(0.0) && !satisfied(1.0));
    }

    /// 12 (1 - nu^2) (omega/Omega)^2/(h^2 M) of a sheet of 1 mm; n times the nonlinearity is n^2 times the potential.
    #[test]
    fn the_potential_of_a_plate_follows_from_pitch_mass_and_thickness() {
        let plate = body(BodyKind::SupportedPlate, 1.0);
        let setting = |nonlinearity| {
            let size = BodySize { mass: 2.0, morph: 0.0 };
            TensionSetting { nonlinearity, material: 0, hertz: 30.0, size }
        };
        let [once, thrice] = [1.0, 3.0].map(|n| plate.potential_size(&setting(n)).amount);
        let (h, aspect) = (sheet_thickness(BodyKind::SupportedPlate, 0.0).unwrap(), plate.request().outline.aspect);
        let unit = std::f64::consts::PI.powi(2) * (aspect + 1.0 / aspect);
        let known = 12.0 * (1.0 - 0.33 * 0.33) * (TAU * 30.0 / unit).powi(2) / (h * h * 2.0);
        assert!((once / known - 1.0).abs() < 1e-12 && (thrice / once - 9.0).abs() < 1e-9, "{once} {known} {thrice}");
    }

    /// Only bodies that are to be nonlinear have copies, and the lowest modes that a supported plate keeps are all different.
    #[test]
    fn supported_plates_keep_their_lowest_modes_for_a_potential() {
        let plate = body(BodyKind::SupportedPlate, 1.0);
        assert_eq!(plate.potentials.len(), COPIES);
        let all = ModalShape::plate(EdgeSupport::Supported, plate.request().outline.aspect, POISSON, 512);
        assert!((0..MAX_WHOLE).all(|i| plate.family(i) == all.family(i)));
        assert!(body(BodyKind::SupportedPlate, 0.0).potentials.is_empty() && body(BodyKind::Bowl, 1.0).potentials.is_empty());
    }

    /// Free and clamped plates have copies; the edges count for clamped ones only.
    #[test]
    fn free_and_clamped_plates_have_a_potential() {
        for kind in [BodyKind::Plate, BodyKind::ClampedPlate] {
            assert_eq!(body(kind, 1.0).potentials.len(), COPIES);
            assert!(body(kind, 0.0).potentials.is_empty());
            let [sliding, held] = [0.0, 1.0].map(|edges| {
                spec(&[(ParamId::Body, kind as usize as f64), (ParamId::Nonlinearity, 1.0), (ParamId::Edges, edges)])
            });
            assert_eq!(sliding.is_satisfied_by(&held), kind == BodyKind::Plate);
        }
    }

    #[test]
    fn a_lent_potential_comes_back() {
        let mut slots = BodySlots::new(body(BodyKind::SupportedPlate, 1.0));
        let mut lent: Vec<_> = (0..COPIES).filter_map(|_| slots.lend_potential(0)).collect();
        assert!(lent.len() == COPIES && slots.lend_potential(0).is_none());
        slots.return_potential(0, lent.remove(0));
        assert!(slots.lend_potential(0).is_some());
    }
}
