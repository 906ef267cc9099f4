//! The body of one key: key tracking, pitch and losses.

use crate::params::{ParamId, ParamValues};
use urto_physics::bodies::{Losses, Material};

/// Key tracking of a body: factors relative to the body of the home key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyScaling {
    /// Factor of the mass.
    pub mass: f64,
    /// Factor of the decay time.
    pub decay: f64,
    /// Factor of the radiation cutoff.
    pub corner: f64,
}

impl Default for KeyScaling {
    fn default() -> Self {
        Self { mass: 1.0, decay: 1.0, corner: 1.0 }
    }
}

impl KeyScaling {
    /// The factors of a key whose frequency is `ratio` times that of the home key.
    pub fn new(settings: &ParamValues, ratio: f64) -> Self {
        let power = |exponent| ratio.powf(settings.get(exponent));
        Self { mass: power(ParamId::TrackBody), decay: power(ParamId::TrackDecay), corner: power(ParamId::CornerTracking) }
    }
}

/// Mass and morph of a body, from which the weights of its modes at a position follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySize {
    /// Mass [kg].
    pub mass: f64,
    /// Morph amount, 0 to 1.
    pub morph: f64,
}

/// Additional decay rates [1/s] of a few partials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExtraDecay {
    /// Of the lowest partial.
    pub lowest: f64,
    /// Of partials with no nodal diameter and with one, on heads and discs.
    pub round: [f64; 2],
}

/// Pitch, losses and morph of the body of one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyTuning {
    /// Damped frequency of the ratio 1 [Hz].
    pub lowest: f64,
    /// Inharmonicity B.
    pub inharmonicity: f64,
    /// Decay rate of a partial as a function of its frequency.
    pub losses: Losses,
    /// Additional decay rates [1/s] of a few partials.
    pub added: ExtraDecay,
    /// Morph amount, 0 to 1.
    pub morph: f64,
}

impl BodyTuning {
    /// The body of a key at `hertz` [Hz], scaled by `scaling`; `value` returns the current value of a parameter.
    pub fn new(hertz: f64, scaling: KeyScaling, value: impl Fn(ParamId) -> f64) -> Self {
        let material = Material::NAMED.get((value(ParamId::Material) as usize).wrapping_sub(1));
        let internal = material.map_or(Losses::default(), |(_, material)| material.losses);
        Self {
            lowest: hertz * (value(ParamId::Tune) / 12.0).exp2(),
            inharmonicity: value(ParamId::Inharmonicity),
            losses: Losses {
                constant: 1000_f64.ln() / (value(ParamId::Decay) * scaling.decay),
                structural: value(ParamId::Loss),
                viscous: value(ParamId::Viscosity),
            } + internal,
            added: ExtraDecay {
                lowest: value(ParamId::ResonatorLoss),
                round: [value(ParamId::MonopoleLoss), value(ParamId::DipoleLoss)],
            },
            morph: value(ParamId::Morph),
        }
    }
}
