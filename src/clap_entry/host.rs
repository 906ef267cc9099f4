//! The host of an instance, as its functions are called.

use std::ffi::{CStr, c_void};
use std::ptr::null;

use clap_sys::ext::params::{CLAP_EXT_PARAMS, CLAP_PARAM_RESCAN_VALUES, clap_host_params};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_host_state};
use nice_plug::wrapper::clap::clap_host;

/// A host, which outlives its plugins. Each of its functions may be called only on the threads that CLAP names.
#[derive(Clone, Copy)]
pub struct Host(*const clap_host);

// SAFETY: off the main thread, only functions that CLAP allows on any thread are called.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

impl Host {
    /// The host of an instance.
    pub fn new(host: *const clap_host) -> Self {
        Self(host)
    }

    /// Its table.
    pub fn pointer(self) -> *const clap_host {
        self.0
    }

    /// An extension of the host; null if it has none.
    ///
    /// # Safety
    /// Only once the plugin is initialised.
    pub unsafe fn extension(self, id: &CStr) -> *const c_void {
        // SAFETY: the host outlives the plugin.
        unsafe { (*self.0).get_extension.map_or(null(), |get| get(self.0, id.as_ptr())) }
    }

    /// Requests a call on the main thread; from any thread.
    pub fn request_main_thread(self) {
        // SAFETY: the host outlives the plugin, and with it the flag.
        unsafe {
            if let Some(request) = (*self.0).request_callback {
                request(self.0);
            }
        }
    }

    /// Tells the host that all values have changed.
    ///
    /// # Safety
    /// Only on the main thread.
    pub unsafe fn rescan_values(self) {
        // SAFETY: a host gives valid extensions or null, and this is its main thread by contract.
        unsafe {
            let Some(get) = (*self.0).get_extension else { return };
            let params = get(self.0, CLAP_EXT_PARAMS.as_ptr()).cast::<clap_host_params>();
            if let Some(rescan) = params.as_ref().and_then(|params| params.rescan) {
                rescan(self.0, CLAP_PARAM_RESCAN_VALUES);
            }
            let state = get(self.0, CLAP_EXT_STATE.as_ptr()).cast::<clap_host_state>();
            if let Some(mark_dirty) = state.as_ref().and_then(|state| state.mark_dirty) {
                mark_dirty(self.0);
            }
        }
    }
}
