//! Modes of a body with signed shape functions, without pitch and mass.
//!
//! A mode of a shape has a ratio r_i to the lowest frequency, a shape phi_i(xi) along the strike line, xi from 0 to 1, with mean
//! square 1 over the body, and a modal mass that is a factor of the body's mass. Its weight for a contact or a pickup at xi is
//! w_i = phi_i(xi)/sqrt(M_i).
//!
//! Shapes are evaluated by recurrences over the modes or from tables computed with the body: one sine or exponential per place,
//! none per mode, no allocation.

use std::f64::consts::SQRT_2;
use std::fmt::Debug;
use std::sync::Arc;

use crate::bodies::far_field::FarField;
use crate::bodies::position::BodyPosition;
use crate::radiation::compact;
use nalgebra::DMatrix;

/// Maximum number of modes of shape functions that evaluate all modes together.
pub(super) const MAX_SELECTED: usize = 4096;

/// Family of the modes of a field, which have none.
const STATISTICAL: (u32, u32) = (u32::MAX, u32::MAX);

/// Minimum number of panels of a table: the slope at an end needs five places.
const FEWEST_PANELS: usize = 4;

/// The modes of a body: ratios, shapes, modal masses, radiation.
#[derive(Clone, Debug)]
pub struct ModalShape {
    pub(super) ratios: Vec<f64>,
    /// 1/sqrt(modal mass/body mass), one a mode.
    pub(super) mobilities: Vec<f64>,
    pub(super) decays: Vec<Option<f64>>,
    /// Factors of decay times, one a mode; empty: 1.
    pub(super) slowness: Vec<f64>,
    /// (nodal diameters, circles) or (p, q), one a mode; empty where the number of the mode suffices.
    pub(super) families: Vec<(u32, u32)>,
    /// Damping ratios by radiation, one a mode; empty where none are known.
    pub(super) radiations: Vec<f64>,
    /// Mean squares of the slopes, one a mode, per unit of length or radius: `tension`. Empty where the body does not stretch.
    pub(super) slopes: Vec<f64>,
    /// Weight of a mode for a hammer over that for a pickup, in a thinned body: [`ModalShape::thinned`]. Empty: 1.
    pub(super) factors: Vec<f64>,
    /// Far field; of heads and discs.
    pub(super) far: Option<FarField>,
    /// Number of modes of its field: [`ModalShape::with_field`].
    pub(super) statistical: usize,
    pub(super) functions: Arc<dyn ShapeFunctions>,
}

impl ModalShape {
    /// All modal masses equal to the body's mass, without decays and families.
    pub(super) fn with(functions: impl ShapeFunctions + 'static, ratios: Vec<f64>) -> Self {
        let modes = ratios.len();
        Self {
            ratios,
            mobilities: vec![1.0; modes],
            decays: vec![None; modes],
            slowness: Vec::new(),
            families: Vec::new(),
            radiations: Vec::new(),
            slopes: Vec::new(),
            factors: Vec::new(),
            far: None,
            statistical: 0,
            functions: Arc::new(functions),
        }
    }

    /// Number of modes.
    pub fn len(&self) -> usize {
        self.ratios.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ratios.is_empty()
    }

    /// Frequency of mode i over that of the mode with ratio 1.
    pub fn ratio(&self, i: usize) -> f64 {
        self.ratios[i]
    }

    /// Decay rate sigma [1/s] of mode i, if it has one of its own.
    pub fn own_decay(&self, i: usize) -> Option<f64> {
        self.decays[i]
    }

    /// Factor of the decay time of mode i, for any losses; [`ModalShape::trimmed`].
    pub fn decay_factors(&self, i: usize) -> f64 {
        self.slowness.get(i).copied().unwrap_or(1.0)
    }

    /// (Nodal diameters, circles) of mode i of round bodies, (p, q) of rectangular plates; none elsewhere.
    pub fn family(&self, i: usize) -> Option<(u32, u32)> {
        self.families.get(i).copied().filter(|family| *family != STATISTICAL)
    }

    /// Damping ratio of mode i by sound radiation, sigma/omega, in addition to the material's losses; 0 where it is unknown.
    pub fn radiation(&self, i: usize) -> f64 {
        self.radiations.get(i).copied().unwrap_or(0.0)
    }

    /// Whether the body is free and needs a suspension: a rigid mode with a weight for hammers and none for pickups.
    pub fn suspended(&self) -> bool {
        self.functions.is_free()
    }

    /// Weight times root of the mass with which a contact at `place` translates and tilts a free body: the root of the sum of
    /// squares of its rigid shapes, 1 at its middle, 2 at the end of a uniform bar. One suspension mode with this weight
    /// represents all rigid modes, with equally soft suspensions. 0 for a supported body.
    pub fn rigid_at(&self, place: BodyPosition) -> f64 {
        if self.suspended() { self.functions.rigid_at(self.functions.inside(place)) } else { 0.0 }
    }

    /// [`ModalShape::weights_at_place`] on the strike line, xi in [0, 1].
    pub fn weights_at(&self, xi: f64, mass: f64, out: &mut [f64]) {
        self.weights_at_place(BodyPosition::line(xi), mass, out);
    }

    /// Weights w_i = phi_i/sqrt(M_i) [kg^-1/2] of the first modes for a body of `mass` [kg] at `place` (the nearest one on the body); the
    /// rest of `out` is 0. Exact to 1e-11 of the largest shape for 4096 modes of string and bar. For contacts; pickups on a
    /// thinned body have [`ModalShape::heard_at_place`].
    pub fn weights_at_place(&self, place: BodyPosition, mass: f64, out: &mut [f64]) {
        self.heard_at_place(place, mass, out);
        for (weight, factor) in out.iter_mut().zip(&self.factors) {
            *weight *= factor;
        }
    }

    /// The same for pickups: without the factors of a thinned body.
    pub fn heard_at_place(&self, place: BodyPosition, mass: f64, out: &mut [f64]) {
        let (out, rest) = out.split_at_mut(self.len().min(out.len()));
        rest.fill(0.0);
        self.functions.shapes_at(self.functions.inside(place), out);
        let root = 1.0 / mass.sqrt();
        for (weight, mobility) in out.iter_mut().zip(&self.mobilities) {
            *weight *= mobility * root;
        }
    }

    /// The same body struck with a soft tip: weights for hammers, not for pickups, take the factor `factor` of the mode's ratio.
    pub fn softened(mut self, factor: impl Fn(f64) -> f64) -> Self {
        self.factors.resize(self.ratios.len(), 1.0);
        self.factors.iter_mut().zip(&self.ratios).for_each(|(all, ratio)| *all *= factor(*ratio));
        self
    }

    /// Number of its modes that are known by their statistics only, the highest unless edits have moved them.
    pub fn statistical(&self) -> usize {
        self.statistical
    }

    /// Weight of mode i for a hammer over that for a pickup.
    pub(super) fn factor(&self, i: usize) -> f64 {
        self.factors.get(i).copied().unwrap_or(1.0)
    }

    /// Whether [`ModalShape::far_at_place`] is known: of heads and discs.
    pub fn has_far_field(&self) -> bool {
        self.far.is_some()
    }

    /// Far field: p/(rho c) over the modal velocity [kg^-1/2] of the first modes of a body of `mass` [kg] at twice the distance
    /// of half its radius; along is the sine of the angle from the axis, across the direction in turns. `size(i)`: omega a/c of
    /// mode i. 0 in the rest of `out`, and for bodies without a far field. Modes of a field radiate as monopoles.
    pub fn far_at_place(&self, place: BodyPosition, mass: f64, size: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.fill(0.0);
        let Some(far) = &self.far else { return };
        if self.statistical > 0 {
            self.functions.shapes_at(place.inside(), out);
            out.iter_mut().enumerate().for_each(|(i, weight)| *weight *= compact(size(i)));
        }
        far.heard(place.inside(), size, out);
        let root = 1.0 / mass.sqrt();
        for (weight, mobility) in out.iter_mut().zip(&self.mobilities) {
            *weight *= mobility * root;
        }
    }

    /// Weights (-1)^n sqrt2/sqrt(M_n) [kg^-1/2], n counted from 1: the force at the end of a string of `mass` [kg], over its
    /// impedance 2 f0 M, is their sum with the modal velocities, a quarter of a period late. Every partial is as loud as its
    /// velocity. On a course of strings it is the force of all strings on their bridge.
    pub fn bridge(&self, mass: f64, out: &mut [f64]) {
        out.fill(0.0);
        let count = self.len().min(out.len());
        if self.functions.bridge(&mut out[..count]) {
            let root = 1.0 / mass.sqrt();
            out.iter_mut().zip(&self.mobilities).for_each(|(weight, mobility)| *weight *= mobility * root);
            return;
        }
        let root = SQRT_2 / mass.sqrt();
        for (i, (weight, mobility)) in out.iter_mut().zip(&self.mobilities).enumerate() {
            *weight = if i % 2 == 0 { -mobility * root } else { mobility * root };
        }
    }

    /// Nodal diameters of mode i of a head or disc.
    pub fn diameters(&self, i: usize) -> Option<u32> {
        self.far.as_ref()?.diameters(i).map(|diameters| diameters as u32)
    }

    /// Radiated power of a mode that moves two heads over that of the heads alone, where waves are long: 0 in step to 2 apart; 1 for all other modes.
    pub fn flow(&self, i: usize) -> f64 {
        self.far.as_ref().map_or(1.0, |far| far.flow(i))
    }

    /// Whether mode i moves the batter head of a drum with two heads; true for all other bodies.
    pub(super) fn is_shared(&self, i: usize) -> bool {
        self.far.as_ref().is_none_or(|far| far.is_shared(i))
    }

    /// Whether mode i of a drum with two heads moves the resonant head most.
    pub fn is_resonant(&self, i: usize) -> bool {
        self.far.as_ref().is_some_and(|far| far.is_behind(i))
    }

    /// The modes `kept`, in that order.
    pub(super) fn only(&self, kept: &[usize]) -> Self {
        let pick = |values: &[f64]| if values.is_empty() { Vec::new() } else { kept.iter().map(|&i| values[i]).collect() };
        Self {
            ratios: pick(&self.ratios),
            mobilities: pick(&self.mobilities),
            factors: pick(&self.factors),
            radiations: pick(&self.radiations),
            slowness: pick(&self.slowness),
            slopes: kept.iter().filter_map(|&i| self.slopes.get(i).copied()).collect(),
            decays: kept.iter().map(|&i| self.decays[i]).collect(),
            families: if self.families.is_empty() {
                Vec::new()
            } else {
                kept.iter().map(|&i| self.families.get(i).copied().unwrap_or(STATISTICAL)).collect()
            },
            far: self.far.as_ref().map(|far| far.subset(kept)),
            statistical: self.statistical,
            functions: selected(&self.functions, kept),
        }
    }

    /// Slopes of the first modes of a rectangular plate of unit mass, each with unit modal mass, on a grid; None where they are not known.
    pub(super) fn slopes_on(&self, modes: usize, grid: Grid) -> Vec<Option<GridSlopes>> {
        let mut slopes = self.functions.slopes_on(modes.min(self.len()), grid);
        slopes.resize_with(modes, || None);
        for (slopes, mobility) in slopes.iter_mut().zip(&self.mobilities) {
            slopes.iter_mut().for_each(|GridSlopes { along, across }| {
                *along *= *mobility;
                *across *= *mobility;
            });
        }
        slopes
    }
}

/// A grid of places, which are from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid<'a> {
    pub along: &'a [f64],
    pub across: &'a [f64],
}

/// Slopes of a mode at the places of a grid, one row for every place along.
#[derive(Clone, Debug)]
pub(super) struct GridSlopes {
    /// By the place along.
    pub along: DMatrix<f64>,
    /// By the place across.
    pub across: DMatrix<f64>,
}

/// Shape functions phi_i of one kind of body. Immutable: bodies with the same shapes share them.
pub(super) trait ShapeFunctions: Debug + Send + Sync {
    /// phi_i of the first modes.
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]);

    /// The place on the body that is nearest to `place`.
    fn inside(&self, place: BodyPosition) -> BodyPosition {
        place.inside()
    }

    /// Whether nothing holds the body.
    fn is_free(&self) -> bool {
        false
    }

    /// Root of the sum of squares of its rigid shapes, each of mean square 1, if nothing holds it.
    fn rigid_at(&self, place: BodyPosition) -> f64 {
        let (x, y) = (2.0 * place.along - 1.0, 2.0 * place.across - 1.0);
        (1.0 + self.tilts(place, x, y)).sqrt()
    }

    /// Sum of squares of its tilting shapes at `place`, which is (x, y) from -1 to 1.
    fn tilts(&self, _place: BodyPosition, _x: f64, _y: f64) -> f64 {
        0.0
    }

    /// Slopes of the first `modes` modes on a grid, None where they are not known; fewer if none of the others are.
    fn slopes_on(&self, _modes: usize, _grid: Grid) -> Vec<Option<GridSlopes>> {
        Vec::new()
    }

    /// Force of all strings on their bridge over the impedance of one of unit mass, for the velocity of every mode a quarter of a period late; false
    /// where the body is no course of strings.
    fn bridge(&self, _out: &mut [f64]) -> bool {
        false
    }

    /// Only the modes `kept`, in that order; None where one mode cannot be evaluated without the others.
    fn subset(&self, _kept: &[usize]) -> Option<Arc<dyn ShapeFunctions>> {
        None
    }
}

/// Only the modes `kept` of `functions`, in that order.
pub(super) fn selected(functions: &Arc<dyn ShapeFunctions>, kept: &[usize]) -> Arc<dyn ShapeFunctions> {
    functions.subset(kept).unwrap_or_else(|| Arc::new(SelectedModes::new(functions.clone(), kept)))
}

/// A selection of the modes of shape functions that evaluate all modes together.
#[derive(Clone, Debug)]
struct SelectedModes {
    functions: Arc<dyn ShapeFunctions>,
    kept: Vec<usize>,
}

impl SelectedModes {
    /// Modes `kept` of `functions`, all below [`MAX_SELECTED`].
    fn new(functions: Arc<dyn ShapeFunctions>, kept: &[usize]) -> Self {
        Self { functions, kept: kept.to_vec() }
    }

    /// How many modes of the whole body the first `count` of the selection need.
    fn needed(&self, count: usize) -> usize {
        self.kept.iter().take(count).max().map_or(0, |last| last + 1).min(MAX_SELECTED)
    }

    fn pick(&self, all: &[f64], out: &mut [f64]) {
        for (value, &mode) in out.iter_mut().zip(&self.kept) {
            *value = all.get(mode).copied().unwrap_or(0.0);
        }
    }
}

impl ShapeFunctions for SelectedModes {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let mut all = [0.0; MAX_SELECTED];
        let needed = self.needed(out.len());
        self.functions.shapes_at(place, &mut all[..needed]);
        self.pick(&all, out);
    }

    fn bridge(&self, out: &mut [f64]) -> bool {
        let mut all = [0.0; MAX_SELECTED];
        let needed = self.needed(out.len());
        let is_course = self.functions.bridge(&mut all[..needed]);
        if is_course {
            self.pick(&all, out);
        }
        is_course
    }

    fn inside(&self, place: BodyPosition) -> BodyPosition {
        self.functions.inside(place)
    }

    fn is_free(&self) -> bool {
        self.functions.is_free()
    }

    fn rigid_at(&self, place: BodyPosition) -> f64 {
        self.functions.rigid_at(place)
    }

    fn slopes_on(&self, modes: usize, grid: Grid) -> Vec<Option<GridSlopes>> {
        let kept = &self.kept[..modes.min(self.kept.len())];
        let all = self.functions.slopes_on(kept.iter().max().map_or(0, |last| last + 1), grid);
        kept.iter().map(|&mode| all.get(mode).cloned().flatten()).collect()
    }
}

/// Shapes at equally spaced places of the strike line, for bodies whose shapes have no recurrence.
///
/// Between two places the shape is the cubic with the values and slopes there; slopes are differences of fourth order. With p
/// places a half wave the error is 4e-4 (4/p)^4 of the shape's amplitude inside, about 4 times that next to the ends.
#[derive(Clone, Debug)]
pub(super) struct Table {
    modes: usize,
    panels: usize,
    /// For each place: the values of all modes, then their slopes per panel.
    rows: Vec<f64>,
}

impl Table {
    /// Computes `modes` shapes at `panels` + 1 places; `draw(xi, values)` gives those of one place.
    pub(super) fn new(modes: usize, panels: usize, mut draw: impl FnMut(f64, &mut [f64])) -> Self {
        let panels = panels.max(FEWEST_PANELS);
        let mut table = Self { modes, panels, rows: vec![0.0; 2 * modes * (panels + 1)] };
        for place in 0..=panels {
            let first = 2 * modes * place;
            draw(place as f64 / panels as f64, &mut table.rows[first..first + modes]);
        }
        for place in 0..=panels {
            for mode in 0..modes {
                table.rows[2 * modes * place + modes + mode] = table.slope(place, mode);
            }
        }
        table
    }

    /// d phi per panel, by five places.
    fn slope(&self, place: usize, mode: usize) -> f64 {
        let first = place.saturating_sub(2).min(self.panels - 4);
        let factors = match place - first {
            0 => [-25.0, 48.0, -36.0, 16.0, -3.0],
            1 => [-3.0, -10.0, 18.0, -6.0, 1.0],
            2 => [1.0, -8.0, 0.0, 8.0, -1.0],
            3 => [-1.0, 6.0, -18.0, 10.0, 3.0],
            _ => [3.0, -16.0, 36.0, -48.0, 25.0],
        };
        let value = |at: usize| self.rows[2 * self.modes * (first + at) + mode];
        (0..5).map(|at| factors[at] * value(at)).sum::<f64>() / 12.0
    }

    /// phi_i(xi) of every mode, xi in [0, 1].
    pub(super) fn shapes_at(&self, xi: f64, out: &mut [f64]) {
        let count = self.modes.min(out.len());
        out[..count].fill(0.0);
        self.add_shapes_at(xi, 1.0, out);
    }

    /// Adds `share` phi_i(xi) of every mode to `out`.
    pub(super) fn add_shapes_at(&self, xi: f64, share: f64, out: &mut [f64]) {
        let place = xi * self.panels as f64;
        let panel = (place as usize).min(self.panels - 1);
        let t = place - panel as f64;
        let s = 1.0 - t;
        let (left, right) = (share * s * s * (1.0 + 2.0 * t), share * t * t * (1.0 + 2.0 * s));
        let (left_slope, right_slope) = (share * s * s * t, -share * t * t * s);
        let n = self.modes;
        let rows = &self.rows[2 * n * panel..2 * n * (panel + 2)];
        let (here, there) = rows.split_at(2 * n);
        for (i, phi) in out.iter_mut().take(n).enumerate() {
            *phi += left * here[i] + left_slope * here[n + i] + right * there[i] + right_slope * there[n + i];
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::bodies::position::EdgeSupport;

    /// phi_i(xi) of a body of 1 kg.
    pub(in crate::bodies) fn shapes(shape: &ModalShape, xi: f64) -> Vec<f64> {
        let mut out = vec![0.0; shape.len()];
        shape.weights_at(xi, 1.0, &mut out);
        out
    }

    /// Mean of phi_i phi_j over the body by Simpson's rule.
    pub(in crate::bodies) fn gram(shape: &ModalShape, modes: &[usize]) -> Vec<Vec<f64>> {
        const PANELS: usize = 20_000;
        let mut means = vec![vec![0.0; modes.len()]; modes.len()];
        for place in 0..=PANELS {
            let weight = match place {
                0 | PANELS => 1.0,
                _ if place % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let phi = shapes(shape, place as f64 / PANELS as f64);
            for (row, &i) in means.iter_mut().zip(modes) {
                for (mean, &j) in row.iter_mut().zip(modes) {
                    *mean += weight / (3.0 * PANELS as f64) * phi[i] * phi[j];
                }
            }
        }
        means
    }

    #[test]
    fn shapes_are_orthogonal_with_mean_square_one() {
        let modes = [0, 1, 2, 3, 7, 24, 63, 127, 254, 255];
        for shape in [ModalShape::string(256), ModalShape::bar(256)] {
            for (a, row) in gram(&shape, &modes).iter().enumerate() {
                for (b, mean) in row.iter().enumerate() {
                    let expected = if a == b { 1.0 } else { 0.0 };
                    assert!((mean - expected).abs() < 1e-7, "modes {} and {}: {mean}", modes[a], modes[b]);
                }
            }
        }
    }

    /// The squares of the rigid modes, each of mean square 1, add up to their number: 2 of a bar, 3 of a plate.
    #[test]
    fn rigid_motion_is_shifting_and_tilting() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-5, "{value} instead of {expected}");
        let mean = |square: &dyn Fn(f64) -> f64| (0..1000).map(|k| square((f64::from(k) + 0.5) / 1000.0)).sum::<f64>() / 1000.0;
        let (bar, disc) = (ModalShape::bar(3), ModalShape::disc(EdgeSupport::Free, 0.3, 60, 0.0));
        let plate = ModalShape::plate(EdgeSupport::Free, 1.5, 0.3, 3);
        near(mean(&|xi| bar.rigid_at(BodyPosition::line(xi)).powi(2)), 2.0);
        near(mean(&|r| 2.0 * r * disc.rigid_at(BodyPosition { along: r, across: 0.2 }).powi(2)), 3.0);
        near(mean(&|x| mean(&|y| plate.rigid_at(BodyPosition { along: x, across: y }).powi(2))), 3.0);
        let edge = BodyPosition { along: 1.0, across: 0.5 };
        near(disc.thinned(50, edge).rigid_at(edge), 5_f64.sqrt());
        near(ModalShape::string(3).rigid_at(edge), 0.0);
    }

    #[test]
    fn weights_follow_the_mass_and_fill_the_rest_with_zeros() {
        let shape = ModalShape::bar(3);
        let mut out = [7.0; 5];
        shape.weights_at(0.0, 4.0, &mut out);
        for (weight, expected) in out.iter().zip([1.0, 1.0, 1.0, 0.0, 0.0]) {
            assert!((weight.abs() - expected).abs() < 1e-14, "{out:?}");
        }
        let mut short = [0.0; 2];
        shape.weights_at(f64::NAN, 1.0, &mut short);
        assert!(short.iter().all(|w| w.is_finite()));
        let (mut beyond, mut end) = ([0.0; 3], [0.0; 3]);
        shape.weights_at(1.5, 1.0, &mut beyond);
        shape.weights_at(1.0, 1.0, &mut end);
        assert_eq!(beyond, end);
    }

    #[test]
    fn cubics_are_met_exactly() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 3.0 * x * x - 5.0 * x * x * x;
        let table = Table::new(2, 4, |xi, row| row.copy_from_slice(&[cubic(xi), 1.0]));
        let mut phi = [0.0; 2];
        for step in 0..=100 {
            let xi = f64::from(step) / 100.0;
            table.shapes_at(xi, &mut phi);
            assert!((phi[0] - cubic(xi)).abs() < 1e-14 && (phi[1] - 1.0).abs() < 1e-15, "{phi:?} at {xi}");
        }
    }

    #[test]
    fn twelve_places_a_half_wave_keep_five_digits() {
        let table = Table::new(1, 60, |xi, row| row[0] = (5.0 * PI * xi).cos());
        let (mut inside, mut ends) = (0.0_f64, 0.0_f64);
        for step in 0..=3000 {
            let xi = f64::from(step) / 3000.0;
            let mut phi = [0.0];
            table.shapes_at(xi, &mut phi);
            let off = (phi[0] - (5.0 * PI * xi).cos()).abs();
            if (2.0 / 60.0..=58.0 / 60.0).contains(&xi) { inside = inside.max(off) } else { ends = ends.max(off) }
        }
        assert!(inside < 2.2e-5 && ends < 1e-4, "{inside:e} {ends:e}");
    }
}
