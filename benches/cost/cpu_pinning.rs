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
