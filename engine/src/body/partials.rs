//! The partials of a prepared body in columns, from which all modes of a key are tuned at once.
//!
//! ```text
//! f_i     = min(f0 r_i sqrt((1 + B r_i^2)/(1 + B)), band limit)       f0: heard frequency of the ratio 1
//! sigma_i = a + pi eta f_i + c f_i^2 + 2 pi f_i zeta_i, or the decay that the partial has of its own
//! omega_i = sqrt((2 pi f_i)^2 + sigma_i^2)                            so that f_i is heard
//! ```

use std::f64::consts::TAU;

use crate::body::morph::MorphMap;
use crate::body::prepared_body::{BodyTuning, ExtraDecay};
use urto_physics::bodies::ModalShape;
use urto_physics::modal::Mode;

/// What is known of partials, one entry each, in order of frequency.
#[derive(Clone)]
pub struct PartialTable {
    /// Frequency over that of the ratio 1.
    pub ratios: Vec<f64>,
    /// Decay rate by radiation over frequency, 2 pi zeta.
    pub radiations: Vec<f64>,
    /// Decay rate of its own [1/s]; NaN without one.
    pub decays: Vec<f64>,
}

impl PartialTable {
    fn of(shape: &ModalShape) -> Self {
        let column = |of: &dyn Fn(usize) -> f64| (0..shape.len()).map(of).collect();
        Self {
            ratios: column(&|i| shape.ratio(i)),
            radiations: column(&|i| TAU * shape.radiation(i)),
            decays: column(&|i| shape.own_decay(i).unwrap_or(f64::NAN)),
        }
    }

    /// Fills up to as many partials as `other` has, as far from the last of its own as those of `other` are from that one's partner.
    fn fill_up(&mut self, other: &Self) {
        let own = self.ratios.len();
        let shift = self.ratios[own - 1] / other.ratios[(own - 1).min(other.ratios.len() - 1)];
        self.ratios.extend(other.ratios.iter().skip(own).map(|ratio| ratio * shift));
        self.radiations.extend(other.radiations.iter().skip(own));
        self.decays.extend(other.decays.iter().skip(own));
    }
}

/// The partials of one body, or of one that may turn into another.
#[derive(Clone)]
pub struct Partials {
    columns: PartialTable,
    towards: Option<MorphMap>,
    /// Partials with no nodal diameter or one, of the body and of what it may turn into.
    round: [Vec<(usize, usize)>; 2],
    /// Partials whose decay time has a factor.
    slowed: Vec<(usize, f64)>,
}

impl Partials {
    /// The partials of `shape`, which may turn into `other`; neither is empty. Allocates.
    pub fn new(shape: &ModalShape, other: Option<&ModalShape>) -> Self {
        let mut columns = PartialTable::of(shape);
        let towards = other.map(|other| {
            let mut other = PartialTable::of(other);
            columns.fill_up(&other);
            other.fill_up(&columns);
            MorphMap::new(&columns, &other)
        });
        let round = [Some(shape), other].map(|shape| shape.map(round).unwrap_or_default());
        let slowed = (0..shape.len()).map(|i| (i, shape.decay_factors(i))).filter(|(_, slowness)| *slowness != 1.0).collect();
        Self { columns, towards, round, slowed }
    }

    /// Number of partials.
    pub fn len(&self) -> usize {
        self.columns.ratios.len()
    }

    /// Heard frequency of partial `i` [Hz], without the band limit.
    pub fn frequency(&self, i: usize, pitch: &BodyTuning) -> f64 {
        let ratio = match &self.towards {
            Some(towards) if pitch.morph > 0.0 => towards.ratio(i, &self.columns, pitch.morph),
            _ => self.columns.ratios[i],
        };
        frequency(ratio, pitch)
    }

    /// Number of partials up to `limit` [Hz].
    pub fn count_below(&self, limit: f64, pitch: &BodyTuning) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.frequency(middle, pitch) <= limit {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The first modes, as many as `out` holds and at most all; what lies above `limit` [Hz] is held there.
    pub fn modes(&self, pitch: &BodyTuning, limit: f64, out: &mut [Mode]) {
        let n = out.len().min(self.len());
        let out = &mut out[..n];
        self.lawful(pitch, limit, out);
        if pitch.added != ExtraDecay::default() {
            self.add(pitch, out);
        }
        let share = if self.towards.is_some() { 1.0 - pitch.morph } else { 1.0 };
        for &(i, slowness) in &self.slowed {
            if let Some(mode) = out.get_mut(i) {
                *mode = Mode::heard_at(mode.heard_frequency(), mode.sigma / slowness.powf(share));
            }
        }
    }

    /// What loses more than by the law.
    fn add(&self, pitch: &BodyTuning, out: &mut [Mode]) {
        let shares = if self.towards.is_some() { [1.0 - pitch.morph, pitch.morph] } else { [1.0, 0.0] };
        for (round, share) in self.round.iter().zip(shares) {
            for &(i, diameters) in round {
                if let Some(mode) = out.get_mut(i) {
                    *mode = Mode::heard_at(mode.heard_frequency(), mode.sigma + share * pitch.added.round[diameters]);
                }
            }
        }
        if let Some(lowest) = out.first_mut() {
            *lowest = Mode::heard_at(lowest.heard_frequency(), lowest.sigma + pitch.added.lowest);
        }
    }

    /// All by the law of the body, or as they decay of their own.
    fn lawful(&self, pitch: &BodyTuning, limit: f64, out: &mut [Mode]) {
        if let Some(towards) = self.towards.as_ref().filter(|_| pitch.morph > 0.0) {
            return towards.modes(&self.columns, pitch, limit, out);
        }
        with_damping_law(&self.columns, pitch, limit, out);
    }
}

/// The first modes of `columns`, as many as there is room for; no branch.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn with_damping_law(columns: &PartialTable, pitch: &BodyTuning, limit: f64, out: &mut [Mode]) {
    let n = out.len();
    let PartialTable { ratios, radiations, decays } = columns;
    let (ratios, radiations, decays) = (&ratios[..n], &radiations[..n], &decays[..n]);
    for i in 0..n {
        let f = frequency(ratios[i], pitch);
        let f = if f < limit { f } else { limit };
        let lawful = pitch.losses.sigma(f) + f * radiations[i];
        out[i] = Mode::heard_at(f, if decays[i].is_nan() { lawful } else { decays[i] });
    }
}

/// (Partial, nodal diameters) of those that have none or one on a head or disc.
fn round(shape: &ModalShape) -> Vec<(usize, usize)> {
    let few = |i: usize| shape.diameters(i).map(|diameters| (i, diameters as usize)).filter(|&(_, diameters)| diameters < 2);
    (0..shape.len()).filter_map(few).collect()
}

/// Heard frequency of a partial of `ratio` [Hz], without the band limit.
#[inline(always)]
pub fn frequency(ratio: f64, pitch: &BodyTuning) -> f64 {
    let stiffness = pitch.inharmonicity;
    pitch.lowest * ratio * ((1.0 + stiffness * ratio * ratio) / (1.0 + stiffness)).sqrt()
}
