//! Readout of a contact: exact start and end, velocities and energies there, deepest compression, peak force.
//!
//! Start and end are inside substeps; they are roots of x + W.(q(t) - q) + z(t) - z = 0 in free flight forward from the start of
//! the first substep and backward from the end of the last (a straight line would cost up to 2e-3 of the duration).

use crate::modal::{Mode, Response};
use crate::solver::{Collision, Hammer, SubstepReport};

/// Maximum number of Newton steps to an instant.
const MAX_STEPS: u32 = 50;

/// One contact; SI units.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Contact {
    /// Start [s].
    pub start: f64,
    /// End [s]; None while it lasts.
    pub end: Option<f64>,
    /// Duration [s]; None while it lasts.
    pub duration: Option<f64>,
    /// Velocity of the striker at the contact point when it began [m/s], positive towards the body.
    pub velocity_in: f64,
    /// The same when it ended; None while it lasts.
    pub velocity_out: Option<f64>,
    /// Deepest compression [m].
    pub max_compression: f64,
    /// Largest force [N].
    pub peak_force: f64,
    /// Energy of the body at the end, or now [J].
    pub energy_body: f64,
    /// Energy of the striker at the end, or now [J].
    pub energy_striker: f64,
}

/// A state of body and striker in free flight.
struct Instant {
    /// Time since the initial state [s].
    t: f64,
    velocity: f64,
    energy_body: f64,
    energy_striker: f64,
}

/// Follows one hammer and lists its contacts.
#[derive(Clone, Debug, Default)]
pub struct Readout {
    /// Contacts so far; the last may not have ended.
    pub contacts: Vec<Contact>,
    forces: [f64; 2],
    compression: f64,
    closing: f64,
    sampled_peak: f64,
    lasting: bool,
}

/// Modes with their displacement and velocity, their weights and outside forces at a contact.
struct Party<'a> {
    list: &'a [Mode],
    q: &'a [f64],
    v: &'a [f64],
    weights: &'a [f64],
    push: f64,
}

impl Party<'_> {
    /// Change of sum W q after t of free flight, sum W v there, energy there.
    fn glide(&self, t: f64) -> (f64, f64, f64) {
        let (mut moved, mut speed, mut energy) = (0.0, 0.0, 0.0);
        for (i, &mode) in self.list.iter().enumerate() {
            let r = Response::new(mode, t);
            let push = if i == 0 { self.push } else { 0.0 };
            let q = r.a11 * self.q[i] + r.a12 * self.v[i] + r.bq * push;
            let v = r.a21 * self.q[i] + r.a22 * self.v[i] + r.bv * push;
            moved += self.weights[i] * (q - self.q[i]);
            speed += self.weights[i] * v;
            energy += 0.5 * (v * v + mode.omega * mode.omega * q * q);
        }
        (moved, speed, energy)
    }
}

/// The instant at which free flight from x [m], over a profile that rises with `rise` [m/s], passes 0, t between `first` and `last` [s].
fn crossing(body: &Party, hammer: &Party, (x, rise): (f64, f64), first: f64, last: f64) -> Instant {
    let mut t = if x == 0.0 { 0.0 } else { first.max(0.0).min(last) };
    let mut at = (body.glide(t), hammer.glide(t));
    for _ in 0..MAX_STEPS {
        let residual = x + at.0.0 + at.1.0 + rise * t;
        let next = (t - residual / (at.0.1 + at.1.1 + rise)).clamp(first, last);
        if (next - t).abs() <= 1e-16 * (last - first) || next.is_nan() {
            break;
        }
        t = next;
        at = (body.glide(t), hammer.glide(t));
    }
    Instant { t, velocity: at.1.1, energy_body: at.0.2, energy_striker: at.1.2 }
}

fn parties<'a>(collision: &'a Collision, striker: &'a Hammer, before: bool) -> (Party<'a>, Party<'a>) {
    let (body, hammer) = (&collision.body, &striker.bank);
    // after a step the predicted arrays hold the state from which it started
    let state = |bank: &'a crate::modal::ModeBank| {
        if before { (bank.dq.as_slice(), bank.vf.as_slice()) } else { (bank.modes.q.as_slice(), bank.modes.v.as_slice()) }
    };
    let ((bq, bv), (hq, hv)) = (state(body), state(hammer));
    (
        Party { list: body.modes.list(), q: bq, v: bv, weights: striker.body_weights(), push: 0.0 },
        Party { list: hammer.modes.list(), q: hq, v: hv, weights: striker.own_weights(), push: striker.push() },
    )
}

impl Readout {
    /// Records a substep just made, in a sample that started at `time` [s].
    pub fn note(&mut self, time: f64, collision: &Collision, substep: &SubstepReport) {
        let striker = collision.hammer(substep.hammer);
        if !self.lasting {
            self.open(time, collision, striker, substep);
        }
        self.note_compression(collision, striker, substep);
        self.note_force(substep.force);
        if substep.ended {
            self.close(time, collision, striker, substep);
        }
    }

    fn open(&mut self, time: f64, collision: &Collision, striker: &Hammer, substep: &SubstepReport) {
        let (body, hammer) = parties(collision, striker, true);
        let instant = crossing(&body, &hammer, (substep.x0, striker.rise()), 0.0, substep.dt);
        self.contacts.push(Contact {
            start: time + substep.start + instant.t,
            velocity_in: instant.velocity,
            ..Contact::default()
        });
        let at_start = (body.glide(0.0), hammer.glide(0.0));
        self.compression = substep.x0;
        self.closing = at_start.0.1 + at_start.1.1 + striker.rise();
        self.forces = [0.0; 2];
        self.sampled_peak = 0.0;
        self.lasting = true;
    }

    /// Deepest compression: geometry plus the correction of the held force, with a parabola where the velocity changes sign.
    fn note_compression(&mut self, collision: &Collision, striker: &Hammer, substep: &SubstepReport) {
        let dt = substep.dt;
        let x = striker.geometry(collision.body()) + striker.mobility() * dt * dt / 12.0 * substep.force;
        let v = striker.closing(collision.body());
        let mut deepest = x;
        if self.closing > 0.0 && v <= 0.0 {
            let turned = self.closing - v;
            let (before, after) = (self.closing / turned, -v / turned);
            let from_start = self.compression + (self.closing * before - 0.5 * before * before * turned) * dt;
            let from_end = x + (-v * after - 0.5 * after * after * turned) * dt;
            deepest = deepest.max(0.5 * (from_start + from_end));
        }
        (self.compression, self.closing) = (x, v);
        if let Some(contact) = self.contacts.last_mut() {
            contact.max_compression = contact.max_compression.max(deepest);
        }
    }

    /// Largest force: parabola through three substeps, whose forces are means over dt.
    fn note_force(&mut self, force: f64) {
        let Some(contact) = self.contacts.last_mut() else { return };
        let [f0, f1] = self.forces;
        let (bend, slope) = (force - 2.0 * f1 + f0, 0.5 * (force - f0));
        self.sampled_peak = self.sampled_peak.max(force);
        if bend < 0.0 && f1 >= f0 && f1 >= force {
            contact.peak_force = contact.peak_force.max(f1 - bend / 24.0 - 0.5 * slope * slope / bend);
        }
        self.forces = [f1, force];
    }

    fn close(&mut self, time: f64, collision: &Collision, striker: &Hammer, substep: &SubstepReport) {
        let (body, hammer) = parties(collision, striker, false);
        let instant = crossing(&body, &hammer, (substep.x1, striker.rise()), -substep.dt, 0.0);
        self.lasting = false;
        let peak = self.sampled_peak;
        let Some(contact) = self.contacts.last_mut() else { return };
        let end = time + substep.start + substep.dt + instant.t;
        contact.end = Some(end);
        contact.duration = Some(end - contact.start);
        contact.velocity_out = Some(instant.velocity);
        contact.energy_body = instant.energy_body;
        contact.energy_striker = instant.energy_striker;
        contact.peak_force = if contact.peak_force > 0.0 { contact.peak_force } else { peak };
    }

    /// Energies of a contact that still lasts.
    pub fn note_present(&mut self, collision: &Collision, striker: usize) {
        let peak = self.sampled_peak;
        if let Some(contact) = self.contacts.last_mut().filter(|c| c.end.is_none()) {
            contact.energy_body = collision.body().energy();
            contact.energy_striker = collision.hammer(striker).energy();
            contact.peak_force = contact.peak_force.max(peak);
        }
    }
}
