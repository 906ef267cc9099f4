//! Tells the host that a program change has moved all parameters: rung by the worker, heard where the plugin format allows to say so.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What wakes the one who listens.
type Wake = Box<dyn Fn() + Send + Sync>;

/// A bell between one instance and its wrapper. Neither ringing nor looking takes a lock.
#[derive(Default)]
pub struct ParamRescanFlag {
    rung: AtomicBool,
    wake: Option<Wake>,
}

thread_local! {
    static HUNG: RefCell<Option<Arc<ParamRescanFlag>>> = const { RefCell::new(None) };
}

impl ParamRescanFlag {
    /// A bell that also calls `wake`, on the thread that rings it.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { rung: AtomicBool::new(false), wake: Some(Box::new(wake)) }
    }

    /// Hangs the bell for the instance that is made next on this thread.
    pub fn hang(self: &Arc<Self>) {
        HUNG.with_borrow_mut(|hung| *hung = Some(Arc::clone(self)));
    }

    /// The bell that hangs for this instance; one that nobody hears if there is none.
    pub fn take() -> Arc<Self> {
        HUNG.take().unwrap_or_default()
    }

    /// Rings.
    pub fn request(&self) {
        self.rung.store(true, Relaxed);
        if let Some(wake) = &self.wake {
            wake();
        }
    }

    /// Whether it has rung since last asked.
    pub fn has_rung(&self) -> bool {
        self.rung.load(Relaxed) && self.rung.swap(false, Relaxed)
    }
}
