//! Floor 2: the one thread of the process that prepares bodies, for all instances of the plugin.
//!
//! It starts with the first instance and has ended before the last one is gone, so that a host may unload the library at once.
//! Channels that touch an audio thread are polled here, never waited for: a blocked receiver would make its sender take a lock.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

/// Time between two looks at the channels.
const PAUSE: Duration = Duration::from_millis(4);

/// One instance's work: looks at its channels once and does what it finds there, without waiting.
pub type WorkerTask = Box<dyn FnMut() + Send>;

/// Keeps a bench in work; dropped, the bench is gone when the drop returns.
pub struct WorkerRegistration {
    number: u64,
}

enum Order {
    Add(u64, WorkerTask),
    /// Answered when the bench is gone.
    Remove(u64, Sender<()>),
}

struct WorkerState {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
    members: usize,
    next: u64,
}

static SHOP: Mutex<Option<WorkerState>> = Mutex::new(None);

/// Puts `bench` to work. Not for the audio thread. `None` if no thread could be started.
pub fn join(bench: WorkerTask) -> Option<Arc<WorkerRegistration>> {
    let mut shop = SHOP.lock().unwrap_or_else(PoisonError::into_inner);
    if shop.is_none() {
        let (orders, taken) = unbounded();
        let thread = thread::Builder::new().name("urto bodies".into()).spawn(move || work(&taken)).ok()?;
        *shop = Some(WorkerState { orders, thread, members: 0, next: 0 });
    }
    let shop = shop.as_mut()?;
    let number = shop.next;
    (shop.next, shop.members) = (number + 1, shop.members + 1);
    shop.orders.send(Order::Add(number, bench)).ok()?;
    Some(Arc::new(WorkerRegistration { number }))
}

impl Drop for WorkerRegistration {
    fn drop(&mut self) {
        let mut shop = SHOP.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(WorkerState { orders, members, .. }) = shop.as_mut() else { return };
        let (answer, gone) = crossbeam_channel::bounded(1);
        if orders.send(Order::Remove(self.number, answer)).is_ok() {
            let _ = gone.recv();
        }
        *members -= 1;
        if *members == 0
            && let Some(WorkerState { orders, thread, .. }) = shop.take()
        {
            drop(orders);
            let _ = thread.join();
        }
    }
}

fn work(orders: &Receiver<Order>) {
    let mut benches: Vec<(u64, WorkerTask)> = Vec::new();
    loop {
        match orders.recv_timeout(PAUSE) {
            Ok(Order::Add(number, bench)) => benches.push((number, bench)),
            Ok(Order::Remove(number, answer)) => {
                benches.retain(|(member, _)| *member != number);
                let _ = answer.send(());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        for (_, bench) in &mut benches {
            bench();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn one_thread_serves_all_and_ends_with_the_last() {
        let count = Arc::new(AtomicUsize::new(0));
        let bench = |count: &Arc<AtomicUsize>| -> WorkerTask {
            let count = count.clone();
            Box::new(move || {
                count.fetch_add(1, SeqCst);
            })
        };
        for _ in 0..20 {
            let members: Vec<_> = (0..4).map(|_| join(bench(&count))).collect();
            let before = count.load(SeqCst);
            while count.load(SeqCst) < before + 8 {
                thread::sleep(Duration::from_millis(1));
            }
            drop(members);
            assert_eq!(Arc::strong_count(&count), 1, "every bench is gone when its membership is");
        }
        let after = count.load(SeqCst);
        thread::sleep(5 * PAUSE);
        assert_eq!(count.load(SeqCst), after);
    }
}
