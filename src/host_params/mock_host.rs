//! A host that does what it is asked at once, and remembers it: for tests of what the editor asks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use nice_plug::context::PluginApi;
use nice_plug::context::gui::{GuiContext, GuiContextInner};
use nice_plug::plugin::PluginState;
use nice_plug::prelude::{ParamPtr, Params};

use crate::host_params::HostParams;
use urto_engine::params::ParamId;

/// What a host was asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// A knob is taken hold of.
    Begin(ParamId),
    /// It is to stand there, 0 to 1.
    Set(ParamId, f32),
    /// It is let go.
    End(ParamId),
}

/// The host of a rehearsal.
pub struct MockHost {
    knobs: Arc<HostParams>,
    asked: Mutex<Vec<Asked>>,
}

impl MockHost {
    /// For an instance with `knobs`; and what its editor talks to.
    pub fn of(knobs: Arc<HostParams>) -> (Arc<Self>, GuiContext) {
        let host = Arc::new(Self { knobs, asked: Mutex::default() });
        (Arc::clone(&host), GuiContext::new(host))
    }

    /// What it was asked since last looked.
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, param: ParamPtr, what: impl FnOnce(ParamId) -> Asked) {
        let map = self.knobs.param_map();
        // of another instance it is nobody's knob
        let Some(place) = map.iter().position(|(_, pointer, _)| *pointer == param) else { return };
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(what(ParamId::ALL[place]));
    }
}

// SAFETY of the calls: `knobs` keeps what the pointers lead to.
#[allow(unsafe_code)]
impl GuiContextInner for MockHost {
    fn plugin_api(&self) -> PluginApi {
        PluginApi::Clap
    }

    unsafe fn raw_begin_set_parameter(&self, param: ParamPtr) {
        self.note(param, Asked::Begin);
    }

    unsafe fn raw_set_parameter_normalized(&self, param: ParamPtr, normalized: f32) {
        self.note(param, |id| Asked::Set(id, normalized));
        unsafe { param._internal_set_normalized_value(normalized) };
    }

    unsafe fn raw_end_set_parameter(&self, param: ParamPtr) {
        self.note(param, Asked::End);
    }

    /// The editor does not ask for it.
    fn get_state(&self) -> PluginState {
        PluginState { version: String::new(), params: BTreeMap::new(), fields: BTreeMap::new() }
    }

    /// See [`Self::get_state`].
    fn set_state(&self, _: PluginState) {}

    fn request_restart(&self) {}
}
