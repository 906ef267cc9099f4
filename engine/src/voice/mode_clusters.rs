//! Modes close together in frequency, whose sound is rendered as one carrier times a polynomial.
//!
//! ```text
//! v_m(t) = Re A_m e^(s_m t)                       t: frames from the middle of 64; A_m from q and v at their beginning
//! sum v_m = Re e^(i w t) sum_j f_j(t) M_j         M_j = sum_m A_m d_m^j,   d_m = 32 (s_m - i w)
//! e^(d t / 32) = sum_j f_j(t) d^j                 the Chebyshev series in d/i, up to degree 7
//! ```
//!
//! With |w_m - w| at most [`HALF_WIDTH`]/32 a frame and losses of at most [`MOST_LOSS`]/32 a frame the series is exact to -126 dB of the mode. A mode
//! costs 8 fused operations on eight numbers in 64 frames at both pickups, where mode by mode they are 24; the frames of a cluster cost the same for
//! any number of modes.

use crate::voice::mode_tables::{GROUP, Lanes, ORDERS, Tables};
use crate::voice::step_power::{Eight, LANES, Power, step_of};
use std::hint::black_box;
use std::ops::Range;
use urto_physics::modal::StepTable;

/// Groups of eight frames in half of the frames.
pub(super) const HALF: usize = 4;

/// Frames of one half.
pub(super) const HALF_FRAMES: usize = HALF * LANES;

/// Largest distance [rad in 32 frames] of a mode from the carrier.
pub(super) const HALF_WIDTH: f64 = 1.12;

/// Largest loss [in 32 frames] of the amplitude of a mode, as its exponent.
const MOST_LOSS: f64 = 0.04;

/// Number of chunks from which on a cluster is faster than its modes one after another.
pub(super) const FEWEST_CHUNKS: usize = 2;

/// Squarings from one frame to half of the frames.
const SQUARINGS: u32 = HALF_FRAMES.ilog2();

/// Eight complex numbers.
#[derive(Clone, Copy)]
struct Complexes {
    re: Eight,
    im: Eight,
}

impl Complexes {
    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let re = std::array::from_fn(|i| self.re[i] * other.re[i] - self.im[i] * other.im[i]);
        let im = std::array::from_fn(|i| self.re[i] * other.im[i] + self.im[i] * other.re[i]);
        Self { re, im }
    }
}

/// A direction in the complex plane, above the real axis.
#[derive(Clone, Copy)]
struct Direction {
    cos: f64,
    sin: f64,
}

impl Direction {
    fn of(cos: f64) -> Self {
        Self { cos, sin: (1.0 - cos * cos).max(0.0).sqrt() }
    }

    /// Cosine of the angle to `other`.
    fn cos_to(self, other: Self) -> f64 {
        self.cos * other.cos + self.sin * other.sin
    }

    /// The direction half way to `other`, less than a right angle away.
    fn half_way_to(self, other: Self) -> Self {
        let (cos, sin) = (self.cos + other.cos, self.sin + other.sin);
        let size = (cos * cos + sin * sin).sqrt();
        Self { cos: cos / size, sin: sin / size }
    }

    fn times(self, other: Self) -> Self {
        Self { cos: self.cos * other.cos - self.sin * other.sin, sin: self.cos * other.sin + self.sin * other.cos }
    }
}

/// Directions of the lowest and of the highest mode: what they turn by in one frame.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    lowest: Direction,
    highest: Direction,
}

impl Spread {
    /// That of modes with this step of one frame; None if one does not oscillate or decays too fast for a cluster.
    #[inline(always)]
    pub(super) fn of([a11, a12, a21, a22]: &Power) -> Option<Self> {
        let determinant: Eight = std::array::from_fn(|i| a11[i] * a22[i] - a12[i] * a21[i]);
        let re: Eight = std::array::from_fn(|i| 0.5 * (a11[i] + a22[i]));
        // of the angle; 1/sqrt by its series, as the determinant is close to 1
        let cos: Eight = std::array::from_fn(|i| {
            let loss = 1.0 - determinant[i];
            re[i] * (1.0 + loss * (0.5 + loss * (0.375 + loss * 0.3125)))
        });
        let square: Eight = std::array::from_fn(|i| determinant[i] - re[i] * re[i]);
        let least = |lanes: &Eight| extreme(lanes, |a, b| if a < b { a } else { b });
        let most = extreme(&cos, |a, b| if a > b { a } else { b });
        let oscillates = least(&square) > 0.0 && least(&determinant) >= (-2.0 * MOST_LOSS / HALF_FRAMES as f64).exp();
        oscillates.then(|| Self { lowest: Direction::of(most), highest: Direction::of(least(&cos)) })
    }

    /// That of both together, unless it is too wide for a cluster.
    pub(super) fn with(self, other: Self) -> Option<Self> {
        let lowest = if self.lowest.cos > other.lowest.cos { self.lowest } else { other.lowest };
        let highest = if self.highest.cos < other.highest.cos { self.highest } else { other.highest };
        Self { lowest, highest }.if_narrow()
    }

    /// Itself, unless it is too wide for a cluster.
    pub(super) fn if_narrow(self) -> Option<Self> {
        // the cosine of a small angle, by its series
        const SQUARE: f64 = (2.0 * HALF_WIDTH / HALF_FRAMES as f64) * (2.0 * HALF_WIDTH / HALF_FRAMES as f64);
        (self.lowest.cos_to(self.highest) >= 1.0 - 0.5 * SQUARE).then_some(self)
    }
}

/// The lane that `choose` prefers to all others.
#[inline(always)]
fn extreme([a, b, c, d, e, f, g, h]: &Eight, choose: impl Fn(f64, f64) -> f64) -> f64 {
    let halves = [choose(*a, *e), choose(*b, *f), choose(*c, *g), choose(*d, *h)];
    choose(choose(halves[0], halves[2]), choose(halves[1], halves[3]))
}

/// Chunks of modes close together, and their carrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    /// First chunk, and the one after the last.
    chunks: (usize, usize),
    /// Cosine and sine of the carrier in the frames of the second half.
    pub carrier: [[Lanes; 2]; HALF],
}

impl Cluster {
    /// Chunks of modes in `spread`, at most [`GROUP`], whose tables are added to `tables`; None if they are too few for a cluster.
    pub(super) fn of(chunks: Range<usize>, spread: Spread, table: &StepTable, tables: ClusterTables) -> Option<Self> {
        if chunks.len() < FEWEST_CHUNKS {
            return None;
        }
        let frame = spread.lowest.half_way_to(spread.highest);
        // half a frame after the middle
        let mut now = frame.half_way_to(Direction { cos: 1.0, sin: 0.0 });
        let mut directions = [now; LANES];
        for direction in &mut directions {
            *direction = now;
            now = now.times(frame);
        }
        // what the carrier turns by in eight frames
        let group = (0..LANES.ilog2()).fold(frame, |power, _| power.times(power));
        let mut carrier = [[[0.0; LANES]; 2]; HALF];
        for [cos, sin] in &mut carrier {
            for (direction, (cos, sin)) in directions.iter_mut().zip(cos.iter_mut().zip(sin)) {
                (*cos, *sin) = (direction.cos as f32, direction.sin as f32);
                *direction = direction.times(group);
            }
        }
        set_tables(chunks.clone(), frame, table, tables);
        Some(Self { chunks: (chunks.start, chunks.end), carrier })
    }

    /// Number of its chunks.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.chunks.1 - self.chunks.0
    }
}

/// Tables that chunks are added to: [`Tables`], and the imaginary part of amplitudes from displacement and from velocity.
pub(super) type ClusterTables<'a> = (&'a mut Vec<Tables>, &'a mut Vec<[Lanes; 2]>);

/// Adds the tables of the modes of `chunks`, close to the carrier that turns by `carrier` in a frame.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn set_tables(chunks: Range<usize>, carrier: Direction, table: &StepTable, (tables, phases): ClusterTables) {
    for chunk in chunks {
        let [a11, a12, a21, a22] = step_of(table, chunk);
        // eigenvalues of the step of one frame, and their roots
        let size: Eight = std::array::from_fn(|i| (a11[i] * a22[i] - a12[i] * a21[i]).sqrt());
        let re: Eight = std::array::from_fn(|i| 0.5 * (a11[i] + a22[i]));
        let im: Eight = std::array::from_fn(|i| (size[i] * size[i] - re[i] * re[i]).sqrt());
        let root_re: Eight = std::array::from_fn(|i| (0.5 * (size[i] + re[i])).sqrt());
        let root = Complexes { re: root_re, im: std::array::from_fn(|i| 0.5 * im[i] / root_re[i]) };
        let frame = Complexes { re, im };
        let mut half = frame;
        for _ in 0..SQUARINGS {
            half = half.times(&half);
        }
        // v_n = Re (v + i k) lambda^n, with k from q and v
        let inverse: Eight = std::array::from_fn(|i| 1.0 / im[i]);
        phases.push([
            std::array::from_fn(|i| (-a21[i] * inverse[i]) as f32),
            std::array::from_fn(|i| ((re[i] - a22[i]) * inverse[i]) as f32),
        ]);
        let conjugate = Complexes { re: [carrier.cos; LANES], im: [-carrier.sin; LANES] };
        let offset = logarithm(&frame.times(&conjugate));
        let offset: [Lanes; 2] = [
            std::array::from_fn(|i| (HALF_FRAMES as f64 * offset.re[i]) as f32),
            std::array::from_fn(|i| (HALF_FRAMES as f64 * offset.im[i]) as f32),
        ];
        let middle = half.times(&root);
        let mut power: [Lanes; 2] = [std::array::from_fn(|i| middle.re[i] as f32), std::array::from_fn(|i| middle.im[i] as f32)];
        let mut orders = [[[0.0; LANES]; 2]; ORDERS];
        for order in &mut orders {
            *order = power;
            power = [
                std::array::from_fn(|i| order[0][i] * offset[0][i] - order[1][i] * offset[1][i]),
                std::array::from_fn(|i| order[0][i] * offset[1][i] + order[1][i] * offset[0][i]),
            ];
        }
        tables.push(Tables([[[0.0; LANES]; 2]; LANES]));
        let Some(Tables(powers)) = tables.last_mut() else { continue };
        // opaque: otherwise the compiler takes single lanes from registers instead of from memory
        let orders = black_box(&orders);
        for (i, [re, im]) in powers.iter_mut().enumerate() {
            for (order, power) in orders.iter().enumerate() {
                (re[order], im[order]) = (power[0][i], power[1][i]);
            }
        }
    }
}

/// Logarithm of numbers within 0.04 of 1, to 1e-10.
#[inline(always)]
fn logarithm(x: &Complexes) -> Complexes {
    const TERMS: u32 = 6;
    let rest = Complexes { re: std::array::from_fn(|i| x.re[i] - 1.0), im: x.im };
    let mut sum = Complexes { re: [0.0; LANES], im: [0.0; LANES] };
    for n in (1..=TERMS).rev() {
        let factor = if n.is_multiple_of(2) { -1.0 } else { 1.0 } / f64::from(n);
        sum = rest.times(&sum);
        sum.re = std::array::from_fn(|i| sum.re[i] + factor);
    }
    rest.times(&sum)
}

/// Chunks to render together.
pub(super) struct ChunkGroup<'a> {
    pub chunks: Range<usize>,
    /// The cluster that all of them are in; None if none is.
    pub cluster: Option<&'a Cluster>,
}

/// The chunks of a range in groups of at most [`GROUP`].
pub(super) struct ChunkGroups<'a> {
    /// The clusters after the present place, in their order.
    pub clusters: &'a [Cluster],
    /// The chunks that are left.
    pub left: Range<usize>,
}

impl<'a> Iterator for ChunkGroups<'a> {
    type Item = ChunkGroup<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let Range { start, end } = self.left.clone();
        if start >= end {
            return None;
        }
        while self.clusters.first().is_some_and(|cluster| cluster.chunks.1 <= start) {
            self.clusters = &self.clusters[1..];
        }
        let cluster = self.clusters.first().filter(|cluster| cluster.chunks.0 <= start);
        let limit = match (cluster, self.clusters.first()) {
            (Some(cluster), _) => cluster.chunks.1,
            (None, Some(next)) => next.chunks.0,
            _ => end,
        };
        self.left.start = end.min(limit).min(start + GROUP);
        Some(ChunkGroup { chunks: start..self.left.start, cluster })
    }
}
