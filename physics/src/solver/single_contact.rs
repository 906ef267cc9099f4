//! A substep of a body that one hammer has for itself: nothing is predicted that is not made, and a pass over the body's modes makes it when
//! the force is known.
//!
//! States and forces are to the last bit those of [`Collision::predict`] and what follows it. While the ledger is open, which asks for
//! the prediction, that is the way.

use crate::modal::Span;
use crate::solver::collision::Collision;
use crate::solver::limits::SAMPLE;
use crate::solver::reports::{StepCost, SubstepReport};

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
            self.phase.level = level;
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
            // who sees a contact begin may ask how things stood before
            body.remember();
            hammer.bank.remember();
        }
        let speed = body.advance_ahead(&hammer.fit.body, hammer.substep.solution.force);
        let own = hammer.step_own_modes_once(span, dt, hammer.substep.solution.force);
        let (touched, _) = self.follow_contact(i, start, dt, Some(speed + own), observer);
        if lasts {
            self.budget.charge_pass(1, self.body.modes.padded());
        } else {
            self.budget.charge_prediction(self.problem_size());
            self.budget.charge_commit(self.problem_size());
        }
        self.end_substep(span, dt, touched, done, effort);
    }

    /// How far hammer i would be compressed over a span if no force acted. In line: a span put down in memory part by part and taken up as a
    /// whole is waited for.
    #[inline(always)]
    fn predict_single(&mut self, i: usize, span: Span) {
        self.update_coupling(span);
        let Self { body, hammers, .. } = self;
        let hammer = &mut hammers[i];
        body.take(span);
        hammer.substep.body_way = body.next_way(&hammer.fit.body);
        hammer.substep.equation.df = hammer.substep.body_way + hammer.next_way(span, body.seconds(span));
    }
}
