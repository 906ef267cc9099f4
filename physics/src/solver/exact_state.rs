//! State and energy of a body whose contact is stepped exactly, and the way back to substeps.

use crate::modal::{Span, StepTable};
use crate::solver::collision::Collision;
use crate::solver::exact_pair::{ExactPair, MAX_TAPS};
use crate::solver::reports::StateBefore;

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

    /// Whether a contact is stepped exactly, by [`ExactContact`](crate::solver::ExactContact).
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
        self.body.take(Span::Level(0));
        let (table, modes) = self.body.parts();
        (table, &mut modes.q, &mut modes.v)
    }

    /// Exchanges displacements and velocities of the body, after it has rung without hammers. Both have the same padded length
    /// and capacity.
    pub fn exchange_state(&mut self, state: &mut [Vec<f64>; 2]) {
        self.leave_exact();
        self.body.exchange_state(state);
    }

    /// Total energy [J]: body, hammers, contacts with U.
    pub fn energy(&self) -> f64 {
        let hammers = self.hammers.numbered();
        self.body_energy() + hammers.map(|(i, s)| self.hammer_energy(i) + s.contact_energy()).sum::<f64>()
    }

    /// State before the last substep, for hammer i. For an exactly stepped contact that is not settled: the state at its onset.
    pub fn before(&self, i: usize) -> StateBefore {
        let hammer = &self.hammers[i];
        let closing = hammer.closing_before(&self.body);
        StateBefore { closing, hammer: hammer.energy_before(), body: self.body.energy_before() }
    }
}
