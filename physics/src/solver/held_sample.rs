//! The held modes of a body in one sample: their way under each substep, their step at the end, and their energy.
//!
//! A contact does the work F m on the held modes in each substep, over their displacement m = (dt/h) (D_a - sum_b B_ab F_b). The modes
//! take the mean force at the end of the sample. What they take less than the contacts have given is lost:
//!
//! ```text
//! L = sum_ab B_ab (mean of F_a F_b - Fm_a Fm_b) >= 0        B and the covariance of the forces are both positive semidefinite
//! ```

use crate::contact::VelocityJump;
use crate::modal::{HeldForce, MAX_STEPS_PER_PASS, ModeBank};
use crate::solver::collision::Collision;
use crate::solver::energy_balance::EnergyEntry;
use crate::solver::hammer::Hammer;
use crate::solver::hammer_slots::HammerSlots;
use crate::solver::held_contact::HeldContact;
use crate::solver::limits::MAX_HAMMERS;

impl Collision {
    /// Fits hammer i to the held modes, after a change of its weights.
    pub(crate) fn fit_held(&mut self, i: usize) {
        if !self.body.has_held() {
            self.hammers[i].held = HeldContact::default();
            return;
        }
        self.body.forget_ahead();
        let Self { body, hammers, held, .. } = self;
        hammers[i].fit_held(body);
        let n = hammers.len();
        for b in (0..hammers.end()).filter(|&b| b != i && hammers.is_active(b)) {
            let shared = body.held_coupling(hammers[i].fitted_weights(), hammers[b].fitted_weights());
            (held.coupling[i * n + b], held.coupling[b * n + i]) = (shared, shared);
        }
    }

    /// The same for all active hammers, after a change of frequencies or decays.
    pub(crate) fn fit_all_held(&mut self) {
        if self.body.has_held() {
            for i in 0..self.hammers.end() {
                if self.hammers.is_active(i) {
                    self.fit_held(i);
                }
            }
        }
    }

    /// Begins a sample: the free displacement of the held modes at every hammer.
    #[inline(never)]
    pub(crate) fn begin_held(&mut self) {
        if self.body.has_held() {
            self.predict_held();
        }
    }

    #[inline(never)]
    fn predict_held(&mut self) {
        let Self { body, hammers, held, budget, .. } = self;
        body.fill_sample_table();
        for hammer in hammers.iter_mut() {
            hammer.begin_held(body);
        }
        (held.work, held.total_work, held.squares) = (0.0, 0.0, 0.0);
        budget.charge_held(body.moving_held(), hammers.iter().count());
    }

    /// Moves the held modes over a substep of dt [s] under the forces of its solutions.
    #[inline]
    pub(crate) fn move_held(&mut self, dt: f64) {
        if self.body.has_held() {
            self.move_held_under_all(dt);
        }
    }

    #[inline(never)]
    fn move_held_under_all(&mut self, dt: f64) {
        let share = dt / self.h;
        let mut displaced = [0.0; MAX_HAMMERS];
        for (i, hammer) in self.hammers.numbered() {
            displaced[i] = hammer.held.compliance * hammer.substep.solution.force + self.held_displacement_by_others(i);
        }
        let (mut work, mut squares) = (0.0, 0.0);
        for (i, hammer) in self.hammers.numbered_mut() {
            let force = hammer.substep.solution.force;
            work += force * hammer.move_held(dt, share, force, displaced[i]);
            squares += share * force * displaced[i];
        }
        self.held.work = work;
        self.held.total_work += work;
        self.held.squares += squares;
    }

    /// The same for hammer i alone; the velocity of the held modes there [m/s]. Not inlined into code that is generic over observers,
    /// which debug builds of callers do not optimise.
    #[inline(never)]
    pub(crate) fn move_held_under(&mut self, i: usize, dt: f64, force: f64) -> f64 {
        if !self.body.has_held() {
            return 0.0;
        }
        let share = dt / self.h;
        let hammer = &mut self.hammers[i];
        let displaced = hammer.held.compliance * force;
        self.held.work = force * hammer.move_held(dt, share, force, displaced);
        self.held.total_work += self.held.work;
        self.held.squares += share * force * displaced;
        hammer.held.velocity
    }

    /// The same for several substeps of dt [s] under `forces` without an energy balance; the velocities go to `speeds`.
    #[inline(never)]
    pub(crate) fn move_held_through(&mut self, i: usize, dt: f64, forces: &[f64], speeds: &mut [f64; MAX_STEPS_PER_PASS]) {
        if !self.body.has_held() {
            return;
        }
        let share = dt / self.h;
        let held = &mut self.hammers[i].held;
        for (speed, &force) in speeds.iter_mut().zip(forces) {
            let moved = share * (held.way - held.compliance * force);
            held.moved += moved;
            held.impulse += force * dt;
            *speed = moved / dt;
            held.velocity = *speed;
        }
    }

    /// Displacement [m] over a sample by which the other hammers' forces reduce the way of the held modes at hammer a.
    fn held_displacement_by_others(&self, a: usize) -> f64 {
        let n = self.hammers.len();
        let others = self.hammers.numbered().filter(|(b, s)| *b != a && s.substep.solution.force != 0.0);
        others.map(|(b, s)| self.held.coupling[a * n + b] * s.substep.solution.force).sum()
    }

    /// Ends a sample: the held modes make their step under the mean forces, which is recorded.
    #[inline(never)]
    pub(crate) fn end_held(&mut self) {
        if self.body.has_held() {
            self.step_held();
        }
    }

    #[inline(never)]
    fn step_held(&mut self) {
        let h = self.h;
        let mut entry = self.open_entry();
        if self.balance.is_some() {
            entry.supplied = -self.held.total_work;
            self.note_held_losses(&mut entry);
        }
        let Self { body, hammers, .. } = self;
        match hammers.only_active() {
            Some(hammer) => {
                let mut way = [0.0];
                body.advance_held(&[hammer.mean_force(h)], &mut way);
                hammer.end_held(way[0]);
            }
            None => Self::step_held_under_all(body, hammers, h),
        }
        self.close_entry(entry);
    }

    /// The step of the held modes under any number of hammers over a sample of h [s].
    fn step_held_under_all(body: &mut ModeBank, hammers: &mut HammerSlots, h: f64) {
        let (mut forces, mut ways, mut count) = ([const { HeldForce::NONE }; MAX_HAMMERS], [0.0; MAX_HAMMERS], 0);
        for hammer in hammers.iter() {
            forces[count] = hammer.mean_force(h);
            count += 1;
        }
        body.advance_held(&forces[..count], &mut ways[..count]);
        for (hammer, &way) in hammers.iter_mut().zip(&ways) {
            hammer.end_held(way);
        }
    }

    /// Losses of the held modes under the mean forces, and of the variation of the forces within the sample.
    fn note_held_losses(&self, entry: &mut EnergyEntry) {
        let mean = |s: &Hammer| s.held.impulse / self.h;
        let pulled = |i: usize| -self.hammers.iter().map(|s| s.fit.body[i] * mean(s)).sum::<f64>();
        entry.lost_in_modes = self.body.held_loss(pulled);
        let n = self.hammers.len();
        let displaced = |a: usize, hammer: &Hammer| {
            let others = self.hammers.numbered().filter(|(b, _)| *b != a);
            hammer.held.compliance * mean(hammer) + others.map(|(b, s)| self.held.coupling[a * n + b] * mean(s)).sum::<f64>()
        };
        let of_means: f64 = self.hammers.numbered().map(|(a, s)| mean(s) * displaced(a, s)).sum();
        entry.lost_in_contact = self.held.squares - of_means;
    }
}

impl Hammer {
    /// Begins a sample: displacement and place of the held modes. In a contact the velocity of the held modes jumps between samples, which the
    /// forces expected next take into account.
    fn begin_held(&mut self, body: &ModeBank) {
        let HeldContact { compliance, way: last, next_way, place, .. } = self.held;
        let known = body.knows_next_way();
        let way = if known { next_way } else { body.held_way(&self.fit.body) };
        debug_assert!(way.to_bits() == body.held_way(&self.fit.body).to_bits(), "a known displacement must be invalidated");
        let place = if known { place } else { body.held_place(&self.fit.body) };
        if self.contact.touching {
            self.expect_jump(self.fit.held_share * (way - last));
        }
        self.held = HeldContact { compliance, way, place, ..HeldContact::default() };
    }

    /// Mean force on the body over a sample of h [s].
    fn mean_force(&self, h: f64) -> HeldForce<'_> {
        HeldForce { weights: self.fitted_weights(), force: self.held.impulse / h }
    }

    /// Ends a sample, after which the held modes move by `next_way` [m] over the next one without force.
    fn end_held(&mut self, next_way: f64) {
        self.held.next_way = next_way;
        self.held.place += self.held.moved;
        self.held.moved = 0.0;
    }

    /// From now on the free compression grows by `jump` [m] more in a substep.
    fn expect_jump(&mut self, jump: f64) {
        let (stiffness, drag) = self.contact.law.steepness(self.substep.equation.dt, &self.substep.solution);
        let b = self.fit.held_share * self.held.compliance;
        let yields = 1.0 / (1.0 + b * drag);
        self.contact.trend.bend(VelocityJump { way: jump * yields, stiffness, drag, resistance: b * stiffness * yields });
    }

    /// Fits its weights of the held modes to the sample.
    pub(crate) fn fit_held(&mut self, body: &mut ModeBank) {
        let compliance = body.fit_held(&self.weights.body, &mut self.fit.body);
        self.held = HeldContact { compliance, ..HeldContact::default() };
    }

    /// Displacement [m] of the held modes over a substep of dt [s], the `share` of a sample, under its own force [N]. All forces together
    /// reduce the displacement over a sample by `displaced` [m].
    #[inline(always)]
    fn move_held(&mut self, dt: f64, share: f64, force: f64, displaced: f64) -> f64 {
        let held = &mut self.held;
        let way = held.way - displaced;
        let moved = share * way;
        held.moved += moved;
        held.velocity = moved / dt;
        held.impulse += force * dt;
        moved
    }
}
