//! Modes that sound drives and that do not react on it, one exact step a sample, eight at a time.
//!
//! ```text
//! z' = exp((i omega - sigma) h) z + a s      z = c + i d of each mode; s: sound in the sample, a: its weight
//! velocity  c - (sigma/omega) d              displacement d/omega; omega: damped
//! ```

use crate::block::CONTROL_BLOCK;
use std::f64::consts::TAU;
use urto_physics::modal::{HAS_FAST_VERSIONS, LANES, Mode};

/// State of a mode below which it is set to rest: far above denormal numbers.
const FLOOR: f64 = 1e-30;

type Lanes = [f64; LANES];

/// Partial sums of a frame: each takes two modes of eight.
const SUMS: usize = LANES / 2;
type Sums = [f64; SUMS];

/// One mode with its weights.
#[derive(Clone, Copy, Debug)]
pub struct AnsweringMode {
    /// Frequency and decay.
    pub mode: Mode,
    /// Weight of the sound: change of its velocity in a sample.
    pub driven: f64,
    /// Weights of its velocity at the left and right pickup.
    pub heard: [f64; 2],
    /// Weight of its motion under the strands.
    pub strands: f64,
}

/// Eight modes.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// Real and imaginary part of the factor of a sample.
    factor: [Lanes; 2],
    driven: Lanes,
    heard: [Lanes; 2],
    /// Weights under the strands: of d for the displacement, of c and of d for the velocity.
    strands: [Lanes; 3],
    /// c and d.
    state: [Lanes; 2],
}

const EMPTY: Chunk = Chunk {
    factor: [[0.0; LANES]; 2],
    driven: [0.0; LANES],
    heard: [[0.0; LANES]; 2],
    strands: [[0.0; LANES]; 3],
    state: [[0.0; LANES]; 2],
};

impl Chunk {
    fn tune(&mut self, lane: usize, AnsweringMode { mode, driven, heard, strands }: AnsweringMode, h: f64) {
        let omega = TAU * mode.heard_frequency();
        let ((sin, cos), decay) = ((omega * h).sin_cos(), (-mode.sigma * h).exp());
        (self.factor[0][lane], self.factor[1][lane]) = (decay * cos, decay * sin);
        self.driven[lane] = driven;
        (self.heard[0][lane], self.heard[1][lane]) = (heard[0], heard[1]);
        let softness = if omega > 0.0 { 1.0 / omega } else { 0.0 };
        let weights = [strands * softness, strands, -strands * mode.sigma * softness];
        self.strands.iter_mut().zip(weights).for_each(|(lanes, weight)| lanes[lane] = weight);
    }
}

/// Modes that sound drives.
#[derive(Clone, Debug)]
pub struct AnsweringModes {
    chunks: Vec<Chunk>,
}

impl AnsweringModes {
    /// Room for `modes` modes; the only allocation.
    pub fn with_capacity(modes: usize) -> Self {
        Self { chunks: Vec::with_capacity(modes.div_ceil(LANES)) }
    }

    /// Takes `modes` with samples of `h` [s]; those for which there is no room are left out. Modes that were there before keep their motion.
    pub fn set(&mut self, modes: impl Iterator<Item = AnsweringMode>, h: f64) {
        let mut count: usize = 0;
        for (i, mode) in modes.enumerate().take(self.chunks.capacity() * LANES) {
            if i / LANES == self.chunks.len() {
                self.chunks.push(EMPTY);
            }
            self.chunks[i / LANES].tune(i % LANES, mode, h);
            count = i + 1;
        }
        self.chunks.truncate(count.div_ceil(LANES));
        if let Some(last) = self.chunks.last_mut() {
            let [c, d] = &mut last.state;
            for lane in (count - 1) % LANES + 1..LANES {
                (last.driven[lane], c[lane], d[lane]) = (0.0, 0.0, 0.0);
            }
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

    /// One control block of the sound `sound`, in which the state takes the factor `decay` in every frame. The sound at both pickups.
    pub fn answer(&mut self, sound: &[f64; CONTROL_BLOCK], decay: f64) -> [[f64; 2]; CONTROL_BLOCK] {
        let mut sums = [[[0.0; SUMS]; 2]; CONTROL_BLOCK];
        step_chunks(&mut self.chunks, sound, decay, &mut sums);
        sums.map(|sums| sums.map(|sum| fold(&sum)))
    }

    /// The same with the displacement [m] and velocity [m/s] under the strands after every frame.
    pub fn answer_with_motion(
        &mut self,
        sound: &[f64; CONTROL_BLOCK],
        decay: f64,
    ) -> ([[f64; 2]; CONTROL_BLOCK], [[f64; 2]; CONTROL_BLOCK]) {
        let mut sums = [[[0.0; SUMS]; 4]; CONTROL_BLOCK];
        step_chunks_with_motion(&mut self.chunks, sound, decay, &mut sums);
        let folded = sums.map(|sums| sums.map(|sum| fold(&sum)));
        (folded.map(|[left, right, ..]| [left, right]), folded.map(|[.., x, speed]| [x, speed]))
    }

    /// Largest sound at a pickup, with all modes in phase. Sets modes to rest that have died away.
    pub fn flush(&mut self) -> f64 {
        let mut sums = [0.0; 2];
        for Chunk { heard, state: [c, d], .. } in &mut self.chunks {
            for lane in 0..LANES {
                let size = c[lane].abs() + d[lane].abs();
                if size < FLOOR {
                    (c[lane], d[lane]) = (0.0, 0.0);
                }
                sums.iter_mut().zip(&*heard).for_each(|(sum, heard)| *sum += heard[lane].abs() * size);
            }
        }
        sums[0].max(sums[1])
    }
}

fn fold([a, b, c, d]: &Sums) -> f64 {
    (a + b) + (c + d)
}

/// One sample of eight modes.
#[inline(always)]
fn step(factor: &[Lanes; 2], driven: &Lanes, [c, d]: &mut [Lanes; 2], sound: f64) {
    let [cos, sin] = factor;
    for lane in 0..LANES {
        let before = c[lane];
        c[lane] = cos[lane] * before - sin[lane] * d[lane] + driven[lane] * sound;
        d[lane] = sin[lane] * before + cos[lane] * d[lane];
    }
}

/// Adds a weighted part of the state.
#[inline(always)]
fn add(sums: &mut Sums, weights: &Lanes, state: &Lanes) {
    for (lane, sum) in sums.iter_mut().enumerate() {
        *sum += weights[lane] * state[lane] + weights[lane + SUMS] * state[lane + SUMS];
    }
}

/// Number of chunks that are stepped together: each is a chain of dependent operations.
const TOGETHER: usize = if HAS_FAST_VERSIONS { 2 } else { 1 };

/// Steps all modes through a control block, and adds them to the sums of both pickups.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn step_chunks(chunks: &mut [Chunk], sound: &[f64; CONTROL_BLOCK], decay: f64, sums: &mut [[Sums; 2]; CONTROL_BLOCK]) {
    let (pairs, rest) = chunks.as_chunks_mut::<TOGETHER>();
    pairs.iter_mut().for_each(|pair| step_together(pair, sound, decay, sums));
    rest.as_chunks_mut::<1>().0.iter_mut().for_each(|chunk| step_together(chunk, sound, decay, sums));
}

/// The same for some chunks; their sum has the order of the chunks.
#[inline(always)]
fn step_together<const COUNT: usize>(
    chunks: &mut [Chunk; COUNT],
    sound: &[f64; CONTROL_BLOCK],
    decay: f64,
    sums: &mut [[Sums; 2]; CONTROL_BLOCK],
) {
    let mut states = chunks.each_ref().map(|chunk| chunk.state);
    let factors = chunks.each_ref().map(|chunk| chunk.factor.map(|part| part.map(|factor| factor * decay)));
    for (&sound, heard) in sound.iter().zip(sums.iter_mut()) {
        let [mut on_left, mut on_right] = *heard;
        for ((now, factor), Chunk { driven, heard: [left, right], .. }) in states.iter_mut().zip(&factors).zip(&*chunks) {
            step(factor, driven, now, sound);
            add(&mut on_left, left, &now[0]);
            add(&mut on_right, right, &now[0]);
        }
        *heard = [on_left, on_right];
    }
    chunks.iter_mut().zip(states).for_each(|(chunk, state)| chunk.state = state);
}

/// The same with the motion under the strands.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn step_chunks_with_motion(
    chunks: &mut [Chunk],
    sound: &[f64; CONTROL_BLOCK],
    decay: f64,
    sums: &mut [[Sums; 4]; CONTROL_BLOCK],
) {
    for Chunk { factor, driven, heard: [left, right], strands: [place, by_c, by_d], state } in chunks {
        let (factor, mut now) = (factor.map(|part| part.map(|factor| factor * decay)), *state);
        for (&sound, [on_left, on_right, x, speed]) in sound.iter().zip(sums.iter_mut()) {
            step(&factor, driven, &mut now, sound);
            add(on_left, left, &now[0]);
            add(on_right, right, &now[0]);
            add(x, place, &now[1]);
            add(speed, by_c, &now[0]);
            add(speed, by_d, &now[1]);
        }
        *state = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 1.0 / 48e3;

    fn modes(list: &[AnsweringMode]) -> AnsweringModes {
        let mut modes = AnsweringModes::with_capacity(list.len());
        modes.set(list.iter().copied(), H);
        modes
    }

    /// A tone at the frequency of a mode and with its decay makes it swing as A t exp(-sigma t) a/2h, the closed form of both in resonance.
    #[test]
    fn a_tone_in_resonance_rises_and_falls_as_its_closed_form() {
        let (frequency, sigma, driven) = (440.0, 3.0, 2e-6);
        let mode = AnsweringMode { mode: Mode::heard_at(frequency, sigma), driven, heard: [1.0, -0.5], strands: 0.25 };
        let mut one = modes(&[mode]);
        let mut worst = 0.0_f64;
        for block in 0..1500 {
            let time = |n: usize| (block * CONTROL_BLOCK + n) as f64 * H;
            let sound = std::array::from_fn(|n| (-sigma * time(n)).exp() * (TAU * frequency * time(n)).cos());
            let (heard, motion) = one.answer_with_motion(&sound, 1.0);
            for (n, ([left, right], [x, speed])) in heard.into_iter().zip(motion).enumerate() {
                let (t, omega) = (time(n), TAU * frequency);
                let envelope = 0.5 * driven / H * (-sigma * t).exp();
                // the sum of the samples up to this one: the resonant part, and the part at twice the frequency
                let (c, d) = (envelope * t * (omega * t).cos(), envelope * (t * (omega * t).sin()));
                worst = worst.max((left - c).abs()).max((x - 0.25 * d / omega).abs() * omega);
                assert!((right + 0.5 * left).abs() < 1e-15);
                assert!((speed - 0.25 * (left - sigma / omega * (x * omega / 0.25))).abs() < 1e-12);
            }
        }
        // the rest is the part at twice the frequency, 1/(2 omega) against 1/(e sigma), and half a sample
        let largest = 0.5 * driven / H / (std::f64::consts::E * sigma);
        println!("{:.2e} of the largest", worst / largest);
        assert!(worst < 4e-3 * largest, "{:e}", worst / largest);
    }

    /// New weights and frequencies keep the motion; modes that are left out and the rest of the last eight do not sound.
    #[test]
    fn tuned_modes_keep_their_motion() {
        let mode = |f: f64| AnsweringMode { mode: Mode::heard_at(f, 0.0), driven: 1.0, heard: [1.0, 0.0], strands: 0.0 };
        let list: Vec<_> = (1..=11).map(|n| mode(100.0 * f64::from(n))).collect();
        let mut all = modes(&list);
        all.answer(&[1.0; CONTROL_BLOCK], 1.0);
        let before = all.flush();
        all.set(list.iter().copied(), H);
        assert_eq!(all.flush(), before);
        all.set(list[..3].iter().copied(), H);
        assert_eq!(all.padded(), LANES);
        all.set(list.iter().copied(), H);
        assert!(all.flush() < before, "modes that were left out begin at rest");
        let room = all.chunks.capacity() * LANES;
        all.set((0..1_000).map(|_| mode(440.0)), H);
        assert_eq!(all.padded(), room);
        all.rest();
        assert_eq!((all.flush(), all.answer(&[0.0; CONTROL_BLOCK], 1.0)), (0.0, [[0.0; 2]; CONTROL_BLOCK]));
    }

    /// The motion under the strands does not change the sound.
    #[test]
    fn both_ways_to_step_give_the_same_bits() {
        let list: Vec<_> = (1..=11)
            .map(f64::from)
            .map(|n| AnsweringMode { mode: Mode::heard_at(90.0 * n, n), driven: 1.0 / n, heard: [0.3, n], strands: 0.2 })
            .collect();
        let (mut plain, mut moving) = (modes(&list), modes(&list));
        for block in 0..50 {
            let sound = std::array::from_fn(|n| ((block * 16 + n) as f64).sin());
            assert_eq!(plain.answer(&sound, 0.999), moving.answer_with_motion(&sound, 0.999).0);
        }
    }
}
