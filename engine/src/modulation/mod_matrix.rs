//! The modulation matrix: rows of source, target, amount and curve.

use crate::params::{MOD_ROW_PARAMS, MOD_TARGET_PARAMS, ModRowParams, ModSource, ParamId, ParamValues, UpdateRate};

/// Number of rows.
pub const ROWS: usize = MOD_ROW_PARAMS.len();

/// What a target belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TargetScope {
    /// A voice, in every control block.
    Voice,
    /// A strike: its value is that at the strike.
    Strike,
    /// The part, in every control block. Sources of notes are those of the note struck last.
    Part,
    /// The body of the part, which is prepared on another thread: values of sources other than macros are those at the last strike.
    Body,
}

impl TargetScope {
    /// That of a parameter.
    pub fn of(param: ParamId) -> Self {
        use ParamId::*;
        match param {
            _ if param.moves_hammers() => Self::Voice,
            Hold | Gravity | SpringBack => Self::Voice,
            Tune | Inharmonicity | Decay | Loss | Viscosity | ResonatorLoss | MonopoleLoss | DipoleLoss => Self::Voice,
            PickupLeft | PickupLeftAcross | PickupRight | PickupRightAcross | Corner | Resonator | MonoBelow => Self::Voice,
            ConcertPitch | Stretch => Self::Part,
            _ => match param.spec().update_rate {
                UpdateRate::NextStrike => Self::Strike,
                UpdateRate::NewBody => Self::Body,
                UpdateRate::Immediate | UpdateRate::OnGrid => Self::Part,
            },
        }
    }
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Its source.
    pub source: ModSource,
    /// Its target.
    pub target: ParamId,
    /// What the target belongs to.
    pub scope: TargetScope,
    /// Whether its offset moves smoothly: that of a smoothed parameter of a voice.
    pub is_smoothed: bool,
    /// Its amount, -1 to 1.
    amount: f64,
    /// Exponent of the source.
    exponent: f64,
}

impl Row {
    fn of(settings: &ParamValues, params: &ModRowParams) -> Option<Self> {
        let source = ModSource::from_value(settings.get(params.source));
        let target = MOD_TARGET_PARAMS.get(settings.get(params.target) as usize).copied().flatten()?;
        let (amount, curve) = (settings.get(params.amount), settings.get(params.curve));
        let scope = TargetScope::of(target);
        let is_smoothed = scope == TargetScope::Voice && target.spec().update_rate == UpdateRate::OnGrid;
        let row = Self { source, target, scope, is_smoothed, amount, exponent: 4_f64.powf(curve) };
        (source != ModSource::Off).then_some(row)
    }

    /// The offset of the target for the value `value` of the source, -1 to 1: `amount sign(value) |value|^(4^curve)`.
    pub fn offset(&self, value: f64) -> f64 {
        let curved = if self.exponent == 1.0 { value } else { value.abs().powf(self.exponent).copysign(value) };
        self.amount * curved
    }

    /// Whether each voice has an offset of its own.
    pub fn is_of_voice(&self, lfos_of_notes: [bool; 2]) -> bool {
        matches!(self.scope, TargetScope::Voice | TargetScope::Strike) && is_of_note(self.source, lfos_of_notes)
    }
}

/// Whether a source keeps its value from one strike to the next.
pub fn is_of_strike(source: ModSource) -> bool {
    matches!(source, ModSource::Random | ModSource::Key | ModSource::Velocity)
}

/// Whether a source has a value for each note; `lfos_of_notes`: whether each LFO has.
pub fn is_of_note(source: ModSource, lfos_of_notes: [bool; 2]) -> bool {
    match source {
        ModSource::Lfo1 => lfos_of_notes[0],
        ModSource::Lfo2 => lfos_of_notes[1],
        ModSource::Envelope1
        | ModSource::Envelope2
        | ModSource::Random
        | ModSource::Key
        | ModSource::Velocity
        | ModSource::Wheel
        | ModSource::Pressure
        | ModSource::Slide
        | ModSource::Expression
        | ModSource::ContactForce
        | ModSource::ContactTime => true,
        _ => false,
    }
}

/// The rows in use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModMatrix([Option<Row>; ROWS]);

impl ModMatrix {
    /// That of `settings`.
    pub fn of(settings: &ParamValues) -> Self {
        Self(MOD_ROW_PARAMS.map(|params| Row::of(settings, &params)))
    }

    /// Whether `settings` have no row in use.
    pub fn is_empty_in(settings: &ParamValues) -> bool {
        MOD_ROW_PARAMS.iter().all(|params| settings.get(params.source) == 0.0 || settings.get(params.target) == 0.0)
    }

    /// The rows in use, with their numbers from 0.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.0.iter().enumerate().filter_map(|(number, row)| Some((number, row.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::MOD_TARGET_IDS;

    #[test]
    fn a_row_has_source_target_amount_and_curve() {
        let mut settings = ParamValues::default();
        let target = MOD_TARGET_IDS.iter().position(|id| *id == "decay").expect("decay is a target");
        for (id, value) in [
            (ParamId::Mod2Source, ModSource::Velocity as usize as f64),
            (ParamId::Mod2Target, target as f64),
            (ParamId::Mod2Amount, -0.5),
            (ParamId::Mod2Curve, 0.5),
        ] {
            settings.set(id, value);
        }
        let matrix = ModMatrix::of(&settings);
        let rows: Vec<_> = matrix.rows().collect();
        let [(1, row)] = rows[..] else { panic!("{rows:?}") };
        assert_eq!((row.source, row.target, row.scope), (ModSource::Velocity, ParamId::Decay, TargetScope::Voice));
        // 4^0.5 = 2
        assert!((row.offset(0.6) + 0.5 * 0.36).abs() < 1e-12 && (row.offset(-0.6) - 0.5 * 0.36).abs() < 1e-12);
    }

    #[test]
    fn every_continuous_parameter_is_a_target() {
        use crate::params::Scale;
        for &id in ParamId::ALL {
            let spec = id.spec();
            let is_continuous = !matches!(spec.scale, Scale::Integer | Scale::Choice(_)) && spec.in_patch;
            assert_eq!(MOD_TARGET_PARAMS.contains(&Some(id)), is_continuous, "{}", spec.id);
            let place = MOD_TARGET_IDS.iter().position(|target| *target == spec.id);
            assert_eq!(place.and_then(|place| MOD_TARGET_PARAMS[place]), Some(id).filter(|_| is_continuous));
        }
    }
}
