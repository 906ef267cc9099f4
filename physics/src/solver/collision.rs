//! One body and the hammers on it, a sample at a time (EDG-D: exponential discrete gradient, dyadic substeps in contact).
//!
//! Out of contact everything flies freely and exactly over the whole sample. A hammer that would touch inside the sample is
//! flown to the last grid point before it, and from there on all go in substeps of h/2^j until the contact has ended:
//!
//! ```text
//! predict hammer and body     dq, vf = A (q, v) + B a - (q, 0)
//! predict the compression     df = sum Wt dq                           Wt = W/sinc^2(omega dt/2)
//! solve for the force         d_a = df_a - sum_b B_ab F_b,  F_a = Phi_a(x_a, x_a + d_a)
//! give it to both             q += dq - Wt Bq F,  v = vf - Wt Bv F   with opposite signs: W is + for hammers, - for the body
//! book the energy
//! ```
//!
//! The free steps are exact and the force is a discrete gradient of the contact's energy: no step gains energy, whatever
//! the sequence of steps (compare Li and Wu 2016 on exponential discrete gradients).

use crate::modal::Mode;
use crate::modal::{LANES, dot, dot3};
use crate::modal::{LEAST_LEVELS, ModeBank, Modes, Span, StepTable};
use crate::solver::cost_budget::CostBudget;
use crate::solver::energy_balance::EnergyBalance;
use crate::solver::exact_pair::ExactPair;
use crate::solver::hammer::Hammer;
use crate::solver::hammer_slots::HammerSlots;
use crate::solver::step_size::Resolution;
use std::ops::Range;

/// Deepest level: the shortest substep is h/2^24.
pub const DEEPEST_LEVEL: u32 = 24;
/// A sample in ticks.
pub(crate) const SAMPLE: u32 = 1 << DEEPEST_LEVEL;
/// Most hammers on one body.
pub const MAX_HAMMERS: usize = 16;
/// Most substeps a sample may take before it is closed in one step.
pub const MAX_SUBSTEPS: u32 = 256;

/// Most free substeps on the way to an onset or from an end to the end of the sample; more are flown in one step, for which a table of
/// that length has to be filled.
pub(crate) const MOST_WALKS: u32 = 8;

/// What the memory of a collision is made for.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Modes of the body.
    pub modes: usize,
    /// Hammers at once, at most [`MAX_HAMMERS`].
    pub strikers: usize,
    /// Modes of a hammer, 1 for point masses.
    pub striker_modes: usize,
    /// Tables of step coefficients, at least [`LEAST_LEVELS`].
    pub levels: usize,
}

/// What a sample cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCost {
    /// Substeps in contact.
    pub substeps: u32,
    /// Most iterations of a scalar solve.
    pub most_iterations: u32,
    /// Most sweeps over several contacts.
    pub most_sweeps: u32,
    /// Steps of Newton's method on several contacts together.
    pub newton_steps: u32,
}

/// One substep of one hammer in contact, as shown to whoever watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubstepReport {
    /// Which hammer.
    pub striker: usize,
    /// Start after the start of the sample [s].
    pub start: f64,
    /// Length [s].
    pub dt: f64,
    /// Compression before and after [m].
    pub x0: f64,
    /// Compression after [m].
    pub x1: f64,
    /// Velocity of compression after [m/s].
    pub v1: f64,
    /// Force over the substep [N].
    pub force: f64,
    /// Energy lost in the contact [J].
    pub loss: f64,
    /// The contact began in this substep.
    pub began: bool,
    /// The contact ended in this substep.
    pub ended: bool,
}

/// How things stood before a substep.
#[derive(Clone, Copy, Debug)]
pub struct StateBefore {
    /// Velocity of compression [m/s].
    pub closing: f64,
    /// Energy of the hammer [J].
    pub hammer: f64,
    /// Energy of the body [J].
    pub body: f64,
}

/// A body and its hammers.
#[derive(Clone, Debug)]
pub struct Collision {
    pub(crate) h: f64,
    pub(crate) resolution: Resolution,
    pub(crate) body: ModeBank,
    pub(crate) strikers: HammerSlots,
    /// B_ab for hammers a and b [m/N], row by row.
    pub(crate) coupling: Vec<f64>,
    pub(crate) level: u32,
    /// The span to which weights and couplings are fitted; None when something has changed since.
    pub(crate) fitted: Option<Span>,
    pub(crate) in_contact: bool,
    /// Substeps within which a contact is to begin.
    pub(crate) awaited: u32,
    /// Time at this level [s].
    pub(crate) age: f64,
    /// Samples in contact.
    pub(crate) lasted: u32,
    /// What [`Exact`](crate::solver::exact_contact::Exact) has lent for a contact.
    pub(crate) pair: Option<Box<ExactPair>>,
    pub(crate) thrift: CostBudget,
    pub(crate) ledger: Option<Box<EnergyBalance>>,
}

impl Collision {
    /// An empty body at `sample_rate` [Hz]; the only allocation.
    pub fn new(sample_rate: f64, capacity: Capacity) -> Self {
        let mut collision = Self::bare(sample_rate, capacity);
        for _ in 0..capacity.strikers.min(MAX_HAMMERS) {
            let lent = collision.add_spare_hammer(Self::spare_striker(sample_rate, capacity));
            debug_assert!(lent.is_ok(), "there is room");
        }
        collision
    }

    /// The same without hammers of its own: they have to be lent ([`Collision::lend`]).
    pub fn bare(sample_rate: f64, capacity: Capacity) -> Self {
        let h = 1.0 / sample_rate;
        let Capacity { modes, levels, .. } = capacity;
        let strikers = capacity.strikers.min(MAX_HAMMERS);
        Self {
            h,
            resolution: Resolution::default(),
            body: ModeBank::new(h, modes, levels),
            strikers: HammerSlots::new(strikers),
            coupling: vec![0.0; strikers * strikers],
            level: 0,
            fitted: None,
            awaited: 0,
            in_contact: false,
            age: 0.0,
            lasted: 0,
            pair: None,
            thrift: CostBudget::default(),
            ledger: None,
        }
    }

    /// A hammer to lend to any body of the same rate and capacity; allocates.
    pub fn spare_striker(sample_rate: f64, capacity: Capacity) -> Box<Hammer> {
        let Capacity { modes, striker_modes, levels, .. } = capacity;
        // the table of a few modes is filled in no time: memory for it in every hammer would be wasted
        let striker_levels = if striker_modes <= LANES { LEAST_LEVELS } else { levels };
        Box::new(Hammer::new(1.0 / sample_rate, striker_modes, modes, striker_levels))
    }

    /// Takes `table` for the odd lengths of the body's steps, and gives the one it had; see [`ModeBank::exchange_odd`]. What was fitted to
    /// an odd length is fitted to the sample.
    pub fn exchange_odd(&mut self, table: &mut StepTable) {
        self.body.swap_odd_table(table);
        if matches!(self.fitted, Some(Span::Seconds(_))) {
            self.update_coupling(Span::Level(0));
        }
    }

    /// Takes a hammer that may be thrown from now on. Errors: gives it back when there is no room for one more.
    pub fn add_spare_hammer(&mut self, mut striker: Box<Hammer>) -> Result<(), Box<Hammer>> {
        if self.ledger.is_some() {
            striker.bank.book();
        }
        self.strikers.insert(striker)
    }

    /// Gives back a hammer that is not there.
    pub fn take_spare_hammer(&mut self) -> Option<Box<Hammer>> {
        self.strikers.remove()
    }

    /// Whether a hammer may be thrown without being lent one.
    pub fn has_idle(&self) -> bool {
        self.strikers.idle().is_some()
    }

    /// How finely contacts are resolved from the next onset on.
    pub fn set_resolution(&mut self, resolution: Resolution) {
        self.resolution = resolution;
        self.strikers.iter_mut().for_each(Hammer::reconsider);
    }

    /// A new body at rest, without hammers. Modes beyond the capacity are ignored.
    pub fn set_body(&mut self, modes: impl IntoIterator<Item = Mode>) {
        self.strikers.iter_mut().for_each(|striker| striker.active = false);
        (self.in_contact, self.fitted) = (false, None);
        self.pair.iter_mut().for_each(|pair| pair.end());
        self.body.set(modes);
    }

    /// The body's modes and their state, which must not be lent: see [`Collision::settle`].
    pub fn body(&self) -> &Modes {
        debug_assert!(!self.body.lent, "somebody has forgotten to settle");
        &self.body.modes
    }

    /// The body's modes.
    pub fn modes(&self) -> &[Mode] {
        self.body.modes.list()
    }

    /// The table of a whole sample and the body's q and v, padded with zeros: for whoever rings the body alone.
    pub fn ring_parts(&mut self) -> (&StepTable, &mut [f64], &mut [f64]) {
        self.leave_exact();
        self.body.take(Span::Level(0));
        let (table, modes) = self.body.parts();
        (table, &mut modes.q, &mut modes.v)
    }

    /// Takes displacements and velocities of the body, padded like its own and with the same room, and gives those it had: for whoever
    /// has rung it alone.
    pub fn exchange_state(&mut self, state: &mut [Vec<f64>; 2]) {
        self.leave_exact();
        self.body.exchange_state(state);
    }

    /// Hammer number i, active or not.
    pub fn striker(&self, i: usize) -> &Hammer {
        &self.strikers[i]
    }

    /// Number of hammers there is room for.
    pub fn room(&self) -> usize {
        self.strikers.len()
    }

    /// Whether hammer i is there.
    pub fn active(&self, i: usize) -> bool {
        self.strikers.is_active(i)
    }

    /// One more than the largest number that a hammer has.
    pub fn reach(&self) -> usize {
        self.strikers.end()
    }

    /// Numbers of the hammers that are there.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.strikers.numbered().map(|(i, _)| i)
    }

    /// Whether any hammer is there.
    pub fn any_active(&self) -> bool {
        self.strikers.iter().next().is_some()
    }

    /// Whether any hammer is in contact.
    pub fn any_touching(&self) -> bool {
        self.strikers.iter().any(|s| s.touching)
    }

    /// Everything [J]: body, hammers, contacts with U.
    pub fn energy(&self) -> f64 {
        let hammers = self.strikers.numbered();
        self.body_energy() + hammers.map(|(i, s)| self.hammer_energy(i) + s.contact_energy()).sum::<f64>()
    }

    /// How things stood before the substep made last, for hammer i: for whoever watches. Of a contact that is played exactly and not
    /// settled how they stood at its onset.
    pub fn before(&self, i: usize) -> StateBefore {
        let striker = &self.strikers[i];
        let closing = striker.closing_before(&self.body);
        StateBefore { closing, hammer: striker.energy_before(), body: self.body.energy_before() }
    }

    /// One sample of everything. At most `budget` (and never more than [`MAX_SUBSTEPS`]) substeps, then one that closes the
    /// sample; it is as passive as the others. `watch` sees every substep of every hammer in contact, and the state after it; in the
    /// midst of a contact perhaps that after a few more, unless the ledger is open.
    pub fn step(&mut self, budget: u32, watch: &mut impl FnMut(&Collision, &SubstepReport)) -> StepCost {
        self.leave_exact();
        let affordable = self.begin_cost(budget.clamp(1, MAX_SUBSTEPS));
        let mut effort = StepCost::default();
        let mut done = 0;
        while done < SAMPLE {
            if !self.in_contact {
                done = self.fly(done);
                continue;
            }
            let taken = effort.substeps;
            let budget = if self.thrift.is_spent() { taken } else { affordable };
            if self.stretch(&mut done, budget, &mut effort, watch) {
                self.charge_pass(effort.substeps - taken);
                continue;
            }
            let left = SAMPLE - done;
            let span = if taken < budget {
                Span::Level(self.level)
            } else if done == 0 {
                Span::Level(0)
            } else {
                Span::Seconds(self.h * f64::from(left) / f64::from(SAMPLE))
            };
            match self.alone() {
                Some(i) => self.substep_alone(i, &mut done, span, &mut effort, watch),
                None => self.substep(&mut done, span, &mut effort, watch),
            }
        }
        self.in_contact &= self.any_touching();
        if self.in_contact {
            self.reconsider_level();
        }
        self.end_cost(effort.substeps);
        effort
    }

    /// A contact begins at tick `now` of the sample, or within so many substeps.
    pub(crate) fn begin_contact(&mut self, now: u32, within: u32) {
        while !now.is_multiple_of(SAMPLE >> self.level) {
            self.level += 1;
        }
        (self.in_contact, self.awaited) = (true, within);
        (self.age, self.lasted) = (0.0, 0);
    }

    /// A span of so many ticks.
    pub(crate) fn span_of(&self, ticks: u32) -> Span {
        Span::Seconds(self.h * f64::from(ticks) / f64::from(SAMPLE))
    }

    /// Predicts body and hammers over a span in which no contact force acts, and how far each hammer would be compressed by it, as the
    /// fitted weights feel it or by geometry.
    pub(crate) fn predict(&mut self, span: Span, fitted: bool) {
        self.charge_prediction();
        let Self { body, strikers, .. } = self;
        let mut predicted = false;
        for striker in strikers.iter_mut() {
            let weights = if fitted { &striker.felt } else { &striker.weights };
            let moved = if predicted { dot(weights, &body.dq) } else { body.predict(span, weights) };
            predicted = true;
            striker.carried = moved;
            striker.equation.df = moved + striker.predict(span, fitted);
        }
        if !predicted {
            body.predict_alone(span);
        }
    }

    /// Makes what was predicted, and the force on each hammer's own modes, the present state.
    pub(crate) fn commit(&mut self) {
        self.body.commit();
        self.strikers.iter_mut().for_each(Hammer::commit);
    }

    /// Fits every hammer and the couplings between them to a span, unless they are; contacts keep their energy.
    #[inline]
    pub(crate) fn update_coupling(&mut self, span: Span) {
        if self.fitted != Some(span) {
            self.fit_anew(span);
        }
    }

    fn fit_anew(&mut self, span: Span) {
        self.fitted = Some(span);
        self.charge_fit(matches!(span, Span::Seconds(_)));
        self.body.take(span);
        for striker in self.strikers.iter_mut() {
            striker.fit(&mut self.body, span);
        }
        for a in 0..self.strikers.end() {
            self.couple(a, 0..a);
        }
    }

    /// Something has changed: in contact hammer i, or with None all, is fitted anew to the span fitted last, else when one begins.
    pub(crate) fn refit(&mut self, one: Option<usize>) {
        match one {
            Some(i) => self.strikers[i].reconsider(),
            None => self.strikers.iter_mut().for_each(Hammer::reconsider),
        }
        let Some(span) = self.fitted.filter(|_| self.in_contact) else {
            self.fitted = None;
            return;
        };
        let Some(i) = one else { return self.fit_anew(span) };
        self.body.take(span);
        if self.strikers.is_active(i) {
            self.strikers[i].fit(&mut self.body, span);
            self.couple(i, 0..self.strikers.end());
        }
    }

    /// B_ab of hammer a with those of `others`.
    fn couple(&mut self, a: usize, others: Range<usize>) {
        let n = self.strikers.len();
        let bq = &self.body.table().bq;
        for b in others.filter(|&b| b != a) {
            if self.strikers.is_active(a) && self.strikers.is_active(b) {
                let shared = dot3(self.strikers[a].felt(), self.strikers[b].felt(), bq);
                self.coupling[a * n + b] = shared;
                self.coupling[b * n + a] = shared;
            }
        }
    }

    /// One substep of everything, at the level or to the end of the sample.
    fn substep(&mut self, done: &mut u32, span: Span, effort: &mut StepCost, watch: &mut impl FnMut(&Collision, &SubstepReport)) {
        let mut span = span;
        loop {
            self.update_coupling(span);
            self.predict(span, true);
            match self.finer_level_for_newcomers(span) {
                Some(level) => {
                    self.level = level;
                    span = Span::Level(level);
                }
                None => break,
            }
        }
        let dt = span.seconds(self.h);
        self.solve(dt, effort);
        for i in 0..self.strikers.end() {
            if self.strikers.is_active(i) {
                self.correct_for_preload(i, span);
            }
        }
        let start = self.h * f64::from(*done) / f64::from(SAMPLE);
        let touched = self.apply(start, dt, watch);
        self.pass(span, dt, touched, done, effort);
    }

    /// The substep over `span`, of dt [s], has been made, and a hammer was in contact or not.
    pub(crate) fn pass(&mut self, span: Span, dt: f64, touched: bool, done: &mut u32, effort: &mut StepCost) {
        let ticks = if let Span::Level(level) = span { SAMPLE >> level } else { SAMPLE - *done };
        *done += ticks;
        if touched {
            effort.substeps += 1;
            self.age += dt;
        }
        self.awaited = self.awaited.saturating_sub(1);
        self.in_contact = self.any_touching() || self.awaited > 0 || (SAMPLE - *done) / ticks <= MOST_WALKS;
    }

    /// Gives every force to its hammer and to the body with opposite signs, and books the energy. Whether any hammer was in contact.
    fn apply(&mut self, start: f64, dt: f64, watch: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        self.charge_commit();
        self.book_step(true, |c| {
            let Self { body, strikers, .. } = &mut *c;
            // the last of the forces takes the body along to where it goes
            let mut waiting: Option<&Hammer> = None;
            for striker in strikers.iter().filter(|s| s.solution.force != 0.0) {
                if let Some(last) = waiting.replace(striker) {
                    body.pull(last.felt(), last.solution.force);
                }
            }
            match waiting {
                Some(last) => body.pull_and_commit(last.felt(), last.solution.force),
                None => body.commit(),
            }
            c.strikers.iter_mut().for_each(Hammer::commit);
            let (mut lost, mut touched) = (0.0, false);
            for i in 0..c.strikers.end() {
                if c.strikers.is_active(i) {
                    let (touches, loss) = c.follow_contact(i, start, dt, None, watch);
                    touched |= touches;
                    lost += loss;
                }
            }
            (lost, touched)
        })
    }

    /// Hammer i after the substep: its compression, and whether its contact began or ended. `speed`: the velocity of compression after it
    /// [m/s], if that is known. Whether it was in contact, and the energy [J] that its law lost since.
    pub(crate) fn follow_contact(
        &mut self,
        i: usize,
        start: f64,
        dt: f64,
        speed: Option<f64>,
        observer: &mut impl FnMut(&Collision, &SubstepReport),
    ) -> (bool, f64) {
        let body = &self.body.modes;
        let striker = &mut self.strikers[i];
        let (x0, x1, force) = (striker.x, striker.solution.x1, striker.solution.force);
        if !striker.touching && force == 0.0 && x1 <= 0.0 {
            striker.follow_geometry(body);
            return (false, striker.relax(dt));
        }
        debug_assert!(!striker.touching || striker.knows_what_it_holds(), "somebody has forgotten to tell");
        let before = if striker.touching { striker.held } else { striker.booked_contact_energy() };
        let began = !striker.touching;
        striker.touching = true;
        striker.touched = true;
        striker.finish_substep(x1);
        let mut lost = striker.relax(dt);
        let v1 = speed.unwrap_or_else(|| dot(&striker.felt, &body.v) + striker.own_felt_closing());
        let ended = x1 <= 0.0 && v1 < 0.0;
        striker.touching = !ended;
        striker.held = striker.booked_contact_energy();
        let loss = force * striker.solution.d - (striker.held - before);
        observer(self, &SubstepReport { striker: i, start, dt, x0, x1, v1, force, loss, began, ended });
        if ended {
            let law = self.strikers[i].law;
            lost += self.strikers[i].end_contact();
            self.strikers[i].follow_geometry(&self.body.modes);
            if self.strikers[i].law != law {
                self.refit(Some(i));
            }
        }
        (true, lost)
    }
}
