//! Potential of a supported rectangular plate after von Karman: bending stretches it.
//!
//! ```text
//! lap^2 phi = -(E h/2) L(w, w),   L(w, w) = 2 (w_xx w_yy - w_xy^2),   V = (1/(2 E h)) integral of (lap phi)^2
//! w: sin sin of a supported plate      phi: cos cos, for edges that stay straight and bear no shear
//! ```
//!
//! V is diagonal in the cosines of phi, so that V and its gradient are eight separable transforms on a grid: w_xx, w_yy, w_xy, the
//! projection of L, phi, and the transposes of the first three. Transposes make the gradient that of the V that is computed, with as
//! many stress functions as there are. The grid is fine enough for every product of them.
//!
//! Lengths are in units of the root of the area, and mass, E h and area are 1: see [`PlateStretch::amount`]. Displacements are scaled by
//! the largest, so that single precision suffices.

use crate::bodies::position::EdgeSupport;
use crate::bodies::rectangular::plate_axis::{Axis, StressDetail};
use crate::bodies::rectangular::plate_tables::{Tables, padded};
use crate::bodies::rectangular::rectangular_plate::lowest_omega;
use crate::modal::{BLOCK, Block, Potential, Target, curl, fold, multiply, product_slopes, weigh};

/// Largest number of half waves along an axis that take part.
pub const MAX_HALF_WAVES: usize = 32;

/// What the edges of a plate do in its plane; they are simply supported and straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlateEdges {
    /// They slide.
    Sliding,
    /// They are held at a distance, with this Poisson's ratio.
    Held(f64),
}

/// What the potential of a plate depends on beside its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlateStretch {
    /// Its rim.
    pub rim: EdgeSupport,
    /// Thickness [m].
    pub thickness: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Angular frequency [rad/s] of the lowest mode.
    pub omega: f64,
    /// Length over width.
    pub aspect: f64,
}

impl PlateStretch {
    /// E h/(S M^2) = 12 (1 - nu^2) (omega/Omega)^2/(h^2 M): factor of V of [`PlatePotential`] and
    /// [`StretchPotential`](super::StretchPotential). Allocates unless the rim is supported.
    pub fn amount(&self) -> f64 {
        let Self { rim, thickness, poisson, mass, omega, aspect } = *self;
        let unit = match rim {
            EdgeSupport::Supported => std::f64::consts::PI.powi(2) * (1.0 / aspect + aspect),
            EdgeSupport::Free | EdgeSupport::Clamped => lowest_omega(rim, aspect, poisson),
        };
        12.0 * (1.0 - poisson * poisson) * (omega / (unit * thickness)).powi(2) / mass
    }
}

/// Arrays of an evaluation.
#[derive(Clone, Debug)]
struct Work {
    /// Coefficients of the modes, class by class of the rows, and their derivatives.
    modes: Vec<f32>,
    /// Rows on the grid, by class or half: [2][3 points x modes].
    halves: [Vec<f32>; 2],
    /// One field, rows on the grid, columns as modes.
    between: Vec<f32>,
    /// Three fields on the grid, left and right half.
    fields: [[Vec<f32>; 2]; 3],
    /// L, then phi, left and right half.
    stress: [Vec<f32>; 2],
    /// Stress functions of the columns, upper and lower half of the rows.
    strips: [Vec<f32>; 2],
    /// All stress functions.
    functions: Vec<f32>,
}

/// The potential of a supported rectangular plate whose modes are products of sines.
#[derive(Clone, Debug)]
pub struct PlatePotential {
    rows: Axis,
    columns: Axis,
    /// Columns of a class, padded.
    width: usize,
    edges: PlateEdges,
    /// Place of every mode among the coefficients, the last of which is for modes that take no part.
    places: Vec<u32>,
    /// 1 for a mode that takes part, else 0.
    parts: Vec<f64>,
    /// The squares of the wave numbers along and across; 0 for modes that take no part.
    waves: Vec<[f64; 2]>,
    tables: Tables,
    work: Work,
}

impl PlatePotential {
    /// For modes with these numbers of half waves along length and width, in the order of q; None and modes beyond
    /// [`MAX_HALF_WAVES`] take no part. `aspect`: length over width.
    pub fn new(aspect: f64, families: &[Option<(u32, u32)>], edges: PlateEdges, detail: StressDetail) -> Self {
        let within = |n: u32| (1..=MAX_HALF_WAVES as u32).contains(&n);
        let used = || families.iter().flatten().filter(|(m, n)| within(*m) && within(*n));
        let most = |of: fn(&(u32, u32)) -> u32| used().map(of).max().unwrap_or(1) as usize;
        let (along, across) = (most(|f| f.0), most(|f| f.1));
        // the longer axis makes the columns
        let turned = across > along;
        let lengths = [aspect.sqrt(), 1.0 / aspect.sqrt()];
        let rows = Axis::new(along.min(across), lengths[usize::from(!turned)], 1, detail);
        let columns = Axis::new(along.max(across), lengths[usize::from(turned)], BLOCK, detail);
        let width = padded(columns.count(0));
        let unused = rows.waves * 2 * width;
        let (mut places, mut parts, mut waves) = (Vec::new(), Vec::new(), Vec::new());
        for family in families {
            let Some((m, n)) = family.filter(|(m, n)| within(*m) && within(*n)) else {
                places.push(unused as u32);
                parts.push(0.0);
                waves.push([0.0; 2]);
                continue;
            };
            let (r, c) = if turned { (m as usize, n as usize) } else { (n as usize, m as usize) };
            let above = if r % 2 == 0 { rows.count(0) } else { 0 };
            places.push(((above + (r - 1) / 2) * 2 * width + if c % 2 == 0 { width } else { 0 } + (c - 1) / 2) as u32);
            parts.push(1.0);
            waves.push([columns.wave(c).powi(2), rows.wave(r).powi(2)]);
        }
        let (tables, work) = (Tables::new(&rows, &columns, width), Work::new(&rows, &columns, width));
        Self { rows, columns, width, edges, places, parts, waves, tables, work }
    }

    /// Coefficients of the grid, scaled by the largest displacement, which it returns.
    fn load(&mut self, q: &[f64]) -> f64 {
        let largest = self.parts.iter().zip(q).fold(0.0_f64, |most, (part, q)| most.max((part * q).abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return 0.0;
        }
        let scale = 1.0 / largest;
        for (place, q) in self.places.iter().zip(q) {
            if let Some(cell) = self.work.modes.get_mut(*place as usize) {
                *cell = (q * scale) as f32;
            }
        }
        largest
    }

    /// The three fields on the grid, and L.
    fn bend(&mut self) {
        let Self { rows, columns, width, tables, work, .. } = self;
        let Work { modes, halves, between, fields, stress, .. } = work;
        let (row, points) = (2 * *width, rows.points);
        for (class, half) in halves.iter_mut().enumerate() {
            let (of, above) = (rows.count(class), if class == 0 { 0 } else { rows.count(0) });
            let b = Block { data: &modes[above * row..], stride: row, width: row };
            let a = Block::whole(&tables.rows[class], of);
            multiply(3 * points, a, b, Target { data: half, stride: row });
        }
        let [upper, lower] = halves;
        fold(upper, lower);
        for (k, field) in fields.iter_mut().enumerate() {
            let part = k * points * row..(k + 1) * points * row;
            between[..points * row].copy_from_slice(&upper[part.clone()]);
            between[points * row..].copy_from_slice(&lower[part]);
            for (class, half) in field.iter_mut().enumerate() {
                let a = Block { data: &between[class * *width..], stride: row, width: columns.count(class) };
                let b = Block::whole(&tables.columns[k][class], columns.points);
                multiply(2 * points, a, b, Target { data: half, stride: columns.points });
            }
            let [left, right] = field;
            fold(left, right);
        }
        let [a, b, c] = fields;
        for (half, out) in stress.iter_mut().enumerate() {
            curl([&a[half], &b[half], &c[half]], out);
        }
    }

    /// V of L, which becomes phi.
    fn stretch(&mut self) -> f64 {
        let Self { rows, columns, tables, work, .. } = self;
        let Work { stress, strips, functions, .. } = work;
        let (points, across, row) = (rows.points, columns.points, 2 * columns.stresses);
        let [left, right] = stress;
        fold(left, right);
        let half = points * across;
        for class in 0..2 {
            let b = Block::whole(&tables.column_stress_back[class], columns.stresses);
            for (k, strip) in strips.iter_mut().enumerate() {
                let a = Block { data: &stress[class][k * half..], stride: across, width: across };
                multiply(points, a, b, Target { data: &mut strip[class * columns.stresses..], stride: row });
            }
        }
        let [upper, lower] = strips;
        fold(upper, lower);
        for class in 0..2 {
            let a = Block::whole(&tables.row_stress[class], points);
            let out = &mut functions[class * rows.stresses * row..];
            multiply(rows.stresses, a, Block::whole(&strips[class], row), Target { data: out, stride: row });
        }
        let energy = weigh(&tables.weights, functions);
        for class in 0..2 {
            let a = Block::whole(&tables.row_stress_back[class], rows.stresses);
            let b = Block { data: &functions[class * rows.stresses * row..], stride: row, width: row };
            multiply(points, a, b, Target { data: &mut strips[class], stride: row });
        }
        let [upper, lower] = strips;
        fold(upper, lower);
        for class in 0..2 {
            let b = Block::whole(&tables.column_stress[class], across);
            for (k, strip) in strips.iter().enumerate() {
                let a = Block { data: &strip[class * columns.stresses..], stride: row, width: columns.stresses };
                multiply(points, a, b, Target { data: &mut stress[class][k * half..], stride: across });
            }
        }
        let [left, right] = stress;
        fold(left, right);
        energy
    }

    /// The derivatives by the coefficients, in their places.
    fn differentiate(&mut self) {
        let Self { rows, columns, width, tables, work, .. } = self;
        let Work { modes, halves, between, fields, stress, .. } = work;
        let (row, points) = (2 * *width, rows.points);
        let [a, b, c] = &mut *fields;
        for half in 0..2 {
            product_slopes(&stress[half], [&mut a[half], &mut b[half], &mut c[half]]);
        }
        for (k, field) in fields.iter_mut().enumerate() {
            let [left, right] = field;
            fold(left, right);
            for (class, half) in field.iter().enumerate() {
                let b = Block::whole(&tables.columns_back[k][class], *width);
                let out = Target { data: &mut between[class * *width..], stride: row };
                multiply(2 * points, Block::whole(half, columns.points), b, out);
            }
            let part = k * points * row..(k + 1) * points * row;
            halves[0][part.clone()].copy_from_slice(&between[..points * row]);
            halves[1][part].copy_from_slice(&between[points * row..]);
        }
        let [upper, lower] = halves;
        fold(upper, lower);
        for (class, half) in halves.iter().enumerate() {
            let above = if class == 0 { 0 } else { rows.count(0) };
            let a = Block::whole(&tables.rows_back[class], 3 * points);
            let out = Target { data: &mut modes[above * row..], stride: row };
            multiply(rows.count(class), a, Block::whole(half, row), out);
        }
    }

    /// Adds the mean strain of edges that are held: V and its gradient.
    fn hold_edges(&self, poisson: f64, q: &[f64], gradient: &mut [f64]) -> f64 {
        let mut sums = [0.0; 2];
        for (waves, q) in self.waves.iter().zip(q) {
            sums[0] += waves[0] * q * q;
            sums[1] += waves[1] * q * q;
        }
        let square = 0.25 / (1.0 - poisson * poisson);
        let strains = [sums[0] + poisson * sums[1], sums[1] + poisson * sums[0]];
        for ((waves, q), g) in self.waves.iter().zip(q).zip(gradient) {
            *g += 2.0 * square * q * (strains[0] * waves[0] + strains[1] * waves[1]);
        }
        0.5 * square * (sums[0] * strains[0] + sums[1] * strains[1])
    }
}

impl Work {
    fn new(rows: &Axis, columns: &Axis, width: usize) -> Self {
        let array = |n: usize| vec![0.0_f32; n];
        let both = |n: usize| [array(n), array(n)];
        let (row, points) = (2 * width, rows.points);
        let grid = || both(2 * points * columns.points);
        Self {
            modes: array(rows.waves * row + 1),
            halves: both(3 * points * row),
            between: array(2 * points * row),
            fields: [grid(), grid(), grid()],
            stress: grid(),
            strips: both(points * 2 * columns.stresses),
            functions: array(padded(2 * rows.stresses * 2 * columns.stresses)),
        }
    }
}

impl Potential for PlatePotential {
    fn evaluate(&mut self, q: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        self.work.modes.fill(0.0);
        let largest = self.load(q);
        if largest == 0.0 {
            return 0.0;
        }
        self.bend();
        let energy = self.stretch();
        self.differentiate();
        let cube = largest * largest * largest;
        for ((place, part), g) in self.places.iter().zip(&self.parts).zip(gradient.iter_mut()) {
            *g = self.work.modes.get(*place as usize).map_or(0.0, |cell| part * cube * f64::from(*cell));
        }
        let held = if let PlateEdges::Held(poisson) = self.edges { self.hold_edges(poisson, q, gradient) } else { 0.0 };
        energy * cube * largest + held
    }

    fn is_curved(&self) -> bool {
        false
    }

    fn cost(&self) -> f32 {
        let Self { rows, columns, width, .. } = self;
        let bend = 3 * rows.points * rows.waves * 2 * width + 6 * 2 * rows.points * width * columns.points;
        let stress = 2 * 2 * rows.points * columns.points * columns.stresses + 4 * rows.stresses * rows.points * columns.stresses;
        EVALUATION + (2 * (bend + stress)) as f32 / MULTIPLIED
    }

    fn duplicate(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }
}

/// Cost of an evaluation of a small grid, and products that take as long as a sample of one mode of the reference resonator: 1.10 us for 72
/// modes of a square plate, 0.74 us for 36 and 0.40 us for 8.
const EVALUATION: f32 = 350.0;
const MULTIPLIED: f32 = 32.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::rectangular::plate_forms::plate_forms;
    use crate::random::SplitMix64;
    use std::f64::consts::PI;

    fn energy(plate: &mut PlatePotential, q: &[f64]) -> (f64, Vec<f64>) {
        let mut gradient = vec![0.0; q.len()];
        let energy = plate.evaluate(q, &mut gradient);
        (energy, gradient)
    }

    /// V = E h pi^4 a^4 S (a^-4 + b^-4)/256 of the mode (1, 1); square plate, amplitude a: omega^2 (a + beta a^3/h^2), beta 0.34125 movable,
    /// 1.31625 held, nu 0.3.
    #[test]
    fn the_lowest_mode_has_the_closed_form() {
        for aspect in [0.4, 1.0, 1.7_f64] {
            for detail in [StressDetail::Cut, StressDetail::Full] {
                let mut plate = PlatePotential::new(aspect, &[Some((1, 1)), Some((2, 1))], PlateEdges::Sliding, detail);
                let (found, gradient) = energy(&mut plate, &[0.5, 0.0]);
                let known = PI.powi(4) * (aspect.powi(-2) + aspect.powi(2)) / 256.0;
                assert!((found / known - 1.0).abs() < 1e-6 && (gradient[0] / known / 8.0 - 1.0).abs() < 1e-6, "{found} {known}");
            }
        }
        for (edges, beta) in [(PlateEdges::Sliding, 0.34125), (PlateEdges::Held(0.3), 1.31625)] {
            let mut plate = PlatePotential::new(1.0, &[Some((1, 1))], edges, StressDetail::Full);
            let stretch =
                PlateStretch { rim: EdgeSupport::Supported, thickness: 1.0, poisson: 0.3, mass: 1.0, omega: 1.0, aspect: 1.0 };
            let found = 4.0 * stretch.amount() * energy(&mut plate, &[0.5]).0 / 0.25;
            assert!((found / beta - 1.0).abs() < 1e-6, "{edges:?}: {found}");
        }
    }

    /// Against the closed coefficients of every pair of modes: the lowest modes of plates of several shapes at random.
    #[test]
    fn the_grid_is_the_sum_over_all_pairs() {
        let shapes = [(1.25_f64, 9, PlateEdges::Sliding), (0.6, 7, PlateEdges::Held(0.3)), (1.0, 4, PlateEdges::Sliding)];
        for (aspect, most, edges) in shapes {
            let families: Vec<(u32, u32)> =
                (1..=most).flat_map(|m| (1..=most).map(move |n| (m, n))).filter(|(m, n)| m + n <= most).collect();
            let listed: Vec<Option<(u32, u32)>> = families.iter().map(|f| Some(*f)).collect();
            let mut list = plate_forms(aspect, &families, edges);
            let mut random = SplitMix64::new(3);
            let q: Vec<f64> = families.iter().map(|(m, n)| (random.uniform() - 0.5) / f64::from(m * m + n * n)).collect();
            let mut known = vec![0.0; q.len()];
            let sum = list.evaluate(&q, &mut known);
            let size = known.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
            for (detail, of_energy, of_gradient) in [(StressDetail::Full, 2e-6, 2e-6), (StressDetail::Cut, 2e-2, 8e-2)] {
                let mut plate = PlatePotential::new(aspect, &listed, edges, detail);
                let (found, gradient) = energy(&mut plate, &q);
                let worst = gradient.iter().zip(&known).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs())) / size;
                println!("{aspect} {detail:?}: V {:e}, gradient {worst:e}", found / sum - 1.0);
                assert!(
                    (found / sum - 1.0).abs() < of_energy && worst < of_gradient,
                    "{aspect} {detail:?}: {found} {sum} {worst}"
                );
                assert!(found <= sum * (1.0 + 1e-6), "a lower bound");
            }
        }
    }
}
