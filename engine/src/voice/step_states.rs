//! The states of the modes of a body at the ends of the steps of the exchange between bands that one rendering spans.

use std::ops::Range;

use crate::voice::cascade_steps::MAX_STEPS;
use crate::voice::step_power::{Eight, LANES, Power};

/// Displacements and velocities, eight modes side by side.
pub(super) type State<'a> = (&'a [Eight], &'a [Eight]);

/// Displacements and velocities that are overwritten.
pub(super) type NewState<'a> = (&'a mut [Eight], &'a mut [Eight]);

/// What a rendering of several steps needs beside the body. All voices that render one after another share it: each writes before it reads.
#[derive(Debug)]
pub struct StepScratch {
    /// States at the ends of the steps.
    pub(super) states: StepStates,
    /// Powers of the step of one frame that advance by one step of usual length.
    pub(super) powers: Vec<Power>,
}

impl StepScratch {
    /// Room for bodies of up to `modes` modes. Allocates.
    pub fn new(modes: usize) -> Self {
        let chunks = modes.div_ceil(LANES);
        Self { states: StepStates::new(chunks), powers: Vec::with_capacity(chunks) }
    }
}

/// States at the ends of all steps but the last, one step after another.
#[derive(Debug)]
pub(super) struct StepStates {
    /// Displacements and velocities; room for [`MAX_STEPS`] - 1 states.
    states: [Vec<Eight>; 2],
    /// Chunks of each state.
    chunks: usize,
}

impl StepStates {
    fn new(chunks: usize) -> Self {
        Self { states: std::array::from_fn(|_| vec![[0.0; LANES]; chunks * (MAX_STEPS - 1)]), chunks: 0 }
    }

    /// Begins a rendering of `chunks` chunks of modes, at most as many as there is room for.
    pub(super) fn begin(&mut self, chunks: usize) {
        self.chunks = chunks;
    }

    fn range(&self, step: usize) -> Range<usize> {
        step * self.chunks..(step + 1) * self.chunks
    }

    /// The state at the end of step number `step`.
    pub(super) fn after(&self, step: usize) -> State<'_> {
        let [q, v] = self.states.each_ref().map(|states| &states[self.range(step)]);
        (q, v)
    }

    /// The state at the end of step number 0, to be written.
    pub(super) fn first(&mut self) -> NewState<'_> {
        let chunks = self.chunks;
        let [q, v] = self.states.each_mut().map(|states| &mut states[..chunks]);
        (q, v)
    }

    /// The states at the ends of the step before number `step`, at least 1, and of that step, to be written.
    pub(super) fn advance(&mut self, step: usize) -> (State<'_>, NewState<'_>) {
        let (chunks, start) = (self.chunks, self.range(step).start);
        let [(q, new_q), (v, new_v)] = self.states.each_mut().map(|states| {
            let (before, after) = states.split_at_mut(start);
            (&before[start - chunks..], &mut after[..chunks])
        });
        ((q, v), (new_q, new_v))
    }
}
