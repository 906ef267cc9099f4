//! Bodies that are joined by springs and dashpots and touch each other, and hammers on them.
//!
//! ```text
//! y_a = e1_a - e0_a = D_a - sum_b B_ab F_b      D = sum Wh (qf - q),  B = Wh diag(Bq) Wh^T,  (qf, vf) = A (q, v)
//! q = qf - Bq Wh^T F,  v = vf - Bv Wh^T F       each body takes one exact step a sample under forces that are held
//! ```
//!
//! A port is a row Wh over the modes of two bodies, or of one body and the ground. It contains a spring with a dashpot
//! (`exponent_rule`, `joints`), or a one-sided contact (`contact_forces`). The springs are eliminated first: the contacts see what the
//! springs leave of B, which is positive semidefinite.
//!
//! Balance: the same row reads and drives, so that the bodies receive exactly -F.y. A spring takes U1 - U0 and a dashpot r y^2/dt of it, a
//! contact its discrete gradient. Every loss is a square or a variance, whatever the step, the stiffness and the resistance are.
//!
//! Limits: [`MAX_PORTS`](crate::modal::MAX_PORTS) ports a network. All memory is allocated by [`Network::new`] and
//! [`Network::enable_energy_balance`].

use crate::connections::contact_point::{ContactPoint, ContactSpec, PointHammer};
use crate::connections::exponent_rule::Joint;
use crate::connections::joints::Joints;
use crate::connections::port_matrix::{PortMatrix, PortVector};
use crate::connections::prepared_step::{Dashpots, PreparedStep};
use crate::contact::ContactLaw;
use crate::modal::{ConnectedModes, MAX_PORTS, Mode, Modes, Stride};
use crate::solver::EnergyBalance;

/// Sizes for which the memory of a network is allocated.
#[derive(Clone, Copy, Debug)]
pub struct NetworkCapacity {
    /// Bodies.
    pub bodies: usize,
    /// Modes of a body.
    pub modes: usize,
}

/// How finely hammers on a network are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkResolution {
    /// All bodies take 2^level steps a sample while a hammer touches one of them, 0 to 6.
    pub level: u32,
    /// Modes of a network up to which they do.
    pub most_modes: usize,
    /// Parts of a sample for which contacts are solved in larger networks while a hammer touches; at least 1.
    pub parts: u32,
}

impl Default for NetworkResolution {
    fn default() -> Self {
        Self { level: 2, most_modes: 256, parts: 4 }
    }
}

/// Which end of a port a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The extension or compression grows with the body's displacement.
    Plus,
    /// It falls with the body's displacement, as that of a hammer on it does.
    Minus,
}

impl Side {
    fn sign(self) -> f64 {
        match self {
            Side::Plus => 1.0,
            Side::Minus => -1.0,
        }
    }
}

/// A body at one end of a port.
#[derive(Clone, Copy, Debug)]
pub struct PortEnd<'a> {
    /// Number of the body.
    pub body: usize,
    /// W, shape over root of modal mass of every mode [kg^-1/2], without sign.
    pub weights: &'a [f64],
    /// Which end.
    pub side: Side,
}

/// What a port contains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PortKind {
    Idle,
    Joint(Joint),
    Contact,
}

/// A port, and where its rows are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    pub kind: PortKind,
    /// Number of each body and of its port there.
    pub ends: [Option<(usize, usize)>; 2],
    /// Exponent p of the weights.
    pub exponent: f64,
    /// Its joint has changed since the last step.
    pub changed: bool,
}

pub(super) const IDLE: Port = Port { kind: PortKind::Idle, ends: [None; 2], exponent: 1.0, changed: false };

/// A body, and which ports of the network its own ports are.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub modes: ConnectedModes,
    pub ports: [usize; MAX_PORTS],
    pub heard: [f64; 2],
}

/// What has changed since the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stale {
    Nothing,
    Joints,
    Weights,
}

/// A network of bodies, its ports, and their state.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) h: f64,
    pub(super) bodies: Vec<Body>,
    /// Number of bodies in use.
    pub(super) count: usize,
    pub(super) ports: [Port; MAX_PORTS],
    /// One more than the largest number of a port.
    pub(super) reach: usize,
    pub(super) contacts: Vec<(usize, ContactPoint)>,
    pub(super) missing: Box<PortMatrix>,
    pub(super) joints: Box<Joints>,
    pub(super) dashpots: Dashpots,
    pub(super) steps: Box<[PreparedStep; 2]>,
    /// The step of a part of a sample is prepared.
    pub(super) part_ready: bool,
    pub(super) resolution: NetworkResolution,
    pub(super) stale: Stale,
    /// D of every port, and the step that it belongs to.
    pub(super) ways: PortVector,
    pub(super) ways_of: Option<Stride>,
    pub(super) forces: PortVector,
    pub(super) balance: Option<Box<EnergyBalance>>,
}

impl Network {
    /// An empty network at `sample_rate` [Hz].
    pub fn new(sample_rate: f64, capacity: NetworkCapacity) -> Self {
        let h = 1.0 / sample_rate;
        let body = || Body { modes: ConnectedModes::new(h, capacity.modes, MAX_PORTS), ports: [0; MAX_PORTS], heard: [0.0; 2] };
        Self {
            h,
            bodies: (0..capacity.bodies).map(|_| body()).collect(),
            count: 0,
            ports: [IDLE; MAX_PORTS],
            reach: 0,
            contacts: Vec::with_capacity(MAX_PORTS),
            missing: Box::new(PortMatrix::ZERO),
            joints: Box::new(Joints::NONE),
            dashpots: Dashpots { beside: [0.0; MAX_PORTS], alone: [0.0; MAX_PORTS] },
            steps: Box::new([PreparedStep::NONE, PreparedStep::NONE]),
            part_ready: false,
            resolution: NetworkResolution::default(),
            stale: Stale::Weights,
            ways: [0.0; MAX_PORTS],
            ways_of: None,
            forces: [0.0; MAX_PORTS],
            balance: None,
        }
    }

    /// Adds a body at rest, without ports; modes beyond the capacity are ignored. Its number; None without room.
    pub fn add_body(&mut self, modes: impl IntoIterator<Item = Mode>) -> Option<usize> {
        let body = self.bodies.get_mut(self.count)?;
        body.modes.set(modes);
        self.count += 1;
        self.stale = Stale::Weights;
        Some(self.count - 1)
    }

    /// Removes all bodies and ports, and takes a sample rate [Hz].
    pub fn clear_at(&mut self, sample_rate: f64) {
        self.h = 1.0 / sample_rate;
        self.bodies.iter_mut().for_each(|body| body.modes.set_sample(self.h));
        self.clear();
    }

    /// Removes all bodies and ports.
    pub fn clear(&mut self) {
        (self.count, self.reach, self.ports) = (0, 0, [IDLE; MAX_PORTS]);
        self.contacts.clear();
        (*self.missing, *self.joints) = (PortMatrix::ZERO, Joints::NONE);
        self.ways_of = None;
        self.stale = Stale::Weights;
    }

    /// The modes of a body and their state.
    pub fn modes(&self, body: usize) -> &Modes {
        self.bodies[body].modes.modes()
    }

    /// Displacements [m kg^1/2] and velocities [m kg^1/2/s] of a body's modes, padded with zeros. Springs keep their extensions.
    pub fn state_mut(&mut self, body: usize) -> (&mut [f64], &mut [f64]) {
        self.ways_of = None;
        self.bodies[body].modes.state_mut()
    }

    /// Weights [kg^-1/2] of two pickups on a body, one a mode; missing ones are 0.
    pub fn set_pickups(&mut self, body: usize, pickups: [&[f64]; 2]) {
        self.bodies[body].modes.set_pickups(pickups);
    }

    /// Velocities [m/s] at the pickups of a body after the last step.
    #[inline]
    pub fn heard(&self, body: usize) -> [f64; 2] {
        self.bodies[body].heard
    }

    /// Sets the resolution of hammers.
    pub fn set_resolution(&mut self, resolution: NetworkResolution) {
        self.resolution = resolution;
        self.part_ready = false;
    }

    /// Joins two bodies, or a body and the ground, without extension. The number of the port; None without room, or for a body that does
    /// not exist.
    pub fn connect(&mut self, ends: &[PortEnd], joint: Joint) -> Option<usize> {
        self.add_port(ends, PortKind::Joint(joint))
    }

    /// A one-sided contact between two bodies, or a body and the ground. The number of the port; None as for [`Network::connect`].
    pub fn touch(&mut self, ends: &[PortEnd], contact: ContactSpec) -> Option<usize> {
        let port = self.add_port(ends, PortKind::Contact)?;
        self.add_contact(port, ContactPoint::new(contact, None));
        Some(port)
    }

    /// A hammer before a body. The number of the port; None as for [`Network::connect`].
    pub fn strike(&mut self, body: usize, weights: &[f64], contact: ContactSpec, hammer: PointHammer) -> Option<usize> {
        let end = PortEnd { body, weights, side: Side::Minus };
        let port = self.add_port(&[end], PortKind::Contact)?;
        self.add_contact(port, ContactPoint::new(contact, Some(hammer)));
        Some(port)
    }

    fn add_contact(&mut self, port: usize, contact: ContactPoint) {
        if let Some(balance) = &mut self.balance {
            balance.record_hammer(contact.energy());
        }
        self.contacts.push((port, contact));
    }

    fn add_port(&mut self, ends: &[PortEnd], kind: PortKind) -> Option<usize> {
        let number = self.ports.iter().position(|port| port.kind == PortKind::Idle)?;
        let on_body = |body: usize| ends.iter().filter(|end| end.body == body).count();
        let fits = |end: &PortEnd| end.body < self.count && self.bodies[end.body].modes.ports() + on_body(end.body) <= MAX_PORTS;
        if ends.len() > 2 || !ends.iter().all(fits) {
            return None;
        }
        let mut port = Port { kind, changed: true, ..IDLE };
        for (to, end) in port.ends.iter_mut().zip(ends) {
            let body = &mut self.bodies[end.body];
            let slot = body.modes.add_port(end.weights, end.side.sign())?;
            body.ports[slot] = number;
            *to = Some((end.body, slot));
        }
        for other in 0..MAX_PORTS {
            (*self.missing.at_mut(number, other), *self.missing.at_mut(other, number)) = (0.0, 0.0);
        }
        self.ports[number] = port;
        self.reach = self.reach.max(number + 1);
        self.stale = Stale::Weights;
        Some(number)
    }

    /// New stiffness and resistance of a joint, which gain no energy.
    pub fn set_joint(&mut self, port: usize, joint: Joint) {
        if self.ports[port].kind != PortKind::Joint(joint) && matches!(self.ports[port].kind, PortKind::Joint(_)) {
            (self.ports[port].kind, self.ports[port].changed) = (PortKind::Joint(joint), true);
            self.stale = self.stale.max(Stale::Joints);
        }
    }

    /// New weights of one end of a port; springs keep their extensions.
    pub fn set_weights(&mut self, port: usize, end: PortEnd) {
        for (body, slot) in self.ports[port].ends.into_iter().flatten() {
            if body == end.body {
                self.bodies[body].modes.set_weights(slot, end.weights, end.side.sign());
                self.stale = Stale::Weights;
            }
        }
    }

    /// Missing flexibility between two different ports on the same bodies [m/N]; 0 unless set.
    pub fn set_missing_between(&mut self, [a, b]: [usize; 2], compliance: f64) {
        (*self.missing.at_mut(a, b), *self.missing.at_mut(b, a)) = (compliance, compliance);
        self.stale = self.stale.max(Stale::Joints);
    }

    /// New law of a contact. It keeps its energy; one of another kind loses it.
    pub fn set_law(&mut self, port: usize, law: ContactLaw) {
        if let Some((_, contact)) = self.contacts.iter_mut().find(|(number, _)| *number == port) {
            let before = contact.energy();
            contact.set_law(law);
            let after = contact.energy();
            if let Some(balance) = &mut self.balance {
                balance.record_change(before, after);
            }
        }
    }

    /// Velocity [m/s] with which a hand closes the gap of a contact from now on; its work is supplied.
    pub fn set_closing(&mut self, port: usize, velocity: f64) {
        if let Some((_, contact)) = self.contacts.iter_mut().find(|(number, _)| *number == port) {
            contact.closing = velocity;
        }
    }

    /// Number of ports up to the last one in use; those that wait for a hammer are in use.
    pub fn ports(&self) -> usize {
        self.reach
    }

    /// Extension [m] of a joint without its offset; 0 of other ports.
    pub fn extension(&self, port: usize) -> f64 {
        self.joints.extensions(self.reach)[port]
    }

    /// Compression [m] of a contact, negative for a gap; None for other ports.
    pub fn compression(&self, port: usize) -> Option<f64> {
        self.contacts.iter().find(|(number, _)| *number == port).map(|(_, contact)| contact.x)
    }

    /// The hammer of a contact, if it has one.
    pub fn hammer(&self, port: usize) -> Option<PointHammer> {
        self.contacts.iter().find(|(number, _)| *number == port).and_then(|(_, contact)| contact.hammer)
    }

    /// Mean force [N] at a port over the last sample.
    pub fn force(&self, port: usize) -> f64 {
        self.forces[port]
    }
}
