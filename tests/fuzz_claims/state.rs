//! Claims about states that a host returns.

use std::sync::Arc;

use nice_plug::prelude::{Params, PluginState};
use urto::host_params::HostParams;
use urto_engine::params::ParamId;

/// A state moves knobs within their ranges, or nothing; what is saved afterwards is loaded as the same patch.
pub fn state(data: &[u8]) {
    let Ok(mut state) = serde_json::from_slice::<PluginState>(data) else { return };
    let knobs = Arc::new(HostParams::new(|_| ()));
    urto::host_params::repair_state(&mut state);
    knobs.deserialize_fields(&state.fields);
    let patch = knobs.patch();
    for &id in ParamId::ALL {
        let (knob, value) = (id.spec(), patch.settings.get(id));
        assert!((knob.min..=knob.max).contains(&value), "{}: {value}", knob.id);
    }
    let again = HostParams::new(|_| ());
    again.deserialize_fields(&knobs.serialize_fields());
    assert_eq!(again.patch(), patch);
}
