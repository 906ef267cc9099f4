//! Pinning of the measuring thread to one processor core.

/// Pins this thread to its current core. Prints a message if the system refuses.
#[cfg(target_os = "linux")]
pub fn pin_thread() {
    use nix::sched::{CpuSet, sched_getcpu, sched_setaffinity};
    use nix::unistd::Pid;
    let mut set = CpuSet::new();
    let pinned = sched_getcpu().and_then(|core| set.set(core)).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    if let Err(error) = pinned {
        println!("cannot pin the thread to one core ({error}); the times vary more");
    }
}

/// Does nothing: only Linux is supported.
#[cfg(not(target_os = "linux"))]
pub fn pin_thread() {}

/// Starts threads by `start` that may run on all cores, while this thread keeps its own.
#[cfg(all(target_os = "linux", any(feature = "plugin", feature = "cli")))]
pub fn on_all_cores<R>(start: impl FnOnce() -> R) -> R {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    let own = sched_getaffinity(Pid::from_raw(0));
    let mut all = CpuSet::new();
    for core in 0..CpuSet::count() {
        let _ = all.set(core);
    }
    let _ = sched_setaffinity(Pid::from_raw(0), &all);
    let result = start();
    if let Ok(own) = own {
        let _ = sched_setaffinity(Pid::from_raw(0), &own);
    }
    result
}

/// Starts threads by `start`.
#[cfg(all(not(target_os = "linux"), any(feature = "plugin", feature = "cli")))]
pub fn on_all_cores<R>(start: impl FnOnce() -> R) -> R {
    start()
}
