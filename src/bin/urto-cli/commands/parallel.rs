//! Work on all processors, with a progress bar.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::io::Progress;

/// Number of processors.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

/// The results of `work` for all `tasks`, in their order; `name` is shown when a task is done.
pub fn in_parallel<T: Sync, R: Send>(tasks: &[T], name: impl Fn(&T) -> &str + Sync, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    on_threads(processors(), tasks, name, work)
}

/// The same on `threads` threads.
pub fn on_threads<T: Sync, R: Send>(
    threads: usize,
    tasks: &[T],
    name: impl Fn(&T) -> &str + Sync,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let progress = Progress::of_tasks(tasks.len() as u64);
    let run = || {
        while let Some((i, task)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, tasks.get(i)?))) {
            let result = work(task);
            progress.finish_task(name(task));
            done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(run))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
