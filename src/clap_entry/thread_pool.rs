//! The thread pool of a CLAP host, which nice-plug 0.4.2 does not know.
//!
//! The host calls [`exec`] on its threads with a plugin only. A table of atomics gives the tasks of the plugin without a lock.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use clap_sys::ext::thread_pool::{CLAP_EXT_THREAD_POOL, clap_host_thread_pool, clap_plugin_thread_pool};
use nice_plug::wrapper::clap::clap_plugin;

use crate::clap_entry::host::Host;
use crate::render_threads::{HostPool, HostThreads, SharedTasks, TaskOwner};

/// Number of instances that can use the threads of their host; later ones have threads of their own.
const INSTANCES: usize = 256;

/// A plugin and its tasks.
struct Entry {
    plugin: AtomicPtr<clap_plugin>,
    tasks: AtomicPtr<SharedTasks>,
}

static TABLE: [Entry; INSTANCES] =
    [const { Entry { plugin: AtomicPtr::new(null_mut()), tasks: AtomicPtr::new(null_mut()) } }; INSTANCES];

/// The extension for hosts.
pub static EXTENSION: clap_plugin_thread_pool = clap_plugin_thread_pool { exec: Some(exec) };

/// The tasks of `plugin`, for as long as this lives. On the main thread.
pub struct Registration {
    plugin: *const clap_plugin,
    tasks: Arc<SharedTasks>,
}

// SAFETY: the address of the plugin is only compared.
unsafe impl Send for Registration {}

impl Registration {
    /// Registers the tasks of `plugin`, if there is room.
    pub fn new(plugin: *const clap_plugin, tasks: Arc<SharedTasks>) -> Self {
        if let Some(entry) = TABLE.iter().find(|entry| entry.plugin.load(Relaxed).is_null()) {
            entry.tasks.store(Arc::as_ptr(&tasks).cast_mut(), Relaxed);
            entry.plugin.store(plugin.cast_mut(), Release);
        }
        Self { plugin, tasks }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(entry) = entry_of(self.plugin) {
            entry.plugin.store(null_mut(), Release);
        }
        // no call of the host is under way when an instance is destroyed
        debug_assert!(!self.tasks.is_offered());
    }
}

fn entry_of(plugin: *const clap_plugin) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.plugin.load(Acquire).cast_const() == plugin)
}

/// Number of all threads of the host among those that run tasks; the audio thread is 0.
const HOST_THREAD: u8 = 1;

/// Runs one task of a plugin on a thread of the host.
unsafe extern "C" fn exec(plugin: *const clap_plugin, _: u32) {
    if let Some(entry) = entry_of(plugin).filter(|_| !plugin.is_null()) {
        // SAFETY: the tasks live until the plugin is destroyed, and the host calls this only while it processes.
        unsafe { (*entry.tasks.load(Relaxed)).run_one(HOST_THREAD) };
    }
}

/// Reserves the threads of `host` for the instance that is created next. Returns its tasks, to be registered.
pub fn reserve(host: Host) -> Arc<SharedTasks> {
    let (owner, tasks) = TaskOwner::new();
    HostPool::new(owner, ClapThreads { host, pool: null() }).reserve_for_next_instance();
    tasks
}

/// The threads of a CLAP host.
struct ClapThreads {
    host: Host,
    pool: *const clap_host_thread_pool,
}

// SAFETY: the host allows both calls on the threads that `HostThreads` names; its functions live as long as itself.
unsafe impl Send for ClapThreads {}

impl HostThreads for ClapThreads {
    fn find(&mut self) -> bool {
        // SAFETY: the host gives a valid extension or null.
        self.pool = unsafe { self.host.extension(CLAP_EXT_THREAD_POOL) }.cast();
        // SAFETY: as above.
        unsafe { self.pool.as_ref() }.is_some_and(|pool| pool.request_exec.is_some())
    }

    fn request(&self, count: u32) -> bool {
        // SAFETY: found before, and this is the audio thread.
        unsafe {
            self.pool.as_ref().and_then(|pool| pool.request_exec).is_some_and(|request| request(self.host.pointer(), count))
        }
    }
}

/// The extension if `id` is its name, else null.
pub fn extension(id: &std::ffi::CStr) -> *const c_void {
    if id == CLAP_EXT_THREAD_POOL { (&raw const EXTENSION).cast() } else { null() }
}
