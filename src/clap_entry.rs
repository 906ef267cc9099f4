//! The CLAP entry: nice-plug's own wrapper behind a factory that sets each block's host data straight first.
//!
//! nice-plug 0.4.2 trusts a host's event times: one past the end of the block makes it write past the host's buffers, one out of
//! order overflows inside `extern "C"`, and so does an output of more than two channels or a system exclusive message without
//! bytes; with side-chain buffers but a count of zero it reads one port too many, and it takes channel pointers unseen. A host
//! should do none of this. If it does, the plugin must not take the session down, so `process` is called with a list in which
//! every time lies inside the block and none lies before its predecessor, and with two channels of side-chain or none.
//!
//! A program change moves all parameters without the host's doing. The bell that the worker rings then asks the host for its main
//! thread, on which the host is told to look at them anew, and that its session has changed.
//!
//! The export macro makes its factory private; this is the same factory by hand. Floor: roof. Unsafe because CLAP is C.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::events::{
    CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_MIDI_SYSEX, CLAP_EVENT_TRANSPORT, clap_event_header, clap_input_events,
};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, CLAP_PARAM_RESCAN_VALUES, clap_host_params};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_host_state};
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process, clap_process_status};
use nice_plug::wrapper::clap::{
    CLAP_PLUGIN_FACTORY_ID, CLAP_VERSION, PluginDescriptor, Wrapper, clap_host, clap_plugin, clap_plugin_descriptor,
    clap_plugin_entry, clap_plugin_factory,
};

use crate::engine::kit::OUTPUTS;
use crate::link::bell::Bell;
use crate::plugin::Urto;

/// Room for a copy of one event; the largest of CLAP's fixed-size events has 104 bytes.
const ROOM: usize = 256;

/// Channels of the one output.
const CHANNELS: u32 = 2;

/// The entry that hosts look for.
#[unsafe(no_mangle)]
#[used]
pub static clap_entry: clap_plugin_entry =
    clap_plugin_entry { clap_version: CLAP_VERSION, init: Some(init), deinit: Some(deinit), get_factory: Some(factory) };

static FACTORY: clap_plugin_factory =
    clap_plugin_factory { get_plugin_count: Some(count), get_plugin_descriptor: Some(descriptor), create_plugin: Some(create) };

type Process = unsafe extern "C" fn(*const clap_plugin, *const clap_process) -> clap_process_status;
type Call = unsafe extern "C" fn(*const clap_plugin);

/// nice-plug's own functions, the same for every instance.
struct Wrapped {
    process: Process,
    on_main_thread: Call,
    destroy: Call,
}

static WRAPPED: OnceLock<Wrapped> = OnceLock::new();

/// A host, which outlives its plugins; the functions that are called through it belong to the thread they are called on.
#[derive(Clone, Copy)]
struct Host(*const clap_host);

// SAFETY: of a host, only what CLAP allows on any thread is called on another than the main thread.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

/// Host and bell of every instance, by the address of its plugin; for the main thread.
static INSTANCES: Mutex<BTreeMap<usize, (Host, Arc<Bell>)>> = Mutex::new(BTreeMap::new());

fn description() -> &'static PluginDescriptor {
    static DESCRIPTION: OnceLock<PluginDescriptor> = OnceLock::new();
    DESCRIPTION.get_or_init(PluginDescriptor::for_plugin::<Urto>)
}

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
    1
}

unsafe extern "C" fn descriptor(_: *const clap_plugin_factory, index: u32) -> *const clap_plugin_descriptor {
    if index == 0 { description().clap_plugin_descriptor() } else { null() }
}

unsafe extern "C" fn create(_: *const clap_plugin_factory, host: *const clap_host, id: *const c_char) -> *const clap_plugin {
    // SAFETY: the host gives a C string or null, and a host that outlives the plugin.
    unsafe {
        if id.is_null() || host.is_null() || CStr::from_ptr(id) != description().clap_id() {
            return null();
        }
        let caller = Host(host);
        let bell = Arc::new(Bell::new(move || caller.call()));
        bell.hang();
        let wrapper = Wrapper::<Urto>::new(host);
        {
            let mut table = wrapper.clap_plugin.borrow_mut();
            let wrapped =
                (table.process.replace(process), table.on_main_thread.replace(on_main_thread), table.destroy.replace(destroy));
            if let (Some(process), Some(on_main_thread), Some(destroy)) = wrapped {
                let _ = WRAPPED.set(Wrapped { process, on_main_thread, destroy });
            }
        }
        // nice-plug's `destroy` takes this count back.
        let plugin = (*Arc::into_raw(wrapper)).clap_plugin.as_ptr();
        instances().insert(plugin.addr(), (Host(host), bell));
        plugin
    }
}

fn instances() -> std::sync::MutexGuard<'static, BTreeMap<usize, (Host, Arc<Bell>)>> {
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

unsafe extern "C" fn on_main_thread(plugin: *const clap_plugin) {
    let rung = instances().get(&plugin.addr()).filter(|(_, bell)| bell.has_rung()).map(|(host, _)| *host);
    // SAFETY: under the same contract.
    unsafe {
        if let Some(host) = rung {
            host.look();
        }
        if let Some(wrapped) = WRAPPED.get() {
            (wrapped.on_main_thread)(plugin);
        }
    }
}

unsafe extern "C" fn destroy(plugin: *const clap_plugin) {
    // the bell rings until the instance is gone
    if let Some(wrapped) = WRAPPED.get() {
        // SAFETY: under the same contract.
        unsafe { (wrapped.destroy)(plugin) };
    }
    instances().remove(&plugin.addr());
}

/// nice-plug's `process` with the block's host data set straight.
unsafe extern "C" fn process(plugin: *const clap_plugin, block: *const clap_process) -> clap_process_status {
    let (Some(wrapped), false) = (WRAPPED.get(), block.is_null()) else { return CLAP_PROCESS_ERROR };
    // SAFETY: the host gives a valid block for the length of this call; `ordered` and `list` outlive the inner call.
    unsafe {
        let mut block = *block;
        let mut ordered = Ordered::new(block.in_events, block.frames_count);
        let list = clap_input_events { ctx: (&raw mut ordered).cast(), size: Some(size), get: Some(get) };
        if !block.in_events.is_null() {
            block.in_events = &list;
        }
        let (mut pointers, input);
        (block.audio_inputs, block.audio_inputs_count) = match side_chain(&block) {
            Some((side_chain, channels)) => {
                pointers = channels;
                input = clap_audio_buffer { data32: pointers.as_mut_ptr(), channel_count: CHANNELS, ..side_chain };
                (&raw const input, 1)
            }
            None => (null(), 0),
        };
        // one more than there can be, all empty where the host gives none: nice-plug looks one too far
        let mut outputs: [clap_audio_buffer; OUTPUTS + 1] = std::mem::zeroed();
        if block.audio_outputs_count > 0 && !block.audio_outputs.is_null() {
            let given = (block.audio_outputs_count as usize).min(OUTPUTS);
            for (i, output) in outputs.iter_mut().enumerate().take(given) {
                let host = block.audio_outputs.add(i);
                (*host).constant_mask = 0;
                *output = clap_audio_buffer { channel_count: (*host).channel_count.min(CHANNELS), ..*host };
            }
            (block.audio_outputs, block.audio_outputs_count) = (outputs.as_mut_ptr(), given as u32);
        }
        (wrapped.process)(plugin, &block)
    }
}

/// The side-chain and its two channels, of which mono has the same twice; nothing if the host gives no float samples.
///
/// # Safety
/// The block's input ports must be as many, and have as many channels, as it says.
unsafe fn side_chain(block: &clap_process) -> Option<(clap_audio_buffer, [*mut f32; 2])> {
    if block.audio_inputs.is_null() || block.audio_inputs_count == 0 {
        return None;
    }
    // SAFETY: at least one port, by contract.
    unsafe {
        let port = *block.audio_inputs;
        let channel = |i: u32| (i < port.channel_count && !port.data32.is_null()).then(|| *port.data32.add(i as usize));
        let left = channel(0).filter(|left| !left.is_null())?;
        let right = channel(1).filter(|right| !right.is_null()).unwrap_or(left);
        Some((port, [left, right]))
    }
}

/// A host's list of events with its times set straight. nice-plug asks for them with a rising index, the last one perhaps twice.
struct Ordered {
    host: *const clap_input_events,
    last: u32,
    index: Option<u32>,
    /// Time of the event before `index`, and of that at `index`.
    times: (u32, u32),
    copy: Copied,
}

#[repr(C, align(16))]
struct Copied([u8; ROOM]);

impl Ordered {
    fn new(host: *const clap_input_events, frames: u32) -> Self {
        Self { host, last: frames.saturating_sub(1), index: None, times: (0, 0), copy: Copied([0; ROOM]) }
    }

    /// The time at which the event at `index`, which the host put at `time`, takes place.
    fn straight(&mut self, index: u32, time: u32) -> u32 {
        if self.index != Some(index) {
            (self.index, self.times.0) = (Some(index), self.times.1);
        }
        self.times.1 = time.clamp(self.times.0, self.last);
        self.times.1
    }

    /// # Safety
    /// The host's list must be valid, and what an earlier call returned no longer in use.
    unsafe fn get(&mut self, index: u32) -> *const clap_event_header {
        // SAFETY: the list is valid by contract; an event has at least a header; the copy stays within both.
        unsafe {
            let Some(ask) = (*self.host).get else { return null() };
            let event = ask(self.host, index);
            if event.is_null() {
                return null();
            }
            let header = *event;
            let time = self.straight(index, header.time);
            let core = header.space_id == CLAP_CORE_EVENT_SPACE_ID;
            if core && header.type_ == CLAP_EVENT_MIDI_SYSEX {
                return null();
            }
            if time == header.time {
                return event;
            }
            let bytes = header.size as usize;
            // nice-plug keeps a pointer to the transport, which a copy would not outlive.
            if core && header.type_ == CLAP_EVENT_TRANSPORT || !(size_of::<clap_event_header>()..=ROOM).contains(&bytes) {
                return null();
            }
            self.copy = Copied([0; ROOM]);
            std::ptr::copy_nonoverlapping(event.cast::<u8>(), self.copy.0.as_mut_ptr(), bytes);
            let copy = (&raw mut self.copy).cast::<clap_event_header>();
            (*copy).time = time;
            copy
        }
    }
}

unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
    // SAFETY: `ctx` is the `Ordered` of the running call.
    unsafe {
        let ordered = &*(*list).ctx.cast::<Ordered>();
        (*ordered.host).size.map_or(0, |size| size(ordered.host))
    }
}

unsafe extern "C" fn get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    // SAFETY: `ctx` is the `Ordered` of the running call, reached by nothing else while it runs.
    unsafe { (*(*list).ctx.cast::<Ordered>()).get(index) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lie_inside_the_block_and_in_order() {
        let mut ordered = Ordered::new(null(), 64);
        let given = [0, 10, 4, 10, 70, 63, u32::MAX, 0];
        let expected = [0, 10, 10, 10, 63, 63, 63, 63];
        for (index, (given, expected)) in given.into_iter().zip(expected).enumerate() {
            for _ in 0..2 {
                assert_eq!(ordered.straight(index as u32, given), expected);
            }
        }
        assert_eq!(Ordered::new(null(), 0).straight(0, 9), 0);
    }
}
