//! One body and the hammers on it: their state, its prediction and commitment, the coupling of several contacts.

use crate::modal::{LANES, LEAST_LEVELS, Mode, ModeBank, Modes, Span, StepTable, dot, dot3};
use crate::solver::body_potential::BodyPotential;
use crate::solver::body_tension::BodyTension;
use crate::solver::body_tube::BodyTube;
use crate::solver::cost_budget::{CostBudget, PassSize, ProblemSize};
use crate::solver::energy_balance::EnergyBalance;
use crate::solver::exact_pair::ExactPair;
use crate::solver::hammer::Hammer;
use crate::solver::hammer_slots::HammerSlots;
use crate::solver::hammer_state::WeightKind;
use crate::solver::held_contact::HeldSample;
use crate::solver::limits::{Capacity, MAX_HAMMERS, MAX_WALKED_SUBSTEPS, Resolution, SAMPLE, StepCost, SubstepReport};
use std::ops::Range;

/// Phase of a contact: how it is stepped, and since when.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactPhase {
    /// Any hammer is in contact, or about to be.
    pub in_contact: bool,
    /// Level j of the substeps h/2^j.
    pub level: u32,
    /// The span to which weights and couplings are fitted; None when something has changed since.
    pub fitted: Option<Span>,
    /// Substeps within which a contact is to begin.
    pub awaited: u32,
    /// Time at this level [s].
    pub age: f64,
    /// Samples in contact.
    pub lasted: u32,
    /// Levels by which it has become coarser because it has outlasted its closed-form time.
    pub coarsened: u32,
}

impl ContactPhase {
    /// Goes on at a level which the contact requires from now on.
    pub fn take_level(&mut self, level: u32) {
        (self.level, self.age, self.coarsened) = (level, 0.0, 0);
    }
}

/// A body and its hammers.
#[derive(Clone, Debug)]
pub struct Collision {
    /// Sample [s].
    pub(crate) h: f64,
    pub(crate) resolution: Resolution,
    pub(crate) body: ModeBank,
    pub(crate) hammers: HammerSlots,
    /// B_ab for hammers a and b [m/N], row by row.
    pub(crate) coupling: Vec<f64>,
    pub(crate) held: HeldSample,
    pub(crate) tension: BodyTension,
    pub(crate) potential: BodyPotential,
    pub(crate) tube: BodyTube,
    pub(crate) phase: ContactPhase,
    /// The system that [`ExactContact`](crate::solver::ExactContact) lends for the duration of a contact.
    pub(crate) exact_pair: Option<Box<ExactPair>>,
    pub(crate) budget: CostBudget,
    /// Energy balance of all steps since it was enabled.
    pub(crate) balance: Option<Box<EnergyBalance>>,
}

impl Collision {
    /// An empty body at `sample_rate` [Hz]; the only allocation.
    pub fn new(sample_rate: f64, capacity: Capacity) -> Self {
        let mut collision = Self::bare(sample_rate, capacity);
        for _ in 0..capacity.hammers.min(MAX_HAMMERS) {
            let lent = collision.add_spare_hammer(Self::spare_hammer(sample_rate, capacity));
            debug_assert!(lent.is_ok(), "there is room");
        }
        collision
    }

    /// The same without hammers: see [`Collision::add_spare_hammer`].
    pub fn bare(sample_rate: f64, capacity: Capacity) -> Self {
        let h = 1.0 / sample_rate;
        let Capacity { modes, held, levels, .. } = capacity;
        let hammers = capacity.hammers.min(MAX_HAMMERS);
        Self {
            h,
            resolution: Resolution::default(),
            body: ModeBank::with_held(h, modes, held, levels),
            hammers: HammerSlots::new(hammers),
            coupling: vec![0.0; hammers * hammers],
            held: HeldSample::new(hammers),
            tension: BodyTension::new(modes),
            potential: BodyPotential::new(h),
            tube: BodyTube::new(h),
            phase: ContactPhase::default(),
            exact_pair: None,
            budget: CostBudget::default(),
            balance: None,
        }
    }

    /// A spare hammer for any body of the same rate and capacity; allocates.
    pub fn spare_hammer(sample_rate: f64, capacity: Capacity) -> Box<Hammer> {
        let Capacity { modes, held, hammer_modes, levels, .. } = capacity;
        // the table of a few modes is filled quickly, so that further tables in every hammer would waste memory
        let hammer_levels = if hammer_modes <= LANES { LEAST_LEVELS } else { levels };
        Box::new(Hammer::new(1.0 / sample_rate, hammer_modes, modes + held, hammer_levels))
    }

    /// Exchanges the table for steps of odd lengths; see [`ModeBank::swap_odd_table`]. A fit to an odd length is replaced by a
    /// fit to the sample.
    pub fn exchange_odd(&mut self, table: &mut StepTable) {
        self.body.swap_odd_table(table);
        if matches!(self.phase.fitted, Some(Span::Seconds(_))) {
            self.update_coupling(Span::Level(0));
        }
    }

    /// Adds a spare hammer, which a strike can use from now on. Errors: returns it when every slot is taken.
    pub fn add_spare_hammer(&mut self, mut hammer: Box<Hammer>) -> Result<(), Box<Hammer>> {
        if self.balance.is_some() {
            hammer.bank.track_losses();
        }
        self.hammers.insert(hammer)
    }

    /// Removes an inactive hammer and returns it.
    pub fn take_spare_hammer(&mut self) -> Option<Box<Hammer>> {
        self.hammers.remove()
    }

    /// Whether an inactive hammer is available for a strike.
    pub fn has_spare_hammer(&self) -> bool {
        self.hammers.idle().is_some()
    }

    /// Sets the resolution of contacts from the next onset on.
    pub fn set_resolution(&mut self, resolution: Resolution) {
        self.resolution = resolution;
        self.hammers.iter_mut().for_each(Hammer::reconsider);
    }

    /// A new body at rest, without hammers. Modes beyond the capacity are ignored.
    pub fn set_body(&mut self, modes: impl IntoIterator<Item = Mode>) {
        self.set_body_held(modes, usize::MAX);
    }

    /// The same with only the first `felt` modes, rounded up to a multiple of [`LANES`], computed in every substep. The others take one
    /// step a sample: see [`crate::modal::ModeBank::advance_held`].
    pub fn set_body_held(&mut self, modes: impl IntoIterator<Item = Mode>, felt: usize) {
        self.hammers.iter_mut().for_each(|hammer| hammer.active = false);
        self.phase = ContactPhase::default();
        self.held.coupling.fill(0.0);
        self.tension.clear();
        self.potential.clear();
        self.tube.clear();
        self.budget.forget();
        self.exact_pair.iter_mut().for_each(|pair| pair.end());
        self.body.set_felt(modes, felt);
    }

    /// The body's modes and their state, which must not be borrowed: see [`Collision::settle`].
    pub fn body(&self) -> &Modes {
        debug_assert!(!self.body.borrowed, "settle must be called first");
        &self.body.modes
    }

    /// The body's modes.
    pub fn modes(&self) -> &[Mode] {
        self.body.modes.list()
    }

    /// omega^2 of the body's modes [1/s^2].
    pub fn omega2(&self) -> &[f64] {
        self.body.modes.omega2()
    }

    /// Hammer number i, active or not.
    pub fn hammer(&self, i: usize) -> &Hammer {
        &self.hammers[i]
    }

    /// Number of hammers there is room for.
    pub fn room(&self) -> usize {
        self.hammers.len()
    }

    /// Whether hammer i takes part.
    pub fn active(&self, i: usize) -> bool {
        self.hammers.is_active(i)
    }

    /// One more than the largest number of a hammer.
    pub fn reach(&self) -> usize {
        self.hammers.end()
    }

    /// Numbers of the active hammers.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.hammers.numbered().map(|(i, _)| i)
    }

    /// Whether any hammer is active.
    pub fn any_active(&self) -> bool {
        self.hammers.iter().next().is_some()
    }

    /// Whether any hammer is in contact.
    pub fn any_touching(&self) -> bool {
        self.hammers.iter().any(|s| s.contact.touching)
    }

    /// Begins a contact at tick `now` of the sample, or within that many substeps.
    pub(crate) fn begin_contact(&mut self, now: u32, within: u32) {
        while !now.is_multiple_of(SAMPLE >> self.phase.level) {
            self.phase.level += 1;
        }
        (self.phase.in_contact, self.phase.awaited) = (true, within);
        (self.phase.age, self.phase.lasted, self.phase.coarsened) = (0.0, 0, 0);
    }

    /// A span of `ticks` ticks.
    pub(crate) fn span_of(&self, ticks: u32) -> Span {
        Span::Seconds(self.h * f64::from(ticks) / f64::from(SAMPLE))
    }

    /// Predicts body and hammers over a span without contact force, and the change of compression of each hammer, by fitted or by
    /// plain weights.
    pub(crate) fn predict(&mut self, span: Span, kind: WeightKind) {
        self.budget.charge_prediction(self.problem_size());
        let Self { body, hammers, .. } = self;
        let (felt, share) = (body.felt(), body.share(span));
        let mut predicted = false;
        for hammer in hammers.iter_mut() {
            let weights = if kind == WeightKind::Fitted { &hammer.fit.body } else { &hammer.weights.body };
            let moved = if predicted { dot(&weights[..felt], &body.dq[..felt]) } else { body.predict(span, weights) };
            predicted = true;
            hammer.substep.body_way = moved + share * hammer.held.way;
            hammer.substep.own_way = hammer.predict(span, kind);
            hammer.substep.equation.df = hammer.substep.body_way + hammer.substep.own_way;
        }
        if !predicted {
            body.predict_alone(span);
        }
    }

    /// Makes the predicted state, with the force on each hammer's own modes, the present state.
    pub(crate) fn commit(&mut self) {
        self.body.commit();
        self.hammers.iter_mut().for_each(Hammer::commit);
    }

    /// Fits every hammer and the couplings between them to a span if they are not fitted to it; contacts keep their energy.
    #[inline]
    pub(crate) fn update_coupling(&mut self, span: Span) {
        if self.phase.fitted != Some(span) {
            self.refit_all(span);
        }
    }

    fn refit_all(&mut self, span: Span) {
        self.phase.fitted = Some(span);
        self.potential.forget_contacts();
        self.budget.charge_fit(self.problem_size(), matches!(span, Span::Seconds(_)));
        self.body.take(span);
        let Self { body, hammers, budget, .. } = self;
        for hammer in hammers.iter_mut() {
            if hammer.contact.touching {
                budget.charge_refit(&hammer.contact.law);
            }
            hammer.fit(body, span);
        }
        for a in 0..self.hammers.end() {
            self.couple(a, 0..a);
        }
    }

    /// Renews the fit after a change of hammer i, or with None of the body: in contact at once, for the span fitted last, else at
    /// the next onset.
    pub(crate) fn refit(&mut self, one: Option<usize>) {
        match one {
            Some(i) => self.hammers[i].reconsider(),
            None => self.hammers.iter_mut().for_each(Hammer::reconsider),
        }
        let Some(span) = self.phase.fitted.filter(|_| self.phase.in_contact) else {
            self.phase.fitted = None;
            return;
        };
        let Some(i) = one else { return self.refit_all(span) };
        self.potential.forget_contacts();
        self.body.take(span);
        if self.hammers.is_active(i) {
            self.hammers[i].fit(&mut self.body, span);
            self.couple(i, 0..self.hammers.end());
        }
    }

    /// B_ab of hammer a with those of `others`.
    fn couple(&mut self, a: usize, others: Range<usize>) {
        let n = self.hammers.len();
        let (felt, bq) = (self.body.felt(), &self.body.table().bq);
        for b in others.filter(|&b| b != a) {
            if self.hammers.is_active(a) && self.hammers.is_active(b) {
                let weights = [a, b].map(|i| &self.hammers[i].fitted_weights()[..felt]);
                let held = self.hammers[a].fit.held_share * self.held.coupling[a * n + b];
                let shared = dot3(weights[0], weights[1], &bq[..felt]) + held;
                self.coupling[a * n + b] = shared;
                self.coupling[b * n + a] = shared;
            }
        }
    }

    /// Advances the tick count and the phase after a substep over `span`, of dt [s]; `touched`: a hammer was in contact.
    pub(crate) fn end_substep(&mut self, span: Span, dt: f64, touched: bool, done: &mut u32, effort: &mut StepCost) {
        let ticks = if let Span::Level(level) = span { SAMPLE >> level } else { SAMPLE - *done };
        *done += ticks;
        if touched {
            effort.substeps += 1;
            self.phase.age += dt;
        }
        self.phase.awaited = self.phase.awaited.saturating_sub(1);
        self.phase.in_contact = self.any_touching() || self.phase.awaited > 0 || (SAMPLE - *done) / ticks <= MAX_WALKED_SUBSTEPS;
    }

    /// Updates hammer i after a substep: its compression, and whether its contact began or ended. `speed`: the velocity of
    /// compression after it [m/s], if known. Returns whether it was in contact, and the energy [J] that its law dissipated by
    /// relaxation.
    pub(crate) fn follow_contact(
        &mut self,
        i: usize,
        start: f64,
        dt: f64,
        speed: Option<f64>,
        observer: &mut impl FnMut(&Collision, &SubstepReport),
    ) -> (bool, f64) {
        let body = &self.body.modes;
        let hammer = &mut self.hammers[i];
        let (x0, x1, force) = (hammer.contact.x, hammer.substep.solution.x1, hammer.substep.solution.force);
        if !hammer.contact.touching && force == 0.0 && x1 <= 0.0 {
            hammer.follow_geometry_within(body);
            return (false, hammer.relax(dt));
        }
        debug_assert!(!hammer.contact.touching || hammer.is_energy_current(), "the stored contact energy must be current");
        let before = if hammer.contact.touching { hammer.contact.energy } else { hammer.corrected_contact_energy() };
        let began = !hammer.contact.touching;
        hammer.contact.touching = true;
        hammer.contact.touched = true;
        hammer.finish_substep(x1);
        let mut lost = hammer.relax(dt);
        let v1 = speed.unwrap_or_else(|| hammer.fitted_closing(body));
        let ended = x1 <= 0.0 && v1 < 0.0;
        hammer.contact.touching = !ended;
        hammer.contact.energy = hammer.corrected_contact_energy();
        let loss = force * hammer.substep.solution.d - (hammer.contact.energy - before);
        observer(self, &SubstepReport { hammer: i, start, dt, x0, x1, v1, force, loss, began, ended });
        if ended {
            let law = self.hammers[i].contact.law;
            lost += self.hammers[i].end_contact();
            self.hammers[i].follow_geometry_within(&self.body.modes);
            if self.hammers[i].contact.law != law {
                self.refit(Some(i));
            }
        }
        (true, lost)
    }

    /// Whether a tension or a potential acts.
    #[inline]
    pub fn is_stiffening(&self) -> bool {
        self.tension.acts() || self.potential.acts()
    }

    /// The only active hammer; None while the energy balance is enabled or a tension or potential acts.
    #[inline]
    pub(crate) fn only_hammer(&self) -> Option<usize> {
        self.hammers.only_active_number().filter(|_| self.balance.is_none() && !self.is_stiffening())
    }

    /// Displacement [m] by which the other hammers' forces reduce the compression of hammer a.
    pub(crate) fn displacement_by_others(&self, a: usize) -> f64 {
        let n = self.hammers.len();
        let others = self.hammers.numbered().filter(|(b, s)| *b != a && s.substep.solution.force != 0.0);
        others.map(|(b, s)| self.coupling[a * n + b] * s.substep.solution.force).sum()
    }

    /// Restores the state of hammer and body where an exactly stepped contact has borrowed it; the contact goes on. O(N^2).
    pub fn settle(&mut self) {
        if let Self { exact_pair: Some(pair), hammers, body, .. } = self
            && pair.is_active()
        {
            pair.settle(&mut hammers[pair.hammer()], body);
        }
    }

    /// Size of the problem, from which the cost of a substep follows.
    pub(crate) fn problem_size(&self) -> ProblemSize {
        ProblemSize {
            modes: self.body.felt() as f32,
            held: self.body.moving_held() as f32,
            hammers: self.hammers.iter().count() as f32,
        }
    }

    /// Modes over which a substep of hammer i alone passes.
    pub(crate) fn pass_size(&self, i: usize) -> PassSize {
        PassSize { modes: self.body.felt(), own_modes: self.hammers[i].bank.modes.len() }
    }

    /// Cost that every sample from now on may take, in samples of one resonator; infinite at first. A sample that exceeds it is
    /// closed with the fewest operations possible.
    pub fn set_cost_limit(&mut self, work: f32) {
        self.budget.set_limit(work);
    }

    /// Cost of the last sample.
    pub fn cost(&self) -> f32 {
        self.budget.spent()
    }

    /// Whether the limit on cost has reduced the accuracy of the last sample.
    pub fn was_limited(&self) -> bool {
        self.budget.is_short()
    }

    /// About the least cost of a sample in contact: one substep in which every equation is solved once.
    pub fn least_cost(&self) -> f32 {
        let contacts = self.budget.least_cost(self.problem_size(), self.hammers.iter().map(|hammer| &hammer.contact.law));
        let size = self.problem_size();
        let tension = if self.tension.acts() { CostBudget::least_tension_cost(size) } else { 0.0 };
        let potential = if self.potential.acts() { CostBudget::least_potential_cost(self.potential.cost(), size) } else { 0.0 };
        contacts + tension + potential
    }

    /// Begins a sample of at most `budget` substeps: how many of them the limit allows. If they are few, they have equal length.
    #[inline]
    pub(crate) fn begin_cost(&mut self, budget: u32) -> u32 {
        self.budget.begin();
        if self.budget.is_limited() { self.afford_some(budget) } else { budget }
    }

    fn afford_some(&mut self, budget: u32) -> u32 {
        let affordable = self.budget.affordable_substeps(budget, self.problem_size());
        if self.phase.in_contact {
            self.phase.level = self.budget.level(self.phase.level);
        }
        affordable
    }
}
