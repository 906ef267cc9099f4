//! Envelopes: a linear attack, then exponential decay and release.

use crate::params::{ENVELOPE_PARAMS, EnvelopeMode, EnvelopeParams, ParamId, ParamValues};

/// Number of envelopes.
pub const ENVELOPES: usize = ENVELOPE_PARAMS.len();

/// Ratio to which decay and release fall in their times: 60 dB.
const END: f64 = 1e-3;

/// The settings of one envelope, for steps of one control block.
#[derive(Clone, Copy, Debug)]
pub struct EnvelopeSettings {
    /// Rise in a step; infinite without an attack.
    rise: f64,
    /// Ratio of the distance to the sustain level that remains after a step.
    decay: f64,
    /// Level that the decay approaches: 0 in a one-shot.
    sustain: f64,
    /// Ratio of the level that remains after a step of the release.
    release: f64,
    /// Whether the release of the key releases it: not a one-shot.
    follows_key: bool,
}

impl EnvelopeSettings {
    /// Those of all envelopes; a step takes `step` [s].
    pub fn all(settings: &ParamValues, step: f64) -> [Self; ENVELOPES] {
        let keep = |time: ParamId| END.powf(step / settings.get(time));
        ENVELOPE_PARAMS.map(|EnvelopeParams { attack, decay, sustain, release, mode }| {
            let follows_key = EnvelopeMode::from_value(settings.get(mode)) != EnvelopeMode::OneShot;
            Self {
                rise: step / settings.get(attack),
                decay: keep(decay),
                sustain: if follows_key { settings.get(sustain) } else { 0.0 },
                release: keep(release),
                follows_key,
            }
        })
    }
}

/// What an envelope does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Stage {
    #[default]
    Ended,
    Attack,
    Decay,
    Release,
}

/// The state of one envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Envelope {
    level: f64,
    stage: Stage,
}

impl Envelope {
    /// Its level, 0 to 1.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// A strike: it rises from its present level.
    pub fn strike(&mut self, settings: &EnvelopeSettings) {
        *self = if settings.rise.is_finite() {
            Self { stage: Stage::Attack, ..*self }
        } else {
            Self { level: 1.0, stage: Stage::Decay }
        };
    }

    /// Advances by one step.
    pub fn advance(&mut self, settings: &EnvelopeSettings, is_held: bool) {
        if self.stage == Stage::Ended {
            return;
        }
        if !is_held && settings.follows_key {
            self.stage = Stage::Release;
        }
        self.level = match self.stage {
            Stage::Attack => return self.rise(settings),
            Stage::Release => self.level * settings.release,
            _ => settings.sustain + (self.level - settings.sustain) * settings.decay,
        };
        // far below any audible effect; avoids denormal numbers
        if self.level < 1e-9 {
            self.level = 0.0;
            if self.stage == Stage::Release || settings.sustain == 0.0 {
                self.stage = Stage::Ended;
            }
        }
    }

    fn rise(&mut self, settings: &EnvelopeSettings) {
        self.level += settings.rise;
        if self.level >= 1.0 {
            *self = Self { level: 1.0, stage: Stage::Decay };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1e-3;

    fn settings(values: &[(ParamId, f64)]) -> EnvelopeSettings {
        let mut settings = ParamValues::default();
        values.iter().for_each(|&(id, value)| settings.set(id, value));
        EnvelopeSettings::all(&settings, STEP)[0]
    }

    fn after(envelope: &mut Envelope, settings: &EnvelopeSettings, steps: usize, is_held: bool) -> f64 {
        (0..steps).for_each(|_| envelope.advance(settings, is_held));
        envelope.level()
    }

    #[test]
    fn attack_decay_and_release_take_their_times() {
        let settings = settings(&[
            (ParamId::Env1Attack, 0.1),
            (ParamId::Env1Decay, 0.2),
            (ParamId::Env1Sustain, 0.5),
            (ParamId::Env1Release, 0.3),
        ]);
        let mut envelope = Envelope::default();
        envelope.strike(&settings);
        assert_eq!(envelope.level(), 0.0);
        assert!((after(&mut envelope, &settings, 50, true) - 0.5).abs() < 1e-12);
        assert!((after(&mut envelope, &settings, 50, true) - 1.0).abs() < 1e-12);
        // 60 dB nearer to the sustain level
        assert!((after(&mut envelope, &settings, 200, true) - 0.5005).abs() < 1e-9);
        let held = after(&mut envelope, &settings, 2000, true);
        assert!((held - 0.5).abs() < 1e-12);
        assert!((after(&mut envelope, &settings, 300, false) - 0.0005).abs() < 1e-9);
        assert_eq!(after(&mut envelope, &settings, 5000, false), 0.0);
    }

    #[test]
    fn one_shot_ignores_the_key_and_a_strike_begins_at_the_present_level() {
        let one_shot = settings(&[
            (ParamId::Env1Decay, 0.2),
            (ParamId::Env1Sustain, 0.5),
            (ParamId::Env1Mode, 1.0),
            (ParamId::Env1Attack, 0.0),
        ]);
        let mut envelope = Envelope::default();
        envelope.strike(&one_shot);
        assert_eq!(envelope.level(), 1.0);
        assert!((after(&mut envelope, &one_shot, 200, false) - 1e-3).abs() < 1e-9);
        let slow = settings(&[(ParamId::Env1Attack, 1.0)]);
        let mut envelope = Envelope { level: 0.4, stage: Stage::Release };
        envelope.strike(&slow);
        assert!((after(&mut envelope, &slow, 100, true) - 0.5).abs() < 1e-12);
    }
}
