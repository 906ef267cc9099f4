//! Output of voices that were cut off: the last sample ramps out.

use std::ops::Range;

use crate::block::{CONTROL_BLOCK, StereoBlock};

/// Time constant [s] of the ramp.
const RAMP_TIME: f64 = 1e-3;

/// Size at which the ramp has ended: 180 dB below full scale.
const RAMP_FLOOR: f64 = 1e-9;

/// Ramps of voices that were cut off, and the output of voices whose state is no longer finite.
pub struct OutputTail {
    /// Current value of left and right.
    ramp: [f64; 2],
    /// Steps added to it in the frames of the control block.
    steps: StereoBlock,
    /// Output of invalid voices before they failed.
    invalid: StereoBlock,
    /// Factor of the ramp per frame.
    factor: f64,
    /// Whether a ramp is left.
    is_ramping: bool,
}

impl OutputTail {
    /// Empty, at `rate` [Hz].
    pub fn new(rate: f64) -> Self {
        let zeros = [[0.0; CONTROL_BLOCK]; 2];
        Self { ramp: [0.0; 2], steps: zeros, invalid: zeros, factor: (-1.0 / (RAMP_TIME * rate)).exp(), is_ramping: false }
    }

    /// Ends all ramps.
    pub fn reset(&mut self) {
        (self.ramp, self.steps) = ([0.0; 2], [[0.0; CONTROL_BLOCK]; 2]);
        self.is_ramping = false;
    }

    /// Whether no ramp is left.
    pub fn is_silent(&self) -> bool {
        !self.is_ramping
    }

    /// Starts a ramp at frame `offset` from the last sample of `out`, which is rendered up to there.
    pub fn start_ramp(&mut self, offset: usize, out: &StereoBlock) {
        let last = (offset + CONTROL_BLOCK - 1) % CONTROL_BLOCK;
        for (steps, out) in self.steps.iter_mut().zip(out) {
            steps[offset] += out[last];
        }
        self.is_ramping = true;
    }

    /// Adds the frames `start..end` of `out`, the output of a voice that failed at `end`.
    pub fn add_invalid(&mut self, start: usize, end: usize, out: &StereoBlock) {
        for (invalid, out) in self.invalid.iter_mut().zip(out) {
            for (invalid, out) in invalid.iter_mut().zip(out).take(end).skip(start) {
                *invalid += out;
            }
        }
    }

    /// Moves the output of invalid voices in the frames `run` of a channel to `out`.
    pub fn take_invalid(&mut self, channel: usize, run: Range<usize>, out: &mut [f64]) {
        for (out, invalid) in out.iter_mut().zip(&mut self.invalid[channel][run]) {
            *out = std::mem::take(invalid);
        }
    }

    /// Adds the ramps to `out` in the frames `run`.
    pub fn add_ramps(&mut self, run: Range<usize>, out: &mut StereoBlock) {
        if self.is_ramping {
            for (channel, out) in out.iter_mut().enumerate() {
                self.add_ramp(channel, run.clone(), &mut out[run.clone()]);
            }
            self.is_ramping = self.ramp != [0.0; 2] || self.steps != [[0.0; CONTROL_BLOCK]; 2];
        }
    }

    fn add_ramp(&mut self, channel: usize, run: Range<usize>, out: &mut [f64]) {
        let mut ramp = self.ramp[channel];
        for (out, step) in out.iter_mut().zip(&mut self.steps[channel][run]) {
            ramp += std::mem::take(step);
            *out += ramp;
            ramp *= self.factor;
            if ramp.abs() < RAMP_FLOOR {
                ramp = 0.0;
            }
        }
        self.ramp[channel] = ramp;
    }
}
