//! Several processor cores for the zones of kits: the threads of the host where it has any, else threads of the instance.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use crate::render_threads::{HostPool, ThreadPriority, render_pool, spare_cores};
use crate::threads::{WorkerRegistration, follow_render_switch};
use urto_engine::{Engine, SequentialRunner};

/// The runner of an instance, and its switch.
pub struct CoreUse {
    /// The host's threads, until it is known whether it has any.
    host: Option<HostPool>,
    switch: Arc<AtomicBool>,
    /// Keeps the worker's task that starts and ends threads.
    _threads: Option<Arc<WorkerRegistration>>,
}

impl CoreUse {
    /// Of the instance that is created, switched off.
    pub fn new() -> Self {
        Self { host: HostPool::take_reserved(), switch: Arc::default(), _threads: None }
    }

    /// Gives the runner to `engine`: that of `before`, or a new one. On the host's main thread.
    pub fn equip(&mut self, engine: &mut Engine, before: Option<&mut Engine>) {
        if let Some(before) = before {
            engine.set_task_runner(before.set_task_runner(Box::new(SequentialRunner)));
            return;
        }
        if let Some(pool) = self.host.take_if(HostPool::find_host) {
            self.switch = pool.switch();
            engine.set_task_runner(Box::new(pool));
            return;
        }
        let (pool, threads) = render_pool(spare_cores(), ThreadPriority::RealTime);
        self.switch = pool.switch();
        self._threads = follow_render_switch(threads);
        engine.set_task_runner(Box::new(pool));
    }

    /// Switches the threads on or off; the worker starts and ends those of the instance.
    pub fn set(&self, is_on: bool) {
        self.switch.store(is_on, Relaxed);
    }
}
