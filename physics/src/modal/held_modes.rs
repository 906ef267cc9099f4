//! Held modes: the part of a body that takes one exact step a sample, also during a contact.
//!
//! ```text
//! Wh = W/sinc^2(omega h/2)      D = sum Wh (qf - q)      (qf, vf) = A(h) (q, v)      B = sum Wh^2 Bq(h)
//! in a substep of dt:           x changes by (dt/h) (D - B F)
//! at the end of the sample:     q = qf - Wh Bq Fm,  v = vf - Wh Bv Fm,  Fm: mean of the force over the sample
//! ```
//!
//! The free motion enters each substep as a ramp, the response as a resistance. The contact does the work
//! sum_k (dt_k/h) F_k (D - B F_k) on the held modes, and they take Fm (D - B Fm). The difference is the loss
//! L = B (mean of F^2 - Fm^2) >= 0: energy that the force would send into modes above half the sample rate. sinc^2 corrects the hold of
//! the mean force as well as the linear motion within a sample.

use crate::modal::mode_bank::ModeBank;
use crate::modal::propagator::{Span, StepTable};
use crate::modal::simd::{HeldStep, dot3, fit, held_way, push_held, step_held};

/// Lengths of the arrays of a body's modes.
#[derive(Clone, Copy, Debug)]
pub struct BodyArrays {
    /// Those of the felt modes come first.
    pub felt: usize,
    /// All of them.
    pub padded: usize,
}

impl ModeBank {
    /// Whether some modes are held.
    #[inline]
    pub fn has_held(&self) -> bool {
        self.felt < self.modes.padded()
    }

    /// Lengths of the arrays.
    pub fn arrays(&self) -> BodyArrays {
        BodyArrays { felt: self.felt, padded: self.modes.padded() }
    }

    /// Length of a span over the sample.
    #[inline]
    pub fn share(&self, span: Span) -> f64 {
        self.seconds(span) / self.h
    }

    /// Number of held modes, padding included.
    pub fn held(&self) -> usize {
        self.modes.padded() - self.felt
    }

    /// Fills the table of a whole sample if necessary; before any other method of held modes.
    pub fn fill_sample_table(&mut self) {
        let Self { tables, modes, h, tracks_losses, .. } = self;
        let table = &mut tables[0];
        if table.span.is_none() {
            table.fill(&modes.list, *h, *tracks_losses);
            table.span = Some(Span::Level(0));
        }
    }

    /// Corrects the weights [kg^-1/2] of the held modes for the hold over a sample, into `fitted`; those of the felt modes there stay.
    /// Their compliance B [m/N].
    pub fn fit_held(&mut self, weights: &[f64], fitted: &mut [f64]) -> f64 {
        self.fill_sample_table();
        let felt = self.felt;
        let StepTable { droop, bq, .. } = &self.tables[0];
        fit(&weights[felt..], [&droop[felt..], &bq[felt..]], &mut fitted[felt..])
    }

    /// Compliance B_ab [m/N] between two contacts through the held modes, by their fitted weights.
    pub fn held_coupling(&self, a: &[f64], b: &[f64]) -> f64 {
        dot3(&a[self.felt..], &b[self.felt..], &self.tables[0].bq[self.felt..])
    }

    /// Displacement D [m] of the held modes at a contact with these fitted weights over the next sample without force.
    pub fn held_way(&self, fitted: &[f64]) -> f64 {
        let felt = self.felt;
        let look = || held_way(self.held_step(), &fitted[felt..], &self.modes.q[felt..], &self.modes.v[felt..]);
        debug_assert!(
            self.held_ahead.is_none_or(|way| way.to_bits() == look().to_bits()),
            "the predicted displacement must be invalidated"
        );
        self.held_ahead.unwrap_or_else(look)
    }

    /// Loss [J] of the held modes over the next sample with the constant force a_i = `force(i)` [m kg^1/2/s^2]; 0 unless losses are
    /// tracked.
    pub fn held_loss(&self, force: impl Fn(usize) -> f64) -> f64 {
        self.losses(&self.tables[0], self.felt..self.modes.len(), force)
    }

    /// One sample of the held modes under the mean force [N] of their only contact. The displacement of the next sample is known after
    /// it.
    pub fn advance_held(&mut self, fitted: &[f64], force: f64) {
        self.held_ahead = Some(self.step_held(fitted, force));
    }

    /// One sample of the held modes under the mean forces [N] of several contacts, or of none.
    pub fn advance_held_by<'a>(&mut self, mut contacts: impl Iterator<Item = (&'a [f64], f64)>) {
        match contacts.next() {
            Some((fitted, force)) => self.step_held(fitted, force),
            None => self.step_without_contact(),
        };
        self.held_ahead = None;
        let felt = self.felt;
        let step = HeldStep::of(&self.tables[0], felt);
        let (q, v) = (&mut self.modes.q[felt..], &mut self.modes.v[felt..]);
        for (fitted, force) in contacts.filter(|(_, force)| *force != 0.0) {
            push_held(step, &fitted[felt..], force, q, v);
        }
    }

    /// One sample under the mean force [N] of a contact; the displacement there over the next sample [m].
    fn step_held(&mut self, fitted: &[f64], force: f64) -> f64 {
        let felt = self.felt;
        let step = HeldStep::of(&self.tables[0], felt);
        step_held(step, &fitted[felt..], force, &mut self.modes.q[felt..], &mut self.modes.v[felt..])
    }

    /// One sample without a contact; any array serves as weights.
    fn step_without_contact(&mut self) -> f64 {
        let felt = self.felt;
        let step = HeldStep::of(&self.tables[0], felt);
        step_held(step, step.a12, 0.0, &mut self.modes.q[felt..], &mut self.modes.v[felt..])
    }

    fn held_step(&self) -> HeldStep<'_> {
        HeldStep::of(&self.tables[0], self.felt)
    }
}

impl<'a> HeldStep<'a> {
    /// That of the modes from number `felt` on.
    fn of(table: &'a StepTable, felt: usize) -> Self {
        let StepTable { a11, a12, a21, a22, bq, fall, .. } = table;
        let [a11, a12, a21, a22, bq, fall] = [a11, a12, a21, a22, bq, fall].map(|column| &column[felt..]);
        Self { a11, a12, a21, a22, bq, fall }
    }
}
