//! Hammers on a voice: launching, changing and removing them, their return forces, and their contact law; the effect of notes on the
//! voice that they strike.
//!
//! The return forces act while the key is down: weight, press force, and a spring.
//!
//! ```text
//! m p'' = m g + F - k p - f        p: displacement of the hammer towards the body, 0 where it touches the body at rest
//! ```
//!
//! Nothing else makes a hammer bounce: between two contacts it flies for 2 v/g under its weight, for 2 m v/F under the press force,
//! for half a period pi sqrt(m/k) on the spring, and it rests once the contact has dissipated its energy.
//!
//! The contact law of a hammer or obstacle follows from the parameters. One of them, mu, is the loss of all models: they return a
//! hammer from a rigid wall as fast as the Hunt-Crossley law does for a hit at [`REFERENCE_SPEED`]. Only with that law does the
//! loss depend on the speed.

use std::cmp::Ordering;
use std::f64::consts::PI;

use crate::body::{BodyScratch, PreparedBody};
use crate::context::{RenderContext, decay_rate};
use crate::midi::Note;
use crate::modulation::{ContactReading, NoteParams, ReturnForces};
use crate::params::{ContactModel, ContactParams, KeyLayout};
use crate::voice::flight_state::HammerFlight;
use crate::voice::hammer::{HammerState, MAX_HAMMERS, NoteHammer};
use crate::voice::voice::Voice;
use urto_physics::contact::{ContactLaw, RigidImpact};
use urto_physics::modal::Mode;
use urto_physics::radiation::HammerHead;
use urto_physics::solver::{Collision, HammerSpec};

/// Decay time T60 [s] of a choked voice.
const CHOKE_TIME: f64 = 0.03;
/// Age [s] at which a hammer without return forces is removed even if it is not clear of the body.
pub(super) const MAX_HAMMER_AGE: f64 = 0.1;

/// Frames between two checks whether a hammer is clear, while hammers are stepped and while they fly; the check sums over all modes.
const CLEAR_CHECK_INTERVAL: u64 = 8;
const FLYING_CLEAR_CHECK_INTERVAL: u64 = 128;

/// Speed [m/s] at which all contact models lose the same energy.
const REFERENCE_SPEED: f64 = 1.0;

impl Voice {
    /// Launches `hammer` at the body, with the parameters `params` of its note. `None` when there is no room.
    pub fn launch_hammer(
        &mut self,
        body: &PreparedBody,
        hammer: &NoteHammer,
        params: &NoteParams,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) -> Option<usize> {
        let NoteHammer { launch, strike_speed, serial } = *hammer;
        self.discard_lookahead();
        self.wake_obstacles();
        self.collision.wake_stiffening();
        self.collision.set_resolution(context.resolution());
        let position = params.position;
        let weights = self.hammer_weights(body, launch.position(position), context, scratch);
        let mass = params.hammer.mass * launch.share;
        let own = launch.modes(mass, context.rate);
        let velocity = strike_speed * launch.relative_speed;
        let (modes, law) = (own.modes(), contact_law(&params.contact, mass));
        let i = self.collision.add_hammer(HammerSpec { law, modes, own: own.weights(), velocity, weights })?;
        if launch.delay > 0.0 {
            self.delay_hammer(i, launch.delay);
        }
        let launched_at = context.frame;
        let expires_at = launched_at + ((MAX_HAMMER_AGE + launch.delay) * context.rate) as u64;
        self.hammers.states[i] = HammerState {
            launch,
            strike_speed,
            serial,
            position,
            mass,
            law,
            launched_at,
            expires_at,
            pressed: false,
            driven: false,
        };
        self.hammers.head = HammerHead::new(mass, context.rate);
        self.output.silence.reset();
        self.motion.wake();
        self.last_strike = context.frame;
        self.hammers.count += 1;
        Some(i)
    }

    /// Moves hammer `i`, which arrives `delay` [s] late, to its start; at most a quarter period away if it is on a spring.
    fn delay_hammer(&mut self, i: usize, delay: f64) {
        let Mode { omega, .. } = self.collision.hammer(i).modes().mode(0);
        if omega > 0.0 {
            self.collision.rewind_hammer(i, delay.min(std::f64::consts::FRAC_PI_2 / omega));
        } else {
            let speed = self.collision.hammer(i).velocity();
            self.collision.set_hammer_gap(i, speed * delay);
        }
    }

    /// Assigns hammer `i` to the drive: it stays until the drive removes it.
    pub fn set_driven(&mut self, i: usize) {
        self.hammers.states[i].driven = true;
    }

    /// Whether hammer `i` belongs to the drive.
    pub fn is_driven(&self, i: usize) -> bool {
        self.collision.active(i) && self.hammers.states[i].driven
    }

    /// Whether a return force acts on hammer `i`.
    pub fn is_pressed(&self, i: usize) -> bool {
        self.hammers.states[i].pressed
    }

    /// The last finished contact of a hammer of a note.
    pub fn last_contact(&self) -> ContactReading {
        self.hammers.contact.last()
    }

    /// Largest contact force [N] on a driven hammer since the last call.
    pub fn take_driven_force(&mut self) -> f64 {
        std::mem::take(&mut self.hammers.driven_force)
    }

    /// Numbers of hammers and obstacles.
    pub fn active(&self) -> impl Iterator<Item = usize> {
        self.collision.numbers()
    }

    /// Numbers of the hammers that belong to notes, neither to the drive nor to obstacles.
    pub fn note_hammers(&self) -> impl Iterator<Item = usize> {
        self.active().filter(|&i| !self.is_driven(i) && !self.obstacles.contain(i))
    }

    /// Number of the note of hammer `i`, 0 for none.
    pub fn hammer_serial(&self, i: usize) -> u32 {
        self.hammers.states[i].serial
    }

    /// The hammer of a note with the least energy.
    pub fn lowest_energy_hammer(&self) -> Option<usize> {
        let hammers = self.note_hammers().map(|i| (RemovalRank::of_energy(self.hammer_energy(i)), i));
        first_removed(hammers).map(|(_, i)| i)
    }

    /// Energy [J] of hammer `i` and its contact.
    pub fn hammer_energy(&self, i: usize) -> f64 {
        self.collision.hammer_energy(i) + self.collision.hammer(i).contact_energy()
    }

    /// Energy [J] of hammers and obstacles and of their contacts; the voice with the most gets fine substeps first.
    pub fn contact_energy(&self) -> f64 {
        self.active().map(|i| self.hammer_energy(i)).sum()
    }

    /// Energy [J] of hammers without obstacles, whose springs may be preloaded for good.
    pub(super) fn free_energy(&self) -> f64 {
        self.active().filter(|&i| !self.obstacles.contain(i)).map(|i| self.hammer_energy(i)).sum()
    }

    /// Whether hammer `i` exists and belongs to the note number `serial`.
    pub fn is_hammer_of(&self, i: usize, serial: u32) -> bool {
        let HammerState { serial: of, driven, .. } = self.hammers.states[i];
        self.collision.active(i) && of == serial && !driven && !self.obstacles.contain(i)
    }

    /// A hammer of the note number `serial`.
    pub fn hammer_of(&self, serial: u32) -> Option<usize> {
        self.active().find(|&i| self.is_hammer_of(i, serial))
    }

    /// The note that launched hammer `i`, or a neutral note if it has ended.
    pub fn note_of(&self, i: usize) -> Note {
        let serial = self.hammers.states[i].serial;
        self.notes.number(serial).filter(|_| serial != 0).copied().unwrap_or_else(|| Note::of(Default::default()))
    }

    /// Removes hammer `i`, unless it is an obstacle; the energy of its contact is lost.
    pub fn remove_hammer(&mut self, i: usize) {
        if self.collision.active(i) && !self.obstacles.contain(i) {
            self.collision.remove_hammer(i);
            self.hammers.count -= 1;
        }
    }

    /// Removes the hammers that are clear of the body or too old, except driven and pressed ones; reports each to `removed`.
    pub fn remove_finished(&mut self, frame: u64, mut removed: impl FnMut(usize)) {
        let interval = if self.flight == HammerFlight::Landed { FLYING_CLEAR_CHECK_INTERVAL } else { CLEAR_CHECK_INTERVAL };
        for i in 0..self.collision.reach() {
            let clear = |c: &Collision| frame.is_multiple_of(interval) && c.is_clear(i);
            let HammerState { expires_at, pressed, driven, .. } = self.hammers.states[i];
            let stays = driven || pressed || self.obstacles.contain(i);
            if self.collision.active(i) && !stays && (frame >= expires_at || clear(&self.collision)) {
                self.remove_hammer(i);
                removed(i);
            }
        }
    }

    /// Sets mass, law and position of hammer `i` by `params`; a law of another kind takes effect after the end of a contact. In the frame of its
    /// launch a hammer keeps its speed whatever its mass; later a change of mass adds no energy.
    pub fn update_hammer(
        &mut self,
        i: usize,
        body: &PreparedBody,
        params: &NoteParams,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        let HammerState { launch, strike_speed, serial, launched_at, driven, .. } = self.hammers.states[i];
        let mass = params.hammer.mass * launch.share;
        if mass != self.hammers.states[i].mass && launched_at == context.frame && !driven {
            self.remove_hammer(i);
            self.launch_hammer(body, &NoteHammer { launch, strike_speed, serial }, params, context, scratch);
            return;
        }
        if mass != self.hammers.states[i].mass {
            self.hammers.states[i].mass = mass;
            self.collision.set_mass(i, mass);
            if launch.spring > 0.0 {
                self.update_rigid_mode(i);
            }
        }
        self.update_law(i, &params.contact);
        let position = params.position;
        if position != self.hammers.states[i].position {
            self.hammers.states[i].position = position;
            self.update_hammer_weights(i, body, context, scratch);
        }
    }

    /// Updates the rigid part of hammer `i` by its spring and its mass.
    pub(super) fn update_rigid_mode(&mut self, i: usize) {
        let state = &self.hammers.states[i];
        self.collision.set_tether(i, state.launch.rigid_mode(state.mass));
    }

    /// Updates the weights of all hammers by the current body mass.
    pub(super) fn update_all_hammer_weights(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        for i in 0..MAX_HAMMERS {
            if self.collision.active(i) && !self.obstacles.contain(i) {
                self.update_hammer_weights(i, body, context, scratch);
            }
        }
    }

    fn update_hammer_weights(&mut self, i: usize, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        let HammerState { launch, position, .. } = &self.hammers.states[i];
        let weights = self.hammer_weights(body, launch.position(*position), context, scratch);
        self.collision.set_weights(i, weights);
    }
}

/// Rank in the order in which voices, hammers and obstacles are removed when there are too many: protected ones last, then by rising
/// energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RemovalRank {
    /// Removed only after everything unprotected.
    pub protected: bool,
    /// Its energy [J].
    pub energy: f64,
}

impl RemovalRank {
    /// Unprotected, with `energy` [J].
    pub fn of_energy(energy: f64) -> Self {
        Self { protected: false, energy }
    }

    /// Orders by removal: the first is removed first.
    pub fn order(&self, other: &Self) -> Ordering {
        self.protected.cmp(&other.protected).then(self.energy.total_cmp(&other.energy))
    }
}

/// The first of `items` in the order of removal, by their ranks.
pub fn first_removed<T>(items: impl Iterator<Item = (RemovalRank, T)>) -> Option<(RemovalRank, T)> {
    items.min_by(|(a, _), (b, _)| a.order(b))
}

impl Voice {
    /// Sets the return forces of hammer `i`; without any it is released and expires.
    pub fn set_return_forces(&mut self, i: usize, forces: &ReturnForces, context: &RenderContext) {
        let force = self.hammers.states[i].mass * forces.gravity + forces.force;
        self.set_spring(i, forces.spring);
        let (held, was_held) = (force > 0.0 || forces.spring > 0.0, self.is_pressed(i));
        if held || was_held {
            self.collision.set_push(i, force);
        }
        let state = &mut self.hammers.states[i];
        state.pressed = held;
        if was_held && !held {
            state.expires_at = context.frame + (MAX_HAMMER_AGE * context.rate) as u64;
        }
    }

    /// Puts hammer `i` on its share of a spring of `stiffness` [N/m]; 0 removes the spring with its energy.
    fn set_spring(&mut self, i: usize, stiffness: f64) {
        let state = &mut self.hammers.states[i];
        if state.launch.spring != stiffness {
            state.launch.spring = stiffness;
            self.update_rigid_mode(i);
        }
    }
}

/// The contact law of `contact` for a mass [kg]; its stiffness k [N/m^alpha] is the force at 0.1 mm over (1e-4 m)^alpha.
pub fn contact_law(contact: &ContactParams, mass: f64) -> ContactLaw {
    let ContactParams { model, stiffness: force, exponent, damping } = *contact;
    let stiffness = |exponent: f64| force / 1e-4_f64.powf(exponent);
    match model {
        ContactModel::HuntCrossley => ContactLaw::hunt_crossley(stiffness(exponent), exponent, damping),
        ContactModel::Restitution => ContactLaw::restitution(stiffness(exponent), exponent, restitution(damping).powi(2)),
        ContactModel::Linear => {
            let stiffness = stiffness(1.0);
            ContactLaw::linear(stiffness, 2.0 * damping_ratio(restitution(damping)) * (stiffness * mass).sqrt())
        }
    }
}

impl Voice {
    /// Sets the law of hammer `i` by `contact`.
    pub(super) fn update_law(&mut self, i: usize, contact: &ContactParams) {
        let state = &mut self.hammers.states[i];
        let law = contact_law(contact, state.mass);
        if law != state.law {
            state.law = law;
            self.collision.set_law(i, law);
        }
    }
}

impl Voice {
    /// Updates bend and gains by the last note, and the damping by the dampers and the strongest modulation.
    pub fn update_from_notes(&mut self, context: &RenderContext) {
        self.notes_changed = false;
        let note_context = context.note_param_context();
        let damping = |note: &Note| note_context.offsets(note).damping();
        self.decay.set_modulation(self.notes.iter().map(damping).fold(0.0, f64::max));
        if let Some(&last) = self.notes.iter().last() {
            self.pitch.bend_to(note_context.bend(&last) / 12.0);
            let per_key = context.settings.key_layout() == KeyLayout::Keys;
            self.output.gain_targets = if per_key { last.gains() } else { [1.0; 2] };
            let damper = if self.notes.any_held() { 0.0 } else { last.damper * context.controllers.damper(&last) };
            self.decay.set_damper(damper);
        }
        self.update_decay(context.rate);
    }

    /// Damps it immediately, whatever its release mode, and ends the return forces on its hammers.
    pub fn choke(&mut self, context: &RenderContext) {
        self.decay.choke(decay_rate(CHOKE_TIME));
        for note in self.notes.iter_mut() {
            (note.down, note.sostenuto) = (false, false);
        }
        for hammer in 0..MAX_HAMMERS {
            if self.collision.active(hammer) && self.is_pressed(hammer) {
                self.set_return_forces(hammer, &ReturnForces::default(), context);
            }
        }
        self.update_decay(context.rate);
    }
}

/// Coefficient of restitution of a hit on a rigid wall at [`REFERENCE_SPEED`] with the loss mu [s/m].
fn restitution(damping: f64) -> f64 {
    RigidImpact { mass: 1.0, stiffness: 1.0, exponent: 1.0, damping, velocity: REFERENCE_SPEED }.restitution()
}

/// Damping ratio zeta of a linear spring and damper with the coefficient of restitution e = exp(-pi zeta/sqrt(1 - zeta^2)).
fn damping_ratio(e: f64) -> f64 {
    let loss = -e.ln();
    loss / PI.hypot(loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{ParamId, ParamValues};
    use urto_physics::lab::{Corrections, Experiment, LabStriker, Method};

    /// Speed with which a hammer of 20 g leaves a rigid wall after a hit at 1 m/s.
    fn speed_after(model: usize, mu: f64) -> f64 {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Contact, model as f64);
        settings.set(ParamId::Damping, mu);
        let striker = LabStriker { mass: 0.02, velocity: REFERENCE_SPEED, position: 0.0, gravity: 0.0, modes: vec![] };
        let law = contact_law(&settings.hammer_contact(), striker.mass);
        let method = if matches!(law, ContactLaw::Linear(_)) { Method::Offset } else { Method::Edg };
        let lab = Experiment {
            sample_rate: 3.84e6,
            duration: None,
            substeps_per_contact: 64.0,
            law,
            method,
            corrections: Corrections::None,
            striker,
            body: vec![],
        };
        -lab.run(&mut |_| ()).contacts[0].velocity_out.unwrap()
    }

    #[test]
    fn all_models_lose_the_same_energy_at_1_m_per_s() {
        for mu in [0.0, 0.15, 0.6, 2.0] {
            let expected = restitution(mu);
            for (model, most) in [(0, 2e-5), (1, 2e-4), (2, 1e-3)] {
                let error = speed_after(model, mu) / expected - 1.0;
                assert!(error.abs() < most, "model {model}, mu {mu}: {error:e}");
            }
        }
        assert!(restitution(0.0) == 1.0 && restitution(2.0) < 0.5);
    }
}
