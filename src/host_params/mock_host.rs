//! A host for tests of the editor: executes every request at once and records it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use nice_plug::context::PluginApi;
use nice_plug::context::gui::{GuiContext, GuiContextInner};
use nice_plug::plugin::PluginState;
use nice_plug::prelude::{ParamPtr, Params};

use crate::host_params::params::HostParams;
use urto_engine::params::ParamId;

/// A request of the editor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HostRequest {
    /// A gesture on a parameter begins.
    Begin(ParamId),
    /// Sets the normalized value, 0 to 1.
    Set(ParamId, f32),
    /// The gesture ends.
    End(ParamId),
}

/// A host that records requests.
pub struct MockHost {
    params: Arc<HostParams>,
    requests: Mutex<Vec<HostRequest>>,
}

impl MockHost {
    /// A host of an instance with `params`, and the context for its editor.
    pub fn of(params: Arc<HostParams>) -> (Arc<Self>, GuiContext) {
        let host = Arc::new(Self { params, requests: Mutex::default() });
        (Arc::clone(&host), GuiContext::new(host))
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<HostRequest> {
        std::mem::take(&mut *self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn record(&self, param: ParamPtr, request: impl FnOnce(ParamId) -> HostRequest) {
        let map = self.params.param_map();
        // a parameter of another instance is not recorded
        let Some(index) = map.iter().position(|(_, pointer, _)| *pointer == param) else { return };
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request(ParamId::ALL[index]));
    }
}

// SAFETY of the calls: `params` owns the parameters behind the pointers.
#[allow(unsafe_code)]
impl GuiContextInner for MockHost {
    fn plugin_api(&self) -> PluginApi {
        PluginApi::Clap
    }

    unsafe fn raw_begin_set_parameter(&self, param: ParamPtr) {
        self.record(param, HostRequest::Begin);
    }

    unsafe fn raw_set_parameter_normalized(&self, param: ParamPtr, normalized: f32) {
        self.record(param, |id| HostRequest::Set(id, normalized));
        unsafe { param._internal_set_normalized_value(normalized) };
    }

    unsafe fn raw_end_set_parameter(&self, param: ParamPtr) {
        self.record(param, HostRequest::End);
    }

    /// Not used by the editor.
    fn get_state(&self) -> PluginState {
        PluginState { version: String::new(), params: BTreeMap::new(), fields: BTreeMap::new() }
    }

    /// See [`Self::get_state`].
    fn set_state(&self, _: PluginState) {}

    fn request_restart(&self) {}
}
