//! A request for a prepared body: which type, with how many modes, and how it differs from the ideal one.

use crate::params::{BodyKind, ParamId, ParamValues};
use urto_physics::bodies::BodyPosition;

/// Differences from the ideal body of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyVariation {
    /// Longer over shorter side of a plate.
    pub aspect: f64,
    /// Air load of a head, 2 rho a/sigma.
    pub air: f64,
    /// Relative frequency difference of the modes of a pair; added to that of the bell.
    pub split: f64,
    /// Relative random detuning of partials.
    pub irregularity: f64,
    /// Exponent of all frequency ratios.
    pub power: f64,
}

impl BodyVariation {
    /// The differences for the parameters `settings`.
    pub fn of(settings: &ParamValues) -> Self {
        Self {
            aspect: settings.get(ParamId::Aspect),
            air: settings.get(ParamId::AirLoad),
            split: settings.get(ParamId::Split),
            irregularity: settings.get(ParamId::Irregularity),
            power: settings.get(ParamId::RatioPower),
        }
    }
}

/// A request for a prepared body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySpec {
    /// Body type.
    pub kind: BodyKind,
    /// Number of modes, >= 1.
    pub modes: usize,
    /// Strike position; dense bodies keep the modes that this position excites most.
    pub strike: BodyPosition,
    /// Body type that it morphs into.
    pub to: Option<BodyKind>,
    /// Differences from the ideal body of its type.
    pub outline: BodyVariation,
}

impl BodySpec {
    /// `modes` modes of `kind`; everything else has its default.
    pub fn new(kind: BodyKind, modes: usize) -> Self {
        let settings = ParamValues::default();
        Self { kind, modes, strike: settings.strike_position(), to: None, outline: BodyVariation::of(&settings) }
    }

    /// The body for the parameters `settings`.
    pub fn of(settings: &ParamValues) -> Self {
        let modes = settings.get(ParamId::Modes) as usize;
        let (kind, strike, to) = (settings.body_kind(), settings.strike_position(), settings.morph_kind());
        Self { kind, modes, strike, to, outline: BodyVariation::of(settings) }
    }

    /// Whether the body of `other` can be used instead. A moved hammer needs no other body.
    pub fn is_satisfied_by(&self, other: &Self) -> bool {
        self.kind == other.kind && self.modes == other.modes && self.to == other.to && self.outline == other.outline
    }
}
