//! Energy balance of thousands of random networks under jumping parameters.

use super::bodies::normal;
use crate::support::rng::Rng;
use crate::tier::size;
use std::f64::consts::TAU;
use urto_physics::connections::{ContactSpec, Joint, Network, NetworkCapacity, NetworkResolution, PointHammer, PortEnd, Side};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;

const SAMPLES: usize = 400;
const MAX_MODES: usize = 50;

/// The worst of a run, over the largest energy.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    unsupplied: f64,
    residual: f64,
    jumps: u32,
    /// Samples in which a contact had a force.
    touching: u32,
}

/// A random network in the middle of its run.
struct System {
    rng: Rng,
    network: Network,
    sizes: Vec<usize>,
    masses: Vec<f64>,
    /// Port and static compliance of every joint.
    joints: Vec<(usize, f64)>,
    contacts: Vec<usize>,
    jumps: bool,
    closes: bool,
}

impl System {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let bodies = 2 + rng.below(5);
        let mut network = Network::new(rng.scale(44.1e3, 192e3), NetworkCapacity { bodies, modes: MAX_MODES });
        let losses = rng.chance(0.7);
        let (mut sizes, mut masses) = (Vec::new(), Vec::new());
        for _ in 0..bodies {
            let count = rng.scale(1.0, MAX_MODES as f64) as usize;
            let mode = |rng: &mut Rng| {
                let omega = TAU * rng.scale(20.0, 20e3);
                Mode { omega, sigma: if losses { omega * rng.scale(1e-5, 0.3) } else { 0.0 } }
            };
            let modes: Vec<Mode> = (0..count).map(|_| mode(&mut rng)).collect();
            network.add_body(modes).expect("there is room");
            sizes.push(count);
            masses.push(rng.scale(1e-3, 10.0));
        }
        network.set_resolution(NetworkResolution {
            level: rng.below(4) as u32,
            most_modes: [0, usize::MAX][rng.below(2)],
            parts: 1 + rng.below(8) as u32,
        });
        let (jumps, closes) = (rng.chance(0.6), rng.chance(0.3));
        Self { rng, network, sizes, masses, joints: Vec::new(), contacts: Vec::new(), jumps, closes }
    }

    fn shape(&mut self, body: usize) -> Vec<f64> {
        let root = self.masses[body].sqrt();
        (0..self.sizes[body]).map(|_| normal(&mut self.rng) / root).collect()
    }

    /// Two different bodies, each with a shape.
    fn pair(&mut self) -> [(usize, Vec<f64>); 2] {
        let first = self.rng.below(self.sizes.len());
        let second = (first + 1 + self.rng.below(self.sizes.len() - 1)) % self.sizes.len();
        [first, second].map(|body| (body, self.shape(body)))
    }

    fn compliance(&self, ends: &[(usize, Vec<f64>); 2]) -> f64 {
        let of_end = |(body, weights): &(usize, Vec<f64>)| -> f64 {
            self.network.modes(*body).list().iter().zip(weights).map(|(mode, w)| (w / mode.omega).powi(2)).sum()
        };
        ends.iter().map(of_end).sum()
    }

    fn stiffness(&mut self, compliance: f64) -> f64 {
        match self.rng.below(20) {
            0 | 1 => 0.0,
            2 => f64::INFINITY,
            _ => self.rng.scale(1e-3, 3e3) / compliance,
        }
    }

    fn damping(&mut self) -> f64 {
        if self.rng.chance(0.6) { self.rng.scale(1e-4, 1e3) } else { 0.0 }
    }

    fn law(&mut self) -> ContactLaw {
        ContactLaw::hunt_crossley(self.rng.scale(1e3, 1e11), self.rng.between(1.0, 3.0), self.rng.between(0.0, 1.5))
    }

    fn add_ports(&mut self) {
        for _ in 0..1 + self.rng.below(8) {
            let ends = self.pair();
            let compliance = self.compliance(&ends);
            let joint = Joint { stiffness: self.stiffness(compliance), damping: self.damping(), missing: 0.0 };
            if let Some(port) = self.network.connect(&ports_of(&ends), joint) {
                self.joints.push((port, compliance));
            }
        }
        for _ in 0..self.rng.below(5) {
            let ends = self.pair();
            let contact = ContactSpec { law: self.law(), gap: self.rng.scale(1e-6, 1e-3) };
            self.contacts.extend(self.network.touch(&ports_of(&ends), contact));
        }
        for _ in 0..self.rng.below(4) {
            let body = self.rng.below(self.sizes.len());
            let weights = self.shape(body);
            let contact = ContactSpec { law: self.law(), gap: self.rng.scale(1e-6, 1e-3) };
            let hammer = PointHammer { mass: self.rng.scale(1e-3, 1.0), velocity: self.rng.scale(0.1, 25.0) };
            self.contacts.extend(self.network.strike(body, &weights, contact, hammer));
        }
    }

    fn set_state(&mut self) {
        if !self.rng.chance(0.7) {
            return;
        }
        let (speed, place) = (self.rng.scale(1e-3, 1.0), self.rng.scale(1e-3, 1.0));
        for body in 0..self.sizes.len() {
            let list = self.network.modes(body).list().to_vec();
            let (q, v) = self.network.state_mut(body);
            for (i, mode) in list.iter().enumerate() {
                (q[i], v[i]) = (place * normal(&mut self.rng) / mode.omega, speed * normal(&mut self.rng));
            }
        }
        let extensions: Vec<f64> = (0..self.joints.len()).map(|n| self.network.place(self.joints[n].0)).collect();
        self.network.set_extensions(&extensions);
    }

    /// Some parameters jump; how many.
    fn jump(&mut self) -> u32 {
        let mut jumps = 0;
        for n in 0..self.joints.len() {
            let (port, compliance) = self.joints[n];
            if self.rng.chance(0.05) {
                let joint = Joint { stiffness: self.stiffness(compliance), damping: self.damping(), missing: 0.0 };
                self.network.set_joint(port, joint);
                jumps += 1;
            }
        }
        for n in 0..self.contacts.len() {
            if self.rng.chance(0.03) {
                let law = self.law();
                self.network.set_law(self.contacts[n], law);
                jumps += 1;
            }
            if self.closes && self.rng.chance(0.02) {
                let velocity = self.rng.between(-1.0, 1.0);
                self.network.set_closing(self.contacts[n], velocity);
            }
        }
        if self.rng.chance(2e-3) && self.joints.len() > 1 {
            let at = self.rng.below(self.joints.len());
            let (port, _) = self.joints.remove(at);
            self.network.disconnect(port);
        }
        if self.rng.chance(2e-3) && self.contacts.len() > 1 {
            let port = self.contacts.remove(0);
            self.network.disconnect(port);
        }
        jumps
    }

    fn run(seed: u64) -> Worst {
        let mut system = Self::new(seed);
        system.add_ports();
        system.set_state();
        system.network.enable_energy_balance();
        let mut worst = Worst::default();
        for _ in 0..SAMPLES {
            if system.jumps {
                worst.jumps += system.jump();
            }
            system.network.step();
            worst.touching += u32::from(system.contacts.iter().any(|port| system.network.force(*port) > 0.0));
        }
        let balance = system.network.energy_balance().expect("it is enabled");
        let largest = balance.largest.max(f64::MIN_POSITIVE);
        worst.unsupplied = balance.largest_unsupplied_increase / largest;
        let finite = system.network.energy().is_finite();
        worst.residual = if finite { balance.largest_balance_residual / largest } else { f64::INFINITY };
        worst
    }
}

fn ports_of(ends: &[(usize, Vec<f64>); 2]) -> [PortEnd<'_>; 2] {
    let end = |n: usize, side| PortEnd { body: ends[n].0, weights: &ends[n].1, side };
    [end(0, Side::Plus), end(1, Side::Minus)]
}

#[test]
fn random_networks_gain_no_energy() {
    let systems = size(300, 10_000);
    let (mut worst, mut failed) = (Worst::default(), Vec::new());
    for seed in 0..systems {
        let found = System::run(seed);
        worst.unsupplied = worst.unsupplied.max(found.unsupplied);
        worst.residual = worst.residual.max(found.residual);
        worst.jumps += found.jumps;
        worst.touching += found.touching;
        if !(found.unsupplied <= 1e-14 && found.residual <= 1e-12) {
            failed.push((seed, found));
        }
    }
    println!("{systems} networks: {worst:?}");
    assert!(worst.jumps > 10 * systems as u32 && worst.touching > 10 * systems as u32, "too tame: {worst:?}");
    let few: Vec<_> = failed.iter().take(10).collect();
    assert!(failed.is_empty(), "{} of {systems} networks failed, by seed: {few:#?}", failed.len());
}
