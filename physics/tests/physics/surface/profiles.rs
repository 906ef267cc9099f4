//! Roughness profiles: heights and spectrum.

use urto_fourier::spectrum;
use urto_physics::surface::{Roughness, Surface, SurfaceProfile};

/// Heights at so many places, `step` [m] apart.
fn heights(seed: u64, roughness: Roughness, track: Option<&SurfaceProfile>, step: f64, places: usize) -> Vec<f64> {
    let mut surface = Surface::new(seed);
    (0..places).map(|_| surface.advance(&roughness, track, step, 0.0)).collect()
}

fn rms(heights: &[f64]) -> f64 {
    (heights.iter().map(|h| h * h).sum::<f64>() / heights.len() as f64).sqrt()
}

/// Power density over the wave number, in octaves from `first` [1/m] on, at places `step` [m] apart.
fn octaves(heights: &[f64], step: f64, first: f64, count: usize) -> Vec<f64> {
    const WINDOW: usize = 1 << 15;
    let mut density = vec![0.0; count];
    for part in heights.chunks_exact(WINDOW) {
        let hann = |i: usize| (std::f64::consts::PI * i as f64 / WINDOW as f64).sin().powi(2);
        let window: Vec<f64> = part.iter().enumerate().map(|(i, h)| h * hann(i)).collect();
        let lines = spectrum(&window);
        for (octave, density) in density.iter_mut().enumerate() {
            let bin = |k: f64| (k * step * WINDOW as f64).round() as usize;
            let bins = bin(first * 2f64.powi(octave as i32))..bin(first * 2f64.powi(octave as i32 + 1));
            let n = bins.len() as f64;
            *density += bins.map(|k| lines[k].norm_sqr()).sum::<f64>() / n;
        }
    }
    density
}

#[test]
fn a_rough_surface_has_its_spectral_slope_and_unit_rms() {
    let (grain, longest, step) = (50e-6, 20e-3, 6.25e-6);
    for slope in [0.0, 1.0, 2.0, 3.0] {
        let roughness = Roughness::Rough { slope, grain, longest };
        let heights = heights(3, roughness, None, step, 1 << 20);
        assert!((rms(&heights) - 1.0).abs() < 0.1, "slope {slope}: {}", rms(&heights));
        let density = octaves(&heights, step, 2.0 / longest, 7);
        let falls: Vec<f64> = density.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
        println!("slope {slope}: {falls:.2?} an octave");
        let (first, last) = (density[0], density[6]);
        let mean = (first / last).log2() / 6.0;
        assert!((mean - slope).abs() < 0.25, "slope {slope}: {mean}");
        assert!(falls.iter().all(|fall| (fall - slope).abs() < 1.0), "without seams: {falls:?}");
    }
}

#[test]
fn the_seed_determines_the_surface() {
    let roughness = Roughness::Rough { slope: 2.0, grain: 50e-6, longest: 20e-3 };
    let of = |seed| heights(seed, roughness, None, 1e-5, 1_000);
    assert_eq!(of(4), of(4));
    let (a, b) = (of(4), of(5));
    let common = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() / (1_000.0 * rms(&a) * rms(&b));
    assert!(common.abs() < 0.7, "{common}");
}

/// Wavelengths shorter than two steps would alias.
#[test]
fn wavelengths_below_the_limit_fade_out() {
    let roughness = Roughness::Rough { slope: 2.0, grain: 50e-6, longest: 20e-3 };
    let step = 100e-6;
    let highest_octave = |shortest: f64| {
        let mut surface = Surface::new(1);
        let heights: Vec<f64> = (0..1 << 17).map(|_| surface.advance(&roughness, None, step, shortest)).collect();
        let density = octaves(&heights, step, 0.5 / step / 8.0, 3);
        density[2] / density[1]
    };
    let (faded, folded) = (highest_octave(2.5 * step), highest_octave(0.0));
    println!("the highest octave over the one below {faded}, with what folds back {folded}");
    assert!(faded < 0.15 && folded > 0.25, "{faded} {folded}");
    let mut ribs = Surface::new(1);
    assert!((0..100).all(|_| ribs.advance(&Roughness::Ribs(50e-6), None, step, 2.5 * step) == 0.0));
}

#[test]
fn ribs_have_their_spacing() {
    let heights = heights(1, Roughness::Ribs(1e-3), None, 1e-5, 100_000);
    assert!((rms(&heights) - 1.0).abs() < 1e-3);
    let ups = heights.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    assert!((999..=1_001).contains(&ups), "{ups} ribs in a metre");
}

/// A profile that climbs from end to end goes round without a step, and holds what was recorded.
#[test]
fn a_recorded_profile_repeats_without_a_step() {
    let recorded: Vec<f32> = (0..4_800).map(|i| 0.01 * i as f32 + (std::f32::consts::TAU * i as f32 / 96.0).sin()).collect();
    let track = SurfaceProfile::new(&recorded).expect("its heights differ");
    let (length, step) = (0.48, 1e-4);
    let heights = heights(1, Roughness::Recorded(length), Some(&track), step, 3 * 4_800);
    assert!((rms(&heights) - 1.0).abs() < 1e-2);
    let largest = heights.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    assert!(largest < 1.2 * 2f64.sqrt() * std::f64::consts::TAU / 96.0, "a step of {largest}");
    let again = heights[..4_800].iter().zip(&heights[4_800..]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(again < 1e-3, "round after round differs by {again}");
    // at a hundred times the speed only the means over more than a wave are left
    let mut surface = Surface::new(1);
    let fast: Vec<f64> = (0..1_000).map(|_| surface.advance(&Roughness::Recorded(length), Some(&track), 1e-2, 2.5e-2)).collect();
    assert!(rms(&fast) < 0.25, "{}", rms(&fast));
    assert!(
        SurfaceProfile::new(&[0.5; 100]).is_none()
            && SurfaceProfile::new(&[]).is_none()
            && SurfaceProfile::new(&[f32::NAN, 1.0]).is_none()
    );
}
