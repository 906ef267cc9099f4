//! A prepared body: what is the same for every key, made away from the audio thread.
//!
//! A key's own body sounds the partials f_i = f0 r_i sqrt((1 + B r_i^2)/(1 + B)), f0 = 440 Hz 2^((key - 69 + tune)/12), each heard at
//! its damped frequency. Free bodies hang on a soft suspension, which comes first among their modes.

use std::f64::consts::TAU;

use super::knob::{KnobId, Settings};
use super::patch::{BodyKind, FreeMode};
use crate::physics::modes::Mode;
use crate::physics::shapes::{ListMode, Losses, Shape};

/// Frequency [Hz] and damping ratio of the suspension of a free body: soft enough to be out of the way of the lowest partial,
/// damped enough to come to rest between strokes.
const SUSPENSION: (f64, f64) = (12.0, 0.3);

/// Highest partial that is computed [Hz], whatever the rate, so that all rates sound alike.
const HIGHEST_PARTIAL: f64 = 20e3;

/// Highest partial over the sample rate: the exact step needs room below half the rate.
const HIGHEST_RATIO: f64 = 0.48;

/// Which body is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyRequest {
    /// What is struck.
    pub kind: BodyKind,
    /// Number of modes, >= 1.
    pub modes: usize,
}

impl BodyRequest {
    /// The body that `settings` ask for.
    pub fn of(settings: &Settings) -> Self {
        Self { kind: settings.body_kind(), modes: settings.get(KnobId::Modes) as usize }
    }
}

/// Pitch and losses of one key's body.
#[derive(Clone, Copy, Debug)]
pub struct Pitch {
    /// Heard frequency of the ratio 1 [Hz].
    pub lowest: f64,
    /// Coefficient B.
    pub inharmonicity: f64,
    /// Decay rate of a partial by its frequency.
    pub losses: Losses,
}

impl Pitch {
    /// Pitch of `key` with the values that `knob` gives for the knobs of the body.
    pub fn of_key(key: u8, knob: impl Fn(KnobId) -> f64) -> Self {
        Self {
            lowest: 440.0 * ((f64::from(key) - 69.0 + knob(KnobId::Tune)) / 12.0).exp2(),
            inharmonicity: knob(KnobId::Inharmonicity),
            losses: Losses {
                constant: 1000_f64.ln() / knob(KnobId::Decay),
                structural: knob(KnobId::Loss),
                viscous: knob(KnobId::Viscosity),
            },
        }
    }
}

/// A prepared body.
pub struct Body {
    request: BodyRequest,
    shape: Shape,
}

impl Body {
    /// Prepares the body `request`; `free` is the list for [`BodyKind::Modes`], lowest modes first to stay (empty: one mode).
    /// Allocates; not for the audio thread.
    pub fn prepare(request: BodyRequest, free: &[FreeMode]) -> Box<Body> {
        let modes = request.modes.max(1);
        let shape = match request.kind {
            BodyKind::String => Shape::string(modes),
            BodyKind::Bar => Shape::bar(modes),
            BodyKind::Modes => Shape::list(&listed(free, modes)),
        };
        Box::new(Body { request, shape })
    }

    /// What was asked for.
    pub fn request(&self) -> BodyRequest {
        self.request
    }

    /// Number of partials, without the suspension.
    pub fn partials(&self) -> usize {
        self.shape.len()
    }

    /// Number of modes that come before the partials: 1 on a suspension, else 0.
    pub fn rigid(&self) -> usize {
        usize::from(self.shape.suspended())
    }

    /// Heard frequency of partial `i` [Hz].
    pub fn partial(&self, i: usize, pitch: &Pitch) -> f64 {
        let (r, b) = (self.shape.ratio(i), pitch.inharmonicity);
        pitch.lowest * r * ((1.0 + b * r * r) / (1.0 + b)).sqrt()
    }

    /// Number of partials below the band limit at `rate` [Hz].
    pub fn fitting(&self, pitch: &Pitch, rate: f64) -> usize {
        let limit = band_limit(rate);
        (0..self.partials()).take_while(|&i| self.partial(i, pitch) <= limit).count()
    }

    /// The first `partials` modes, suspension in front; what lies above the band limit is held there.
    pub fn modes(&self, partials: usize, pitch: Pitch, rate: f64) -> impl Iterator<Item = Mode> {
        let (hertz, ratio) = SUSPENSION;
        let suspension = Mode { omega: TAU * hertz, sigma: TAU * hertz * ratio };
        let limit = band_limit(rate);
        let partial = move |i| {
            let frequency = self.partial(i, &pitch).min(limit);
            let sigma = self.shape.own_decay(i).unwrap_or_else(|| pitch.losses.sigma(frequency));
            Mode::heard_at(frequency, sigma)
        };
        std::iter::repeat_n(suspension, self.rigid()).chain((0..partials.min(self.partials())).map(partial))
    }

    /// Weights phi(`place`)/sqrt(modal mass) of all modes [kg^-1/2] for a hammer, suspension in front.
    pub fn hammer_weights(&self, place: f64, mass: f64, out: &mut [f64]) {
        let rigid = self.rigid().min(out.len());
        out[..rigid].fill(1.0 / mass.sqrt());
        self.shape.weights_at(place, mass, &mut out[rigid..]);
    }

    /// The same for a pickup, which does not hear the suspension.
    pub fn pickup_weights(&self, place: f64, mass: f64, out: &mut [f64]) {
        self.hammer_weights(place, mass, out);
        let rigid = self.rigid().min(out.len());
        out[..rigid].fill(0.0);
    }
}

/// Highest partial at `rate` [Hz].
pub fn band_limit(rate: f64) -> f64 {
    HIGHEST_PARTIAL.min(HIGHEST_RATIO * rate)
}

/// The lowest `most` modes of a free list in order of frequency; one mode for an empty list.
fn listed(free: &[FreeMode], most: usize) -> Vec<ListMode> {
    let mut list: Vec<_> = free
        .iter()
        .filter(|mode| mode.ratio > 0.0 && mode.mass > 0.0)
        .enumerate()
        .map(|(i, mode)| ListMode {
            ratio: mode.ratio,
            decay: mode.decay,
            mass: mode.mass,
            shape: mode.shape.clone(),
            order: i + 1,
        })
        .collect();
    if list.is_empty() {
        list.push(ListMode { ratio: 1.0, decay: None, mass: 1.0, shape: Vec::new(), order: 1 });
    }
    list.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    list.truncate(most);
    list
}
