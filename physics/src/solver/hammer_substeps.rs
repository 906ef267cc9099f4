//! A hammer's own modes over several substeps: mostly a point mass, one mode, which needs no loop over modes.

use crate::modal::{MAX_STEPS_PER_PASS, Span, dot};
use crate::solver::hammer::Hammer;
use crate::solver::hammer_state::WeightKind;

impl Hammer {
    /// [`Hammer::free_way`] of one substep; own modes beside the rigid part are predicted.
    #[inline(always)]
    pub(crate) fn next_way(&mut self, span: Span, dt: f64) -> f64 {
        if self.bank.modes.len() > 1 {
            return self.predict(span, WeightKind::Fitted);
        }
        let (dq, _) = self.fit.first_mode.predict((self.bank.modes.q[0], self.bank.modes.v[0]), self.push);
        self.fit.own[0] * dq + self.placement.rise * dt
    }

    /// [`Hammer::step_own_modes`] of one substep.
    #[inline(always)]
    pub(crate) fn step_own_modes_once(&mut self, span: Span, dt: f64, force: f64) -> f64 {
        if self.bank.modes.len() > 1 {
            let mut speeds = [0.0; MAX_STEPS_PER_PASS];
            self.step_own_modes(span, &[force], &mut speeds);
            return speeds[0];
        }
        let (felt, first) = (self.fit.own[0], self.fit.first_mode);
        let (pulled, (q, v)) = (felt * force, (self.bank.modes.q[0], self.bank.modes.v[0]));
        let (dq, vf) = first.predict((q, v), self.push);
        let v = vf - first.a12 * pulled;
        (self.bank.modes.q[0], self.bank.modes.v[0]) = (q + (dq - first.bq * pulled), v);
        self.placement.profile += self.placement.rise * dt;
        self.placement.rise + felt * v
    }

    /// Change of compression by its own modes and the profile in each of the next `count` substeps of dt [s] without contact
    /// force; no state is predicted. The hammer is fitted to them, and its bank has selected their table.
    #[inline]
    pub(crate) fn free_way(&self, dt: f64, count: usize) -> [f64; MAX_STEPS_PER_PASS] {
        let climb = self.placement.rise * dt;
        self.bank.predict_steps_pushed(&self.fit.first_mode, &self.fit.own, self.push, count).map(|way| way + climb)
    }

    /// Advances its own modes and the profile by one substep for each of `forces`, bit for bit as if each were predicted and
    /// made. Its part of the velocity of compression after each goes into `speeds`.
    #[inline]
    pub(crate) fn step_own_modes(&mut self, span: Span, forces: &[f64], speeds: &mut [f64; MAX_STEPS_PER_PASS]) {
        if self.bank.modes.len() > 1 {
            for (speed, &force) in speeds.iter_mut().zip(forces) {
                self.substep.solution.force = force;
                self.predict(span, WeightKind::Fitted);
                self.commit();
                *speed = self.placement.rise + dot(&self.fit.own, &self.bank.modes.v);
            }
            return;
        }
        let dt = self.bank.seconds(span);
        for (speed, &force) in speeds.iter_mut().zip(forces) {
            *speed = self.step_own_modes_once(span, dt, force);
        }
    }
}
