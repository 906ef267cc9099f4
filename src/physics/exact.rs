//! One hammer on one body through a linear spring and damper, exactly, a sample at a time ([Rath] section 2.2).
//!
//! ```text
//! onset        the free step would end in contact: the contact begins at the sample before it, where the offset element makes x = 0
//! in contact   hammer and body are one linear system, which its eigenvectors advance exactly: see `eigenbasis`
//! release      the first sample with x <= 0: the stretched spring is cut and its energy k x^2/2 lost
//! ```
//!
//! Whatever else happens to the body meanwhile (another hammer, a parameter that moves, a profile that rises, a hand on it) ends the
//! exact play, and the contact goes on with substeps; neither way brings energy.

use super::bank::Span;
use super::collision::{Collision, Substep};
use super::contact::{Law, Linear};
use super::eigenbasis::ContactBasis;
use super::modes::Mode;

/// What advances one such contact; made once, used for one contact after the other.
#[derive(Clone, Debug)]
pub struct Exact {
    basis: ContactBasis,
    /// What the basis was built for: modes and weights, the hammer's first, and the law.
    modes: Vec<Mode>,
    weights: Vec<f64>,
    law: Option<Linear>,
    q: Vec<f64>,
    v: Vec<f64>,
    push: Vec<f64>,
    hammer: usize,
    /// What the hammer's offset was before the contact [m].
    rest: f64,
}

impl Exact {
    /// Room for `capacity` modes of hammer and body together; the only allocation, about 32 capacity^2 bytes.
    pub fn new(capacity: usize) -> Self {
        let reals = || Vec::with_capacity(capacity);
        Self {
            basis: ContactBasis::new(capacity),
            modes: Vec::with_capacity(capacity),
            weights: reals(),
            law: None,
            q: reals(),
            v: reals(),
            push: reals(),
            hammer: 0,
            rest: 0.0,
        }
    }

    /// No basis at hand.
    pub fn forget(&mut self) {
        self.law = None;
    }

    /// Whether there is room for hammer i and the body.
    fn has_room_for(&self, collision: &Collision, i: usize) -> bool {
        collision.striker(i).modes().len() + collision.body().len() <= self.modes.capacity()
    }

    /// Whether the basis at hand is that of hammer i on this body.
    pub fn fits(&self, collision: &Collision, i: usize) -> bool {
        let modes = modes_of(collision, i).eq(self.modes.iter().copied());
        modes && self.law == linear(collision, i) && weights_of(collision, i).eq(self.weights.iter().copied())
    }

    /// Builds the basis for hammer i on this body. False if its law is another, if there is no room, or if no basis was found.
    pub fn build(&mut self, collision: &Collision, i: usize) -> bool {
        self.law = None;
        self.modes.clear();
        self.weights.clear();
        let Some(law) = linear(collision, i).filter(|_| self.has_room_for(collision, i)) else { return false };
        self.modes.extend(modes_of(collision, i));
        self.weights.extend(weights_of(collision, i));
        let found = self.basis.build(&self.modes, &self.weights, law.stiffness(), law.damping(), collision.h);
        self.law = found.then_some(law);
        found
    }

    /// Begins the contact of hammer i at this sample; the basis must fit.
    pub fn begin(&mut self, collision: &mut Collision, i: usize) {
        let (body, striker) = (&collision.body.modes, &mut collision.strikers[i]);
        self.rest = striker.offset();
        striker.show(0.0, body);
        (striker.touching, striker.touched, striker.beta) = (true, true, 0.0);
        let own = striker.modes().len();
        let n = own + body.len();
        let joined = |own_part: &[f64], body_part: &[f64], to: &mut Vec<f64>| {
            to.clear();
            to.extend(own_part[..own].iter().chain(&body_part[..n - own]));
        };
        joined(&striker.modes().q, &body.q, &mut self.q);
        joined(&striker.modes().v, &body.v, &mut self.v);
        self.push.clear();
        self.push.resize(n, 0.0);
        self.push[0] = striker.push();
        self.basis.load(&self.q, &self.v, &self.push, striker.relaxed());
        self.hammer = i;
        (collision.exact, collision.fitted) = (Some(i), None);
    }

    /// One sample of body and hammer. False, and nothing done, if the contact is no longer played exactly.
    pub fn step(&mut self, collision: &mut Collision, watch: &mut impl FnMut(&Collision, &Substep)) -> bool {
        let i = self.hammer;
        if collision.exact != Some(i) {
            return false;
        }
        let Some(law) = self.law else { return false };
        let mut entry = collision.open_entry();
        let striker = &collision.strikers[i];
        let (x0, v0) = (striker.x, striker.closing(&collision.body.modes));
        let began = x0 == 0.0;
        self.basis.step();
        self.basis.store(&mut self.q, &mut self.v);
        let striker = &mut collision.strikers[i];
        let own = striker.modes().len();
        entry.supplied = striker.push() * (self.q[0] - striker.modes().q[0]);
        striker.bank.go_to(&self.q[..own], &self.v[..own]);
        collision.body.go_to(&self.q[own..], &self.v[own..]);
        let (x1, v1) = (striker.geometry(&collision.body.modes), striker.closing(&collision.body.modes));
        let ended = x1 <= 0.0;
        (striker.x, striker.touching) = (x1, !ended);
        let (k, c, dt) = (law.stiffness(), law.damping(), collision.h);
        let cut = if ended { 0.5 * k * x1 * x1 } else { 0.0 };
        // eigenvectors give the energy, not its losses one by one: what is gone is booked as lost, a gain stands out as unbalanced
        if collision.ledger.is_some() {
            entry.lost_in_contact = (entry.before + entry.supplied - collision.booked_energy()).max(0.0);
        }
        collision.close_entry(entry);
        let force = 0.5 * (k * (x0 + x1) + c * (v0 + v1));
        let loss = 0.5 * c * (v0 * v0 + v1 * v1) * dt + cut;
        watch(collision, &Substep { striker: i, start: 0.0, dt, x0, x1, v1, force, loss, began, ended });
        if ended {
            collision.exact = None;
            collision.strikers[i].let_go();
            collision.strikers[i].shorten_offset(self.rest);
            collision.strikers[i].follow_geometry(&collision.body.modes);
        }
        true
    }
}

impl Collision {
    /// Whether a contact is played by [`Exact`].
    pub fn is_exact(&self) -> bool {
        self.exact.is_some()
    }

    /// The hammer that a free flight would bring into contact by the end of this sample, if it is alone, its contact linear and no
    /// profile moves under it.
    pub fn linear_onset(&mut self) -> Option<usize> {
        if self.in_contact || self.exact.is_some() {
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
    pub(super) fn leave_exact(&mut self) {
        let Some(i) = self.exact.take() else { return };
        let striker = &self.strikers[i];
        if striker.touching {
            let v = striker.closing(&self.body.modes);
            let energy = 0.5 * v * v / striker.mobility() + striker.contact_energy();
            self.level = self.resolution.level(striker, (2.0 * energy * striker.mobility()).sqrt(), self.h);
            self.begin_contact(0, 0);
        }
    }
}

fn linear(collision: &Collision, i: usize) -> Option<Linear> {
    match collision.striker(i).law() {
        Law::Linear(law) => Some(law),
        _ => None,
    }
}

fn modes_of(collision: &Collision, i: usize) -> impl Iterator<Item = Mode> + '_ {
    collision.striker(i).modes().list().iter().chain(collision.body().list()).copied()
}

fn weights_of(collision: &Collision, i: usize) -> impl Iterator<Item = f64> + '_ {
    let (striker, n) = (collision.striker(i), collision.body().len());
    striker.own_weights().iter().chain(&striker.body_weights()[..n]).copied()
}
