//! A body with a field: its exact modes, and above them as many as Weyl's law counts.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::bodies::field::field_loss::FieldLoss;
use crate::bodies::field::ladder::ladder;
use crate::bodies::field::modal_density::ModalDensity;
use crate::bodies::field::plane_waves::{Outline, PlaneWaves};
use crate::bodies::modal_shape::{Grid, GridSlopes, ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, EdgeSupport};

/// The modes above the exact ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Number of modes below a frequency.
    pub density: ModalDensity,
    /// Part of them that is computed, > 0 to 1. A contact keeps its mobility, a pickup its level.
    pub part: f64,
    /// Form and size of the body.
    pub outline: Outline,
    /// Its edge; None without one.
    pub edge: Option<EdgeSupport>,
    /// Radius [m] of the area over which a hammer's tip spreads its force, 0 for a point: weights for hammers take the factor
    /// exp(-(k r)^2/4).
    pub tip: f64,
    /// Radiation; None: no decay by radiation, and full level.
    pub radiation: Option<FieldLoss>,
    /// Frequency [Hz] of the ratio 1.
    pub lowest: f64,
    /// Frequency [Hz] up to which there are modes.
    pub reach: f64,
    /// Frequency [Hz] that they must reach. Where there are too many up to it, fewer are computed everywhere, as by `part`.
    pub audible: f64,
    /// Maximum number of modes.
    pub most: usize,
    /// Seed: the specimen.
    pub seed: u64,
}

impl ModalShape {
    /// The same body with the modes of `field` above its own, which stay. All have the body's mass. Allocates.
    pub fn with_field(&self, field: &Field) -> Self {
        let Field { density, lowest, reach, audible, seed, .. } = *field;
        let from = lowest * self.ratios.iter().copied().fold(0.0, f64::max);
        let whole = density.count(audible.min(reach)) - density.count(from);
        let part = field.part.min(field.most as f64 / whole.max(1.0));
        let modes = ladder(&density, part, (from, reach), field.most, seed);
        if modes.is_empty() {
            return self.clone();
        }
        let numbers: Vec<(f64, u64)> = modes.iter().map(|&(f, i)| (density.wave_number(f), i)).collect();
        let waves = PlaneWaves::new(field.outline, field.edge, &numbers, seed);
        let heard = modes.iter().map(|&(f, _)| field.radiation.map_or(1.0, |radiation| radiation.heard(f)));
        let heard: Vec<f64> = heard.collect();
        let struck = numbers.iter().map(|&(number, _)| (-(0.5 * number * field.tip).powi(2)).exp() / part.sqrt());
        let mut body = self.clone();
        body.ratios.extend(modes.iter().map(|&(f, _)| f / lowest));
        body.decays.extend(modes.iter().map(|_| None));
        extend(&mut body.mobilities, self.len(), 1.0, heard.iter().copied());
        extend(
            &mut body.factors,
            self.len(),
            1.0,
            struck.zip(&heard).map(|(struck, heard)| struck / heard.max(f64::MIN_POSITIVE)),
        );
        if let Some(radiation) = field.radiation {
            extend(&mut body.radiations, self.len(), 0.0, modes.iter().map(|&(f, _)| radiation.radiated(f) / (TAU * f)));
        }
        if !body.slopes.is_empty() {
            extend(&mut body.slopes, self.len(), 0.0, modes.iter().map(|_| 0.0));
        }
        if !body.slowness.is_empty() {
            extend(&mut body.slowness, self.len(), 1.0, modes.iter().map(|_| 1.0));
        }
        if !body.radiations.is_empty() {
            body.radiations.resize(body.ratios.len(), 0.0);
        }
        body.far = self.far.as_ref().map(|far| far.extended(modes.len()));
        body.statistical = modes.len();
        body.functions = Arc::new(ExactAndStatistical { exact: self.functions.clone(), count: self.len(), waves });
        body
    }
}

/// Appends `values` to a column of `modes` entries, which is empty if all are `usual`.
fn extend(column: &mut Vec<f64>, modes: usize, usual: f64, values: impl Iterator<Item = f64>) {
    column.resize(modes, usual);
    column.extend(values);
}

/// Shapes of the exact modes, then those of the field.
#[derive(Clone, Debug)]
struct ExactAndStatistical {
    exact: Arc<dyn ShapeFunctions>,
    /// Number of exact modes.
    count: usize,
    waves: PlaneWaves,
}

impl ShapeFunctions for ExactAndStatistical {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let (exact, field) = out.split_at_mut(self.count.min(out.len()));
        self.exact.shapes_at(place, exact);
        if place.along > 1.0 {
            // the resonant head of a drum has no field
            return field.fill(0.0);
        }
        self.waves.shapes_at(place, field);
    }

    fn inside(&self, place: BodyPosition) -> BodyPosition {
        self.exact.inside(place)
    }

    fn is_free(&self) -> bool {
        self.exact.is_free()
    }

    fn rigid_at(&self, place: BodyPosition) -> f64 {
        self.exact.rigid_at(place)
    }

    fn slopes_on(&self, modes: usize, grid: Grid) -> Vec<Option<GridSlopes>> {
        self.exact.slopes_on(modes.min(self.count), grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::field::modal_density::Sheet;
    use crate::bodies::material::Material;
    use crate::bodies::mode_thinning::Trim;

    /// A bronze disc, 18 in and 0.9 mm, with twelve exact modes from 100 Hz on.
    fn crash(part: f64, most: usize, seed: u64) -> (ModalShape, Field) {
        let sheet = Sheet::of_mass(Material::BELL_BRONZE, 0.9e-3, 1.2856);
        let radius = (sheet.area / std::f64::consts::PI).sqrt();
        let field = Field {
            density: ModalDensity::Plate { sheet, ring: 0.0, perimeter: TAU * radius, edge: EdgeSupport::Free },
            part,
            outline: Outline::Round { radius },
            edge: Some(EdgeSupport::Free),
            tip: 0.0,
            radiation: None,
            lowest: 100.0,
            reach: 20e3,
            audible: 20e3,
            most,
            seed,
        };
        (ModalShape::disc(EdgeSupport::Free, 0.34, 12, 0.004).with_field(&field), field)
    }

    fn weights(shape: &ModalShape, place: BodyPosition) -> [Vec<f64>; 2] {
        let (mut struck, mut heard) = (vec![0.0; shape.len()], vec![0.0; shape.len()]);
        shape.weights_at_place(place, 1.2856, &mut struck);
        shape.heard_at_place(place, 1.2856, &mut heard);
        [struck, heard]
    }

    const PLACE: BodyPosition = BodyPosition { along: 0.6, across: 0.2 };

    #[test]
    fn the_field_continues_above_the_exact_modes() {
        let (body, field) = crash(1.0, usize::MAX, 1);
        let exact = ModalShape::disc(EdgeSupport::Free, 0.34, 12, 0.004);
        assert_eq!(body.statistical(), body.len() - 12);
        let known = field.density.count(20e3) - field.density.count(100.0 * exact.ratio(11));
        assert!((body.statistical() as f64 - known).abs() < 2.5, "{} instead of {known}", body.statistical());
        assert!((1..body.len()).all(|i| body.ratio(i) >= body.ratio(i - 1)));
        let ([struck, heard], [exact_struck, _]) = (weights(&body, PLACE), weights(&exact, PLACE));
        assert!(struck[..12] == exact_struck && struck == heard);
        assert!((0..12).all(|i| body.ratio(i) == exact.ratio(i) && body.family(i) == exact.family(i)));
        assert!(body.family(12).is_none() && body.suspended() && body.diameters(12).is_none());
    }

    /// Fewer modes keep the mobility for hammers and the energy at pickups, sum (w phi)^2.
    #[test]
    fn a_part_of_the_modes_keeps_mobility_and_level() {
        let sums = |part, most| {
            let mut sums = [0.0; 2];
            for seed in 0..12 {
                let [struck, heard] = weights(&crash(part, most, seed).0, PLACE);
                sums[0] += struck[12..].iter().map(|w| w * w).sum::<f64>();
                sums[1] += struck[12..].iter().zip(&heard[12..]).map(|(w, phi)| (w * phi).powi(2)).sum::<f64>();
            }
            sums
        };
        let all = sums(1.0, usize::MAX);
        for (part, most) in [(0.5, usize::MAX), (0.25, usize::MAX), (1.0, 600)] {
            let some = sums(part, most);
            let off: [f64; 2] = std::array::from_fn(|k| some[k] / all[k] - 1.0);
            assert!(off.iter().all(|off| off.abs() < 0.08), "{part} {most}: {off:?}");
        }
        assert_eq!(crash(1.0, 600, 0).0.statistical(), 600);
        let (all, field) = crash(1.0, usize::MAX, 0);
        let exact = ModalShape::disc(EdgeSupport::Free, 0.34, 12, 0.004);
        let farther = exact.with_field(&Field { reach: 40e3, most: 2000, ..field });
        assert_eq!((farther.statistical(), farther.ratio(1500)), (2000, all.ratio(1500)), "only the inaudible end is cut off");
    }

    #[test]
    fn radiation_takes_energy_and_level() {
        let (_, field) = crash(1.0, usize::MAX, 3);
        let ModalDensity::Plate { sheet, .. } = field.density else { panic!("a plate") };
        let radiation = FieldLoss::new(&sheet, 2.0);
        let body =
            ModalShape::disc(EdgeSupport::Free, 0.34, 12, 0.004).with_field(&Field { radiation: Some(radiation), ..field });
        let (plain, ([struck, heard], [plain_struck, _])) =
            (crash(1.0, usize::MAX, 3).0, (weights(&body, PLACE), weights(&crash(1.0, usize::MAX, 3).0, PLACE)));
        assert_eq!((plain.radiation(40), body.radiation(3)), (0.0, 0.0));
        for i in [12, 200, 1000] {
            let f = 100.0 * body.ratio(i);
            assert!((body.radiation(i) * TAU * f / radiation.radiated(f) - 1.0).abs() < 1e-12);
            assert!((struck[i] / plain_struck[i] - 1.0).abs() < 1e-12, "hammers meet the same body");
            assert!((heard[i] / struck[i] / radiation.heard(f) - 1.0).abs() < 1e-12);
        }
    }

    /// Heads: the tip of the stick does not excite waves shorter than itself.
    #[test]
    fn a_tip_of_finite_size_excites_fewer_modes() {
        let (plain, field) = crash(1.0, usize::MAX, 2);
        let body = ModalShape::disc(EdgeSupport::Free, 0.34, 12, 0.004).with_field(&Field { tip: 3e-3, ..field });
        let [struck, _] = weights(&body, PLACE);
        let [point, heard] = weights(&plain, PLACE);
        let k = field.density.wave_number(100.0 * body.ratio(1200));
        assert!((struck[1200] / point[1200] - (-(0.5 * k * 3e-3).powi(2)).exp()).abs() < 1e-12 && point == heard);
    }

    /// Edits of exact modes and of the field, past each other; the far field follows.
    #[test]
    fn edits_keep_the_order_of_frequency() {
        let (body, _) = crash(1.0, usize::MAX, 8);
        let trim = |mode, ratio| Trim { mode, ratio, gain: 1.0, decay: 1.0 };
        let (moved, order) = body.trimmed(&[trim(3, 40.0), trim(900, 0.1)]);
        assert!((1..moved.len()).all(|i| moved.ratio(i) >= moved.ratio(i - 1)) && moved.len() == body.len());
        let far = |shape: &ModalShape| {
            let mut out = vec![0.0; shape.len()];
            shape.far_at_place(PLACE, 1.2856, |_| 2.0, &mut out);
            out
        };
        let ([before, after], [far_before, far_after]) =
            ([&body, &moved].map(|shape| weights(shape, PLACE)), [far(&body), far(&moved)]);
        for (i, &from) in order.iter().enumerate() {
            assert_eq!((after[0][i], far_after[i], moved.family(i)), (before[0][from], far_before[from], body.family(from)));
        }
        assert!(far_before[20] != 0.0 && far_before[5] != 0.0);
    }

    /// Stored values of a specimen: they never change within one version of the sound.
    #[test]
    fn a_specimen_stays() {
        let (body, _) = crash(1.0, usize::MAX, 42);
        let [struck, _] = weights(&body, PLACE);
        let values = [12, 500, 1500].map(|i| (body.ratio(i), struck[i]));
        for ((ratio, weight), (stored_ratio, stored_weight)) in values.into_iter().zip(STORED) {
            assert!((ratio / stored_ratio - 1.0).abs() < 1e-12 && (weight - stored_weight).abs() < 1e-7, "{ratio} {weight}");
        }
    }

    const STORED: [(f64, f64); 3] = [
        (6.779_763_164_677_299, -0.835_121_949_442_016_1),
        (60.912_734_266_256_074, -0.714_445_984_731_568_5),
        (174.566_319_248_229_4, -0.944_629_581_434_775),
    ];
}
