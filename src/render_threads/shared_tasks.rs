//! Tasks that one thread offers to others, without locks and without allocation.
//!
//! One word has a bit for every task that no thread has taken. A thread takes a task by clearing its bit, which another thread may have cleared
//! before. Each thread begins with the tasks that it ran last, so that their data stay in the caches of its core, and then takes the cheapest of others.
#![allow(unsafe_code)]

use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, AtomicUsize};

use urto_engine::{NO_THREAD, Task};

/// Maximum number of tasks of one offer: the bits of a word.
const MAX_TASKS: usize = 64;

/// Looks at a task of another thread before this one lets others run: about 0.1 ms.
const SPINS: u32 = 2_000;

/// Number of the thread that offers tasks; others have higher ones.
const OWNER: u8 = 0;

/// The tasks of an offer, as other threads see them.
pub struct SharedTasks {
    /// A bit for every task that can be taken.
    open: AtomicU64,
    first: AtomicPtr<Task<'static>>,
    /// Number of the thread that ran each task last.
    last_threads: [AtomicU8; MAX_TASKS],
    /// Number of tasks that have ended.
    ended: AtomicUsize,
}

impl Default for SharedTasks {
    fn default() -> Self {
        let last_threads = std::array::from_fn(|_| AtomicU8::new(NO_THREAD));
        Self { open: AtomicU64::new(0), first: AtomicPtr::default(), last_threads, ended: AtomicUsize::new(0) }
    }
}

impl SharedTasks {
    /// Whether a task can be taken.
    pub fn is_offered(&self) -> bool {
        self.open.load(Relaxed) != 0
    }

    /// Takes a task and runs it as thread number `thread`. Returns whether there was one.
    pub fn run_one(&self, thread: u8) -> bool {
        loop {
            let open = self.open.load(Acquire);
            if open == 0 {
                return false;
            }
            let place = self.choose(open, thread);
            if self.open.fetch_and(!(1 << place), AcqRel) & 1 << place == 0 {
                continue;
            }
            let _end = TaskEnd(&self.ended);
            let first = self.first.load(Acquire);
            // SAFETY: this thread has taken the task at `place`. Its offer ends when all of its tasks have ended, so `first`, which is read
            // after it was taken, points to the tasks of this offer, and they stay where they are. No other thread has taken this one.
            // A task may run on any thread.
            unsafe { (*first.add(place)).run_on(thread) };
            return true;
        }
    }

    /// The task among the bits `open`, not 0, that `thread` takes: the first that it ran last or that no thread has run, else the last.
    fn choose(&self, open: u64, thread: u8) -> usize {
        let mut rest = open;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            let last = self.last_threads[place].load(Relaxed);
            if last == thread || last == NO_THREAD {
                return place;
            }
            rest &= rest - 1;
        }
        63 - open.leading_zeros() as usize
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
        for (task, last) in now.iter_mut().zip(&self.shared.last_threads) {
            last.store(task.last_thread(), Relaxed);
        }
        self.shared.first.store(now.as_mut_ptr().cast(), Relaxed);
        self.shared.ended.store(0, Relaxed);
        let end = OfferEnd { shared: &self.shared, count: now.len() };
        let all = if now.len() == MAX_TASKS { u64::MAX } else { (1 << now.len()) - 1 };
        self.shared.open.store(all, Release);
        offered();
        while self.shared.run_one(OWNER) {}
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
        while self.shared.run_one(OWNER) {}
        let mut spins = 0;
        while self.shared.ended.load(Acquire) < self.count {
            spins += 1;
            if spins % SPINS == 0 { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        self.shared.first.store(null_mut(), Relaxed);
    }
}
