//! The hammers on one object: how they are thrown, held, followed and taken away.

use crate::body::{BodyScratch, PreparedBody};
use crate::context::RenderContext;
use crate::midi::Note;
use crate::params::{ParamId, ParamValues};
use crate::voice::hammer::HammerLaunch;
use crate::voice::voice::Voice;
use urto_physics::bodies::BodyPosition;
use urto_physics::contact::ContactLaw;
use urto_physics::radiation::HammerHead;
use urto_physics::solver::Collision;
use urto_physics::solver::HammerSpec;

/// Hammers on one body at once.
pub const MAX_HAMMERS: usize = urto_physics::solver::MAX_HAMMERS;

/// Age [s] at which a hammer is lifted that nothing presses and that has not come clear of the body.
pub(crate) const MAX_HAMMER_AGE: f64 = 0.1;

/// Frames between two looks whether a hammer is clear; the look sums over all modes.
const CLEAR_EVERY: u64 = 8;

/// What is known of one hammer on the body.
#[derive(Clone, Copy, Debug)]
pub struct HammerState {
    /// What it is.
    pub hammer: HammerLaunch,
    /// Number of the note that threw it, 0 if none did.
    pub serial: u32,
    place: BodyPosition,
    /// Its mass [kg].
    pub mass: f64,
    law: ContactLaw,
    /// Frame at which it was thrown.
    birth: u64,
    /// Frame at which it is lifted.
    pub death: u64,
    /// Something draws it to the body.
    pub pressed: bool,
    /// It is the drive's, and stays.
    pub driven: bool,
}

impl Default for HammerState {
    fn default() -> Self {
        let place = BodyPosition { along: 0.0, across: 0.0 };
        let law = ContactLaw::hunt_crossley(1.0, 1.0, 0.0);
        Self {
            hammer: HammerLaunch::point(0.0),
            serial: 0,
            place,
            mass: 1.0,
            law,
            birth: 0,
            death: 0,
            pressed: false,
            driven: false,
        }
    }
}

impl Voice {
    /// Throws `hammer` of the note number `serial` at the body, with the knobs that `grip` gives it. None when there is no room.
    pub fn throw(
        &mut self,
        body: &PreparedBody,
        (hammer, serial): (&HammerLaunch, u32),
        grip: &ParamValues,
        scene: &RenderContext,
        scratch: &mut BodyScratch,
    ) -> Option<usize> {
        self.discard_lookahead();
        self.wake_obstacles();
        self.collision.set_resolution(scene.resolution());
        let place = grip.strike_position();
        let weights = self.hammer_weights(body, beside(place, hammer), scene, scratch);
        let mass = grip.get(ParamId::HammerMass) * hammer.share;
        let own = hammer.own_modes(mass, scene.rate);
        let (modes, velocity, law) = (own.modes(), hammer.speed, grip.contact_law(mass));
        let i = self.collision.add_hammer(HammerSpec { law, modes, own: own.weights(), velocity, weights })?;
        if hammer.delay > 0.0 {
            self.start_late(i, hammer.delay);
        }
        let death = scene.frame + ((MAX_HAMMER_AGE + hammer.delay) * scene.rate) as u64;
        self.hammer_states[i] =
            HammerState { hammer: *hammer, serial, place, mass, law, birth: scene.frame, death, pressed: false, driven: false };
        self.head = HammerHead::new(mass, scene.rate);
        self.loudness.forget();
        self.last_strike = scene.frame;
        self.hammers += 1;
        Some(i)
    }

    /// Hammer `i` is the drive's from now on: it stays until it is lifted.
    pub fn set_driven(&mut self, i: usize) {
        self.hammer_states[i].driven = true;
    }

    /// Whether hammer `i` is the drive's.
    pub fn is_driven(&self, i: usize) -> bool {
        self.collision.active(i) && self.hammer_states[i].driven
    }

    /// The hammer with the least energy, those of the drive and obstacles excepted.
    pub fn lowest_energy_hammer(&self) -> Option<usize> {
        let others = self.active().filter(|&i| !self.is_driven(i) && !self.obstacles.contain(i));
        others.min_by(|&a, &b| self.hammer_energy(a).total_cmp(&self.hammer_energy(b)))
    }

    /// Energy [J] of hammer `i` and its contact.
    pub fn hammer_energy(&self, i: usize) -> f64 {
        self.collision.hammer_energy(i) + self.collision.hammer(i).contact_energy()
    }

    /// Energy [J] of the hammers and of the contacts they are in: what fine steps are worth spending on.
    pub fn contact_energy(&self) -> f64 {
        self.active().map(|i| self.hammer_energy(i)).sum()
    }

    /// The same without what is behind the body, whose springs may be held back for good.
    pub fn free_energy(&self) -> f64 {
        self.active().filter(|&i| !self.obstacles.contain(i)).map(|i| self.hammer_energy(i)).sum()
    }

    /// Numbers of the hammers that are there.
    pub fn active(&self) -> impl Iterator<Item = usize> {
        self.collision.numbers()
    }

    /// Whether hammer `i` is there and one of the note number `serial`.
    pub fn is_hammer_of(&self, i: usize, serial: u32) -> bool {
        let HammerState { serial: of, driven, .. } = self.hammer_states[i];
        self.collision.active(i) && of == serial && !driven && !self.obstacles.contain(i)
    }

    /// A hammer of the note number `serial`.
    pub fn hammer_of(&self, serial: u32) -> Option<usize> {
        self.active().find(|&i| self.is_hammer_of(i, serial))
    }

    /// The note that threw hammer `i`; one of which nothing is known if there is none any more.
    pub fn note_of(&self, i: usize) -> Note {
        let serial = self.hammer_states[i].serial;
        self.notes.number(serial).filter(|_| serial != 0).copied().unwrap_or_else(|| Note::of(Default::default()))
    }

    /// Takes hammer `i` away, unless it is an obstacle; the energy of its contact is lost.
    pub fn remove_hammer(&mut self, i: usize) {
        if self.collision.active(i) && !self.obstacles.contain(i) {
            self.collision.remove_hammer(i);
            self.hammers -= 1;
        }
    }

    /// Takes away the hammers that are clear of the body or too old, those of the drive and those that are pressed excepted; tells
    /// `lifted` which.
    pub fn remove_finished(&mut self, frame: u64, mut lifted: impl FnMut(usize)) {
        for i in 0..self.collision.reach() {
            let clear = |c: &Collision| frame.is_multiple_of(CLEAR_EVERY) && c.is_clear(i);
            let HammerState { death, pressed, driven, .. } = self.hammer_states[i];
            let stays = driven || pressed || self.obstacles.contain(i);
            if self.collision.active(i) && !stays && (frame >= death || clear(&self.collision)) {
                self.remove_hammer(i);
                lifted(i);
            }
        }
    }

    /// Hammer `i` takes mass, law and place of `grip`; a law of another kind waits for the end of a contact. One that has just been
    /// thrown keeps its speed whatever it weighs; later another mass brings no energy.
    pub fn regrip(
        &mut self,
        i: usize,
        body: &PreparedBody,
        grip: &ParamValues,
        scene: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        let HammerState { hammer, serial, birth, driven, .. } = self.hammer_states[i];
        let mass = grip.get(ParamId::HammerMass) * hammer.share;
        if mass != self.hammer_states[i].mass && birth == scene.frame && !driven {
            self.remove_hammer(i);
            self.throw(body, (&hammer, serial), grip, scene, scratch);
            return;
        }
        if mass != self.hammer_states[i].mass {
            self.hammer_states[i].mass = mass;
            self.collision.set_mass(i, mass);
            if hammer.spring > 0.0 {
                self.follow_spring(i);
            }
        }
        let law = grip.contact_law(mass);
        if law != self.hammer_states[i].law {
            self.hammer_states[i].law = law;
            self.collision.set_law(i, law);
        }
        let place = grip.strike_position();
        if place != self.hammer_states[i].place {
            self.hammer_states[i].place = place;
            self.weigh(i, body, scene, scratch);
        }
    }

    /// Every hammer feels the scene's body mass at its place.
    pub fn update_weights(&mut self, body: &PreparedBody, scene: &RenderContext, scratch: &mut BodyScratch) {
        for i in 0..MAX_HAMMERS {
            if self.collision.active(i) && !self.obstacles.contain(i) {
                self.weigh(i, body, scene, scratch);
            }
        }
        self.reweigh_obstacles(body, scene, scratch);
    }

    fn weigh(&mut self, i: usize, body: &PreparedBody, scene: &RenderContext, scratch: &mut BodyScratch) {
        let HammerState { hammer, place, .. } = &self.hammer_states[i];
        let weights = self.hammer_weights(body, beside(*place, hammer), scene, scratch);
        self.collision.set_weights(i, weights);
    }
}

/// Where `hammer` meets the body when its cluster strikes at `place`.
fn beside(place: BodyPosition, hammer: &HammerLaunch) -> BodyPosition {
    let (along, across) = hammer.offset;
    BodyPosition { along: place.along + along, across: place.across + across }
}
