//! What a player does to a network that keeps its ports: hammers that come and go, damping, tuning, and rest.

use crate::connections::contact_point::{ContactPoint, ContactSpec, PointHammer};
use crate::connections::network::{Network, PortEnd, Side, Stale};
use crate::connections::port_matrix::{Factor, PortMatrix, PortVector};
use crate::contact::ContactLaw;
use crate::modal::{MAX_PORTS, Mode};
use std::ops::Range;

/// Gap [m] of a port that waits for a hammer.
const WAITING_GAP: f64 = 1.0;

/// Maximum number of steps of Newton's method, and of halvings of each, until all contacts are at rest.
const MAX_STEPS: u32 = 60;
const MAX_HALVINGS: u32 = 30;

/// Sum of squares of the errors [m^2] at which they are.
const AT_REST: f64 = 1e-30;

impl Network {
    /// A port of a body for hammers that [`Network::launch`] sends. The number of the port; None as for [`Network::connect`].
    pub fn reserve_hammer(&mut self, body: usize) -> Option<usize> {
        let law = ContactLaw::hunt_crossley(1.0, 1.0, 0.0);
        self.touch(&[PortEnd { body, weights: &[], side: Side::Minus }], ContactSpec { law, gap: WAITING_GAP })
    }

    /// Sends a hammer to a reserved port, in place of the one there; `weights` [kg^-1/2] are those of the body's modes.
    pub fn launch(&mut self, port: usize, weights: &[f64], contact: ContactSpec, hammer: PointHammer) {
        self.retract(port);
        let Some((body, _)) = self.ports[port].ends[0] else { return };
        self.set_weights(port, PortEnd { body, weights, side: Side::Minus });
        self.replace_contact(port, ContactPoint::new(contact, Some(hammer)));
    }

    /// Removes the hammer of a reserved port. The energy of its contact is lost; its own leaves with it.
    pub fn retract(&mut self, port: usize) {
        let waiting = ContactSpec { law: ContactLaw::hunt_crossley(1.0, 1.0, 0.0), gap: WAITING_GAP };
        self.replace_contact(port, ContactPoint::new(waiting, None));
    }

    fn replace_contact(&mut self, port: usize, new: ContactPoint) {
        let Some((_, contact)) = self.contacts.iter_mut().find(|(number, _)| *number == port) else { return };
        let mut old = std::mem::replace(contact, new);
        if let Some(balance) = &mut self.balance {
            let before = old.energy();
            old.x = old.x.min(0.0);
            let after = old.energy();
            balance.record_change(before, after);
            balance.record_hammer(new.energy() - after);
        }
    }

    /// A contact in place of the one of this port, at the compression that bodies at rest give it.
    pub fn set_contact(&mut self, port: usize, contact: ContactSpec) {
        self.replace_contact(port, ContactPoint::new(contact, None));
        self.ways_of = None;
    }

    /// Puts all bodies where they are without any force, at rest.
    pub fn rest(&mut self) {
        let before = self.energy_if_balanced();
        for body in &mut self.bodies[..self.count] {
            let (q, v) = body.modes.state_mut();
            q.iter_mut().chain(v).for_each(|x| *x = 0.0);
        }
        self.ways_of = None;
        self.record_change_since(before);
    }

    /// Multiplies all velocities of the bodies by `factor`, 0 to 1.
    pub fn damp_motion(&mut self, factor: f64) {
        let before = self.energy_if_balanced();
        for body in &mut self.bodies[..self.count] {
            body.modes.state_mut().1.iter_mut().for_each(|v| *v *= factor);
        }
        self.ways_of = None;
        self.record_change_since(before);
    }

    /// Lets bands of modes of a body exchange energy of motion with each other and with systems outside of the network: their velocities take the
    /// factors of `bands`. Contacts and springs do not move. What enters bands is at most what leaves others; without that, bands only lose.
    pub fn exchange_motion(&mut self, body: usize, bands: impl Iterator<Item = (Range<usize>, f64)> + Clone) {
        let before = self.energy_if_balanced();
        let v = self.bodies[body].modes.state_mut().1;
        let gain = |v: &[f64], (range, factor): (Range<usize>, f64)| {
            (factor * factor - 1.0) * v[range].iter().map(|v| v * v).sum::<f64>()
        };
        let enters = bands.clone().map(|band| gain(v, band)).sum::<f64>() <= 0.0;
        for (range, factor) in bands.filter(|(_, factor)| enters || *factor < 1.0) {
            v[range].iter_mut().for_each(|v| *v *= factor);
        }
        self.ways_of = None;
        self.record_change_since(before);
    }

    /// New frequencies and decay rates of a body's modes, which keep their energies.
    pub fn retune(&mut self, body: usize, modes: impl IntoIterator<Item = Mode>) {
        let before = self.energy_if_balanced();
        self.bodies[body].modes.retune(modes);
        self.ways_of = None;
        self.stale = Stale::Weights;
        self.record_change_since(before);
    }

    /// Energy [J] of motion of a body.
    pub fn kinetic_energy(&self, body: usize) -> f64 {
        0.5 * self.modes(body).v.iter().map(|v| v * v).sum::<f64>()
    }

    fn record_change_since(&mut self, before: Option<f64>) {
        if let Some(before) = before {
            let after = self.energy();
            if let Some(balance) = &mut self.balance {
                balance.record_change(before, after);
            }
        }
    }

    /// Sets everything to rest: contacts are compressed as far as the bodies, pressed against each other by their present gaps, let them, and
    /// joints have no extension. Hammers are not at rest: there must be none.
    ///
    /// With x0 the compressions of bodies without force and S their compliances at rest, x + S f(x) = x0, by Newton's method.
    pub fn settle(&mut self) {
        self.prepare();
        let before = self.energy_if_balanced();
        let n = self.contacts.len();
        let rest = self.rest_compliances();
        let mut free = [0.0; MAX_PORTS];
        for (a, free) in free.iter_mut().enumerate().take(n) {
            let (port, contact) = self.contacts[a];
            *free = contact.x - self.place(port);
        }
        let compressions = self.compressions_at_rest(&rest, &free, n);
        let mut forces = [0.0; MAX_PORTS];
        for ((port, contact), x) in self.contacts.iter_mut().zip(compressions) {
            contact.x = x;
            forces[*port] = contact.law.force(x, 0.0, contact.memory).max(0.0);
        }
        for body in &mut self.bodies[..self.count] {
            let own: PortVector =
                std::array::from_fn(|slot| if slot < body.modes.ports() { forces[body.ports[slot]] } else { 0.0 });
            body.modes.rest_under(&own);
        }
        self.joints.set_extensions(&[0.0; MAX_PORTS]);
        self.forces = forces;
        self.ways_of = None;
        if let Some(before) = before {
            let after = self.energy();
            if let Some(balance) = &mut self.balance {
                balance.record_hammer(after - before);
            }
        }
    }

    /// S between the contacts, in their order.
    fn rest_compliances(&self) -> PortMatrix {
        let mut rest = PortMatrix::ZERO;
        for (a, (port, _)) in self.contacts.iter().enumerate() {
            for (b, (other, _)) in self.contacts.iter().enumerate() {
                for &(body, slot) in self.ports[*port].ends.iter().flatten() {
                    for &(its, its_slot) in self.ports[*other].ends.iter().flatten() {
                        if body == its {
                            *rest.at_mut(a, b) += self.bodies[body].modes.rest_compliance([slot, its_slot]);
                        }
                    }
                }
            }
        }
        rest
    }

    /// x with x + S f(x) = x0.
    fn compressions_at_rest(&self, rest: &PortMatrix, free: &PortVector, n: usize) -> PortVector {
        let forces_at = |x: &PortVector| -> PortVector {
            std::array::from_fn(|a| self.contacts.get(a).map_or(0.0, |(_, c)| c.law.force(x[a], 0.0, c.memory).max(0.0)))
        };
        let errors_at = |x: &PortVector| -> PortVector {
            let moved = rest.times(&forces_at(x), n);
            std::array::from_fn(|a| if a < n { x[a] - free[a] + moved[a] } else { 0.0 })
        };
        let size = |errors: &PortVector| errors.iter().map(|error| error * error).sum::<f64>();
        let mut x = *free;
        let mut errors = errors_at(&x);
        for _ in 0..MAX_STEPS {
            if size(&errors) <= AT_REST {
                break;
            }
            // (1 + D S D) w = -D errors with D the roots of the slopes, dx = -errors - S D w
            let slope = |a: usize| self.contacts[a].1.law.slopes(x[a], 0.0, self.contacts[a].1.memory).0;
            let root: PortVector = std::array::from_fn(|a| if a < n && x[a] > 0.0 { slope(a).max(0.0).sqrt() } else { 0.0 });
            let whole = PortMatrix::from_fn(n, |a, b| f64::from(u8::from(a == b)) + root[a] * rest.at(a, b) * root[b]);
            let inverse = Factor::new(&whole, n, &[0.0; MAX_PORTS]).inverse();
            let w = inverse.times(&std::array::from_fn(|a| -root[a] * errors[a]), n);
            let moved = rest.times(&std::array::from_fn(|a| root[a] * w[a]), n);
            let mut part = 1.0;
            for _ in 0..MAX_HALVINGS {
                let next = std::array::from_fn(|a| x[a] - part * (errors[a] + moved[a]));
                let then = errors_at(&next);
                if size(&then) < size(&errors) {
                    (x, errors) = (next, then);
                    break;
                }
                part *= 0.5;
            }
        }
        x
    }
}
