//! Rendering of modes that exchange energy between bands, several steps of the exchange at once.
//!
//! ```text
//! left, right += g_b(t) sum of the band        g_b(t)^2 changes linearly over each step
//! ```
//!
//! The states at the ends of the steps are known, with the factors of their bands; the sound takes the factors gradually: what the modes of a band sum to
//! is multiplied once.

use std::ops::Range;

#[cfg(feature = "simd")]
use multiversion::target::target_cfg_f;

use crate::block::CONTROL_BLOCK;
use crate::voice::cascade_steps::CascadeSteps;
use crate::voice::cluster_sound::ClusterMoments;
use crate::voice::mode_rendering::{StateCourse, Stretch, render};
use crate::voice::mode_tables::{EMPTY, Sums, multiply_add};
use crate::voice::resonator_bank::{FRAMES, PAIRS, ResonatorBank};
use crate::voice::step_power::{LANES, PAIR};
use crate::voice::step_states::{State, StepStates};
use urto_physics::modal::{BandExchange, MAX_BANDS};

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

/// Adds the sound of all modes over the frames of `steps`, in which `bands` exchange energy; modes in no band keep theirs. The body is in
/// `state`, and in those of `states` after the steps.
pub fn render_bands(
    resonators: &mut ResonatorBank,
    (bands, steps): (&BandExchange, &CascadeSteps),
    (state, states): (State, &StepStates),
    out: &mut [[f32; FRAMES]; 2],
) {
    let frames = steps.frames();
    out.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
    let mut after = [None; PAIRS];
    for (number, (run, _)) in steps.iter().enumerate() {
        if run.end < frames {
            after[run.end / PAIR_FRAMES - 1] = Some(states.after(number));
        }
    }
    let mut factors = [1.0; FRAMES];
    let mut moments = ClusterMoments::EMPTY;
    let mut sums = [EMPTY; PAIRS];
    let sums = &mut sums[..frames.div_ceil(PAIR_FRAMES)];
    let mut add = |chunks: Range<usize>, band: usize| {
        if chunks.is_empty() {
            return;
        }
        set_factors(&mut factors, steps, band);
        let stretch = Stretch { chunks: resonators.audible(chunks), course: StateCourse::Steps { after: &after } };
        if frames < PAIR_FRAMES {
            render_block(resonators, stretch, state, &mut moments, sums);
        } else {
            render_pairs(resonators, stretch, state, &mut moments, sums);
        }
        add_sums(sums, &factors, out);
    };
    let mut end = 0;
    for (number, band) in bands.bands().enumerate() {
        // suspensions share a chunk with the first or last band, and have no weight at the pickups
        add(band.start / LANES..band.end.div_ceil(LANES), number);
        end = band.end.div_ceil(LANES);
    }
    add(end..usize::MAX, MAX_BANDS);
}

/// Sets the factors of the sound in every frame to those of band number `band`.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn set_factors(factors: &mut [f32; FRAMES], steps: &CascadeSteps, band: usize) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        set_course::<true>(factors, steps, band);
    } else {
        set_course::<false>(factors, steps, band);
    }
}

#[inline(always)]
fn set_course<const FUSED: bool>(factors: &mut [f32; FRAMES], steps: &CascadeSteps, band: usize) {
    for (frames, gains) in steps.iter() {
        let gain = gains.get(band).copied().unwrap_or(1.0);
        let change = (gain * gain - 1.0) as f32;
        let rise = change / frames.len() as f32;
        let ramp = factors[frames].iter_mut().zip(&NUMBERS);
        if change.abs() < SMALL_CHANGE {
            ramp.for_each(|(ramp, number)| *ramp = root_near_one::<FUSED>(number * rise));
        } else {
            ramp.for_each(|(ramp, number)| *ramp = multiply_add::<FUSED>(*number, rise, 1.0).max(0.0).sqrt());
        }
    }
}

/// sqrt(1 + x) for small x, by its series: 1e-10 at [`SMALL_CHANGE`].
#[inline(always)]
fn root_near_one<const FUSED: bool>(x: f32) -> f32 {
    [0.0625, -0.125, 0.5, 1.0].into_iter().fold(-0.039_062_5, |sum, term| multiply_add::<FUSED>(x, sum, term))
}

/// Renders one control block.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_block(resonators: &mut ResonatorBank, stretch: Stretch, state: State, moments: &mut ClusterMoments, sums: &mut [Sums]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<2, true, true>(resonators.modes(), stretch, state, moments, sums);
    } else {
        render::<2, false, true>(resonators.modes(), stretch, state, moments, sums);
    }
}

/// Renders as many pairs of control blocks as there are sums.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn render_pairs(resonators: &mut ResonatorBank, stretch: Stretch, state: State, moments: &mut ClusterMoments, sums: &mut [Sums]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        render::<4, true, true>(resonators.modes(), stretch, state, moments, sums);
    } else {
        render::<4, false, true>(resonators.modes(), stretch, state, moments, sums);
    }
}

/// Adds the sums of a band times its factors to both channels, and clears them.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn add_sums(sums: &mut [Sums], factors: &[f32; FRAMES], out: &mut [[f32; FRAMES]; 2]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        add_products::<true>(sums, factors, out);
    } else {
        add_products::<false>(sums, factors, out);
    }
}

#[inline(always)]
fn add_products<const FUSED: bool>(sums: &mut [Sums], factors: &[f32; FRAMES], [left, right]: &mut [[f32; FRAMES]; 2]) {
    let (left, right) = (left.as_chunks_mut::<LANES>().0, right.as_chunks_mut::<LANES>().0);
    let sums = sums.as_flattened_mut().iter_mut().zip(factors.as_chunks::<LANES>().0);
    for (([on_left, on_right], factor), (left, right)) in sums.zip(left.iter_mut().zip(right)) {
        for k in 0..LANES {
            left[k] = multiply_add::<FUSED>(factor[k], on_left[k], left[k]);
        }
        for k in 0..LANES {
            right[k] = multiply_add::<FUSED>(factor[k], on_right[k], right[k]);
        }
        (*on_left, *on_right) = ([0.0; LANES], [0.0; LANES]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::midi::Rng;
    use crate::voice::StepScratch;
    use crate::voice::cascade::VoiceCascade;
    use crate::voice::hammer::capacity;
    use std::f64::consts::TAU;
    use urto_physics::modal::{CascadeLaw, Mode};
    use urto_physics::solver::Collision;

    const RATE: f64 = 48e3;
    const MODES: usize = 300;

    /// The left pickup and the final displacements of a plate that moves by its thickness, rendered in parts of `blocks` control blocks from
    /// control block number `start` on.
    fn rendered(start: u64, blocks: &[usize]) -> (Vec<f32>, Vec<f64>) {
        let mut collision = Collision::new(RATE, capacity(MODES));
        let omega = |i: usize| TAU * 60.0 * (i + 2) as f64;
        collision.set_body((0..MODES).map(|i| Mode { omega: omega(i), sigma: 2.0 + 0.02 * i as f64 }));
        let (mut cascade, mut scratch) = (VoiceCascade::new(MODES, RATE), StepScratch::new(MODES));
        cascade.set_law(Some(CascadeLaw { strength: 16.0, thickness: 0.9e-3, mass: 1.3 }));
        cascade.set_part(0..MODES);
        let mut rng = Rng::seeded(5);
        let (table, q, v) = collision.ring_parts();
        let padded = q.len();
        let mut resonators = ResonatorBank::new(padded);
        resonators.tune(table);
        let [left, right] = [0; 2].map(|_| (0..padded).map(|_| rng.bipolar() as f32).collect::<Vec<_>>());
        resonators.set_weights(left.into_iter(), right.into_iter());
        for i in 0..MODES {
            let speed = 0.3 / (1.0 + 0.05 * i as f64);
            (q[i], v[i]) = (speed * rng.bipolar() / omega(i), speed * rng.bipolar());
        }
        let (mut sound, mut frame) = (Vec::new(), start * CONTROL_BLOCK as u64);
        for &blocks in blocks {
            cascade.begin_block(frame);
            assert!(cascade.plan(blocks, 1.0, &mut collision, &mut resonators, &mut scratch), "energy is exchanged");
            let (_, q, v) = collision.ring_parts();
            let state = (q.as_chunks().0, v.as_chunks().0);
            let mut out = [[0.0; FRAMES]; 2];
            render_bands(&mut resonators, (cascade.bands(), cascade.steps()), (state, &scratch.states), &mut out);
            collision.exchange_state(resonators.state_after());
            frame += (blocks * CONTROL_BLOCK) as u64;
            sound.extend_from_slice(&out[0][..blocks * CONTROL_BLOCK]);
        }
        (sound, collision.ring_parts().1.to_vec())
    }

    #[test]
    fn steps_at_once_sound_as_one_after_another() {
        let peak = |sound: &[f32]| sound.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
        let cases = [(0, &[4; 8][..], &[32][..]), (0, &[4; 8], &[4, 28]), (2, &[2, 4, 4, 4, 4, 4, 4, 4], &[30])];
        for (start, one_after_another, at_once) in cases {
            let [(sound, state), (other, other_state)] = [one_after_another, at_once].map(|blocks| rendered(start, blocks));
            let apart: Vec<f32> = sound.iter().zip(&other).map(|(a, b)| a - b).collect();
            let error = peak(&apart) / peak(&sound);
            let size = state.iter().map(|q| q.abs()).fold(0.0, f64::max);
            let moved = state.iter().zip(&other_state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size;
            println!("{at_once:?}: sound {error:e}, state {moved:e}");
            assert!(sound.len() == other.len() && error < 1e-6 && moved < 1e-12, "{at_once:?}: {error:e} {moved:e}");
        }
    }
}
