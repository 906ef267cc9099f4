//! The core that all is timed on.

/// Keeps this thread on the core that it runs on, where the system can be asked for that.
#[cfg(target_os = "linux")]
pub fn stay() {
    use nix::sched::{CpuSet, sched_getcpu, sched_setaffinity};
    use nix::unistd::Pid;
    let mut set = CpuSet::new();
    let stays = sched_getcpu().and_then(|core| set.set(core)).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    if let Err(error) = stays {
        println!("not kept on one core: {error}");
    }
}

/// Keeps this thread on the core that it runs on, where the system can be asked for that: here it cannot.
#[cfg(not(target_os = "linux"))]
pub fn stay() {}
