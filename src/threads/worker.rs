//! The one thread of the process that prepares bodies, for all instances of the plugin.
//!
//! It starts with the first instance and has ended before the last one is gone, so that a host may unload the library at once.
//! Channels that touch an audio thread are polled here, never waited for: a blocked receiver would make its sender take a lock.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::render_threads::RenderThreads;

/// Time between two polls of the channels.
const POLL_INTERVAL: Duration = Duration::from_millis(4);

/// The work of one instance: polls its channels once and serves the requests in them, without waiting.
pub type WorkerTask = Box<dyn FnMut() + Send>;

/// Keeps a task running. The task has been removed and freed when the drop of its registration returns.
pub struct WorkerRegistration {
    number: u64,
}

enum Request {
    Add(u64, WorkerTask),
    /// Answered when the task has been freed.
    Remove(u64, Sender<()>),
}

struct WorkerState {
    requests: Sender<Request>,
    thread: JoinHandle<()>,
    tasks: usize,
    next_number: u64,
}

static WORKER: Mutex<Option<WorkerState>> = Mutex::new(None);

/// Runs `task` again and again until its registration is dropped. Not for the audio thread. `None` if no thread could be started.
pub fn register(task: WorkerTask) -> Option<Arc<WorkerRegistration>> {
    let mut worker = WORKER.lock().unwrap_or_else(PoisonError::into_inner);
    if worker.is_none() {
        let (requests, received) = unbounded();
        let thread = thread::Builder::new().name("urto bodies".into()).spawn(move || run(&received)).ok()?;
        *worker = Some(WorkerState { requests, thread, tasks: 0, next_number: 0 });
    }
    let worker = worker.as_mut()?;
    let number = worker.next_number;
    (worker.next_number, worker.tasks) = (number + 1, worker.tasks + 1);
    worker.requests.send(Request::Add(number, task)).ok()?;
    Some(Arc::new(WorkerRegistration { number }))
}

/// Lets the worker start and end `threads` as their switch says, until the registration is dropped, which ends them. Not for the audio thread.
pub fn follow_render_switch(mut threads: RenderThreads) -> Option<Arc<WorkerRegistration>> {
    register(Box::new(move || threads.follow_switch()))
}

impl Drop for WorkerRegistration {
    fn drop(&mut self) {
        let mut worker = WORKER.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(WorkerState { requests, tasks, .. }) = worker.as_mut() else { return };
        let (answer, removed) = crossbeam_channel::bounded(1);
        if requests.send(Request::Remove(self.number, answer)).is_ok() {
            let _ = removed.recv();
        }
        *tasks -= 1;
        if *tasks == 0
            && let Some(WorkerState { requests, thread, .. }) = worker.take()
        {
            drop(requests);
            let _ = thread.join();
        }
    }
}

fn run(requests: &Receiver<Request>) {
    let mut tasks: Vec<(u64, WorkerTask)> = Vec::new();
    loop {
        match requests.recv_timeout(POLL_INTERVAL) {
            Ok(Request::Add(number, task)) => tasks.push((number, task)),
            Ok(Request::Remove(number, answer)) => {
                tasks.retain(|(registered, _)| *registered != number);
                let _ = answer.send(());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        for (_, task) in &mut tasks {
            task();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn one_thread_runs_all_tasks_and_ends_with_the_last() {
        let count = Arc::new(AtomicUsize::new(0));
        let task = |count: &Arc<AtomicUsize>| -> WorkerTask {
            let count = count.clone();
            Box::new(move || {
                count.fetch_add(1, SeqCst);
            })
        };
        for _ in 0..20 {
            let registrations: Vec<_> = (0..4).map(|_| register(task(&count))).collect();
            let before = count.load(SeqCst);
            while count.load(SeqCst) < before + 8 {
                thread::sleep(Duration::from_millis(1));
            }
            drop(registrations);
            assert_eq!(Arc::strong_count(&count), 1, "a task is freed with its registration");
        }
        let after = count.load(SeqCst);
        thread::sleep(5 * POLL_INTERVAL);
        assert_eq!(count.load(SeqCst), after);
    }
}
