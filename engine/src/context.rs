//! The inputs of a render call: parameters, tuning, controllers, smoothers, sample rate, frame.

use crate::body::{BodySize, BodyTuning, KeyScaling, PickupModel, TubeSetting};
use crate::hi_hat::PedalSetting;
use crate::midi::MidiControllers;
use crate::modulation::{CommonSources, NoteParamContext, ParamSmoothers, VoiceOffsets};
use crate::params::{ParamId, ParamValues, SolverQuality, UpdateRate};
use crate::tuning::KeyFrequencies;
use urto_physics::solver::Resolution;

/// Parameters, tuning, controllers and smoothers at one frame.
#[derive(Clone, Copy)]
pub struct RenderContext<'a> {
    /// The value of every parameter.
    pub settings: &'a ParamValues,
    /// The frequency of every key.
    pub tuning: &'a KeyFrequencies,
    /// MIDI controllers.
    pub controllers: &'a MidiControllers,
    /// The smoothed parameters.
    pub smoothers: &'a ParamSmoothers,
    /// The modulation sources that all voices share.
    pub modulation: &'a CommonSources,
    /// What modulation moves in one voice; none outside of voices.
    pub offsets: Option<&'a VoiceOffsets>,
    /// Sample rate [Hz].
    pub rate: f64,
    /// Absolute frame.
    pub frame: u64,
}

impl<'a> RenderContext<'a> {
    /// The context of a voice with `offsets`, itself without any; `values` keeps its parameters. Offsets of smoothed parameters move their smoothed
    /// values only.
    pub fn with_offsets<'b>(&self, offsets: &'b Option<VoiceOffsets>, values: &'b mut Option<ParamValues>) -> RenderContext<'b>
    where
        'a: 'b,
    {
        let Some(offsets) = offsets else { return *self };
        for (id, offset) in offsets.iter().filter(|(id, _)| id.spec().update_rate != UpdateRate::OnGrid) {
            values.get_or_insert(*self.settings).set(id, id.spec().with_offset(self.settings.get(id), offset));
        }
        RenderContext { settings: values.as_ref().unwrap_or(self.settings), offsets: Some(offsets), ..*self }
    }

    /// The part of it that determines the parameters of a note.
    pub fn note_param_context(&self) -> NoteParamContext<'a> {
        NoteParamContext { settings: self.settings, tuning: self.tuning, controllers: self.controllers }
    }

    /// Scaling of the body of `key`.
    pub fn key_scaling(&self, key: u8) -> KeyScaling {
        KeyScaling::new(self.settings, self.note_param_context().ratio(key))
    }

    /// Mass and morph of a body.
    pub fn body_size(&self, scaling: KeyScaling) -> BodySize {
        BodySize { mass: self.smoothers.get(ParamId::BodyMass) * scaling.mass, morph: self.smoothers.get(ParamId::Morph) }
    }

    /// Pitch and losses of a body at `hertz` [Hz].
    pub fn body_tuning(&self, hertz: f64, scaling: KeyScaling) -> BodyTuning {
        BodyTuning::new(hertz, scaling, |param| self.value(param))
    }

    /// Pickups and radiation of a body.
    pub fn pickup_model(&self, scaling: KeyScaling) -> PickupModel {
        PickupModel::new(scaling, |param| self.value(param))
    }

    /// Gain of the mallet noise; 0 at its minimum.
    pub fn mallet_noise_gain(&self) -> f64 {
        let level = self.smoothers.get(ParamId::Click);
        if level > ParamId::Click.spec().min { 10_f64.powf(level / 20.0) } else { 0.0 }
    }

    /// Strength of the exchange between bands; None at its minimum: off.
    pub fn cascade_strength(&self) -> Option<f64> {
        let strength = self.settings.get(ParamId::Cascade);
        (strength > ParamId::Cascade.spec().min).then_some(strength)
    }

    /// Nonlinearity of the bodies: 0 none, 1 physical.
    pub fn nonlinearity(&self) -> f64 {
        self.smoothers.get(ParamId::Nonlinearity)
    }

    /// The tube under bodies.
    pub fn tube(&self) -> TubeSetting {
        TubeSetting { coupling: self.smoothers.get(ParamId::TubeCoupling), detune: self.smoothers.get(ParamId::TubeDetune) }
    }

    /// How far the flap of the tubes is open, 0 to 1.
    pub fn tube_opening(&self) -> f64 {
        self.smoothers.flap().opening(self.smoothers.get(ParamId::TubeFlapDepth))
    }

    /// Where parameters and foot controller hold the pedal of a hi-hat; its position is that of the controller or of the parameter, whichever moved last.
    pub fn pedal(&self) -> PedalSetting {
        let at_rest = PedalSetting::at_rest(self.settings);
        PedalSetting { position: self.controllers.foot().unwrap_or(at_rest.position), ..at_rest }
    }

    /// Current value of a parameter; the smoothed value if the parameter is smoothed.
    fn value(&self, param: ParamId) -> f64 {
        let smoothed = self.smoothers.get(param);
        if smoothed.is_nan() {
            return self.settings.get(param);
        }
        param.spec().with_offset(smoothed, self.offsets.map_or(0.0, |offsets| offsets.get(param)))
    }

    /// Time resolution of contacts.
    pub fn resolution(&self) -> Resolution {
        match self.settings.solver_quality() {
            SolverQuality::Eco => Resolution { substeps_per_contact: 8.0, coarsest_level: 0, outlasted_levels: 2 },
            SolverQuality::Default => Resolution { substeps_per_contact: 16.0, coarsest_level: 2, outlasted_levels: 0 },
            SolverQuality::Reference => Resolution { substeps_per_contact: 48.0, coarsest_level: 2, outlasted_levels: 0 },
        }
    }
}

/// Decay rate [1/s] of an amplitude that falls by 60 dB in `time` [s].
pub fn decay_rate(time: f64) -> f64 {
    1000_f64.ln() / time
}

/// The data that a context borrows, for tests.
#[cfg(test)]
pub struct ContextSetup {
    pub settings: ParamValues,
    pub tuning: KeyFrequencies,
    pub controllers: MidiControllers,
    pub smoothers: ParamSmoothers,
    pub modulation: CommonSources,
    pub rate: f64,
}

#[cfg(test)]
impl ContextSetup {
    /// Default tuning and controllers at `rate` [Hz].
    pub fn new(settings: ParamValues, rate: f64) -> Self {
        let smoothers = ParamSmoothers::new(&settings, crate::block::CONTROL_BLOCK as f64 / rate);
        let (tuning, controllers) = (KeyFrequencies::default(), MidiControllers::default());
        let modulation = CommonSources::new(&settings, crate::block::CONTROL_BLOCK as f64 / rate, smoothers.step());
        Self { settings, tuning, controllers, smoothers, modulation, rate }
    }

    /// The context at an absolute frame.
    pub fn at(&self, frame: u64) -> RenderContext<'_> {
        let Self { settings, tuning, controllers, smoothers, modulation, rate } = self;
        RenderContext { settings, tuning, controllers, smoothers, modulation, offsets: None, rate: *rate, frame }
    }
}
