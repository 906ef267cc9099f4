//! One sample of a network: forces of springs and contacts, then one exact step of every body.

use crate::connections::contact_forces::PortContacts;
use crate::connections::contact_point::ContactPoint;
use crate::connections::network::{Body, Network};
use crate::connections::port_matrix::{PortMatrix, PortVector};
use crate::modal::{MAX_PORTS, Stride};
use crate::solver::EnergyEntry;

/// Number of ports of a body up to which fewer are gathered.
const FEW: usize = 4;

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
        if self.contacts.is_empty() {
            let before = self.energy_if_balanced();
            let forces = self.free_forces(Stride::Sample);
            return self.finish(Stride::Sample, forces, before, EnergyEntry::default());
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

    /// Forces of the joints if no contact has a force.
    fn free_forces(&mut self, stride: Stride) -> PortVector {
        if self.ways_of != Some(stride) {
            self.find_ways(stride);
        }
        self.steps[stride.index()].forces(&self.joints, &self.ways, self.reach)
    }

    /// The same, and the displacements of the ports under these.
    fn free_step(&mut self, stride: Stride) -> FreeStep {
        let forces = self.free_forces(stride);
        let mut ways = self.ways;
        let moved = self.steps[stride.index()].compliance.times(&forces, self.reach);
        ways.iter_mut().zip(&moved).for_each(|(way, moved)| *way -= moved);
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
        let n = self.reach;
        let before = self.energy_if_balanced();
        let contacts = self.solve_contacts(free, parts);
        let step = &self.steps[free.stride.index()];
        let taken = step.stiffness.times(&step.compliance.times(&contacts.forces, n), n);
        let forces = std::array::from_fn(|port| free.forces[port] + (contacts.forces[port] - taken[port]));
        let entry = EnergyEntry { lost_in_contact: contacts.lost, supplied: contacts.supplied, ..EnergyEntry::default() };
        self.finish(free.stride, forces, before, entry);
    }

    /// Moves springs and bodies under the forces of all ports; `before`: the energy before the contacts have moved.
    fn finish(&mut self, stride: Stride, forces: PortVector, before: Option<f64>, mut entry: EnergyEntry) {
        let n = self.reach;
        self.forces = forces;
        let step = &self.steps[stride.index()];
        let change = step.amplitude_change(&self.joints, &forces, n);
        if let Some(before) = before {
            entry.before = before;
            entry.lost_in_contact += step.loss(&self.joints, &self.dashpots, (&change, &forces), n);
            entry.lost_in_modes = self.loss_of_modes(stride);
        }
        self.joints.amplitude[..n].iter_mut().zip(&change).for_each(|(a, change)| *a += change);
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
        let Self { bodies, count, forces, ways, .. } = self;
        ways.fill(0.0);
        for body in &mut bodies[..*count] {
            if body.modes.ports() <= FEW {
                body.step::<FEW>(stride, forces, ways);
            } else {
                body.step::<MAX_PORTS>(stride, forces, ways);
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
                    sum.supplied += force * contact.closing * dt;
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

impl Body {
    /// One step under the forces of its ports, of which there are at most MOST; adds the displacements over the next one to `ways`.
    #[inline]
    fn step<const MOST: usize>(&mut self, stride: Stride, forces: &PortVector, ways: &mut PortVector) {
        let ports = &self.ports[..self.modes.ports()];
        let (mut own, mut moved) = ([0.0; MOST], [0.0; MOST]);
        for (force, port) in own.iter_mut().zip(ports) {
            *force = forces[*port];
        }
        self.heard = self.modes.step(stride, &own, &mut moved);
        for (port, way) in ports.iter().zip(&moved) {
            ways[*port] += way;
        }
    }
}

/// f.B f [J].
fn quadratic(compliance: &PortMatrix, forces: &PortVector) -> f64 {
    compliance.times(forces, MAX_PORTS).iter().zip(forces).map(|(way, force)| way * force).sum()
}
