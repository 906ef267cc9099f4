//! Zones of a kit as tasks: no bit depends on their order and threads, and two cores share the work of a dense fill.

use std::time::Instant;

use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, Zone, factory_presets};
use urto_engine::{CostTotals, Engine, EngineConfig, Event, NoteId, Task, TaskRunner};

use crate::tier::size;

const RATE: f64 = 48e3;
/// The dense fill of the benchmark `kit_fill`.
const FILL: &[u8] = include_bytes!("../../../benches/kit_fill.mid");
/// Beats per second, and ticks of a beat.
const BEATS: f64 = 2.0;

/// Frames of a block of the host, over which zones need not wait for each other.
const BLOCK: usize = 64;

/// Runs the last task first.
struct Reversed;

impl TaskRunner for Reversed {
    fn run(&mut self, tasks: &mut [Task<'_>]) {
        tasks.iter_mut().rev().for_each(Task::run);
    }
}

/// Runs each task on a thread of its own.
struct Threads;

impl TaskRunner for Threads {
    fn run(&mut self, tasks: &mut [Task<'_>]) {
        std::thread::scope(|scope| tasks.iter_mut().for_each(|task| drop(scope.spawn(|| task.run()))));
    }
}

/// The strokes of the fill: frame and event.
pub fn fill() -> Vec<(usize, Event)> {
    let ticks = f64::from(u16::from_be_bytes([FILL[12], FILL[13]]));
    let (mut at, mut tick, mut status, mut strokes) = (22, 0_u32, 0, Vec::new());
    while at < FILL.len() {
        let mut delta = 0;
        loop {
            delta = delta << 7 | u32::from(FILL[at] & 0x7f);
            at += 1;
            if FILL[at - 1] < 0x80 {
                break;
            }
        }
        tick += delta;
        if FILL[at] >= 0x80 {
            status = FILL[at];
            at += 1;
        }
        match status {
            0xff => {
                at += 2 + usize::from(FILL[at + 1]);
            }
            0xc0..=0xdf => at += 1,
            _ => {
                let (key, velocity) = (FILL[at], f64::from(FILL[at + 1]) / 127.0);
                at += 2;
                if status & 0xf0 == 0x90 && velocity > 0.0 {
                    let note = NoteId { key, ..NoteId::default() };
                    strokes.push(((f64::from(tick) / ticks / BEATS * RATE) as usize, Event::NoteOn { note, velocity }));
                }
            }
        }
    }
    strokes
}

fn studio_kit() -> Patch {
    factory_presets::kits().find(|kit| kit.name == "Studio Kit").expect("a factory kit")
}

/// Plays `strokes` for `frames` frames in blocks of `block`; the bits of main output and bus 3, and what it cost.
fn play(
    kit: &Patch,
    strokes: &[(usize, Event)],
    (frames, block): (usize, usize),
    runner: Option<Box<dyn TaskRunner>>,
) -> (Vec<u32>, CostTotals) {
    let mut engine = Engine::new(EngineConfig::at(RATE), kit);
    if let Some(runner) = runner {
        engine.set_task_runner(runner);
    }
    let (mut bits, mut due, mut frame) = (Vec::new(), strokes.iter().peekable(), 0);
    while frame < frames {
        while let Some((_, event)) = due.next_if(|(at, _)| *at <= frame) {
            engine.event(event);
        }
        let next = due.peek().map_or(frames, |(at, _)| *at).min(frame + block).min(frames);
        let mut sound = vec![vec![0.0_f32; next - frame]; 4];
        let [left, right, a, b] = &mut sound[..] else { return (bits, engine.cost_totals()) };
        engine.render_outputs([left, right], &mut [[a, b]], [&[], &[]]);
        bits.extend(sound.iter().flatten().map(|x| x.to_bits()));
        frame = next;
    }
    (bits, engine.cost_totals())
}

/// A kit that answers and has microphones and a room, and one with more wires than the cost budget allows.
fn kits() -> [Patch; 2] {
    let mut studio = studio_kit();
    for (param, value) in [(ParamId::Bleed, 1.0), (ParamId::OverheadLevel, -6.0), (ParamId::RoomType, 1.0)] {
        studio.settings.set(param, value);
    }
    let mut wires = Patch::default();
    for (param, value) in [
        (ParamId::Modes, 64.0),
        (ParamId::Decay, 20.0),
        (ParamId::Rattle, 2.0),
        (ParamId::RattleCount, 4.0),
        (ParamId::RattlePress, 20.0),
    ] {
        wires.settings.set(param, value);
    }
    let crash = factory_presets::all().find(|patch| patch.name == "Crash Cymbal").expect("a preset");
    let sound = |n: u8| if n % 4 == 3 { &crash } else { &wires };
    let zones = (0..24).map(|n| Zone { plays: 60, ..Zone::new(sound(n), (35 + n, 35 + n)) }).collect();
    [studio, Patch { zones, ..Patch::default() }]
}

#[test]
fn neither_order_nor_threads_of_the_zones_change_a_bit() {
    let frames = size(12_000, 96_000);
    let strokes = fill();
    assert!(strokes.len() > 100, "{} strokes", strokes.len());
    for (kit, is_limited) in kits().iter().zip([false, true]) {
        let (expected, spent) = play(kit, &strokes, (frames, 512), None);
        println!("{spent:?}");
        assert!(expected.iter().filter(|bits| **bits != 0).count() > frames);
        assert!(!is_limited || spent.bound > 1_000, "the budget does not matter: {spent:?}");
        let runners: [Box<dyn TaskRunner>; 2] = [Box::new(Reversed), Box::new(Threads)];
        for runner in runners {
            let (bits, others) = play(kit, &strokes, (frames, 512), Some(runner));
            assert!(bits == expected && others == spent, "{others:?}");
        }
    }
}

/// Zones render up to 64 frames without each other, within the frames that the host asks for: how it splits them changes neither a bit nor what is
/// counted as their cost.
#[test]
fn no_block_size_changes_a_kit() {
    let (frames, mut strokes) = (size(9_600, 96_000), fill());
    // what moves gradually moves the answers too
    let moves =
        [(700, ParamId::Tune, 3.0), (4_000, ParamId::Bleed, 0.5), (5_000, ParamId::Tune, -5.0), (6_000, ParamId::Bleed, 0.9)];
    strokes.extend(moves.map(|(at, param, value)| (at, Event::Set { param, value })));
    strokes.sort_by_key(|(at, _)| *at);
    for kit in kits() {
        let played = |block: usize| {
            let (bits, costs) = play(&kit, &strokes, (frames, block), None);
            // the channels of each block one after another
            let mut channels: [Vec<u32>; 4] = Default::default();
            let (mut rest, mut frame, mut due) = (&bits[..], 0, strokes.iter().map(|(at, _)| *at).peekable());
            while frame < frames {
                while due.next_if(|at| *at <= frame).is_some() {}
                let next = due.peek().copied().unwrap_or(frames).min(frame + block).min(frames);
                for channel in &mut channels {
                    let (here, after) = rest.split_at(next - frame);
                    channel.extend(here);
                    rest = after;
                }
                frame = next;
            }
            (channels, costs)
        };
        let whole = played(4_096);
        for &block in &[1, 50, 16, 64, 480][..size(2, 5)] {
            let (channels, costs) = played(block);
            let first = (0..frames).find(|&i| channels.iter().zip(&whole.0).any(|(a, b)| a[i] != b[i]));
            // the largest window is a sum in f32, which blocks may add in other parts
            let exact = |costs: CostTotals| CostTotals { most_in_window: 0.0, ..costs };
            assert_eq!((first, exact(costs)), (None, exact(whole.1)), "{}, blocks of {block}", kit.name);
            assert!((costs.most_in_window / whole.1.most_in_window - 1.0).abs() < 1e-6, "{costs:?}");
        }
    }
}

/// Measures each task, and runs them one after another. Keeps the shortest time of each in all rounds.
#[derive(Default)]
struct Timed {
    /// Times of the tasks of each run, in the order in which they begin [s].
    runs: Vec<Vec<f64>>,
}

struct TimedRound<'a>(&'a std::sync::Mutex<Timed>, usize);

impl TaskRunner for TimedRound<'_> {
    fn run(&mut self, tasks: &mut [Task<'_>]) {
        let times: Vec<_> = tasks
            .iter_mut()
            .map(|task| {
                let start = Instant::now();
                task.run();
                start.elapsed().as_secs_f64()
            })
            .collect();
        let mut timed = self.0.lock().unwrap();
        match timed.runs.get_mut(self.1) {
            Some(shortest) => shortest.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time)),
            None => timed.runs.push(times),
        }
        self.1 += 1;
    }
}

/// Time until all tasks have ended on `cores` cores, each of which takes the next task when it has ended its own.
fn makespan(times: &[f64], cores: usize) -> f64 {
    let mut free = vec![0.0_f64; cores];
    for time in times {
        let first = free.iter_mut().min_by(|a, b| a.total_cmp(b)).expect("a core");
        *first += time;
    }
    free.into_iter().fold(0.0, f64::max)
}

/// The fill on the Studio Kit from measured times of tasks: what one, two and four cores need, without the cost of handing tasks over. The shortest time
/// of every task and block in several rounds counts, so that other programs do not; blocks are timed in rounds without clocks in the tasks, whose own
/// time is subtracted.
#[test]
#[ignore = "thorough tier: measures time"]
fn two_cores_share_the_work_of_a_dense_fill() {
    const ROUNDS: usize = 24;
    let (kit, strokes) = (studio_kit(), fill());
    let timed: &'static std::sync::Mutex<Timed> = Box::leak(Box::default());
    let blocks = 5 * RATE as usize / BLOCK;
    let mut shortest = vec![f64::INFINITY; blocks];
    for round in 0..ROUNDS {
        let mut engine = Engine::new(EngineConfig::at(RATE), &kit);
        let has_clocks = round % 2 == 0;
        if has_clocks {
            engine.set_task_runner(Box::new(TimedRound(timed, 0)));
        }
        let mut due = strokes.iter().peekable();
        for (block, least) in shortest.iter_mut().enumerate() {
            let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
            let start = Instant::now();
            while let Some((_, event)) = due.next_if(|(at, _)| *at < (block + 1) * BLOCK) {
                engine.event(event);
            }
            engine.render(&mut left, &mut right, [&[], &[]]);
            if !has_clocks {
                *least = least.min(start.elapsed().as_secs_f64());
            }
        }
    }
    let clock = (0..10_000).map(|_| Instant::now().elapsed().as_secs_f64()).fold(f64::INFINITY, f64::min);
    let mut runs = std::mem::take(&mut timed.lock().unwrap().runs);
    runs.iter_mut().flatten().for_each(|time| *time = (*time - clock).max(0.0));
    let all: f64 = shortest.iter().sum();
    let tasks: f64 = runs.iter().flatten().sum();
    let ratio = |cores: usize| all / (all - tasks + runs.iter().map(|times| makespan(times, cores)).sum::<f64>());
    println!(
        "{:.1} us a block, {:.1} % in tasks, the clock {:.0} ns; two cores {:.2}, three {:.2}, four {:.2} times as fast",
        1e6 * all / blocks as f64,
        100.0 * tasks / all,
        1e9 * clock,
        ratio(2),
        ratio(3),
        ratio(4)
    );
    assert!(tasks < all && ratio(2) > 1.6, "{}", ratio(2));
}
