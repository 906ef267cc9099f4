//! A hammer and a body in linear contact as one system, from the onset to the end of the contact or of the exact steps.
//!
//! Their common state is kept in the coordinates of their eigenvectors and takes one step there in a sample, O(N), which gives
//! compression, its velocity and the outputs of the taps. Meanwhile q and v of hammer and body are *borrowed*: they keep their
//! values at the onset. `Collision::settle` restores the present state, O(N^2), before the contact ends or a parameter changes.
//! Single modes and energies can be read at any time.

use crate::contact::Linear;
use crate::eigenbasis::{ContactBasis, MAX_PROBES, Probe};
use crate::modal::{Mode, ModeBank};
use crate::solver::hammer::Hammer;

/// Maximum number of taps: velocities of the body that are read at once.
pub const MAX_TAPS: usize = MAX_PROBES;

/// Samples between two flushes of denormal numbers.
const LOOK_EVERY: u32 = 256;

/// The system, its basis and its state.
#[derive(Clone, Debug)]
pub(crate) struct ExactPair {
    pub(super) basis: ContactBasis,
    /// Modes and weights, the hammer's first, and the law for which the basis was built.
    pub(super) modes: Vec<Mode>,
    weights: Vec<f64>,
    law: Linear,
    /// Whether there is a basis.
    built: bool,
    /// Whether a contact is stepped.
    is_active: bool,
    pub(super) hammer: usize,
    /// How many of the modes are the hammer's.
    pub(super) own: usize,
    /// The hammer's offset before the contact [m].
    offset: f64,
    /// Velocity of compression [m/s].
    closing: f64,
    /// Samples since denormal numbers were flushed.
    since_flush: u32,
    taps: [OutputTap; MAX_TAPS],
    /// Number of taps in use: 0, 2 or all.
    pub(super) active_taps: usize,
    pub(super) heard: [f64; MAX_TAPS],
    q: Vec<f64>,
    v: Vec<f64>,
    push: Vec<f64>,
}

/// Weights of one output of the body, and the same by eigenvectors.
#[derive(Clone, Debug)]
struct OutputTap {
    /// One weight a mode, 0 for those of the hammer; empty: not set.
    weights: Vec<f64>,
    probe: Probe,
}

impl ExactPair {
    /// Room for `capacity` modes of hammer and body together; the only allocation.
    pub fn new(capacity: usize) -> Self {
        let reals = || Vec::with_capacity(capacity);
        Self {
            basis: ContactBasis::new(capacity),
            modes: Vec::with_capacity(capacity),
            weights: reals(),
            law: Linear::new(1.0, 0.0),
            built: false,
            is_active: false,
            hammer: 0,
            own: 0,
            offset: 0.0,
            closing: 0.0,
            since_flush: 0,
            taps: std::array::from_fn(|_| OutputTap { weights: reals(), probe: Probe::new(capacity) }),
            active_taps: 0,
            heard: [0.0; MAX_TAPS],
            q: reals(),
            v: reals(),
            push: reals(),
        }
    }

    /// Discards the basis.
    pub fn forget(&mut self) {
        self.built = false;
    }

    /// Whether the basis is that of this hammer on this body.
    pub fn fits(&self, hammer: &Hammer, body: &ModeBank) -> bool {
        let law = self.built && hammer.linear_law() == Some(self.law);
        law && modes_of(hammer, body).eq(self.modes.iter().copied()) && weights_of(hammer, body).eq(self.weights.iter().copied())
    }

    /// Builds the basis for this hammer on this body and samples of h [s]. False if its law is another, if there is no room, or if no
    /// basis was found.
    pub fn build(&mut self, hammer: &Hammer, body: &ModeBank, h: f64) -> bool {
        self.built = false;
        self.taps.iter_mut().for_each(|tap| tap.weights.clear());
        let count = modes_of(hammer, body).count();
        let Some(law) = hammer.linear_law().filter(|_| count <= self.modes.capacity()) else { return false };
        self.modes.clear();
        self.modes.extend(modes_of(hammer, body));
        self.weights.clear();
        self.weights.extend(weights_of(hammer, body));
        self.law = law;
        self.built = self.basis.build(&self.modes, &self.weights, law.stiffness(), law.damping(), h);
        self.built
    }

    /// Whether a contact is stepped.
    pub fn is_active(&self) -> bool {
        self.is_active
    }

    /// The hammer that takes part.
    pub fn hammer(&self) -> usize {
        self.hammer
    }

    /// The law of the contact.
    pub fn law(&self) -> Linear {
        self.law
    }

    /// Velocity of compression [m/s].
    pub fn closing(&self) -> f64 {
        self.closing
    }

    /// The hammer's offset before the contact [m].
    pub fn offset_before(&self) -> f64 {
        self.offset
    }

    /// Elastic energy [J] of hammer and body at rest under the push of the hammer.
    pub fn rest_energy(&mut self, hammer: &Hammer) -> f64 {
        self.set_push(hammer.push());
        self.basis.rest_energy(&self.push, hammer.relaxed())
    }

    fn set_push(&mut self, push: f64) {
        self.push.clear();
        self.push.resize(self.modes.len(), 0.0);
        self.push[0] = push;
    }

    /// Borrows the state of hammer number i and of the body, which touch at x = 0.
    pub fn begin(&mut self, i: usize, offset: f64, hammer: &mut Hammer, body: &mut ModeBank) {
        (self.hammer, self.own, self.offset) = (i, hammer.modes().len(), offset);
        let (own, count) = (self.own, self.own + body.modes.len());
        let joined = |own_part: &[f64], body_part: &[f64], to: &mut Vec<f64>| {
            to.clear();
            to.extend(own_part[..own].iter().chain(&body_part[..count - own]));
        };
        joined(&hammer.modes().q, &body.modes.q, &mut self.q);
        joined(&hammer.modes().v, &body.modes.v, &mut self.v);
        self.set_push(hammer.push());
        self.basis.load(&self.q, &self.v, &self.push, hammer.relaxed());
        self.closing = hammer.closing(&body.modes);
        hammer.bank.remember();
        body.remember();
        (self.is_active, self.since_flush, self.active_taps) = (true, 0, 0);
    }

    /// One sample of hammer and body, whose state is borrowed. Compression [m] and its velocity [m/s] after it.
    pub fn step(&mut self, hammer: &mut Hammer, body: &mut ModeBank) -> (f64, f64) {
        (hammer.bank.borrowed, body.borrowed) = (true, true);
        let taps = self.taps.each_ref().map(|tap| &tap.probe);
        let moment = self.basis.step_to(&taps[..self.active_taps]);
        (self.heard, self.closing) = (moment.heard, moment.closing);
        self.since_flush += 1;
        if self.since_flush == LOOK_EVERY {
            self.since_flush = 0;
            self.basis.drop_dead();
        }
        (moment.compression, moment.closing)
    }

    /// Restores the state of hammer and body if it is borrowed; their former values become the state before.
    pub fn settle(&mut self, hammer: &mut Hammer, body: &mut ModeBank) {
        if body.borrowed {
            self.basis.store(&mut self.q, &mut self.v);
            hammer.bank.go_to(&self.q[..self.own], &self.v[..self.own]);
            body.go_to(&self.q[self.own..], &self.v[self.own..]);
        }
    }

    /// Ends the exact steps.
    pub fn end(&mut self) {
        self.is_active = false;
    }

    /// Energy [J] of a range of modes.
    pub fn energy(&self, modes: std::ops::Range<usize>) -> f64 {
        let each = modes.map(|i| {
            let (q, v) = self.basis.state(i);
            v * v + (self.modes[i].omega * q).powi(2)
        });
        0.5 * each.sum::<f64>()
    }

    /// Sets the weights of tap k; weights known to the same basis cost nothing.
    pub fn aim(&mut self, k: usize, weights: impl Iterator<Item = f64> + Clone) {
        let Self { taps, basis, own, modes, .. } = self;
        let weights = std::iter::repeat_n(0.0, *own).chain(weights).take(modes.len());
        // when a smoothed pickup has reached its target, another tap already has these weights
        let known = taps[k..].iter().position(|tap| weights.clone().eq(tap.weights.iter().copied()));
        taps.swap(k, k + known.unwrap_or(0));
        let tap = &mut taps[k];
        if known.is_none() {
            tap.weights.clear();
            tap.weights.extend(weights);
            tap.weights.resize(modes.len(), 0.0);
            basis.aim_probe(&mut tap.probe, &tap.weights);
        }
    }
}

fn modes_of<'a>(hammer: &'a Hammer, body: &'a ModeBank) -> impl Iterator<Item = Mode> + 'a {
    hammer.modes().list().iter().chain(body.modes.list()).copied()
}

fn weights_of<'a>(hammer: &'a Hammer, body: &'a ModeBank) -> impl Iterator<Item = f64> + 'a {
    let n = body.modes.len();
    hammer.own_weights().iter().chain(&hammer.body_weights()[..n]).copied()
}
