//! A pool of threads for one engine: the runner on the audio thread, and the threads.
#![allow(unsafe_code)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::render_threads::shared_tasks::{SharedTasks, TaskOwner};
use urto_engine::{Task, TaskRunner};

/// Time after the last task for which a thread looks for the next one without a pause.
const AWAKE_TIME: Duration = Duration::from_micros(300);
/// Pause between two looks after that.
const SHORT_PAUSE: Duration = Duration::from_micros(100);
/// Time after the last task from which on the pauses are long.
const RECENT_TIME: Duration = Duration::from_secs(1);
/// Pause between two looks while nothing plays.
const LONG_PAUSE: Duration = Duration::from_millis(4);
/// Looks between two readings of the clock.
const LOOKS: u32 = 64;

/// Most threads of a pool.
const MAX_THREADS: usize = 7;

/// Priority among real-time threads where the system allows it, below that of usual audio threads [POSIX, 1 to 99].
#[cfg(target_os = "linux")]
const REAL_TIME_PRIORITY: i32 = 60;

/// Priority of the threads of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadPriority {
    /// That of other threads, for offline rendering.
    Normal,
    /// Real time, where the system allows it (Linux); else normal.
    RealTime,
}

/// Number of processors for threads beside the one that asks, at most 7.
pub fn spare_cores() -> usize {
    thread::available_parallelism().map_or(0, |count| count.get() - 1).min(MAX_THREADS)
}

/// A runner without threads, and the threads to be, `count` of them.
pub fn render_pool(count: usize, priority: ThreadPriority) -> (RenderPool, RenderThreads) {
    let (owner, tasks) = TaskOwner::new();
    let is_on = Arc::new(AtomicBool::new(false));
    let threads = RenderThreads { tasks, is_on: Arc::clone(&is_on), count, priority, running: None };
    (RenderPool { owner, is_on }, threads)
}

/// Runs tasks together with the threads of its pool, while it is on.
pub struct RenderPool {
    owner: TaskOwner,
    is_on: Arc<AtomicBool>,
}

impl RenderPool {
    /// The switch; off at first.
    pub fn switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_on)
    }
}

impl TaskRunner for RenderPool {
    fn run(&mut self, tasks: &mut [Task<'_>]) {
        if tasks.len() > 1 && self.is_on.load(Relaxed) {
            self.owner.run(tasks, || ());
        } else {
            tasks.iter_mut().for_each(Task::run);
        }
    }
}

/// The threads of a pool. They end when it is dropped.
pub struct RenderThreads {
    tasks: Arc<SharedTasks>,
    is_on: Arc<AtomicBool>,
    count: usize,
    priority: ThreadPriority,
    running: Option<Running>,
}

/// Threads that run.
struct Running {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl RenderThreads {
    /// Starts the threads if the switch is on, or ends them. Not for the audio thread.
    pub fn follow_switch(&mut self) {
        match (self.is_on.load(Relaxed), self.running.is_some()) {
            (true, false) => self.running = Some(self.start()),
            (false, true) => self.stop(),
            _ => {}
        }
    }

    /// Number of threads that run.
    #[cfg(test)]
    pub fn running_count(&self) -> usize {
        self.running.as_ref().map_or(0, |running| running.threads.len())
    }

    fn start(&self) -> Running {
        let stop = Arc::new(AtomicBool::new(false));
        let start_one = |number: u8| {
            let (tasks, stop, priority) = (Arc::clone(&self.tasks), Arc::clone(&stop), self.priority);
            thread::Builder::new().name("urto render".into()).spawn(move || run(&tasks, number, &stop, priority)).ok()
        };
        Running { threads: (1..=self.count as u8).filter_map(start_one).collect(), stop }
    }

    fn stop(&mut self) {
        let Some(Running { stop, threads }) = self.running.take() else { return };
        stop.store(true, Relaxed);
        for thread in threads {
            let _ = thread.join();
        }
    }
}

impl Drop for RenderThreads {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The work of thread number `number`.
fn run(tasks: &SharedTasks, number: u8, stop: &AtomicBool, priority: ThreadPriority) {
    if priority == ThreadPriority::RealTime {
        become_real_time();
    }
    let (mut looks, mut last_task) = (0_u32, Instant::now());
    while !stop.load(Relaxed) {
        if tasks.is_offered() && tasks.run_one(number) {
            while tasks.run_one(number) {}
            (looks, last_task) = (0, Instant::now());
            continue;
        }
        looks += 1;
        if looks < LOOKS {
            std::hint::spin_loop();
            continue;
        }
        looks = 0;
        let idle = last_task.elapsed();
        if idle > RECENT_TIME {
            thread::sleep(LONG_PAUSE);
        } else if idle > AWAKE_TIME {
            thread::sleep(SHORT_PAUSE);
        }
    }
}

/// Makes this thread a real-time thread if the system allows it.
#[cfg(target_os = "linux")]
fn become_real_time() {
    use nix::libc;
    // SAFETY: all zeros are a valid value of numbers; the thread is this one, and the parameters live during the call. A refusal changes nothing.
    unsafe {
        let mut params: libc::sched_param = std::mem::zeroed();
        params.sched_priority = REAL_TIME_PRIORITY;
        libc::pthread_setschedparam(libc::pthread_self(), libc::SCHED_RR, &raw const params);
    }
}

#[cfg(not(target_os = "linux"))]
fn become_real_time() {}
