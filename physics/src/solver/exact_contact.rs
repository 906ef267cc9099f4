//! One hammer on one body through a linear spring and damper, exactly, a sample at a time ([Rath] section 2.2).
//!
//! ```text
//! onset        the free step would end in contact: the contact begins at the sample before it, where the offset element makes x = 0
//! in contact   hammer and body are one linear system, which its eigenvectors advance exactly: see `exact_pair`
//! release      the first sample with x <= 0: the stretched spring is cut and its energy k x^2/2 lost
//! ```
//!
//! In contact, the eigenvectors also give state and energy of hammer and body. Any other event at the body (another hammer, a
//! change of parameters, a rising profile, damping) ends the exact steps, and the contact goes on with substeps. Neither transition
//! adds energy.

use crate::modal::{ModeArray, Span, StepTable};
use crate::solver::collision::Collision;
use crate::solver::exact_pair::{ExactPair, MAX_TAPS};
use crate::solver::hammer_state::WeightKind;
use crate::solver::limits::{StateBefore, SubstepReport};

/// Largest elastic energy at rest under the push, over the present energy: rounding stays below 1e-14 of it.
const MOST_AT_REST: f64 = 100.0;

/// Stepper of one such contact; allocated once, lent to one collision at a time.
#[derive(Clone, Debug)]
pub struct ExactContact {
    /// None while it is lent.
    pair: Option<Box<ExactPair>>,
}

impl ExactContact {
    /// Room for `capacity` modes of hammer and body together; the only allocation, about 32 capacity^2 bytes.
    pub fn new(capacity: usize) -> Self {
        Self { pair: Some(Box::new(ExactPair::new(capacity))) }
    }

    /// Discards the basis.
    pub fn forget(&mut self) {
        if let Some(pair) = &mut self.pair {
            pair.forget();
        }
    }

    /// Whether the present basis is that of hammer i on this body.
    pub fn fits(&self, collision: &Collision, i: usize) -> bool {
        self.pair.as_ref().is_some_and(|pair| pair.fits(&collision.hammers[i], &collision.body))
    }

    /// Builds the basis for hammer i on this body. False if its law is another, if there is no room, if no basis was found, or if it is lent.
    pub fn build(&mut self, collision: &Collision, i: usize) -> bool {
        self.pair.as_mut().is_some_and(|pair| pair.build(&collision.hammers[i], &collision.body, collision.h))
    }

    /// Begins the contact of hammer i at this sample; the basis must fit. From here on it is lent, until
    /// [`ExactContact::reclaim`]. Where the push of the hammer would bend the body so far at rest that rounding would show in the energy balance,
    /// as a heavy hammer does on a light body with a soft suspension, nothing begins, and the contact is stepped as any other.
    pub fn begin(&mut self, collision: &mut Collision, i: usize) {
        if collision.exact_pair.is_none()
            && let Some(pair) = &mut self.pair
            && pair.rest_energy(&collision.hammers[i]) <= MOST_AT_REST * collision.corrected_energy()
            && let Some(pair) = self.pair.take()
        {
            collision.begin_exact(i, pair);
        }
    }

    /// Takes the basis back from `collision` if the contact is over. Whether it is available.
    pub fn reclaim(&mut self, collision: &mut Collision) -> bool {
        if self.pair.is_none() {
            self.pair = collision.take_finished_pair();
        }
        self.pair.is_some()
    }

    /// One sample of body and hammer, whose state is that after it. False, without any effect, if the contact is not stepped
    /// exactly.
    pub fn step(&mut self, collision: &mut Collision, observer: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        let played = collision.step_pair(true, observer);
        self.reclaim(collision);
        played
    }
}

impl Collision {
    /// One sample of a contact that [`ExactContact`] has begun, O(N). The state of hammer and body is borrowed: call
    /// [`Collision::settle`] before reading or changing it. [`Collision::tap_outputs`] gives the outputs of the taps. At the end of the
    /// contact, and with an energy balance, the state is settled before `observer` is called. False, without any effect, if the
    /// contact is not stepped exactly.
    pub fn step_exact(&mut self, observer: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        self.step_pair(false, observer)
    }

    fn step_pair(&mut self, settled: bool, observer: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        if !self.is_exact() {
            return false;
        }
        let mut entry = self.open_entry();
        let settled = settled || self.balance.is_some();
        let Self { exact_pair: Some(pair), hammers, body, h: dt, .. } = self else { return false };
        let (i, law, dt) = (pair.hammer(), pair.law(), *dt);
        let hammer = &mut hammers[i];
        let (x0, v0) = (hammer.contact.x, pair.closing());
        let began = x0 == 0.0;
        let (x1, v1) = pair.step(hammer, body);
        let ended = x1 <= 0.0;
        (hammer.contact.x, hammer.contact.touching) = (x1, !ended);
        if settled || ended {
            let before = hammer.bank.modes.q[0];
            pair.settle(hammer, body);
            entry.supplied = hammer.push() * (hammer.bank.modes.q[0] - before);
        }
        let (k, c) = (law.stiffness(), law.damping());
        let cut = if ended { 0.5 * k * x1 * x1 } else { 0.0 };
        // eigenvectors give the energy, not the single losses: a decrease is recorded as lost, a gain shows as imbalance
        if self.balance.is_some() {
            entry.lost_in_contact = (entry.before + entry.supplied - self.corrected_energy()).max(0.0);
        }
        self.close_entry(entry);
        let force = 0.5 * (k * (x0 + x1) + c * (v0 + v1));
        let loss = 0.5 * c * (v0 * v0 + v1 * v1) * dt + cut;
        observer(self, &SubstepReport { hammer: i, start: 0.0, dt, x0, x1, v1, force, loss, began, ended });
        if ended {
            self.end_pair(i);
        }
        true
    }

    /// Ends the exact contact of hammer i.
    fn end_pair(&mut self, i: usize) {
        let Self { exact_pair: Some(pair), hammers, body, .. } = self else { return };
        pair.end();
        hammers[i].end_contact();
        hammers[i].shorten_offset(pair.offset_before());
        hammers[i].follow_geometry(&body.modes);
    }

    /// The hammer that a free flight would bring into contact by the end of this sample, if it is the only one, its law is linear,
    /// no profile moves under it, no mode of the body is held, and it has no tension, potential or tube.
    pub fn linear_onset(&mut self) -> Option<usize> {
        if self.phase.in_contact
            || self.is_exact()
            || self.body.has_held()
            || self.tension.exists()
            || self.potential.exists()
            || self.tube.exists()
        {
            return None;
        }
        let mut active = self.hammers.numbered();
        let (i, _) = active.next()?;
        let alone = active.next().is_none() && !self.hammers[i].placement.stays;
        drop(active);
        if !alone || self.hammers[i].rise() != 0.0 || self.hammers[i].linear_law().is_none() {
            return None;
        }
        self.predict(Span::Level(0), WeightKind::Plain);
        (self.hammers[i].foresee(&self.body).0 > 0.0).then_some(i)
    }
}

impl Collision {
    /// Begins the contact of hammer i and the body as one system, for which `pair` has a basis.
    pub(crate) fn begin_exact(&mut self, i: usize, mut pair: Box<ExactPair>) {
        let Self { hammers, body, .. } = self;
        let hammer = &mut hammers[i];
        let offset = hammer.offset();
        hammer.set_geometry(0.0, &body.modes);
        (hammer.contact.touching, hammer.contact.touched, hammer.fit.beta) = (true, true, 0.0);
        pair.begin(i, offset, hammer, body);
        (self.exact_pair, self.phase.fitted) = (Some(pair), None);
    }

    /// The pair of a contact that is over.
    pub(crate) fn take_finished_pair(&mut self) -> Option<Box<ExactPair>> {
        self.exact_pair.take_if(|pair| !pair.is_active())
    }

    /// The pair that has borrowed the state of hammer and body.
    fn borrower(&self) -> Option<&ExactPair> {
        self.exact_pair.as_deref().filter(|_| self.body.borrowed)
    }

    /// Sets the taps of an exactly stepped contact: velocities of the body, none, two or four sums with these weights [kg^-1/2]
    /// of its modes. To be set at every onset, and whenever the weights change.
    pub fn set_taps<W: Iterator<Item = f64> + Clone>(&mut self, taps: impl ExactSizeIterator<Item = W>) {
        debug_assert!([0, 2, MAX_TAPS].contains(&taps.len()));
        if let Some(pair) = &mut self.exact_pair {
            pair.active_taps = taps.len();
            taps.take(MAX_TAPS).enumerate().for_each(|(k, weights)| pair.aim(k, weights));
        }
    }

    /// Outputs of the taps after the last exactly stepped sample [m/s].
    pub fn tap_outputs(&self) -> [f64; MAX_TAPS] {
        self.exact_pair.as_ref().map_or([0.0; MAX_TAPS], |pair| pair.heard)
    }

    /// Displacement and velocity of the body's mode i, also while they are borrowed.
    pub fn state(&self, i: usize) -> (f64, f64) {
        match self.borrower() {
            Some(pair) => pair.basis.state(pair.own + i),
            None => (self.body.modes.q[i], self.body.modes.v[i]),
        }
    }

    /// Energy [J] of the body, also while it is borrowed.
    pub fn body_energy(&self) -> f64 {
        match self.borrower() {
            Some(pair) => pair.energy(pair.own..pair.modes.len()),
            None => self.body.modes.energy(),
        }
    }

    /// Energy [J] of hammer i without its contact, also while it is borrowed.
    pub fn hammer_energy(&self, i: usize) -> f64 {
        match self.borrower().filter(|pair| pair.hammer == i) {
            Some(pair) => pair.energy(0..pair.own),
            None => self.hammers[i].energy(),
        }
    }

    /// Whether a contact is stepped exactly, by [`ExactContact`].
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.exact_pair.as_ref().is_some_and(|pair| pair.is_active())
    }

    /// Ends the exact steps of a contact, which goes on with substeps.
    #[inline]
    pub(crate) fn leave_exact(&mut self) {
        if self.is_exact() {
            self.stop_exact();
        }
    }

    #[cold]
    fn stop_exact(&mut self) {
        self.settle();
        let Self { exact_pair: Some(pair), hammers, .. } = self else { return };
        pair.end();
        let hammer = &hammers[pair.hammer()];
        if hammer.contact.touching {
            let v = hammer.closing(&self.body.modes);
            let energy = 0.5 * v * v / hammer.mobility() + hammer.contact_energy();
            self.phase.level = self.resolution.level(hammer, (2.0 * energy * hammer.mobility()).sqrt(), self.h);
            self.begin_contact(0, 0);
        }
    }

    /// The table of a whole sample and the body's q and v, padded with zeros, to let the body ring without hammers.
    pub fn ring_parts(&mut self) -> (&StepTable, &mut [f64], &mut [f64]) {
        self.leave_exact();
        self.potential.forget();
        self.body.take(Span::Level(0));
        let (table, modes) = self.body.parts();
        (table, &mut modes.q, &mut modes.v)
    }

    /// Exchanges displacements and velocities of the body, after it has rung without hammers. Both have the same padded length
    /// and capacity.
    pub fn exchange_state(&mut self, state: &mut [ModeArray; 2]) {
        self.leave_exact();
        self.potential.forget();
        self.body.exchange_state(state);
    }

    /// Total energy [J]: body, hammers, contacts with U.
    pub fn energy(&self) -> f64 {
        let hammers = self.hammers.numbered();
        self.body_energy()
            + self.stiffening_energy()
            + hammers.map(|(i, s)| self.hammer_energy(i) + s.contact_energy()).sum::<f64>()
    }

    /// State before the last substep, for hammer i. For an exactly stepped contact that is not settled: the state at its onset.
    pub fn before(&self, i: usize) -> StateBefore {
        let hammer = &self.hammers[i];
        let closing = hammer.closing_before(&self.body);
        StateBefore { closing, hammer: hammer.energy_before(), body: self.body.energy_before() }
    }
}
