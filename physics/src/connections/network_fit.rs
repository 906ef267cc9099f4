//! Weights, compliances and the system of the ports of a network after a change.

use crate::connections::exponent_rule::{DASHPOT_EXPONENT, Joint, SpringFit, SpringPorts};
use crate::connections::joints::PortFlags;
use crate::connections::network::{Body, IDLE, Network, Port, PortKind, Stale};
use crate::connections::port_matrix::PortMatrix;
use crate::modal::{MAX_PORTS, Stride};

impl Network {
    /// Removes a port. The energy of its spring or contact is lost; that of a hammer leaves with it.
    pub fn disconnect(&mut self, port: usize) {
        if let Some(at) = self.contacts.iter().position(|(number, _)| *number == port) {
            let (_, mut contact) = self.contacts.remove(at);
            let before = contact.energy();
            contact.x = contact.x.min(0.0);
            let after = contact.energy();
            if let Some(balance) = &mut self.balance {
                balance.record_hammer(-after);
                balance.record_change(before, after);
            }
        }
        let ends = self.ports[port].ends;
        self.ports[port] = Port { changed: true, ..IDLE };
        for (body, slot) in ends.into_iter().flatten() {
            self.remove_slot(body, slot);
        }
        self.stale = Stale::Weights;
        self.prepare();
        self.reach = self.ports.iter().rposition(|port| port.kind != PortKind::Idle).map_or(0, |last| last + 1);
    }

    /// Removes a port of a body; its last one takes the place.
    fn remove_slot(&mut self, body: usize, slot: usize) {
        let Body { modes, ports, .. } = &mut self.bodies[body];
        let last = modes.remove_port(slot);
        ports[slot] = ports[last];
        for end in self.ports[ports[slot]].ends.iter_mut().flatten() {
            if *end == (body, last) {
                *end = (body, slot);
            }
        }
    }

    /// Sets extensions [m] of joints, one number a port. The state of the springs starts from the beginning.
    pub fn set_extensions(&mut self, extensions: &[f64]) {
        self.prepare();
        let mut all = [0.0; MAX_PORTS];
        all.iter_mut().zip(extensions).for_each(|(to, from)| *to = *from);
        self.joints.set_extensions(&all);
    }

    /// Displacement [m] of a port by the modes of its bodies and its row Wh.
    pub fn place(&mut self, port: usize) -> f64 {
        self.prepare();
        self.ports[port].ends.iter().flatten().map(|&(body, slot)| self.bodies[body].modes.place(slot)).sum()
    }

    /// Updates weights, compliances and the system of the ports after changes; [`Network::step`] does it, too. No allocation.
    pub fn prepare(&mut self) {
        if self.stale == Stale::Nothing {
            return;
        }
        let before = self.energy_if_balanced();
        let fit = SpringFit::new(&*self, self.h);
        let mut refit = self.stale == Stale::Weights;
        for port in 0..self.reach {
            let exponent = self.exponent_of(port, &fit);
            refit |= std::mem::replace(&mut self.ports[port].exponent, exponent) != exponent;
        }
        if refit {
            self.fit_bodies();
        }
        let flags = PortFlags {
            springs: std::array::from_fn(|port| self.spring(port).is_some()),
            changed: self.ports.map(|port| port.changed),
        };
        self.joints.take_over(&fit.compliance, &flags);
        self.dashpots.beside = fit.damping;
        for port in 0..MAX_PORTS {
            self.dashpots.alone[port] = self.dashpot(port);
            self.ports[port].changed = false;
        }
        self.steps[0].dt = self.h;
        self.steps[0].prepare(&self.joints, &self.dashpots, self.reach);
        (self.stale, self.part_ready) = (Stale::Nothing, false);
        if let Some(before) = before {
            let after = self.energy();
            if let Some(balance) = &mut self.balance {
                balance.record_change(before, after);
            }
        }
    }

    fn exponent_of(&self, port: usize, fit: &SpringFit) -> f64 {
        match self.ports[port].kind {
            PortKind::Joint(joint) if joint.has_spring() => fit.exponents[port],
            PortKind::Joint(joint) if joint.damping > 0.0 => DASHPOT_EXPONENT,
            PortKind::Joint(_) => self.ports[port].exponent,
            PortKind::Idle | PortKind::Contact => 1.0,
        }
    }

    /// r [kg/s] of a dashpot without spring.
    fn dashpot(&self, port: usize) -> f64 {
        match self.ports[port].kind {
            PortKind::Joint(joint) if !joint.has_spring() => joint.damping,
            _ => 0.0,
        }
    }

    fn fit_bodies(&mut self) {
        let Self { bodies, ports, count, .. } = self;
        for body in &mut bodies[..*count] {
            let mut exponents = [1.0; MAX_PORTS];
            for (exponent, port) in exponents.iter_mut().zip(&body.ports).take(body.modes.ports()) {
                *exponent = ports[*port].exponent;
            }
            body.modes.fit(&exponents);
        }
        self.ways_of = None;
        self.part_ready = false;
        self.steps[0].compliance = self.compliance(Stride::Sample);
    }

    /// B of all ports over a step.
    fn compliance(&self, stride: Stride) -> PortMatrix {
        let mut compliance = PortMatrix::ZERO;
        for body in &self.bodies[..self.count] {
            for a in 0..body.modes.ports() {
                for b in 0..=a {
                    let (i, j) = (body.ports[a], body.ports[b]);
                    let part = body.modes.compliance(stride, [a, b]);
                    *compliance.at_mut(i, j) += part;
                    if a != b {
                        *compliance.at_mut(j, i) += part;
                    }
                }
            }
        }
        compliance
    }

    /// Prepares the step of a part of a sample.
    pub(super) fn prepare_part(&mut self) {
        if self.part_ready {
            return;
        }
        let dt = self.h / f64::from(1_u32 << self.resolution.level);
        let Self { bodies, ports, count, .. } = &mut *self;
        for Body { modes, ports: numbers, .. } in &mut bodies[..*count] {
            modes.set_part(dt);
            modes.fit_part(|slot| ports[numbers[slot]].kind == PortKind::Contact);
        }
        self.steps[1].dt = dt;
        self.steps[1].compliance = self.compliance(Stride::Part);
        self.steps[1].prepare(&self.joints, &self.dashpots, self.reach);
        self.part_ready = true;
    }
}

impl SpringPorts for Network {
    fn port_count(&self) -> usize {
        self.ports()
    }

    fn spring(&self, port: usize) -> Option<Joint> {
        match self.ports[port].kind {
            PortKind::Joint(joint) => joint.has_spring().then_some(joint),
            _ => None,
        }
    }

    fn missing_between(&self, [a, b]: [usize; 2]) -> f64 {
        self.missing.at(a, b)
    }

    fn static_compliance(&self, port: usize) -> f64 {
        let ends = self.ports[port].ends.iter().flatten();
        ends.map(|&(body, slot)| self.bodies[body].modes.static_compliance([slot, slot])).sum()
    }

    fn excess(&self, [a, b]: [usize; 2], exponents: [f64; 2]) -> f64 {
        let mut sum = 0.0;
        for &(body, slot) in self.ports[a].ends.iter().flatten() {
            for &(other, its) in self.ports[b].ends.iter().flatten() {
                if body == other {
                    sum += self.bodies[body].modes.excess([slot, its], exponents);
                }
            }
        }
        sum
    }
}
