//! Thinning: of the high modes of a dense body, every second chunk of [`LANES`] rests, and a hammer does not meet it.
//!
//! ```text
//! chunk         0 .. n  n+1     n+2  n+3 ..        n: that of mode THINNED_FROM
//! weight W           W  sqrt2 W  0   sqrt2 W ..    keeps sum W^2, hence B and the energy that a hammer gives
//! state              z  g z      0   g z           g^2 = 0.96 (E kept + E resting)/(E kept) of a group of chunks, at most 4
//! ```
//!
//! The remaining modes have the energy of all, so that the weights of the pickups stay. When thinning ends, each mode shares its energy evenly with its
//! neighbour in the next chunk: the energy is the same.

use crate::modal::mode_bank::ModeBank;
use crate::modal::simd::{LANES, energy};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};
use std::ops::Range;

/// Mode from which on every second chunk can rest; a multiple of [`LANES`].
pub const THINNED_FROM: usize = 256;

/// Maximum number of groups of chunks.
const MAX_GROUPS: usize = 64;

/// Minimum number of pairs of chunks in a group.
const GROUP_PAIRS: usize = 4;

/// Part of the energy that remains: the factors are found some frames before they are applied.
const KEPT_ENERGY: f64 = 0.96;

/// Maximum factor of a mode.
const MOST_GAIN: f64 = 2.0;

/// Factors of the modes that remain when a body is thinned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThinningGains {
    groups: [f32; MAX_GROUPS],
    /// Pairs of chunks of a group.
    pairs: usize,
}

impl ThinningGains {
    /// Factor of mode i, 0 if it rests.
    pub fn of_mode(&self, i: usize) -> f64 {
        let Some(chunk) = (i / LANES).checked_sub(THINNED_FROM / LANES) else { return 1.0 };
        if chunk % 2 == 1 { 0.0 } else { f64::from(self.groups[(chunk / 2 / self.pairs).min(MAX_GROUPS - 1)]) }
    }
}

/// About how many modes of a body of `modes` modes rest while it is thinned.
pub fn resting_modes(modes: usize) -> f32 {
    0.5 * modes.saturating_sub(THINNED_FROM) as f32
}

/// Factor of the weights of mode i of a body of `modes` modes while it is thinned. A mode without a neighbour in the next chunk keeps its own.
pub fn thinned_weight(i: usize, modes: usize) -> f64 {
    match (i / LANES).checked_sub(THINNED_FROM / LANES) {
        None => 1.0,
        Some(chunk) if chunk % 2 == 1 => 0.0,
        Some(_) if i + LANES < modes => SQRT_2,
        Some(_) => 1.0,
    }
}

impl ModeBank {
    /// Whether enough modes are held for thinning.
    pub fn can_be_thinned(&self) -> bool {
        self.felt <= THINNED_FROM && self.modes.padded() >= 2 * THINNED_FROM
    }

    /// Whether it is thinned.
    pub fn is_thinned(&self) -> bool {
        self.thinned
    }

    /// Number of modes that rest, padding included.
    pub(super) fn resting(&self) -> usize {
        if self.thinned { (self.modes.padded() - THINNED_FROM) / LANES / 2 * LANES } else { 0 }
    }

    /// Chunks of held modes after which every second one rests.
    pub(super) fn full_chunks(&self) -> usize {
        if self.thinned { (THINNED_FROM - self.felt) / LANES } else { usize::MAX }
    }

    /// Changes weights of all modes to those of a thinned body.
    pub(super) fn thin_weights(&self, weights: &mut [f64]) {
        let modes = self.modes.len();
        weights.iter_mut().enumerate().skip(THINNED_FROM).for_each(|(i, weight)| *weight *= thinned_weight(i, modes));
    }

    /// Energy [J] of the modes of a range.
    fn energy_of(&self, modes: Range<usize>) -> f64 {
        let (range, of) = (modes.start..modes.end.min(self.modes.padded()), &self.modes);
        energy(&of.omega2[range.clone()], &of.q[range.clone()], &of.v[range])
    }

    /// Whether all modes that can be thinned are at rest.
    pub fn high_modes_rest(&self) -> bool {
        self.energy_of(THINNED_FROM..self.modes.padded()) == 0.0
    }

    /// Pairs of chunks: the first mode of each.
    fn pairs(&self) -> impl Iterator<Item = usize> + use<> {
        (THINNED_FROM..self.modes.padded()).step_by(2 * LANES)
    }

    /// The factors with which the modes that remain would take over the energy of the others.
    pub fn thinning_gains(&self) -> ThinningGains {
        let count = self.pairs().count();
        let pairs = count.div_ceil(MAX_GROUPS).max(GROUP_PAIRS);
        let (mut kept, mut resting) = ([0.0; MAX_GROUPS], [0.0; MAX_GROUPS]);
        for (n, start) in self.pairs().enumerate() {
            kept[n / pairs] += self.energy_of(start..start + LANES);
            if start + LANES < self.modes.padded() {
                resting[n / pairs] += self.energy_of(start + LANES..start + 2 * LANES);
            }
        }
        let gain = |(kept, resting): (f64, f64)| {
            if kept > 0.0 { (KEPT_ENERGY * (1.0 + resting / kept)).sqrt().min(MOST_GAIN) } else { 1.0 }
        };
        let mut groups = [1.0; MAX_GROUPS];
        groups.iter_mut().zip(kept.into_iter().zip(resting)).for_each(|(group, energies)| *group = gain(energies) as f32);
        ThinningGains { groups, pairs }
    }

    /// Thins it; the factors are reduced by a common one where the energy would grow. Returns that factor, at most 1.
    pub fn thin(&mut self, gains: &ThinningGains) -> f64 {
        self.forget_ahead();
        let high = THINNED_FROM..self.modes.padded();
        let before = self.energy_of(high.clone());
        for i in high.clone() {
            let gain = gains.of_mode(i);
            self.modes.q[i] *= gain;
            self.modes.v[i] *= gain;
        }
        self.thinned = true;
        let after = self.energy_of(high.clone());
        if after <= before {
            return 1.0;
        }
        let factor = (before / after).sqrt();
        self.modes.q[high.clone()].iter_mut().chain(&mut self.modes.v[high]).for_each(|x| *x *= factor);
        factor
    }

    /// Thins it while all modes that can be thinned are at rest.
    pub fn thin_at_rest(&mut self) {
        self.forget_ahead();
        self.thinned = true;
    }

    /// Ends thinning: every mode that remained gives half of its energy to its neighbour in the next chunk.
    pub fn thicken(&mut self) {
        self.forget_ahead();
        self.thinned = false;
        for i in self.pairs().flat_map(|start| start..start + LANES) {
            let (one, other) = (i, i + LANES);
            let Some([from, to]) = self.modes.list.get(one).zip(self.modes.list.get(other)).map(|(a, b)| [a.omega, b.omega])
            else {
                return;
            };
            if from > 0.0 && to > 0.0 {
                let (q, v) = (self.modes.q[one] * FRAC_1_SQRT_2, self.modes.v[one] * FRAC_1_SQRT_2);
                (self.modes.q[one], self.modes.v[one]) = (q, v);
                (self.modes.q[other], self.modes.v[other]) = (q * (from / to), v);
            }
        }
    }
}
