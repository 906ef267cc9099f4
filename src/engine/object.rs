//! One sounding body and the hammers on it: in contact, ringing, or asleep. Asleep it costs nothing and is exactly at rest.

use super::body::{Body, Pitch};
use super::contact::Model;
use super::exact::Bases;
use super::glide::{Glides, Slide};
use super::hammer::{Hammer, MOST_OWN};
use super::hit::Recorder;
use super::knob::{KnobId, Settings};
use super::notes::Notes;
use super::patch::Quality;
use super::quiet::{Loudness, hardly_moves};
use super::ring::{GRID, Pickup, ring};
use super::tuning::Tuning;
use crate::physics::collision::{Capacity, Collision, MOST_STRIKERS, Substep};
use crate::physics::level::Resolution;
use crate::physics::shapes::Place;
use crate::physics::throw::ModalHit;

/// Hammers on one body at once.
pub const HAMMERS: usize = MOST_STRIKERS;

/// Tables of step coefficients: a whole sample, an odd length, and the levels of ordinary contacts.
const LEVELS: usize = 7;

/// Age [s] at which a hammer is lifted that has not come clear of the body.
const LONGEST_LIFE: f64 = 0.1;

/// Frames between two looks whether a hammer is clear; the look sums over all modes.
const CLEAR_EVERY: u64 = 8;

/// Energy of one mode [J] that is set to zero: without sound, and far above denormal numbers.
const NEGLIGIBLE: f64 = 1e-40;

/// What the player has set, where the smoothed knobs are, and when it is.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The value of every knob.
    pub settings: &'a Settings,
    /// The frequency of every key.
    pub tuning: &'a Tuning,
    /// The smoothed knobs.
    pub glides: &'a Glides,
    /// Sample rate [Hz].
    pub rate: f64,
    /// Absolute frame.
    pub frame: u64,
}

impl Scene<'_> {
    /// Pitch and losses of the body of a key of `hertz` [Hz].
    pub fn pitch(&self, hertz: f64) -> Pitch {
        Pitch::new(hertz, |id| self.glides.get(id))
    }

    /// Weights on `body` [kg^-1/2] of a hammer so far from the place of the strike.
    pub fn hammer_weights(&self, body: &Body, (along, across): (f64, f64), out: &mut [f64]) {
        let place = self.settings.strike_place();
        let place = Place { along: place.along + along, across: place.across + across };
        body.hammer_weights(place, self.glides.get(KnobId::BodyMass), out);
    }

    /// Weights of the pickups, left and right, on `body` [kg^-1/2], one after the other.
    pub fn pickup_weights(&self, body: &Body, out: &mut [f64], mut take: impl FnMut(usize, &[f64])) {
        let places = [(KnobId::PickupLeft, KnobId::PickupLeftAcross), (KnobId::PickupRight, KnobId::PickupRightAcross)];
        for (side, (along, across)) in places.into_iter().enumerate() {
            let place = Place { along: self.glides.get(along), across: self.glides.get(across) };
            body.pickup_weights(place, self.glides.get(KnobId::BodyMass), out);
            take(side, out);
        }
    }

    /// Factor per frame that falls by 60 dB in `time` [s].
    pub fn fade(&self, time: f64) -> f64 {
        (-(1000_f64.ln()) / (time * self.rate)).exp()
    }

    fn resolution(&self) -> Resolution {
        let (substeps_per_contact, coarsest_level) = match self.settings.quality() {
            Quality::Eco => (8.0, 0),
            Quality::Default => (16.0, 2),
            Quality::Reference => (48.0, 2),
        };
        Resolution { substeps_per_contact, coarsest_level }
    }
}

/// The turn of one object to step a frame.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Which object.
    pub object: usize,
    /// The side-chain's hammer if it is on it.
    pub driven: Option<usize>,
    /// Frame of the grid cell.
    pub offset: usize,
    /// Absolute frame.
    pub frame: u64,
    /// Most substeps.
    pub budget: u32,
}

/// One body on the stage.
pub struct Object {
    /// Body and hammers.
    pub collision: Collision,
    /// Place of the body on the shelf; None = asleep.
    pub place: Option<usize>,
    /// Key that strikes it.
    pub key: u8,
    /// Notes that struck it.
    pub notes: Notes,
    /// Factor of the state per frame, 1 = undamped.
    pub fade: f64,
    /// The fade that a released key asks for.
    pub release: f64,
    /// Another key has taken its place; it fades.
    pub stolen: bool,
    /// Hammers on it.
    pub hammers: usize,
    /// Frames of the grid cell that are rendered.
    pub rendered: usize,
    /// Left and right over the grid cell.
    pub out: [[f64; GRID]; 2],
    /// Frequency of its key.
    pub hertz: Slide,
    /// Its pitch or losses have moved since it was tuned.
    pub stale: bool,
    /// When it was tuned, by the stage's count.
    pub tuned: u64,
    pickups: [Pickup; 2],
    partials: usize,
    fitting: usize,
    deaths: [u64; HAMMERS],
    thrown: [Hammer; HAMMERS],
    loudness: Loudness,
}

impl Object {
    /// Asleep, with room for `modes` modes; allocates.
    pub fn new(rate: f64, modes: usize) -> Self {
        let capacity = Capacity { modes, strikers: HAMMERS, striker_modes: MOST_OWN, levels: LEVELS };
        Self {
            collision: Collision::new(rate, capacity),
            place: None,
            key: 0,
            notes: Notes::default(),
            fade: 1.0,
            release: 1.0,
            stolen: false,
            hammers: 0,
            rendered: 0,
            out: [[0.0; GRID]; 2],
            hertz: Slide::default(),
            stale: false,
            tuned: 0,
            pickups: std::array::from_fn(|_| Pickup::new(modes + 8)),
            partials: 0,
            fitting: 0,
            deaths: [0; HAMMERS],
            thrown: [Hammer::point(0.0); HAMMERS],
            loudness: Loudness::default(),
        }
    }

    /// Whether it sounds.
    pub fn is_awake(&self) -> bool {
        self.place.is_some()
    }

    /// Whether it is the body at `place` of the shelf that a strike of `key` at `hertz` [Hz] meets.
    pub fn meets(&self, key: u8, hertz: f64, place: usize) -> bool {
        self.place == Some(place) && !self.stolen && self.key == key && self.hertz.target() == hertz
    }

    /// Becomes the body of `key` at `hertz` [Hz], at rest. The length of `weights` is the most modes it may have.
    pub fn wake(&mut self, (key, hertz): (u8, f64), place: usize, body: &Body, scene: &Scene, weights: &mut [f64]) {
        let offset = (scene.frame % GRID as u64) as usize;
        for out in &mut self.out {
            out[self.rendered.min(offset)..].fill(0.0);
        }
        self.rendered = self.rendered.max(offset);
        (self.key, self.place, self.stolen, self.fade, self.release) = (key, Some(place), false, 1.0, 1.0);
        self.notes.clear();
        (self.hertz, self.stale) = (Slide::at(hertz), false);
        let pitch = scene.pitch(hertz);
        self.fitting = body.fitting(&pitch, scene.rate).min(weights.len() - body.rigid());
        self.partials = self.fitting;
        self.collision.set_body(body.modes(self.partials, pitch, scene.rate));
        self.hammers = 0;
        let padded = self.collision.body().padded();
        let weights = &mut weights[..self.collision.body().len()];
        scene.pickup_weights(body, weights, |side, weights| self.pickups[side].set(weights, padded));
    }

    /// At rest. Who called knows what to do with body and notes.
    pub fn sleep(&mut self) {
        self.place = None;
        self.hammers = 0;
        self.collision.set_body(std::iter::empty());
    }

    /// Throws `hammer` at the body. None when there is no room.
    pub fn throw(&mut self, body: &Body, hammer: &Hammer, scene: &Scene, weights: &mut [f64]) -> Option<usize> {
        self.collision.set_resolution(scene.resolution());
        let weights = &mut weights[..self.collision.body().len()];
        scene.hammer_weights(body, hammer.beside, weights);
        let mass = scene.settings.get(KnobId::HammerMass) * hammer.share;
        let own = hammer.own_modes(mass, scene.rate);
        let (modes, velocity, law) = (own.modes(), hammer.speed, scene.settings.contact_law(mass));
        let i = self.collision.strike_modal(ModalHit { law, modes, own: own.weights(), velocity, weights })?;
        if hammer.delay > 0.0 {
            self.collision.hold_off(i, hammer.speed * hammer.delay);
        }
        self.thrown[i] = *hammer;
        self.loudness.forget();
        self.deaths[i] = scene.frame + ((LONGEST_LIFE + hammer.delay) * scene.rate) as u64;
        self.hammers += 1;
        Some(i)
    }

    /// The hammer with the least energy, `but` excepted.
    pub fn weakest(&self, but: Option<usize>) -> Option<usize> {
        let others = (0..HAMMERS).filter(|&i| self.collision.active(i) && Some(i) != but);
        let energy = |i: usize| {
            let striker = self.collision.striker(i);
            striker.energy() + striker.contact_energy()
        };
        others.min_by(|&a, &b| energy(a).total_cmp(&energy(b)))
    }

    /// Energy [J] of the hammers and of the contacts they are in: what fine steps are worth spending on.
    pub fn contact_energy(&self) -> f64 {
        let hammers = (0..HAMMERS).filter(|&i| self.collision.active(i)).map(|i| self.collision.striker(i));
        hammers.map(|striker| striker.energy() + striker.contact_energy()).sum()
    }

    /// Takes hammer `i` away; the energy of its contact is lost.
    pub fn lift(&mut self, i: usize) {
        if self.collision.active(i) {
            self.collision.lift(i);
            self.hammers -= 1;
        }
    }

    /// Takes away the hammers that are clear of the body or too old, `but` excepted; tells `lifted` which.
    pub fn lift_finished(&mut self, but: Option<usize>, frame: u64, mut lifted: impl FnMut(usize)) {
        for i in (0..HAMMERS).filter(|&i| Some(i) != but) {
            let clear = |c: &Collision| frame.is_multiple_of(CLEAR_EVERY) && c.is_clear(i);
            if self.collision.active(i) && (frame >= self.deaths[i] || clear(&self.collision)) {
                self.lift(i);
                lifted(i);
            }
        }
    }

    /// One frame with hammers; the substeps it took. False in the second place when the state is no longer a number. `recorder`
    /// sees all hammers but the driven one.
    pub fn step(&mut self, turn: &Turn, bases: &mut Bases, recorder: &mut Recorder) -> (u32, bool) {
        let &Turn { object, driven, offset, frame, budget } = turn;
        self.ring_to(offset);
        recorder.note_before(&self.collision);
        let key = self.key;
        let mut watch = |collision: &Collision, substep: &Substep| {
            if Some(substep.striker) != driven {
                recorder.watch(object, key, collision, substep);
            }
        };
        let exact = bases.step(object, &mut self.collision, frame, &mut watch);
        let substeps = if exact { 1 } else { self.collision.step(budget, &mut watch).substeps };
        if self.fade != 1.0 {
            self.collision.damp(self.fade);
        }
        for (out, pickup) in self.out.iter_mut().zip(&self.pickups) {
            out[offset] = pickup.listen(&self.collision.body().v, offset);
        }
        self.rendered = offset + 1;
        (substeps, self.silence_if_broken(offset..offset + 1))
    }

    /// Rings without hammers up to frame `end` of the grid cell. False when the state is no longer a number.
    pub fn ring_to(&mut self, end: usize) -> bool {
        if !self.is_awake() || self.rendered >= end {
            return true;
        }
        let run = self.rendered..end;
        ring(self.collision.ring_parts(), self.fade, &self.pickups, run.clone(), &mut self.out);
        self.rendered = end;
        self.silence_if_broken(run)
    }

    fn silence_if_broken(&mut self, run: std::ops::Range<usize>) -> bool {
        let [left, right] = &mut self.out;
        let broken = run.clone().find(|&k| !(left[k].is_finite() && right[k].is_finite()));
        if let Some(first) = broken {
            left[first..run.end].fill(0.0);
            right[first..run.end].fill(0.0);
        }
        broken.is_none()
    }

    /// A grid cell has ended.
    pub fn arrive(&mut self) {
        self.loudness.note(&self.out);
        self.pickups.iter_mut().for_each(Pickup::arrive);
    }

    /// Takes the scene's pitch and losses; the number of modes that this cost.
    pub fn retune(&mut self, body: &Body, scene: &Scene, weights: &mut [f64]) -> usize {
        let pitch = scene.pitch(self.hertz.value());
        self.collision.retune(body.modes(self.partials, pitch, scene.rate));
        let fitting = body.fitting(&pitch, scene.rate).min(self.partials);
        if fitting != self.fitting {
            self.fitting = fitting;
            self.move_pickups(body, scene, weights);
        }
        self.partials
    }

    /// Takes the scene's body mass and pickups.
    pub fn replace(&mut self, body: &Body, scene: &Scene, weights: &mut [f64]) {
        self.move_pickups(body, scene, weights);
        self.set_weights(body, scene, weights);
    }

    /// Modes that have left the band are no longer heard.
    fn move_pickups(&mut self, body: &Body, scene: &Scene, weights: &mut [f64]) {
        let weights = &mut weights[..self.collision.body().len()];
        let heard = body.rigid() + self.fitting;
        scene.pickup_weights(body, weights, |side, weights| self.pickups[side].head_for(&weights[..heard]));
    }

    /// Moves all hammers to the scene's place and body mass; a cluster keeps its scatter.
    pub fn set_weights(&mut self, body: &Body, scene: &Scene, weights: &mut [f64]) {
        let weights = &mut weights[..self.collision.body().len()];
        let mut last = None;
        for i in 0..HAMMERS {
            if !self.collision.active(i) {
                continue;
            }
            let beside = self.thrown[i].beside;
            if last.replace(beside) != Some(beside) {
                scene.hammer_weights(body, beside, weights);
            }
            self.collision.set_weights(i, weights);
        }
    }

    /// Gives every hammer its share of the mass that the knob holds.
    pub fn set_mass(&mut self, settings: &Settings) {
        let mass = settings.get(KnobId::HammerMass);
        let shares = self.thrown.map(|hammer| hammer.share);
        self.each_hammer(|collision, i| collision.set_mass(i, mass * shares[i]));
        if settings.contact_model() == Model::Linear {
            self.set_law(settings);
        }
    }

    /// Gives every hammer the contact law of the knobs; one of another kind waits for the end of a contact.
    pub fn set_law(&mut self, settings: &Settings) {
        self.each_hammer(|collision, i| {
            let law = settings.contact_law(collision.striker(i).mass());
            collision.set_law(i, law);
        });
    }

    /// Runs a change on every hammer.
    pub fn each_hammer(&mut self, mut change: impl FnMut(&mut Collision, usize)) {
        for i in 0..HAMMERS {
            if self.collision.active(i) {
                change(&mut self.collision, i);
            }
        }
    }

    /// Whether the body has died away at `level` (a factor) of the output, even if all its modes come in phase.
    pub fn is_quiet(&self, level: f64, mass: f64) -> bool {
        let body = self.collision.body();
        if !hardly_moves(self.collision.energy(), mass) {
            return false;
        }
        let mut heard = [0.0; 2];
        for (i, mode) in body.list().iter().enumerate() {
            let envelope = body.v[i].hypot(mode.omega * body.q[i]);
            for (heard, pickup) in heard.iter_mut().zip(&self.pickups) {
                *heard += pickup.weight(i).abs() * envelope;
            }
        }
        self.loudness.drowns(heard[0].max(heard[1]), level)
    }

    /// Sets modes to zero that have died away, before they come to denormal numbers.
    pub fn drop_dead_modes(&mut self) {
        let (_, q, v) = self.collision.ring_parts();
        // omega q is of the size of v on average over a period; both small at once means that the mode is dead
        for (q, v) in q.iter_mut().zip(v) {
            if *v * *v < NEGLIGIBLE && *q * *q < NEGLIGIBLE {
                (*q, *v) = (0.0, 0.0);
            }
        }
    }
}
