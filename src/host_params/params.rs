//! All parameters of one instance as host parameters, the parts of its patch that no parameter holds, and host states.
//!
//! A host sees a normalized value from 0 to 1. nice-plug stores a "plain" value, an f32: the parameter's own value, or its decimal
//! logarithm where the parameter's scale is logarithmic. The exact value of the patch is kept beside it and used until the host
//! moves the parameter, so that a patch gives the same bits here as from its file.
//!
//! The patch in a host state is read, and the parameters are repaired before nice-plug loads them.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nice_plug::params::persist::{deserialize_field, serialize_field};
use nice_plug::plugin::ParamValue;
use nice_plug::prelude::{Param, ParamPtr, ParamSetter, Params, PluginState, nice_error, nice_log};

use crate::host_params::host_param::{HostParam, Parameter, plain, value};
use urto_engine::formats::TextError;
use urto_engine::params::{ParamId, ParamSpec, ParamValues, Scale};
use urto_engine::patch::{Macro, Patch, patch_toml};

/// Acceleration [m/s^2] of the hammer by a full-scale input with the effect's default patch, for any hammer mass: a drum loop makes a
/// mallet of 20 g ring a bar, and one of 300 g a gong, below full scale.
const EFFECT_ACCELERATION: f64 = 1e3;

/// Key of the one field of host state: the text of the patch.
const FIELD: &str = "patch";

/// Where the parameters get their values when a patch is replaced.
#[derive(Clone, Copy, PartialEq)]
enum LoadedValues {
    /// From the patch.
    FromPatch,
    /// They keep the values that the host has set.
    FromHost,
}

/// Every parameter as a host parameter, and the rest of the patch.
pub struct HostParams {
    params: Vec<HostParam>,
    rest: Mutex<Patch>,
    /// Odd while a patch is being loaded.
    load_count: AtomicU32,
    on_load: Box<dyn Fn(&Patch) + Send + Sync>,
    is_effect: bool,
}

impl HostParams {
    /// All parameters at their defaults. `on_load` is called with the patch of every host state, on the thread that loads it.
    pub fn new(on_load: impl Fn(&Patch) + Send + Sync + 'static) -> Self {
        Self::at(&ParamValues::default(), on_load, false)
    }

    /// As [`HostParams::new`], for the effect: by default its drive is on, and keys do not strike.
    pub fn of_effect(on_load: impl Fn(&Patch) + Send + Sync + 'static) -> Self {
        Self::at(&driven(ParamValues::default()), on_load, true)
    }

    fn at(settings: &ParamValues, on_load: impl Fn(&Patch) + Send + Sync + 'static, is_effect: bool) -> Self {
        let params = ParamId::ALL.iter().map(|&id| HostParam::new(id.spec(), settings.get(id))).collect();
        let rest = Mutex::new(Patch { settings: *settings, ..Patch::default() });
        Self { params, rest, load_count: AtomicU32::new(0), on_load: Box::new(on_load), is_effect }
    }

    /// Whether these are the parameters of the effect.
    pub fn is_effect(&self) -> bool {
        self.is_effect
    }

    /// The value of a parameter in its unit, with the host's modulation. Takes no lock.
    pub fn value(&self, id: ParamId) -> f64 {
        let param = &self.params[id as usize];
        param.exact(id.spec(), param.plain())
    }

    /// The value of a parameter in its unit at `normalized`, 0 to 1.
    pub fn value_at(&self, id: ParamId, normalized: f32) -> f64 {
        let param = &self.params[id as usize];
        let plain = match &param.param {
            Parameter::Float(param) => param.preview_plain(normalized),
            Parameter::Int(param) => param.preview_plain(normalized) as f32,
        };
        param.exact(id.spec(), plain)
    }

    /// The normalized value, 0 to 1, of a value in the parameter's unit.
    pub fn travel_of(&self, id: ParamId, value: f64) -> f32 {
        match &self.params[id as usize].param {
            Parameter::Float(param) => param.preview_normalized(plain(id.spec(), value)),
            Parameter::Int(param) => param.preview_normalized(value as i32),
        }
    }

    /// The normalized value of a parameter, 0 to 1, without and with the host's modulation.
    pub fn travel(&self, id: ParamId) -> (f32, f32) {
        match &self.params[id as usize].param {
            Parameter::Float(param) => (param.unmodulated_normalized_value(), param.modulated_normalized_value()),
            Parameter::Int(param) => (param.unmodulated_normalized_value(), param.modulated_normalized_value()),
        }
    }

    /// The normalized default of a parameter, 0 to 1.
    pub fn default_travel(&self, id: ParamId) -> f32 {
        match &self.params[id as usize].param {
            Parameter::Float(param) => param.default_normalized_value(),
            Parameter::Int(param) => param.default_normalized_value(),
        }
    }

    /// The values of all parameters, with the host's modulation. Takes no lock.
    pub fn settings(&self) -> ParamValues {
        self.settings_by(HostParam::plain)
    }

    /// As [`HostParams::settings`]; `None` while a patch is being loaded.
    pub fn settings_if_stable(&self) -> Option<ParamValues> {
        let before = self.load_count.load(Acquire);
        let settings = self.settings();
        fence(Acquire);
        (before.is_multiple_of(2) && self.load_count.load(Relaxed) == before).then_some(settings)
    }

    /// The whole patch, with the host's modulation.
    pub fn patch(&self) -> Patch {
        let rest = self.rest();
        Patch { settings: self.settings(), ..rest.clone() }
    }

    /// The whole patch as it is saved: without the host's modulation.
    pub fn own_patch(&self) -> Patch {
        let rest = self.rest();
        Patch { settings: self.settings_by(HostParam::unmodulated), ..rest.clone() }
    }

    /// Sets every parameter of the patch, keeps the rest of it, and calls `send` with the whole patch before the audio thread sees the
    /// new values. Does not notify the host, which must be asked to rescan. Takes a lock: not for the audio thread.
    pub fn load_patch(&self, patch: Patch, send: impl FnOnce(&Patch)) {
        self.replace(patch, LoadedValues::FromPatch, send);
    }

    /// A preset for this plugin: the effect turns on the drive of one without, because it would be silent.
    pub fn fitted(&self, preset: Patch) -> Patch {
        Patch { settings: self.fitted_settings(preset.settings), ..preset }
    }

    fn fitted_settings(&self, settings: ParamValues) -> ParamValues {
        let plays = !self.is_effect || settings.get(ParamId::DriveGain) > 0.0;
        if plays { settings } else { driven(settings) }
    }

    /// Whether the patch, without the host's modulation, is `preset` as this plugin plays it. `preset` is the same afterwards: only its
    /// settings are exchanged meanwhile, because a copy of a recording in every frame of the window would take too long.
    pub fn is_preset(&self, preset: &mut Patch) -> bool {
        let (own, fitted) = (self.settings_by(HostParam::unmodulated), self.fitted_settings(preset.settings));
        if ParamId::ALL.iter().any(|&id| id.spec().in_patch && own.get(id) != fitted.get(id)) {
            return false;
        }
        let rest = self.rest();
        let settings = std::mem::replace(&mut preset.settings, rest.settings);
        let is_same = *preset == *rest;
        preset.settings = settings;
        is_same
    }

    /// What the macros of the patch move.
    pub fn macros(&self) -> Vec<Macro> {
        self.rest().macros.clone()
    }

    /// Name of the patch.
    pub fn name(&self) -> String {
        self.rest().name.clone()
    }

    /// Sets a parameter to the normalized value `travel`, 0 to 1, without telling the host, which must be asked to rescan. Takes no lock.
    pub fn set_unnoticed(&self, id: ParamId, travel: f32) {
        let param = &self.params[id as usize];
        param.set(match &param.param {
            Parameter::Float(param) => param.preview_plain(travel),
            Parameter::Int(param) => param.preview_plain(travel) as f32,
        });
    }

    /// Tells the host that a gesture of the user on a parameter begins.
    pub fn begin(&self, id: ParamId, host: &ParamSetter) {
        match &self.params[id as usize].param {
            Parameter::Float(param) => host.begin_set_parameter(param),
            Parameter::Int(param) => host.begin_set_parameter(param),
        }
    }

    /// Asks the host to set a parameter within a gesture to the normalized value `travel`, 0 to 1; integers and choices are rounded.
    pub fn set_travel(&self, id: ParamId, host: &ParamSetter, travel: f32) {
        match &self.params[id as usize].param {
            Parameter::Float(param) => host.set_parameter_normalized(param, travel.clamp(0.0, 1.0)),
            Parameter::Int(param) => host.set_parameter(param, param.preview_plain(travel)),
        }
    }

    /// Tells the host that the gesture ends.
    pub fn end(&self, id: ParamId, host: &ParamSetter) {
        match &self.params[id as usize].param {
            Parameter::Float(param) => host.end_set_parameter(param),
            Parameter::Int(param) => host.end_set_parameter(param),
        }
    }

    /// The host parameter of `id`.
    pub fn param(&self, id: ParamId) -> &Parameter {
        &self.params[id as usize].param
    }

    fn settings_by(&self, plain: impl Fn(&HostParam) -> f32) -> ParamValues {
        let mut settings = ParamValues::default();
        for (&id, param) in ParamId::ALL.iter().zip(&self.params) {
            settings.set(id, param.exact(id.spec(), plain(param)));
        }
        settings
    }

    fn rest(&self) -> MutexGuard<'_, Patch> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the patch.
    fn replace(&self, patch: Patch, values: LoadedValues, send: impl FnOnce(&Patch)) {
        let mut rest = self.rest();
        self.load_count.fetch_add(1, Relaxed);
        fence(Release);
        for (&id, param) in ParamId::ALL.iter().zip(&self.params).filter(|(id, _)| id.spec().in_patch) {
            param.remember(id.spec(), patch.settings.get(id));
            if values == LoadedValues::FromPatch {
                param.set(plain(id.spec(), patch.settings.get(id)));
            }
        }
        *rest = patch;
        send(&Patch { settings: self.settings(), ..rest.clone() });
        self.load_count.fetch_add(1, Release);
    }
}

/// The same values with the drive on, and keys that do not strike.
fn driven(mut settings: ParamValues) -> ParamValues {
    settings.set(ParamId::DriveGain, EFFECT_ACCELERATION * settings.get(ParamId::HammerMass));
    settings.set(ParamId::KeyStrikes, 0.0);
    settings
}

// SAFETY: the pointers in the map point into `params`, a vector that never changes after `new`. nice-plug holds the `Arc` of
// these parameters for as long as it uses the pointers, as the trait's documentation demands.
#[allow(unsafe_code)]
unsafe impl Params for HostParams {
    fn param_map(&self) -> Vec<(String, ParamPtr, String)> {
        let pointers = self.params.iter().map(|param| match &param.param {
            Parameter::Float(param) => param.as_ptr(),
            Parameter::Int(param) => param.as_ptr(),
        });
        let specs = ParamId::ALL.iter().map(|id| id.spec());
        specs.zip(pointers).map(|(spec, pointer)| (spec.id.to_owned(), pointer, spec.group.to_owned())).collect()
    }

    fn serialize_fields(&self) -> BTreeMap<String, String> {
        fields_of(&self.own_patch())
    }

    /// Called after the parameters of a state have been set. A patch that cannot be read changes nothing.
    fn deserialize_fields(&self, fields: &BTreeMap<String, String>) {
        match patch_of(fields) {
            Ok((patch, notes)) => {
                notes.iter().for_each(|note| nice_log!("State: the patch, {note}"));
                self.replace(patch, LoadedValues::FromHost, |_| ());
                // prepares a body, which may take 100 ms; the parameters are already set
                (self.on_load)(&self.patch());
            }
            Err(fault) => nice_error!("State refused, nothing changed: {fault}"),
        }
    }
}

/// The fields of a host state with `patch`.
pub fn fields_of(patch: &Patch) -> BTreeMap<String, String> {
    let text = serialize_field(&patch_toml::to_toml(patch)).unwrap_or_default();
    BTreeMap::from([(FIELD.to_owned(), text)])
}

/// The patch in the fields of a host state, with notes about its text; the default patch if there is none. Errors: why it cannot be
/// read.
pub fn patch_of(fields: &BTreeMap<String, String>) -> Result<(Patch, Vec<TextError>), String> {
    let Some(field) = fields.get(FIELD) else { return Ok(Default::default()) };
    let text = deserialize_field::<String>(field).map_err(|error| format!("the field \"{FIELD}\" is not text ({error})"))?;
    patch_toml::read(&text).map_err(|fault| format!("the patch, {fault}"))
}

/// Completes a host state before it is loaded. A value that is missing, of the wrong type, not finite or not a choice is replaced by the
/// patch's; other values are clamped. A parameter outside the patch keeps its value unless the state gives one. A patch that cannot be
/// read leaves all parameters unchanged.
pub fn repair_state(state: &mut PluginState) {
    let Ok((patch, _)) = patch_of(&state.fields) else { return state.params.clear() };
    let mut params = BTreeMap::new();
    for &id in ParamId::ALL {
        let spec = id.spec();
        let given = state.params.get(spec.id).and_then(|given| given_value(spec, given));
        let own = spec.in_patch.then(|| patch.settings.get(id));
        let Some(repaired) = given.or(own) else { continue };
        let plain = plain(spec, spec.clamped(repaired));
        let repaired = match spec.scale {
            Scale::Integer | Scale::Choice(_) => ParamValue::I32(plain as i32),
            _ => ParamValue::F32(plain),
        };
        params.insert(spec.id.to_owned(), repaired);
    }
    state.params = params;
}

/// The value that a state gives for a parameter; `None` if it is not finite or not a choice.
fn given_value(spec: &ParamSpec, given: &ParamValue) -> Option<f64> {
    match (given, spec.scale) {
        (ParamValue::F32(given), _) => given.is_finite().then(|| value(spec, *given)),
        (ParamValue::I32(given), Scale::Choice(names)) => {
            usize::try_from(*given).is_ok_and(|place| place < names.len()).then_some(f64::from(*given))
        }
        (ParamValue::I32(given), _) => Some(value(spec, *given as f32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nice_plug::params::persist::serialize_field;
    use nice_plug::plugin::{ParamValue, PluginState};

    use super::*;
    use urto_engine::patch::patch_toml;

    #[test]
    fn every_parameter_is_exported_in_the_same_order() {
        let map = HostParams::new(|_| ()).param_map();
        assert_eq!(map.len(), ParamId::ALL.len());
        for (id, (name, _, group)) in ParamId::ALL.iter().zip(map) {
            assert_eq!((name.as_str(), group.as_str()), (id.spec().id, id.spec().group));
        }
    }

    #[test]
    fn defaults_are_exact_and_normalized_values_reach_both_ends() {
        let params = HostParams::new(|_| ());
        assert_eq!(params.settings(), ParamValues::default());
        for &id in ParamId::ALL {
            let spec = id.spec();
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs();
            assert!(close(params.value_at(id, 0.0), spec.min) || params.value_at(id, 0.0) == spec.min, "{}", spec.id);
            assert!(close(params.value_at(id, 1.0), spec.max), "{}", spec.id);
            let back = params.value_at(id, params.travel_of(id, spec.default));
            assert!((back - spec.default).abs() <= 2e-6 * spec.max.abs().max(1.0), "{}: {back}", spec.id);
        }
    }

    #[test]
    fn equal_steps_are_equal_ratios_on_a_logarithmic_parameter() {
        let params = HostParams::new(|_| ());
        let at = |travel| params.value_at(ParamId::Stiffness, travel);
        assert!((at(0.5) / at(0.25) / (at(1.0) / at(0.75)) - 1.0).abs() < 1e-5);
        let at = |travel| params.value_at(ParamId::DriveGain, travel);
        assert!((at(0.5) - 1250.0).abs() < 1e-2);
    }

    #[test]
    fn a_patch_that_cannot_be_read_changes_nothing() {
        let loads = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&loads);
        let params = HostParams::new(move |_| {
            count.fetch_add(1, Relaxed);
        });
        let mut good = Patch { name: "Good".into(), tags: vec!["kept".into()], ..Patch::default() };
        good.settings.set(ParamId::Decay, 3.3);
        params.load_patch(good.clone(), |_| ());
        for field in ["", "7", "\"schema = 2\\n[body]\\ndecay = 1e9\"", "\"schema = 2\\nodd = 1\"", "\"no\""] {
            let values = BTreeMap::from([("decay".to_owned(), ParamValue::F32(0.0)), ("mpe".to_owned(), ParamValue::I32(1))]);
            let fields = BTreeMap::from([("patch".to_owned(), field.to_owned())]);
            let mut state = PluginState { version: "99".into(), params: values, fields };
            repair_state(&mut state);
            assert!(state.params.is_empty(), "{field}");
            params.deserialize_fields(&state.fields);
            assert!(params.patch() == good && loads.load(Relaxed) == 0, "{field}");
        }
    }

    #[test]
    fn a_loaded_patch_sets_its_parameters_and_no_others() {
        let params = HostParams::new(|_| ());
        let mut patch = Patch { name: "New".into(), ..Patch::default() };
        patch.settings.set(ParamId::HammerMass, 0.012_345_678_901);
        patch.settings.set(ParamId::Body, 5.0);
        patch.settings.set(ParamId::Mpe, 2.0);
        let mut sent = None;
        params.load_patch(patch.clone(), |patch| {
            assert_eq!(params.settings_if_stable(), None, "while the patch is loaded");
            sent = Some(patch.clone());
        });
        patch.settings.set(ParamId::Mpe, 0.0);
        assert_eq!((sent.as_ref(), params.settings_if_stable()), (Some(&patch), Some(patch.settings)));
        assert_eq!(params.patch(), patch);
        let travel = params.travel(ParamId::Body).0;
        assert_eq!(params.value_at(ParamId::Body, travel), 5.0, "visible to the host");
    }

    #[test]
    fn a_patch_survives_the_state_to_the_last_bit() {
        let params = HostParams::new(|_| ());
        let mut patch = Patch { name: "Two modes".into(), ..Patch::default() };
        patch.settings.set(ParamId::HammerMass, 0.012_345_678_901);
        patch.modes.push(urto_engine::patch::ListedMode {
            ratio: 2.7,
            decay: Some(4.0),
            mass: 0.5,
            shape: vec![1.0, -0.5].into(),
        });
        let field = serialize_field(&patch_toml::to_toml(&patch)).expect("a text is JSON");
        params.deserialize_fields(&BTreeMap::from([("patch".to_owned(), field)]));
        let loaded = params.patch();
        assert_eq!((&loaded.name, &loaded.modes), (&patch.name, &patch.modes));
        let again = params.value_at(ParamId::HammerMass, params.travel_of(ParamId::HammerMass, 0.012_345_678_901));
        assert_eq!(again, 0.012_345_678_901);
    }

    #[test]
    fn invalid_values_are_replaced_or_clamped() {
        let params = [
            ("hammer_mass", ParamValue::F32(f32::NAN)),
            ("stiffness", ParamValue::F32(99.0)),
            ("body", ParamValue::I32(77)),
            ("modes", ParamValue::I32(7_777)),
            ("mu", ParamValue::String("no".into())),
            ("unknown", ParamValue::Bool(true)),
        ];
        let params = params.into_iter().map(|(id, value)| (id.to_owned(), value)).collect();
        let mut state = PluginState { version: String::new(), params, fields: BTreeMap::new() };
        repair_state(&mut state);
        assert_eq!(state.params.len(), ParamId::ALL.iter().filter(|id| id.spec().in_patch).count());
        let repaired = |id: ParamId| match state.params[id.spec().id] {
            ParamValue::F32(plain) => value(id.spec(), plain),
            ParamValue::I32(whole) => f64::from(whole),
            _ => panic!("neither"),
        };
        assert!((repaired(ParamId::HammerMass) / ParamId::HammerMass.spec().default - 1.0).abs() < 1e-6);
        assert!((repaired(ParamId::Stiffness) / 1e6 - 1.0).abs() < 1e-6);
        assert_eq!(repaired(ParamId::Body), ParamId::Body.spec().default, "77 is not a choice");
        assert_eq!(repaired(ParamId::Modes), ParamId::Modes.spec().max);
        assert_eq!(repaired(ParamId::Damping) as f32, 0.15);
    }

    #[test]
    fn a_patch_without_parameters_is_a_state() {
        let mut patch = Patch::default();
        patch.settings.set(ParamId::Decay, 3.3);
        let mut state = PluginState { version: String::new(), params: BTreeMap::new(), fields: fields_of(&patch) };
        repair_state(&mut state);
        let ParamValue::F32(decay) = state.params["decay"] else { panic!("no number") };
        assert_eq!(decay, 3.3f64.log10() as f32);
    }
}
