//! Fast ringing: the sound of a body without hammers at two pickups, many modes at once, some frames ahead of its state.
//!
//! ```text
//! v_1 .. v_8      from q and v by the rows of A, A^2, .., A^8        A: the exact step of one frame
//! v_9 .. v_24     the same rows on A^8 (q, v) and A^16 (q, v)
//! v_n+16 = tr(A^8) v_n+8 - det(A^8) v_n                               Cayley-Hamilton, for the last eight
//! left = sum l_i v_i         right = sum (r_i/l_i) l_i v_i            l is a factor of q and v
//! ```
//!
//! A mode's eight frames are side by side in a register, so that nothing is added across lanes. Modes are processed in groups that stay in
//! the nearest cache, and each group renders all its pairs of control blocks before the next, so that the tables of many bodies are read
//! once in [`MAX_BLOCKS`] blocks; values that take a few operations are not stored. The sound is f32 and restarts from the f64 state every one or
//! two blocks, so that its errors do not accumulate: 120 dB below the mode at most. The state itself takes A^16 or A^32 in f64.

use std::hint::black_box;
use std::ops::Range;

#[cfg(feature = "simd")]
use multiversion::target::target_cfg_f;
#[cfg(feature = "simd")]
use prefetch_index::prefetch_index;

use crate::block::CONTROL_BLOCK;
use crate::voice::step_power::{Eight, LANES, PAIR, Power, advanced, lanes, scaled, set_powers, square, step_on};
use crate::voice::step_states::{NewState, State};
use urto_physics::modal::StepTable;

/// Without run-time dispatch the target of the build decides.
#[cfg(not(feature = "simd"))]
macro_rules! target_cfg_f {
    ($condition:meta) => {
        cfg!($condition)
    };
}

/// Without run-time dispatch nothing is prefetched.
#[cfg(not(feature = "simd"))]
fn prefetch_index<T>(_: &[T], _: usize) {}

/// Maximum number of such pairs rendered at once.
pub(super) const PAIRS: usize = 16;

/// Number of pairs up to which not all sums are cleared.
const FEW_PAIRS: usize = 2;

/// Maximum number of control blocks rendered at once.
pub const MAX_BLOCKS: usize = PAIRS * PAIR;

/// Maximum number of frames rendered at once.
pub const FRAMES: usize = MAX_BLOCKS * CONTROL_BLOCK;

/// Groups of eight frames that begin with a state; one more follows from the two before it.
const STATES: usize = 3;

/// Chunks of eight modes in a group.
const GROUP: usize = 8;

/// Least weight of the left pickup over that of the right: a smaller one is raised to 140 dB below the right.
const MIN_WEIGHT_RATIO: f32 = 1e-7;

type Lanes = [f32; LANES];
/// Sums of both pickups over groups of eight frames.
pub(super) type Sums<const BLOCKS: usize> = [[Lanes; 2]; BLOCKS];

/// Displacement and velocity, times the weight of the left pickup, of eight modes at the beginning of each group of frames.
type States = [[Lanes; 2]; STATES];

/// Velocity of eight modes in frames 1 to 8 from displacement and from velocity, a pair of rows a mode. Aligned to cache lines of 64
/// bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Rows([[Lanes; 2]; LANES]);

/// A^8 of eight modes in f32, and its trace and determinant.
#[inline(always)]
fn narrowed([a11, a12, a21, a22]: &Power) -> ([Lanes; 4], [Lanes; 2]) {
    let narrow = |entry: &Eight| std::array::from_fn(|i| entry[i] as f32);
    let trace = std::array::from_fn(|i| (a11[i] + a22[i]) as f32);
    let determinant = std::array::from_fn(|i| (a11[i] * a22[i] - a12[i] * a21[i]) as f32);
    ([narrow(a11), narrow(a12), narrow(a21), narrow(a22)], [trace, determinant])
}

/// The modes of one ringing body.
#[derive(Debug)]
pub struct ResonatorBank {
    rows: Vec<Rows>,
    /// A^8.
    halves: Vec<Power>,
    /// Weights of the left pickup, and of the right over the left.
    weights: [Vec<Lanes>; 2],
    /// Displacements and velocities after the blocks rendered last.
    next: [Vec<f64>; 2],
    /// Number of chunks that can be heard; the modes beyond are at rest.
    audible: usize,
}

impl ResonatorBank {
    /// Room for `padded` modes, a multiple of 8; the only allocation.
    pub fn new(padded: usize) -> Self {
        let chunks = padded.div_ceil(LANES);
        Self {
            rows: Vec::with_capacity(chunks),
            halves: Vec::with_capacity(chunks),
            weights: std::array::from_fn(|_| Vec::with_capacity(chunks)),
            next: std::array::from_fn(|_| Vec::with_capacity(chunks * LANES)),
            audible: usize::MAX,
        }
    }

    /// Renders all modes from now on.
    pub fn hear_all(&mut self) {
        self.audible = usize::MAX;
    }

    /// Sets the highest modes to rest that can no longer be heard: those whose sum at either pickup is below `limit` [m/s], chunks of eight
    /// in random phases. `last`: no mode below it is left out. `omega` is that of every mode.
    pub fn prune(&mut self, limit: f64, last: usize, omega: impl Fn(usize) -> f64, (q, v): (&mut [f64], &mut [f64])) {
        let chunks = self.halves.len().min(self.weights[0].len()).min(self.audible).min(q.len() / LANES);
        let mut silent = 0.0;
        let mut audible = chunks;
        while audible > last.div_ceil(LANES) {
            let chunk = audible - 1;
            let (units, ratios) = (&self.weights[0][chunk], &self.weights[1][chunk]);
            let bound = |lane: usize| {
                let i = chunk * LANES + lane;
                let weight = f64::from(units[lane].abs()) * f64::from(ratios[lane].abs()).max(1.0);
                weight * (v[i] * v[i] + (omega(i) * q[i]).powi(2)).sqrt()
            };
            let sum: f64 = (0..LANES).map(bound).sum();
            silent += sum * sum;
            if silent >= limit * limit {
                break;
            }
            audible = chunk;
        }
        if audible < chunks {
            self.audible = audible;
            let [next_q, next_v] = &mut self.next;
            for array in [q, v, next_q, next_v] {
                array[audible * LANES..].fill(0.0);
            }
        }
    }

    /// Takes the step of one frame from `table`.
    pub fn tune(&mut self, table: &StepTable) {
        self.rows.clear();
        self.halves.clear();
        tune(self, table);
        self.next.iter_mut().for_each(|next| next.resize(self.halves.len() * LANES, 0.0));
    }

    /// Sets the weights of the pickups, one per mode and as many as the body's padded arrays.
    pub fn set_weights(&mut self, left: impl Iterator<Item = f32>, right: impl Iterator<Item = f32>) {
        let [units, ratios] = &mut self.weights;
        units.clear();
        ratios.clear();
        let mut lane = LANES;
        for (left, right) in left.zip(right) {
            if lane == LANES {
                units.push([0.0; LANES]);
                ratios.push([0.0; LANES]);
                lane = 0;
            }
            let left = if left.abs() < MIN_WEIGHT_RATIO * right.abs() { MIN_WEIGHT_RATIO * right.abs() } else { left };
            if let (Some(unit), Some(ratio)) = (units.last_mut(), ratios.last_mut()) {
                unit[lane] = left;
                ratio[lane] = if left == 0.0 { 0.0 } else { right / left };
            }
            lane += 1;
        }
    }

    /// Number of the first `modes` modes that can be heard.
    pub(super) fn audible_modes(&self, modes: usize) -> usize {
        modes.min(self.audible.saturating_mul(LANES))
    }

    /// Room for the state of `padded` modes after the next rendering, of which those that can be heard are returned; the others are at rest.
    pub(super) fn audible_state_for(&mut self, padded: usize) -> [&mut [f64]; 2] {
        let audible = self.audible_modes(padded);
        self.next.each_mut().map(|next| {
            next.resize(padded, 0.0);
            &mut next[..audible]
        })
    }

    /// Advances the state by `blocks` control blocks and multiplies it by `factor`.
    pub fn advance(&self, blocks: usize, factor: f64, q: &mut [f64], v: &mut [f64]) {
        advance(&self.halves, (blocks, factor), q.as_chunks_mut().0, v.as_chunks_mut().0);
    }

    /// Sets the powers that advance the audible modes by `blocks` control blocks, for as many chunks as there is room for.
    pub(super) fn powers(&self, blocks: usize, powers: &mut Vec<Power>) {
        let count = self.audible.min(self.halves.len()).min(powers.capacity());
        powers.resize(count, Default::default());
        set_powers(powers, &self.halves[..count], blocks);
    }

    /// Number of chunks of the body's modes.
    pub(super) fn chunks(&self) -> usize {
        self.halves.len()
    }

    /// A^8 of the modes that can be heard, and the state after the next rendering.
    pub(super) fn ahead(&mut self) -> (&[Power], NewState<'_>) {
        let [q, v] = self.next.each_mut().map(|next| next.as_chunks_mut().0);
        (&self.halves[..self.audible.min(self.halves.len())], (q, v))
    }

    /// Renders the sound at the pickups over the next `blocks` control blocks, 1 or an even number up to [`MAX_BLOCKS`]: left and right. The
    /// state (q, v) stays; the state after the blocks, times `factor`, is kept in [`ResonatorBank::state_after`].
    pub fn render(&mut self, blocks: usize, factor: f64, (q, v): (&[f64], &[f64]), out: &mut [[f32; FRAMES]; 2]) {
        let stretch = Stretch { chunks: (0, self.audible), course: StateCourse::Rings { factor } };
        let state = (q.as_chunks().0, v.as_chunks().0);
        if blocks == 1 {
            let mut sums = [EMPTY];
            render_block(self, stretch, state, &mut sums);
            write_frames(&sums, out);
        } else if blocks <= FEW_PAIRS * PAIR {
            let mut sums = [EMPTY; FEW_PAIRS];
            let sums = &mut sums[..blocks / PAIR];
            render_pairs(self, stretch, state, sums);
            write_frames(sums, out);
        } else {
            let mut sums = [EMPTY; PAIRS];
            let sums = &mut sums[..(blocks / PAIR).min(PAIRS)];
            render_pairs(self, stretch, state, sums);
            write_frames(sums, out);
        }
    }

    /// The chunks among `chunks` that can be heard.
    pub(super) fn audible(&self, chunks: Range<usize>) -> (usize, usize) {
        let end = chunks.end.min(self.audible).min(self.halves.len());
        (chunks.start.min(end), end)
    }

    /// The state after the blocks rendered last, to be exchanged for the state before them.
    pub fn state_after(&mut self) -> &mut [Vec<f64>; 2] {
        &mut self.next
    }
}

/// Empty sums.
pub(super) const EMPTY: Sums<4> = [[[0.0; LANES]; 2]; 4];

/// Writes groups of frames one after another.
fn write_frames(sums: &[Sums<4>], [left, right]: &mut [[f32; FRAMES]; 2]) {
    let left = left.as_chunks_mut::<LANES>().0;
    let right = right.as_chunks_mut::<LANES>().0;
    for ((sum, left), right) in sums.as_flattened().iter().zip(left).zip(right) {
        [*left, *right] = *sum;
    }
}

/// Computes the coefficients of all modes of `table`.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn tune(ResonatorBank { rows: all, halves, .. }: &mut ResonatorBank, table: &StepTable) {
    for chunk in 0..table.a11.len() / LANES {
        let step: Power = [&table.a11, &table.a12, &table.a21, &table.a22].map(|array| lanes(array, chunk));
        let mut rows = [[[0.0; LANES]; 2]; LANES];
        let [mut from_q, mut from_v] = [step[2], step[3]];
        for frame in 0..LANES {
            for (mode, [q, v]) in rows.iter_mut().enumerate() {
                (q[frame], v[frame]) = (from_q[mode] as f32, from_v[mode] as f32);
            }
            for i in 0..LANES {
                let (x, y) = (from_q[i], from_v[i]);
                from_q[i] = x * step[0][i] + y * step[2][i];
                from_v[i] = x * step[1][i] + y * step[3][i];
            }
        }
        all.push(Rows(rows));
        halves.push(square(&square(&square(&step))));
    }
}

/// Advances all modes by `count` control blocks, times `factor`. Indexed: of zipped slices the compiler makes a loop over modes eight
/// apart.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn advance(halves: &[Power], (count, factor): (usize, f64), q: &mut [Eight], v: &mut [Eight]) {
    for (n, half) in halves.iter().enumerate() {
        (q[n], v[n]) = scaled(factor, advanced(half, count, (q[n], v[n])));
    }
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

/// Renders one control block.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_block(resonators: &mut ResonatorBank, stretch: Stretch, state: State, sums: &mut [Sums<4>]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<2, true, false>(resonators, stretch, state, sums);
    } else {
        render::<2, false, false>(resonators, stretch, state, sums);
    }
}

/// Renders as many pairs of control blocks as there are sums.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_pairs(resonators: &mut ResonatorBank, stretch: Stretch, state: State, sums: &mut [Sums<4>]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<4, true, false>(resonators, stretch, state, sums);
    } else {
        render::<4, false, false>(resonators, stretch, state, sums);
    }
}

/// a b + c, rounded once where the processor fuses them.
#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Renders modes over `BLOCKS` times eight frames for each of `sums`. `STEPWISE`: the course of the state is [`StateCourse::Steps`].
#[inline(always)]
pub(super) fn render<const BLOCKS: usize, const FUSED: bool, const STEPWISE: bool>(
    ResonatorBank { rows, halves, weights: [units, ratios], next: [next_q, next_v], .. }: &mut ResonatorBank,
    Stretch { chunks: (first, last), course }: Stretch,
    (q, v): State,
    sums: &mut [Sums<4>],
) {
    let mut states = [[[[0.0; LANES]; 2]; STATES]; GROUP];
    let mut now = [([0.0; LANES], [0.0; LANES]); GROUP];
    let mut steps = [[[0.0; LANES]; 4]; GROUP];
    let mut narrow = [[[0.0; LANES]; 4]; GROUP];
    let mut onward = [[[0.0; LANES]; 2]; GROUP];
    let (next_q, next_v): (&mut [Eight], &mut [Eight]) = (next_q.as_chunks_mut().0, next_v.as_chunks_mut().0);
    let all = rows.len().min(units.len()).min(q.len()).min(next_q.len());
    let (after, factor) = match course {
        StateCourse::Rings { factor } => (&[][..], factor),
        StateCourse::Steps { after } => (after, 1.0),
    };
    let end = all.min(last);
    for start in (first..end).step_by(GROUP) {
        let group = start..end.min(start + GROUP);
        let count = group.len();
        for (i, n) in group.clone().enumerate() {
            let block = square(&halves[n]);
            now[i] = (q[n], v[n]);
            (narrow[i], onward[i]) = narrowed(&halves[n]);
            steps[i] = if BLOCKS == 2 { block } else { square(&block) };
        }
        let pairs = sums.len();
        for (pair, sums) in sums.iter_mut().enumerate() {
            let next = (group.end + GROUP * pair / pairs)..(group.end + GROUP * (pair + 1) / pairs);
            next.take_while(|n| *n < all).for_each(|n| {
                fetch(&rows[n], halves, n);
                [&*units, &*ratios].into_iter().for_each(|weights| prefetch_index(weights, n));
                [q, v, &*next_q, &*next_v].into_iter().for_each(|state| prefetch_index(state, n));
            });
            let after_step = if STEPWISE { after.get(pair).copied().flatten() } else { None };
            // opaque: otherwise the compiler sees that nothing overlaps and pairs halves of both results
            let begun = states[..count].iter_mut().zip(black_box(&narrow)).zip(&units[group.clone()]);
            for ((((states, half), unit), (now, step)), n) in begun.zip(now.iter_mut().zip(&steps)).zip(group.clone()) {
                begin::<FUSED>(half, unit, (&now.0, &now.1), states);
                *now = match after_step {
                    Some((q, v)) if STEPWISE => (q[n], v[n]),
                    _ => step_on(step, *now),
                };
            }
            add_frames::<BLOCKS, FUSED>(&rows[group.clone()], &onward[..count], &ratios[group.clone()], &states[..count], sums);
        }
        if STEPWISE {
            continue;
        }
        for ((now, next_q), next_v) in now.iter().zip(&mut next_q[group.clone()]).zip(&mut next_v[group]) {
            (*next_q, *next_v) = scaled(factor, *now);
        }
    }
}

/// Prefetches the tables of chunk number n, so that they are in the cache when its group is rendered.
#[inline(always)]
fn fetch(Rows(rows): &Rows, halves: &[Power], n: usize) {
    (0..LANES).for_each(|line| prefetch_index(rows.as_flattened(), 2 * line));
    (0..4).for_each(|line| prefetch_index(halves.as_flattened(), 4 * n + line));
}

/// The state of eight modes at the beginning of each group of frames. One loop per result: with two in a loop the compiler pairs halves of
/// both.
#[inline(always)]
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
#[inline(always)]
fn add_frames<const BLOCKS: usize, const FUSED: bool>(
    rows: &[Rows],
    onward: &[[Lanes; 2]],
    ratios: &[Lanes],
    states: &[States],
    sums: &mut Sums<4>,
) {
    for (((Rows(rows), [trace, determinant]), ratio), states) in rows.iter().zip(onward).zip(ratios).zip(states) {
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
                    right[k] = multiply_add::<FUSED>(ratio[i], now[k], right[k]);
                }
                (before, last) = (last, now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::midi::Rng;
    use urto_physics::modal::{Mode, ModeBank, Response, Span};

    /// Modes at rest but for a velocity of 1, as they ring at `rate` [Hz].
    fn bank(modes: &[Mode], rate: f64) -> ModeBank {
        let mut bank = ModeBank::new(1.0 / rate, modes.len(), 3);
        bank.set(modes.iter().copied());
        bank.modes.v[..modes.len()].fill(1.0);
        bank
    }

    /// Resonators tuned to `bank` with the weight 1 for every mode.
    fn tuned(bank: &mut ModeBank) -> ResonatorBank {
        let padded = bank.modes.padded();
        let mut resonators = ResonatorBank::new(padded);
        bank.take(Span::Level(0));
        resonators.tune(bank.table());
        resonators.set_weights(std::iter::repeat_n(1.0, padded), std::iter::repeat_n(1.0, padded));
        resonators
    }

    /// Both code paths, with and without fused steps, against the path of this processor.
    #[test]
    fn all_code_paths_agree() {
        let mut rng = Rng::seeded(3);
        let modes: Vec<Mode> = (0..64).map(|n| Mode::heard_at(40.0 * 1.1_f64.powi(n), 0.05 + 4.0 * rng.uniform())).collect();
        let mut bank = bank(&modes, 48e3);
        let mut resonators = tuned(&mut bank);
        let [left, right] = [0; 2].map(|_| (0..modes.len()).map(|_| rng.bipolar() as f32).collect::<Vec<_>>());
        resonators.set_weights(left.iter().copied(), right.iter().copied());
        for v in &mut bank.modes.v {
            *v = rng.bipolar();
        }
        let loudest =
            |weights: &[f32]| weights.iter().zip(&bank.modes.v).map(|(weight, v)| (f64::from(*weight) * v).abs()).sum::<f64>();
        let most = [loudest(&left), loudest(&right)];
        let (mut dispatched, mut plain, mut fused) = ([[0.0; FRAMES]; 2], [[0.0; FRAMES]; 2], [[0.0; FRAMES]; 2]);
        let (q, v) = (&bank.modes.q, &bank.modes.v);
        resonators.render(MAX_BLOCKS, 1.0, (q, v), &mut dispatched);
        let state = (q.as_chunks().0, v.as_chunks().0);
        let mut sums = [EMPTY; PAIRS];
        let stretch = Stretch { chunks: (0, usize::MAX), course: StateCourse::Rings { factor: 1.0 } };
        render::<4, false, false>(&mut resonators, stretch, state, &mut sums);
        write_frames(&sums, &mut plain);
        sums = [EMPTY; PAIRS];
        render::<4, true, false>(&mut resonators, stretch, state, &mut sums);
        write_frames(&sums, &mut fused);
        assert!(dispatched == plain || dispatched == fused, "one of the two paths, to the bit");
        for (most, (plain, fused)) in most.into_iter().zip(plain.iter().zip(&fused)) {
            let apart = plain.iter().zip(fused).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
            assert!(fused.iter().any(|x| f64::from(x.abs()) > 0.1 * most));
            assert!(apart < 1e-6 * most, "{:.1} dB", 20.0 * (apart / most).log10());
        }
    }

    #[test]
    fn state_advances_to_the_same_bits_with_and_without_sound() {
        let modes: Vec<Mode> = (0..72).map(|n| Mode::heard_at(40.0 * 1.08_f64.powi(n), 0.3)).collect();
        for blocks in [1, 2, 6, MAX_BLOCKS] {
            let (mut heard, mut unheard) = (bank(&modes, 48e3), bank(&modes, 48e3));
            let mut resonators = tuned(&mut heard);
            for _ in 0..2 {
                let before = heard.modes.q.clone();
                resonators.render(blocks, 0.9, (&heard.modes.q, &heard.modes.v), &mut [[0.0; FRAMES]; 2]);
                assert!(heard.modes.q == before, "rendering does not change the state");
                heard.exchange_state(resonators.state_after());
                resonators.advance(blocks, 0.9, &mut unheard.modes.q, &mut unheard.modes.v);
                assert!(heard.modes.q != before);
                assert_eq!((&heard.modes.q, &heard.modes.v), (&unheard.modes.q, &unheard.modes.v));
            }
        }
    }

    /// Largest relative error of one mode against its closed form over 10 s.
    fn worst(mode: Mode, rate: f64) -> f64 {
        let mut bank = bank(&[mode], rate);
        let mut resonators = tuned(&mut bank);
        let (mut worst, mut out, mut frame) = (0.0_f64, [[0.0; FRAMES]; 2], 0);
        while (frame as f64) < 10.0 * rate && (-mode.sigma * frame as f64 / rate).exp() > 1e-9 {
            let blocks = [1, 2, 4, MAX_BLOCKS][frame / CONTROL_BLOCK % 4];
            resonators.render(blocks, 1.0, (&bank.modes.q, &bank.modes.v), &mut out);
            bank.exchange_state(resonators.state_after());
            for (k, &heard) in out[0].iter().take(blocks * CONTROL_BLOCK).enumerate() {
                let t = (frame + k + 1) as f64 / rate;
                let exact = Response::new(mode, t).a22;
                worst = worst.max((f64::from(heard) - exact).abs() / (-mode.sigma * t).exp());
            }
            frame += blocks * CONTROL_BLOCK;
        }
        worst
    }

    #[test]
    fn mode_matches_its_closed_form_for_ten_seconds() {
        let mut all = 0.0_f64;
        for rate in [22.05e3, 44.1e3, 48e3, 96e3, 192e3] {
            let limit = 20e3_f64.min(0.48 * rate);
            for part in [20.0 / limit, 0.005, 0.02, 1.0 / 16.0 * rate / limit, 0.31, 0.5, 0.25 * rate / limit, 0.7, 0.93, 1.0] {
                for t60 in [0.02, 0.7, 20.0, 1e9] {
                    let mode = Mode { omega: std::f64::consts::TAU * (part * limit).min(limit), sigma: 1000_f64.ln() / t60 };
                    if mode.sigma < 0.3 * mode.omega {
                        let error = worst(mode, rate);
                        println!("{rate} {part:.3} {t60}: {:.1} dB", 20.0 * error.log10());
                        all = all.max(error);
                    }
                }
            }
        }
        println!("worst {:.1} dB", 20.0 * all.log10());
        assert!(all < 1e-6, "{:.1} dB", 20.0 * all.log10());
    }
}
