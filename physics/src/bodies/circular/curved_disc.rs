//! Circular plates with a shallow rest shape: a dome, as of cymbals and gongs, and dents.
//!
//! A dome is the paraboloid w0 = -H r^2. It mixes modes with the same number of diameters only, so that the potential keeps the blocks of
//! that of a flat disc. Dents are irregular sums of the lowest modes with diameters. They mix all modes: displacements are turned into
//! those of the modes without dents before V is evaluated, and the derivatives back.

use crate::bodies::circular::circular_modes::{Pair, Round, Twin, lowest, pairs};
use crate::bodies::circular::circular_plate::{fewest_circles, waves};
use crate::bodies::circular::disc_orders::{Cap, DiscOrder, Rising};
use crate::bodies::circular::disc_potential::{DiscPotential, Turn, counts, lowest_square};
use crate::bodies::circular::disc_products::{GROUP, Span};
use crate::bodies::circular::disc_tables::{DiscLayout, DiscMode, DiscTables};
use crate::bodies::far_field::Term;
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, EdgeSupport, RoundMode, possible_poisson};
use crate::modal::QuadraticForms;
use crate::random::SplitMix64;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;
use std::sync::Arc;

/// Flat modes of every order, beyond those of the band, of which a dome makes its modes.
const SPARE_MODES: usize = 2;

/// Modes that make the dents.
const DENT_MODES: usize = 12;

/// Largest height of a dome [thicknesses].
const HIGHEST_DOME: f64 = 100.0;

/// The shape of a plate at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RestShape {
    /// Height of the middle over the rim [thicknesses], 0 to 100.
    pub height: f64,
    /// Root of the mean square of the dents [thicknesses], 0 to 10.
    pub dents: f64,
    /// Which dents.
    pub seed: u64,
}

/// What a curved disc is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvedDiscSpec {
    /// Its rim.
    pub rim: EdgeSupport,
    /// Poisson's ratio, 0 to 0.5.
    pub poisson: f64,
    /// Its shape at rest.
    pub rest: RestShape,
    /// Number of its lowest modes, cosines and sines singly.
    pub modes: usize,
    /// How many of the lowest share the potential: dents mix those only.
    pub stretching: usize,
    /// About the number of stress functions of the potential, as in [`DiscPotential::new`].
    pub stresses: usize,
    /// How much higher sines are than cosines (relative).
    pub split: f64,
}

/// A circular plate with a rest shape: its linear modes and its potential.
pub struct CurvedDisc {
    spec: CurvedDiscSpec,
    cap: Cap,
    orders: Vec<DiscOrder>,
    /// Modes without dents, in order of frequency.
    modes: Vec<DiscMode>,
    /// lambda^2 of every mode, dents included.
    squares: Vec<f64>,
    tables: DiscTables,
    dents: Option<Dents>,
}

/// What dents do to the modes that stretch.
struct Dents {
    /// Shares of the modes without dents in every mode, one mode a column.
    turn: DMatrix<f64>,
    /// b of dome and dents, form by form, for the modes without dents.
    slopes: Vec<f64>,
}

impl CurvedDisc {
    /// Computes modes and tables: some 10 ms for 100 modes, 30 with dome or dents; allocates.
    pub fn new(spec: &CurvedDiscSpec) -> Self {
        let poisson = possible_poisson(spec.poisson);
        let height = if spec.rest.height.is_finite() { spec.rest.height.clamp(0.0, HIGHEST_DOME) } else { 0.0 };
        let cap = Cap { rim: spec.rim, poisson, height };
        let orders = orders(&cap, spec.modes);
        let (modes, squares) = lowest_modes(&orders, spec);
        let stretching = &modes[..spec.stretching.min(modes.len())];
        let tables = DiscTables::new(&cap, &orders, &counts(stretching.iter()), spec.stresses);
        let mut disc = Self { spec: *spec, cap, orders, modes, squares, tables, dents: None };
        disc.add_dents();
        disc
    }

    /// Number of modes that share the potential.
    fn stretching(&self) -> usize {
        self.spec.stretching.min(self.modes.len())
    }

    /// Mixes the stretching modes by the dents.
    fn add_dents(&mut self) {
        let n = self.stretching();
        let dents = self.spec.rest.dents;
        if !(dents > 0.0 && dents.is_finite()) || n == 0 {
            return;
        }
        let forms = self.tables.forms(&self.modes[..n]);
        let shape = dent_shape(&self.modes[..n], self.spec.rest.seed, dents.min(10.0));
        let count = self.tables.form_count();
        let mut slopes = DMatrix::<f64>::zeros(n, count);
        for entry in forms.entries() {
            let [i, j] = entry.modes;
            slopes[(i, entry.form)] += entry.value * shape[j];
            slopes[(j, entry.form)] += entry.value * shape[i];
        }
        let dome = DMatrix::from_iterator(n, forms.slopes().len() / n, forms.slopes().iter().copied()).resize(n, count, 0.0);
        let mut stiffness = DMatrix::from_diagonal(&DVector::from_iterator(n, self.squares[..n].iter().map(|s| s * s)));
        slopes += &dome;
        stiffness += self.cap.stiffness() * (&slopes * slopes.transpose() - &dome * dome.transpose());
        let rising = Rising::of(stiffness);
        self.squares.iter_mut().zip(&rising.values).for_each(|(square, value)| *square = value.max(0.0).sqrt());
        self.dents = Some(Dents { turn: rising.vectors, slopes: slopes.as_slice().to_vec() });
    }

    /// The lowest frequency over that of the same disc without a rest shape.
    pub fn rise(&self) -> f64 {
        let lowest = self.squares.iter().copied().fold(f64::INFINITY, f64::min);
        lowest / lowest_square(self.cap.rim, self.cap.poisson).sqrt()
    }

    /// Its modes: frequency ratios to the lowest, shapes, far field. Dents change the far field by their square only, and are left out of it.
    pub fn shape(&self) -> ModalShape {
        let pairs: Vec<Pair> = self.pairs();
        let singles: Vec<_> =
            self.modes.iter().zip(&self.squares).map(|(mode, square)| (self.pair(mode), mode.twin, *square)).collect();
        let drawn = self.drawn(&pairs);
        let mut round = Round::new(&pairs, &singles, |i, r| drawn[i].at(r));
        round.free = self.cap.rim == EdgeSupport::Free;
        let unit = self.squares.iter().copied().fold(f64::INFINITY, f64::min);
        let shape = round.shape(&pairs, &singles, unit, |i| self.terms(&pairs[i]));
        match &self.dents {
            Some(dents) => ModalShape { functions: Arc::new(TurnedModes::new(shape.functions.clone(), &dents.turn)), ..shape },
            None => shape,
        }
    }

    /// All pairs, order by order.
    fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (m, order) in self.orders.iter().enumerate() {
            let wave = order.waves.last().copied().unwrap_or(1.0);
            let pair = |place: usize| Pair {
                family: (m, place + fewest_circles(self.cap.rim, m)),
                frequency: order.squares[place].sqrt(),
                wave,
            };
            pairs.extend((0..order.len()).map(pair));
        }
        pairs
    }

    /// Number of a mode's pair.
    fn pair(&self, mode: &DiscMode) -> usize {
        self.orders[..mode.m].iter().map(DiscOrder::len).sum::<usize>() + mode.place
    }

    /// The pairs' profiles at the places of their tables.
    fn drawn(&self, pairs: &[Pair]) -> Vec<DrawnProfile> {
        let mut drawn = Vec::with_capacity(pairs.len());
        for order in &self.orders {
            let intervals = pairs.get(drawn.len()).map_or(1, Pair::intervals);
            let flat: Vec<Vec<(f64, f64)>> = (order.profiles.iter())
                .map(|profile| (0..=intervals).map(|k| profile.at((k as f64 / intervals as f64).min(1.0))).collect())
                .collect();
            drawn.extend((0..order.len()).map(|place| DrawnProfile::new(&flat, order.shares(place))));
        }
        drawn
    }

    fn terms(&self, pair: &Pair) -> Vec<Term> {
        let (m, n) = pair.family;
        let order = &self.orders[m];
        let shares = order.shares(n - fewest_circles(self.cap.rim, m));
        shares.map(|(i, share)| order.profiles[i].term().scaled(share)).collect()
    }

    /// The potential of these of its stretching modes, in the order of q and in the units of [`DiscPotential`]: None and all others take no
    /// part. `stresses`: about the number of stress functions, at most that of the disc; fewer give less of V. Its size is
    /// [`DiscStretch::size`](super::DiscStretch::size), for a disc without its rest shape.
    pub fn potential(&self, modes: &[Option<RoundMode>], stresses: usize) -> DiscPotential {
        let Some(dents) = &self.dents else {
            return self.potential_without_dents(modes, stresses);
        };
        let all = &self.modes[..self.stretching()];
        let tables = self.tables.lowest(&counts(all.iter()), stresses.min(self.spec.stresses));
        let made = dents.bent(&tables, &self.tables, all);
        let mut shares = DMatrix::zeros(all.len(), modes.len());
        for (own, mode) in modes.iter().enumerate() {
            if let Some(place) = mode.and_then(|mode| self.place_of(mode)) {
                shares.set_column(own, &dents.turn.column(place));
            }
        }
        let all: Vec<_> = all.iter().map(|mode| Some(*mode)).collect();
        DiscPotential::with(made, &all, Some(Turn::new(&shares)))
    }

    /// The same without dents, which mix all modes: what few modes cost less with. V is still not below minus the elastic energy, since dents
    /// stiffen a disc.
    pub fn potential_without_dents(&self, modes: &[Option<RoundMode>], stresses: usize) -> DiscPotential {
        let used: Vec<_> = modes.iter().map(|mode| Some(self.modes[self.place_of((*mode)?)?])).collect();
        let made = self.tables.lowest(&counts(used.iter().flatten()), stresses.min(self.spec.stresses)).layout();
        DiscPotential::with(made, &used, None)
    }

    /// Place of a mode among the stretching ones.
    fn place_of(&self, mode: RoundMode) -> Option<usize> {
        let place = (mode.circles as usize).checked_sub(fewest_circles(self.cap.rim, mode.diameters as usize))?;
        let twin = if mode.second { Twin::Sine } else { Twin::Cosine };
        let wanted = DiscMode { m: mode.diameters as usize, place, twin };
        self.modes[..self.stretching()].iter().position(|mode| *mode == wanted)
    }

    /// The potential of all stretching modes as a list of coefficients: its reference.
    pub fn forms(&self) -> QuadraticForms {
        let forms = self.tables.forms(&self.modes[..self.stretching()]);
        match &self.dents {
            Some(dents) => forms.turned(&dents.turn, &dents.slopes),
            None => forms,
        }
    }
}

impl Dents {
    /// The layout of `tables`, a part of `all`, with b of dome and dents for `modes`.
    fn bent(&self, tables: &DiscTables, all: &DiscTables, modes: &[DiscMode]) -> DiscLayout {
        let mut made = tables.layout();
        let cells: Vec<usize> = modes.iter().map(|mode| made.cell(*mode)).collect();
        made.layout.slopes.clear();
        let mut first = 0;
        let span = Span { start: 0, count: 4 * made.layout.pairs };
        for (group, place) in made.layout.groups.iter_mut().zip(tables.group_forms(all)) {
            group.slopes = [span, Span::default()];
            made.layout.slopes.resize(first + span.count, [0.0; 2 * GROUP]);
            for (i, cell) in cells.iter().enumerate() {
                let lanes = &mut made.layout.slopes[first + cell];
                for k in 0..GROUP {
                    lanes[k] = self.slopes[(place.cosines + k) * cells.len() + i] as f32;
                    lanes[k + GROUP] = place.sines.map_or(0.0, |sines| self.slopes[(sines + k) * cells.len() + i] as f32);
                }
            }
            first += span.count;
        }
        made
    }
}

/// Orders with all modes that can be among the lowest `modes` under a dome.
fn orders(cap: &Cap, modes: usize) -> Vec<DiscOrder> {
    let flat = |m: usize, end: f64| waves(cap.rim, cap.poisson, m, end);
    let all = pairs(modes, flat, |m| fewest_circles(cap.rim, m));
    let highest = lowest(&all, modes, 0.0).iter().map(|(i, ..)| all[*i].wave).fold(1.0, f64::max);
    let end = (highest.powi(4) + cap.most_growth()).powf(0.25);
    let spare = if cap.height > 0.0 { SPARE_MODES } else { 0 };
    let order = |m: usize| DiscOrder::new(cap, m, flat(m, end).len() + spare);
    (0..).take_while(|&m| 0.8 * m as f64 <= end).map(order).collect()
}

/// The lowest modes of all orders, and lambda^2.
fn lowest_modes(orders: &[DiscOrder], spec: &CurvedDiscSpec) -> (Vec<DiscMode>, Vec<f64>) {
    let mut all = Vec::new();
    for (m, order) in orders.iter().enumerate() {
        for (place, square) in order.squares.iter().map(|square| square.sqrt()).enumerate() {
            all.push((DiscMode { m, place, twin: Twin::Cosine }, square));
            if m > 0 {
                all.push((DiscMode { m, place, twin: Twin::Sine }, square * (1.0 + spec.split)));
            }
        }
    }
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all.into_iter().take(spec.modes).unzip()
}

/// Displacements of dents [thicknesses]: the lowest modes with diameters at random, falling with the square of their number, with the root
/// of their mean square.
fn dent_shape(modes: &[DiscMode], seed: u64, root: f64) -> Vec<f64> {
    let mut random = SplitMix64::new(seed);
    let mut shape = vec![0.0; modes.len()];
    let dented = modes.iter().enumerate().filter(|(_, mode)| mode.m > 1).take(DENT_MODES);
    for (number, (i, _)) in dented.enumerate() {
        let [radius, angle] = [random.uniform(), random.uniform()];
        shape[i] = (-2.0 * (1.0 - radius).ln()).sqrt() * (2.0 * PI * angle).cos() / (1.0 + 0.5 * number as f64);
    }
    let norm = shape.iter().map(|x| x * x).sum::<f64>().sqrt();
    shape.iter_mut().for_each(|x| *x *= if norm > 0.0 { root / norm } else { 0.0 });
    shape
}

/// A radial profile and its slope at equally spaced radii.
struct DrawnProfile(Vec<(f64, f64)>);

impl DrawnProfile {
    fn new(flat: &[Vec<(f64, f64)>], shares: impl Iterator<Item = (usize, f64)>) -> Self {
        let mut sum = vec![(0.0, 0.0); flat.first().map_or(0, Vec::len)];
        for (i, share) in shares {
            for (sum, (value, slope)) in sum.iter_mut().zip(&flat[i]) {
                sum.0 += share * value;
                sum.1 += share * slope;
            }
        }
        Self(sum)
    }

    /// At one of the radii.
    fn at(&self, r: f64) -> (f64, f64) {
        let place = (r * (self.0.len() - 1) as f64).round() as usize;
        self.0[place.min(self.0.len() - 1)]
    }
}

/// Shapes of which the first are sums of the first of others.
#[derive(Clone, Debug)]
struct TurnedModes {
    functions: Arc<dyn ShapeFunctions>,
    /// Shares of the others, row by row of the turned modes.
    shares: Vec<f64>,
    count: usize,
}

/// Largest number of turned modes: they are kept on the stack.
const MOST_TURNED: usize = 512;

impl TurnedModes {
    fn new(functions: Arc<dyn ShapeFunctions>, turn: &DMatrix<f64>) -> Self {
        Self { functions, shares: turn.as_slice().to_vec(), count: turn.ncols() }
    }
}

impl ShapeFunctions for TurnedModes {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let count = self.count.min(MOST_TURNED);
        let mut flat = [0.0; MOST_TURNED];
        self.functions.shapes_at(place, &mut flat[..count]);
        self.functions.shapes_at(place, out);
        for (phi, shares) in out.iter_mut().zip(self.shares.chunks_exact(self.count)).take(count) {
            *phi = shares.iter().zip(&flat).map(|(share, phi)| share * phi).sum();
        }
    }

    fn is_free(&self) -> bool {
        self.functions.is_free()
    }

    fn rigid_at(&self, place: BodyPosition) -> f64 {
        self.functions.rigid_at(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_modes::tests::gram;
    use crate::modal::Potential;

    fn disc(rest: RestShape, modes: usize) -> CurvedDisc {
        let spec =
            CurvedDiscSpec { rim: EdgeSupport::Free, poisson: 0.33, rest, modes, stretching: modes, stresses: 60, split: 0.0 };
        CurvedDisc::new(&spec)
    }

    /// All of its modes.
    fn listed(disc: &CurvedDisc) -> Vec<Option<RoundMode>> {
        let shape = disc.shape();
        (0..shape.len()).map(|i| shape.round_mode(i)).collect()
    }

    fn dome(height: f64) -> RestShape {
        RestShape { height, ..RestShape::default() }
    }

    const DENTED: RestShape = RestShape { height: 1.5, dents: 0.7, seed: 4 };

    /// V in units in which the energy of the linear modes is q.Q q/2 with Q = pi^2 lambda'^4/(12 (1 - nu^2)), for thicknesses.
    fn elastic(disc: &CurvedDisc, q: &[f64]) -> f64 {
        0.5 / disc.cap.stiffness() * q.iter().zip(&disc.squares).map(|(q, square)| (square * q).powi(2)).sum::<f64>()
    }

    fn random_place(disc: &CurvedDisc, random: &mut SplitMix64, size: f64) -> Vec<f64> {
        disc.squares.iter().map(|square| size * (random.uniform() - 0.5) * disc.squares[0] / square).collect()
    }

    #[test]
    fn blocks_are_the_sum_over_all_coefficients() {
        let mut random = SplitMix64::new(11);
        for rest in [dome(0.0), dome(2.0), DENTED, RestShape { height: 0.0, ..DENTED }] {
            let disc = disc(rest, 40);
            let (mut blocks, mut list) = (disc.potential(&listed(&disc), 60), disc.forms());
            assert_eq!((blocks.is_curved(), list.is_curved()), (rest != dome(0.0), rest != dome(0.0)));
            for size in [1e-9, 0.1, 3.0, 100.0] {
                let q = random_place(&disc, &mut random, size);
                let (mut found, mut known) = (vec![0.0; 40], vec![0.0; 40]);
                let (energy, sum) = (blocks.evaluate(&q, &mut found), list.evaluate(&q, &mut known));
                let largest = known.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
                let worst = found.iter().zip(&known).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs())) / largest;
                // V of a curved body is a difference of larger sums
                let scale: f64 = known.iter().zip(&q).map(|(g, q)| (g * q).abs()).sum();
                println!("{rest:?} {size}: V {:e}, gradient {worst:e}", (energy - sum) / scale);
                assert!((energy - sum).abs() < 2e-6 * scale && worst < 2e-6, "{rest:?} {size}: {energy} {sum} {worst}");
            }
        }
    }

    /// V is at least minus the elastic energy of the linear modes, and comes near it where a high cap is turned inside out, which bends but
    /// does not stretch it: w = -2 w0.
    #[test]
    fn a_curved_disc_has_no_negative_energy() {
        let mut random = SplitMix64::new(5);
        for rest in [dome(5.0), DENTED] {
            let disc = disc(rest, 30);
            let mut potential = disc.potential(&listed(&disc), 60);
            let (mut gradient, mut least) = (vec![0.0; 30], 0.0_f64);
            for _ in 0..2000 {
                let size = 10.0 * random.uniform();
                let q = random_place(&disc, &mut random, size);
                least = least.min(potential.evaluate(&q, &mut gradient) / elastic(&disc, &q));
            }
            if rest.dents == 0.0 {
                const PANELS: usize = 400;
                let (shape, mut inverted, mut phi) = (disc.shape(), vec![0.0; 30], vec![0.0; 30]);
                for panel in 0..PANELS {
                    let r = (panel as f64 + 0.5) / PANELS as f64;
                    shape.weights_at_place(BodyPosition { along: r, across: 0.0 }, 1.0, &mut phi);
                    for (i, q) in inverted.iter_mut().enumerate().filter(|(i, _)| disc.modes[*i].m == 0) {
                        *q += 2.0 * rest.height * r * r * phi[i] * 2.0 * r / PANELS as f64;
                    }
                }
                least = least.min(potential.evaluate(&inverted, &mut gradient) / elastic(&disc, &inverted));
                assert!(least < -0.9, "{least}");
            }
            println!("{rest:?}: at least {least}");
            assert!(least > -1.0 && least < -0.02, "{least}");
        }
    }

    /// Modes without circles hardly rise; all others to omega^2 + E/(rho R_c^2), within the stress functions that count.
    #[test]
    fn domes_raise_modes_that_stretch() {
        for height in [0.5, 2.0, 5.0] {
            let cap = Cap { rim: EdgeSupport::Free, poisson: 0.33, height };
            let growth = |m: usize, place: usize| {
                let order = DiscOrder::new(&cap, m, 12);
                (order.squares[place] - order.waves[place].powi(4)) / cap.most_growth()
            };
            let found = [(0, 0), (0, 3), (1, 0), (2, 0), (2, 2), (3, 0)].map(|(m, place)| growth(m, place));
            println!("{height}: {found:.4?}");
            let [first, high, tilting, saddle, circles, three] = found;
            assert!([first, high, tilting, circles].iter().all(|growth| (0.9998..1.0).contains(growth)), "{found:?}");
            assert!([saddle, three].iter().all(|growth| (0.001..0.01).contains(growth)), "{found:?}");
        }
    }

    #[test]
    fn curved_modes_are_orthogonal_with_mean_square_one() {
        for rest in [dome(0.0), dome(4.0), DENTED] {
            let worst = gram(&disc(rest, 50).shape());
            assert!(worst < 1e-5, "{rest:?}: {worst:e}");
        }
        // without curvature these are the modes of a disc
        let (curved, flat) = (disc(dome(0.0), 50).shape(), ModalShape::disc(EdgeSupport::Free, 0.33, 50, 0.0));
        let place = BodyPosition { along: 0.7, across: 0.13 };
        let (mut found, mut known) = ([0.0; 50], [0.0; 50]);
        curved.weights_at_place(place, 1.0, &mut found);
        flat.weights_at_place(place, 1.0, &mut known);
        for i in 0..50 {
            assert!((curved.ratio(i) / flat.ratio(i) - 1.0).abs() < 1e-12 && curved.family(i) == flat.family(i), "{i}");
            assert!((found[i] - known[i]).abs() < 1e-4, "{i}");
        }
    }
}
