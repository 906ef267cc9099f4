//! The partials of a prepared body in columns, from which all modes of a key are tuned at once.
//!
//! ```text
//! f_i     = min(f0 r_i sqrt((1 + B r_i^2)/(1 + B)), band limit)       f0: heard frequency of the ratio 1
//! sigma_i = a + pi eta f_i + c f_i^2 + 2 pi f_i zeta_i, or the decay that the partial has of its own
//! omega_i = sqrt((2 pi f_i)^2 + sigma_i^2)                            so that f_i is heard
//! ```

use std::f64::consts::TAU;

use super::body::Pitch;
use crate::physics::modes::Mode;
use crate::physics::shapes::Shape;

/// The partials of one body, in order of frequency.
pub struct Partials {
    /// Frequency over that of the ratio 1.
    ratios: Vec<f64>,
    /// Decay rate by radiation over frequency, 2 pi zeta.
    radiations: Vec<f64>,
    /// Decay rate of its own [1/s]; NaN without one.
    decays: Vec<f64>,
}

impl Partials {
    /// The partials of `shape`. Allocates.
    pub fn of(shape: &Shape) -> Self {
        let column = |of: &dyn Fn(usize) -> f64| (0..shape.len()).map(of).collect();
        Self {
            ratios: column(&|i| shape.ratio(i)),
            radiations: column(&|i| TAU * shape.radiation(i)),
            decays: column(&|i| shape.own_decay(i).unwrap_or(f64::NAN)),
        }
    }

    /// Number of partials.
    pub fn len(&self) -> usize {
        self.ratios.len()
    }

    /// Heard frequency of partial `i` [Hz], without the band limit.
    pub fn frequency(&self, i: usize, pitch: &Pitch) -> f64 {
        frequency(self.ratios[i], pitch)
    }

    /// Number of partials up to `limit` [Hz].
    pub fn below(&self, limit: f64, pitch: &Pitch) -> usize {
        self.ratios.partition_point(|&ratio| frequency(ratio, pitch) <= limit)
    }

    /// The first modes, as many as `out` holds and at most all; what lies above `limit` [Hz] is held there.
    pub fn modes(&self, pitch: &Pitch, limit: f64, out: &mut [Mode]) {
        let n = out.len().min(self.len());
        let (ratios, radiations, decays) = (&self.ratios[..n], &self.radiations[..n], &self.decays[..n]);
        for (i, mode) in out[..n].iter_mut().enumerate() {
            let f = frequency(ratios[i], pitch).min(limit);
            let sigma = if decays[i].is_nan() { pitch.losses.sigma(f) + f * radiations[i] } else { decays[i] };
            let turning = TAU * f;
            *mode = Mode { omega: (turning * turning + sigma * sigma).sqrt(), sigma };
        }
    }
}

/// Heard frequency of a partial of `ratio` [Hz], without the band limit.
#[inline(always)]
fn frequency(ratio: f64, pitch: &Pitch) -> f64 {
    let stiffness = pitch.inharmonicity;
    pitch.lowest * ratio * ((1.0 + stiffness * ratio * ratio) / (1.0 + stiffness)).sqrt()
}
