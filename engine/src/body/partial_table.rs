//! A table of partials: ratios and losses, before the tuning of a key.

use std::f64::consts::TAU;

use crate::body::key_body::BodyTuning;
use urto_physics::bodies::ModalShape;

/// Ratios and losses of partials in columns, in order of frequency.
#[derive(Clone)]
pub struct PartialTable {
    /// Frequency over that of the ratio 1.
    pub ratios: Vec<f64>,
    /// Decay rate by radiation over frequency, 2 pi zeta.
    pub radiations: Vec<f64>,
    /// Prescribed decay rate [1/s]; NaN without one.
    pub decays: Vec<f64>,
}

impl PartialTable {
    /// The partials of `shape`. Allocates.
    pub fn of(shape: &ModalShape) -> Self {
        let column = |of: &dyn Fn(usize) -> f64| (0..shape.len()).map(of).collect();
        Self {
            ratios: column(&|i| shape.ratio(i)),
            radiations: column(&|i| TAU * shape.radiation(i)),
            decays: column(&|i| shape.own_decay(i).unwrap_or(f64::NAN)),
        }
    }

    /// Appends partials until there are as many as in `other`: those of `other`, shifted by the ratio of the last partial that both
    /// have.
    pub fn fill_up(&mut self, other: &Self) {
        let count = self.ratios.len();
        let shift = self.ratios[count - 1] / other.ratios[(count - 1).min(other.ratios.len() - 1)];
        self.ratios.extend(other.ratios.iter().skip(count).map(|ratio| ratio * shift));
        self.radiations.extend(other.radiations.iter().skip(count));
        self.decays.extend(other.decays.iter().skip(count));
    }
}

/// Damped frequency [Hz] of a partial at `ratio`, before the band limit.
#[inline(always)]
pub fn frequency(ratio: f64, pitch: &BodyTuning) -> f64 {
    let stiffness = pitch.inharmonicity;
    pitch.lowest * ratio * ((1.0 + stiffness * ratio * ratio) / (1.0 + stiffness)).sqrt()
}
