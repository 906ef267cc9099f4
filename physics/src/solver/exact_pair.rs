//! A hammer and a body in linear contact as one system, from the onset to whatever ends it.
//!
//! Their common state lives in the coordinates of their eigenvectors and takes one step there in a sample, O(N): compression, its
//! velocity and what is listened to are read from there. Hammer and body meanwhile have *lent* their q and v, which stand still at the
//! onset; [`Collision::settle`] gives them back as they are now, O(N^2). Whatever ends the contact or changes a parameter does that first;
//! whoever only looks asks for single modes, or for energies, which are right at any time.

use crate::contact::Linear;
use crate::eigenbasis::ContactBasis;
use crate::eigenbasis::{MOST_PROBES, Probe};
use crate::modal::Mode;
use crate::modal::ModeBank;
use crate::solver::collision::Collision;
use crate::solver::exact_contact::linear;
use crate::solver::hammer::Hammer;

/// Most velocities of the body that are listened to at once.
pub const MOST_EARS: usize = MOST_PROBES;

/// Samples between two looks for what has died away.
const LOOK_EVERY: u32 = 256;

/// The system, its basis, and where it is.
#[derive(Clone, Debug)]
pub(crate) struct ExactPair {
    basis: ContactBasis,
    /// What the basis was built for: modes and weights, the hammer's first, and the law.
    modes: Vec<Mode>,
    weights: Vec<f64>,
    law: Linear,
    /// There is a basis.
    built: bool,
    /// A contact is played.
    plays: bool,
    hammer: usize,
    /// How many of the modes are the hammer's.
    own: usize,
    /// What the hammer's offset was before the contact [m].
    offset: f64,
    /// Velocity of compression [m/s].
    closing: f64,
    /// Samples since what has died away was looked for.
    unlooked: u32,
    ears: [OutputTap; MOST_EARS],
    /// How many of them listen: none, two or all.
    listening: usize,
    heard: [f64; MOST_EARS],
    q: Vec<f64>,
    v: Vec<f64>,
    push: Vec<f64>,
}

/// Weights by which the body is heard, and how eigenvectors have them.
#[derive(Clone, Debug)]
struct OutputTap {
    /// One weight a mode, those of the hammer 0; empty: it is not aimed.
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
            plays: false,
            hammer: 0,
            own: 0,
            offset: 0.0,
            closing: 0.0,
            unlooked: 0,
            ears: std::array::from_fn(|_| OutputTap { weights: reals(), probe: Probe::new(capacity) }),
            listening: 0,
            heard: [0.0; MOST_EARS],
            q: reals(),
            v: reals(),
            push: reals(),
        }
    }

    /// No basis.
    pub fn forget(&mut self) {
        self.built = false;
    }

    /// Whether the basis is that of hammer i on this body.
    pub fn fits(&self, collision: &Collision, i: usize) -> bool {
        let same = |collision| modes_of(collision, i).eq(self.modes.iter().copied());
        let law = self.built && linear(collision, i) == Some(self.law);
        law && same(collision) && weights_of(collision, i).eq(self.weights.iter().copied())
    }

    /// Builds the basis for hammer i on this body. False if its law is another, if there is no room, or if no basis was found.
    pub fn build(&mut self, collision: &Collision, i: usize) -> bool {
        self.built = false;
        self.ears.iter_mut().for_each(|ear| ear.weights.clear());
        let count = modes_of(collision, i).count();
        let Some(law) = linear(collision, i).filter(|_| count <= self.modes.capacity()) else { return false };
        self.modes.clear();
        self.modes.extend(modes_of(collision, i));
        self.weights.clear();
        self.weights.extend(weights_of(collision, i));
        self.law = law;
        self.built = self.basis.build(&self.modes, &self.weights, law.stiffness(), law.damping(), collision.h);
        self.built
    }

    /// Whether a contact is played.
    pub fn plays(&self) -> bool {
        self.plays
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

    /// What the hammer's offset was before the contact [m].
    pub fn offset_before(&self) -> f64 {
        self.offset
    }

    /// Takes over hammer number i and the body, which touch at x = 0.
    fn begin(&mut self, i: usize, offset: f64, striker: &mut Hammer, body: &mut ModeBank) {
        (self.hammer, self.own, self.offset) = (i, striker.modes().len(), offset);
        let (own, count) = (self.own, self.own + body.modes.len());
        let joined = |own_part: &[f64], body_part: &[f64], to: &mut Vec<f64>| {
            to.clear();
            to.extend(own_part[..own].iter().chain(&body_part[..count - own]));
        };
        joined(&striker.modes().q, &body.modes.q, &mut self.q);
        joined(&striker.modes().v, &body.modes.v, &mut self.v);
        self.push.clear();
        self.push.resize(count, 0.0);
        self.push[0] = striker.push();
        self.basis.load(&self.q, &self.v, &self.push, striker.relaxed());
        self.closing = striker.closing(&body.modes);
        striker.bank.remember();
        body.remember();
        (self.plays, self.unlooked, self.listening) = (true, 0, 0);
    }

    /// One sample of hammer and body, which lend their state. Compression [m] and its velocity [m/s] after it.
    pub fn step(&mut self, striker: &mut Hammer, body: &mut ModeBank) -> (f64, f64) {
        (striker.bank.lent, body.lent) = (true, true);
        let ears = self.ears.each_ref().map(|ear| &ear.probe);
        let moment = self.basis.step_to(&ears[..self.listening]);
        (self.heard, self.closing) = (moment.heard, moment.closing);
        self.unlooked += 1;
        if self.unlooked == LOOK_EVERY {
            self.unlooked = 0;
            self.basis.drop_dead();
        }
        (moment.compression, moment.closing)
    }

    /// Gives hammer and body their state back, if they have lent it; what they had keeps its place as the state before.
    pub fn settle(&mut self, striker: &mut Hammer, body: &mut ModeBank) {
        if body.lent {
            self.basis.store(&mut self.q, &mut self.v);
            striker.bank.go_to(&self.q[..self.own], &self.v[..self.own]);
            body.go_to(&self.q[self.own..], &self.v[self.own..]);
        }
    }

    /// The contact is over, or goes on otherwise.
    pub fn end(&mut self) {
        self.plays = false;
    }

    /// Energy [J] of so many modes from number `first` on.
    fn energy(&self, modes: std::ops::Range<usize>) -> f64 {
        let each = modes.map(|i| {
            let (q, v) = self.basis.state(i);
            v * v + (self.modes[i].omega * q).powi(2)
        });
        0.5 * each.sum::<f64>()
    }

    /// Ear number k hears by `weights` of the body's modes from now on; those of the same basis cost nothing.
    fn aim(&mut self, k: usize, weights: impl Iterator<Item = f64> + Clone) {
        let Self { ears, basis, own, modes, .. } = self;
        let weights = std::iter::repeat_n(0.0, *own).chain(weights).take(modes.len());
        // of pickups that have arrived another ear has what this one is to have
        let known = ears[k..].iter().position(|ear| weights.clone().eq(ear.weights.iter().copied()));
        ears.swap(k, k + known.unwrap_or(0));
        let ear = &mut ears[k];
        if known.is_none() {
            ear.weights.clear();
            ear.weights.extend(weights);
            ear.weights.resize(modes.len(), 0.0);
            basis.aim_probe(&mut ear.probe, &ear.weights);
        }
    }
}

impl Collision {
    /// Hammer i and the body touch from now on as one system, which `pair` has a basis for.
    pub(crate) fn begin_exact(&mut self, i: usize, mut pair: Box<ExactPair>) {
        let Self { strikers, body, .. } = self;
        let striker = &mut strikers[i];
        let offset = striker.offset();
        striker.show(0.0, &body.modes);
        (striker.touching, striker.touched, striker.beta) = (true, true, 0.0);
        pair.begin(i, offset, striker, body);
        (self.pair, self.fitted) = (Some(pair), None);
    }

    /// What played a contact that is over.
    pub(crate) fn part(&mut self) -> Option<Box<ExactPair>> {
        self.pair.take_if(|pair| !pair.plays())
    }

    /// Hammer and body have their state again, where a contact that is played exactly has borrowed it; that goes on. O(N^2).
    pub fn settle(&mut self) {
        if let Self { pair: Some(pair), strikers, body, .. } = self
            && pair.plays()
        {
            pair.settle(&mut strikers[pair.hammer()], body);
        }
    }

    /// What hammer and body have lent their state.
    fn borrower(&self) -> Option<&ExactPair> {
        self.pair.as_deref().filter(|_| self.body.lent)
    }

    /// Listens to velocities of the body while a contact is played exactly: none, two or four sums with these weights [kg^-1/2] of its
    /// modes. To be said anew at every onset, and whenever they change.
    pub fn listen<W: Iterator<Item = f64> + Clone>(&mut self, ears: impl ExactSizeIterator<Item = W>) {
        debug_assert!([0, 2, MOST_EARS].contains(&ears.len()));
        if let Some(pair) = &mut self.pair {
            pair.listening = ears.len();
            ears.take(MOST_EARS).enumerate().for_each(|(k, weights)| pair.aim(k, weights));
        }
    }

    /// What was heard of the body after the last sample that was played exactly [m/s].
    pub fn heard(&self) -> [f64; MOST_EARS] {
        self.pair.as_ref().map_or([0.0; MOST_EARS], |pair| pair.heard)
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
            None => self.strikers[i].energy(),
        }
    }
}

fn modes_of(collision: &Collision, i: usize) -> impl Iterator<Item = Mode> + '_ {
    collision.strikers[i].modes().list().iter().chain(collision.body.modes.list()).copied()
}

fn weights_of(collision: &Collision, i: usize) -> impl Iterator<Item = f64> + '_ {
    let (striker, n) = (&collision.strikers[i], collision.body.modes.len());
    striker.own_weights().iter().chain(&striker.body_weights()[..n]).copied()
}
