//! A hammer's own modes over several substeps: mostly a point mass, one mode, which needs no loop over modes.

use crate::modal::{ModeBank, Span, StepTable};
use crate::modal::{STRETCH, dot};
use crate::solver::hammer::Hammer;

/// The step of the first mode.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct First {
    fall: f64,
    a12: f64,
    a21: f64,
    a22: f64,
    bq: f64,
}

impl First {
    #[inline(always)]
    pub fn of(table: &StepTable) -> Self {
        let first = |column: &[f64]| column.first().copied().unwrap_or(0.0);
        let StepTable { fall, a12, a21, a22, bq, .. } = table;
        Self { fall: first(fall), a12: first(a12), a21: first(a21), a22: first(a22), bq: first(bq) }
    }

    /// Change of displacement, and the velocity after it, under the constant force `push`.
    #[inline(always)]
    fn predict(&self, (q, v): (f64, f64), push: f64) -> (f64, f64) {
        let &Self { fall, a12, a21, a22, bq } = self;
        ((a12 * v - fall * q) + bq * push, (a21 * q + a22 * v) + a12 * push)
    }

    /// Change of displacement under `push` and what pulls against it.
    #[inline(always)]
    pub fn way(&self, state: (f64, f64), push: f64, pulled: f64) -> f64 {
        self.predict(state, push).0 - self.bq * pulled
    }

    /// Displacement in each of the next steps.
    #[inline(always)]
    fn ways(&self, (mut q, mut v): (f64, f64), push: f64) -> [f64; STRETCH] {
        std::array::from_fn(|_| {
            let (dq, vf) = self.predict((q, v), push);
            (q, v) = (q + dq, vf);
            dq
        })
    }
}

impl ModeBank {
    /// [`ModeBank::foresee`] with the constant force `push` [m kg^1/2/s^2] on the first mode.
    #[inline]
    fn foresee_pushed(&self, first: &First, felt: &[f64], push: f64, count: usize) -> [f64; STRETCH] {
        if self.modes.len() == 1 {
            return first.ways((self.modes.q[0], self.modes.v[0]), push).map(|dq| felt[0] * dq);
        }
        let mut ways = self.predict_steps(felt, count);
        if push != 0.0 {
            let pushed = first.ways((0.0, 0.0), push);
            ways.iter_mut().zip(pushed).for_each(|(way, dq)| *way += felt[0] * dq);
        }
        ways
    }
}

impl Hammer {
    /// [`Striker::free_way`] of one substep; modes of its own beside the rigid part are predicted.
    #[inline(always)]
    pub(crate) fn next_way(&mut self, span: Span, dt: f64) -> f64 {
        if self.bank.modes.len() > 1 {
            return self.predict(span, true);
        }
        let (dq, _) = self.first.predict((self.bank.modes.q[0], self.bank.modes.v[0]), self.push);
        self.own_felt[0] * dq + self.rise * dt
    }

    /// [`Striker::march`] of one substep.
    #[inline(always)]
    pub(crate) fn go(&mut self, span: Span, dt: f64, force: f64) -> f64 {
        if self.bank.modes.len() > 1 {
            let mut speeds = [0.0; STRETCH];
            self.march(span, &[force], &mut speeds);
            return speeds[0];
        }
        let (felt, first) = (self.own_felt[0], self.first);
        let (pulled, (q, v)) = (felt * force, (self.bank.modes.q[0], self.bank.modes.v[0]));
        let (dq, vf) = first.predict((q, v), self.push);
        let v = vf - first.a12 * pulled;
        (self.bank.modes.q[0], self.bank.modes.v[0]) = (q + (dq - first.bq * pulled), v);
        self.profile += self.rise * dt;
        self.rise + felt * v
    }

    /// How far its own modes and the profile compress it in each of the next `count` substeps of dt [s] while no contact force acts;
    /// nothing is predicted. It is fitted to them, and its bank has taken their table.
    #[inline]
    pub(crate) fn free_way(&self, dt: f64, count: usize) -> [f64; STRETCH] {
        let climb = self.rise * dt;
        self.bank.foresee_pushed(&self.first, &self.own_felt, self.push, count).map(|way| way + climb)
    }

    /// As many substeps of its own modes and the profile as there are `forces`, to the last bit as if each were predicted and made. Its
    /// part of the velocity of compression after each goes into `speeds`.
    #[inline]
    pub(crate) fn march(&mut self, span: Span, forces: &[f64], speeds: &mut [f64; STRETCH]) {
        if self.bank.modes.len() > 1 {
            for (speed, &force) in speeds.iter_mut().zip(forces) {
                self.solution.force = force;
                self.predict(span, true);
                self.commit();
                *speed = self.rise + dot(&self.own_felt, &self.bank.modes.v);
            }
            return;
        }
        let dt = self.bank.seconds(span);
        for (speed, &force) in speeds.iter_mut().zip(forces) {
            *speed = self.go(span, dt, force);
        }
    }
}
