//! Bands of modes side by side in frequency, between which energy is exchanged: even in sqrt(f), each from a multiple of eight modes on.

use std::f64::consts::TAU;
use std::ops::{Deref, Range};

use crate::modal::phase_reversal::MAX_BANDS;
use crate::modal::simd::LANES;

/// Least width of a band over its frequency: several modes may have the same frequency.
const NARROWEST: f64 = 1e-6;

/// A band, and its upper edge.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Band {
    /// Its first mode, and the one after its last.
    modes: (u32, u32),
    /// f n(f)^3 over the distance [Hz] of the mean frequencies of the two [1/Hz^3], f the edge, n(f) modes per hertz there.
    pub coupling: f64,
    /// Mean of omega over its modes [1/s].
    pub omega: f64,
    /// One over the number of its modes.
    pub over_size: f64,
}

impl Band {
    /// Its modes.
    pub fn range(&self) -> Range<usize> {
        self.modes.0 as usize..self.modes.1 as usize
    }

    /// The modes from `start` to before `end`, not yet coupled.
    fn of(start: usize, end: usize) -> Self {
        Self { modes: (start as u32, end as u32), over_size: 1.0 / (end - start) as f64, ..Self::default() }
    }

    /// Number of its modes.
    pub fn size(&self) -> f64 {
        f64::from(self.modes.1 - self.modes.0)
    }
}

/// The bands of one body, at most [`MAX_BANDS`].
#[derive(Clone, Debug)]
pub(super) struct FrequencyBands {
    bands: [Band; MAX_BANDS],
    count: usize,
}

impl Default for FrequencyBands {
    fn default() -> Self {
        Self { bands: [Band::default(); MAX_BANDS], count: 0 }
    }
}

impl Deref for FrequencyBands {
    type Target = [Band];

    fn deref(&self) -> &[Band] {
        &self.bands[..self.count]
    }
}

impl FrequencyBands {
    /// Divides the modes of `part` into bands, from omega^2 [1/s^2] of all modes in their order; none if there are no modes in it.
    pub fn divide(&mut self, omega2: &[f64], part: Range<usize>) {
        let (mut start, end) = (part.start, part.end.min(omega2.len()));
        self.count = 0;
        if start >= end {
            return;
        }
        let root = |omega2: f64| omega2.sqrt().sqrt();
        let (low, width) = (root(omega2[start]), (root(omega2[end - 1]) - root(omega2[start])) / MAX_BANDS as f64);
        while start < end && self.count < MAX_BANDS {
            let edge = (low + (self.count + 1) as f64 * width).powi(4);
            // the last band takes the rest
            let end_of_band = if self.count + 1 == MAX_BANDS {
                end
            } else {
                let whole = (start + 1).next_multiple_of(LANES);
                (whole..end).step_by(LANES).find(|&i| omega2[i] >= edge).unwrap_or(end)
            };
            self.bands[self.count] = Band::of(start, end_of_band);
            self.count += 1;
            start = end_of_band;
        }
        self.set_edges(omega2);
    }

    /// Edges between the bands, half way between their mean frequencies. Half of the modes of both bands are between these.
    fn set_edges(&mut self, omega2: &[f64]) {
        let mut below = 0.0;
        for b in 0..self.count {
            let upper = self.bands[b];
            let omega = sum_of_roots(&omega2[upper.range()]) / upper.size();
            self.bands[b].omega = omega;
            let mean = omega / TAU;
            let mean_below = std::mem::replace(&mut below, mean);
            if b == 0 {
                continue;
            }
            let lower = self.bands[b - 1];
            let edge = 0.5 * (mean_below + mean);
            let distance = (mean - mean_below).max(NARROWEST * edge);
            let density = 0.5 * (lower.size() + upper.size()) / distance;
            self.bands[b - 1] = Band { coupling: edge * density.powi(3) / distance, ..lower };
        }
    }
}

/// Sum of the square roots.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn sum_of_roots(omega2: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = omega2.as_chunks::<LANES>();
    for omega2 in whole {
        for lane in 0..LANES {
            lanes[lane] += omega2[lane].sqrt();
        }
    }
    lanes.iter_mut().zip(rest).for_each(|(sum, omega2)| *sum += omega2.sqrt());
    lanes.iter().sum()
}
