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
use crate::modal::propagator::Span;
use crate::modal::simd::{LANES, dot_state, dot3, fit, push_state, step_and_dot};

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
    /// `contact` takes what follows from them. Their compliance B [m/N].
    pub fn fit_held(&mut self, weights: &[f64], fitted: &mut [f64], contact: &mut HeldWeights) -> f64 {
        self.fill_sample_table();
        let felt = self.felt;
        let [a12, bq, droop, fall] =
            [&self.tables[0].a12, &self.tables[0].bq, &self.tables[0].droop, &self.tables[0].fall].map(|column| &column[felt..]);
        let fitted = &mut fitted[felt..];
        let compliance = fit(&weights[felt..], [droop, bq], fitted);
        contact.set(fitted, [bq, a12], fall);
        compliance
    }

    /// Compliance B_ab [m/N] between two contacts through the held modes, by their fitted weights.
    pub fn held_coupling(&self, a: &[f64], b: &[f64]) -> f64 {
        dot3(&a[self.felt..], &b[self.felt..], &self.tables[0].bq[self.felt..])
    }

    /// Displacement D [m] of the held modes at a contact over the next sample without force.
    pub fn held_way(&self, contact: &HeldWeights) -> f64 {
        let look = || dot_state(contact.way(), &self.modes.q[self.felt..], &self.modes.v[self.felt..]);
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
    pub fn advance_held(&mut self, contact: &HeldWeights, force: f64) {
        self.held_ahead = Some(self.step_held(contact, force));
    }

    /// One sample of the held modes under the mean forces [N] of several contacts, or of none.
    pub fn advance_held_by<'a>(&mut self, mut contacts: impl Iterator<Item = (&'a HeldWeights, f64)>) {
        self.held_ahead = None;
        match contacts.next() {
            Some((contact, force)) => self.step_held(contact, force),
            None => self.step_held(&HeldWeights::default(), 0.0),
        };
        let (q, v) = (&mut self.modes.q[self.felt..], &mut self.modes.v[self.felt..]);
        for (contact, force) in contacts.filter(|(_, force)| *force != 0.0) {
            push_state(contact.response(), force, q, v);
        }
    }

    /// One sample under the mean force [N] of a contact; the displacement there over the next sample [m].
    fn step_held(&mut self, contact: &HeldWeights, force: f64) -> f64 {
        let felt = self.felt;
        let table = &self.tables[0];
        let step = [&table.a11, &table.a12, &table.a21, &table.a22].map(|column| &column[felt..]);
        let (q, v) = (&mut self.modes.q[felt..], &mut self.modes.v[felt..]);
        let HeldWeights { place, speed, way } = contact;
        // without a contact, any arrays serve
        let contact = if way.is_empty() { [step[0]; 3] } else { [&place[..], speed, way] };
        step_and_dot(step, contact, force, q, v)
    }
}

/// What follows from the fitted weights of the held modes at one contact.
#[derive(Clone, Debug, Default)]
pub struct HeldWeights {
    /// Displacement of every mode per force over a sample: Wh Bq.
    place: Vec<f64>,
    /// Velocity of every mode per force over a sample, and displacement at the contact over the next sample per velocity: Wh Bv.
    speed: Vec<f64>,
    /// Displacement at the contact over the next sample per displacement of every mode: Wh (a11 - 1).
    way: Vec<f64>,
}

impl HeldWeights {
    /// Room for `modes` held modes; the only allocation.
    pub fn with_capacity(modes: usize) -> Self {
        let array = || Vec::with_capacity(modes.next_multiple_of(LANES));
        Self { place: array(), speed: array(), way: array() }
    }

    fn set(&mut self, fitted: &[f64], [bq, bv]: [&[f64]; 2], fall: &[f64]) {
        let Self { place, speed, way } = self;
        for array in [&mut *place, speed, way] {
            array.clear();
        }
        place.extend(fitted.iter().zip(bq).map(|(weight, bq)| weight * bq));
        speed.extend(fitted.iter().zip(bv).map(|(weight, bv)| weight * bv));
        way.extend(fitted.iter().zip(fall).map(|(weight, fall)| -weight * fall));
    }

    fn response(&self) -> [&[f64]; 2] {
        [&self.place, &self.speed]
    }

    fn way(&self) -> [&[f64]; 2] {
        [&self.way, &self.speed]
    }
}
