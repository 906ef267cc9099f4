//! V of a disc and its derivatives from blocks of coefficients, in single precision: the inner loops of `disc_potential`.
//!
//! A mode F(r) cos m theta and its twin with sin m theta have the complex displacement z = c + i s. A stress function of order p and its
//! twin have the complex form
//!
//! ```text
//! h = sum H_ij z_i z_j over orders m + n = p,  and z_i conj(z_j) over m - n = p
//! V = sum depth Re(conj(beta) h) + size |h|^2/2,   beta = sum b_j z_j
//! ```
//!
//! so that one coefficient serves four pairs of modes. Registers contain two modes times four stress functions; the other modes are
//! broadcast. As in `small_products`, every version gives the same bits.

use crate::modal::{Block, strip};

/// Stress functions of a group.
pub(super) const GROUP: usize = 4;

/// Modes of a pair of neighbours times stress functions of a group.
const WIDTH: usize = 2 * GROUP;

/// Numbers of all of them.
pub(super) type Lanes = [f32; WIDTH];

const NONE: Lanes = [0.0; WIDTH];

/// Coefficients of the pairs of one order and the modes of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Number of pairs.
    pub pairs: usize,
    /// First of the other modes, and their number.
    pub other: usize,
    pub others: usize,
}

/// Rows of pairs that follow one another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    /// First pair, and number of pairs.
    pub pair: usize,
    pub pairs: usize,
}

/// Cells whose displacements make beta.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub start: usize,
    pub count: usize,
}

/// Four stress functions of one order p.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Modes whose others are in this segment too: m + n = p, or m = n where p = 0.
    pub shared: Segment,
    /// Modes with others m - n = p, and those others with the modes.
    pub higher: Segment,
    pub lower: Segment,
    /// Whether p > 0.
    pub twins: bool,
    pub slopes: [Span; 2],
}

/// The coefficients of a disc, in the order in which they are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub groups: Vec<Group>,
    /// Rows of the segments of all groups, shared, higher, lower; then those with the same other modes together.
    pub rows: Vec<Rows>,
    /// For every other mode of every row: the pairs' coefficients.
    pub table: Vec<f32>,
    /// b of every cell of the spans of every group: four cosines, four sines.
    pub slopes: Vec<Lanes>,
    /// Pairs of neighbours: cells are the real parts of their modes, then the imaginary parts.
    pub pairs: usize,
    /// Place of every pair of all segments among the rows.
    pub places: Vec<u32>,
    /// The segments of every pair, and the end of each list.
    pub visits: Vec<Visit>,
    pub ends: Vec<usize>,
}

/// A pair in a segment: its row, counted in pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    row: u32,
    /// Segment, counted over all groups.
    segment: u32,
}

impl Layout {
    /// Prepares evaluations, once all groups are there.
    pub fn finish(&mut self) {
        self.join_rows();
        self.list_visits();
    }

    /// Joins the rows with the same other modes to one product: few wide products are faster than many narrow ones.
    fn join_rows(&mut self) {
        let mut starts = Vec::new();
        let (mut place, mut length) = (0, 0);
        for row in &self.rows {
            starts.push((place, length));
            place += row.pairs;
            length += row.pairs * row.others * WIDTH;
        }
        self.places = vec![0; place];
        let mut joined: Vec<Rows> = Vec::new();
        let (mut table, mut next) = (Vec::with_capacity(self.table.len()), 0);
        let mut others: Vec<_> = self.rows.iter().map(|row| (row.other, row.others)).collect();
        others.sort_unstable();
        others.dedup();
        for (other, count) in others {
            let alike = || self.rows.iter().zip(&starts).filter(|(row, _)| (row.other, row.others) == (other, count));
            for j in 0..count {
                for (row, (_, length)) in alike() {
                    let width = WIDTH * row.pairs;
                    table.extend_from_slice(&self.table[length + j * width..length + (j + 1) * width]);
                }
            }
            let first = next;
            for (row, (place, _)) in alike() {
                for k in 0..row.pairs {
                    self.places[place + k] = next;
                    next += 1;
                }
            }
            joined.push(Rows { pairs: (next - first) as usize, other, others: count });
        }
        (self.rows, self.table) = (joined, table);
    }

    /// Lists the rows of every pair.
    fn list_visits(&mut self) {
        let mut of_pair = vec![Vec::new(); self.pairs];
        let mut row = 0;
        let segments = self.groups.iter().flat_map(|group| [group.shared, group.higher, group.lower]);
        for (segment, part) in (0..).zip(segments) {
            for visits in &mut of_pair[part.pair..part.pair + part.pairs] {
                visits.push(Visit { row: self.places[row], segment });
                row += 1;
            }
        }
        self.visits.clear();
        self.ends.clear();
        for visits in of_pair {
            self.visits.extend(visits);
            self.ends.push(self.visits.len());
        }
    }

    /// Pairs of all rows together.
    pub fn row_pairs(&self) -> usize {
        self.rows.iter().map(|row| row.pairs).sum()
    }
}

/// Arrays of an evaluation.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// Displacements, then half of the derivatives.
    pub cells: Vec<f32>,
    /// Every displacement four times: real and imaginary parts.
    wide: [Vec<Lanes>; 2],
    /// u = sum H_ij z_j of all rows: real parts, then imaginary parts.
    rows: Vec<f32>,
    /// Products of z and u of every group, and what its forms do.
    sums: Vec<[Lanes; 8]>,
    forms: Vec<Lanes>,
    forces: Vec<Factors>,
    /// Half of the derivatives by real and imaginary parts.
    slopes: [Vec<Lanes>; 2],
    /// What b contributes to them, cell by cell.
    bent: Vec<Lanes>,
}

impl Work {
    pub fn new(layout: &Layout) -> Self {
        let array = || [vec![NONE; layout.pairs], vec![NONE; layout.pairs]];
        Self {
            cells: vec![0.0; 4 * layout.pairs],
            wide: array(),
            rows: vec![0.0; 2 * WIDTH * layout.row_pairs()],
            sums: vec![[NONE; 8]; layout.groups.len()],
            forms: vec![NONE; layout.groups.len()],
            forces: vec![[NONE; 4]; SEGMENTS * layout.groups.len()],
            slopes: array(),
            bent: vec![NONE; if layout.slopes.is_empty() { 0 } else { 4 * layout.pairs }],
        }
    }
}

/// Factors of the two parts of V.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Of beta.
    pub depth: f32,
    /// Of h.
    pub size: f32,
}

/// V of the displacements in `work.cells`, which become half of its derivatives.
pub(super) fn evaluate(layout: &Layout, sizes: Sizes, work: &mut Work) -> f64 {
    let Work { cells, wide, rows, sums, forms, forces, slopes, bent } = work;
    spread(cells, wide);
    multiply_rows(layout, cells, rows);
    let (re, im) = rows.split_at(rows.len() / 2);
    let rows = [re.as_chunks().0, im.as_chunks().0];
    couple(layout, wide, rows, sums);
    let mut energy = 0.0;
    let mut place = 0;
    for (i, group) in layout.groups.iter().enumerate() {
        let curvatures = &layout.slopes[place..place + group.slopes[0].count + group.slopes[1].count];
        place += curvatures.len();
        let beta = find_beta(group, curvatures, cells);
        let forces = &mut forces.as_chunks_mut::<SEGMENTS>().0[i];
        energy += solve(group, sizes, &sums[i], &beta, &mut forms[i], forces);
    }
    differentiate(layout, forces, rows, slopes);
    if !layout.slopes.is_empty() {
        add_bent(layout, forms, 0.5 * sizes.depth, bent);
    }
    gather(slopes, bent, cells);
    energy
}

/// Every displacement four times.
fn spread(cells: &[f32], wide: &mut [Vec<Lanes>; 2]) {
    let (re, im) = cells.split_at(cells.len() / 2);
    for (wide, cells) in wide.iter_mut().zip([re, im]) {
        for (wide, [x, y]) in wide.iter_mut().zip(cells.as_chunks::<2>().0) {
            *wide = [*x, *x, *x, *x, *y, *y, *y, *y];
        }
    }
}

/// u of every row.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn multiply_rows(layout: &Layout, cells: &[f32], out: &mut [f32]) {
    let (mut table, mut place, half) = (0, 0, out.len() / 2);
    for row in &layout.rows {
        let width = WIDTH * row.pairs;
        let others = Block { data: &cells[row.other..], stride: cells.len() / 2, width: row.others };
        let part = &layout.table[table..table + row.others * width];
        table += part.len();
        strip::<2>(0, others, Block::whole(part, width), &mut out[place..], half);
        place += width;
    }
}

/// Sums over the segments of every group of the products of z = x + i y and u = a + i b, x a, y b, x b, y a, first of the shared one,
/// then of the higher one.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn couple(layout: &Layout, wide: &[Vec<Lanes>; 2], rows: [&[Lanes]; 2], sums: &mut [[Lanes; 8]]) {
    let mut place = 0;
    for (group, sums) in layout.groups.iter().zip(sums) {
        *sums = [NONE; 8];
        for part in 0..2 {
            let Segment { pair, pairs } = if part == 0 { group.shared } else { group.higher };
            let (x, y) = (&wide[0][pair..pair + pairs], &wide[1][pair..pair + pairs]);
            let places = &layout.places[place..place + pairs];
            place += pairs;
            let mut lanes = [NONE; 4];
            for k in 0..pairs {
                let (a, b) = (&rows[0][places[k] as usize], &rows[1][places[k] as usize]);
                for lane in 0..WIDTH {
                    lanes[0][lane] += x[k][lane] * a[lane];
                }
                for lane in 0..WIDTH {
                    lanes[1][lane] += y[k][lane] * b[lane];
                }
                for lane in 0..WIDTH {
                    lanes[2][lane] += x[k][lane] * b[lane];
                }
                for lane in 0..WIDTH {
                    lanes[3][lane] += y[k][lane] * a[lane];
                }
            }
            for (sum, lanes) in sums[4 * part..4 * part + 4].iter_mut().zip(lanes) {
                *sum = lanes;
            }
        }
        place += group.lower.pairs;
    }
}

/// Segments of a group: shared, higher, lower.
const SEGMENTS: usize = 3;

/// Factors of a and b in the derivatives by x, then of a and b in those by y.
type Factors = [Lanes; 4];

/// V, h and the forces of a group. Its forms are sums over both neighbours: of z u in the shared segment, of z conj(u) in the higher one,
/// which counts for the lower one too.
fn solve(
    group: &Group,
    Sizes { depth, size }: Sizes,
    sums: &[Lanes; 8],
    beta: &Lanes,
    form: &mut Lanes,
    segments: &mut [Factors; SEGMENTS],
) -> f64 {
    // z conj(u) where p = 0
    let (sign, sines) = if group.twins { (1.0, 1.0) } else { (-1.0, 0.0) };
    let mut force = [[0.0; GROUP]; 2];
    let mut energy = [0.0; GROUP];
    for k in 0..GROUP {
        let both = |sum: &Lanes| sum[k] + sum[k + GROUP];
        let cosine = both(&sums[0]) - sign * both(&sums[1]) + 2.0 * (both(&sums[4]) + both(&sums[5]));
        let sine = sines * (both(&sums[2]) + both(&sums[3]) + 2.0 * (both(&sums[7]) - both(&sums[6])));
        let linear = [depth * beta[k], depth * beta[k + GROUP]];
        energy[k] = f64::from(cosine) * f64::from(linear[0] + 0.5 * size * cosine)
            + f64::from(sine) * f64::from(linear[1] + 0.5 * size * sine);
        (force[0][k], force[1][k]) = (linear[0] + size * cosine, linear[1] + size * sine);
        (form[k], form[k + GROUP]) = (cosine, sine);
    }
    let [shared, higher, lower] = segments;
    for k in 0..WIDTH {
        let (re, im) = (force[0][k % GROUP], force[1][k % GROUP]);
        (higher[0][k], higher[1][k], higher[2][k], higher[3][k]) = (re, -im, im, re);
        (lower[0][k], lower[1][k], lower[2][k], lower[3][k]) = (re, im, -im, re);
        (shared[0][k], shared[1][k], shared[2][k], shared[3][k]) = (re, sign * im, im, -sign * re);
    }
    (energy[0] + energy[2]) + (energy[1] + energy[3])
}

/// Derivatives by the modes of all segments: pair by pair, because a loop over the pairs of a segment would be compiled for four pairs at
/// once, with their lanes apart.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn differentiate(layout: &Layout, forces: &[Factors], rows: [&[Lanes]; 2], slopes: &mut [Vec<Lanes>; 2]) {
    let [re, im] = slopes;
    let mut first = 0;
    for pair in 0..layout.pairs {
        let mut lanes = [NONE; 2];
        for visit in &layout.visits[first..layout.ends[pair]] {
            let (a, b) = (&rows[0][visit.row as usize], &rows[1][visit.row as usize]);
            let factors = &forces[visit.segment as usize];
            for lane in 0..WIDTH {
                lanes[0][lane] += factors[0][lane] * a[lane] + factors[1][lane] * b[lane];
            }
            for lane in 0..WIDTH {
                lanes[1][lane] += factors[2][lane] * a[lane] + factors[3][lane] * b[lane];
            }
        }
        first = layout.ends[pair];
        (re[pair], im[pair]) = (lanes[0], lanes[1]);
    }
}

/// beta of a group.
fn find_beta(group: &Group, slopes: &[Lanes], cells: &[f32]) -> Lanes {
    let mut beta = NONE;
    let mut place = 0;
    for span in &group.slopes {
        let (cells, slopes) = (&cells[span.start..span.start + span.count], &slopes[place..place + span.count]);
        place += span.count;
        for (b, cell) in slopes.iter().zip(cells) {
            for lane in 0..WIDTH {
                beta[lane] += b[lane] * cell;
            }
        }
    }
    beta
}

/// The sum of h b over all groups, times `factor`.
fn add_bent(layout: &Layout, forms: &[Lanes], factor: f32, bent: &mut [Lanes]) {
    bent.fill(NONE);
    let mut slopes = layout.slopes.iter();
    for (group, form) in layout.groups.iter().zip(forms) {
        for span in &group.slopes {
            for (bent, b) in bent[span.start..span.start + span.count].iter_mut().zip(slopes.by_ref()) {
                for lane in 0..WIDTH {
                    bent[lane] += factor * (b[lane] * form[lane]);
                }
            }
        }
    }
}

/// Sums over the stress functions.
fn gather(slopes: &[Vec<Lanes>; 2], bent: &[Lanes], cells: &mut [f32]) {
    let (re, im) = cells.split_at_mut(cells.len() / 2);
    for (slopes, cells) in slopes.iter().zip([re, im]) {
        for (s, cells) in slopes.iter().zip(cells.as_chunks_mut::<2>().0) {
            cells[0] = (s[0] + s[2]) + (s[1] + s[3]);
            cells[1] = (s[4] + s[6]) + (s[5] + s[7]);
        }
    }
    for (cell, b) in cells.iter_mut().zip(bent) {
        *cell += ((b[0] + b[4]) + (b[2] + b[6])) + ((b[1] + b[5]) + (b[3] + b[7]));
    }
}
