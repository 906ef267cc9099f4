//! Fast ringing: the sound of a body without hammers at two pickups, many modes at once, some frames ahead of its state.
//!
//! Modes are processed in groups of eight side by side that stay in the nearest cache, and each group renders all its pairs of control blocks before the
//! next, so that the tables of many bodies are read once in [`MAX_BLOCKS`] blocks; values that take a few operations are not stored. Modes close
//! together in frequency are rendered as clusters, others one by one. The sound is f32 and restarts from the f64 state every one to four blocks, so
//! that its errors do not accumulate: 120 dB below the mode at most. The state itself takes A^16 or A^32 in f64.

use std::ops::Range;

#[cfg(feature = "simd")]
use multiversion::target::target_cfg_f;

use crate::block::CONTROL_BLOCK;
use crate::voice::cluster_sound::ClusterMoments;
use crate::voice::mode_clusters::{Cluster, FEWEST_CHUNKS, Spread};
use crate::voice::mode_rendering::{RenderedModes, StateCourse, Stretch, render};
use crate::voice::mode_tables::{EMPTY, GROUP, Lanes, Sums, Tables};
use crate::voice::step_power::{Eight, LANES, PAIR, Power, advanced, scaled, set_powers, square, step_of};
use crate::voice::step_states::{NewState, State};
use urto_physics::modal::{ModeArray, StepTable, mode_array};

/// Without run-time dispatch the target of the build decides.
#[cfg(not(feature = "simd"))]
macro_rules! target_cfg_f {
    ($condition:meta) => {
        cfg!($condition)
    };
}

/// Maximum number of pairs of control blocks rendered at once.
pub(super) const PAIRS: usize = 16;

/// Number of pairs up to which not all sums are cleared.
const FEW_PAIRS: usize = 2;

/// Maximum number of control blocks rendered at once.
pub const MAX_BLOCKS: usize = PAIRS * PAIR;

/// Maximum number of frames rendered at once.
pub const FRAMES: usize = MAX_BLOCKS * CONTROL_BLOCK;

/// Room for modes up to which a bank has no clusters, that of a body without a field, with its suspension and padding: its modes are hardly ever close enough
/// together, and room for clusters would be a twentieth of its memory.
const MOST_SPARSE_MODES: usize = 256 + 2 * LANES;

/// Least weight of the left pickup over that of the right: a smaller one is raised to 140 dB below the right.
const MIN_WEIGHT_RATIO: f32 = 1e-7;

/// The modes of one ringing body.
#[derive(Debug)]
pub struct ResonatorBank {
    tables: Vec<Tables>,
    /// The imaginary part of the amplitudes of modes in clusters, from displacement and from velocity.
    phases: Vec<[Lanes; 2]>,
    /// Modes close together, in the order of their chunks.
    clusters: Vec<Cluster>,
    /// A^8.
    halves: Vec<Power>,
    /// Weights of the left pickup, and of the right over the left.
    weights: [Vec<Lanes>; 2],
    /// Displacements and velocities after the blocks rendered last.
    next: [ModeArray; 2],
    /// Number of chunks that can be heard; the modes beyond are at rest.
    audible: usize,
}

impl ResonatorBank {
    /// Room for `padded` modes, a multiple of 8; the only allocation.
    pub fn new(padded: usize) -> Self {
        let chunks = padded.div_ceil(LANES);
        let is_dense = padded > MOST_SPARSE_MODES;
        Self {
            tables: Vec::with_capacity(chunks),
            phases: Vec::with_capacity(if is_dense { chunks } else { 0 }),
            clusters: Vec::with_capacity(if is_dense { chunks / FEWEST_CHUNKS } else { 0 }),
            halves: Vec::with_capacity(chunks),
            weights: std::array::from_fn(|_| Vec::with_capacity(chunks)),
            next: std::array::from_fn(|_| mode_array(chunks * LANES)),
            audible: usize::MAX,
        }
    }

    /// Renders all modes from now on.
    pub fn hear_all(&mut self) {
        self.audible = usize::MAX;
    }

    /// Sets the highest modes to rest that can no longer be heard: those whose sum at either pickup is below `limit` [m/s], chunks of eight
    /// in random phases; never the lowest `kept` modes. `omega` is that of every mode.
    pub fn prune(&mut self, limit: f64, kept: usize, omega: impl Fn(usize) -> f64, (q, v): (&mut [f64], &mut [f64])) {
        let chunks = self.halves.len().min(self.weights[0].len()).min(self.audible).min(q.len() / LANES);
        let mut silent = 0.0;
        let mut audible = chunks;
        while audible > kept.div_ceil(LANES) {
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
        self.tune_bands(table, &[]);
    }

    /// The same, without clusters over the first chunks of bands: those in `starts`, in their order.
    pub fn tune_bands(&mut self, table: &StepTable, starts: &[usize]) {
        self.tables.clear();
        self.phases.clear();
        self.clusters.clear();
        self.halves.clear();
        tune(self, table, starts);
        self.next.iter_mut().for_each(|next| next.resize(self.halves.len() * LANES, 0.0));
    }

    /// Adds the tables of `chunks`, as a cluster if they have a spread and are enough.
    fn set_chunks(&mut self, chunks: Range<usize>, spread: Option<Spread>, table: &StepTable) {
        let Self { tables, phases, clusters, .. } = self;
        let has_room = phases.capacity() > 0;
        match spread.filter(|_| has_room).and_then(|spread| Cluster::of(chunks.clone(), spread, table, (tables, phases))) {
            Some(cluster) => clusters.push(cluster),
            None => set_rows(chunks, table, tables),
        }
        if has_room {
            phases.resize(tables.len(), [[0.0; LANES]; 2]);
        }
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

    /// What is rendered.
    pub(super) fn modes(&mut self) -> RenderedModes<'_> {
        let Self { tables, phases, clusters, halves, weights: [units, ratios], next: [next_q, next_v], .. } = self;
        RenderedModes {
            tables,
            phases,
            clusters,
            halves,
            units,
            ratios,
            next: (next_q.as_chunks_mut().0, next_v.as_chunks_mut().0),
        }
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
    pub fn state_after(&mut self) -> &mut [ModeArray; 2] {
        &mut self.next
    }
}

/// Writes groups of frames one after another.
fn write_frames(sums: &[Sums], [left, right]: &mut [[f32; FRAMES]; 2]) {
    let left = left.as_chunks_mut::<LANES>().0;
    let right = right.as_chunks_mut::<LANES>().0;
    for ((sum, left), right) in sums.as_flattened().iter().zip(left).zip(right) {
        [*left, *right] = *sum;
    }
}

/// Computes the coefficients of all modes of `table`: of those close together as clusters, of the others one by one.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn tune(bank: &mut ResonatorBank, table: &StepTable, starts: &[usize]) {
    let all = table.a11.len() / LANES;
    let mut starts = starts.iter().copied().peekable();
    let mut begun: Option<Spread> = None;
    for chunk in 0..all {
        let step = step_of(table, chunk);
        bank.halves.push(square(&square(&square(&step))));
        let spread = Spread::of(&step);
        let wider = begun.zip(spread).and_then(|(begun, spread)| begun.with(spread));
        let begins_band = starts.next_if(|start| *start <= chunk) == Some(chunk);
        if wider.is_none() || begins_band || chunk - bank.tables.len() == GROUP {
            bank.set_chunks(bank.tables.len()..chunk, begun, table);
        }
        begun = if chunk == bank.tables.len() { spread.and_then(Spread::if_narrow) } else { wider };
    }
    bank.set_chunks(bank.tables.len()..all, begun, table);
}

/// Adds the rows of the modes of `chunks`.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn set_rows(chunks: Range<usize>, table: &StepTable, tables: &mut Vec<Tables>) {
    for chunk in chunks {
        let step = step_of(table, chunk);
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
        tables.push(Tables(rows));
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

/// Renders one control block.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_block(resonators: &mut ResonatorBank, stretch: Stretch, state: State, sums: &mut [Sums]) {
    let mut moments = ClusterMoments::EMPTY;
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<2, true, false>(resonators.modes(), stretch, state, &mut moments, sums);
    } else {
        render::<2, false, false>(resonators.modes(), stretch, state, &mut moments, sums);
    }
}

/// Renders as many pairs of control blocks as there are sums.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_pairs(resonators: &mut ResonatorBank, stretch: Stretch, state: State, sums: &mut [Sums]) {
    let mut moments = ClusterMoments::EMPTY;
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<4, true, false>(resonators.modes(), stretch, state, &mut moments, sums);
    } else {
        render::<4, false, false>(resonators.modes(), stretch, state, &mut moments, sums);
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

    /// Modes apart from each other, and modes that are rendered in clusters.
    fn sparse_and_dense(random: &mut Rng) -> [Vec<Mode>; 2] {
        let sparse = (0..24).map(|n| Mode::heard_at(100.0 * 1.25_f64.powi(n), 0.05 + 4.0 * random.uniform())).collect();
        let dense = (0..300).map(|n| Mode::heard_at(900.0 + 11.0 * f64::from(n), 0.2 + 4.0 * random.uniform())).collect();
        [sparse, dense]
    }

    /// Both code paths, with and without fused steps, against the path of this processor.
    #[test]
    fn all_code_paths_agree() {
        let mut rng = Rng::seeded(3);
        for (modes, is_dense) in sparse_and_dense(&mut rng).into_iter().zip([false, true]) {
            let mut bank = bank(&modes, 48e3);
            let mut resonators = tuned(&mut bank);
            assert_ne!(resonators.clusters.is_empty(), is_dense);
            let [left, right] = [0; 2].map(|_| (0..modes.len()).map(|_| rng.bipolar() as f32).collect::<Vec<_>>());
            resonators.set_weights(left.iter().copied(), right.iter().copied());
            for v in bank.modes.v.iter_mut() {
                *v = rng.bipolar();
            }
            let loudest = |weights: &[f32]| {
                weights.iter().zip(bank.modes.v.iter()).map(|(weight, v)| (f64::from(*weight) * v).abs()).sum::<f64>()
            };
            let most = [loudest(&left), loudest(&right)];
            let (mut dispatched, mut plain, mut fused) = ([[0.0; FRAMES]; 2], [[0.0; FRAMES]; 2], [[0.0; FRAMES]; 2]);
            let (q, v) = (&bank.modes.q, &bank.modes.v);
            resonators.render(MAX_BLOCKS, 1.0, (q, v), &mut dispatched);
            let state = (q.as_chunks().0, v.as_chunks().0);
            let (mut sums, mut moments) = ([EMPTY; PAIRS], ClusterMoments::EMPTY);
            let stretch = Stretch { chunks: (0, usize::MAX), course: StateCourse::Rings { factor: 1.0 } };
            render::<4, false, false>(resonators.modes(), stretch, state, &mut moments, &mut sums);
            write_frames(&sums, &mut plain);
            sums = [EMPTY; PAIRS];
            render::<4, true, false>(resonators.modes(), stretch, state, &mut moments, &mut sums);
            write_frames(&sums, &mut fused);
            assert!(dispatched == plain || dispatched == fused, "one of the two paths, to the bit");
            for (most, (plain, fused)) in most.into_iter().zip(plain.iter().zip(&fused)) {
                let apart = plain.iter().zip(fused).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
                assert!(fused.iter().any(|x| f64::from(x.abs()) > 0.02 * most));
                assert!(apart < 1e-6 * most, "{:.1} dB", 20.0 * (apart / most).log10());
            }
        }
    }

    #[test]
    fn state_advances_to_the_same_bits_with_and_without_sound() {
        for modes in sparse_and_dense(&mut Rng::seeded(4)) {
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
    }

    /// Largest error of single modes of a dense body at both pickups, over their amplitude there, while all others are at rest.
    fn worst_in_clusters(spacing: f64, sigma: f64, rate: f64) -> f64 {
        let modes: Vec<Mode> =
            (3..).map(|n| spacing * f64::from(n)).take_while(|f| *f < 0.46 * rate).map(|f| Mode::heard_at(f, sigma)).collect();
        let mut bank = bank(&modes, rate);
        let mut resonators = tuned(&mut bank);
        assert!(
            resonators.clusters.iter().map(Cluster::len).sum::<usize>() > resonators.chunks() * 3 / 4,
            "{} of {} chunks",
            resonators.clusters.iter().map(Cluster::len).sum::<usize>(),
            resonators.chunks()
        );
        let [left, right] = [0.31, 0.83].map(|turn: f32| (0..bank.modes.padded()).map(move |n| (0.2 + turn * n as f32).sin()));
        resonators.set_weights(left.clone(), right.clone());
        let mut worst = 0.0_f64;
        for heard in (0..modes.len()).step_by(13) {
            [&mut bank.modes.q, &mut bank.modes.v].into_iter().for_each(|state| state.fill(0.0));
            (bank.modes.q[heard], bank.modes.v[heard]) = (0.4 / modes[heard].omega, 0.7);
            for blocks in [1, 2, 4, MAX_BLOCKS] {
                let mut out = [[0.0; FRAMES]; 2];
                resonators.render(blocks, 1.0, (&bank.modes.q, &bank.modes.v), &mut out);
                for frame in 0..blocks * CONTROL_BLOCK {
                    let response = Response::new(modes[heard], (frame + 1) as f64 / rate);
                    let exact = response.a21 * bank.modes.q[heard] + response.a22 * bank.modes.v[heard];
                    for (out, mut weights) in out.iter().zip([left.clone(), right.clone()]) {
                        let weight = f64::from(weights.nth(heard).unwrap_or(0.0));
                        worst = worst.max((f64::from(out[frame]) - weight * exact).abs() / weight.abs().max(0.05));
                    }
                }
            }
        }
        worst
    }

    #[test]
    fn modes_in_clusters_match_their_closed_forms() {
        for (spacing, sigma, rate) in [(9.0, 1.0, 48e3), (12.0, 58.0, 48e3), (5.0, 0.2, 22.05e3), (40.0, 5.0, 192e3)] {
            let error = worst_in_clusters(spacing, sigma, rate);
            println!("{spacing} Hz, {sigma} /s, {rate} Hz: {:.1} dB", 20.0 * error.log10());
            assert!(error < 1e-6, "{:.1} dB", 20.0 * error.log10());
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
