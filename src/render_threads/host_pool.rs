//! The threads of a host, as a CLAP host offers them.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use crate::render_threads::shared_tasks::TaskOwner;
use urto_engine::{Task, TaskRunner};

/// The functions of a host.
pub trait HostThreads: Send {
    /// Looks for the host's threads. Returns whether it has any. On its main thread, once the plugin is initialised.
    fn find(&mut self) -> bool;

    /// Asks the host to call [`SharedTasks::run_one`](crate::render_threads::SharedTasks::run_one) `count` times on its threads, and waits for the last
    /// call. Returns false if it refuses; it then calls nothing. On its audio thread.
    fn request(&self, count: u32) -> bool;
}

/// Runs tasks on the threads of a host, while it is on. What the host refuses runs on the audio thread.
pub struct HostPool {
    owner: TaskOwner,
    host: Box<dyn HostThreads>,
    is_on: Arc<AtomicBool>,
}

thread_local! {
    static NEXT_INSTANCE: RefCell<Option<HostPool>> = const { RefCell::new(None) };
}

impl HostPool {
    /// The pool of `host`, whose threads run the tasks of `owner`.
    pub fn new(owner: TaskOwner, host: impl HostThreads + 'static) -> Self {
        Self { owner, host: Box::new(host), is_on: Arc::default() }
    }

    /// Reserves the pool for the instance that is created next on this thread: nice-plug creates it without arguments.
    pub fn reserve_for_next_instance(self) {
        NEXT_INSTANCE.set(Some(self));
    }

    /// The pool that is reserved for this instance.
    pub fn take_reserved() -> Option<Self> {
        NEXT_INSTANCE.take()
    }

    /// Whether the host has threads. On its main thread, once the plugin is initialised.
    pub fn find_host(&mut self) -> bool {
        self.host.find()
    }

    /// The switch; off at first.
    pub fn switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_on)
    }
}

impl TaskRunner for HostPool {
    fn run(&mut self, tasks: &mut [Task<'_>]) {
        if tasks.len() < 2 || !self.is_on.load(Relaxed) {
            return tasks.iter_mut().for_each(Task::run);
        }
        let (count, host) = (tasks.len() as u32, &self.host);
        self.owner.run(tasks, || {
            host.request(count);
        });
    }
}
