//! Rendering of modes that exchange energy between bands, several steps of the exchange at once.
//!
//! ```text
//! left, right += g_b(t) sum of the band        g_b(t)^2 changes linearly over each step
//! ```
//!
//! The state takes the factor of a step at its end, the sound gradually: what the modes of a band sum to is multiplied once.

use std::ops::Range;

#[cfg(feature = "simd")]
use multiversion::target::target_cfg_f;

use crate::block::CONTROL_BLOCK;
use crate::voice::cascade_steps::CascadeSteps;
use crate::voice::resonator_bank::{EMPTY, FRAMES, PAIRS, ResonatorBank, State, Stretch, Sums, render};
use crate::voice::step_power::{LANES, PAIR};
use urto_physics::modal::{BandExchange, MAX_BANDS, PhaseReversal};

/// Without run-time dispatch the target of the build decides.
#[cfg(not(feature = "simd"))]
macro_rules! target_cfg_f {
    ($condition:meta) => {
        cfg!($condition)
    };
}

/// Frames of the sums of a pair of control blocks.
const PAIR_FRAMES: usize = PAIR * CONTROL_BLOCK;

/// Numbers of the frames of a rendering, from 1.
const NUMBERS: [f32; FRAMES] = {
    let (mut numbers, mut i) = ([0.0; FRAMES], 0);
    while i < FRAMES {
        numbers[i] = (i + 1) as f32;
        i += 1;
    }
    numbers
};

/// Largest change of an energy over a step up to which the root of its course is a series.
const SMALL_CHANGE: f32 = 0.02;

/// Factors of one band over a rendering.
struct BandFactors {
    /// Of the state, after each pair of control blocks.
    state: [f64; PAIRS],
    /// Reversals of its modes after each pair of control blocks.
    reversals: [PhaseReversal; PAIRS],
    /// Of the sound in every frame.
    sound: [f32; FRAMES],
}

/// Adds the sound of all modes over the frames of `steps`, in which `bands` exchange energy; modes in no band keep theirs.
pub fn render_bands(
    resonators: &mut ResonatorBank,
    (bands, steps): (&BandExchange, &CascadeSteps),
    (q, v): (&[f64], &[f64]),
    out: &mut [[f32; FRAMES]; 2],
) {
    let state = (q.as_chunks().0, v.as_chunks().0);
    let frames = steps.frames();
    out.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
    let mut factors = BandFactors { state: [1.0; PAIRS], reversals: [PhaseReversal::default(); PAIRS], sound: [1.0; FRAMES] };
    let mut sums = [EMPTY; PAIRS];
    let sums = &mut sums[..frames.div_ceil(PAIR_FRAMES)];
    let mut add = |chunks: Range<usize>, band: usize| {
        if chunks.is_empty() {
            return;
        }
        set_factors(&mut factors, steps, band);
        let stretch = Stretch { chunks: resonators.audible(chunks), factors: &factors.state, reversals: &factors.reversals };
        if frames < PAIR_FRAMES {
            render_block(resonators, stretch, state, sums);
        } else {
            render_pairs(resonators, stretch, state, sums);
        }
        add_sums(sums, &factors.sound, out);
    };
    let mut end = 0;
    for (number, band) in bands.bands().enumerate() {
        // suspensions share a chunk with the first or last band, and have no weight at the pickups
        add(band.start / LANES..band.end.div_ceil(LANES), number);
        end = band.end.div_ceil(LANES);
    }
    add(end..usize::MAX, MAX_BANDS);
}

/// Sets the factors to those of band number `band`.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn set_factors(factors: &mut BandFactors, steps: &CascadeSteps, band: usize) {
    for (frames, gains, reversals) in steps.iter() {
        let gain = gains.get(band).copied().unwrap_or(1.0);
        let last = frames.end.div_ceil(PAIR_FRAMES) - 1;
        factors.state[last] = gain;
        factors.reversals[last] = reversals.of_band(band);
        let change = (gain * gain - 1.0) as f32;
        let rise = change / frames.len() as f32;
        let ramp = factors.sound[frames].iter_mut().zip(&NUMBERS);
        if change.abs() < SMALL_CHANGE {
            ramp.for_each(|(ramp, number)| *ramp = root_near_one(number * rise));
        } else {
            ramp.for_each(|(ramp, number)| *ramp = (1.0 + number * rise).max(0.0).sqrt());
        }
    }
}

/// sqrt(1 + x) for small x, by its series: 1e-10 at [`SMALL_CHANGE`].
#[inline(always)]
fn root_near_one(x: f32) -> f32 {
    1.0 + x * (0.5 - x * (0.125 - x * (0.0625 - x * 0.039_062_5)))
}

/// Renders one control block.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_block(resonators: &mut ResonatorBank, stretch: Stretch, state: State, sums: &mut [Sums<4>]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<2, true, true>(resonators, stretch, state, sums);
    } else {
        render::<2, false, true>(resonators, stretch, state, sums);
    }
}

/// Renders as many pairs of control blocks as there are sums.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_pairs(resonators: &mut ResonatorBank, stretch: Stretch, state: State, sums: &mut [Sums<4>]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<4, true, true>(resonators, stretch, state, sums);
    } else {
        render::<4, false, true>(resonators, stretch, state, sums);
    }
}

/// Adds the sums of a band times its factors to both channels, and clears them.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn add_sums(sums: &mut [Sums<4>], factors: &[f32; FRAMES], [left, right]: &mut [[f32; FRAMES]; 2]) {
    let (left, right) = (left.as_chunks_mut::<LANES>().0, right.as_chunks_mut::<LANES>().0);
    let sums = sums.as_flattened_mut().iter_mut().zip(factors.as_chunks::<LANES>().0);
    for (([on_left, on_right], factor), (left, right)) in sums.zip(left.iter_mut().zip(right)) {
        for k in 0..LANES {
            left[k] += factor[k] * on_left[k];
        }
        for k in 0..LANES {
            right[k] += factor[k] * on_right[k];
        }
        (*on_left, *on_right) = ([0.0; LANES], [0.0; LANES]);
    }
}
