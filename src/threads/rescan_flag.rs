//! A flag that asks the host to read all parameters again: set by the worker after a program change, read by the plugin format's entry.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Called on the thread that sets the flag.
type OnRequest = Box<dyn Fn() + Send + Sync>;

/// The flag of one instance. Neither setting nor reading it takes a lock.
#[derive(Default)]
pub struct ParamRescanFlag {
    requested: AtomicBool,
    on_request: Option<OnRequest>,
}

thread_local! {
    static NEXT_INSTANCE: RefCell<Option<Arc<ParamRescanFlag>>> = const { RefCell::new(None) };
}

impl ParamRescanFlag {
    /// A flag that also calls `on_request`, on the thread that sets it.
    pub fn new(on_request: impl Fn() + Send + Sync + 'static) -> Self {
        Self { requested: AtomicBool::new(false), on_request: Some(Box::new(on_request)) }
    }

    /// Reserves the flag for the instance that is created next on this thread: nice-plug creates it without arguments.
    pub fn reserve_for_next_instance(self: &Arc<Self>) {
        NEXT_INSTANCE.with_borrow_mut(|next| *next = Some(Arc::clone(self)));
    }

    /// The flag that is reserved for this instance; a new one if there is none.
    pub fn take() -> Arc<Self> {
        NEXT_INSTANCE.take().unwrap_or_default()
    }

    /// Sets the flag.
    pub fn request(&self) {
        self.requested.store(true, Relaxed);
        if let Some(on_request) = &self.on_request {
            on_request();
        }
    }

    /// Whether the flag was set; clears it.
    pub fn take_request(&self) -> bool {
        self.requested.load(Relaxed) && self.requested.swap(false, Relaxed)
    }
}
