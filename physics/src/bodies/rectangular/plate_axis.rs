//! Sines and cosines of one axis of a rectangular plate on half a grid, for `plate_potential`.
//!
//! Half waves with odd and with even numbers are symmetric and antisymmetric about the middle: each class needs half of the grid.
//! A mirrored cosine of a mode has the other sign; it only occurs twice in a product.

use std::f64::consts::PI;

/// Stress functions along an axis that always count.
const FEWEST_STRESSES: usize = 8;

/// How many stress functions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StressDetail {
    /// About as many as modes along each axis. V of a plate struck hard is a thousandth too low, with the same energy in every mode a
    /// hundredth; the grid is smaller.
    Cut,
    /// All that are not zero.
    Full,
}

/// Sizes of one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Half waves 1 to `waves`.
    pub waves: usize,
    /// Points of half the grid.
    pub points: usize,
    /// Stress functions of either class: cosines 0, 2, 4... and 1, 3, 5...
    pub stresses: usize,
    /// The highest stress function that counts.
    pub highest: usize,
    /// Length over the root of the area.
    pub length: f64,
}

impl Axis {
    /// Sizes of an axis with half waves up to `waves`; its half grid has a multiple of `unit` points.
    pub fn new(waves: usize, length: f64, unit: usize, detail: StressDetail) -> Self {
        let all = 2 * waves;
        let wanted = match detail {
            StressDetail::Full => all,
            StressDetail::Cut => waves.max(FEWEST_STRESSES).min(all),
        };
        // products of two modes and a stress function alias from 2 waves + highest = 4 points on
        let points = ((2 * waves + wanted) / 4 + 1).next_multiple_of(unit);
        let most = all.min(4 * points - 2 * waves - 1);
        let stresses = (wanted / 2 + 1).next_multiple_of(unit);
        let fewer = if detail == StressDetail::Cut && unit > 1 { wanted.div_ceil(2).next_multiple_of(unit) } else { stresses };
        let stresses = stresses.min(fewer);
        Self { waves, points, stresses, highest: most.min(2 * stresses - 1), length }
    }

    /// Half waves of class 0 (odd numbers) or 1.
    pub fn count(&self, class: usize) -> usize {
        (self.waves + 1 - class) / 2
    }

    /// Wave number k of half wave n.
    pub fn wave(&self, n: usize) -> f64 {
        n as f64 * PI / self.length
    }

    /// Angle of point i for a wave of number 1.
    fn angle(&self, i: usize) -> f64 {
        (i as f64 + 0.5) * PI / (2 * self.points) as f64
    }

    /// sin, k^2 sin or k cos of the half waves of a class: [half wave][point].
    pub fn table(&self, kind: WaveKind, class: usize) -> Vec<Vec<f64>> {
        let row = |n: usize| {
            let k = self.wave(n);
            let value = |x: f64| match kind {
                WaveKind::Sine => (n as f64 * x).sin(),
                WaveKind::Bent => -k * k * (n as f64 * x).sin(),
                WaveKind::Slope => k * (n as f64 * x).cos(),
            };
            (0..self.points).map(|i| value(self.angle(i))).collect()
        };
        (0..self.count(class)).map(|i| row(2 * i + 1 + class)).collect()
    }

    /// Cosines of the stress functions of a class: [function][point].
    pub fn stress_table(&self, class: usize) -> Vec<Vec<f64>> {
        let row = |p: usize| (0..self.points).map(|i| (p as f64 * self.angle(i)).cos()).collect();
        (0..self.stresses).map(|i| row(2 * i + class)).collect()
    }

    /// The square of the wave number of stress function p, and the factor of its sum over the grid, times its norm: 0 if it does not
    /// count.
    pub fn stress(&self, p: usize) -> (f64, f64) {
        let k = self.wave(p);
        let grid = (2 * self.points) as f64;
        let norm = if p == 0 { 0.5_f64.sqrt() } else { 1.0 } * 2.0 / grid * 0.5_f64.sqrt();
        (k * k, if p <= self.highest { norm } else { 0.0 })
    }
}

/// A function of a half wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaveKind {
    /// sin.
    Sine,
    /// Its second derivative.
    Bent,
    /// Its slope.
    Slope,
}
