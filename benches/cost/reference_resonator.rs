//! The reference cost: a bank of biquad resonators, as in many synthesizers. All ratios refer to it.

use std::hint::black_box;

use super::measurement::{Case, RATE};

/// Samples per round.
const SAMPLES: usize = 4096;

/// Name of the figure.
pub const KEY: &str = "yardstick_64";

/// A biquad in transposed direct form II, one struct per mode.
#[derive(Clone, Copy)]
struct Biquad {
    b0: f32,
    b1: f32,
    b2: f32,
    a1: f32,
    a2: f32,
    s1: f32,
    s2: f32,
}

impl Biquad {
    /// A resonator with a frequency [Hz] and a decay rate [1/s].
    fn resonator(frequency: f32, decay: f32) -> Self {
        let (radius, angle) = ((-decay / RATE as f32).exp(), std::f32::consts::TAU * frequency / RATE as f32);
        let b0 = angle.sin() * (1.0 - radius);
        Self { b0, b1: 0.1 * b0, b2: -b0, a1: -2.0 * radius * angle.cos(), a2: radius * radius, s1: 0.0, s2: 0.0 }
    }

    fn step(&mut self, x: f32) -> f32 {
        let y = self.b0 * x + self.s1;
        self.s1 = self.b1 * x - self.a1 * y + self.s2;
        self.s2 = self.b2 * x - self.a2 * y;
        y
    }
}

/// 64 biquads summed to one output, sample by sample. White noise at the input prevents denormal numbers.
pub fn reference_resonators() -> Case {
    let mut bank: [Biquad; 64] = std::array::from_fn(|n| Biquad::resonator(110.0 * (n as f32 + 1.0), 2.0 + n as f32));
    let mut noise = 1u32;
    let mut output = vec![0.0f32; SAMPLES];
    Case::new(KEY, move |stopwatch| {
        stopwatch.lap(|| {
            for sample in &mut output {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let x = noise as f32 / u32::MAX as f32 - 0.5;
                *sample = 0.0;
                for biquad in &mut bank {
                    *sample += biquad.step(x);
                }
            }
            black_box(&output);
            SAMPLES
        });
    })
}
