//! Tables of the coefficients of an exact step.

use crate::modal::mode::Mode;
use crate::modal::propagator;
use crate::modal::propagator::Columns;
use crate::modal::simd::{LANES, MAX_STEPS_PER_PASS};

/// Coefficients of one exact step of every mode; padded with zeros. See [`Response`](crate::modal::mode::Response).
#[derive(Clone, Debug, Default)]
pub struct StepTable {
    pub(super) span: Option<Span>,
    pub(super) used: u64,
    /// Displacement from displacement.
    pub a11: Vec<f64>,
    /// Displacement from velocity, and velocity from force [s].
    pub a12: Vec<f64>,
    /// Velocity from displacement [1/s].
    pub a21: Vec<f64>,
    /// Velocity from velocity.
    pub a22: Vec<f64>,
    /// Displacement from force [s^2].
    pub bq: Vec<f64>,
    /// 1 - a11 = omega^2 bq, without cancellation.
    pub(crate) fall: Vec<f64>,
    /// Correction of the hold.
    pub droop: Vec<f64>,
    pub(super) loss: Vec<[f64; 3]>,
}

/// Length of a step: a dyadic part of the sample, or any length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Span {
    /// h/2^j.
    Level(u32),
    /// Any length [s].
    Seconds(f64),
}

impl Span {
    /// Length [s] for a sample of h [s].
    pub fn seconds(self, h: f64) -> f64 {
        match self {
            Span::Level(j) => h / (1_u64 << j) as f64,
            Span::Seconds(dt) => dt,
        }
    }
}

impl StepTable {
    /// Room for `modes` modes; the only allocation.
    pub fn with_capacity(modes: usize) -> Self {
        let array = || Vec::with_capacity(modes.next_multiple_of(LANES));
        Self {
            span: None,
            used: 0,
            a11: array(),
            a12: array(),
            a21: array(),
            a22: array(),
            bq: array(),
            fall: array(),
            droop: array(),
            loss: Vec::new(),
        }
    }

    pub(super) fn fill(&mut self, modes: &[Mode], dt: f64, tracks_losses: bool) {
        let padded = modes.len().next_multiple_of(LANES);
        for array in [&mut self.a11, &mut self.a12, &mut self.a21, &mut self.a22, &mut self.bq, &mut self.fall, &mut self.droop] {
            array.resize(padded, 0.0);
            array[modes.len()..].fill(0.0);
        }
        let Self { a11, a12, a21, a22, bq, fall, droop, .. } = self;
        propagator::fill(modes, dt, Columns { a11, a12, a21, a22, bq, fall, droop });
        self.loss.clear();
        if tracks_losses {
            self.loss.extend(modes.iter().map(|&mode| mode.loss_integrals(dt)));
        }
    }
}

/// The step of the first mode alone: that of a point mass needs no loop over modes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FirstModeStep {
    pub(crate) fall: f64,
    pub(crate) a12: f64,
    pub(crate) a21: f64,
    pub(crate) a22: f64,
    pub(crate) bq: f64,
}

impl FirstModeStep {
    /// That of `table`.
    #[inline(always)]
    pub fn of(table: &StepTable) -> Self {
        let first = |column: &[f64]| column.first().copied().unwrap_or(0.0);
        let StepTable { fall, a12, a21, a22, bq, .. } = table;
        Self { fall: first(fall), a12: first(a12), a21: first(a21), a22: first(a22), bq: first(bq) }
    }

    /// Change of displacement, and the velocity after it, under the constant force `push`.
    #[inline(always)]
    pub fn predict(&self, (q, v): (f64, f64), push: f64) -> (f64, f64) {
        let &Self { fall, a12, a21, a22, bq } = self;
        ((a12 * v - fall * q) + bq * push, (a21 * q + a22 * v) + a12 * push)
    }

    /// Change of displacement under `push` and an opposing force.
    #[inline(always)]
    pub fn way(&self, state: (f64, f64), push: f64, forced: f64) -> f64 {
        self.predict(state, push).0 - self.bq * forced
    }

    /// Displacement in each of the next steps.
    #[inline(always)]
    pub fn ways(&self, (mut q, mut v): (f64, f64), push: f64) -> [f64; MAX_STEPS_PER_PASS] {
        std::array::from_fn(|_| {
            let (dq, vf) = self.predict((q, v), push);
            (q, v) = (q + dq, vf);
            dq
        })
    }
}
