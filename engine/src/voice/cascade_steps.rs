//! Steps of the exchange between bands over the frames that are rendered ahead.

use crate::block::CONTROL_BLOCK;
use std::ops::Range;
use urto_physics::modal::{BandExchange, MAX_BANDS, PhaseReversals};

/// Maximum number of steps in one rendering.
pub const MAX_STEPS: usize = 8;

/// One step.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Its frames, from the beginning of the rendering.
    frames: (usize, usize),
    /// Factors of the amplitudes of the bands.
    gains: [f64; MAX_BANDS],
    /// Reversals of the modes of the bands at its end.
    reversals: PhaseReversals,
}

/// The steps of one rendering.
#[derive(Clone, Debug)]
pub struct CascadeSteps {
    steps: [Step; MAX_STEPS],
    count: usize,
}

impl Default for CascadeSteps {
    fn default() -> Self {
        let step = Step { frames: (0, 0), gains: [1.0; MAX_BANDS], reversals: PhaseReversals::default() };
        Self { steps: [step; MAX_STEPS], count: 0 }
    }
}

impl CascadeSteps {
    /// Drops all steps.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a step of `blocks` control blocks with the factors `gains` of the bands, at whose end `reversals` act. Without effect when there are
    /// [`MAX_STEPS`].
    pub fn push(&mut self, blocks: usize, gains: &[f64], reversals: PhaseReversals) {
        let start = self.frames();
        if let Some(step) = self.steps.get_mut(self.count) {
            step.frames = (start, start + blocks * CONTROL_BLOCK);
            step.gains[..gains.len()].copy_from_slice(gains);
            step.reversals = reversals;
            self.count += 1;
        }
    }

    /// Frames of every step, and the factors of the bands.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Range<usize>, &[f64; MAX_BANDS])> {
        self.steps[..self.count].iter().map(|step| (step.frames.0..step.frames.1, &step.gains))
    }

    /// Number of frames of all steps.
    pub fn frames(&self) -> usize {
        self.iter().next_back().map_or(0, |(frames, ..)| frames.end)
    }

    /// Multiplies the state (q, v) by what its bands take in the frames `run`, which lie in one step.
    pub fn apply(&self, bands: &BandExchange, run: Range<usize>, q: &mut [f64], v: &mut [f64]) {
        if let Some(step) = self.steps[..self.count].iter().find(|step| (step.frames.0..step.frames.1).contains(&run.start)) {
            let Step { frames: (start, end), gains, reversals } = step;
            let frames = *start..*end;
            let part = |frame: usize| (frame - frames.start) as f64 / frames.len() as f64;
            bands.apply_gains(gains, (part(run.start), part(run.end)), q, v);
            if run.end == frames.end {
                bands.bands().enumerate().for_each(|(number, band)| reversals.of_band(number).apply(band, q));
            }
        }
    }

    /// The end of the step that contains `frame`; `frame` without one.
    pub fn end_of_step(&self, frame: usize) -> usize {
        self.iter().find(|(frames, ..)| frames.contains(&frame)).map_or(frame, |(frames, ..)| frames.end)
    }
}
