//! Samples and substeps of a body whose potential acts.

use crate::modal::{Span, dot, dot3};
use crate::solver::body_potential::PotentialPhase;
use crate::solver::collision::Collision;
use crate::solver::hammer_state::WeightKind;
use crate::solver::limits::StepCost;

/// Part of the way in a sample that a gap has to exceed.
const MARGIN: f64 = 0.05;

impl Collision {
    /// Begins a sample: half a rotation, or u where something may touch.
    #[inline]
    pub(crate) fn begin_potential(&mut self) {
        if self.potential.acts() {
            self.begin_acting();
        }
    }

    #[inline(never)]
    fn begin_acting(&mut self) {
        self.budget.charge_potential(self.potential.cost(), self.problem_size());
        let was = self.potential.phase();
        if self.potential.is_curved() {
            self.exchange_energy(Self::prepare_shift);
        }
        if self.may_touch() {
            self.budget.charge_potential(self.potential.cost(), self.problem_size());
            let Self { potential, body, hammers, .. } = self;
            potential.begin_held(body, hammers.numbered().map(|(i, s)| (i, s.fitted_weights())));
            return;
        }
        self.exchange_energy(|c| {
            c.know_potential();
            c.potential.rotate(&mut c.body.modes.v, 0.5 * c.h);
            c.body.forget_felt_ahead();
        });
        if was == PotentialPhase::Held {
            // compliances include the potential
            self.phase.fitted = None;
        }
    }

    fn know_potential(&mut self) {
        if !self.potential.is_known() {
            self.potential.evaluate(&self.body.modes.q);
        }
    }

    /// Lets C0 follow the energy of the modes.
    ///
    /// V >= -(elastic energy of the modes), so that the energy of a body is never negative. Where V changes too fast for the sample rate, psi can
    /// give the modes more energy than V loses, at most C0, which contacts and losses would then dissipate although it was not supplied. Where body and
    /// potential together have less than half of what they would have with V itself, the modes return that energy first.
    fn prepare_shift(&mut self) {
        self.know_potential();
        let (mut modes, stored) = (self.felt_energy(), self.potential.energy());
        let least = self.potential.value().unwrap_or(0.0).clamp(-modes, 0.0);
        if stored < 0.0 && stored + modes < 0.5 * (modes + least) {
            let returned = self.return_energy();
            modes -= returned;
            self.potential.receive(returned);
            self.potential.evaluate(&self.body.modes.q);
        }
        self.potential.follow_energy(modes);
    }

    /// Ends a sample: the other half of the rotation, and relaxation.
    #[inline]
    pub(crate) fn end_potential(&mut self) {
        if self.potential.acts() {
            self.end_acting();
        }
    }

    #[inline(never)]
    fn end_acting(&mut self) {
        self.exchange_energy(|c| {
            c.potential.evaluate(&c.body.modes.q);
            if c.potential.phase() == PotentialPhase::Rotating {
                c.potential.rotate(&mut c.body.modes.v, 0.5 * c.h);
            }
            c.potential.relax(&mut c.body.modes.v);
            c.body.forget_felt_ahead();
        });
    }

    /// Whether any hammer touches, or could in this sample.
    fn may_touch(&mut self) -> bool {
        if self.phase.in_contact || self.any_touching() {
            return true;
        }
        if !self.any_active() {
            return false;
        }
        self.predict(Span::Level(0), WeightKind::Plain);
        let Self { hammers, potential, body, h, .. } = self;
        hammers.iter().any(|s| {
            let own = h.abs() * s.velocity().abs();
            let margin = MARGIN * (own + potential.spread(&s.body_weights()[..body.felt()], &body.modes.v, *h));
            s.contact.x + s.substep.equation.df > -margin
        })
    }

    /// Adds the held force to the free flight that has been predicted over a span by plain weights.
    #[inline(never)]
    pub(crate) fn predict_potential(&mut self, span: Span) {
        let Self { body, hammers, potential, .. } = self;
        potential.fit(span, &body.table().bq);
        let mean = potential.free_mean(&body.dq);
        potential.hold(mean, body);
        let (felt, share) = (body.felt(), body.share(span));
        for hammer in hammers.iter_mut() {
            hammer.substep.body_way = dot(&hammer.weights.body[..felt], &body.dq[..felt]) + share * hammer.held.way;
            hammer.substep.equation.df = hammer.substep.body_way + hammer.substep.own_way;
        }
    }

    /// Forces of all contacts and the held force over a substep that has been predicted by fitted weights. The predicted step of the
    /// body then includes all of them.
    #[inline(never)]
    pub(crate) fn solve_with_potential(&mut self, span: Span, effort: &mut StepCost) {
        let dt = span.seconds(self.h);
        self.budget.charge_held_force(self.problem_size());
        self.potential.fit(span, &self.body.table().bq);
        if !self.potential.note_contacts(span) {
            self.fit_contacts(span);
        }
        let free = self.potential.free_mean(&self.body.dq);
        for (i, hammer) in self.hammers.numbered_mut() {
            hammer.substep.body_way -= self.potential.coupling(i) * free;
            hammer.substep.equation.df = hammer.substep.body_way + hammer.substep.own_way;
        }
        self.solve(dt, effort);
        let Self { body, hammers, potential, .. } = self;
        let mut mean = free;
        for (i, hammer) in hammers.numbered() {
            let force = hammer.substep.solution.force;
            if force != 0.0 {
                mean -= 0.5 * potential.coupling(i) * force / potential.resistance();
                body.apply_force(hammer.fitted_weights(), force);
                potential.note_force(i, force, dt);
            }
        }
        potential.hold(mean, body);
    }

    /// Coupling of the held force with every contact, compliances and couplings with it.
    fn fit_contacts(&mut self, span: Span) {
        let Self { body, hammers, potential, .. } = self;
        let (felt, share, bq) = (body.felt(), body.share(span), &body.table().bq);
        let over = 0.5 / potential.resistance();
        for (i, hammer) in hammers.numbered_mut() {
            let weights = &hammer.fit.body[..felt];
            let coupling = dot(weights, &potential.response()[..felt]);
            potential.set_coupling(i, coupling);
            let inner = dot3(&hammer.fit.own, &hammer.fit.own, &hammer.bank.table().bq);
            let held = share * hammer.held.compliance;
            hammer.fit.body_compliance = dot3(weights, weights, &bq[..felt]) + held - over * coupling * coupling;
            hammer.fit.compliance = hammer.fit.body_compliance + inner;
        }
        let n = self.hammers.len();
        for a in 0..self.hammers.end() {
            for b in (0..a).filter(|&b| self.hammers.is_active(a) && self.hammers.is_active(b)) {
                let weights = [a, b].map(|i| &self.hammers[i].fitted_weights()[..felt]);
                let held = share * self.held.coupling[a * n + b];
                let product = self.potential.coupling(a) * self.potential.coupling(b);
                let shared = dot3(weights[0], weights[1], &self.body.table().bq[..felt]) + held - over * product;
                (self.coupling[a * n + b], self.coupling[b * n + a]) = (shared, shared);
            }
        }
    }
}
