//! The sound of a cluster of modes: moments of their amplitudes, and the frames that follow from these.
//!
//! Functions with run-time dispatch are inlined, as the caller knows the processor; without it, once each, since the module of the browser is small.

use crate::voice::mode_clusters::{Cluster, HALF, HALF_FRAMES, HALF_WIDTH};
use crate::voice::mode_tables::{GROUP, Lanes, ORDERS, Tables, multiply_add};
use crate::voice::step_power::{Eight, LANES};
use std::hint::black_box;

/// Most states whose moments are kept at once.
pub(super) const MOST_STATES: usize = 4;

/// f_j in the frames of the second half: 0.5 to 31.5 frames from the middle. Those of the first half are the same, with the other sign for odd j.
static POLYNOMIALS: [[Lanes; HALF]; ORDERS] = polynomials();

/// The Bessel function of the first kind of order `n`, for |x| up to 2.
const fn bessel(n: usize, x: f64) -> f64 {
    let (mut term, mut i) = (1.0, 1);
    while i <= n {
        term *= 0.5 * x / i as f64;
        i += 1;
    }
    let (mut sum, mut m) = (0.0, 1);
    while m < 16 {
        sum += term;
        term *= -0.25 * x * x / (m * (m + n)) as f64;
        m += 1;
    }
    sum
}

/// e^(i x u) = sum_n (2 - [n = 0]) i^n J_n(x) T_n(u), collected by powers of i u, with x = [`HALF_WIDTH`] t/32.
const fn polynomials() -> [[Lanes; HALF]; ORDERS] {
    let mut all = [[[0.0; LANES]; HALF]; ORDERS];
    // i^n T_n as a polynomial in i u, from i^(n+1) T_(n+1) = 2 (i u) i^n T_n + i^(n-1) T_(n-1)
    let (mut below, mut chebyshev) = ([0.0; ORDERS], [0.0; ORDERS]);
    chebyshev[0] = 1.0;
    let mut sums = [[0.0; HALF_FRAMES]; ORDERS];
    let mut n = 0;
    while n < ORDERS {
        let mut frame = 0;
        while frame < HALF_FRAMES {
            let amount = bessel(n, HALF_WIDTH * (frame as f64 + 0.5) / HALF_FRAMES as f64) * if n == 0 { 1.0 } else { 2.0 };
            let mut j = 0;
            while j < ORDERS {
                sums[j][frame] += amount * chebyshev[j];
                j += 1;
            }
            frame += 1;
        }
        let mut next = [0.0; ORDERS];
        let mut j = 0;
        while j < ORDERS {
            let from_last = if j == 0 { 0.0 } else { chebyshev[j - 1] };
            next[j] = if n == 0 { from_last } else { 2.0 * from_last + below[j] };
            j += 1;
        }
        (below, chebyshev) = (chebyshev, next);
        n += 1;
    }
    let (mut j, mut scale) = (0, 1.0);
    while j < ORDERS {
        let mut frame = 0;
        while frame < HALF_FRAMES {
            all[j][frame / LANES][frame % LANES] = (sums[j][frame] / scale) as f32;
            frame += 1;
        }
        scale *= HALF_WIDTH;
        j += 1;
    }
    all
}

/// Moments of all orders at the left pickup, real and imaginary, then at the right.
type Moments = [Lanes; 4];

/// The moments of several states of a cluster.
pub(super) struct ClusterMoments {
    moments: [Moments; MOST_STATES],
    /// Amplitudes of the modes at both pickups, real and imaginary.
    amplitudes: [[Lanes; 4]; GROUP],
}

impl ClusterMoments {
    pub(super) const EMPTY: Self = Self { moments: [[[0.0; LANES]; 4]; MOST_STATES], amplitudes: [[[0.0; LANES]; 4]; GROUP] };

    /// Adds to `frames`, groups of eight, the frames of the modes of `cluster` that follow from state number `state`: at most eight groups, and at
    /// most `HALF - FIRST_HALF` if that is not 0.
    #[cfg_attr(feature = "simd", inline(always))]
    #[cfg_attr(not(feature = "simd"), inline(never))]
    pub(super) fn add_frames<const FUSED: bool, const FIRST_HALF: usize>(
        &self,
        cluster: &Cluster,
        state: usize,
        frames: &mut [[Lanes; 2]],
    ) {
        let mut all = [[[0.0; LANES]; 2]; 2 * HALF];
        for (channel, moments) in self.moments[state].as_chunks().0.iter().enumerate() {
            let (even, odd) = (series::<FUSED, 0, FIRST_HALF>(moments), series::<FUSED, 1, FIRST_HALF>(moments));
            for half in FIRST_HALF..HALF {
                let [cos, sin] = &cluster.carrier[half];
                let ([even_re, even_im], [odd_re, odd_im]) = (&even[half], &odd[half]);
                let alike: Lanes = std::array::from_fn(|k| multiply_add::<FUSED>(even_re[k], cos[k], -odd_im[k] * sin[k]));
                let opposite: Lanes = std::array::from_fn(|k| multiply_add::<FUSED>(odd_re[k], cos[k], -even_im[k] * sin[k]));
                all[HALF - 1 - half][channel] = std::array::from_fn(|k| alike[LANES - 1 - k] - opposite[LANES - 1 - k]);
                all[HALF + half][channel] = std::array::from_fn(|k| alike[k] + opposite[k]);
            }
        }
        for (frames, all) in frames.as_flattened_mut().iter_mut().zip(all.as_flattened()) {
            for k in 0..LANES {
                frames[k] += all[k];
            }
        }
    }

    /// Sets the moments of state number `state`, displacements and velocities: in the middle of the frames that follow from it.
    #[cfg_attr(feature = "simd", inline(always))]
    #[cfg_attr(not(feature = "simd"), inline(never))]
    pub(super) fn set<const FUSED: bool>(&mut self, modes: ClusterModes, (q, v): (&[Eight], &[Eight]), state: usize) {
        let weights = modes.units.iter().zip(modes.ratios);
        let states = q.iter().zip(v);
        for ((([from_q, from_v], (unit, ratio)), (q, v)), amplitudes) in
            modes.phases.iter().zip(weights).zip(states).zip(&mut self.amplitudes)
        {
            let q: Lanes = std::array::from_fn(|i| q[i] as f32 * unit[i]);
            let re: Lanes = std::array::from_fn(|i| v[i] as f32 * unit[i]);
            let im: Lanes = std::array::from_fn(|i| multiply_add::<FUSED>(from_q[i], q[i], from_v[i] * re[i]));
            let right_re = std::array::from_fn(|i| ratio[i] * re[i]);
            let right_im = std::array::from_fn(|i| ratio[i] * im[i]);
            *amplitudes = [re, im, right_re, right_im];
        }
        let mut sums = [[0.0; LANES]; 8];
        // opaque: otherwise the compiler takes single lanes from registers instead of from memory
        for (tables, amplitudes) in modes.tables.iter().zip(black_box(&self.amplitudes)) {
            for (i, [power_re, power_im]) in tables.0.iter().enumerate() {
                for part in 0..4 {
                    let amplitude = amplitudes[part][i];
                    for k in 0..LANES {
                        sums[2 * part][k] = multiply_add::<FUSED>(amplitude, power_re[k], sums[2 * part][k]);
                    }
                    for k in 0..LANES {
                        sums[2 * part + 1][k] = multiply_add::<FUSED>(amplitude, power_im[k], sums[2 * part + 1][k]);
                    }
                }
            }
        }
        for (channel, sums) in sums.as_chunks::<4>().0.iter().enumerate() {
            let [re_re, re_im, im_re, im_im] = sums;
            self.moments[state][2 * channel] = std::array::from_fn(|k| re_re[k] - im_im[k]);
            self.moments[state][2 * channel + 1] = std::array::from_fn(|k| re_im[k] + im_re[k]);
        }
    }
}

/// Modes of a cluster, eight side by side.
#[derive(Clone, Copy)]
pub(super) struct ClusterModes<'a> {
    /// Powers of their offsets from the carrier.
    pub tables: &'a [Tables],
    /// The imaginary part of their amplitudes from displacement and from velocity.
    pub phases: &'a [[Lanes; 2]],
    /// Weights of the left pickup, and of the right over the left.
    pub units: &'a [Lanes],
    pub ratios: &'a [Lanes],
}

/// Sums of the moments times their polynomials, real and imaginary parts, in the frames of one half: those of even or of odd order.
#[inline(always)]
fn series<const FUSED: bool, const FIRST: usize, const FIRST_HALF: usize>([real, imaginary]: &[Lanes; 2]) -> [[Lanes; 2]; HALF] {
    let mut sums = [[[0.0; LANES]; 2]; HALF];
    let mut order = FIRST;
    while order < ORDERS {
        let (re, im) = (real[order], imaginary[order]);
        for half in FIRST_HALF..HALF {
            let polynomial = &POLYNOMIALS[order][half];
            for k in 0..LANES {
                sums[half][0][k] = multiply_add::<FUSED>(polynomial[k], re, sums[half][0][k]);
            }
            for k in 0..LANES {
                sums[half][1][k] = multiply_add::<FUSED>(polynomial[k], im, sums[half][1][k]);
            }
        }
        order += 2;
    }
    sums
}
