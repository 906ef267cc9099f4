//! The CLAP factory: creates nice-plug's wrapper and replaces four functions of its table.
//!
//! Parameters with named choices are marked as enumerations, so that hosts show the names, also of two.
//!
//! nice-plug 0.4.2 trusts the host's [events](event_list) and [audio ports](audio_ports). A host should keep the rules of CLAP; one that
//! does not must not crash the session.
//!
//! A program change sets all parameters without the host. The flag that the worker sets asks the host for a call on its main thread,
//! which tells the host to read the values again, and that its session has changed.
//!
//! nice-plug's export macro makes its factory private; this is the same factory written out. Unsafe because CLAP is C.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap_sys::ext::params::{CLAP_EXT_PARAMS, CLAP_PARAM_IS_ENUM, clap_param_info, clap_plugin_params};
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process, clap_process_status};
use nice_plug::wrapper::clap::{
    CLAP_PLUGIN_FACTORY_ID, CLAP_VERSION, ClapPlugin, PluginDescriptor, Wrapper, clap_host, clap_plugin, clap_plugin_descriptor,
    clap_plugin_entry, clap_plugin_factory,
};

use crate::clap_entry::audio_ports::AudioPorts;
use crate::clap_entry::audio_unit;
use crate::clap_entry::event_list::OrderedEvents;
use crate::clap_entry::host::Host;
use crate::clap_entry::thread_pool;

use crate::plugin::{FonoBump, Urto};
use crate::threads::ParamRescanFlag;
use urto_engine::params::ParamId;

/// The symbol that CLAP hosts load.
#[unsafe(no_mangle)]
#[used]
pub static clap_entry: clap_plugin_entry =
    clap_plugin_entry { clap_version: CLAP_VERSION, init: Some(init), deinit: Some(deinit), get_factory: Some(factory) };

static FACTORY: clap_plugin_factory =
    clap_plugin_factory { get_plugin_count: Some(count), get_plugin_descriptor: Some(descriptor), create_plugin: Some(create) };

type Process = unsafe extern "C" fn(*const clap_plugin, *const clap_process) -> clap_process_status;
type GetExtension = unsafe extern "C" fn(*const clap_plugin, *const c_char) -> *const c_void;
type PluginCall = unsafe extern "C" fn(*const clap_plugin);
type Create = unsafe fn(*const clap_host) -> *const clap_plugin;

/// nice-plug's functions that are replaced, the same for every instance of a plugin.
struct ReplacedFunctions {
    process: Process,
    get_extension: GetExtension,
    on_main_thread: PluginCall,
    destroy: PluginCall,
    /// nice-plug's functions for parameters, and those that hosts get.
    params: OnceLock<[clap_plugin_params; 2]>,
}

/// A plugin of this library.
trait ExportedPlugin: ClapPlugin {
    /// Whether the main output holds the input before it is overwritten.
    const HAS_MAIN_INPUT: bool;

    /// nice-plug's functions for it.
    fn replaced() -> &'static OnceLock<ReplacedFunctions>;
}

impl ExportedPlugin for Urto {
    const HAS_MAIN_INPUT: bool = false;

    fn replaced() -> &'static OnceLock<ReplacedFunctions> {
        static REPLACED: OnceLock<ReplacedFunctions> = OnceLock::new();
        &REPLACED
    }
}

impl ExportedPlugin for FonoBump {
    const HAS_MAIN_INPUT: bool = true;

    fn replaced() -> &'static OnceLock<ReplacedFunctions> {
        static REPLACED: OnceLock<ReplacedFunctions> = OnceLock::new();
        &REPLACED
    }
}

/// The plugins and their constructors. Hosts that support only one plugin per file take the first.
fn plugins() -> &'static [(PluginDescriptor, Create); 2] {
    static PLUGINS: OnceLock<[(PluginDescriptor, Create); 2]> = OnceLock::new();
    PLUGINS.get_or_init(|| {
        [
            (PluginDescriptor::for_plugin::<Urto>(), create_instance::<Urto>),
            (PluginDescriptor::for_plugin::<FonoBump>(), create_instance::<FonoBump>),
        ]
    })
}

/// The host and the rescan flag of an instance.
struct Instance {
    host: Host,
    rescan: Arc<ParamRescanFlag>,
    _tasks: thread_pool::Registration,
}

/// Every instance by the address of its plugin; for the main thread.
static INSTANCES: Mutex<BTreeMap<usize, Instance>> = Mutex::new(BTreeMap::new());

extern "C" fn init(_path: *const c_char) -> bool {
    nice_plug::wrapper::setup_logger::<Urto>();
    #[cfg(windows)]
    crate::loaded_libraries::keep_this_library();
    true
}

extern "C" fn deinit() {}

extern "C" fn factory(id: *const c_char) -> *const c_void {
    if id.is_null() {
        return null();
    }
    // SAFETY: the host gives a C string or null.
    match unsafe { CStr::from_ptr(id) } {
        id if id == CLAP_PLUGIN_FACTORY_ID => (&raw const FACTORY).cast(),
        id if id == audio_unit::FACTORY_ID => (&raw const audio_unit::FACTORY).cast(),
        _ => null(),
    }
}

unsafe extern "C" fn count(_: *const clap_plugin_factory) -> u32 {
    plugins().len() as u32
}

unsafe extern "C" fn descriptor(_: *const clap_plugin_factory, index: u32) -> *const clap_plugin_descriptor {
    plugins().get(index as usize).map_or(null(), |(descriptor, _)| descriptor.clap_plugin_descriptor())
}

unsafe extern "C" fn create(_: *const clap_plugin_factory, host: *const clap_host, id: *const c_char) -> *const clap_plugin {
    if id.is_null() || host.is_null() {
        return null();
    }
    // SAFETY: the host gives a C string, and itself outlives the plugin.
    unsafe {
        let id = CStr::from_ptr(id);
        plugins().iter().find(|(descriptor, _)| descriptor.clap_id() == id).map_or(null(), |(_, create)| create(host))
    }
}

/// A new instance.
///
/// # Safety
/// The host must outlive it.
unsafe fn create_instance<P: ExportedPlugin>(host: *const clap_host) -> *const clap_plugin {
    let caller = Host::new(host);
    let tasks = thread_pool::reserve(caller);
    let rescan = Arc::new(ParamRescanFlag::new(move || caller.request_main_thread()));
    rescan.reserve_for_next_instance();
    // SAFETY: the wrapper owns the table; nice-plug's `destroy` releases the reference that `into_raw` leaves.
    unsafe {
        let wrapper = Wrapper::<P>::new(host);
        {
            let mut table = wrapper.clap_plugin.borrow_mut();
            let replaced = (
                table.process.replace(process::<P>),
                table.get_extension.replace(get_extension::<P>),
                table.on_main_thread.replace(on_main_thread::<P>),
                table.destroy.replace(destroy::<P>),
            );
            if let (Some(process), Some(get_extension), Some(on_main_thread), Some(destroy)) = replaced {
                let params = OnceLock::new();
                let _ = P::replaced().set(ReplacedFunctions { process, get_extension, on_main_thread, destroy, params });
            }
        }
        let plugin = (*Arc::into_raw(wrapper)).clap_plugin.as_ptr();
        let registration = thread_pool::Registration::new(plugin, tasks);
        instances().insert(plugin.addr(), Instance { host: caller, rescan, _tasks: registration });
        plugin
    }
}

fn instances() -> std::sync::MutexGuard<'static, BTreeMap<usize, Instance>> {
    INSTANCES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// nice-plug's extension; for parameters with `get_info` replaced.
unsafe extern "C" fn get_extension<P: ExportedPlugin>(plugin: *const clap_plugin, id: *const c_char) -> *const c_void {
    let Some(replaced) = P::replaced().get() else { return null() };
    // SAFETY: under the same contract; an extension lives as long as the library.
    unsafe {
        let extension = (replaced.get_extension)(plugin, id);
        if extension.is_null() && !id.is_null() {
            return thread_pool::extension(CStr::from_ptr(id));
        }
        if extension.is_null() || CStr::from_ptr(id) != CLAP_EXT_PARAMS {
            return extension;
        }
        let wrapped = *extension.cast::<clap_plugin_params>();
        let own = clap_plugin_params { get_info: Some(param_info::<P>), ..wrapped };
        let [_, own] = replaced.params.get_or_init(|| [wrapped, own]);
        (&raw const *own).cast()
    }
}

/// nice-plug's information on a parameter, with the mark of an enumeration. An index without a parameter gives none.
unsafe extern "C" fn param_info<P: ExportedPlugin>(plugin: *const clap_plugin, index: u32, info: *mut clap_param_info) -> bool {
    let wrapped = P::replaced().get().and_then(|replaced| replaced.params.get());
    let Some((count, get_info)) = wrapped.and_then(|[wrapped, _]| wrapped.count.zip(wrapped.get_info)) else { return false };
    // SAFETY: under the same contract; after success the answer is valid.
    unsafe {
        if index >= count(plugin) || !get_info(plugin, index, info) {
            return false;
        }
        if ParamId::ALL.get(index as usize).is_some_and(|id| id.spec().has_named_choices()) {
            (*info).flags |= CLAP_PARAM_IS_ENUM;
        }
        true
    }
}

unsafe extern "C" fn on_main_thread<P: ExportedPlugin>(plugin: *const clap_plugin) {
    let requested =
        instances().get(&plugin.addr()).filter(|instance| instance.rescan.take_request()).map(|instance| instance.host);
    // SAFETY: under the same contract.
    unsafe {
        if let Some(host) = requested {
            host.rescan_values();
        }
        if let Some(replaced) = P::replaced().get() {
            (replaced.on_main_thread)(plugin);
        }
    }
}

unsafe extern "C" fn destroy<P: ExportedPlugin>(plugin: *const clap_plugin) {
    // the flag may be set until the instance has been destroyed
    if let Some(replaced) = P::replaced().get() {
        // SAFETY: under the same contract.
        unsafe { (replaced.destroy)(plugin) };
    }
    instances().remove(&plugin.addr());
}

/// nice-plug's `process` with corrected host data.
unsafe extern "C" fn process<P: ExportedPlugin>(plugin: *const clap_plugin, block: *const clap_process) -> clap_process_status {
    let (Some(replaced), false) = (P::replaced().get(), block.is_null()) else { return CLAP_PROCESS_ERROR };
    // SAFETY: the host's block is valid during this call; its replacement outlives the inner call.
    unsafe {
        let mut block = *block;
        let mut events = OrderedEvents::new(block.in_events, block.frames_count);
        let list = events.list();
        if !block.in_events.is_null() {
            block.in_events = &list;
        }
        let mut ports = AudioPorts::new();
        ports.correct(&mut block, P::HAS_MAIN_INPUT);
        (replaced.process)(plugin, &block)
    }
}
