//! One sample of a network: forces of springs and contacts, then one exact step of every body.

use crate::connections::contact_forces::PortContacts;
use crate::connections::contact_point::ContactPoint;
use crate::connections::network::Network;
use crate::connections::port_matrix::{PortMatrix, PortVector};
use crate::modal::{MAX_PORTS, Stride};
use crate::solver::EnergyEntry;

/// A step without the forces of contacts.
struct FreeStep {
    stride: Stride,
    /// Forces of the joints [N].
    forces: PortVector,
    /// Displacement of the ports under these [m].
    ways: PortVector,
}

/// Mean forces of the contacts over a step, and the energies of it [J].
#[derive(Default)]
struct ContactStep {
    forces: PortVector,
    lost: f64,
    supplied: f64,
}

impl Network {
    /// One sample.
    pub fn step(&mut self) {
        self.prepare();
        if self.joints.has_offset() {
            self.return_offsets();
        }
        let free = self.free_step(Stride::Sample);
        if !self.is_hammer_near(&free) {
            return self.advance(&free, 1);
        }
        let modes: usize = self.bodies[..self.count].iter().map(|body| body.modes.modes().len()).sum();
        if modes > self.resolution.most_modes {
            return self.advance(&free, self.resolution.parts.max(1));
        }
        self.prepare_part();
        let (steps, mut mean) = (1_u32 << self.resolution.level, [0.0; MAX_PORTS]);
        for _ in 0..steps {
            let free = self.free_step(Stride::Part);
            self.advance(&free, 1);
            mean.iter_mut().zip(&self.forces).for_each(|(mean, force)| *mean += force / f64::from(steps));
        }
        self.forces = mean;
    }

    fn return_offsets(&mut self) {
        let before = self.joints.energy();
        self.joints.return_offsets();
        let after = self.joints.energy();
        if let Some(balance) = &mut self.balance {
            balance.record_change(before, after);
        }
    }

    /// Whether a hammer touches, or would without its force in this sample.
    fn is_hammer_near(&self, free: &FreeStep) -> bool {
        let near = |(port, contact): &(usize, ContactPoint)| {
            let place = contact.x + free.ways[*port] + contact.approach() * self.h;
            contact.hammer.is_some() && contact.x.max(place) > 0.0
        };
        self.contacts.iter().any(near)
    }

    /// Forces of the joints, and the displacements of the ports under these, if no contact has a force.
    fn free_step(&mut self, stride: Stride) -> FreeStep {
        if self.ways_of != Some(stride) {
            self.find_ways(stride);
        }
        let (step, n) = (&self.steps[stride.index()], self.reach);
        let forces = step.forces(&self.joints, &self.ways, n);
        let mut ways = self.ways;
        if !self.contacts.is_empty() {
            let moved = step.compliance.times(&forces, n);
            ways.iter_mut().zip(&moved).for_each(|(way, moved)| *way -= moved);
        }
        FreeStep { stride, forces, ways }
    }

    /// D of all ports over the next step.
    fn find_ways(&mut self, stride: Stride) {
        self.ways = [0.0; MAX_PORTS];
        for body in &self.bodies[..self.count] {
            let mut ways = [0.0; MAX_PORTS];
            body.modes.ways(stride, &mut ways);
            for (port, way) in body.ports.iter().zip(&ways).take(body.modes.ports()) {
                self.ways[*port] += way;
            }
        }
        self.ways_of = Some(stride);
    }

    /// One step of everything. `parts`: equal parts of it for which the contacts are solved.
    fn advance(&mut self, free: &FreeStep, parts: u32) {
        let (n, stride) = (self.reach, free.stride);
        let before = self.energy_if_balanced();
        let mut entry = EnergyEntry::default();
        let mut forces = free.forces;
        if !self.contacts.is_empty() {
            let contacts = self.solve_contacts(free, parts);
            (entry.lost_in_contact, entry.supplied) = (contacts.lost, contacts.supplied);
            let step = &self.steps[stride.index()];
            let taken = step.stiffness.times(&step.compliance.times(&contacts.forces, n), n);
            for (port, force) in forces.iter_mut().enumerate() {
                *force += contacts.forces[port] - taken[port];
            }
        }
        self.forces = forces;
        let step = &self.steps[stride.index()];
        let change = step.amplitude_change(&self.joints, &forces, n);
        if let Some(before) = before {
            entry.before = before;
            entry.lost_in_contact += step.loss(&self.joints, &self.dashpots, (&change, &forces), n);
            entry.lost_in_modes = self.loss_of_modes(stride);
        }
        self.joints.amplitude.iter_mut().zip(&change).for_each(|(a, change)| *a += change);
        self.move_bodies(stride);
        if before.is_some() {
            entry.after = self.energy();
            if let Some(balance) = &mut self.balance {
                balance.record_step(&entry);
            }
        }
    }

    /// One step of every body under the forces.
    fn move_bodies(&mut self, stride: Stride) {
        self.ways = [0.0; MAX_PORTS];
        for body in &mut self.bodies[..self.count] {
            let ports = &body.ports[..body.modes.ports()];
            let (mut forces, mut ways) = ([0.0; MAX_PORTS], [0.0; MAX_PORTS]);
            for (force, port) in forces.iter_mut().zip(ports) {
                *force = self.forces[*port];
            }
            body.heard = body.modes.step(stride, &forces, &mut ways);
            for (port, way) in ports.iter().zip(&ways) {
                self.ways[*port] += way;
            }
        }
        self.ways_of = Some(stride);
    }

    /// Solves all contacts for each of the parts of a step, and moves them.
    fn solve_contacts(&mut self, free: &FreeStep, parts: u32) -> ContactStep {
        let Self { contacts, steps, balance, .. } = self;
        let step = &steps[free.stride.index()];
        let (share, dt, balanced) = (1.0 / f64::from(parts), step.dt / f64::from(parts), balance.is_some());
        let mut sum = ContactStep::default();
        let mut mean_square = 0.0;
        for _ in 0..parts {
            for (port, contact) in contacts.iter_mut() {
                contact.set_equation(dt, share * free.ways[*port], share * step.left.at(*port, *port));
            }
            PortContacts { list: contacts, compliance: &step.left, share }.solve();
            let mut forces = [0.0; MAX_PORTS];
            for (port, contact) in contacts.iter_mut() {
                let force = contact.solution.force;
                forces[*port] = force;
                sum.forces[*port] += share * force;
                if balanced {
                    sum.lost += contact.law.loss(&contact.equation, &contact.solution);
                    sum.supplied += force * contact.pull * dt;
                }
                sum.lost += contact.follow(dt);
            }
            if parts > 1 && balanced {
                mean_square += share * quadratic(&step.left, &forces);
            }
        }
        if parts > 1 && balanced {
            sum.lost += mean_square - quadratic(&step.left, &sum.forces);
        }
        sum
    }
}

/// f.B f [J].
fn quadratic(compliance: &PortMatrix, forces: &PortVector) -> f64 {
    compliance.times(forces, MAX_PORTS).iter().zip(forces).map(|(way, force)| way * force).sum()
}
