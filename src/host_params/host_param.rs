//! One knob as a host parameter.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use atomic_float::{AtomicF32, AtomicF64};
use nice_plug::params::InternalParamMut;
use nice_plug::prelude::{FloatParam, FloatRange, IntParam, IntRange, Param};

use crate::host_params::value_text;
use urto_engine::params::{PER_NOTE_PARAMS, ParamSpec, Scale};

/// One knob as a host parameter.
pub struct HostParam {
    /// What the host moves.
    pub param: Parameter,
    /// Plain value of the patch, the same after a host has had it as a travel, and the exact value that both stand for.
    patch: ([AtomicF32; 2], AtomicF64),
}

/// A parameter of either kind.
pub enum Parameter {
    /// Of any value.
    Float(FloatParam),
    /// Of whole values.
    Int(IntParam),
}

impl HostParam {
    /// At `default`, in the knob's unit, which the host is told to be its default.
    pub fn new(knob: &'static ParamSpec, default: f64) -> Self {
        let dressed = Self { param: dress(knob, default), patch: Default::default() };
        dressed.remember(knob, default);
        dressed
    }

    /// What nice-plug stores, with the host's modulation.
    pub fn plain(&self) -> f32 {
        match &self.param {
            Parameter::Float(param) => param.modulated_plain_value(),
            Parameter::Int(param) => param.modulated_plain_value() as f32,
        }
    }

    /// Moves the knob, as nice-plug does when it loads a state.
    #[allow(unsafe_code)]
    pub fn set(&self, plain: f32) {
        // SAFETY: stores into atomics, and tells a listener of the value, of which there is none.
        unsafe {
            match &self.param {
                Parameter::Float(param) => param._internal_set_plain_value(plain),
                Parameter::Int(param) => param._internal_set_plain_value(plain as i32),
            };
        }
    }

    /// What nice-plug stores, without the host's modulation.
    pub fn unmodulated(&self) -> f32 {
        match &self.param {
            Parameter::Float(param) => param.unmodulated_plain_value(),
            Parameter::Int(param) => param.unmodulated_plain_value() as f32,
        }
    }

    /// The value in the knob's unit of what nice-plug stores: the patch's own while the host has not moved the knob.
    pub fn exact(&self, knob: &ParamSpec, plain: f32) -> f64 {
        let [patch, travelled] = &self.patch.0;
        let kept = plain == patch.load(Relaxed) || plain == travelled.load(Relaxed);
        if kept { self.patch.1.load(Relaxed) } else { value(knob, plain) }
    }

    /// Takes note of the patch's value, in the knob's unit.
    pub fn remember(&self, knob: &ParamSpec, exact: f64) {
        let plain = plain(knob, exact);
        let travelled = match &self.param {
            Parameter::Float(param) => param.preview_plain(param.preview_normalized(plain)),
            Parameter::Int(_) => plain,
        };
        let ([patch, again], value) = &self.patch;
        patch.store(plain, Relaxed);
        again.store(travelled, Relaxed);
        value.store(exact, Relaxed);
    }
}

/// The host parameter for a knob; a knob that may be moved for one note alone is known by its place in [`PER_NOTE_PARAMS`].
fn dress(knob: &'static ParamSpec, default: f64) -> Parameter {
    let (min, max, default) = (plain(knob, knob.min), plain(knob, knob.max), plain(knob, default));
    let range = match knob.scale {
        Scale::Integer | Scale::Choice(_) => {
            let param = IntParam::new(knob.name, default as i32, IntRange::Linear { min: min as i32, max: max as i32 })
                .with_value_to_string(Arc::new(|whole| value_text::show(knob, f64::from(whole))))
                .with_string_to_value(Arc::new(|text| value_text::read(knob, text).map(|value| value as i32)));
            return Parameter::Int(if knob.automatable { param } else { param.non_automatable() });
        }
        Scale::Linear | Scale::Logarithmic => FloatRange::Linear { min, max },
        Scale::Cubic => FloatRange::Skewed { min, max, factor: 1.0 / 3.0 },
    };
    let param = FloatParam::new(knob.name, default, range)
        .with_value_to_string(Arc::new(|plain| value_text::show(knob, value(knob, plain))))
        .with_string_to_value(Arc::new(|text| value_text::read(knob, text).map(|value| plain(knob, value))));
    let param = match PER_NOTE_PARAMS.iter().position(|id| std::ptr::eq(id.knob(), knob)) {
        Some(place) => param.with_poly_modulation_id(place as u32),
        None => param,
    };
    Parameter::Float(if knob.automatable { param } else { param.non_automatable() })
}

/// What nice-plug stores for a value in the knob's unit.
pub fn plain(knob: &ParamSpec, value: f64) -> f32 {
    match knob.scale {
        Scale::Logarithmic => libm::log10(value) as f32,
        _ => value as f32,
    }
}

/// The value in the knob's unit of what nice-plug stores.
pub fn value(knob: &ParamSpec, plain: f32) -> f64 {
    knob.clamped(match knob.scale {
        Scale::Logarithmic => libm::exp10(f64::from(plain)),
        _ => f64::from(plain),
    })
}
