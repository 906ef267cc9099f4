//! A substep of a body with a single hammer: no prediction of the state, one pass over the body's modes once the force is known.
//!
//! States and forces are bit for bit those of [`Collision::predict`] and the steps after it, which run when the energy balance,
//! which needs the prediction, is enabled.

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
            // an observer of an onset may ask for the state before it
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

    /// Change of compression of hammer i over a span without force. Inlined: passing a span through memory would stall on store
    /// forwarding.
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
