//! The partials of a prepared body, and the modes of a key that follow from them.
//!
//! ```text
//! f_i     = min(f0 r_i sqrt((1 + B r_i^2)/(1 + B)), band limit)       f0: damped frequency of the ratio 1
//! sigma_i = a + pi eta f_i + c f_i^2 + 2 pi f_i zeta_i, or the prescribed decay rate of the partial
//! omega_i = sqrt((2 pi f_i)^2 + sigma_i^2)                            so that f_i is the damped frequency
//! ```

use crate::body::key_body::{BodyTuning, ExtraDecay};
use crate::body::morph::{MorphMap, PartialTable, frequency};
use urto_physics::bodies::ModalShape;
use urto_physics::modal::Mode;

/// The partials of one body, or of one that may morph into another.
#[derive(Clone)]
pub struct Partials {
    table: PartialTable,
    morph: Option<MorphMap>,
    /// Those with no nodal diameter or one, of the body and of the one it morphs into.
    round: [Vec<RoundPartial>; 2],
    /// (Partial, factor) of those whose decay time is scaled.
    scaled_decays: Vec<(usize, f64)>,
}

impl Partials {
    /// The partials of `shape`, which may morph into `other`; neither is empty. Allocates.
    pub fn new(shape: &ModalShape, other: Option<&ModalShape>) -> Self {
        let mut table = PartialTable::of(shape);
        let morph = other.map(|other| {
            let mut other = PartialTable::of(other);
            table.fill_up(&other);
            other.fill_up(&table);
            MorphMap::new(&table, &other)
        });
        let round = [Some(shape), other].map(|shape| shape.map(round).unwrap_or_default());
        let scaled_decays = (0..shape.len()).map(|i| (i, shape.decay_factors(i))).filter(|(_, factor)| *factor != 1.0).collect();
        Self { table, morph, round, scaled_decays }
    }

    /// Number of partials.
    pub fn len(&self) -> usize {
        self.table.ratios.len()
    }

    /// Damped frequency of partial `i` [Hz], before the band limit.
    pub fn frequency(&self, i: usize, pitch: &BodyTuning) -> f64 {
        let ratio = match &self.morph {
            Some(morph) if pitch.morph > 0.0 => morph.ratio(i, &self.table, pitch.morph),
            _ => self.table.ratios[i],
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

    /// Writes the first modes into `out`, at most all; frequencies above `limit` [Hz] are set to it.
    pub fn modes(&self, pitch: &BodyTuning, limit: f64, out: &mut [Mode]) {
        let n = out.len().min(self.len());
        let out = &mut out[..n];
        self.apply_losses(pitch, limit, out);
        if pitch.added != ExtraDecay::default() {
            self.add_extra_decay(pitch, out);
        }
        let share = if self.morph.is_some() { 1.0 - pitch.morph } else { 1.0 };
        for &(i, factor) in &self.scaled_decays {
            if let Some(mode) = out.get_mut(i) {
                *mode = Mode::heard_at(mode.heard_frequency(), mode.sigma / factor.powf(share));
            }
        }
    }

    /// Adds the decay of a few partials to that of all.
    fn add_extra_decay(&self, pitch: &BodyTuning, out: &mut [Mode]) {
        let shares = if self.morph.is_some() { [1.0 - pitch.morph, pitch.morph] } else { [1.0, 0.0] };
        for (round, share) in self.round.iter().zip(shares) {
            for partial in round {
                if let Some(mode) = out.get_mut(partial.number) {
                    let added = share * partial.flow * pitch.added.round[partial.diameters];
                    *mode = Mode::heard_at(mode.heard_frequency(), mode.sigma + added);
                }
            }
        }
        if let Some(lowest) = out.first_mut() {
            *lowest = Mode::heard_at(lowest.heard_frequency(), lowest.sigma + pitch.added.lowest);
        }
    }

    /// Frequencies with the losses of the body, or with the prescribed decay rates.
    fn apply_losses(&self, pitch: &BodyTuning, limit: f64, out: &mut [Mode]) {
        if let Some(morph) = self.morph.as_ref().filter(|_| pitch.morph > 0.0) {
            return morph.modes(&self.table, pitch, limit, out);
        }
        with_damping_law(&self.table, pitch, limit, out);
    }
}

/// Writes the first modes of `columns` into `out`, without a branch.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn with_damping_law(columns: &PartialTable, pitch: &BodyTuning, limit: f64, out: &mut [Mode]) {
    let n = out.len();
    let PartialTable { ratios, radiations, decays } = columns;
    let (ratios, radiations, decays) = (&ratios[..n], &radiations[..n], &decays[..n]);
    for i in 0..n {
        let f = frequency(ratios[i], pitch);
        let f = if f < limit { f } else { limit };
        let by_law = pitch.losses.sigma(f) + f * radiations[i];
        out[i] = Mode::heard_at(f, if decays[i].is_nan() { by_law } else { decays[i] });
    }
}

/// A partial with no nodal diameter or one on a head or disc.
#[derive(Clone, Copy)]
struct RoundPartial {
    number: usize,
    diameters: usize,
    /// Radiated power over that of one head alone: [`ModalShape::flow`].
    flow: f64,
}

/// The partials that have no nodal diameter or one.
fn round(shape: &ModalShape) -> Vec<RoundPartial> {
    let few = |number: usize| {
        let diameters = shape.diameters(number)? as usize;
        (diameters < 2).then(|| RoundPartial { number, diameters, flow: shape.flow(number) })
    };
    (0..shape.len()).filter_map(few).collect()
}
