//! Zones of a kit on several threads: those of a CLAP host, and those of the plugin. No bit changes, and nothing is allocated while processing.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64};

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::events::{
    CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_NOTE_ON, CLAP_EVENT_PARAM_VALUE, clap_event_header, clap_event_note,
    clap_event_param_value, clap_input_events, clap_output_events,
};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_plugin_state};
use clap_sys::ext::thread_pool::{CLAP_EXT_THREAD_POOL, clap_host_thread_pool, clap_plugin_thread_pool};
use clap_sys::factory::plugin_factory::{CLAP_PLUGIN_FACTORY_ID, clap_plugin_factory};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use clap_sys::process::clap_process;
use clap_sys::stream::clap_istream;
use clap_sys::version::CLAP_VERSION;
use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, factory_presets};

use crate::support::clap_host::{Clap, state};
use crate::support::engine_reference::{Stereo, assert_same, on, render_patch};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 512;
const BLOCKS: usize = 24;
/// Keys of the Studio Kit that are struck together at every fourth block.
const KEYS: [u8; 8] = [36, 38, 42, 45, 48, 49, 51, 57];

fn kit() -> Patch {
    factory_presets::kits().find(|kit| kit.name == "Studio Kit").expect("a factory kit")
}

fn expected() -> Stereo {
    let blocks = (0..BLOCKS).step_by(4);
    let strokes: Vec<_> = blocks.flat_map(|block| KEYS.map(|key| (block * FRAMES, on(key, 0.8)))).collect();
    render_patch(&kit(), RATE, BLOCKS * FRAMES, &strokes, &[])
}

fn id() -> u32 {
    Clap::new().listed()[ParamId::RenderThreads as usize].id
}

/// The threads of the plugin, which Linux names.
#[cfg(target_os = "linux")]
mod own_threads {
    use super::*;
    use crate::support::clap_host::{Side, note_on};
    use crate::support::engine_reference::peak;
    use clack_host::prelude::EventBuffer;
    use std::time::{Duration, Instant};

    /// Number of the plugin's threads in this process.
    fn render_threads() -> usize {
        let threads = std::fs::read_dir("/proc/self/task").expect("threads");
        let names = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok());
        names.filter(|name| name.trim() == "urto render").count()
    }

    /// The plugin starts threads when the parameter is switched on, and ends them when it is switched off or the instance is gone.
    #[test]
    fn threads_of_the_plugin_change_no_bit_and_end() {
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
        let mut clap = Clap::with(&kit());
        clap.start(RATE);
        let set = |clap: &mut Clap, value: f64| {
            let mut events = EventBuffer::new();
            events.push(&clap.turn(0, ParamId::RenderThreads, value));
            clap.block(FRAMES, &events, Side::Absent);
        };
        let wait_for = |count: usize| {
            let begun = Instant::now();
            while render_threads() != count {
                assert!(begun.elapsed() < Duration::from_secs(20), "{} render threads, not {count}", render_threads());
                std::thread::sleep(Duration::from_millis(2));
            }
        };
        for _ in 0..2 {
            set(&mut clap, 1.0);
            wait_for(cores.min(8) - 1);
            clap.reset();
            let mut sound: Stereo = Default::default();
            for block in 0..BLOCKS {
                let mut events = EventBuffer::new();
                if block % 4 == 0 {
                    KEYS.iter().for_each(|&key| events.push(&note_on(0, key, 0.8, None)));
                }
                for (all, part) in sound.iter_mut().zip(clap.block(FRAMES, &events, Side::Absent).sound) {
                    all.extend(part);
                }
            }
            assert!(peak(&sound) > 0.1);
            assert_same(&sound, &expected());
            set(&mut clap, 0.0);
            wait_for(0);
        }
        set(&mut clap, 1.0);
        wait_for(cores.min(8) - 1);
        drop(clap);
        assert_eq!(render_threads(), 0, "they end with the instance");
    }
}

/// A host with a thread pool, written in the terms of CLAP.
mod host {
    use super::*;

    pub static PLUGIN: AtomicPtr<clap_plugin> = AtomicPtr::new(null_mut());
    pub static IS_REFUSING: AtomicBool = AtomicBool::new(false);
    pub static REQUESTS: AtomicU64 = AtomicU64::new(0);
    /// Tasks that are left, and that have ended.
    static LEFT: AtomicI64 = AtomicI64::new(0);
    static ENDED: AtomicU32 = AtomicU32::new(0);
    pub static STOP: AtomicBool = AtomicBool::new(false);

    static POOL: clap_host_thread_pool = clap_host_thread_pool { request_exec: Some(request_exec) };

    /// The extension of the plugin.
    pub unsafe fn extension<T>(plugin: *const clap_plugin, id: &CStr) -> *const T {
        // SAFETY: the plugin is valid by contract.
        unsafe { ((*plugin).get_extension.expect("a function"))(plugin, id.as_ptr()).cast() }
    }

    unsafe extern "C" fn request_exec(_: *const clap_host, count: u32) -> bool {
        if IS_REFUSING.load(Relaxed) {
            return false;
        }
        REQUESTS.fetch_add(1, Relaxed);
        ENDED.store(0, SeqCst);
        LEFT.store(i64::from(count), SeqCst);
        while ENDED.load(SeqCst) < count {
            std::thread::yield_now();
        }
        true
    }

    /// A thread of the pool.
    pub fn work() {
        while !STOP.load(Relaxed) {
            let task = LEFT.load(SeqCst);
            if task > 0 && LEFT.compare_exchange(task, task - 1, SeqCst, SeqCst).is_ok() {
                let plugin = PLUGIN.load(Relaxed).cast_const();
                // SAFETY: the plugin processes while tasks are left.
                unsafe {
                    let pool = extension::<clap_plugin_thread_pool>(plugin, CLAP_EXT_THREAD_POOL);
                    ((*pool).exec.expect("a function"))(plugin, task as u32 - 1);
                }
                ENDED.fetch_add(1, SeqCst);
            } else {
                std::thread::yield_now();
            }
        }
    }

    pub unsafe extern "C" fn get_extension(_: *const clap_host, id: *const c_char) -> *const c_void {
        // SAFETY: a C string by contract.
        if unsafe { CStr::from_ptr(id) } == CLAP_EXT_THREAD_POOL { (&raw const POOL).cast() } else { null() }
    }

    pub unsafe extern "C" fn nothing(_: *const clap_host) {}

    pub unsafe extern "C" fn read(stream: *const clap_istream, buffer: *mut c_void, size: u64) -> i64 {
        // SAFETY: the context is the rest of the state.
        unsafe {
            let rest = &mut *(*stream).ctx.cast::<&[u8]>();
            let count = rest.len().min(size as usize);
            std::ptr::copy_nonoverlapping(rest.as_ptr(), buffer.cast(), count);
            *rest = &rest[count..];
            count as i64
        }
    }

    /// Events of one block.
    pub struct Events {
        pub notes: Vec<clap_event_note>,
        pub value: Option<clap_event_param_value>,
    }

    pub unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
        // SAFETY: the context is `Events`.
        let events = unsafe { &*(*list).ctx.cast::<Events>() };
        events.notes.len() as u32 + u32::from(events.value.is_some())
    }

    pub unsafe extern "C" fn get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
        // SAFETY: the context is `Events`.
        let events = unsafe { &*(*list).ctx.cast::<Events>() };
        match (&events.value, index as usize) {
            (Some(value), 0) => &raw const value.header,
            (value, index) => &raw const events.notes[index - usize::from(value.is_some())].header,
        }
    }

    pub unsafe extern "C" fn push(_: *const clap_output_events, _: *const clap_event_header) -> bool {
        true
    }
}

fn header<T>(kind: u16) -> clap_event_header {
    clap_event_header { size: size_of::<T>() as u32, time: 0, space_id: CLAP_CORE_EVENT_SPACE_ID, type_: kind, flags: 0 }
}

/// The host renders the zones on its threads, or refuses, in turn.
#[test]
fn the_thread_pool_of_a_clap_host_changes_no_bit() {
    let host = clap_host {
        clap_version: CLAP_VERSION,
        host_data: null_mut(),
        name: c"host".as_ptr(),
        vendor: c"".as_ptr(),
        url: c"".as_ptr(),
        version: c"".as_ptr(),
        get_extension: Some(host::get_extension),
        request_restart: Some(host::nothing),
        request_process: Some(host::nothing),
        request_callback: Some(host::nothing),
    };
    let workers: Vec<_> = (0..2).map(|_| std::thread::spawn(host::work)).collect();
    // SAFETY: calls in the order of CLAP, with data that lives until the plugin is destroyed.
    let sound = unsafe {
        let entry = &urto::clap_entry;
        assert!((entry.init.expect("a function"))(c"".as_ptr()));
        let factory = (entry.get_factory.expect("a function"))(CLAP_PLUGIN_FACTORY_ID.as_ptr()).cast::<clap_plugin_factory>();
        let plugin = ((*factory).create_plugin.expect("a function"))(factory, &host, c"org.urto.urto".as_ptr());
        host::PLUGIN.store(plugin.cast_mut(), Relaxed);
        let functions = *plugin;
        assert!((functions.init.expect("a function"))(plugin));
        let saved = state(&kit());
        let mut rest = &saved[..];
        let stream = clap_istream { ctx: (&raw mut rest).cast(), read: Some(host::read) };
        let states = host::extension::<clap_plugin_state>(plugin, CLAP_EXT_STATE);
        assert!(((*states).load.expect("a function"))(plugin, &stream));
        assert!((functions.activate.expect("a function"))(plugin, RATE, 1, FRAMES as u32));
        assert!((functions.start_processing.expect("a function"))(plugin));
        let mut sound: Stereo = Default::default();
        for block in 0..BLOCKS {
            host::IS_REFUSING.store(block % 5 == 4, Relaxed);
            let struck = if block % 4 == 0 { &KEYS[..] } else { &[] };
            let note = |&key: &u8| clap_event_note {
                header: header::<clap_event_note>(CLAP_EVENT_NOTE_ON),
                note_id: -1,
                port_index: 0,
                channel: 0,
                key: i16::from(key),
                velocity: 0.8,
            };
            let value = (block == 0).then(|| clap_event_param_value {
                header: header::<clap_event_param_value>(CLAP_EVENT_PARAM_VALUE),
                param_id: id(),
                cookie: null_mut(),
                note_id: -1,
                port_index: -1,
                channel: -1,
                key: -1,
                value: 1.0,
            });
            let mut events = host::Events { notes: struck.iter().map(note).collect(), value };
            let list = clap_input_events { ctx: (&raw mut events).cast(), size: Some(host::size), get: Some(host::get) };
            let out = clap_output_events { ctx: null_mut(), try_push: Some(host::push) };
            let mut channels = [vec![f32::NAN; FRAMES], vec![f32::NAN; FRAMES]];
            let mut pointers = channels.each_mut().map(|channel| channel.as_mut_ptr());
            let mut output = clap_audio_buffer {
                data32: pointers.as_mut_ptr(),
                data64: null_mut(),
                channel_count: 2,
                latency: 0,
                constant_mask: 0,
            };
            let data = clap_process {
                steady_time: -1,
                frames_count: FRAMES as u32,
                transport: null(),
                audio_inputs: null(),
                audio_outputs: &raw mut output,
                audio_inputs_count: 0,
                audio_outputs_count: 1,
                in_events: &list,
                out_events: &out,
            };
            (functions.process.expect("a function"))(plugin, &data);
            sound.iter_mut().zip(channels).for_each(|(all, part)| all.extend(part));
        }
        (functions.stop_processing.expect("a function"))(plugin);
        (functions.deactivate.expect("a function"))(plugin);
        host::STOP.store(true, Relaxed);
        workers.into_iter().for_each(|worker| worker.join().expect("ends"));
        (functions.destroy.expect("a function"))(plugin);
        sound
    };
    let requests = host::REQUESTS.load(Relaxed);
    // at least every second time that the zones settle what they share
    assert!(requests > (BLOCKS * FRAMES / 64 / 2) as u64, "{requests} requests");
    assert_same(&sound, &expected());
}
