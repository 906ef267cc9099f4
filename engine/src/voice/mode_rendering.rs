//! Rendering of the sound of modes, group by group, each over all frames before the next.
//!
//! ```text
//! v_1 .. v_8      from q and v by the rows of A, A^2, .., A^8        A: the exact step of one frame
//! v_9 .. v_24     the same rows on A^8 (q, v) and A^16 (q, v)
//! v_n+16 = tr(A^8) v_n+8 - det(A^8) v_n                               Cayley-Hamilton, for the last eight
//! ```
//!
//! Modes in a cluster are rendered together: see [`ClusterMoments`].

use std::hint::black_box;
use std::ops::Range;

#[cfg(feature = "simd")]
use prefetch_index::prefetch_index;

use crate::voice::cluster_sound::{ClusterModes, ClusterMoments, MOST_STATES};
use crate::voice::mode_clusters::{ChunkGroup, ChunkGroups, Cluster};
use crate::voice::mode_tables::{GROUP, Lanes, Sums, Tables, multiply_add};
use crate::voice::step_power::{Eight, LANES, Power, scaled, square, step_on};
use crate::voice::step_states::{NewState, State};

/// Without run-time dispatch nothing is prefetched.
#[cfg(not(feature = "simd"))]
fn prefetch_index<T>(_: &[T], _: usize) {}

/// Groups of eight frames that begin with a state; one more follows from the two before it.
const STATES: usize = 3;

/// Displacement and velocity, times the weight of the left pickup, of eight modes at the beginning of each group of frames.
type States = [[Lanes; 2]; STATES];

/// A^8 of eight modes in f32, and its trace and determinant.
#[inline(always)]
fn narrowed([a11, a12, a21, a22]: &Power) -> ([Lanes; 4], [Lanes; 2]) {
    let narrow = |entry: &Eight| std::array::from_fn(|i| entry[i] as f32);
    let trace = std::array::from_fn(|i| (a11[i] + a22[i]) as f32);
    let determinant = std::array::from_fn(|i| (a11[i] * a22[i] - a12[i] * a21[i]) as f32);
    ([narrow(a11), narrow(a12), narrow(a21), narrow(a22)], [trace, determinant])
}

/// What a rendering keeps of each chunk of a group. In variables of their own, which the compiler need not clear.
struct RenderScratch<'a> {
    /// The states that groups of frames begin with.
    states: &'a mut [States; GROUP],
    /// The present state.
    q: &'a mut [Eight; GROUP],
    v: &'a mut [Eight; GROUP],
    /// The power that advances it by the frames of one sum.
    steps: &'a mut [Power; GROUP],
    /// A^8, and its trace and determinant.
    narrow: &'a mut [[Lanes; 4]; GROUP],
    onward: &'a mut [[Lanes; 2]; GROUP],
    /// Those of a cluster.
    moments: &'a mut ClusterMoments,
}

/// What to render, and the course of the state.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// First chunk, and the one after the last.
    pub chunks: (usize, usize),
    /// The course of the state.
    pub course: StateCourse<'a>,
}

/// The course of the state over the sums of a rendering.
#[derive(Clone, Copy)]
pub(super) enum StateCourse<'a> {
    /// It rings, is multiplied by a factor after the last, and kept.
    Rings {
        /// The factor.
        factor: f64,
    },
    /// It rings until a step of the exchange between bands ends, and goes on from the state after that step. It is not kept.
    Steps {
        /// For each of the sums the state after it, if a step ends there and another follows.
        after: &'a [Option<State<'a>>],
    },
}

/// Modes to render, eight side by side.
pub(super) struct RenderedModes<'a> {
    pub tables: &'a [Tables],
    /// The imaginary part of the amplitudes of modes in clusters, from displacement and from velocity.
    pub phases: &'a [[Lanes; 2]],
    /// Modes close together, in the order of their chunks.
    pub clusters: &'a [Cluster],
    /// A^8.
    pub halves: &'a [Power],
    /// Weights of the left pickup, and of the right over the left.
    pub units: &'a [Lanes],
    pub ratios: &'a [Lanes],
    /// Their state after the rendering, if it is kept.
    pub next: NewState<'a>,
}

/// One group of chunks in a rendering.
struct RenderedGroup<'a> {
    chunks: Range<usize>,
    tables: &'a [Tables],
    halves: &'a [Power],
    units: &'a [Lanes],
    ratios: &'a [Lanes],
    /// The state before the rendering.
    before: State<'a>,
    /// For each of the sums the state of all modes after it, if it is known.
    after: &'a [Option<State<'a>>],
}

impl<'a> RenderedGroup<'a> {
    /// The state of the group after sum number `sum`, if it is known.
    #[inline(always)]
    fn known_after(&self, sum: usize) -> Option<State<'a>> {
        let (q, v) = self.after.get(sum).copied().flatten()?;
        Some((&q[self.chunks.clone()], &v[self.chunks.clone()]))
    }

    /// Sets the steps of the frames of one sum.
    #[inline(always)]
    fn set_steps<const BLOCKS: usize>(&self, steps: &mut [Power; GROUP]) {
        for (step, half) in steps.iter_mut().zip(self.halves) {
            let block = square(half);
            *step = if BLOCKS == 2 { block } else { square(&block) };
        }
    }
}

/// Renders modes over `BLOCKS` times eight frames for each of `sums`. `STEPWISE`: the course of the state is [`StateCourse::Steps`].
#[inline(always)]
pub(super) fn render<const BLOCKS: usize, const FUSED: bool, const STEPWISE: bool>(
    RenderedModes { tables, phases, clusters, halves, units, ratios, next: (next_q, next_v) }: RenderedModes,
    Stretch { chunks: (first, last), course }: Stretch,
    (q, v): State,
    moments: &mut ClusterMoments,
    sums: &mut [Sums],
) {
    let (mut states, mut narrow, mut onward) =
        ([[[[0.0; LANES]; 2]; STATES]; GROUP], [[[0.0; LANES]; 4]; GROUP], [[[0.0; LANES]; 2]; GROUP]);
    let (mut now_q, mut now_v, mut steps) = ([[0.0; LANES]; GROUP], [[0.0; LANES]; GROUP], [[[0.0; LANES]; 4]; GROUP]);
    let all = tables.len().min(units.len()).min(q.len()).min(next_q.len());
    let (after, factor) = match course {
        StateCourse::Rings { factor } => (&[][..], factor),
        StateCourse::Steps { after } => (after, 1.0),
    };
    let count = sums.len();
    for ChunkGroup { chunks, cluster } in (ChunkGroups { clusters, left: first..all.min(last) }) {
        let prefetch = |done: Range<usize>| {
            let next = (chunks.end + GROUP * done.start / count)..(chunks.end + GROUP * done.end / count);
            next.take_while(|n| *n < all).for_each(|n| {
                fetch(&tables[n], halves, n);
                [units, ratios].into_iter().for_each(|weights| prefetch_index(weights, n));
                [q, v, &*next_q, &*next_v].into_iter().for_each(|state| prefetch_index(state, n));
            });
        };
        let group = RenderedGroup {
            chunks: chunks.clone(),
            tables: &tables[chunks.clone()],
            halves: &halves[chunks.clone()],
            units: &units[chunks.clone()],
            ratios: &ratios[chunks.clone()],
            before: (&q[chunks.clone()], &v[chunks.clone()]),
            after,
        };
        let (states, steps, narrow, onward) = (&mut states, &mut steps, &mut narrow, &mut onward);
        let scratch = RenderScratch { states, q: &mut now_q, v: &mut now_v, steps, narrow, onward, moments };
        match cluster {
            Some(cluster) => {
                let cluster = (cluster, &phases[chunks.clone()]);
                render_cluster::<BLOCKS, FUSED, STEPWISE>(&group, cluster, scratch, sums, prefetch);
            }
            None => render_rows::<BLOCKS, FUSED>(&group, scratch, sums, prefetch),
        }
        if !STEPWISE {
            for (i, n) in chunks.enumerate() {
                (next_q[n], next_v[n]) = scaled(factor, (now_q[i], now_v[i]));
            }
        }
    }
}

/// Renders a group in no cluster, mode by mode.
#[inline(always)]
fn render_rows<const BLOCKS: usize, const FUSED: bool>(
    group: &RenderedGroup,
    RenderScratch { states, q, v, steps, narrow, onward, .. }: RenderScratch,
    sums: &mut [Sums],
    prefetch: impl Fn(Range<usize>),
) {
    let count = group.tables.len();
    let (q, v) = (&mut q[..count], &mut v[..count]);
    copy_state((q, v), group.before);
    group.set_steps::<BLOCKS>(steps);
    for ((narrow, onward), half) in narrow.iter_mut().zip(&mut *onward).zip(group.halves) {
        (*narrow, *onward) = narrowed(half);
    }
    for (number, sums) in sums.iter_mut().enumerate() {
        prefetch(number..number + 1);
        // opaque: otherwise the compiler sees that nothing overlaps and pairs halves of both results
        let begun = states[..count].iter_mut().zip(black_box(&*narrow)).zip(group.units).zip(q.iter().zip(&*v));
        for (((states, half), unit), state) in begun {
            begin::<FUSED>(half, unit, state, states);
        }
        add_frames::<BLOCKS, FUSED>(group.tables, &onward[..count], group.ratios, &states[..count], sums);
        match group.known_after(number) {
            Some(after) => copy_state((q, v), after),
            None => step_chunks(&*steps, (q, v)),
        }
    }
}

/// Renders a group in a cluster, with the imaginary part of its amplitudes.
#[inline(always)]
fn render_cluster<const BLOCKS: usize, const FUSED: bool, const STEPWISE: bool>(
    group: &RenderedGroup,
    (cluster, phases): (&Cluster, &[[Lanes; 2]]),
    RenderScratch { q, v, steps, moments, .. }: RenderScratch,
    sums: &mut [Sums],
    prefetch: impl Fn(Range<usize>),
) {
    let modes = ClusterModes { tables: group.tables, phases, units: group.units, ratios: group.ratios };
    let (q, v) = (&mut q[..phases.len()], &mut v[..phases.len()]);
    // the state, in the scratch where it is not known
    let (mut known, mut has_steps) = (Some(group.before), false);
    // the first sum of each state
    let (mut first, mut states, mut firsts) = (0, 0, [0; MOST_STATES + 1]);
    while first < sums.len() {
        let mut after = group.known_after(first);
        let mut end = first + 1;
        if BLOCKS == 4 && end < sums.len() && after.is_none() {
            after = group.known_after(end);
            end += 1;
        }
        prefetch(first..end);
        moments.set::<FUSED>(modes, known.unwrap_or((&*q, &*v)), states);
        if !STEPWISE || after.is_none() && end < sums.len() {
            if !has_steps {
                group.set_steps::<BLOCKS>(steps);
                has_steps = true;
            }
            if let Some(known) = known {
                copy_state((q, v), known);
            }
            (first..end).for_each(|_| step_chunks(&*steps, (q, v)));
        }
        (known, firsts[states]) = (after, first);
        (first, states) = (end, states + 1);
        if states == MOST_STATES || first == sums.len() {
            firsts[states] = first;
            for (state, firsts) in firsts[..=states].windows(2).enumerate() {
                let frames = sums[firsts[0]..firsts[1]].as_flattened_mut();
                // in a small module there is one version
                if BLOCKS == 2 && cfg!(feature = "simd") {
                    moments.add_frames::<FUSED, 2>(cluster, state, &mut frames[..BLOCKS]);
                } else {
                    let count = if BLOCKS == 2 { BLOCKS } else { frames.len() };
                    moments.add_frames::<FUSED, 0>(cluster, state, &mut frames[..count]);
                }
            }
            states = 0;
        }
    }
}

/// Takes over a state.
#[inline(always)]
fn copy_state((q, v): NewState, (from_q, from_v): State) {
    q.copy_from_slice(from_q);
    v.copy_from_slice(from_v);
}

/// Advances the state of chunks.
#[inline(always)]
fn step_chunks(steps: &[Power], (q, v): NewState) {
    for ((step, q), v) in steps.iter().zip(q).zip(v) {
        (*q, *v) = step_on(step, (*q, *v));
    }
}

/// Prefetches the tables of chunk number n, so that they are in the cache when its group is rendered.
#[inline(always)]
fn fetch(Tables(tables): &Tables, halves: &[Power], n: usize) {
    (0..LANES).for_each(|line| prefetch_index(tables.as_flattened(), 2 * line));
    (0..4).for_each(|line| prefetch_index(halves.as_flattened(), 4 * n + line));
}

/// The state of eight modes at the beginning of each group of frames. One loop per result: with two in a loop the compiler pairs halves of
/// both.
#[cfg_attr(feature = "simd", inline(always))]
#[cfg_attr(not(feature = "simd"), inline(never))]
fn begin<const FUSED: bool>(
    [a11, a12, a21, a22]: &[Lanes; 4],
    unit: &Lanes,
    (q, v): (&[f64; LANES], &[f64; LANES]),
    states: &mut States,
) {
    states[0] = [std::array::from_fn(|i| q[i] as f32 * unit[i]), std::array::from_fn(|i| v[i] as f32 * unit[i])];
    for n in 1..STATES {
        let [q, v] = states[n - 1];
        states[n][0] = std::array::from_fn(|i| multiply_add::<FUSED>(a11[i], q[i], a12[i] * v[i]));
        states[n][1] = std::array::from_fn(|i| multiply_add::<FUSED>(a21[i], q[i], a22[i] * v[i]));
    }
}

/// Adds `BLOCKS` times eight frames of the modes in `states`.
#[cfg_attr(feature = "simd", inline(always))]
#[cfg_attr(not(feature = "simd"), inline(never))]
fn add_frames<const BLOCKS: usize, const FUSED: bool>(
    rows: &[Tables],
    onward: &[[Lanes; 2]],
    ratios: &[Lanes],
    states: &[States],
    sums: &mut Sums,
) {
    for (((Tables(rows), [trace, determinant]), ratio), states) in rows.iter().zip(onward).zip(ratios).zip(states) {
        for i in 0..LANES {
            let [from_q, from_v] = &rows[i];
            let (mut before, mut last) = ([0.0; LANES], [0.0; LANES]);
            for (block, [left, right]) in sums.iter_mut().take(BLOCKS).enumerate() {
                let now: Lanes = if block < STATES {
                    let [q, v] = [states[block][0][i], states[block][1][i]];
                    std::array::from_fn(|k| multiply_add::<FUSED>(from_q[k], q, from_v[k] * v))
                } else {
                    std::array::from_fn(|k| multiply_add::<FUSED>(-determinant[i], before[k], trace[i] * last[k]))
                };
                for k in 0..LANES {
                    left[k] += now[k];
                }
                for k in 0..LANES {
                    right[k] = multiply_add::<FUSED>(ratio[i], now[k], right[k]);
                }
                (before, last) = (last, now);
            }
        }
    }
}
