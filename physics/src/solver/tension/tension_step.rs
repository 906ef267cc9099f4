//! Free flight and substeps of a body whose tension acts.

use crate::modal::{ContactLoad, HAS_FAST_VERSIONS, Span, StretchChange, dot, dot3};
use crate::solver::collision::Collision;
use crate::solver::limits::StepCost;
use crate::solver::tension::root::{CLOSE, TensionRoot};

/// Factors by which the forces of contacts that give too much are lowered one after another at the limit of the cost. Without a force no contact
/// gives energy.
const LOWERED: [f64; 4] = [0.5, 0.5, 0.5, 0.0];

impl Collision {
    /// Adds the tension to the free flight that has been predicted over a span by plain weights.
    pub(crate) fn predict_tension(&mut self, span: Span) {
        let mut root = self.begin_root(span);
        loop {
            self.relax(&root);
            let by = self.tension.load_by(&self.body, std::iter::empty());
            if self.is_root(&mut root, by) {
                break;
            }
        }
        let Self { body, hammers, .. } = self;
        let (felt, share) = (body.felt(), body.share(span));
        for hammer in hammers.iter_mut() {
            hammer.substep.body_way = dot(&hammer.weights.body[..felt], &body.dq[..felt]) + share * hammer.held.way;
            hammer.substep.equation.df = hammer.substep.body_way + hammer.substep.own_way;
        }
    }

    /// Forces of all contacts and the tension over a substep that has been predicted by fitted weights. The predicted step of the body
    /// then includes both.
    pub(crate) fn solve_with_tension(&mut self, span: Span, effort: &mut StepCost) {
        if HAS_FAST_VERSIONS && let Some(i) = self.hammers.only_active_number() {
            return self.solve_at_contact(i, span, effort);
        }
        let dt = span.seconds(self.h);
        let mut root = self.begin_root(span);
        loop {
            self.relax(&root);
            self.set_up_contacts(self.body.share(span));
            self.solve(dt, effort);
            let by = self.load_by_contacts();
            if self.is_root(&mut root, by) {
                return;
            }
            if self.budget.is_spent() {
                return self.follow_held_forces(span, root.tension());
            }
        }
    }

    /// The same with hammer i alone: no displacement is computed before the tension is found.
    fn solve_at_contact(&mut self, i: usize, span: Span, effort: &mut StepCost) {
        let (dt, share) = (span.seconds(self.h), self.body.share(span));
        let mut root = self.begin_root(span);
        let hammer = &self.hammers[i];
        let inner = dot3(&hammer.fit.own, &hammer.fit.own, &hammer.bank.table().bq);
        loop {
            self.budget.charge_tension(self.problem_size());
            let Self { body, hammers, tension, .. } = self;
            let hammer = &mut hammers[i];
            let at = tension.at_contact(body, &hammer.fit.body, root.tension());
            hammer.substep.body_way = at.way + share * hammer.held.way;
            hammer.fit.body_compliance = at.compliance + share * hammer.held.compliance;
            hammer.substep.equation.df = hammer.substep.body_way + hammer.substep.own_way;
            hammer.fit.compliance = hammer.fit.body_compliance + inner;
            self.solve(dt, effort);
            let force = self.hammers[i].substep.solution.force;
            if self.accepted(&mut root, at.under(force)).is_some() {
                let Self { body, hammers, tension, .. } = self;
                let load = ContactLoad { tension: root.tension(), weights: &hammers[i].fit.body, force };
                let by = StretchChange { change: tension.hold_at_contact(body, load), ..StretchChange::default() };
                let left = root.residual(tension.stiffness(), &by) * by.change;
                return tension.leave(left);
            }
            if self.budget.is_spent() {
                return self.follow_held_forces(span, root.tension());
            }
        }
    }

    /// Ends the iteration at the limit of the cost: the contacts keep the forces found last, and the tension, near `guess`, follows them
    /// alone, without solving a contact again. If a contact would give more energy than it stores, all forces are halved.
    #[cold]
    fn follow_held_forces(&mut self, span: Span, guess: f64) {
        let (dt, share) = (span.seconds(self.h), self.body.share(span));
        let (mut guess, mut factors) = (guess, LOWERED.into_iter());
        loop {
            let mut root = TensionRoot::new(guess, self.present_stretch(), CLOSE);
            let left = loop {
                self.relax(&root);
                self.set_up_contacts(share);
                let by = self.load_by_contacts();
                if let Some(left) = self.accepted(&mut root, by) {
                    break left;
                }
            };
            guess = root.tension();
            self.hammers.iter_mut().for_each(|hammer| hammer.set_up_equation(dt, hammer.substep.equation.df));
            let factor = if self.any_contact_overdraws() { factors.next() } else { None };
            let Some(factor) = factor else {
                self.tension.hold(guess, left, &mut self.body);
                return self.keep_forces();
            };
            self.hammers.iter_mut().for_each(|hammer| hammer.substep.solution.force *= factor);
        }
    }

    /// The change of e under the forces of the contacts.
    fn load_by_contacts(&mut self) -> StretchChange {
        let Self { body, hammers, tension, .. } = self;
        tension.load_by(body, hammers.iter().map(|s| (s.fitted_weights(), s.substep.solution.force)))
    }

    fn begin_root(&self, span: Span) -> TensionRoot {
        TensionRoot::new(self.tension.guess(span.seconds(self.h)), self.present_stretch(), CLOSE)
    }

    /// e0.
    fn present_stretch(&self) -> f64 {
        self.tension.stretch(&self.body.modes.q[..self.body.felt()])
    }

    /// The displacements of the body's felt modes under a tension without contacts.
    fn relax(&mut self, root: &TensionRoot) {
        self.budget.charge_tension(self.problem_size());
        self.tension.relax(&self.body, root.tension());
    }

    /// Whether the tension just tried is that of the step, which then is the predicted one.
    fn is_root(&mut self, root: &mut TensionRoot, by: StretchChange) -> bool {
        let left = self.accepted(root, by);
        if let Some(left) = left {
            self.tension.hold(root.tension(), left, &mut self.body);
        }
        left.is_some()
    }

    /// Energy [J] that the iteration leaves if the tension just tried is that of the step.
    fn accepted(&self, root: &mut TensionRoot, by: StretchChange) -> Option<f64> {
        let stiffness = self.tension.stiffness();
        let residual = root.residual(stiffness, &by);
        root.limit_given(residual, stiffness, &by);
        let accepted = root.accepts(residual, 1.0 + 0.5 * stiffness * by.slope, root.tension() + stiffness * root.stretch());
        accepted.then_some(residual * by.change)
    }

    /// Free way and compliance of every contact under the tension just tried, and the couplings.
    fn set_up_contacts(&mut self, share: f64) {
        let Self { body, hammers, tension, .. } = self;
        let felt = body.felt();
        for hammer in hammers.iter_mut() {
            let weights = &hammer.fit.body[..felt];
            let held = share * hammer.held.compliance;
            let inner = dot3(&hammer.fit.own, &hammer.fit.own, &hammer.bank.table().bq);
            hammer.substep.body_way = dot(weights, tension.relaxed()) + share * hammer.held.way;
            hammer.fit.body_compliance = dot3(weights, weights, tension.softened()) + held;
            hammer.substep.equation.df = hammer.substep.body_way + hammer.substep.own_way;
            hammer.fit.compliance = hammer.fit.body_compliance + inner;
        }
        for a in 0..self.hammers.end() {
            for b in (0..a).filter(|&b| self.hammers.is_active(a) && self.hammers.is_active(b)) {
                let weights = [a, b].map(|i| &self.hammers[i].fitted_weights()[..felt]);
                let n = self.hammers.len();
                let held = share * self.held.coupling[a * n + b];
                let shared = dot3(weights[0], weights[1], self.tension.softened()) + held;
                (self.coupling[a * n + b], self.coupling[b * n + a]) = (shared, shared);
            }
        }
    }
}
