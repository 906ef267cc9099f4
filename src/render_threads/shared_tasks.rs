//! Tasks that one thread offers to others, without locks and without allocation.
//!
//! One word holds the number of the offer, the number of tasks and the number of those taken. A thread takes a task by counting up in this word, which
//! fails if another thread was faster or the offer has ended.
#![allow(unsafe_code)]

use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize};

use urto_engine::Task;

/// Maximum number of tasks of one offer.
const MAX_TASKS: usize = 0xffff;

/// Looks at a task of another thread before this one lets others run: about 0.1 ms.
const SPINS: u32 = 2_000;

/// State of an offer.
#[derive(Clone, Copy, PartialEq)]
struct Offer {
    number: u32,
    count: u16,
    taken: u16,
}

impl Offer {
    fn unpack(word: u64) -> Self {
        Self { number: (word >> 32) as u32, count: (word >> 16) as u16, taken: word as u16 }
    }

    fn pack(self) -> u64 {
        u64::from(self.number) << 32 | u64::from(self.count) << 16 | u64::from(self.taken)
    }
}

/// The tasks of an offer, as other threads see them.
#[derive(Default)]
pub struct SharedTasks {
    offer: AtomicU64,
    first: AtomicPtr<Task<'static>>,
    /// Number of tasks that have ended.
    ended: AtomicUsize,
}

impl SharedTasks {
    /// Whether a task can be taken.
    pub fn is_offered(&self) -> bool {
        let offer = Offer::unpack(self.offer.load(Relaxed));
        offer.taken < offer.count
    }

    /// Takes a task and runs it. Returns whether there was one.
    pub fn run_one(&self) -> bool {
        loop {
            let word = self.offer.load(Acquire);
            let offer = Offer::unpack(word);
            if offer.taken >= offer.count {
                return false;
            }
            let first = self.first.load(Relaxed);
            let next = Offer { taken: offer.taken + 1, ..offer };
            if self.offer.compare_exchange(word, next.pack(), AcqRel, Acquire).is_ok() {
                let _end = TaskEnd(&self.ended);
                // SAFETY: the offer has not changed, so `first` points to its `count` tasks; they stay where they are until all have ended, and no other
                // thread has taken this one. A task may run on any thread.
                unsafe { (*first.add(usize::from(offer.taken))).run() };
                return true;
            }
        }
    }
}

/// Counts the end of a task, also of one that panics.
struct TaskEnd<'a>(&'a AtomicUsize);

impl Drop for TaskEnd<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Release);
    }
}

/// The thread that offers tasks; the only one.
pub struct TaskOwner {
    shared: Arc<SharedTasks>,
}

impl TaskOwner {
    /// An owner, with what others see.
    pub fn new() -> (Self, Arc<SharedTasks>) {
        let shared = Arc::new(SharedTasks::default());
        (Self { shared: Arc::clone(&shared) }, shared)
    }

    /// Offers `tasks`, calls `offered`, runs all that no other thread takes, and returns when all have ended.
    pub fn run(&mut self, tasks: &mut [Task<'_>], offered: impl FnOnce()) {
        let (now, rest) = tasks.split_at_mut(tasks.len().min(MAX_TASKS));
        let before = Offer::unpack(self.shared.offer.load(Relaxed));
        self.shared.first.store(now.as_mut_ptr().cast(), Relaxed);
        self.shared.ended.store(0, Relaxed);
        let offer = Offer { number: before.number.wrapping_add(1), count: now.len() as u16, taken: 0 };
        let end = OfferEnd { shared: &self.shared, count: now.len() };
        self.shared.offer.store(offer.pack(), Release);
        offered();
        while self.shared.run_one() {}
        drop(end);
        rest.iter_mut().for_each(Task::run);
    }
}

/// Waits until all tasks of an offer have ended, also after a panic: others may still use them.
struct OfferEnd<'a> {
    shared: &'a SharedTasks,
    count: usize,
}

impl Drop for OfferEnd<'_> {
    fn drop(&mut self) {
        while self.shared.run_one() {}
        let mut spins = 0;
        while self.shared.ended.load(Acquire) < self.count {
            spins += 1;
            if spins % SPINS == 0 { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        self.shared.first.store(null_mut(), Relaxed);
    }
}
