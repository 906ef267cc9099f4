//! Floor 2: the knobs dressed as host parameters. The table of knobs is the only source; nothing is added here.
//!
//! A host sees a travel from 0 to 1. What nice-plug stores in between ("plain") is the knob's own value, or its decimal
//! logarithm where the knob's scale is logarithmic; it is an f32, as hosts have it. So that a patch plays the same bits here as
//! from its file, the exact value of the patch stands beside it and is used for as long as the host has not moved the knob.

mod host_param;
#[cfg(any(test, feature = "standalone"))]
mod mock_host;
mod remote_controls;
pub mod value_text;

#[cfg(any(test, feature = "standalone"))]
pub use crate::host_params::mock_host::{Asked, MockHost};

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
use urto_engine::patch::Patch;
use urto_engine::patch::patch_toml;

/// Key of the one field of host state that holds what no knob can hold.
const FIELD: &str = "patch";

/// Every knob as a host parameter, and the rest of the patch.
pub struct HostParams {
    dressed: Vec<HostParam>,
    rest: Mutex<Patch>,
    /// Odd while a patch is being taken up.
    taking: AtomicU32,
    on_load: Box<dyn Fn(&Patch) + Send + Sync>,
    is_effect: bool,
}

impl HostParams {
    /// All knobs at their defaults. `on_load` is told of every patch that a host state brings, on the thread that loads it.
    pub fn new(on_load: impl Fn(&Patch) + Send + Sync + 'static) -> Self {
        Self::at(&ParamValues::default(), on_load, false)
    }

    /// As [`Knobs::new`], for an effect: at its defaults the drive is turned up, and keys do not strike.
    pub fn of_effect(on_load: impl Fn(&Patch) + Send + Sync + 'static) -> Self {
        Self::at(&driven(ParamValues::default()), on_load, true)
    }

    fn at(settings: &ParamValues, on_load: impl Fn(&Patch) + Send + Sync + 'static, is_effect: bool) -> Self {
        let dressed = ParamId::ALL.iter().map(|&id| HostParam::new(id.knob(), settings.get(id))).collect();
        let rest = Mutex::new(Patch { settings: *settings, ..Patch::default() });
        Self { dressed, rest, taking: AtomicU32::new(0), on_load: Box::new(on_load), is_effect }
    }

    /// Whether they are those of the effect.
    pub fn is_effect(&self) -> bool {
        self.is_effect
    }

    /// The value of one knob, in its unit, with the host's modulation. Takes no lock.
    pub fn value(&self, id: ParamId) -> f64 {
        let dressed = &self.dressed[id as usize];
        dressed.exact(id.knob(), dressed.plain())
    }

    /// The value of one knob, in its unit, that the travel `normalized` (0 to 1) stands for.
    pub fn value_at(&self, id: ParamId, normalized: f32) -> f64 {
        let dressed = &self.dressed[id as usize];
        let plain = match &dressed.param {
            Parameter::Float(param) => param.preview_plain(normalized),
            Parameter::Int(param) => param.preview_plain(normalized) as f32,
        };
        dressed.exact(id.knob(), plain)
    }

    /// The travel, 0 to 1, of a value in the knob's unit.
    pub fn travel_of(&self, id: ParamId, value: f64) -> f32 {
        match &self.dressed[id as usize].param {
            Parameter::Float(param) => param.preview_normalized(plain(id.knob(), value)),
            Parameter::Int(param) => param.preview_normalized(value as i32),
        }
    }

    /// Where the knob stands, 0 to 1, without and with the host's modulation.
    pub fn travel(&self, id: ParamId) -> (f32, f32) {
        match &self.dressed[id as usize].param {
            Parameter::Float(param) => (param.unmodulated_normalized_value(), param.modulated_normalized_value()),
            Parameter::Int(param) => (param.unmodulated_normalized_value(), param.modulated_normalized_value()),
        }
    }

    /// Where the knob stands by default, 0 to 1.
    pub fn default_travel(&self, id: ParamId) -> f32 {
        match &self.dressed[id as usize].param {
            Parameter::Float(param) => param.default_normalized_value(),
            Parameter::Int(param) => param.default_normalized_value(),
        }
    }

    /// The values of all knobs, with the host's modulation. Takes no lock.
    pub fn settings(&self) -> ParamValues {
        self.settings_by(HostParam::plain)
    }

    /// As [`Knobs::settings`], or nothing while a patch is being taken up.
    pub fn settings_if_stable(&self) -> Option<ParamValues> {
        let before = self.taking.load(Acquire);
        let settings = self.settings();
        fence(Acquire);
        (before.is_multiple_of(2) && self.taking.load(Relaxed) == before).then_some(settings)
    }

    /// The whole patch as it sounds.
    pub fn patch(&self) -> Patch {
        let rest = self.rest();
        Patch { settings: self.settings(), ..rest.clone() }
    }

    /// The whole patch as it is kept: without the host's modulation.
    pub fn own_patch(&self) -> Patch {
        let rest = self.rest();
        Patch { settings: self.settings_by(HostParam::unmodulated), ..rest.clone() }
    }

    /// Moves every knob that a patch holds to where `patch` has it, and keeps the rest of it; `send` gets the whole patch meanwhile.
    /// Nobody is told: hosts have to look. Not for the audio thread.
    pub fn load_patch(&self, patch: Patch, send: impl FnOnce(&Patch)) {
        self.change(patch, true, send);
    }

    /// A preset as it is played here: in the effect one that is not driven is, as a fresh effect, for it would be silent.
    pub fn fitted(&self, preset: Patch) -> Patch {
        let plays = !self.is_effect || preset.settings.get(ParamId::DriveGain) > 0.0;
        if plays { preset } else { Patch { settings: driven(preset.settings), ..preset } }
    }

    /// Name of the patch.
    pub fn name(&self) -> String {
        self.rest().name.clone()
    }

    /// Tells the host that the player takes hold of a knob.
    pub fn begin(&self, id: ParamId, host: &ParamSetter) {
        match &self.dressed[id as usize].param {
            Parameter::Float(param) => host.begin_set_parameter(param),
            Parameter::Int(param) => host.begin_set_parameter(param),
        }
    }

    /// Asks the host to move a knob that is held to `travel`, 0 to 1; whole steps for integers and choices.
    pub fn set_travel(&self, id: ParamId, host: &ParamSetter, travel: f32) {
        match &self.dressed[id as usize].param {
            Parameter::Float(param) => host.set_parameter_normalized(param, travel.clamp(0.0, 1.0)),
            Parameter::Int(param) => host.set_parameter(param, param.preview_plain(travel)),
        }
    }

    /// Tells the host that the player lets go of a knob.
    pub fn end(&self, id: ParamId, host: &ParamSetter) {
        match &self.dressed[id as usize].param {
            Parameter::Float(param) => host.end_set_parameter(param),
            Parameter::Int(param) => host.end_set_parameter(param),
        }
    }

    /// Makes a host state whole before it is loaded: what is missing, of the wrong kind, no number or no choice is taken from the
    /// patch in it; other numbers are brought into range. A knob that no patch holds stays where it is unless the state moves it.
    /// If the patch cannot be read, nothing moves.
    pub fn repair_state(state: &mut PluginState) {
        let Ok((patch, _)) = patch_of(&state.fields) else { return state.params.clear() };
        let mut params = BTreeMap::new();
        for &id in ParamId::ALL {
            let knob = id.knob();
            let given = state.params.get(knob.id).and_then(|given| given_value(knob, given));
            let own = knob.in_patch.then(|| patch.settings.get(id));
            let Some(kept) = given.or(own) else { continue };
            let plain = plain(knob, knob.clamped(kept));
            let kept = match knob.scale {
                Scale::Integer | Scale::Choice(_) => ParamValue::I32(plain as i32),
                _ => ParamValue::F32(plain),
            };
            params.insert(knob.id.to_owned(), kept);
        }
        state.params = params;
    }

    fn settings_by(&self, plain: impl Fn(&HostParam) -> f32) -> ParamValues {
        let mut settings = ParamValues::default();
        for (&id, dressed) in ParamId::ALL.iter().zip(&self.dressed) {
            settings.set(id, dressed.exact(id.knob(), plain(dressed)));
        }
        settings
    }

    fn rest(&self) -> MutexGuard<'_, Patch> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps `patch`, with the knobs moved there or left where the host has put them.
    fn change(&self, patch: Patch, moves: bool, send: impl FnOnce(&Patch)) {
        let mut rest = self.rest();
        self.taking.fetch_add(1, Relaxed);
        fence(Release);
        for (&id, dressed) in ParamId::ALL.iter().zip(&self.dressed).filter(|(id, _)| id.knob().in_patch) {
            dressed.remember(id.knob(), patch.settings.get(id));
            if moves {
                dressed.set(plain(id.knob(), patch.settings.get(id)));
            }
        }
        *rest = patch;
        send(&Patch { settings: self.settings(), ..rest.clone() });
        self.taking.fetch_add(1, Release);
    }
}

/// Acceleration [m/s^2] that full scale gives to the hammer of an effect at first, whatever its mass: a drum loop lets a mallet of 20 g
/// ring a bar, and one of 300 g a gong, below full scale.
const DRIVEN: f64 = 1e3;

/// The same knobs, driven by what comes in and not by keys.
fn driven(mut settings: ParamValues) -> ParamValues {
    settings.set(ParamId::DriveGain, DRIVEN * settings.get(ParamId::HammerMass));
    settings.set(ParamId::KeyStrikes, 0.0);
    settings
}

/// The patch that a host state holds, with what deserves a remark; the default one if it holds none. Errors: what cannot be read.
fn patch_of(fields: &BTreeMap<String, String>) -> Result<(Patch, Vec<TextError>), String> {
    let Some(field) = fields.get(FIELD) else { return Ok(Default::default()) };
    let text = deserialize_field::<String>(field).map_err(|error| format!("the patch is no text ({error})"))?;
    patch_toml::read(&text).map_err(|fault| format!("the patch, {fault}"))
}

/// The value that a state gives for a knob: none if it is no number, or a choice that there is not.
fn given_value(knob: &ParamSpec, given: &ParamValue) -> Option<f64> {
    match (given, knob.scale) {
        (ParamValue::F32(given), _) => given.is_finite().then(|| value(knob, *given)),
        (ParamValue::I32(given), Scale::Choice(names)) => {
            usize::try_from(*given).is_ok_and(|place| place < names.len()).then_some(f64::from(*given))
        }
        (ParamValue::I32(given), _) => Some(value(knob, *given as f32)),
        _ => None,
    }
}

// SAFETY: the pointers in the map lead into `dressed`, a vector that is never changed after `new`. nice-plug holds the `Arc` of
// these parameters for as long as it uses the pointers, as the trait's documentation demands.
#[allow(unsafe_code)]
unsafe impl Params for HostParams {
    fn param_map(&self) -> Vec<(String, ParamPtr, String)> {
        let pointers = self.dressed.iter().map(|dressed| match &dressed.param {
            Parameter::Float(param) => param.as_ptr(),
            Parameter::Int(param) => param.as_ptr(),
        });
        let knobs = ParamId::ALL.iter().map(|id| id.knob());
        knobs.zip(pointers).map(|(knob, pointer)| (knob.id.to_owned(), pointer, knob.group.to_owned())).collect()
    }

    fn serialize_fields(&self) -> BTreeMap<String, String> {
        let text = serialize_field(&patch_toml::to_toml(&self.own_patch())).unwrap_or_default();
        BTreeMap::from([(FIELD.to_owned(), text)])
    }

    /// Called after the parameters of a state have been set. A patch that cannot be read leaves everything as it was.
    fn deserialize_fields(&self, fields: &BTreeMap<String, String>) {
        match patch_of(fields) {
            Ok((patch, notes)) => {
                notes.iter().for_each(|note| nice_log!("State: the patch, {note}"));
                self.change(patch, false, |_| ());
                // takes its time, which nobody has to wait for
                (self.on_load)(&self.patch());
            }
            Err(fault) => nice_error!("State refused, all stays as it was: {fault}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn every_knob_is_a_parameter_in_the_same_order() {
        let map = HostParams::new(|_| ()).param_map();
        assert_eq!(map.len(), ParamId::ALL.len());
        for (id, (name, _, group)) in ParamId::ALL.iter().zip(map) {
            assert_eq!((name.as_str(), group.as_str()), (id.knob().id, id.knob().group));
        }
    }

    #[test]
    fn defaults_are_exact_and_travel_reaches_both_ends() {
        let knobs = HostParams::new(|_| ());
        assert_eq!(knobs.settings(), ParamValues::default());
        for &id in ParamId::ALL {
            let knob = id.knob();
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs();
            assert!(close(knobs.value_at(id, 0.0), knob.min) || knobs.value_at(id, 0.0) == knob.min, "{}", knob.id);
            assert!(close(knobs.value_at(id, 1.0), knob.max), "{}", knob.id);
            let back = knobs.value_at(id, knobs.travel_of(id, knob.default));
            assert!((back - knob.default).abs() <= 2e-6 * knob.max.abs().max(1.0), "{}: {back}", knob.id);
        }
    }

    #[test]
    fn equal_travel_is_an_equal_ratio_on_a_logarithmic_knob() {
        let knobs = HostParams::new(|_| ());
        let at = |travel| knobs.value_at(ParamId::Stiffness, travel);
        assert!((at(0.5) / at(0.25) / (at(1.0) / at(0.75)) - 1.0).abs() < 1e-5);
        let at = |travel| knobs.value_at(ParamId::DriveGain, travel);
        assert!((at(0.5) - 1250.0).abs() < 1e-2);
    }

    #[test]
    fn a_state_is_mended_before_it_is_loaded() {
        let params = [
            ("hammer_mass", ParamValue::F32(f32::NAN)),
            ("stiffness", ParamValue::F32(99.0)),
            ("body", ParamValue::I32(77)),
            ("modes", ParamValue::I32(7_777)),
            ("mu", ParamValue::String("no".into())),
            ("unheard_of", ParamValue::Bool(true)),
        ];
        let params = params.into_iter().map(|(id, value)| (id.to_owned(), value)).collect();
        let mut state = PluginState { version: String::new(), params, fields: BTreeMap::new() };
        HostParams::repair_state(&mut state);
        assert_eq!(state.params.len(), ParamId::ALL.iter().filter(|id| id.knob().in_patch).count());
        let mended = |id: ParamId| match state.params[id.knob().id] {
            ParamValue::F32(plain) => value(id.knob(), plain),
            ParamValue::I32(whole) => f64::from(whole),
            _ => panic!("neither"),
        };
        assert!((mended(ParamId::HammerMass) / ParamId::HammerMass.knob().default - 1.0).abs() < 1e-6);
        assert!((mended(ParamId::Stiffness) / 1e6 - 1.0).abs() < 1e-6);
        assert_eq!(mended(ParamId::Body), ParamId::Body.knob().default, "there is no such choice");
        assert_eq!(mended(ParamId::Modes), ParamId::Modes.knob().max);
        assert_eq!(mended(ParamId::Damping) as f32, 0.15);
    }

    #[test]
    fn a_patch_alone_is_a_state() {
        let mut patch = Patch::default();
        patch.settings.set(ParamId::Decay, 3.3);
        let field = serialize_field(&patch_toml::to_toml(&patch)).expect("a text is JSON");
        let fields = BTreeMap::from([(FIELD.to_owned(), field)]);
        let mut state = PluginState { version: String::new(), params: BTreeMap::new(), fields };
        HostParams::repair_state(&mut state);
        let ParamValue::F32(decay) = state.params["decay"] else { panic!("no number") };
        assert_eq!(decay, 3.3f64.log10() as f32);
    }

    /// Knobs that play a patch, and the state of another that cannot be read.
    #[test]
    fn a_patch_that_cannot_be_read_leaves_everything_as_it_was() {
        let loads = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&loads);
        let knobs = HostParams::new(move |_| {
            count.fetch_add(1, Relaxed);
        });
        let mut good = Patch { name: "Good".into(), tags: vec!["kept".into()], ..Patch::default() };
        good.settings.set(ParamId::Decay, 3.3);
        knobs.load_patch(good.clone(), |_| ());
        for field in ["", "7", "\"schema = 2\\n[body]\\ndecay = 1e9\"", "\"schema = 2\\nodd = 1\"", "\"no\""] {
            let params = BTreeMap::from([("decay".to_owned(), ParamValue::F32(0.0)), ("mpe".to_owned(), ParamValue::I32(1))]);
            let fields = BTreeMap::from([(FIELD.to_owned(), field.to_owned())]);
            let mut state = PluginState { version: "99".into(), params, fields };
            HostParams::repair_state(&mut state);
            assert!(state.params.is_empty(), "{field}");
            knobs.deserialize_fields(&state.fields);
            assert!(knobs.patch() == good && loads.load(Relaxed) == 0, "{field}");
        }
    }

    #[test]
    fn a_patch_that_is_taken_up_moves_its_knobs_and_no_others() {
        let knobs = HostParams::new(|_| ());
        let mut patch = Patch { name: "New".into(), ..Patch::default() };
        patch.settings.set(ParamId::HammerMass, 0.012_345_678_901);
        patch.settings.set(ParamId::Body, 5.0);
        patch.settings.set(ParamId::Mpe, 2.0);
        let mut sent = None;
        knobs.load_patch(patch.clone(), |patch| {
            assert_eq!(knobs.settings_if_stable(), None, "not before it is whole");
            sent = Some(patch.clone());
        });
        patch.settings.set(ParamId::Mpe, 0.0);
        assert_eq!((sent.as_ref(), knobs.settings_if_stable()), (Some(&patch), Some(patch.settings)));
        assert_eq!(knobs.patch(), patch);
        let travel = knobs.travel(ParamId::Body).0;
        assert_eq!(knobs.value_at(ParamId::Body, travel), 5.0, "hosts see it");
    }

    #[test]
    fn a_patch_survives_the_state_to_the_last_bit() {
        let knobs = HostParams::new(|_| ());
        let mut patch = Patch { name: "Two modes".into(), ..Patch::default() };
        patch.settings.set(ParamId::HammerMass, 0.012_345_678_901);
        patch.modes.push(urto_engine::patch::ListedMode {
            ratio: 2.7,
            decay: Some(4.0),
            mass: 0.5,
            shape: vec![1.0, -0.5].into(),
        });
        let field = serialize_field(&patch_toml::to_toml(&patch)).expect("a text is JSON");
        knobs.deserialize_fields(&BTreeMap::from([(FIELD.to_owned(), field)]));
        let loaded = knobs.patch();
        assert_eq!((&loaded.name, &loaded.modes), (&patch.name, &patch.modes));
        let again = knobs.value_at(ParamId::HammerMass, knobs.travel_of(ParamId::HammerMass, 0.012_345_678_901));
        assert_eq!(again, 0.012_345_678_901);
    }
}
