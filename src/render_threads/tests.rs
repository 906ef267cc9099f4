//! Tasks on a pool of threads, in real kits.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::*;
use urto_engine::patch::{Patch, factory_presets};
use urto_engine::{Engine, EngineConfig, Event, NoteId, Task, TaskRunner};

const KEYS: [u8; 10] = [36, 38, 43, 45, 48, 49, 50, 51, 52, 57];

fn kit() -> Patch {
    factory_presets::kits().find(|kit| kit.name == "Studio Kit").expect("a factory kit")
}

/// Strokes of all keys in blocks of 100 frames, with the tasks run by `runner`.
fn play(runner: Option<Box<dyn TaskRunner>>) -> Vec<u32> {
    let mut engine = Engine::new(EngineConfig::at(48e3), &kit());
    if let Some(runner) = runner {
        engine.set_task_runner(runner);
    }
    let mut bits = Vec::new();
    for block in 0..200 {
        if block % 20 == 0 {
            for key in KEYS {
                engine.event(&Event::NoteOn { note: NoteId { key, ..NoteId::default() }, velocity: 0.7 });
            }
        }
        let (mut left, mut right) = ([0.0; 100], [0.0; 100]);
        engine.render(&mut left, &mut right, [&[], &[]]);
        bits.extend(left.iter().chain(&right).map(|x| x.to_bits()));
    }
    bits
}

/// Counts runs of tasks, and those of more than one task.
struct Watched {
    pool: RenderPool,
    runs: Arc<AtomicUsize>,
    runs_together: Arc<AtomicUsize>,
}

impl TaskRunner for Watched {
    fn run(&mut self, tasks: &mut [Task<'_>]) {
        self.runs.fetch_add(1, Relaxed);
        self.runs_together.fetch_add(usize::from(tasks.len() > 1), Relaxed);
        self.pool.run(tasks);
    }
}

#[test]
fn every_task_runs_once_on_any_number_of_threads() {
    let expected = play(None);
    assert!(expected.iter().any(|bits| *bits != 0));
    for count in [1, 3] {
        let (pool, mut threads) = render_pool(count, ThreadPriority::Normal);
        pool.switch().store(true, Relaxed);
        threads.follow_switch();
        let (runs, runs_together) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let watched = Watched { pool, runs: Arc::clone(&runs), runs_together: Arc::clone(&runs_together) };
        assert!(play(Some(Box::new(watched))) == expected, "{count} threads");
        let (runs, together) = (runs.load(Relaxed), runs_together.load(Relaxed));
        // zones are run once up to every multiple of 64 frames and every end of a block, if not more often: 312 + 200 - 12
        assert!(together == runs && runs >= 500, "zones are not run together: {together} of {runs} runs");
    }
}

/// Without threads, or while they are off, the owner runs everything.
#[test]
fn tasks_run_without_threads() {
    let expected = play(None);
    for is_on in [false, true] {
        let (pool, _threads) = render_pool(2, ThreadPriority::Normal);
        pool.switch().store(is_on, Relaxed);
        assert!(play(Some(Box::new(pool))) == expected, "on: {is_on}");
    }
}

/// The switch starts and ends the threads.
#[test]
fn threads_follow_their_switch() {
    let (pool, mut threads) = render_pool(2, ThreadPriority::RealTime);
    let switch = pool.switch();
    for is_on in [true, false, true] {
        switch.store(is_on, Relaxed);
        threads.follow_switch();
        assert_eq!(threads.running_count(), if is_on { 2 } else { 0 });
    }
    let start = Instant::now();
    drop(threads);
    assert!(start.elapsed() < Duration::from_secs(5));
    drop(pool);
}
