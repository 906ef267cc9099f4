//! A hammer on a body: its own modes (a point mass is one mode at 0 Hz), its contact law and the state of the contact.

use crate::contact::{ByRoots, ContactLaw, Equation, ForceExtrapolator, HERTZ, Linear, Ready, Solution};
use crate::modal::{BodyArrays, FirstModeStep, MAX_STEPS_PER_PASS, Mode, ModeArray, ModeBank, Modes, Span, dot, fit, mode_array};
use crate::solver::hammer_state::{ContactState, ContactWeights, Placement, SpanFit, SubstepState, WeightKind};
use crate::solver::held_contact::HeldContact;
use crate::solver::limits::StepCost;

/// A hammer and its contact.
#[derive(Clone, Debug)]
pub struct Hammer {
    /// It takes part.
    pub(crate) active: bool,
    pub(crate) bank: ModeBank,
    /// Mass of the rigid part [kg].
    pub(crate) mass: f64,
    /// Outside force on the rigid part [m kg^1/2/s^2].
    pub(crate) push: f64,
    pub(crate) weights: ContactWeights,
    pub(crate) placement: Placement,
    pub(crate) contact: ContactState,
    pub(crate) fit: SpanFit,
    pub(crate) substep: SubstepState,
    pub(crate) held: HeldContact,
}

impl Hammer {
    /// Room for `own` modes against a body of `modes` modes; the only allocation.
    pub(crate) fn new(h: f64, own: usize, modes: usize, levels: usize) -> Self {
        Self {
            active: false,
            bank: ModeBank::new(h, own, levels),
            mass: 1.0,
            push: 0.0,
            weights: ContactWeights { own: mode_array(own), body: mode_array(modes), felt: 0, mobility: 0.0 },
            placement: Placement::default(),
            contact: ContactState {
                law: ContactLaw::hunt_crossley(1.0, 1.0, 0.0),
                next_law: None,
                memory: 0.0,
                x: 0.0,
                energy: 0.0,
                touching: false,
                touched: false,
                trend: ForceExtrapolator::default(),
                last_level: None,
            },
            fit: SpanFit {
                own: mode_array(own),
                body: mode_array(modes),
                held_share: 0.0,
                first_mode: FirstModeStep::default(),
                compliance: 0.0,
                body_compliance: 0.0,
                beta: 0.0,
                echo: [0.0; MAX_STEPS_PER_PASS - 1],
            },
            substep: SubstepState {
                equation: Equation { x0: 0.0, df: 0.0, b: 1.0, dt: 1.0, beta: 0.0, memory: 0.0, expected: f64::NAN },
                solution: Solution::default(),
                body_way: 0.0,
                own_way: 0.0,
                start: Ready::default(),
            },
            held: HeldContact::default(),
        }
    }

    /// Sets law, own modes, weights 1/sqrt(mass) and the body's weights; at rest, at zero distance.
    pub(crate) fn set_up(
        &mut self,
        law: ContactLaw,
        modes: impl IntoIterator<Item = Mode>,
        own: &[f64],
        body: &[f64],
        arrays: BodyArrays,
    ) {
        self.contact.law = law;
        self.contact.next_law = None;
        self.contact.memory = 0.0;
        (self.contact.trend, self.contact.last_level) = (ForceExtrapolator::default(), None);
        self.bank.set(modes);
        set_padded(&mut self.weights.own, own.iter().copied(), self.bank.modes.padded());
        set_padded(&mut self.fit.own, std::iter::empty(), self.bank.modes.padded());
        set_padded(&mut self.fit.body, std::iter::empty(), arrays.padded);
        self.mass = 1.0 / (own[0] * own[0]);
        self.push = 0.0;
        self.active = true;
        self.contact.touching = false;
        self.contact.touched = false;
        self.contact.x = 0.0;
        (self.placement.offset, self.placement.placed, self.placement.stays) = (0.0, 0.0, false);
        (self.placement.profile, self.placement.rise, self.placement.climb) = (0.0, 0.0, 0.0);
        (self.fit.compliance, self.fit.beta, self.substep.solution) = (0.0, 0.0, Solution::default());
        self.held = HeldContact::default();
        self.set_body_weights(body, arrays);
    }

    /// Sets the body's weights; those of held modes have to be fitted then.
    pub(crate) fn set_body_weights(&mut self, body: &[f64], arrays: BodyArrays) {
        set_padded(&mut self.weights.body, body.iter().map(|w| -w), arrays.padded);
        self.weights.felt = arrays.felt;
        self.weights.update_mobility();
    }

    /// Mass of the rigid part [kg].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The contact law in force.
    pub fn law(&self) -> ContactLaw {
        self.contact.law
    }

    /// Whether it is in contact now.
    pub fn touching(&self) -> bool {
        self.contact.touching
    }

    /// Whether it has been in contact since it was added.
    pub fn has_touched(&self) -> bool {
        self.contact.touched
    }

    /// Compression [m]; negative is the gap.
    pub fn compression(&self) -> f64 {
        self.contact.x
    }

    /// Its own modes, whose state must not be borrowed; mode 0 is the rigid part.
    pub fn modes(&self) -> &Modes {
        debug_assert!(!self.bank.borrowed, "settle must be called first");
        &self.bank.modes
    }

    /// Weights of its own modes at the contact point [kg^-1/2].
    pub fn own_weights(&self) -> &[f64] {
        &self.weights.own[..self.bank.modes.len()]
    }

    /// Weights of the body's modes at the contact point, negative of shape over root of mass [kg^-1/2].
    pub fn body_weights(&self) -> &[f64] {
        &self.weights.body
    }

    /// Its law, if that is linear.
    pub(crate) fn linear_law(&self) -> Option<Linear> {
        match self.contact.law {
            ContactLaw::Linear(law) => Some(law),
            _ => None,
        }
    }

    /// Sum of the squared weights of its own and of the felt modes [1/kg]: one over the reduced mass of the contact.
    pub fn mobility(&self) -> f64 {
        self.weights.mobility
    }

    /// Outside force on the rigid part [m kg^1/2/s^2].
    pub fn push(&self) -> f64 {
        self.push
    }

    /// Displacement of the contact point since it was added [m], positive towards the body.
    pub fn position(&self) -> f64 {
        dot(&self.weights.own, &self.modes().q)
    }

    /// Velocity of the contact point [m/s], positive towards the body.
    pub fn velocity(&self) -> f64 {
        dot(&self.weights.own, &self.modes().v)
    }

    /// Kinetic and elastic energy of its own modes [J], without the contact's.
    pub fn energy(&self) -> f64 {
        self.modes().energy()
    }

    /// The same before the last step [J].
    pub fn energy_before(&self) -> f64 {
        self.bank.energy_before()
    }

    /// Energy [J] of the rigid part's motion about its equilibrium under push, spring and the present force.
    pub fn energy_about_equilibrium(&self) -> f64 {
        let (mode, q, v) = (self.bank.modes.mode(0), self.bank.modes.q[0], self.bank.modes.v[0]);
        let force = if self.contact.touching { self.fit.own[0] * self.substep.solution.force } else { 0.0 };
        let swing = mode.omega * q - if mode.omega > 0.0 { (self.push - force) / mode.omega } else { 0.0 };
        0.5 * (v * v + swing * swing)
    }

    /// Energy U stored in the contact [J].
    pub fn contact_energy(&self) -> f64 {
        self.contact.law.stored(self.contact.x, self.contact.memory, 0.0)
    }

    /// Force [N] of the law at compression x [m] and compression velocity v [m/s]; >= 0.
    pub fn force_at(&self, x: f64, v: f64) -> f64 {
        self.contact.law.force(x, v, self.contact.memory).max(0.0)
    }

    /// Energy U + beta U'^2 of the contact [J], which the energy balance counts.
    pub(crate) fn corrected_contact_energy(&self) -> f64 {
        self.contact.law.stored(self.contact.x, self.contact.memory, self.fit.beta)
    }

    /// Whether the stored contact energy is correct to rounding, or not a number.
    pub(crate) fn is_energy_current(&self) -> bool {
        let booked = self.corrected_contact_energy();
        let wrong = (self.contact.energy - booked).abs() > 1e-9 * booked.abs() + f64::MIN_POSITIVE;
        !wrong
    }

    /// Predicts its own modes and the profile over the span, push included. Change of compression, by fitted or by plain weights.
    #[inline(always)]
    pub(crate) fn predict(&mut self, span: Span, kind: WeightKind) -> f64 {
        let own = if kind == WeightKind::Fitted { &self.fit.own } else { &self.weights.own };
        let mut moved = self.bank.predict(span, own);
        if self.push != 0.0 {
            let pushed = self.bank.push(0, self.push);
            moved = if self.bank.modes.len() == 1 { own[0] * self.bank.dq[0] } else { moved + own[0] * pushed };
        }
        self.placement.climb = if self.placement.rise == 0.0 { 0.0 } else { self.placement.rise * self.bank.seconds(span) };
        moved + self.placement.climb
    }

    /// Makes the predicted state the present one, the force of the solution included.
    #[inline(always)]
    pub(crate) fn commit(&mut self) {
        self.bank.force_and_commit(&self.fit.own, self.substep.solution.force);
        self.placement.profile += self.placement.climb;
    }

    /// Work of the push, and of the profile against the contact force, over the predicted step [J]; valid before `commit`.
    pub(crate) fn work(&self) -> f64 {
        let way = || self.bank.way(0, self.fit.own[0] * self.substep.solution.force);
        let pushed = if self.push == 0.0 { 0.0 } else { self.push * way() };
        pushed + self.substep.solution.force * self.placement.climb
    }

    /// Fits weights and compliance to the tables of a span, which the body has selected; the compression moves such that the
    /// contact keeps its energy.
    pub(crate) fn fit(&mut self, body: &mut ModeBank, span: Span) {
        self.contact.trend = ForceExtrapolator::default();
        body.forget_felt_ahead();
        self.bank.take(span);
        let (outer, inner) = (body.table(), self.bank.table());
        self.fit.first_mode = FirstModeStep::of(inner);
        let felt = self.weights.felt;
        let of_body = fit(&self.weights.body[..felt], [&outer.droop, &outer.bq], &mut self.fit.body[..felt]);
        let inertial = of_body + fit(&self.weights.own, [&inner.droop, &inner.bq], &mut self.fit.own);
        self.fit.held_share = body.share(span);
        let held = self.fit.held_share * self.held.compliance;
        (self.fit.body_compliance, self.fit.compliance) = (of_body + held, inertial + held);
        // several substeps in one pass exist for parts of a sample only
        if matches!(span, Span::Level(1..)) {
            let (outer, own) = (body.echoes(&self.fit.body), self.bank.echoes(&self.fit.own));
            self.fit.echo = std::array::from_fn(|n| outer[n] + own[n]);
        }
        let from = (self.contact.law, self.fit.beta);
        self.fit.beta = self.contact.law.correction(inertial);
        self.keep_contact_energy(from);
    }

    /// Weights of the body's modes with the hold's correction: of the felt modes for the span fitted last, of the held modes for a
    /// sample.
    pub(crate) fn fitted_weights(&self) -> &[f64] {
        &self.fit.body
    }

    /// Velocity of compression by the fitted weights [m/s]: the part of hammer and profile.
    #[inline]
    pub(crate) fn own_fitted_closing(&self) -> f64 {
        let (own, v) = (&self.fit.own, &self.bank.modes.v);
        self.placement.rise + if self.bank.modes.len() == 1 { own[0] * v[0] } else { dot(own, v) }
    }

    /// Velocity of compression by the fitted weights [m/s], with that of the held modes in the last substep.
    pub(crate) fn fitted_closing(&self, body: &Modes) -> f64 {
        let felt = self.weights.felt;
        dot(&self.fit.body[..felt], &body.v[..felt]) + self.held.velocity + self.own_fitted_closing()
    }

    /// Loss of its own modes over the predicted step [J]; with an energy balance only.
    pub(crate) fn own_loss(&self) -> f64 {
        let force = self.substep.solution.force;
        self.bank.step_loss(|i| if i == 0 { self.push } else { 0.0 } - self.fit.own[i] * force)
    }

    /// Moves the compression such that the contact gains no energy over what it had under another law and another beta.
    pub(crate) fn keep_contact_energy(&mut self, (law, beta): (ContactLaw, f64)) {
        (self.contact.x, self.contact.memory) =
            self.contact.law.taking_over(&law, beta, (self.contact.x, self.contact.memory), self.fit.beta);
        self.contact.energy = self.corrected_contact_energy();
    }

    /// The equation of the next substep of dt [s], in which the compression would change by `df` [m] without a force. For one
    /// substep the law's own guess is as good as the extrapolated force.
    #[inline]
    pub(crate) fn set_up_equation(&mut self, dt: f64, df: f64) {
        let (x0, b, beta, memory) = (self.contact.x, self.fit.compliance, self.fit.beta, self.contact.memory);
        self.substep.equation = Equation { x0, df, b, dt, beta, memory, expected: f64::NAN };
    }

    /// Solves its equation as that of the only contact.
    #[inline]
    pub(crate) fn solve(&mut self, effort: &mut StepCost) {
        match &self.contact.law {
            ContactLaw::HuntCrossley(law) if law.exponent() == HERTZ && self.substep.equation.x0 > 0.0 => {
                // stored field by field: copying a struct just written would stall on store forwarding
                match ByRoots(law).quick_from(&self.substep.start, &self.substep.equation) {
                    Some(Solution { x1, d, force, iterations, capped, bracketed }) => {
                        self.substep.solution = Solution { x1, d, force, iterations, capped, bracketed };
                    }
                    None => self.substep.solution = law.solve_at_edge(&self.substep.equation),
                }
            }
            law => self.substep.solution = law.solve(&self.substep.equation),
        }
        effort.most_iterations = effort.most_iterations.max(self.substep.solution.iterations);
        effort.most_sweeps = effort.most_sweeps.max(1);
    }

    /// Prepares the next substep, which starts at the end of this one, so that its divisions overlap with other work.
    #[inline(always)]
    pub(crate) fn make_ready(&mut self) {
        if let ContactLaw::HuntCrossley(law) = &self.contact.law
            && law.exponent() == HERTZ
            && self.substep.solution.x1 > 0.0
        {
            self.substep.start = Ready::new(law, self.substep.solution.x1, &self.substep.equation);
        }
    }

    /// Takes over the compression x1 [m] after a substep, and updates the law's memory.
    #[inline]
    pub(crate) fn finish_substep(&mut self, x1: f64) {
        self.contact.trend.note(&self.substep.solution);
        self.contact.x = x1;
        self.contact.memory = self.contact.law.remembering(self.contact.memory, x1);
    }

    /// Relaxes the law's memory over dt [s]; the energy [J] that this dissipates.
    #[inline(always)]
    pub(crate) fn relax(&mut self, dt: f64) -> f64 {
        let (memory, loss) = self.contact.law.relaxing(self.contact.memory, self.contact.x, dt);
        self.contact.memory = memory;
        loss
    }

    /// Ends the contact: a deferred law comes into force. Returns the energy [J] lost with the old one.
    pub(crate) fn end_contact(&mut self) -> f64 {
        let Some(law) = self.contact.next_law.take() else { return 0.0 };
        let lost = self.corrected_contact_energy();
        self.contact.law = law;
        self.contact.memory = 0.0;
        lost
    }

    /// Forgets the level found last, after a change of law or weights.
    pub(crate) fn reconsider(&mut self) {
        self.contact.last_level = None;
    }
}

fn set_padded(array: &mut ModeArray, values: impl Iterator<Item = f64>, padded: usize) {
    array.clear();
    array.resize(padded, 0.0);
    array.iter_mut().zip(values).for_each(|(number, value)| *number = value);
}
