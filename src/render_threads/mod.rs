//! Threads that render the zones of a kit together with the audio thread.
//!
//! The audio thread offers its tasks and runs them itself, in their order; a thread of the pool that is awake takes some of them. The audio thread
//! neither wakes a thread nor waits for one that has taken nothing. It waits only for tasks that have begun.

mod host_pool;
mod render_pool;
mod shared_tasks;
#[cfg(test)]
mod tests;

pub use crate::render_threads::host_pool::{HostPool, HostThreads};
pub use crate::render_threads::render_pool::{RenderPool, RenderThreads, ThreadPriority, render_pool, spare_cores};
pub use crate::render_threads::shared_tasks::{SharedTasks, TaskOwner};
