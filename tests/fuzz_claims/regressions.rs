//! Inputs that once broke a claim, one test each.

use urto_engine::formats::WavFile;
use urto_physics::analysis::{Options, estimate};

/// The mean of two samples near the largest number was not finite, and its singular values were none.
#[test]
fn a_recording_at_the_largest_value_has_a_finite_mean() {
    let wave = WavFile { samples: vec![f32::MAX; 2_000], channels: 2, rate: 8_000 };
    assert!(wave.mono().iter().all(|sample| *sample == f32::MAX));
    let mut stroke: Vec<f64> = (0..1_000).map(|i| (f64::from(i) * 0.3).sin() * (-f64::from(i) * 0.004).exp()).collect();
    assert!(estimate(&stroke, 8e3, &Options::default()).is_some());
    stroke[500] = f64::INFINITY;
    assert!(estimate(&stroke, 8e3, &Options::default()).is_none());
}
