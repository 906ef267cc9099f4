//! One parameter of the table as a host parameter.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use atomic_float::{AtomicF32, AtomicF64};
use nice_plug::params::InternalParamMut;
use nice_plug::prelude::{FloatParam, FloatRange, IntParam, IntRange, Param};

use urto_engine::params::{PER_NOTE_PARAMS, ParamSpec, Scale, value_text};

/// Exponent from the share of the range to the normalized value; nice-plug takes the reciprocal of this f32 as the way back. The
/// reciprocal of 1/3 as an f32 is rounded to 3, so that the two exponents differ by 3e-8 and a small value shrinks at every save and
/// recall. This number, three steps of the f32 below 1/3, is an inverse to 1e-13: its reciprocal is 3.0000007.
const CUBE_ROOT: f32 = 0.333_333_25;

/// One parameter of the table as a host parameter.
pub struct HostParam {
    /// The parameter that the host sets.
    pub param: Parameter,
    /// The value of the patch.
    patch_value: PatchValue,
}

/// A value of the patch, in the forms in which it may come back from a host.
#[derive(Default)]
struct PatchValue {
    plain: AtomicF32,
    /// The plain value after one and after two conversions to the normalized value and back; more do not change it.
    round_trips: [AtomicF32; 2],
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
        let PatchValue { plain: patch, round_trips, exact } = &self.patch_value;
        let is_unmoved = plain == patch.load(Relaxed) || round_trips.iter().any(|passed| plain == passed.load(Relaxed));
        if is_unmoved { exact.load(Relaxed) } else { value(spec, plain) }
    }

    /// Stores the patch's value, in the parameter's unit, for [`HostParam::exact`].
    pub fn remember(&self, spec: &ParamSpec, exact: f64) {
        let plain = plain(spec, exact);
        let round_trip = |plain| match &self.param {
            Parameter::Float(param) => param.preview_plain(param.preview_normalized(plain)),
            Parameter::Int(_) => plain,
        };
        self.patch_value.plain.store(plain, Relaxed);
        let once = round_trip(plain);
        self.patch_value.round_trips[0].store(once, Relaxed);
        self.patch_value.round_trips[1].store(round_trip(once), Relaxed);
        self.patch_value.exact.store(exact, Relaxed);
    }
}

/// The host parameter for `spec`; the modulation id of a per-note parameter is its index in [`PER_NOTE_PARAMS`].
fn make(spec: &'static ParamSpec, default: f64) -> Parameter {
    let (min, max, default) = (plain(spec, spec.min), plain(spec, spec.max), plain(spec, default));
    let range = match spec.scale {
        Scale::Integer | Scale::Choice(_) => {
            let param = IntParam::new(spec.host_name(), default as i32, IntRange::Linear { min: min as i32, max: max as i32 })
                .with_value_to_string(Arc::new(|whole| value_text::show(spec, f64::from(whole))))
                .with_string_to_value(Arc::new(|text| value_text::read(spec, text).map(|value| value as i32)));
            return Parameter::Int(if spec.automatable { param } else { param.non_automatable() });
        }
        Scale::Linear | Scale::Logarithmic => FloatRange::Linear { min, max },
        Scale::Cubic => FloatRange::Skewed { min, max, factor: CUBE_ROOT },
    };
    let param = FloatParam::new(spec.host_name(), default, range)
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

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::params::ParamId;

    /// Normalised values tried for each parameter.
    const TRIED: u32 = 2000;

    /// What a host keeps of a parameter: the plain value in the plugin's state, and the exact one in its patch.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Saved {
        plain: f32,
        exact: f64,
    }

    fn saved(param: &HostParam, spec: &ParamSpec) -> Saved {
        Saved { plain: param.unmodulated(), exact: param.exact(spec, param.unmodulated()) }
    }

    /// Sets the parameter as a host does; hosts store f64, and both formats hand an f32 to the parameter.
    #[allow(unsafe_code)]
    fn set_normalized(param: &HostParam, normalized: f64) {
        // SAFETY: stores into atomics and calls a callback, of which there is none.
        unsafe {
            match &param.param {
                Parameter::Float(param) => param._internal_set_normalized_value(normalized as f32),
                Parameter::Int(param) => param._internal_set_normalized_value(normalized as f32),
            };
        }
    }

    fn normalized(param: &HostParam) -> f64 {
        f64::from(match &param.param {
            Parameter::Float(param) => param.unmodulated_normalized_value(),
            Parameter::Int(param) => param.unmodulated_normalized_value(),
        })
    }

    /// A new instance loads `given`, and the host sends back the normalised value that it reads there, as Ardour does.
    fn recall(param: &HostParam, spec: &ParamSpec, given: Saved) -> Saved {
        param.set(given.plain);
        param.remember(spec, given.exact);
        set_normalized(param, normalized(param));
        saved(param, spec)
    }

    /// Values that a host has set, and values of a patch.
    fn starts(spec: &'static ParamSpec) -> impl Iterator<Item = Saved> {
        let param = HostParam::new(spec, spec.default);
        let travels = || (0..=TRIED).map(|step| f64::from(step) / f64::from(TRIED));
        let of_patch = travels().map(|travel| {
            let exact = spec.clamped(spec.from_normalized(travel));
            Saved { plain: plain(spec, exact), exact }
        });
        let of_host = travels().map(move |travel| {
            set_normalized(&param, travel);
            saved(&param, spec)
        });
        of_host.chain(of_patch)
    }

    #[test]
    fn a_value_stays_the_same_at_every_save_and_recall() {
        let mut moved = Vec::new();
        for spec in ParamId::ALL.iter().map(|id| id.spec()) {
            for start in starts(spec) {
                let param = HostParam::new(spec, spec.default);
                let first = recall(&param, spec, start);
                let second = recall(&param, spec, first);
                let third = recall(&param, spec, second);
                // the plain value may be rounded to one that has a normalized value; the exact value is kept
                let is_exact = [first, second, third].iter().all(|saved| saved.exact == start.exact);
                if !is_exact || third != second {
                    moved.push(format!("{}: {start:?}, {first:?}, {second:?}, {third:?}", spec.id));
                }
            }
        }
        assert!(moved.is_empty(), "{} values, among them {:#?}", moved.len(), &moved[..moved.len().min(5)]);
    }
}
