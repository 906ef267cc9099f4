//! One hammer on one body through a linear spring and damper, exactly, a sample at a time ([Rath] section 2.2).
//!
//! ```text
//! onset        the free step would end in contact: the contact begins at the sample before it, where the offset element makes x = 0
//! in contact   hammer and body are one linear system, which its eigenvectors advance exactly: see `pair`
//! release      the first sample with x <= 0: the stretched spring is cut and its energy k x^2/2 lost
//! ```
//!
//! Whatever else happens to the body meanwhile (another hammer, a parameter that moves, a profile that rises, a hand on it) ends the
//! exact play, and the contact goes on with substeps; neither way brings energy.

use crate::contact::ContactLaw;
use crate::contact::Linear;
use crate::modal::Span;
use crate::solver::collision::{Collision, SubstepReport};
use crate::solver::exact_pair::ExactPair;

/// What advances one such contact; made once, lent to one collision after the other.
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

    /// No basis at hand.
    pub fn forget(&mut self) {
        if let Some(pair) = &mut self.pair {
            pair.forget();
        }
    }

    /// Whether the basis at hand is that of hammer i on this body.
    pub fn fits(&self, collision: &Collision, i: usize) -> bool {
        self.pair.as_ref().is_some_and(|pair| pair.fits(collision, i))
    }

    /// Builds the basis for hammer i on this body. False if its law is another, if there is no room, if no basis was found, or if it is lent.
    pub fn build(&mut self, collision: &Collision, i: usize) -> bool {
        self.pair.as_mut().is_some_and(|pair| pair.build(collision, i))
    }

    /// Begins the contact of hammer i at this sample; the basis must fit. From here on it is lent, until [`Exact::take_back`].
    pub fn begin(&mut self, collision: &mut Collision, i: usize) {
        if collision.pair.is_none()
            && let Some(pair) = self.pair.take()
        {
            collision.begin_exact(i, pair);
        }
    }

    /// Whether it is not lent any more: the contact that `collision` has it for may be over.
    pub fn take_back(&mut self, collision: &mut Collision) -> bool {
        if self.pair.is_none() {
            self.pair = collision.part();
        }
        self.pair.is_some()
    }

    /// One sample of body and hammer, whose state is that after it. False, and nothing done, if the contact is not played exactly.
    pub fn step(&mut self, collision: &mut Collision, watch: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        let played = collision.step_together(true, watch);
        self.take_back(collision);
        played
    }
}

impl Collision {
    /// Whether a contact is played by [`Exact`].
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.pair.as_ref().is_some_and(|pair| pair.plays())
    }

    /// One sample of a contact that [`Exact`] has begun, O(N): hammer and body are lent to it, and what reads or changes them calls
    /// [`Collision::settle`] first. What is heard is in [`Collision::heard`]. At the end of the contact, and while the ledger is open, they
    /// are settled when `watch` is called. False, and nothing done, if the contact is not played exactly.
    pub fn step_exact(&mut self, watch: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        self.step_together(false, watch)
    }

    fn step_together(&mut self, settled: bool, watch: &mut impl FnMut(&Collision, &SubstepReport)) -> bool {
        if !self.is_exact() {
            return false;
        }
        let mut entry = self.open_entry();
        let settled = settled || self.ledger.is_some();
        let Self { pair: Some(pair), strikers, body, h: dt, .. } = self else { return false };
        let (i, law, dt) = (pair.hammer(), pair.law(), *dt);
        let striker = &mut strikers[i];
        let (x0, v0) = (striker.x, pair.closing());
        let began = x0 == 0.0;
        let (x1, v1) = pair.step(striker, body);
        let ended = x1 <= 0.0;
        (striker.x, striker.touching) = (x1, !ended);
        if settled || ended {
            let before = striker.bank.modes.q[0];
            pair.settle(striker, body);
            entry.supplied = striker.push() * (striker.bank.modes.q[0] - before);
        }
        let (k, c) = (law.stiffness(), law.damping());
        let cut = if ended { 0.5 * k * x1 * x1 } else { 0.0 };
        // eigenvectors give the energy, not its losses one by one: what is gone is booked as lost, a gain stands out as unbalanced
        if self.ledger.is_some() {
            entry.lost_in_contact = (entry.before + entry.supplied - self.booked_energy()).max(0.0);
        }
        self.close_entry(entry);
        let force = 0.5 * (k * (x0 + x1) + c * (v0 + v1));
        let loss = 0.5 * c * (v0 * v0 + v1 * v1) * dt + cut;
        watch(self, &SubstepReport { striker: i, start: 0.0, dt, x0, x1, v1, force, loss, began, ended });
        if ended {
            self.end_together(i);
        }
        true
    }

    /// The contact of hammer i, played exactly, has ended.
    fn end_together(&mut self, i: usize) {
        let Self { pair: Some(pair), strikers, body, .. } = self else { return };
        pair.end();
        strikers[i].end_contact();
        strikers[i].shorten_offset(pair.offset_before());
        strikers[i].follow_geometry(&body.modes);
    }

    /// The hammer that a free flight would bring into contact by the end of this sample, if it is alone, its contact linear and no
    /// profile moves under it.
    pub fn linear_onset(&mut self) -> Option<usize> {
        if self.in_contact || self.is_exact() {
            return None;
        }
        let mut active = self.strikers.numbered();
        let (i, _) = active.next()?;
        let alone = active.next().is_none() && !self.strikers[i].stays;
        drop(active);
        if !alone || self.strikers[i].rise() != 0.0 || linear(self, i).is_none() {
            return None;
        }
        self.predict(Span::Level(0), false);
        (self.strikers[i].foresee(&self.body).0 > 0.0).then_some(i)
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
        let Self { pair: Some(pair), strikers, .. } = self else { return };
        pair.end();
        let striker = &strikers[pair.hammer()];
        if striker.touching {
            let v = striker.closing(&self.body.modes);
            let energy = 0.5 * v * v / striker.mobility() + striker.contact_energy();
            self.level = self.resolution.level(striker, (2.0 * energy * striker.mobility()).sqrt(), self.h);
            self.begin_contact(0, 0);
        }
    }
}

/// The law of hammer i, if it is linear.
pub(crate) fn linear(collision: &Collision, i: usize) -> Option<Linear> {
    match collision.strikers[i].law() {
        ContactLaw::Linear(law) => Some(law),
        _ => None,
    }
}
