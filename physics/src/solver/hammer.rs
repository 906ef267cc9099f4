//! A hammer on a body: its own modes (a point mass is one mode at 0 Hz), its contact law, and where it stands in the contact.

use crate::contact::ContactLaw;
use crate::contact::{ByRoots, HERTZ, Ready};
use crate::contact::{Equation, ForceExtrapolator, Solution};
use crate::modal::{LANES, STRETCH, dot, fit};
use crate::modal::{Mode, Response};
use crate::modal::{ModeBank, Modes, Span};
use crate::solver::collision::StepCost;
use crate::solver::hammer_substeps::First;

/// A hammer and its contact. Weights are + for its own modes and - for those of the body.
#[derive(Clone, Debug)]
pub struct Hammer {
    pub(crate) law: ContactLaw,
    /// A law of another kind that waits for the end of the contact.
    next_law: Option<ContactLaw>,
    /// What the law remembers of the contact, see [`Law`].
    pub(crate) memory: f64,
    pub(crate) bank: ModeBank,
    pub(crate) own: Vec<f64>,
    pub(crate) own_felt: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    pub(crate) felt: Vec<f64>,
    mass: f64,
    pub(crate) push: f64,
    pub(crate) offset: f64,
    /// The offset with which it was placed [m].
    pub(crate) placed: f64,
    /// It stays where it is, behind the body: apart, its offset comes back at once.
    pub(crate) stays: bool,
    /// Height of the profile under it [m], its velocity [m/s], and its way over the predicted step [m].
    pub(crate) profile: f64,
    pub(crate) rise: f64,
    pub(crate) climb: f64,
    mobility: f64,
    pub(crate) active: bool,
    pub(crate) touching: bool,
    pub(crate) touched: bool,
    pub(crate) x: f64,
    /// Step of the rigid part over the span that it is fitted to.
    pub(crate) first: First,
    /// Energy in the contact [J], as the ledger counts it; while it touches.
    pub(crate) held: f64,
    pub(crate) b: f64,
    /// The body's part of b [m/N], and of the way in the predicted substep if no force acted [m].
    pub(crate) body_b: f64,
    pub(crate) carried: f64,
    /// What a force takes from the compression in the substeps after its own [m/N], where several may be made in one pass.
    pub(crate) echo: [f64; STRETCH - 1],
    pub(crate) beta: f64,
    pub(crate) solution: Solution,
    pub(crate) equation: Equation,
    /// What is known of the next substep.
    ready: Ready,
    /// Forces of this contact at this level.
    pub(crate) trend: ForceExtrapolator,
    /// Square of the speed [m^2/s^2] for which the level was found last, and that level.
    pub(crate) considered: Option<(f64, u32)>,
}

impl Hammer {
    /// Room for `own` modes against a body of `modes` modes; the only allocation.
    pub(crate) fn new(h: f64, own: usize, modes: usize, levels: usize) -> Self {
        let array = |n: usize| Vec::with_capacity(n.next_multiple_of(LANES));
        Self {
            law: ContactLaw::hunt_crossley(1.0, 1.0, 0.0),
            next_law: None,
            memory: 0.0,
            bank: ModeBank::new(h, own, levels),
            own: array(own),
            own_felt: array(own),
            weights: array(modes),
            felt: array(modes),
            mass: 1.0,
            push: 0.0,
            offset: 0.0,
            placed: 0.0,
            stays: false,
            profile: 0.0,
            rise: 0.0,
            climb: 0.0,
            mobility: 0.0,
            active: false,
            touching: false,
            touched: false,
            x: 0.0,
            first: First::default(),
            held: 0.0,
            b: 0.0,
            body_b: 0.0,
            carried: 0.0,
            echo: [0.0; STRETCH - 1],
            beta: 0.0,
            solution: Solution::default(),
            equation: Equation { x0: 0.0, df: 0.0, b: 1.0, dt: 1.0, beta: 0.0, memory: 0.0, expected: f64::NAN },
            ready: Ready::default(),
            trend: ForceExtrapolator::default(),
            considered: None,
        }
    }

    /// Takes up a law, its modes, weights 1/sqrt(mass) and w of the body; at rest, apart by nothing.
    pub(crate) fn take_up(
        &mut self,
        law: ContactLaw,
        modes: impl IntoIterator<Item = Mode>,
        own: &[f64],
        body: &[f64],
        padded: usize,
    ) {
        self.law = law;
        self.next_law = None;
        self.memory = 0.0;
        self.bank.set(modes);
        set_padded(&mut self.own, own.iter().copied(), self.bank.modes.padded());
        set_padded(&mut self.own_felt, std::iter::empty(), self.bank.modes.padded());
        set_padded(&mut self.felt, std::iter::empty(), padded);
        self.mass = 1.0 / (own[0] * own[0]);
        self.push = 0.0;
        self.active = true;
        self.touching = false;
        self.touched = false;
        self.x = 0.0;
        (self.offset, self.placed, self.stays) = (0.0, 0.0, false);
        (self.profile, self.rise, self.climb) = (0.0, 0.0, 0.0);
        (self.b, self.beta, self.solution) = (0.0, 0.0, Solution::default());
        self.set_body_weights(body, padded);
    }

    pub(crate) fn set_body_weights(&mut self, body: &[f64], padded: usize) {
        set_padded(&mut self.weights, body.iter().map(|w| -w), padded);
        self.mobility = dot(&self.weights, &self.weights) + dot(&self.own, &self.own);
    }

    /// Mass of the rigid part [kg].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The contact law in force.
    pub fn law(&self) -> ContactLaw {
        self.law
    }

    /// Whether it is in contact now.
    pub fn touching(&self) -> bool {
        self.touching
    }

    /// Whether it has ever been in contact since it was thrown.
    pub fn has_touched(&self) -> bool {
        self.touched
    }

    /// Compression [m]; negative is the gap.
    pub fn compression(&self) -> f64 {
        self.x
    }

    /// Its own modes, whose state must not be lent; mode 0 is the rigid part.
    pub fn modes(&self) -> &Modes {
        debug_assert!(!self.bank.lent, "somebody has forgotten to settle");
        &self.bank.modes
    }

    /// Weights of its own modes at the contact point [kg^-1/2].
    pub fn own_weights(&self) -> &[f64] {
        &self.own[..self.bank.modes.len()]
    }

    /// Weights of the body's modes at the contact point, negative of shape over root of mass [kg^-1/2].
    pub fn body_weights(&self) -> &[f64] {
        &self.weights
    }

    /// Sum of all squared weights [1/kg]: one over the reduced mass of the contact.
    pub fn mobility(&self) -> f64 {
        self.mobility
    }

    /// Outside force on the rigid part [m kg^1/2/s^2].
    pub fn push(&self) -> f64 {
        self.push
    }

    /// Displacement of the contact point since it was thrown [m], positive towards the body.
    pub fn position(&self) -> f64 {
        dot(&self.own, &self.modes().q)
    }

    /// Velocity of the contact point [m/s], positive towards the body.
    pub fn velocity(&self) -> f64 {
        dot(&self.own, &self.modes().v)
    }

    /// Kinetic and elastic energy of its own modes [J], without the contact's.
    pub fn energy(&self) -> f64 {
        self.modes().energy()
    }

    /// The same before the step made last [J].
    pub fn energy_before(&self) -> f64 {
        self.bank.energy_before()
    }

    /// Energy [J] of the rigid part's motion about where push, spring and the force of now let it rest.
    pub fn energy_about_equilibrium(&self) -> f64 {
        let (mode, q, v) = (self.bank.modes.mode(0), self.bank.modes.q[0], self.bank.modes.v[0]);
        let pull = if self.touching { self.own_felt[0] * self.solution.force } else { 0.0 };
        let swing = mode.omega * q - if mode.omega > 0.0 { (self.push - pull) / mode.omega } else { 0.0 };
        0.5 * (v * v + swing * swing)
    }

    /// Energy U stored in the contact [J].
    pub fn contact_energy(&self) -> f64 {
        self.law.stored(self.x, self.memory, 0.0)
    }

    /// Force [N] that the law asks for now at compression x [m] and compression velocity v [m/s]; >= 0.
    pub fn force_at(&self, x: f64, v: f64) -> f64 {
        self.law.force(x, v, self.memory).max(0.0)
    }

    /// Energy U + beta U'^2 that the ledger counts for the contact [J].
    pub(crate) fn booked_contact_energy(&self) -> f64 {
        self.law.stored(self.x, self.memory, self.beta)
    }

    /// Whether `held` is true to rounding, or no number.
    pub(crate) fn knows_what_it_holds(&self) -> bool {
        let booked = self.booked_contact_energy();
        let wrong = (self.held - booked).abs() > 1e-9 * booked.abs() + f64::MIN_POSITIVE;
        !wrong
    }

    /// Predicts its own modes and the profile over the span, push included; by how much that compresses it, with fitted weights or
    /// plain ones.
    #[inline(always)]
    pub(crate) fn predict(&mut self, span: Span, fitted: bool) -> f64 {
        let own = if fitted { &self.own_felt } else { &self.own };
        let mut moved = self.bank.predict(span, own);
        if self.push != 0.0 {
            let pushed = self.bank.push(0, self.push);
            moved = if self.bank.modes.len() == 1 { own[0] * self.bank.dq[0] } else { moved + own[0] * pushed };
        }
        self.climb = if self.rise == 0.0 { 0.0 } else { self.rise * self.bank.seconds(span) };
        moved + self.climb
    }

    /// Makes the predicted state the present one, the force of the solution included.
    #[inline(always)]
    pub(crate) fn commit(&mut self) {
        self.bank.pull_and_commit(&self.own_felt, self.solution.force);
        self.profile += self.climb;
    }

    /// Work of the push, and of the profile against the contact force, over the predicted step [J]; to be asked before `commit`.
    pub(crate) fn work(&self) -> f64 {
        let way = || self.bank.way(0, self.own_felt[0] * self.solution.force);
        let pushed = if self.push == 0.0 { 0.0 } else { self.push * way() };
        pushed + self.solution.force * self.climb
    }

    /// Fits weights and compliance to the tables of a span, which the body has taken; the compression moves so that the contact keeps
    /// its energy.
    pub(crate) fn fit(&mut self, body: &mut ModeBank, span: Span) {
        self.trend = ForceExtrapolator::default();
        body.forget_ahead();
        self.bank.take(span);
        let (outer, inner) = (body.table(), self.bank.table());
        self.first = First::of(inner);
        self.body_b = fit(&self.weights, [&outer.droop, &outer.bq], &mut self.felt);
        self.b = self.body_b + fit(&self.own, [&inner.droop, &inner.bq], &mut self.own_felt);
        // only parts of a sample are made several in a pass
        if matches!(span, Span::Level(1..)) {
            let (outer, own) = (body.echoes(&self.felt), self.bank.echoes(&self.own_felt));
            self.echo = std::array::from_fn(|n| outer[n] + own[n]);
        }
        let from = (self.law, self.beta);
        self.beta = self.law.correction(self.b);
        self.keep_contact_energy(from);
    }

    /// Weights of the body's modes with the hold's correction for the span fitted last.
    pub(crate) fn felt(&self) -> &[f64] {
        &self.felt
    }

    /// Velocity of compression as the fitted weights feel it [m/s], as far as hammer and profile do it.
    #[inline]
    pub(crate) fn own_felt_closing(&self) -> f64 {
        let (own, v) = (&self.own_felt, &self.bank.modes.v);
        self.rise + if self.bank.modes.len() == 1 { own[0] * v[0] } else { dot(own, v) }
    }

    /// Loss of its own modes over the predicted step [J], booking only.
    pub(crate) fn own_loss(&self) -> f64 {
        let force = self.solution.force;
        self.bank.step_loss(|i| if i == 0 { self.push } else { 0.0 } - self.own_felt[i] * force)
    }

    /// Whether another law changes nothing now: it is the present one, or of another kind, and waits until the contact has ended.
    pub(crate) fn defers_law(&mut self, law: ContactLaw) -> bool {
        let waits = self.touching && !self.law.is_kind_of(&law);
        self.next_law = waits.then_some(law);
        waits || law == self.law
    }

    /// Another law that does not wait: one of the same kind takes over the contact's energy.
    pub(crate) fn set_law(&mut self, law: ContactLaw) {
        if !self.law.is_kind_of(&law) {
            self.law = law;
            self.memory = 0.0;
            return;
        }
        let from = (self.law, self.beta);
        self.law = law;
        self.keep_contact_energy(from);
    }

    /// Moves the compression such that the contact gains no energy over what it had under another law and another beta.
    fn keep_contact_energy(&mut self, (law, beta): (ContactLaw, f64)) {
        (self.x, self.memory) = self.law.taking_over(&law, beta, (self.x, self.memory), self.beta);
        self.held = self.booked_contact_energy();
    }

    /// The equation of the next substep of dt [s], in which it would be compressed by `df` [m] without a force. For one substep the law's own
    /// guess is as good as the trend, which has to settle first.
    #[inline]
    pub(crate) fn set_up_equation(&mut self, dt: f64, df: f64) {
        let (x0, b, beta, memory) = (self.x, self.b, self.beta, self.memory);
        self.equation = Equation { x0, df, b, dt, beta, memory, expected: f64::NAN };
    }

    /// Solves its equation as that of the only contact.
    #[inline]
    pub(crate) fn solve(&mut self, effort: &mut StepCost) {
        match &self.law {
            ContactLaw::HuntCrossley(law) if law.exponent() == HERTZ && self.equation.x0 > 0.0 => {
                // put down number by number: a copy of what was just put down in memory waits for it
                match ByRoots(law).quick_from(&self.ready, &self.equation) {
                    Some(Solution { x1, d, force, iterations, capped, bracketed }) => {
                        self.solution = Solution { x1, d, force, iterations, capped, bracketed };
                    }
                    None => self.solution = law.solve_at_edge(&self.equation),
                }
            }
            law => self.solution = law.solve(&self.equation),
        }
        effort.most_iterations = effort.most_iterations.max(self.solution.iterations);
        effort.most_sweeps = effort.most_sweeps.max(1);
    }

    /// The substep to come starts where that of the solution ends: what is known of it is worked out while others are waited for.
    #[inline(always)]
    pub(crate) fn make_ready(&mut self) {
        if let ContactLaw::HuntCrossley(law) = &self.law
            && law.exponent() == HERTZ
            && self.solution.x1 > 0.0
        {
            self.ready = Ready::new(law, self.solution.x1, &self.equation);
        }
    }

    /// After a substep to the compression x1 [m]: what the law remembers of it.
    #[inline]
    pub(crate) fn finish_substep(&mut self, x1: f64) {
        self.trend.note(&self.solution);
        self.x = x1;
        self.memory = self.law.remembering(self.memory, x1);
    }

    /// What the law does by itself over dt [s]; the energy [J] that it loses.
    #[inline(always)]
    pub(crate) fn relax(&mut self, dt: f64) -> f64 {
        let (memory, loss) = self.law.relaxing(self.memory, self.x, dt);
        self.memory = memory;
        loss
    }

    /// The contact has ended: a law that waited is taken up. The energy [J] that goes with the old one.
    pub(crate) fn end_contact(&mut self) -> f64 {
        let Some(law) = self.next_law.take() else { return 0.0 };
        let lost = self.booked_contact_energy();
        self.law = law;
        self.memory = 0.0;
        lost
    }

    /// Another mass: momentum is kept if it grows, v sqrt(m) if it falls, and the place in either case, except that a tethered
    /// hammer that grows keeps the energy of its tether. Never brings energy.
    pub(crate) fn set_mass(&mut self, mass: f64, body: &Modes) {
        let ratio = mass / self.mass;
        let root = ratio.sqrt();
        let shown = self.geometry(body);
        for (i, weight) in self.own.iter_mut().enumerate() {
            *weight /= root;
            if ratio > 1.0 {
                self.bank.modes.v[i] /= root;
            }
        }
        for i in 0..self.bank.modes.len() {
            if ratio < 1.0 || self.bank.modes.mode(i).omega == 0.0 {
                self.bank.modes.q[i] *= root;
            }
        }
        self.push /= root;
        self.mass = mass;
        self.mobility = dot(&self.weights, &self.weights) + dot(&self.own, &self.own);
        let moved = shown - self.geometry(body);
        self.offset += moved;
        self.placed += if self.stays { 0.0 } else { moved };
    }

    /// Another spring and damper of its own for the rigid part. The energy in the spring is kept; one that is switched on rests where the
    /// hammer is, that of one that is switched off is lost. Never brings energy.
    pub(crate) fn set_tether(&mut self, tether: Mode, body: &Modes) {
        let shown = self.geometry(body);
        self.bank.retune_one(0, tether);
        let moved = shown - self.geometry(body);
        self.offset += moved;
        self.placed += if self.stays { 0.0 } else { moved };
    }

    /// Its rigid part goes back along its own free motion.
    pub(crate) fn wind_back(&mut self, time: f64, body: &Modes) {
        let back = Response::new(self.bank.modes.mode(0), -time);
        let Modes { q, v, .. } = &mut self.bank.modes;
        (q[0], v[0]) = (back.a11 * q[0] + back.a12 * v[0], back.a21 * q[0] + back.a22 * v[0]);
        self.follow_geometry(body);
    }

    /// The same place by another offset [m] and another displacement of the rigid part.
    pub(crate) fn recentre(&mut self, offset: f64, q: f64) {
        (self.offset, self.placed) = (offset, offset);
        self.bank.modes.q[0] = q;
    }

    /// Outside force on the rigid part [N], positive towards the body. Whether it is another than before.
    pub(crate) fn set_push(&mut self, newtons: f64) -> bool {
        let push = newtons * self.own[0];
        std::mem::replace(&mut self.push, push) != push
    }
}

fn set_padded(array: &mut Vec<f64>, values: impl Iterator<Item = f64>, padded: usize) {
    array.clear();
    array.extend(values.take(padded));
    array.resize(padded, 0.0);
}
