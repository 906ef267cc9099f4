//! State and energy of a body whose contact is stepped exactly, and the way back to substeps.

use crate::modal::{Span, StepTable};
use crate::solver::collision::Collision;
use crate::solver::exact_pair::{ExactPair, MAX_TAPS};
use crate::solver::reports::StateBefore;

impl Collision {
    /// Hammer i and the body touch from now on as one system, which `pair` has a basis for.
    pub(crate) fn begin_exact(&mut self, i: usize, mut pair: Box<ExactPair>) {
        let Self { hammers, body, .. } = self;
        let hammer = &mut hammers[i];
        let offset = hammer.offset();
        hammer.set_geometry(0.0, &body.modes);
        (hammer.contact.touching, hammer.contact.touched, hammer.fit.beta) = (true, true, 0.0);
        pair.begin(i, offset, hammer, body);
        (self.exact_pair, self.phase.fitted) = (Some(pair), None);
    }

    /// What played a contact that is over.
    pub(crate) fn take_finished_pair(&mut self) -> Option<Box<ExactPair>> {
        self.exact_pair.take_if(|pair| !pair.is_active())
    }

    /// What hammer and body have lent their state.
    fn borrower(&self) -> Option<&ExactPair> {
        self.exact_pair.as_deref().filter(|_| self.body.borrowed)
    }

    /// Listens to velocities of the body while a contact is played exactly: none, two or four sums with these weights [kg^-1/2] of its
    /// modes. To be said anew at every onset, and whenever they change.
    pub fn listen<W: Iterator<Item = f64> + Clone>(&mut self, taps: impl ExactSizeIterator<Item = W>) {
        debug_assert!([0, 2, MAX_TAPS].contains(&taps.len()));
        if let Some(pair) = &mut self.exact_pair {
            pair.active_taps = taps.len();
            taps.take(MAX_TAPS).enumerate().for_each(|(k, weights)| pair.aim(k, weights));
        }
    }

    /// What was heard of the body after the last sample that was played exactly [m/s].
    pub fn heard(&self) -> [f64; MAX_TAPS] {
        self.exact_pair.as_ref().map_or([0.0; MAX_TAPS], |pair| pair.heard)
    }

    /// Displacement and velocity of the body's mode i, also while they are lent.
    pub fn state(&self, i: usize) -> (f64, f64) {
        match self.borrower() {
            Some(pair) => pair.basis.state(pair.own + i),
            None => (self.body.modes.q[i], self.body.modes.v[i]),
        }
    }

    /// Energy [J] of the body, also while it is lent.
    pub fn body_energy(&self) -> f64 {
        match self.borrower() {
            Some(pair) => pair.energy(pair.own..pair.modes.len()),
            None => self.body.modes.energy(),
        }
    }

    /// Energy [J] of hammer i without its contact, also while it is lent.
    pub fn hammer_energy(&self, i: usize) -> f64 {
        match self.borrower().filter(|pair| pair.hammer == i) {
            Some(pair) => pair.energy(0..pair.own),
            None => self.hammers[i].energy(),
        }
    }

    /// Whether a contact is played by [`Exact`].
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.exact_pair.as_ref().is_some_and(|pair| pair.is_active())
    }

    /// Ends the exact play of a contact, which goes on with substeps.
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

    /// Everything [J]: body, hammers, contacts with U.
    pub fn energy(&self) -> f64 {
        let hammers = self.hammers.numbered();
        self.body_energy() + hammers.map(|(i, s)| self.hammer_energy(i) + s.contact_energy()).sum::<f64>()
    }

    /// How things stood before the substep made last, for hammer i: for whoever watches. Of a contact that is played exactly and not
    /// settled how they stood at its onset.
    pub fn before(&self, i: usize) -> StateBefore {
        let hammer = &self.hammers[i];
        let closing = hammer.closing_before(&self.body);
        StateBefore { closing, hammer: hammer.energy_before(), body: self.body.energy_before() }
    }
}
