//! Modes that a signal drives and that do not react on it, one exact step a sample, in f32 and eight at a time.
//!
//! ```text
//! z' = g exp((i omega - sigma) h) z + k       z = c + i s of each mode; k: the change of velocity of its lane in the sample
//! left = sum l c',  right = sum r c'          omega: damped; g: growth of its block in a sample, 1 unless set
//! ```
//!
//! c is the velocity of the mode after a blow, but for the phase sigma/omega. A frame's sum runs over chunks first and lanes last, so that
//! it does not depend on how many frames are rendered at once.

use crate::modal::mode::Mode;
use crate::modal::phase_reversal::PhaseReversal;
use crate::modal::simd::{HAS_FAST_VERSIONS, LANES};
use std::f64::consts::TAU;
use std::ops::Range;

type Lanes = [f32; LANES];

/// Eight modes.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// Real and imaginary part of the factor of a sample.
    factor: [Lanes; 2],
    /// Gains of left and right.
    gains: [Lanes; 2],
    /// c and s.
    state: [Lanes; 2],
    /// Factor of the amplitudes in a sample, besides their decay.
    growth: f32,
}

const EMPTY: Chunk = Chunk { factor: [[0.0; LANES]; 2], gains: [[0.0; LANES]; 2], state: [[0.0; LANES]; 2], growth: 1.0 };

impl Chunk {
    /// Frequency, decay rate and gains of one mode, for samples of h [s].
    fn tune(&mut self, lane: usize, mode: Mode, gains: [f64; 2], h: f64) {
        let (sin, cos) = (TAU * mode.heard_frequency() * h).sin_cos();
        let decay = (-mode.sigma * h).exp();
        (self.factor[0][lane], self.factor[1][lane]) = ((decay * cos) as f32, (decay * sin) as f32);
        (self.gains[0][lane], self.gains[1][lane]) = (gains[0] as f32, gains[1] as f32);
    }
}

/// Modes that a signal drives.
#[derive(Clone, Debug, Default)]
pub struct DrivenModes {
    chunks: Vec<Chunk>,
}

impl DrivenModes {
    /// Room for `modes` modes; the only allocation.
    pub fn with_capacity(modes: usize) -> Self {
        Self { chunks: Vec::with_capacity(modes.div_ceil(LANES)) }
    }

    /// Takes `modes`, at rest, each with its gains for left and right; `h`: sample [s]. Those for which there is no room are left out.
    pub fn set(&mut self, modes: impl Iterator<Item = (Mode, [f64; 2])>, h: f64) {
        self.chunks.clear();
        for (i, (mode, gains)) in modes.enumerate() {
            if i.is_multiple_of(LANES) {
                if self.chunks.len() == self.chunks.capacity() {
                    return;
                }
                self.chunks.push(EMPTY);
            }
            let Some(chunk) = self.chunks.last_mut() else { return };
            chunk.tune(i % LANES, mode, gains, h);
        }
    }

    /// New frequencies, decay rates and gains of the same modes, whose motion goes on; modes beyond them are ignored.
    pub fn retune(&mut self, modes: impl Iterator<Item = (Mode, [f64; 2])>, h: f64) {
        for (i, (mode, gains)) in modes.enumerate() {
            let Some(chunk) = self.chunks.get_mut(i / LANES) else { return };
            chunk.tune(i % LANES, mode, gains, h);
        }
    }

    /// Sets modes to rest whose motion is below `floor` [m/s kg^1/2], before it becomes denormal. Whether all rest.
    pub fn flush(&mut self, floor: f32) -> bool {
        let mut rest = true;
        for [c, s] in self.chunks.iter_mut().map(|chunk| &mut chunk.state) {
            for (c, s) in c.iter_mut().zip(s) {
                if c.abs() < floor && s.abs() < floor {
                    (*c, *s) = (0.0, 0.0);
                } else {
                    rest = false;
                }
            }
        }
        rest
    }

    /// The blocks of eight that begin among the modes `modes`.
    fn blocks_of(&mut self, modes: Range<usize>) -> impl Iterator<Item = (usize, &mut Chunk)> {
        let (start, end) = (modes.start.div_ceil(LANES), modes.end.div_ceil(LANES).min(self.chunks.len()));
        self.chunks.iter_mut().enumerate().take(end).skip(start)
    }

    /// Energy [J] of the blocks of eight that begin among the modes `modes`, if each mode has the kick of its lane.
    pub fn energy(&mut self, modes: Range<usize>) -> f64 {
        let square = |x: f32| f64::from(x) * f64::from(x);
        let of_block = |chunk: &Chunk| (0..LANES).map(|i| square(chunk.state[0][i]) + square(chunk.state[1][i])).sum::<f64>();
        0.5 * self.blocks_of(modes).map(|(_, chunk)| of_block(chunk)).sum::<f64>()
    }

    /// Lets the amplitudes of the blocks of eight that begin among the modes `modes` take the factor `growth` in every sample from now on, besides
    /// their decay.
    pub fn set_growth(&mut self, modes: Range<usize>, growth: f32) {
        self.blocks_of(modes).for_each(|(_, chunk)| chunk.growth = growth);
    }

    /// Reverses modes in the blocks of eight that begin among the modes `modes`: s becomes -s, what is heard does not jump.
    pub fn reverse(&mut self, modes: Range<usize>, reversal: &PhaseReversal) {
        if reversal.is_none() {
            return;
        }
        for (number, chunk) in self.blocks_of(modes) {
            let s = &mut chunk.state[1];
            *s = reversal.reversed(number, s.map(f64::from)).map(|s| s as f32);
        }
    }

    /// Number of modes, with those that fill up the last eight.
    pub fn padded(&self) -> usize {
        self.chunks.len() * LANES
    }

    /// Sets all to rest.
    pub fn rest(&mut self) {
        self.chunks.iter_mut().for_each(|chunk| chunk.state = [[0.0; LANES]; 2]);
    }

    /// One sample for each of `kicks`, the change of velocity of every lane; the state takes the factor `decay` before each. Overwrites
    /// as many frames of `out`, left and right.
    pub fn render(&mut self, kicks: &[Lanes], decay: f32, out: &mut [[f32; 2]]) {
        const FRAMES: usize = 16;
        let mut sums = [[[0.0; LANES]; 2]; FRAMES];
        for (kicks, out) in kicks.chunks(FRAMES).zip(out.chunks_mut(FRAMES)) {
            let sums = &mut sums[..kicks.len()];
            sums.fill([[0.0; LANES]; 2]);
            step_chunks(&mut self.chunks, kicks, decay, sums);
            for (out, [left, right]) in out.iter_mut().zip(&*sums) {
                *out = [fold(left), fold(right)];
            }
        }
    }

    /// Largest sounds of left and right, with all modes in phase.
    pub fn envelopes(&self) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for Chunk { gains, state: [c, s], .. } in &self.chunks {
            for lane in 0..LANES {
                let amplitude = f64::from(c[lane]).hypot(f64::from(s[lane]));
                for (sum, gain) in sums.iter_mut().zip(gains) {
                    *sum += f64::from(gain[lane].abs()) * amplitude;
                }
            }
        }
        sums
    }
}

fn fold([a, b, c, d, e, f, g, h]: &Lanes) -> f32 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Number of chunks that are stepped together: each is a chain of dependent operations.
const TOGETHER: usize = if HAS_FAST_VERSIONS { 4 } else { 1 };

/// Steps all modes through the frames of `kicks`, and adds them to the sums.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn step_chunks(chunks: &mut [Chunk], kicks: &[Lanes], decay: f32, sums: &mut [[Lanes; 2]]) {
    let (groups, rest) = chunks.as_chunks_mut::<TOGETHER>();
    groups.iter_mut().for_each(|group| step_together(group, kicks, decay, sums));
    rest.as_chunks_mut::<1>().0.iter_mut().for_each(|chunk| step_together(chunk, kicks, decay, sums));
}

/// The same for some chunks; their sum has the order of the chunks.
#[inline(always)]
fn step_together<const COUNT: usize>(chunks: &mut [Chunk; COUNT], kicks: &[Lanes], decay: f32, sums: &mut [[Lanes; 2]]) {
    let (mut states, mut factors, mut gains) = ([EMPTY.state; COUNT], [EMPTY.factor; COUNT], [EMPTY.gains; COUNT]);
    for (n, chunk) in chunks.iter().enumerate() {
        (states[n], factors[n], gains[n]) = (chunk.state, chunk.factor, chunk.gains);
        let decay = decay * chunk.growth;
        factors[n].iter_mut().flatten().for_each(|factor| *factor *= decay);
    }
    for (kick, heard) in kicks.iter().zip(sums.iter_mut()) {
        let [mut on_left, mut on_right] = *heard;
        for n in 0..COUNT {
            let ([c, s], [cos, sin], [left, right]) = (&mut states[n], &factors[n], &gains[n]);
            for lane in 0..LANES {
                let before = c[lane];
                c[lane] = cos[lane] * before - sin[lane] * s[lane] + kick[lane];
                s[lane] = sin[lane] * before + cos[lane] * s[lane];
                on_left[lane] += left[lane] * c[lane];
                on_right[lane] += right[lane] * c[lane];
            }
        }
        *heard = [on_left, on_right];
    }
    chunks.iter_mut().zip(states).for_each(|(chunk, state)| chunk.state = state);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::phase_reversal::PhaseReversals;

    const H: f64 = 1.0 / 48e3;

    fn modes(count: usize) -> DrivenModes {
        let mut modes = DrivenModes::with_capacity(count);
        let each = |i: usize| (Mode::heard_at(400.0 + 37.0 * i as f64, 80.0), [1.0 / (1.0 + i as f64), 0.3]);
        modes.set((0..count).map(each), H);
        modes
    }

    /// After a blow each mode swings as a mode of a body does.
    #[test]
    fn a_blow_rings_as_long_as_the_mode() {
        let mut one = modes(1);
        let (mut kicks, mut out) = (vec![[0.0; LANES]; 2_000], vec![[0.0; 2]; 2_000]);
        kicks[0] = [0.5; LANES];
        one.render(&kicks, 1.0, &mut out);
        for (i, [left, right]) in out.iter().enumerate() {
            let t = i as f64 * H;
            let expected = 0.5 * (-80.0 * t).exp() * (TAU * 400.0 * t).cos();
            assert!((f64::from(*left) - expected).abs() < 2e-5, "{i}: {left} {expected}");
            assert!((right - 0.3 * left).abs() < 1e-6);
        }
    }

    /// Any division into runs gives the same bits, in eights or not, with a decay.
    #[test]
    fn runs_do_not_change_a_bit() {
        let kicks: Vec<Lanes> = (0..200).map(|i| std::array::from_fn(|lane| ((i * 7 + lane * 3) % 11) as f32 - 5.0)).collect();
        let render = |lengths: &[usize]| {
            let (mut modes, mut out, mut at, mut turn) = (modes(43), vec![[0.0; 2]; 200], 0, 0);
            while at < 200 {
                let end = 200.min(at + lengths[turn % lengths.len()]);
                modes.render(&kicks[at..end], 0.999, &mut out[at..end]);
                (at, turn) = (end, turn + 1);
            }
            (out, modes.envelopes())
        };
        let whole = render(&[200]);
        for lengths in [&[1][..], &[16], &[5, 1, 16, 3]] {
            assert_eq!(render(lengths), whole, "{lengths:?}");
        }
    }

    /// Tuned modes go on from where they are; below a floor they rest.
    #[test]
    fn tuned_modes_keep_their_motion() {
        let (mut tuned, mut out) = (modes(9), [[0.0; 2]; 60]);
        tuned.render(&[[1.0; LANES]; 60], 1.0, &mut out);
        let before = tuned.envelopes();
        tuned.retune((0..9).map(|_| (Mode::heard_at(2e3, 0.0), [1.0, 0.0])), H);
        let [left, right] = tuned.envelopes();
        assert!(left > before[0] && right == 0.0, "new gains, the same motion");
        tuned.render(&[[0.0; LANES]; 60], 1.0, &mut out);
        assert!((tuned.envelopes()[0] / left - 1.0).abs() < 1e-4, "nothing is lost");
        tuned.flush(1e-3);
        assert!(tuned.envelopes()[0] > 0.99 * left);
        tuned.flush(1e6);
        assert_eq!(tuned.envelopes(), [0.0; 2]);
    }

    /// Growth multiplies amplitudes of its blocks sample by sample; what it does not name only rings.
    #[test]
    fn blocks_grow_by_their_factor() {
        let mut modes = DrivenModes::with_capacity(32);
        modes.set((0..32).map(|i| (Mode::heard_at(300.0 + 100.0 * f64::from(i), 0.0), [1.0; 2])), H);
        let mut out = [[0.0; 2]; 64];
        modes.render(&[[0.25; LANES]; 1], 1.0, &mut out[..1]);
        let before = [0..8, 8..24, 24..32].map(|range| modes.energy(range));
        assert!((before[1] - 0.5 * 16.0 * 0.25 * 0.25).abs() < 1e-6, "{before:?}");
        modes.set_growth(8..24, 1.01);
        modes.render(&[[0.0; LANES]; 64], 1.0, &mut out);
        let after = [0..8, 8..24, 24..32].map(|range| modes.energy(range));
        let ratios = [0, 1, 2].map(|i| after[i] / before[i]);
        assert!((ratios[0] - 1.0).abs() < 1e-4 && (ratios[2] - 1.0).abs() < 1e-4, "{ratios:?}");
        assert!((ratios[1] / 1.01_f64.powi(128) - 1.0).abs() < 1e-4, "{ratios:?}");
    }

    /// A reversal keeps the energy and what is heard, and turns the motion round.
    #[test]
    fn reversed_modes_go_back() {
        let all = |draw| {
            let mut reversals = PhaseReversals::default();
            reversals.set(0, 1.0);
            reversals.drawn(draw).of_band(0)
        };
        let mut modes = DrivenModes::with_capacity(16);
        modes.set((0..16).map(|i| (Mode::heard_at(500.0 + 70.0 * f64::from(i), 0.0), [1.0; 2])), H);
        let (mut there, mut back) = ([[0.0; 2]; 40], [[0.0; 2]; 40]);
        modes.render(&[[0.5; LANES]; 1], 1.0, &mut there[..1]);
        modes.render(&[[0.0; LANES]; 39], 1.0, &mut there[1..]);
        let energy = modes.energy(0..16);
        modes.reverse(0..16, &all(3));
        assert_eq!(modes.energy(0..16), energy);
        modes.render(&[[0.0; LANES]; 39], 1.0, &mut back[1..]);
        for i in 1..40 {
            assert!((there[39 - i][0] - back[i][0]).abs() < 1e-4, "{i}: {} {}", there[39 - i][0], back[i][0]);
        }
    }

    #[test]
    fn there_is_room_for_no_more() {
        let mut modes = DrivenModes::with_capacity(16);
        let room = modes.chunks.capacity() * LANES;
        modes.set((0..1_000).map(|_| (Mode::heard_at(1e3, 1.0), [1.0; 2])), H);
        assert_eq!(modes.padded(), room);
    }
}
