//! Host states: reads the patch in them, and repairs the parameters before nice-plug loads them.

use std::collections::BTreeMap;

use nice_plug::params::persist::{deserialize_field, serialize_field};
use nice_plug::plugin::ParamValue;
use nice_plug::prelude::PluginState;

use crate::host_params::host_param::{plain, value};
use urto_engine::formats::TextError;
use urto_engine::params::{ParamId, ParamSpec, Scale};
use urto_engine::patch::{Patch, patch_toml};

/// Key of the one field of host state: the text of the patch.
const FIELD: &str = "patch";

/// The fields of a host state with `patch`.
pub fn fields_of(patch: &Patch) -> BTreeMap<String, String> {
    let text = serialize_field(&patch_toml::to_toml(patch)).unwrap_or_default();
    BTreeMap::from([(FIELD.to_owned(), text)])
}

/// The patch in the fields of a host state, with notes about its text; the default patch if there is none. Errors: why it cannot be
/// read.
pub fn patch_of(fields: &BTreeMap<String, String>) -> Result<(Patch, Vec<TextError>), String> {
    let Some(field) = fields.get(FIELD) else { return Ok(Default::default()) };
    let text = deserialize_field::<String>(field).map_err(|error| format!("the field \"{FIELD}\" is not a text ({error})"))?;
    patch_toml::read(&text).map_err(|fault| format!("the patch, {fault}"))
}

/// Completes a host state before it is loaded. A value that is missing, of the wrong type, not finite or not a choice is replaced by the
/// patch's; other values are clamped. A parameter outside the patch keeps its value unless the state gives one. A patch that cannot be
/// read leaves all parameters unchanged.
pub fn repair_state(state: &mut PluginState) {
    let Ok((patch, _)) = patch_of(&state.fields) else { return state.params.clear() };
    let mut params = BTreeMap::new();
    for &id in ParamId::ALL {
        let knob = id.spec();
        let given = state.params.get(knob.id).and_then(|given| given_value(knob, given));
        let own = knob.in_patch.then(|| patch.settings.get(id));
        let Some(repaired) = given.or(own) else { continue };
        let plain = plain(knob, knob.clamped(repaired));
        let repaired = match knob.scale {
            Scale::Integer | Scale::Choice(_) => ParamValue::I32(plain as i32),
            _ => ParamValue::F32(plain),
        };
        params.insert(knob.id.to_owned(), repaired);
    }
    state.params = params;
}

/// The value that a state gives for a parameter; `None` if it is not finite or not a choice.
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

#[cfg(test)]
mod tests {
    use super::*;

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
