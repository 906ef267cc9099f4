//! The control block, and limits and conversions shared by the engine.

/// Number of stereo outputs, including the main output.
pub const OUTPUTS: usize = 8;

/// Frames of a control block: the interval of all smoothing, and the longest run rendered at once.
pub const CONTROL_BLOCK: usize = 16;

/// One control block of stereo sound: left and right.
pub type StereoBlock = [[f64; CONTROL_BLOCK]; 2];

/// Mean of left and right in frame `n`.
pub fn mid([left, right]: &StereoBlock, n: usize) -> f64 {
    0.5 * (left[n] + right[n])
}

/// Largest magnitude of an input sample that is used; full scale is 1.
pub const MAX_SIGNAL: f64 = 16.0;

/// Maximum frequency of a partial [Hz], the same at all sample rates so that they sound alike.
const MAX_FREQUENCY: f64 = 20e3;

/// Maximum frequency of a partial over the sample rate: the exact step needs a margin below half the rate.
const MAX_RATIO: f64 = 0.48;

/// Maximum frequency of a partial [Hz] at a sample rate [Hz].
pub fn band_limit(rate: f64) -> f64 {
    MAX_FREQUENCY.min(MAX_RATIO * rate)
}

/// Amplitude of a level [dB].
pub fn amplitude(db: f64) -> f64 {
    10_f64.powf(db / 20.0)
}
