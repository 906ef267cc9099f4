//! Potential of a circular plate after von Karman, flat or with a shallow rest shape: bending stretches it.
//!
//! ```text
//! lap^2 phi = -(E h/2) L(w + 2 w0, w),   V = (1/(2 E h)) integral of (lap phi)^2, beyond what is quadratic in w
//! w: J_m + c I_m of a free, supported or clamped rim      phi: the same of a clamped one, for an edge that is free in its plane
//! V = sum_k (b_k.q) h_k + h_k^2/2,   h_k = q.H_k q,   b_k = 2 H_k q0
//! ```
//!
//! H_kij is zero unless the diameters of stress function and modes satisfy p = m + n or p = |m - n|: one coefficient in 14. A truncated
//! set of stress functions gives a lower bound of V that is a potential too; the gradient is that of the V that is computed.
//!
//! Lengths are in units of the root of the area, and mass, E h and area are 1: see [`DiscStretch::size`]. Displacements are scaled by
//! the largest, so that single precision suffices.

use crate::bodies::circular::circular_modes::Twin;
use crate::bodies::circular::circular_plate::{fewest_circles, lowest_waves};
use crate::bodies::circular::disc_orders::{Cap, DiscOrder};
use crate::bodies::circular::disc_products::{GROUP, Layout, Sizes, Work, evaluate};
use crate::bodies::circular::disc_tables::{DiscLayout, DiscMode, DiscTables};
use crate::bodies::position::{EdgeSupport, RoundMode, possible_poisson};
use crate::modal::{Block, Potential, PotentialSize, QuadraticForms, Target, multiply};
use std::f64::consts::PI;
use std::sync::Arc;

/// Largest numbers of diameters and circles of modes that take part.
const MOST_DIAMETERS: u32 = 40;
const MOST_CIRCLES: u32 = 20;

/// What the potential of a disc depends on beside its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscStretch {
    /// Its rim.
    pub rim: EdgeSupport,
    /// Thickness [m].
    pub thickness: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Angular frequency [rad/s] of the lowest mode of the flat disc: (2, 0) if free, else (0, 1).
    pub omega: f64,
}

impl DiscStretch {
    /// Size of [`DiscPotential`]: E h/(S M^2) = 12 (1 - nu^2) (omega/Omega)^2/(h^2 M), Omega = pi lambda^2, and h M^1/2 as the unit of rest shapes.
    pub fn size(&self) -> PotentialSize {
        let unit = PI * PI * lowest_square(self.rim, possible_poisson(self.poisson));
        let amount = 12.0 * (1.0 - self.poisson * self.poisson) / unit;
        PotentialSize::flat(amount).of_sheet(self.thickness, self.mass, self.omega)
    }
}

/// lambda^4 of the lowest mode.
pub(super) fn lowest_square(rim: EdgeSupport, poisson: f64) -> f64 {
    let m = if rim == EdgeSupport::Free { 2 } else { 0 };
    lowest_waves(rim, poisson, m, 1)[0].powi(4)
}

/// Modes of a body as sums of the modes of the tables: dents mix all.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// Number of the body's modes, and padded number of either kind.
    count: usize,
    width: usize,
    /// From the body's modes to those of the tables and back, row by row.
    there: Vec<f32>,
    back: Vec<f32>,
}

impl Turn {
    /// By the shares of the tables' modes in every mode of the body, one mode a column.
    pub fn new(shares: &nalgebra::DMatrix<f64>) -> Self {
        let (count, width) = (shares.ncols(), shares.nrows().max(shares.ncols()).next_multiple_of(crate::modal::BLOCK));
        let (mut there, mut back) = (vec![0.0; width * width], vec![0.0; width * width]);
        for i in 0..shares.nrows() {
            for j in 0..shares.ncols() {
                there[j * width + i] = shares[(i, j)] as f32;
                back[i * width + j] = shares[(i, j)] as f32;
            }
        }
        Self { count, width, there, back }
    }
}

/// The potential of a circular plate.
#[derive(Clone, Debug)]
pub struct DiscPotential {
    layout: Arc<Layout>,
    turn: Option<Arc<Turn>>,
    /// Cell of every mode, or of every mode without dents; [`UNUSED`] for those that take no part.
    cells: Vec<u32>,
    /// Unit of the rest shape in displacements [m kg^1/2].
    depth: f64,
    work: Work,
    /// Displacements of the body's modes and of those of the tables.
    modes: [Vec<f32>; 2],
}

/// Cell of a mode that takes no part.
const UNUSED: u32 = u32::MAX;

impl DiscPotential {
    /// A flat disc of Poisson's ratio `poisson` (0 to 0.5) with these modes, in the order of q; None and modes beyond 40 diameters or 20
    /// circles take no part. `stresses`: about the number of stress functions that count, the lowest, sines and cosines singly; those of one
    /// order are a multiple of four.
    pub fn new(rim: EdgeSupport, poisson: f64, modes: &[Option<RoundMode>], stresses: usize) -> Self {
        let flat = FlatDisc::new(rim, poisson, modes, stresses);
        Self::with(flat.tables.layout(), &flat.modes, None)
    }

    /// With the cells of `modes`.
    pub(super) fn with(made: DiscLayout, modes: &[Option<DiscMode>], turn: Option<Turn>) -> Self {
        let cells = modes.iter().map(|mode| mode.map_or(UNUSED, |mode| made.cell(mode) as u32)).collect();
        let work = Work::new(&made.layout);
        let width = turn.as_ref().map_or(0, |turn| turn.width);
        let array = || vec![0.0; width];
        Self { layout: Arc::new(made.layout), turn: turn.map(Arc::new), cells, depth: 1.0, work, modes: [array(), array()] }
    }

    /// Loads the displacements, scaled by the largest, which it returns; 0 if none is in motion.
    fn load(&mut self, q: &[f64]) -> f64 {
        let larger = |most: f64, q: &f64| most.max(q.abs());
        let largest = match &self.turn {
            Some(turn) => q.iter().take(turn.count).fold(0.0, larger),
            None => q.iter().zip(&self.cells).filter(|(_, cell)| **cell != UNUSED).map(|(q, _)| q).fold(0.0, larger),
        };
        if !(largest > 0.0 && largest.is_finite()) {
            return 0.0;
        }
        let scale = 1.0 / largest;
        let Self { work, cells, turn, modes: [own, flat], .. } = self;
        work.cells.fill(0.0);
        if let Some(turn) = turn {
            own.fill(0.0);
            own.iter_mut().zip(q.iter().take(turn.count)).for_each(|(own, q)| *own = (q * scale) as f32);
            turned(&turn.there, own, flat);
            for (cell, x) in cells.iter().zip(&*flat) {
                work.cells[*cell as usize] = *x;
            }
            return largest;
        }
        for (cell, q) in cells.iter().zip(q) {
            if let Some(x) = work.cells.get_mut(*cell as usize) {
                *x = (q * scale) as f32;
            }
        }
        largest
    }

    /// Takes the derivatives, times `factor`.
    fn unload(&mut self, gradient: &mut [f64], factor: f64) {
        let Self { work, cells, turn, modes: [own, flat], .. } = self;
        if let Some(turn) = turn {
            flat.iter_mut().zip(&*cells).for_each(|(x, cell)| *x = work.cells[*cell as usize]);
            turned(&turn.back, flat, own);
            gradient.iter_mut().zip(&*own).take(turn.count).for_each(|(g, x)| *g = factor * f64::from(*x));
            return;
        }
        for (cell, g) in cells.iter().zip(gradient) {
            *g = work.cells.get(*cell as usize).map_or(0.0, |x| factor * f64::from(*x));
        }
    }
}

fn turned(matrix: &[f32], from: &[f32], to: &mut [f32]) {
    let width = from.len();
    multiply(1, Block::whole(from, width), Block::whole(matrix, width), Target { data: to, stride: width });
}

impl Potential for DiscPotential {
    fn evaluate(&mut self, q: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let largest = self.load(q);
        if largest == 0.0 {
            return 0.0;
        }
        // of a curved body the cubic part remains, however small the displacements
        let (sizes, square) = if self.is_curved() {
            (Sizes { depth: self.depth as f32, size: largest as f32 }, largest * largest)
        } else {
            (Sizes { depth: 0.0, size: 1.0 }, largest * largest * largest)
        };
        let energy = evaluate(&self.layout, sizes, &mut self.work);
        self.unload(gradient, 2.0 * square);
        energy * square * largest
    }

    fn is_curved(&self) -> bool {
        self.depth != 0.0 && !self.layout.slopes.is_empty()
    }

    fn set_depth(&mut self, depth: f64) {
        self.depth = depth;
    }

    fn cost(&self) -> f32 {
        let turns = self.turn.as_ref().map_or(0, |turn| 2 * turn.width * turn.width);
        let lanes = 2 * self.layout.table.len() + 2 * GROUP * (ROW * self.layout.row_pairs() + 2 * self.layout.slopes.len());
        (lanes + turns) as f32 / MULTIPLIED
    }

    fn duplicate(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }
}

/// Products of a row beside those with its other modes.
const ROW: usize = 6;

/// Products that take as long as a sample of one mode of the reference resonator.
const MULTIPLIED: f32 = 21.0;

/// Tables of a flat disc, and its modes among them.
struct FlatDisc {
    tables: DiscTables,
    modes: Vec<Option<DiscMode>>,
}

impl FlatDisc {
    fn new(rim: EdgeSupport, poisson: f64, modes: &[Option<RoundMode>], stresses: usize) -> Self {
        let placed = |mode: &Option<RoundMode>| {
            let RoundMode { diameters, circles, second } = (*mode)?;
            let m = diameters as usize;
            let place = (circles as usize).checked_sub(fewest_circles(rim, m))?;
            let twin = if second { Twin::Sine } else { Twin::Cosine };
            (diameters <= MOST_DIAMETERS && circles <= MOST_CIRCLES && (m > 0 || !second)).then_some(DiscMode { m, place, twin })
        };
        let modes: Vec<_> = modes.iter().map(placed).collect();
        let counts = counts(modes.iter().flatten());
        let cap = Cap { rim, poisson: possible_poisson(poisson), height: 0.0 };
        let orders: Vec<_> = counts.iter().enumerate().map(|(m, count)| DiscOrder::new(&cap, m, *count)).collect();
        Self { tables: DiscTables::new(&cap, &orders, &counts, stresses), modes }
    }
}

/// Number of modes of every order that contains all of `modes`.
pub(super) fn counts<'a>(modes: impl Iterator<Item = &'a DiscMode>) -> Vec<usize> {
    let mut counts: Vec<usize> = Vec::new();
    for mode in modes {
        counts.resize(counts.len().max(mode.m + 1), 0);
        counts[mode.m] = counts[mode.m].max(mode.place + 1);
    }
    counts
}

/// The potential of a flat disc as a list of coefficients, in the units of [`DiscPotential`] and with the same stress functions: what that
/// is by blocks, for few modes and as its reference.
pub fn disc_forms(rim: EdgeSupport, poisson: f64, modes: &[RoundMode], stresses: usize) -> QuadraticForms {
    let listed: Vec<_> = modes.iter().map(|mode| Some(*mode)).collect();
    let flat = FlatDisc::new(rim, poisson, &listed, stresses);
    let placed: Vec<DiscMode> = flat.modes.into_iter().flatten().collect();
    flat.tables.forms(&placed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::modal_shape::ModalShape;
    use crate::random::SplitMix64;

    /// The lowest modes of a disc.
    fn modes(rim: EdgeSupport, count: usize) -> Vec<RoundMode> {
        let shape = ModalShape::disc(rim, 0.33, count, 0.0);
        (0..count).filter_map(|i| shape.round_mode(i)).collect()
    }

    /// Sum of H_kii^2/(2 zeta^4) with integrals of squares 1, of a free disc, nu 0.33: V = pi^3/4 of it.
    #[test]
    fn single_modes_have_the_known_potential() {
        let known = [((2, 0), 1.8965), ((0, 1), 8.5287), ((3, 0), 16.9329), ((1, 1), 31.7259), ((4, 0), 69.9879)];
        for ((diameters, circles), gamma) in known {
            let mode = RoundMode { diameters, circles, second: false };
            let mut disc = DiscPotential::new(EdgeSupport::Free, 0.33, &[Some(mode)], 90);
            let mut gradient = [0.0];
            let found = disc.evaluate(&[1.0], &mut gradient) * 4.0 / PI.powi(3);
            println!("({diameters}, {circles}): {found}");
            assert!((found / gamma - 1.0).abs() < 1e-4 && (gradient[0] / found * PI.powi(-3) - 1.0).abs() < 1e-6);
        }
    }

    /// Against the list of all coefficients, for every rim: modes at random, some of which take no part.
    #[test]
    fn blocks_are_the_sum_over_all_coefficients() {
        for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
            for count in [1, 7, 40] {
                let used = modes(rim, count);
                let mut list = disc_forms(rim, 0.33, &used, 30);
                let mut listed: Vec<_> = used.iter().map(|mode| Some(*mode)).collect();
                listed.insert(count / 2, None);
                let mut disc = DiscPotential::new(rim, 0.33, &listed, 30);
                let mut random = SplitMix64::new(3);
                let q: Vec<f64> = (0..=count).map(|i| 1e-3 * (random.uniform() - 0.5) / (1 + i) as f64).collect();
                let (mut found, mut known) = (vec![1.0; count + 1], vec![0.0; count]);
                let energy = disc.evaluate(&q, &mut found);
                let mut own = q.clone();
                own.remove(count / 2);
                let sum = list.evaluate(&own, &mut known);
                assert_eq!(found.remove(count / 2), 0.0);
                let size = known.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
                let worst = found.iter().zip(&known).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs())) / size;
                println!("{rim:?} {count}: V {:e}, gradient {worst:e}", energy / sum - 1.0);
                assert!((energy / sum - 1.0).abs() < 1e-6 && worst < 1e-6, "{rim:?} {count}: {energy} {sum} {worst}");
            }
        }
    }
}
