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

use crate::modal::held_kernels::{HeldForce, HeldStep, MAX_TOGETHER, held_way, held_ways, push_held, step_held, step_held_by};
use crate::modal::mode_bank::ModeBank;
use crate::modal::modes::Modes;
use crate::modal::propagator::{Span, StepTable};
use crate::modal::simd::{LANES, dot, dot3, fit};
use std::ops::Range;

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
        let compliance = fit(&weights[felt..], [&droop[felt..], &bq[felt..]], &mut fitted[felt..]);
        if !self.thinned {
            return compliance;
        }
        self.thin_weights(fitted);
        dot3(&fitted[felt..], &fitted[felt..], &self.tables[0].bq[felt..])
    }

    /// Compliance B_ab [m/N] between two contacts through the held modes, by their fitted weights.
    pub fn held_coupling(&self, a: &[f64], b: &[f64]) -> f64 {
        dot3(&a[self.felt..], &b[self.felt..], &self.tables[0].bq[self.felt..])
    }

    /// Displacement D [m] of the held modes at a contact with these fitted weights over the next sample without force.
    pub fn held_way(&self, fitted: &[f64]) -> f64 {
        let (felt, step) = (self.felt, HeldStep::of(&self.tables[0], &self.modes.omega2, self.felt, self.full_chunks()));
        held_way(step, &fitted[felt..], &self.modes.q[felt..], &self.modes.v[felt..])
    }

    /// Number of held modes that are computed, padding included.
    pub fn moving_held(&self) -> usize {
        self.held() - self.resting()
    }

    /// Displacement [m] of the held modes at a contact with these fitted weights.
    pub fn held_place(&self, fitted: &[f64]) -> f64 {
        dot(&fitted[self.felt..], &self.modes.q[self.felt..])
    }

    /// Whether the displacements that [`ModeBank::advance_held`] found are still those of the next sample.
    pub fn knows_next_way(&self) -> bool {
        self.held_ahead
    }

    /// Loss [J] of the held modes over the next sample with the constant force a_i = `force(i)` [m kg^1/2/s^2]; 0 unless losses are
    /// tracked. Modes that rest lose nothing.
    pub fn held_loss(&self, force: impl Fn(usize) -> f64) -> f64 {
        let loss = |range: Range<usize>| self.losses(&self.tables[0], range, &force);
        let moving = self.felt.saturating_add(self.full_chunks().saturating_mul(LANES)).min(self.modes.len());
        let between_resting = (moving..self.modes.len()).step_by(2 * LANES);
        loss(self.felt..moving) + between_resting.map(|start| loss(start..(start + LANES).min(self.modes.len()))).sum::<f64>()
    }

    /// One sample of the held modes under the mean forces of their contacts. `ways`: the displacement [m] at each over the next sample, as by
    /// [`ModeBank::held_way`]. Contacts beyond the sixth take further passes.
    pub fn advance_held(&mut self, contacts: &[HeldForce], ways: &mut [f64]) {
        let felt = self.felt;
        let full = self.full_chunks();
        let Modes { omega2, q, v, .. } = &mut self.modes;
        let step = HeldStep::of(&self.tables[0], omega2, felt, full);
        let (q, v) = (&mut q[felt..], &mut v[felt..]);
        match *contacts {
            // any array serves as weights
            [] => _ = step_held(step, HeldForce { weights: step.a12, force: 0.0 }, q, v),
            [only] => ways[0] = step_held(step, only.beyond(felt), q, v),
            _ => {
                let (together, others) = contacts.split_at(contacts.len().min(MAX_TOGETHER));
                step_held_by(step, &beyond(together, felt)[..together.len()], (q, v), ways);
                let mut pushed = false;
                for contact in others.iter().filter(|contact| contact.force != 0.0) {
                    push_held(step, contact.beyond(felt), q, v);
                    pushed = true;
                }
                // those of the first pass are known unless the modes have moved since
                let known = if pushed { 0 } else { together.len() };
                let unknown = contacts[known..].chunks(MAX_TOGETHER).zip(ways[known..].chunks_mut(MAX_TOGETHER));
                for (some, ways) in unknown {
                    held_ways(step, &beyond(some, felt)[..some.len()], (&*q, &*v), ways);
                }
            }
        }
        self.held_ahead = true;
    }
}

/// Up to [`MAX_TOGETHER`] contacts with the weights from number `felt` on.
fn beyond<'a>(contacts: &[HeldForce<'a>], felt: usize) -> [HeldForce<'a>; MAX_TOGETHER] {
    let mut beyond = [HeldForce::NONE; MAX_TOGETHER];
    beyond.iter_mut().zip(contacts).for_each(|(to, contact)| *to = contact.beyond(felt));
    beyond
}

impl<'a> HeldStep<'a> {
    /// That of the modes from number `felt` on; every second chunk from `full` chunks on is left out.
    fn of(table: &'a StepTable, omega2: &'a [f64], felt: usize, full: usize) -> Self {
        let StepTable { a12, a22, bq, .. } = table;
        let [omega2, a12, a22, bq] = [omega2, a12, a22, bq].map(|column| &column[felt..]);
        Self { omega2, a12, a22, bq, full }
    }
}
