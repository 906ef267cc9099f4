//! The CLAP entry: nice-plug's own wrapper behind a factory that sets each block's host data straight first.
//!
//! nice-plug 0.4.2 trusts what a host says of [events](ordered) and of [audio ports](sound). A host should keep the rules; if it does
//! not, the plugin must not take the session down.
//!
//! A program change moves all parameters without the host's doing. The bell that the worker rings then asks the host for its main
//! thread, on which the host is told to look at them anew, and that its session has changed.
//!
//! The export macro makes its factory private; this is the same factory by hand. Floor: roof. Unsafe because CLAP is C.
#![allow(unsafe_code)]

mod audio_ports;
mod event_list;

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap_sys::ext::params::{CLAP_EXT_PARAMS, CLAP_PARAM_RESCAN_VALUES, clap_host_params};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_host_state};
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process, clap_process_status};
use nice_plug::wrapper::clap::{
    CLAP_PLUGIN_FACTORY_ID, CLAP_VERSION, ClapPlugin, PluginDescriptor, Wrapper, clap_host, clap_plugin, clap_plugin_descriptor,
    clap_plugin_entry, clap_plugin_factory,
};

use crate::clap_entry::audio_ports::Sound;
use crate::clap_entry::event_list::Ordered;
use crate::plugin::FonoBump;
use crate::plugin::Urto;
use crate::threads::ParamRescanFlag;

/// The entry that hosts look for.
#[unsafe(no_mangle)]
#[used]
pub static clap_entry: clap_plugin_entry =
    clap_plugin_entry { clap_version: CLAP_VERSION, init: Some(init), deinit: Some(deinit), get_factory: Some(factory) };

static FACTORY: clap_plugin_factory =
    clap_plugin_factory { get_plugin_count: Some(count), get_plugin_descriptor: Some(descriptor), create_plugin: Some(create) };

type Process = unsafe extern "C" fn(*const clap_plugin, *const clap_process) -> clap_process_status;
type Call = unsafe extern "C" fn(*const clap_plugin);
type Make = unsafe fn(*const clap_host) -> *const clap_plugin;

/// nice-plug's own functions, the same for every instance of a plugin.
struct Wrapped {
    process: Process,
    on_main_thread: Call,
    destroy: Call,
}

/// A plugin of this library.
trait Listed: ClapPlugin {
    /// Whether what comes in is in its output before it is overwritten.
    const THROUGH: bool;

    /// nice-plug's functions for it.
    fn wrapped() -> &'static OnceLock<Wrapped>;
}

impl Listed for Urto {
    const THROUGH: bool = false;

    fn wrapped() -> &'static OnceLock<Wrapped> {
        static WRAPPED: OnceLock<Wrapped> = OnceLock::new();
        &WRAPPED
    }
}

impl Listed for FonoBump {
    const THROUGH: bool = true;

    fn wrapped() -> &'static OnceLock<Wrapped> {
        static WRAPPED: OnceLock<Wrapped> = OnceLock::new();
        &WRAPPED
    }
}

/// Every plugin, and how it is made; hosts that know of one alone take the first.
fn list() -> &'static [(PluginDescriptor, Make); 2] {
    static LIST: OnceLock<[(PluginDescriptor, Make); 2]> = OnceLock::new();
    LIST.get_or_init(|| {
        [(PluginDescriptor::for_plugin::<Urto>(), make::<Urto>), (PluginDescriptor::for_plugin::<FonoBump>(), make::<FonoBump>)]
    })
}

/// A host, which outlives its plugins; the functions that are called through it belong to the thread they are called on.
#[derive(Clone, Copy)]
struct Host(*const clap_host);

// SAFETY: of a host, only what CLAP allows on any thread is called on another than the main thread.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

/// Host and bell of every instance, by the address of its plugin; for the main thread.
static INSTANCES: Mutex<BTreeMap<usize, (Host, Arc<ParamRescanFlag>)>> = Mutex::new(BTreeMap::new());

extern "C" fn init(_path: *const c_char) -> bool {
    nice_plug::wrapper::setup_logger::<Urto>();
    true
}

extern "C" fn deinit() {}

extern "C" fn factory(id: *const c_char) -> *const c_void {
    // SAFETY: the host gives a C string or null.
    let wanted = !id.is_null() && unsafe { CStr::from_ptr(id) } == CLAP_PLUGIN_FACTORY_ID;
    if wanted { (&raw const FACTORY).cast() } else { null() }
}

unsafe extern "C" fn count(_: *const clap_plugin_factory) -> u32 {
    list().len() as u32
}

unsafe extern "C" fn descriptor(_: *const clap_plugin_factory, index: u32) -> *const clap_plugin_descriptor {
    list().get(index as usize).map_or(null(), |(descriptor, _)| descriptor.clap_plugin_descriptor())
}

unsafe extern "C" fn create(_: *const clap_plugin_factory, host: *const clap_host, id: *const c_char) -> *const clap_plugin {
    if id.is_null() || host.is_null() {
        return null();
    }
    // SAFETY: the host gives a C string, and itself outlives the plugin.
    unsafe {
        let id = CStr::from_ptr(id);
        list().iter().find(|(descriptor, _)| descriptor.clap_id() == id).map_or(null(), |(_, make)| make(host))
    }
}

/// A new instance.
///
/// # Safety
/// The host must outlive it.
unsafe fn make<P: Listed>(host: *const clap_host) -> *const clap_plugin {
    let caller = Host(host);
    let bell = Arc::new(ParamRescanFlag::new(move || caller.call()));
    bell.reserve_for_next_instance();
    // SAFETY: the table is the wrapper's own; nice-plug's `destroy` takes the count back that `into_raw` leaves.
    unsafe {
        let wrapper = Wrapper::<P>::new(host);
        {
            let mut table = wrapper.clap_plugin.borrow_mut();
            let wrapped = (
                table.process.replace(process::<P>),
                table.on_main_thread.replace(on_main_thread::<P>),
                table.destroy.replace(destroy::<P>),
            );
            if let (Some(process), Some(on_main_thread), Some(destroy)) = wrapped {
                let _ = P::wrapped().set(Wrapped { process, on_main_thread, destroy });
            }
        }
        let plugin = (*Arc::into_raw(wrapper)).clap_plugin.as_ptr();
        instances().insert(plugin.addr(), (Host(host), bell));
        plugin
    }
}

fn instances() -> std::sync::MutexGuard<'static, BTreeMap<usize, (Host, Arc<ParamRescanFlag>)>> {
    INSTANCES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host {
    /// Asks for a call on the main thread; from any thread.
    fn call(self) {
        // SAFETY: the host outlives the plugin, and with it the bell.
        unsafe {
            if let Some(request) = (*self.0).request_callback {
                request(self.0);
            }
        }
    }

    /// Tells that all values have moved; from the main thread.
    unsafe fn look(self) {
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

unsafe extern "C" fn on_main_thread<P: Listed>(plugin: *const clap_plugin) {
    let rung = instances().get(&plugin.addr()).filter(|(_, bell)| bell.take_request()).map(|(host, _)| *host);
    // SAFETY: under the same contract.
    unsafe {
        if let Some(host) = rung {
            host.look();
        }
        if let Some(wrapped) = P::wrapped().get() {
            (wrapped.on_main_thread)(plugin);
        }
    }
}

unsafe extern "C" fn destroy<P: Listed>(plugin: *const clap_plugin) {
    // the bell rings until the instance is gone
    if let Some(wrapped) = P::wrapped().get() {
        // SAFETY: under the same contract.
        unsafe { (wrapped.destroy)(plugin) };
    }
    instances().remove(&plugin.addr());
}

/// nice-plug's `process` with the block's host data set straight.
unsafe extern "C" fn process<P: Listed>(plugin: *const clap_plugin, block: *const clap_process) -> clap_process_status {
    let (Some(wrapped), false) = (P::wrapped().get(), block.is_null()) else { return CLAP_PROCESS_ERROR };
    // SAFETY: the host gives a valid block for the length of this call; what it is replaced with outlives the inner call.
    unsafe {
        let mut block = *block;
        let mut ordered = Ordered::new(block.in_events, block.frames_count);
        let list = ordered.list();
        if !block.in_events.is_null() {
            block.in_events = &list;
        }
        let mut sound = Sound::new();
        sound.straighten(&mut block, P::THROUGH);
        (wrapped.process)(plugin, &block)
    }
}
