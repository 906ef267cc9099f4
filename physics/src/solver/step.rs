//! One body and the hammers on it, a sample at a time (EDG-D: exponential discrete gradient, dyadic substeps in contact).
//!
//! Out of contact, body and hammers move freely and exactly over the whole sample. If a hammer would touch within the sample, all
//! move to the last grid point before the onset, and from there in substeps of h/2^j until the contact has ended:
//!
//! ```text
//! predict hammer and body     dq, vf = A (q, v) + B a - (q, 0)
//! predict the compression     df = sum Wt dq                           Wt = W/sinc^2(omega dt/2)
//! solve for the force         d_a = df_a - sum_b B_ab F_b,  F_a = Phi_a(x_a, x_a + d_a)
//! apply it to both            q +=  dq - Wt Bq F,  v = vf - Wt Bv F   with opposite signs: W is + for hammers, - for the body
//! record the energy
//! ```
//!
//! The free steps are exact and the force is a discrete gradient of the contact's energy: no step gains energy, whatever the
//! sequence of steps (compare Li and Wu 2016 on exponential discrete gradients).
//!
//! A substep of a body with a single hammer predicts no state: it takes one pass over the body's modes once the force is known.
//! States and forces are bit for bit those of [`Collision::predict`] and the steps after it, which run when the energy balance,
//! which needs the prediction, is enabled.

use crate::modal::Span;
use crate::solver::collision::Collision;
use crate::solver::cost_budget::SolvedEquations;
use crate::solver::hammer::Hammer;
use crate::solver::hammer_state::WeightKind;
use crate::solver::limits::{MAX_SUBSTEPS, SAMPLE, StepCost, SubstepReport};

impl Collision {
    /// One sample of everything. At most `budget` (and never more than [`MAX_SUBSTEPS`]) substeps, then one that closes the
    /// sample; it is as passive as the others. `observer` sees every substep of every hammer in contact, and the state after it.
    /// Several substeps in one pass show the state after the last of them, unless the energy balance is enabled.
    pub fn step(&mut self, budget: u32, observer: &mut impl FnMut(&Collision, &SubstepReport)) -> StepCost {
        self.leave_exact();
        let affordable = self.begin_cost(budget.clamp(1, MAX_SUBSTEPS));
        let mut effort = StepCost::default();
        self.begin_tension();
        self.begin_held();
        self.begin_potential();
        let mut done = 0;
        while done < SAMPLE {
            if !self.phase.in_contact {
                done = self.fly(done);
                continue;
            }
            let budget = if self.budget.is_spent() { effort.substeps } else { affordable };
            if self.multi_substep(&mut done, budget, &mut effort, observer) {
                continue;
            }
            let left = SAMPLE - done;
            let span = if effort.substeps < budget {
                Span::Level(self.phase.level)
            } else if done == 0 {
                Span::Level(0)
            } else {
                Span::Seconds(self.h * f64::from(left) / f64::from(SAMPLE))
            };
            match self.only_hammer() {
                Some(i) => self.single_substep(i, &mut done, span, &mut effort, observer),
                None => self.substep(&mut done, span, &mut effort, observer),
            }
        }
        self.end_held();
        self.end_potential();
        self.end_tube();
        self.phase.in_contact &= self.any_touching();
        if self.phase.in_contact {
            self.reconsider_level();
        }
        self.budget.end(effort.substeps);
        effort
    }

    /// One substep of everything, at the level or to the end of the sample.
    fn substep(
        &mut self,
        done: &mut u32,
        span: Span,
        effort: &mut StepCost,
        observer: &mut impl FnMut(&Collision, &SubstepReport),
    ) {
        let mut span = span;
        loop {
            self.update_coupling(span);
            self.predict(span, WeightKind::Fitted);
            match self.finer_level_for_newcomers(span) {
                Some(level) => {
                    self.phase.take_level(level);
                    span = Span::Level(level);
                }
                None => break,
            }
        }
        let dt = span.seconds(self.h);
        if self.tension.acts() {
            self.solve_with_tension(span, effort);
        } else if self.potential.holds() {
            self.solve_with_potential(span, effort);
        } else {
            self.solve(dt, effort);
        }
        for i in 0..self.hammers.end() {
            if self.hammers.is_active(i) {
                self.correct_for_preload(i, span);
            }
        }
        let start = self.h * f64::from(*done) / f64::from(SAMPLE);
        let touched = self.apply(start, dt, observer);
        self.end_substep(span, dt, touched, done, effort);
    }

    /// Applies every force to its hammer and to the body with opposite signs, and records the energy. Whether any hammer was in
    /// contact.
    fn apply(&mut self, start: f64, dt: f64, observer: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        self.budget.charge_commit(self.problem_size());
        self.record_step(true, |c| {
            let mut lost = if c.tension.acts() {
                // the predicted step includes the forces
                c.body.commit();
                c.tension.end_acting_step(dt, &c.body.modes.q)
            } else if c.potential.holds() {
                c.body.commit();
                c.potential.end_step();
                0.0
            } else {
                c.commit_under_forces();
                0.0
            };
            c.hammers.iter_mut().for_each(Hammer::commit);
            c.move_held(dt);
            let mut touched = false;
            for i in 0..c.hammers.end() {
                if c.hammers.is_active(i) {
                    let (touches, loss) = c.follow_contact(i, start, dt, None, observer);
                    touched |= touches;
                    lost += loss;
                }
            }
            (lost, touched)
        })
    }

    /// Applies the forces to the predicted step of the body, and makes it the present state.
    #[inline(always)]
    fn commit_under_forces(&mut self) {
        let Self { body, hammers, .. } = self;
        // the last force is applied in the same pass as the commitment of the body
        let mut waiting: Option<&Hammer> = None;
        for hammer in hammers.iter().filter(|s| s.substep.solution.force != 0.0) {
            if let Some(last) = waiting.replace(hammer) {
                body.apply_force(last.fitted_weights(), last.substep.solution.force);
            }
        }
        match waiting {
            Some(last) => body.force_and_commit(last.fitted_weights(), last.substep.solution.force),
            None => body.commit(),
        }
    }
}

impl Collision {
    /// One substep of hammer i and the body, at the level or to the end of the sample.
    pub(crate) fn single_substep(
        &mut self,
        i: usize,
        done: &mut u32,
        span: Span,
        effort: &mut StepCost,
        observer: &mut impl FnMut(&Collision, &SubstepReport),
    ) {
        let mut span = span;
        let lasts = self.hammers[i].contact.touching;
        loop {
            self.predict_single(i, span);
            if lasts {
                break;
            }
            let Some(level) = self.finer_level_for_newcomers(span) else { break };
            self.phase.take_level(level);
            span = Span::Level(level);
        }
        let dt = span.seconds(self.h);
        let start = self.h * f64::from(*done) / f64::from(SAMPLE);
        let hammer = &mut self.hammers[i];
        hammer.set_up_equation(dt, hammer.substep.equation.df);
        hammer.solve(effort);
        self.correct_for_preload(i, span);
        let Self { body, hammers, .. } = &mut *self;
        let hammer = &mut hammers[i];
        hammer.make_ready();
        if !lasts {
            // an observer of an onset may ask for the state before it
            body.remember();
            hammer.bank.remember();
        }
        let speed = body.advance_ahead(&hammer.fit.body, hammer.substep.solution.force);
        let own = hammer.step_own_modes_once(span, dt, hammer.substep.solution.force);
        let held = self.move_held_under(i, dt, self.hammers[i].substep.solution.force);
        let (touched, _) = self.follow_contact(i, start, dt, Some(speed + own + held), observer);
        self.charge_single(i, lasts);
        self.end_substep(span, dt, touched, done, effort);
    }

    /// Counts the last substep, of hammer i alone.
    fn charge_single(&mut self, i: usize, lasts: bool) {
        let (hammer, size) = (&self.hammers[i], self.problem_size());
        let solved = SolvedEquations::of(&hammer.substep.solution);
        if lasts {
            self.budget.charge_pass(self.pass_size(i), &hammer.contact.law, solved);
        } else {
            self.budget.charge_prediction(size);
            self.budget.charge_commit(size);
            self.budget.charge_law(&hammer.contact.law, solved);
        }
    }

    /// Change of compression of hammer i over a span without force. Inlined: passing a span through memory would stall on store
    /// forwarding.
    #[inline(always)]
    fn predict_single(&mut self, i: usize, span: Span) {
        self.update_coupling(span);
        let Self { body, hammers, .. } = self;
        let hammer = &mut hammers[i];
        body.take(span);
        hammer.substep.body_way = body.next_way(&hammer.fit.body) + hammer.fit.held_share * hammer.held.way;
        hammer.substep.equation.df = hammer.substep.body_way + hammer.next_way(span, body.seconds(span));
    }
}
