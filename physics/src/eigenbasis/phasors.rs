//! Phasors that advance by exp(s_j h) in every sample, four to a vector, and weighted sums of them.
//!
//! ```text
//! a_j <- a_j exp(s_j h)      x = Re sum w_j a_j, for several weights w in the same pass
//! ```
//!
//! Like those of `modal::simd`, the loops give the same bits on every processor.

use crate::modal::tree;
use nalgebra::Complex;

/// Numbers to a vector.
pub(super) const SIDE: usize = 4;

/// Real parts and imaginary parts of [`SIDE`] numbers.
type Four = [[f64; SIDE]; 2];

/// Size below which both parts of a number are set to zero: it is inaudible and negligible in the energy, and denormal numbers
/// are slow.
const DEAD: f64 = 1e-100;

/// Complex numbers, padded with zeros.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    fours: Vec<Four>,
}

impl Turns {
    /// Room for `capacity` numbers; the only allocation.
    pub fn new(capacity: usize) -> Self {
        Self { fours: Vec::with_capacity(capacity.div_ceil(SIDE)) }
    }

    /// Takes `values`.
    pub fn take(&mut self, values: impl Iterator<Item = Complex<f64>>) {
        self.fours.clear();
        for (j, value) in values.enumerate() {
            if j.is_multiple_of(SIDE) {
                self.fours.push(Four::default());
            }
            self.set(j, value);
        }
    }

    /// Number j.
    pub fn get(&self, j: usize) -> Complex<f64> {
        let [re, im] = &self.fours[j / SIDE];
        Complex::new(re[j % SIDE], im[j % SIDE])
    }

    /// Sets number j.
    pub fn set(&mut self, j: usize, value: Complex<f64>) {
        let [re, im] = &mut self.fours[j / SIDE];
        (re[j % SIDE], im[j % SIDE]) = (value.re, value.im);
    }

    /// Flushes denormal numbers to zero.
    pub fn drop_dead(&mut self) {
        drop_dead(&mut self.fours);
    }

    /// Re sum w_j a_j with the weights `w`, of the same length.
    pub fn sum(&self, w: &Turns) -> f64 {
        let mut sums = [[0.0; SIDE]];
        for (a, w) in self.fours.iter().zip(&w.fours) {
            for lane in 0..SIDE {
                sums[0][lane] += w[0][lane] * a[0][lane] - w[1][lane] * a[1][lane];
            }
        }
        folded(&sums)[0]
    }

    /// One step of all.
    pub fn step(&mut self, strides: &Turns) {
        turn_alone(&mut self.fours, &strides.fours);
    }

    /// The same, then Re sum w_j a_j with both weights.
    pub fn step_for_two(&mut self, strides: &Turns, weights: [&Turns; 2]) -> [f64; 2] {
        turn_for_two(&mut self.fours, &strides.fours, weights.map(|w| w.fours.as_slice()))
    }

    /// The same with four.
    pub fn step_for_four(&mut self, strides: &Turns, weights: [&Turns; 4]) -> [f64; 4] {
        turn_for_four(&mut self.fours, &strides.fours, weights.map(|w| w.fours.as_slice()))
    }

    /// The same with six.
    pub fn step_for_six(&mut self, strides: &Turns, weights: [&Turns; 6]) -> [f64; 6] {
        turn_for_six(&mut self.fours, &strides.fours, weights.map(|w| w.fours.as_slice()))
    }
}

/// Flushes negligible numbers of two parts to zero.
pub(super) fn drop_dead(fours: &mut [Four]) {
    for [a, b] in fours {
        for (a, b) in a.iter_mut().zip(b) {
            if a.abs() < DEAD && b.abs() < DEAD {
                (*a, *b) = (0.0, 0.0);
            }
        }
    }
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn turn_alone(amplitudes: &mut [Four], strides: &[Four]) {
    turn(amplitudes, strides, []);
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn turn_for_two(amplitudes: &mut [Four], strides: &[Four], weights: [&[Four]; 2]) -> [f64; 2] {
    turn(amplitudes, strides, weights)
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn turn_for_four(amplitudes: &mut [Four], strides: &[Four], weights: [&[Four]; 4]) -> [f64; 4] {
    turn(amplitudes, strides, weights)
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn turn_for_six(amplitudes: &mut [Four], strides: &[Four], weights: [&[Four]; 6]) -> [f64; 6] {
    turn(amplitudes, strides, weights)
}

#[inline(always)]
fn turn<const SUMS: usize>(amplitudes: &mut [Four], strides: &[Four], weights: [&[Four]; SUMS]) -> [f64; SUMS] {
    let n = amplitudes.len();
    let strides = &strides[..n];
    let weights = weights.map(|w| &w[..n]);
    let mut sums = [[0.0; SIDE]; SUMS];
    for i in 0..n {
        let ([re, im], [c, s]) = (amplitudes[i], strides[i]);
        let (mut to_re, mut to_im) = ([0.0; SIDE], [0.0; SIDE]);
        for lane in 0..SIDE {
            to_re[lane] = re[lane] * c[lane] - im[lane] * s[lane];
            to_im[lane] = re[lane] * s[lane] + im[lane] * c[lane];
        }
        amplitudes[i] = [to_re, to_im];
        for (sum, weights) in sums.iter_mut().zip(&weights) {
            let [w, z] = &weights[i];
            for lane in 0..SIDE {
                sum[lane] += w[lane] * to_re[lane] - z[lane] * to_im[lane];
            }
        }
    }
    folded(&sums)
}

/// Every sum reduced as a tree of halves. Not inlined: the loops would be compiled for narrower registers.
#[inline(never)]
fn folded<const SUMS: usize>(sums: &[[f64; SIDE]; SUMS]) -> [f64; SUMS] {
    sums.each_ref().map(tree)
}
