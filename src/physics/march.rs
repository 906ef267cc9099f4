//! A hammer's own modes over several substeps: mostly a point mass, one mode, which needs no loop over modes.

use super::bank::{Bank, Span, Table};
use super::lanes::{STRETCH, dot};
use super::striker::Striker;

/// The step of the first mode.
#[derive(Clone, Copy)]
pub(super) struct First {
    fall: f64,
    a12: f64,
    a21: f64,
    a22: f64,
    bq: f64,
}

impl First {
    #[inline(always)]
    fn of(table: &Table) -> Self {
        let first = |column: &[f64]| column.first().copied().unwrap_or(0.0);
        let Table { fall, a12, a21, a22, bq, .. } = table;
        Self { fall: first(fall), a12: first(a12), a21: first(a21), a22: first(a22), bq: first(bq) }
    }

    /// Change of displacement, and the velocity after it, under the constant force `push`.
    #[inline(always)]
    fn predict(&self, (q, v): (f64, f64), push: f64) -> (f64, f64) {
        let &Self { fall, a12, a21, a22, bq } = self;
        ((a12 * v - fall * q) + bq * push, (a21 * q + a22 * v) + a12 * push)
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

impl Bank {
    /// [`Bank::foresee`] with the constant force `push` [m kg^1/2/s^2] on the first mode.
    #[inline]
    fn foresee_pushed(&self, first: &First, felt: &[f64], push: f64, count: usize) -> [f64; STRETCH] {
        if self.modes.len() == 1 {
            return first.ways((self.modes.q[0], self.modes.v[0]), push).map(|dq| felt[0] * dq);
        }
        let mut ways = self.foresee(felt, count);
        if push != 0.0 {
            let pushed = first.ways((0.0, 0.0), push);
            ways.iter_mut().zip(pushed).for_each(|(way, dq)| *way += felt[0] * dq);
        }
        ways
    }
}

impl Striker {
    /// The step of its rigid part in the table that its bank has taken.
    #[inline(always)]
    pub(super) fn first(&self) -> First {
        First::of(self.bank.table())
    }

    /// How far its own modes and the profile compress it in each of the next `count` substeps of dt [s] while no contact force acts;
    /// nothing is predicted. Its bank has taken their table.
    #[inline]
    pub(super) fn free_way(&self, first: &First, dt: f64, count: usize) -> [f64; STRETCH] {
        let climb = self.rise * dt;
        self.bank.foresee_pushed(first, &self.own_felt, self.push, count).map(|way| way + climb)
    }

    /// As many substeps of its own modes and the profile as there are `forces`, to the last bit as if each were predicted and made. Its
    /// part of the velocity of compression after each.
    #[inline]
    pub(super) fn march(&mut self, first: &First, span: Span, forces: &[f64]) -> [f64; STRETCH] {
        let mut speeds = [0.0; STRETCH];
        if self.bank.modes.len() > 1 {
            for (speed, &force) in speeds.iter_mut().zip(forces) {
                self.solution.force = force;
                self.predict(span, true);
                self.commit();
                *speed = self.rise + dot(&self.own_felt, &self.bank.modes.v);
            }
            return speeds;
        }
        let (felt, push) = (self.own_felt[0], self.push);
        let climb = self.rise * self.bank.seconds(span);
        let (mut q, mut v) = (self.bank.modes.q[0], self.bank.modes.v[0]);
        for (speed, &force) in speeds.iter_mut().zip(forces) {
            let (pulled, (dq, vf)) = (felt * force, first.predict((q, v), push));
            (q, v) = (q + (dq - first.bq * pulled), vf - first.a12 * pulled);
            *speed = self.rise + felt * v;
            self.profile += climb;
        }
        (self.bank.modes.q[0], self.bank.modes.v[0]) = (q, v);
        speeds
    }
}
