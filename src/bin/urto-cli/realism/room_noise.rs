//! The noise of the simulated rooms, the same as that of the reference program, which takes it from NumPy's `default_rng(1)`.
//!
//! Other noise of the same kind changes the distance in a room by up to 0.8 dB. Sources: O'Neill, "PCG: a family of simple fast
//! space-efficient statistically good algorithms for random number generation", 2014; Marsaglia and Tsang, "The ziggurat method for
//! generating random variables", 2000, with 256 layers and 52 bits, in the order in which NumPy uses the bits.

use urto_fourier::Complex64;

/// State and increment of the generator for the seed 1.
const START: (u128, u128) =
    (207_833_532_711_051_698_738_587_646_355_624_148_094, 194_290_289_479_364_712_180_083_596_243_593_368_443);
/// Multiplier of the generator.
const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
/// Number of layers under the normal density.
const LAYERS: usize = 256;
/// Right edge of the lowest layer.
const EDGE: f64 = 3.654_152_885_361_009;
/// Area of each layer.
const AREA: f64 = 0.004_928_673_233_974_655;
/// Largest magnitude of an integer under a layer.
const FULL: f64 = (1_u64 << 52) as f64;

/// Normal random numbers.
pub struct NormalNoise {
    state: u128,
    increment: u128,
    /// Right edges of the layers and the density at them: the base with the tail, then from the narrowest to the widest.
    edges: [(f64, f64); LAYERS],
}

impl NormalNoise {
    /// The generator at its start.
    pub fn new() -> Self {
        let density = |x: f64| (-0.5 * x * x).exp();
        let mut edges = [(EDGE, density(EDGE)); LAYERS];
        for layer in (1..LAYERS - 1).rev() {
            let (edge, height) = edges[layer + 1];
            let x = (-2.0 * (AREA / edge + height).ln()).sqrt();
            edges[layer] = (x, density(x));
        }
        edges[0] = (AREA / density(EDGE), 1.0);
        Self { state: START.0, increment: START.1, edges }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        ((self.state >> 64) as u64 ^ self.state as u64).rotate_right((self.state >> 122) as u32)
    }

    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2_f64.powi(-53)
    }

    /// The next normal number.
    pub fn next(&mut self) -> f64 {
        loop {
            let bits = self.bits();
            let layer = (bits & 0xff) as usize;
            let magnitude = ((bits >> 9) & 0x000f_ffff_ffff_ffff) as f64;
            let sign = if bits >> 8 & 1 == 1 { -1.0 } else { 1.0 };
            let (edge, height) = self.edges[layer];
            let x = magnitude / FULL * edge;
            let is_inside = match layer {
                0 => x < EDGE,
                1 => false,
                _ => x < self.edges[layer - 1].0,
            };
            if is_inside {
                return sign * x;
            }
            if layer == 0 {
                loop {
                    let beyond = -(-self.uniform()).ln_1p() / EDGE;
                    let depth = -(-self.uniform()).ln_1p();
                    if 2.0 * depth > beyond * beyond {
                        let is_left = (bits >> 9) >> 8 & 1 == 1;
                        return if is_left { -(EDGE + beyond) } else { EDGE + beyond };
                    }
                }
            }
            if (self.edges[layer - 1].1 - height) * self.uniform() + height < (-0.5 * x * x).exp() {
                return sign * x;
            }
        }
    }
}

/// A Butterworth band pass of second order, by the bilinear transform: two sections one after the other.
pub struct BandPass {
    gain: f64,
    /// The last two feedback coefficients of each section.
    sections: [[f64; 2]; 2],
}

impl BandPass {
    /// A band pass from `low` to `high` [Hz] at `rate` [Hz].
    pub fn new(low: f64, high: f64, rate: f64) -> Self {
        let warped = |hertz: f64| 4.0 * (std::f64::consts::PI * hertz / rate).tan();
        let (low, high) = (warped(low), warped(high));
        let pole = Complex64::from_polar(0.5 * (high - low), 0.75 * std::f64::consts::PI);
        let root = (pole * pole - low * high).sqrt();
        let poles = [pole + root, pole - root];
        let section = |pole: Complex64| {
            let digital = (4.0 + pole) / (4.0 - pole);
            [-2.0 * digital.re, digital.norm_sqr()]
        };
        let loss: f64 = poles.iter().map(|pole| (4.0 - pole).norm_sqr()).product();
        Self { gain: 16.0 * (high - low).powi(2) / loss, sections: poles.map(section) }
    }

    /// `signal` filtered, from rest.
    pub fn filtered(&self, signal: &[f64]) -> Vec<f64> {
        let mut output: Vec<f64> = signal.iter().map(|sample| sample * self.gain).collect();
        for [first, second] in self.sections {
            let (mut inputs, mut outputs) = ([0.0; 2], [0.0; 2]);
            for sample in &mut output {
                let next = *sample - inputs[1] - first * outputs[0] - second * outputs[1];
                (inputs, outputs) = ([*sample, inputs[0]], [next, outputs[0]]);
                *sample = next;
            }
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places and numbers.
    const CHECKS: [(usize, f64); 8] = [
        (0, 0.345584192064786),
        (1, 0.8216181435011584),
        (2, 0.33043707618338714),
        (3, -1.303157231604361),
        (999, 0.27495632326711866),
        (30266, 4.406353522522504),
        (50000, -0.022150347230646374),
        (99999, 0.9684097467571625),
    ];

    /// First numbers of `numpy.random.default_rng(1).standard_normal`, and one after the tail and the wedges have been met.
    #[test]
    fn the_noise_is_that_of_the_reference_program() {
        let mut noise = NormalNoise::new();
        let numbers: Vec<f64> = (0..100_000).map(|_| noise.next()).collect();
        for (place, expected) in CHECKS {
            assert!((numbers[place] - expected).abs() < 1e-9, "{place}: {} instead of {expected}", numbers[place]);
        }
    }

    #[test]
    fn a_band_pass_lets_its_band_pass() {
        let filter = BandPass::new(1000.0, 4000.0, 44_100.0);
        for (hertz, least, most) in [(2000.0, 0.99, 1.01), (1000.0, 0.70, 0.715), (4000.0, 0.70, 0.715), (100.0, 0.0, 0.02)] {
            let sine = |n: usize| (std::f64::consts::TAU * hertz * n as f64 / 44_100.0).sin();
            let output = filter.filtered(&(0..44_100).map(sine).collect::<Vec<_>>());
            let largest = output[22_050..].iter().fold(0.0_f64, |largest, sample| largest.max(sample.abs()));
            assert!((least..=most).contains(&largest), "{hertz} Hz: {largest}");
        }
    }
}
