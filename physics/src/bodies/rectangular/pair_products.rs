//! V of a rectangular plate and its derivatives from coefficients of pairs of modes, in single precision: the inner loops of
//! `stretch_potential`.
//!
//! ```text
//! h_k = sum over i <= j of e_kij q_i q_j,   V = sum of h_k^2/2,   dV/d(q_i q_j) = sum over k of h_k e_kij
//! ```
//!
//! Modes even or odd in x and y are of four classes. Stress functions of class s see the products of classes a and b with a xor b = s only:
//! one coefficient in four. The coefficients of a class are read twice, the second time from the nearest cache. As in `small_products`,
//! every version gives the same bits.

use crate::bodies::rectangular::stress_functions::CLASSES;
use nalgebra::DMatrix;
use std::ops::Range;

/// Stress functions of a group.
pub(super) const GROUP: usize = 4;

/// Products of a block.
const WIDTH: usize = 16;

/// Cells of a register: the products of one mode are those with whole registers.
const LANES: usize = 4;

/// Registers of a rectangle.
const MOST_REGISTERS: usize = 4;

type Register = [f32; LANES];

const NONE: Register = [0.0; LANES];

/// e of a group for the products of a block: a row for every stress function.
type Coefficients = [[f32; WIDTH]; GROUP];

/// Products of cells that follow one another with those of some registers, row by row.
#[derive(Clone, Copy, Debug)]
struct Rectangle {
    cell: usize,
    rows: usize,
    register: usize,
    /// At most [`MOST_REGISTERS`].
    registers: usize,
    /// Register of the first product.
    place: usize,
}

/// The stress functions of a class.
#[derive(Clone, Debug, Default)]
struct Class {
    rectangles: Range<usize>,
    /// Number of products, a multiple of [`WIDTH`].
    products: usize,
    groups: usize,
}

/// H of the stress functions of one class, a multiple of [`GROUP`], a row each, for pairs i <= j of modes, a column each.
#[derive(Clone, Debug)]
pub(super) struct PairForms {
    pub pairs: Vec<[usize; 2]>,
    pub forms: DMatrix<f64>,
}

/// The coefficients of a plate.
#[derive(Clone, Debug, Default)]
pub(super) struct PairLayout {
    classes: [Class; CLASSES],
    rectangles: Vec<Rectangle>,
    /// Of every class, group and block.
    table: Vec<Coefficients>,
    /// First cell of every class of modes, and the number of cells.
    starts: [usize; CLASSES + 1],
    /// Cell of every mode; None for those that take no part.
    cells: Vec<Option<usize>>,
}

impl PairLayout {
    /// For modes of these classes; None takes no part.
    pub fn new(modes: &[Option<usize>], forms: &[PairForms; CLASSES]) -> Self {
        let mut made = Self::default();
        let mut of_cell = Vec::new();
        for class in 0..CLASSES {
            made.starts[class] = of_cell.len();
            of_cell.extend((0..modes.len()).filter(|&mode| modes[mode] == Some(class)).map(Some));
            of_cell.resize(of_cell.len().next_multiple_of(LANES), None);
        }
        made.starts[CLASSES] = of_cell.len();
        made.cells = vec![None; modes.len()];
        for (cell, mode) in of_cell.iter().enumerate() {
            mode.iter().for_each(|&mode| made.cells[mode] = Some(cell));
        }
        for (class, of_class) in forms.iter().enumerate() {
            made.add_class(class, of_class, &of_cell);
        }
        made
    }

    /// Cell of every mode.
    pub fn cells(&self) -> &[Option<usize>] {
        &self.cells
    }

    /// Number of products with coefficients, and of displacements.
    pub fn operations(&self) -> [usize; 2] {
        [2 * GROUP * WIDTH * self.table.len(), LANES * self.rectangles.iter().map(|one| one.rows * one.registers).sum::<usize>()]
    }

    fn add_class(&mut self, class: usize, PairForms { pairs, forms }: &PairForms, of_cell: &[Option<usize>]) {
        let rectangles = self.add_rectangles(class, of_cell);
        let mut places: Vec<Option<[usize; 2]>> = Vec::new();
        for rectangle in &self.rectangles[rectangles.clone()] {
            for cell in rectangle.cell..rectangle.cell + rectangle.rows {
                let others = LANES * rectangle.register..LANES * (rectangle.register + rectangle.registers);
                places.extend(others.map(|other| Some([of_cell[cell]?, of_cell[other]?])));
            }
        }
        let mut columns = vec![None; self.cells.len() * self.cells.len()];
        for (column, [i, j]) in pairs.iter().enumerate() {
            columns[i * self.cells.len() + j] = Some(column);
            // of modes of two classes, either may be the lower one
            if class > 0 {
                columns[j * self.cells.len() + i] = Some(column);
            }
        }
        if places.is_empty() {
            return;
        }
        let products = places.len().next_multiple_of(WIDTH);
        let value = |form: usize, place: usize| {
            let [i, j] = (*places.get(place)?)?;
            let column = columns[i * self.cells.len() + j]?;
            Some(if i == j { 1.0 } else { 2.0 } * forms[(form, column)])
        };
        for group in (0..forms.nrows()).step_by(GROUP) {
            for block in (0..products).step_by(WIDTH) {
                let row = |form: usize| std::array::from_fn(|lane| value(group + form, block + lane).unwrap_or(0.0) as f32);
                self.table.push(std::array::from_fn(row));
            }
        }
        self.classes[class] = Class { rectangles, products, groups: forms.nrows() / GROUP };
    }
}

impl PairLayout {
    /// Rectangles of all products of a class: above the diagonal, and the registers on it, where a class of modes meets itself.
    fn add_rectangles(&mut self, class: usize, of_cell: &[Option<usize>]) -> Range<usize> {
        let (first, mut place) = (self.rectangles.len(), 0);
        for a in (0..CLASSES).filter(|a| *a <= a ^ class) {
            let b = a ^ class;
            let modes = of_cell[self.starts[a]..self.starts[a + 1]].iter().flatten().count();
            let (cells, end) = (self.starts[a]..self.starts[a] + modes, self.starts[b + 1] / LANES);
            let most = if a == b { LANES } else { modes.max(1) };
            for cell in cells.clone().step_by(most) {
                let rows = most.min(cells.end - cell);
                let start = if a == b { cell / LANES } else { self.starts[b] / LANES };
                for register in (start..end).step_by(MOST_REGISTERS) {
                    let registers = MOST_REGISTERS.min(end - register);
                    self.rectangles.push(Rectangle { cell, rows, register, registers, place });
                    place += rows * registers;
                }
            }
        }
        first..self.rectangles.len()
    }
}

/// Arrays of an evaluation.
#[derive(Clone, Debug)]
pub(super) struct PairWork {
    /// Displacements, then the derivatives.
    pub cells: Vec<f32>,
    /// Products of a class, h of its groups, and the derivatives by the products.
    products: Vec<[f32; WIDTH]>,
    forms: Vec<[f32; GROUP]>,
    forces: Vec<[f32; WIDTH]>,
    /// Derivatives by the cells of every register, and parts of those by every cell.
    slopes: Vec<Register>,
    parts: Vec<Register>,
}

impl PairWork {
    pub fn new(layout: &PairLayout) -> Self {
        let cells = layout.starts[CLASSES];
        let blocks = layout.classes.iter().map(|class| class.products / WIDTH).max().unwrap_or(0);
        Self {
            cells: vec![0.0; cells],
            products: vec![[0.0; WIDTH]; blocks],
            forms: vec![[0.0; GROUP]; layout.classes.iter().map(|class| class.groups).max().unwrap_or(0)],
            forces: vec![[0.0; WIDTH]; blocks],
            slopes: vec![NONE; cells / LANES],
            parts: vec![NONE; cells],
        }
    }
}

/// V of the displacements in `work.cells`, which become its derivatives.
pub(super) fn evaluate(layout: &PairLayout, work: &mut PairWork) -> f64 {
    let PairWork { cells, products, forms, forces, slopes, parts } = work;
    slopes.fill(NONE);
    parts.fill(NONE);
    let (mut energy, mut place) = (0.0, 0);
    for Class { rectangles, products: count, groups } in layout.classes.iter().filter(|class| class.groups > 0) {
        let (rectangles, blocks) = (&layout.rectangles[rectangles.clone()], count / WIDTH);
        multiply_pairs(rectangles, cells, products[..blocks].as_flattened_mut());
        let (table, forms) = (&layout.table[place..place + groups * blocks], &mut forms[..*groups]);
        place += table.len();
        energy += sum_forms(table, &products[..blocks], forms);
        weigh_forms(table, forms, &mut forces[..blocks]);
        differentiate(rectangles, forces[..blocks].as_flattened(), cells, slopes, parts);
    }
    for ((cell, slope), [a, b, c, d]) in cells.iter_mut().zip(slopes.as_flattened()).zip(parts.iter()) {
        *cell = slope + ((a + b) + (c + d));
    }
    energy
}

/// Products of the displacements.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn multiply_pairs(rectangles: &[Rectangle], cells: &[f32], products: &mut [f32]) {
    let products = products.as_chunks_mut::<LANES>().0;
    for rectangle in rectangles {
        match rectangle.registers {
            1 => multiply_rows::<1>(rectangle, cells, products),
            2 => multiply_rows::<2>(rectangle, cells, products),
            3 => multiply_rows::<3>(rectangle, cells, products),
            _ => multiply_rows::<4>(rectangle, cells, products),
        }
    }
}

#[inline(always)]
fn multiply_rows<const N: usize>(rectangle: &Rectangle, cells: &[f32], products: &mut [Register]) {
    let Rectangle { cell, rows, register, place, .. } = *rectangle;
    let mut others = [NONE; N];
    others.copy_from_slice(&cells.as_chunks::<LANES>().0[register..register + N]);
    let products = products[place..place + rows * N].as_chunks_mut::<N>().0;
    for (x, products) in cells[cell..cell + rows].iter().zip(products) {
        for (product, other) in products.iter_mut().zip(&others) {
            for lane in 0..LANES {
                product[lane] = x * other[lane];
            }
        }
    }
}

/// h of every stress function of a class, and V.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn sum_forms(table: &[Coefficients], products: &[[f32; WIDTH]], forms: &mut [[f32; GROUP]]) -> f64 {
    let mut energy = 0.0;
    for (group, forms) in table.chunks_exact(products.len()).zip(forms) {
        let mut sums = [[0.0_f32; WIDTH]; GROUP];
        for (block, product) in group.iter().zip(products) {
            for (sum, block) in sums.iter_mut().zip(block) {
                for lane in 0..WIDTH {
                    sum[lane] += block[lane] * product[lane];
                }
            }
        }
        for (form, sum) in forms.iter_mut().zip(&sums) {
            let mut quarter = [0.0_f32; LANES];
            for lane in 0..LANES {
                quarter[lane] = (sum[lane] + sum[lane + 8]) + (sum[lane + 4] + sum[lane + 12]);
            }
            *form = (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
            energy += 0.5 * f64::from(*form) * f64::from(*form);
        }
    }
    energy
}

/// Derivatives of V by the products. Block by block, because a loop over the blocks of a group would be compiled for several of them at once,
/// with their lanes apart, at a quarter of the speed.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn weigh_forms(table: &[Coefficients], forms: &[[f32; GROUP]], forces: &mut [[f32; WIDTH]]) {
    let blocks = forces.len();
    for (place, force) in forces.iter_mut().enumerate() {
        let mut sum = [0.0_f32; WIDTH];
        for (group, forms) in forms.iter().enumerate() {
            let block = &table[place + group * blocks];
            for (form, block) in forms.iter().zip(block) {
                for lane in 0..WIDTH {
                    sum[lane] += form * block[lane];
                }
            }
        }
        *force = sum;
    }
}

/// Derivatives by the displacements from those by their products.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn differentiate(rectangles: &[Rectangle], forces: &[f32], cells: &[f32], slopes: &mut [Register], parts: &mut [Register]) {
    let forces = forces.as_chunks::<LANES>().0;
    for rectangle in rectangles {
        match rectangle.registers {
            1 => differentiate_rows::<1>(rectangle, forces, cells, slopes, parts),
            2 => differentiate_rows::<2>(rectangle, forces, cells, slopes, parts),
            3 => differentiate_rows::<3>(rectangle, forces, cells, slopes, parts),
            _ => differentiate_rows::<4>(rectangle, forces, cells, slopes, parts),
        }
    }
}

#[inline(always)]
fn differentiate_rows<const N: usize>(
    rectangle: &Rectangle,
    forces: &[Register],
    cells: &[f32],
    slopes: &mut [Register],
    parts: &mut [Register],
) {
    let Rectangle { cell, rows, register, place, .. } = *rectangle;
    let (mut others, mut sums) = ([NONE; N], [NONE; N]);
    others.copy_from_slice(&cells.as_chunks::<LANES>().0[register..register + N]);
    let forces = forces[place..place + rows * N].as_chunks::<N>().0;
    for ((x, part), forces) in cells[cell..cell + rows].iter().zip(&mut parts[cell..cell + rows]).zip(forces) {
        let mut own = *part;
        for ((force, other), sum) in forces.iter().zip(&others).zip(&mut sums) {
            for lane in 0..LANES {
                own[lane] += other[lane] * force[lane];
            }
            for lane in 0..LANES {
                sum[lane] += x * force[lane];
            }
        }
        *part = own;
    }
    for (slope, sum) in slopes[register..register + N].iter_mut().zip(&sums) {
        for lane in 0..LANES {
            slope[lane] += sum[lane];
        }
    }
}
