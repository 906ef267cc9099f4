//! The control block, and limits and conversions that every part of the engine shares.

/// Frames between two steps of everything that is smoothed; the longest run that is rendered at once.
pub const CONTROL_BLOCK: usize = 16;

/// Largest magnitude of an input sample that is used; full scale is 1.
pub const MAX_SIGNAL: f64 = 16.0;

/// Highest frequency of a partial [Hz] at any sample rate, so that all rates sound alike.
const HIGHEST_PARTIAL: f64 = 20e3;

/// Highest frequency of a partial over the sample rate: the exact step needs room below half the rate.
const HIGHEST_RATIO: f64 = 0.48;

/// Highest frequency of a partial [Hz] at a sample rate [Hz].
pub fn band_limit(rate: f64) -> f64 {
    HIGHEST_PARTIAL.min(HIGHEST_RATIO * rate)
}

/// Amplitude factor of a level [dB].
pub fn amplitude(db: f64) -> f64 {
    10_f64.powf(db / 20.0)
}
