//! The copies of the potential of a prepared body, made off the audio thread: of rectangular plates, and of discs.

use crate::body::body_types::{BodySpec, PLATE_STRESSES, POISSON, STRESSES, disc_rim, plate_rim};
use crate::body::whole_modes::MAX_WHOLE;
use crate::params::EdgeMount;
use urto_physics::bodies::{
    CurvedDisc, DiscPotential, DiscStretch, EdgeSupport, InPlaneEdges, ModalShape, PlateEdges, PlatePotential, PlateStretch,
    RoundMode, StressDetail, StretchDetail, StretchForms, StretchSpec, plate_forms,
};
use urto_physics::modal::{LentPotential, Potential, PotentialSize};

/// Copies of the potential of a body: as many voices as the limit on their cost lets ring with the fewest modes.
pub(super) const COPIES: usize = 8;

/// Modes that take part while as little as possible must be spent: a seventh of the cost or less.
const FEWEST: usize = 6;

/// Stress functions with half of the modes, and with the fewest; not of supported plates.
const HALF_STRESSES: usize = 40;
const FEWEST_STRESSES: usize = 16;

/// The copies of the potential of the body that `request` asks for, with this shape, `curved` if it is a disc with dome or dents; none for
/// most bodies. Allocates.
pub(super) fn potentials(request: &BodySpec, shape: &ModalShape, curved: Option<&CurvedDisc>) -> Vec<LentPotential> {
    if !request.has_potential() {
        return Vec::new();
    }
    let [all, smaller @ ..] = match (disc_rim(request.kind), plate_rim(request.kind)) {
        (Some(rim), _) => of_disc(rim, &round_modes(request, shape), curved),
        (None, Some(EdgeSupport::Free | EdgeSupport::Clamped)) => of_free_or_clamped_plate(request, shape),
        (None, _) => of_supported_plate(request, shape),
    };
    let mut cheapest = all.cost();
    let smaller = smaller.into_iter().filter(|one| {
        let cheaper = one.cost() < cheapest;
        cheapest = cheapest.min(one.cost());
        cheaper
    });
    vec![LentPotential::new(all, MAX_WHOLE).with_fewer_modes(smaller); COPIES]
}

/// Of a supported plate with all modes, with half of them, and with the fewest, as a list of coefficients.
fn of_supported_plate(request: &BodySpec, shape: &ModalShape) -> [Box<dyn Potential>; 3] {
    let families: Vec<_> = (0..request.stretching_modes().min(shape.len())).map(|i| shape.family(i)).collect();
    let (aspect, edges) = (request.outline.aspect, plate_edges(request));
    let grid = |count: usize| Box::new(PlatePotential::new(aspect, &families[..count], edges, StressDetail::Cut));
    let few: Vec<_> = families.iter().take(FEWEST).map_while(|family| *family).collect();
    [grid(families.len()), grid(families.len().div_ceil(2)), Box::new(plate_forms(aspect, &few, edges))]
}

/// Of a free or clamped plate with all modes, with half of them, and with the fewest.
fn of_free_or_clamped_plate(request: &BodySpec, shape: &ModalShape) -> [Box<dyn Potential>; 3] {
    let edges = match request.edges {
        EdgeMount::Sliding => InPlaneEdges::Free,
        EdgeMount::Held => InPlaneEdges::Held,
    };
    let (rigid, all) = (usize::from(shape.suspended()), request.stretching_modes().min(shape.len()));
    let forms = StretchForms::new(&StretchSpec { aspect: request.outline.aspect, poisson: POISSON, edges }, shape, all);
    let lowest = |modes: usize, stresses: usize| Box::new(forms.potential(StretchDetail { rigid, modes, stresses }));
    [lowest(all, PLATE_STRESSES), lowest(all.div_ceil(2), HALF_STRESSES), lowest(FEWEST, FEWEST_STRESSES)]
}

fn plate_edges(request: &BodySpec) -> PlateEdges {
    match request.edges {
        EdgeMount::Sliding => PlateEdges::Sliding,
        EdgeMount::Held => PlateEdges::Held(POISSON),
    }
}

/// The modes of a disc that share its potential, in the order of a voice's: a suspension takes no part.
fn round_modes(request: &BodySpec, shape: &ModalShape) -> Vec<Option<RoundMode>> {
    let suspension = shape.suspended().then_some(None);
    let partials = (0..request.stretching_modes().min(shape.len())).map(|i| shape.round_mode(i));
    suspension.into_iter().chain(partials).collect()
}

/// Of a disc with all of these modes, with half of them, and with the fewest; dents count while all take part.
fn of_disc(rim: EdgeSupport, modes: &[Option<RoundMode>], curved: Option<&CurvedDisc>) -> [Box<dyn Potential>; 3] {
    let lowest = |count: usize, stresses: usize| {
        let modes = &modes[..count.min(modes.len())];
        Box::new(match curved {
            Some(disc) => disc.potential_without_dents(modes, stresses),
            None => DiscPotential::new(rim, POISSON, modes, stresses),
        })
    };
    let all = curved.map_or_else(|| lowest(modes.len(), STRESSES), |disc| Box::new(disc.potential(modes, STRESSES)));
    let suspension = usize::from(modes.first().is_some_and(Option::is_none));
    [all, lowest(modes.len().div_ceil(2), HALF_STRESSES), lowest(FEWEST + suspension, FEWEST_STRESSES)]
}

/// Size of the potential of a body whose thickness, mass and lowest omega are 1; none for most bodies. Allocates.
pub(super) fn unit_size(request: &BodySpec, curved: Option<&CurvedDisc>) -> PotentialSize {
    if !request.has_potential() {
        return PotentialSize::default();
    }
    let (thickness, poisson, mass) = (1.0, POISSON, 1.0);
    if let Some(rim) = disc_rim(request.kind) {
        let omega = 1.0 / curved.map_or(1.0, CurvedDisc::rise);
        return DiscStretch { rim, thickness, poisson, mass, omega }.size();
    }
    let (rim, aspect) = (plate_rim(request.kind).unwrap_or(EdgeSupport::Supported), request.outline.aspect);
    PotentialSize::flat(PlateStretch { rim, thickness, poisson, mass, omega: 1.0, aspect }.amount())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::body_types::{curved_disc, shape};
    use crate::params::{BodyKind, ParamId, ParamValues};

    fn disc(dome: f64, dents: f64) -> BodySpec {
        let mut settings = ParamValues::default();
        let kind = BodyKind::Disc as usize as f64;
        let params = [(ParamId::Body, kind), (ParamId::Modes, 96.0), (ParamId::Nonlinearity, 1.0), (ParamId::Dome, dome)];
        params.into_iter().chain([(ParamId::Dents, dents)]).for_each(|(param, value)| settings.set(param, value));
        BodySpec::of(&settings)
    }

    /// Modes in another order, as after edits of partials, have the same V; the suspension takes no part; fewer modes cost less.
    #[test]
    fn discs_keep_their_potential_in_any_order_of_modes() {
        for request in [disc(0.0, 0.0), disc(2.0, 0.0), disc(2.0, 0.5)] {
            let curved = curved_disc(&request);
            let shape = shape(request.kind, &request, &[], curved.as_ref());
            let modes = round_modes(&request, &shape);
            assert!(modes.len() == 49 && modes[0].is_none() && modes[1..].iter().all(Option::is_some));
            let mut moved = modes.clone();
            moved[1..].reverse();
            let potentials = |modes: &[Option<RoundMode>]| of_disc(EdgeSupport::Free, modes, curved.as_ref());
            let ([mut all, half, few], [mut other, ..]) = (potentials(&modes), potentials(&moved));
            assert!(all.cost() > half.cost() && half.cost() > 4.0 * few.cost());
            let mut q: Vec<f64> = (0..49).map(|i| f64::from(i % 7 - 3) / f64::from(1 + i)).collect();
            let (mut slopes, mut others) = (vec![0.0; 49], vec![0.0; 49]);
            let energy = all.evaluate(&q, &mut slopes);
            q[1..].reverse();
            let same = other.evaluate(&q, &mut others);
            others[1..].reverse();
            let largest = slopes.iter().fold(0.0_f64, |most, slope| most.max(slope.abs()));
            let worst = slopes.iter().zip(&others).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()));
            println!("{:?}: V {:e}, gradient {:e}", request.rest, same / energy - 1.0, worst / largest);
            assert!((same / energy - 1.0).abs() < 1e-5 && worst < 1e-5 * largest && slopes[0] == 0.0 && energy > 0.0);
        }
    }

    /// With a suspension or a field, a plate keeps its potential; the suspension takes no part; fewer modes cost less, and two plates are within
    /// the limit of the cost.
    #[test]
    fn plates_have_a_potential_with_and_without_a_field() {
        for kind in [BodyKind::Plate, BodyKind::ClampedPlate] {
            let energies = [0.0, 0.5].map(|density| {
                let mut settings = ParamValues::default();
                let params = [(ParamId::Body, kind as usize as f64), (ParamId::Modes, 96.0), (ParamId::Nonlinearity, 1.0)];
                params.into_iter().chain([(ParamId::Density, density)]).for_each(|(param, value)| settings.set(param, value));
                let request = BodySpec::of(&settings);
                let shape = shape(kind, &request, &[], None);
                assert_eq!(shape.statistical() > 0, density > 0.0);
                let [mut all, half, few] = of_free_or_clamped_plate(&request, &shape);
                println!("{kind:?} {density}: cost {} {} {}", all.cost(), half.cost(), few.cost());
                assert!(all.cost() > 2.0 * half.cost() && half.cost() > 1.5 * few.cost() && all.cost() < 1536.0);
                let (mut q, mut slopes) = (vec![0.0; 41], vec![0.0; 41]);
                let rigid = usize::from(shape.suspended());
                q.iter_mut().take(rigid).for_each(|q| *q = 5.0);
                q[rigid..rigid + 40].iter_mut().enumerate().for_each(|(i, q)| *q = 1.0 / (1 + i * i) as f64);
                let energy = all.evaluate(&q, &mut slopes);
                assert!(
                    slopes[..rigid].iter().all(|slope| *slope == 0.0)
                        && slopes[rigid..rigid + 40].iter().all(|slope| *slope != 0.0)
                );
                energy
            });
            assert!(energies[0] > 0.0 && (energies[1] / energies[0] - 1.0).abs() < 1e-6, "{kind:?}: {energies:?}");
        }
    }

    /// A dome raises the pitch, so that at the same pitch the flat disc under it is slower and the potential smaller.
    #[test]
    fn the_amount_is_that_of_the_flat_disc() {
        let [flat, domed] = [0.0, 10.0].map(|dome| {
            let request = disc(dome, 0.0);
            let curved = curved_disc(&request);
            (unit_size(&request, curved.as_ref()).amount, curved.map_or(1.0, |disc| disc.rise()))
        });
        assert!(
            flat.1 == 1.0 && domed.1 > 1.01 && (domed.0 * domed.1 * domed.1 / flat.0 - 1.0).abs() < 1e-12,
            "{flat:?} {domed:?}"
        );
    }
}
