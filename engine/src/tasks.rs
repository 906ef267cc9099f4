//! Independent tasks of one control block, which several threads may share.
//!
//! The results do not depend on which thread runs a task, nor on the order: what tasks give is summed afterwards, in a fixed order.

/// Work that needs nothing from other work of the same moment.
pub(crate) trait Work: Send {
    /// Does it.
    fn work(&mut self);

    /// Number of the thread that did it last, which has its data in the caches of its core.
    fn last_thread(&mut self) -> &mut u8;
}

/// Number of the last thread of work that no thread has done.
pub const NO_THREAD: u8 = u8::MAX;

/// A task that runs once.
pub struct Task<'a> {
    work: Option<&'a mut dyn Work>,
    /// Expected cost in any unit.
    cost: f32,
}

impl<'a> Task<'a> {
    /// A task with an expected cost in any unit.
    pub(crate) fn new(work: &'a mut dyn Work, cost: f32) -> Self {
        Self { work: Some(work), cost }
    }

    /// A task without work.
    pub(crate) fn empty() -> Self {
        Self { work: None, cost: 0.0 }
    }

    /// The expected cost: a runner of several threads begins with the first tasks, which cost most.
    pub(crate) fn cost(&self) -> f32 {
        self.cost
    }

    /// Number of the thread that ran the same work last; [`NO_THREAD`] if it is new.
    pub fn last_thread(&mut self) -> u8 {
        self.work.as_mut().map_or(NO_THREAD, |work| *work.last_thread())
    }

    /// Runs the task as the thread number `thread`; nothing if it has run.
    pub fn run_on(&mut self, thread: u8) {
        if let Some(work) = &mut self.work {
            *work.last_thread() = thread;
        }
        self.run();
    }

    /// Runs the task; nothing if it has run.
    pub fn run(&mut self) {
        if let Some(work) = self.work.take() {
            work.work();
        }
    }
}

/// Runs tasks on one or several threads. The audio thread calls it: it must neither allocate nor lock nor wait for a thread that has not begun.
pub trait TaskRunner: Send {
    /// Runs each of `tasks` once, and returns when all have ended.
    fn run(&mut self, tasks: &mut [Task<'_>]);
}

/// Runs tasks one after another on the thread that asks for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SequentialRunner;

impl TaskRunner for SequentialRunner {
    fn run(&mut self, tasks: &mut [Task<'_>]) {
        tasks.iter_mut().for_each(Task::run);
    }
}
