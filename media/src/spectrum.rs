//! Magnitude spectra and the interpolation of their peaks.

use std::f64::consts::TAU;

/// Hann-windowed, zero-padded magnitude spectra of one length.
pub struct Spectrum {
    window: Vec<f64>,
    padded: usize,
}

impl Spectrum {
    /// Spectra of `length` frames, zero-padded to `padded` >= `length`.
    pub fn new(length: usize, padded: usize) -> Self {
        let window = (0..length).map(|i| 0.5 - 0.5 * (TAU * (i as f64 + 0.5) / length as f64).cos()).collect();
        Self { window, padded }
    }

    /// Amplitudes of sines at multiples of rate/padded. Sound shorter than `length` is extended with zeros.
    pub fn magnitudes(&self, sound: &[f32]) -> Vec<f64> {
        let mut input = vec![0.0; self.padded];
        for ((slot, &sample), window) in input.iter_mut().zip(sound).zip(&self.window) {
            *slot = f64::from(sample) * window;
        }
        // compensates the mean of the Hann window, 1/2, and the two halves of the spectrum of a sine
        let scale = 4.0 / self.window.len() as f64;
        urto_fourier::spectrum(&input).iter().map(|bin| bin.norm() * scale).collect()
    }
}

/// Maximum of a parabola through the logarithms of three neighbouring bins [bins].
pub fn interpolated_peak(magnitudes: &[f64], bin: usize) -> f64 {
    let log = |i: usize| magnitudes[i].max(1e-300).ln();
    let (left, middle, right) = (log(bin - 1), log(bin), log(bin + 1));
    bin as f64 + 0.5 * (left - right) / (left - 2.0 * middle + right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decaying_sine_is_measured_to_a_hundredth_of_a_cent() {
        let (rate, frequency, decay) = (48_000.0, 219.37, 1.5);
        let tone = |i: i32| {
            let t = f64::from(i) / rate;
            (0.5 * (-decay * t).exp() * (TAU * frequency * t).sin()) as f32
        };
        let sound: Vec<f32> = (0..96_000).map(tone).collect();
        let padded = 1 << 19;
        let magnitudes = Spectrum::new(96_000, padded).magnitudes(&sound);
        let bin = (frequency * padded as f64 / rate).round() as usize;
        let measured = interpolated_peak(&magnitudes, bin) * rate / padded as f64;
        let cents = 1200.0 * (measured / frequency).log2();
        assert!(cents.abs() < 0.01, "{cents} cents off");
    }

    #[test]
    fn a_sine_of_amplitude_one_has_magnitude_one() {
        let sound: Vec<f32> = (0..4096).map(|i| (TAU * 64.0 * f64::from(i) / 4096.0).sin() as f32).collect();
        assert!((Spectrum::new(4096, 4096).magnitudes(&sound)[64] - 1.0).abs() < 1e-6);
    }
}
