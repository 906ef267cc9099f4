//! A substep of a body that one hammer has for itself: nothing is predicted that is not made, and a pass over the body's modes makes it when
//! the force is known.
//!
//! States and forces are to the last bit those of [`Collision::predict`] and what follows it. While the ledger is open, which asks for
//! the prediction, that is the way.

use crate::modal::Span;
use crate::solver::collision::{Collision, SAMPLE, StepCost, SubstepReport};

impl Collision {
    /// The only hammer that is there, unless the ledger is open.
    #[inline]
    pub(crate) fn alone(&self) -> Option<usize> {
        let mut active = self.strikers.numbered();
        let (i, _) = active.next()?;
        (active.next().is_none() && self.ledger.is_none()).then_some(i)
    }

    /// One substep of hammer i and the body, at the level or to the end of the sample.
    pub(crate) fn substep_alone(
        &mut self,
        i: usize,
        done: &mut u32,
        span: Span,
        effort: &mut StepCost,
        watch: &mut impl FnMut(&Collision, &SubstepReport),
    ) {
        let mut span = span;
        let lasts = self.strikers[i].touching;
        loop {
            self.foretell(i, span);
            if lasts {
                break;
            }
            let Some(level) = self.finer_level_for_newcomers(span) else { break };
            self.level = level;
            span = Span::Level(level);
        }
        let dt = span.seconds(self.h);
        let start = self.h * f64::from(*done) / f64::from(SAMPLE);
        let striker = &mut self.strikers[i];
        striker.set_up_equation(dt, striker.equation.df);
        striker.solve(effort);
        self.correct_for_preload(i, span);
        let Self { body, strikers, .. } = &mut *self;
        let striker = &mut strikers[i];
        striker.make_ready();
        if !lasts {
            // who sees a contact begin may ask how things stood before
            body.remember();
            striker.bank.remember();
        }
        let speed = body.advance_ahead(&striker.felt, striker.solution.force);
        let own = striker.go(span, dt, striker.solution.force);
        let (touched, _) = self.follow_contact(i, start, dt, Some(speed + own), watch);
        if lasts {
            self.charge_pass(1);
        } else {
            self.charge_prediction();
            self.charge_commit();
        }
        self.pass(span, dt, touched, done, effort);
    }

    /// How far hammer i would be compressed over a span if no force acted. In line: a span put down in memory part by part and taken up as a
    /// whole is waited for.
    #[inline(always)]
    fn foretell(&mut self, i: usize, span: Span) {
        self.update_coupling(span);
        let Self { body, strikers, .. } = self;
        let striker = &mut strikers[i];
        body.take(span);
        striker.carried = body.next_way(&striker.felt);
        striker.equation.df = striker.carried + striker.next_way(span, body.seconds(span));
    }
}
