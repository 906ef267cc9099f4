//! One parameter of the table as a host parameter.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use atomic_float::{AtomicF32, AtomicF64};
use nice_plug::params::InternalParamMut;
use nice_plug::prelude::{FloatParam, FloatRange, IntParam, IntRange, Param};

use urto_engine::params::{PER_NOTE_PARAMS, ParamSpec, Scale, value_text};

/// One parameter of the table as a host parameter.
pub struct HostParam {
    /// The parameter that the host sets.
    pub param: Parameter,
    /// The value of the patch.
    patch_value: PatchValue,
}

/// A value of the patch, in the three forms in which it may come back from a host.
#[derive(Default)]
struct PatchValue {
    plain: AtomicF32,
    /// The plain value after a conversion to the normalized value and back.
    round_trip: AtomicF32,
    /// The exact value in the parameter's unit.
    exact: AtomicF64,
}

/// A parameter of either kind.
pub enum Parameter {
    /// A real number.
    Float(FloatParam),
    /// An integer or a choice.
    Int(IntParam),
}

impl HostParam {
    /// The host parameter of `spec` with the default `default`, in its unit.
    pub fn new(spec: &'static ParamSpec, default: f64) -> Self {
        let param = Self { param: make(spec, default), patch_value: PatchValue::default() };
        param.remember(spec, default);
        param
    }

    /// The plain value, with the host's modulation.
    pub fn plain(&self) -> f32 {
        match &self.param {
            Parameter::Float(param) => param.modulated_plain_value(),
            Parameter::Int(param) => param.modulated_plain_value() as f32,
        }
    }

    /// Sets the plain value, as nice-plug does when it loads a state.
    #[allow(unsafe_code)]
    pub fn set(&self, plain: f32) {
        // SAFETY: stores into atomics and calls a callback, of which there is none.
        unsafe {
            match &self.param {
                Parameter::Float(param) => param._internal_set_plain_value(plain),
                Parameter::Int(param) => param._internal_set_plain_value(plain as i32),
            };
        }
    }

    /// The plain value, without the host's modulation.
    pub fn unmodulated(&self) -> f32 {
        match &self.param {
            Parameter::Float(param) => param.unmodulated_plain_value(),
            Parameter::Int(param) => param.unmodulated_plain_value() as f32,
        }
    }

    /// The value in the parameter's unit of a plain value: the patch's exact value until the host moves the parameter.
    pub fn exact(&self, spec: &ParamSpec, plain: f32) -> f64 {
        let PatchValue { plain: patch, round_trip, exact } = &self.patch_value;
        let is_unmoved = plain == patch.load(Relaxed) || plain == round_trip.load(Relaxed);
        if is_unmoved { exact.load(Relaxed) } else { value(spec, plain) }
    }

    /// Stores the patch's value, in the parameter's unit, for [`HostParam::exact`].
    pub fn remember(&self, spec: &ParamSpec, exact: f64) {
        let plain = plain(spec, exact);
        let round_trip = match &self.param {
            Parameter::Float(param) => param.preview_plain(param.preview_normalized(plain)),
            Parameter::Int(_) => plain,
        };
        self.patch_value.plain.store(plain, Relaxed);
        self.patch_value.round_trip.store(round_trip, Relaxed);
        self.patch_value.exact.store(exact, Relaxed);
    }
}

/// The host parameter for `spec`; the modulation id of a per-note parameter is its index in [`PER_NOTE_PARAMS`].
fn make(spec: &'static ParamSpec, default: f64) -> Parameter {
    let (min, max, default) = (plain(spec, spec.min), plain(spec, spec.max), plain(spec, default));
    let range = match spec.scale {
        Scale::Integer | Scale::Choice(_) => {
            let param = IntParam::new(spec.name, default as i32, IntRange::Linear { min: min as i32, max: max as i32 })
                .with_value_to_string(Arc::new(|whole| value_text::show(spec, f64::from(whole))))
                .with_string_to_value(Arc::new(|text| value_text::read(spec, text).map(|value| value as i32)));
            return Parameter::Int(if spec.automatable { param } else { param.non_automatable() });
        }
        Scale::Linear | Scale::Logarithmic => FloatRange::Linear { min, max },
        Scale::Cubic => FloatRange::Skewed { min, max, factor: 1.0 / 3.0 },
    };
    let param = FloatParam::new(spec.name, default, range)
        .with_value_to_string(Arc::new(|plain| value_text::show(spec, value(spec, plain))))
        .with_string_to_value(Arc::new(|text| value_text::read(spec, text).map(|value| plain(spec, value))));
    let param = match PER_NOTE_PARAMS.iter().position(|id| std::ptr::eq(id.spec(), spec)) {
        Some(index) => param.with_poly_modulation_id(index as u32),
        None => param,
    };
    Parameter::Float(if spec.automatable { param } else { param.non_automatable() })
}

/// The plain value of a value in the parameter's unit.
pub fn plain(spec: &ParamSpec, value: f64) -> f32 {
    match spec.scale {
        Scale::Logarithmic => libm::log10(value) as f32,
        _ => value as f32,
    }
}

/// The value in the parameter's unit of a plain value.
pub fn value(spec: &ParamSpec, plain: f32) -> f64 {
    spec.clamped(match spec.scale {
        Scale::Logarithmic => libm::exp10(f64::from(plain)),
        _ => f64::from(plain),
    })
}
