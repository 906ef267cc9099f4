//! Claims about states that a host returns.

use std::sync::Arc;

use nice_plug::prelude::{Params, PluginState};
use urto::host_params::HostParams;
use urto_engine::params::ParamId;

/// A state moves params within their ranges, or nothing; what is saved afterwards is loaded as the same patch.
pub fn state(data: &[u8]) {
    let Ok(mut state) = serde_json::from_slice::<PluginState>(data) else { return };
    let params = Arc::new(HostParams::new(|_| ()));
    urto::host_params::repair_state(&mut state);
    params.deserialize_fields(&state.fields);
    let patch = params.patch();
    for &id in ParamId::ALL {
        let (param, value) = (id.spec(), patch.settings.get(id));
        assert!((param.min..=param.max).contains(&value), "{}: {value}", param.id);
    }
    let again = HostParams::new(|_| ());
    again.deserialize_fields(&params.serialize_fields());
    assert_eq!(again.patch(), patch);
}
