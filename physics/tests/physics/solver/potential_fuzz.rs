//! Energy balance of random bodies with a potential under changing parameters and several hammers.

use super::random_systems::{Worst, assert_no_gain};
use crate::support::rng::Rng;
use crate::support::square_plate::KINDS;
use crate::tier::size;
use std::f64::consts::{SQRT_2, TAU};
use urto_physics::bodies::{
    CurvedDisc, CurvedDiscSpec, DiscStretch, EdgeSupport, ModalShape, PlateStretch, RestShape, StretchDetail, StretchForms,
    StretchSpec,
};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::{FormEntry, LentPotential, Mode, Potential, PotentialSize, QuadraticForms};
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS, PointHammerSpec, Resolution};

/// A potential whose gradient is wrong: random numbers of about its size.
#[derive(Clone, Debug)]
struct Wrong {
    of: QuadraticForms,
    state: u64,
}

impl Potential for Wrong {
    fn evaluate(&mut self, q: &[f64], gradient: &mut [f64]) -> f64 {
        let energy = self.of.evaluate(q, gradient);
        for g in gradient {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *g *= (self.state >> 40) as f64 * f64::powi(2.0, -22) - 2.0;
        }
        energy
    }

    fn is_curved(&self) -> bool {
        self.of.is_curved()
    }

    fn cost(&self) -> f32 {
        self.of.cost()
    }

    fn duplicate(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }
}

/// What the potential of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Random coefficients.
    Forms,
    /// The same with a random gradient.
    WrongGradient,
    /// That of a disc in single precision: flat, or with dome and dents.
    Disc,
    /// That of a free or clamped rectangular plate in single precision.
    Plate,
}

fn gauss(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

/// Coefficients of a body.
struct RandomForms {
    entries: Vec<FormEntry>,
    /// b of every form, a number for every mode; none of a flat body.
    slopes: Vec<f64>,
    modes: usize,
}

impl RandomForms {
    /// V in which only the lowest `count` modes take part.
    fn of_lowest(&self, count: usize, kind: Kind) -> Box<dyn Potential> {
        let entries = self.entries.iter().copied().filter(|entry| entry.modes.iter().all(|&mode| mode < count));
        let slopes = self.slopes.iter().enumerate().map(|(i, b)| if i % self.modes < count { *b } else { 0.0 });
        let of = QuadraticForms::curved(self.modes, entries, slopes.collect());
        match kind {
            Kind::Forms | Kind::Disc | Kind::Plate => Box::new(of),
            Kind::WrongGradient => Box::new(Wrong { of, state: 7 }),
        }
    }

    /// V of all modes, of half of them, and of a ninth.
    fn lend(&self, kind: Kind) -> LentPotential {
        let smaller = [2, 9].map(|part| self.of_lowest(self.modes.div_ceil(part), kind));
        LentPotential::new(self.of_lowest(self.modes, kind), 24).with_fewer_modes(smaller)
    }
}

/// Random coefficients of a body with these modes, a quarter of them curved.
fn random_forms(rng: &mut Rng, modes: &[Mode]) -> RandomForms {
    let (n, count) = (modes.len(), 1 + rng.below(15));
    let (size, top) = (rng.scale(1e3, 1e9), modes.iter().fold(0.0_f64, |top, mode| top.max(mode.omega)));
    let mut entries = Vec::new();
    for form in 0..count {
        for i in 0..n {
            for j in i..n {
                if rng.chance(0.3) {
                    let value = size * gauss(rng) * modes[i].omega * modes[j].omega / top;
                    entries.push(FormEntry { form, modes: [i, j], value });
                }
            }
        }
    }
    let slopes = if rng.chance(0.25) {
        let scale = 0.2 / ((count * n) as f64).sqrt();
        (0..count).flat_map(|_| modes.iter().map(|mode| scale * gauss(rng) * mode.omega).collect::<Vec<_>>()).collect()
    } else {
        Vec::new()
    };
    RandomForms { entries, slopes, modes: n }
}

/// A disc of as many modes, whose frequencies it sets, with the lowest between 40 and 400 Hz; and the size of its V.
fn random_disc(rng: &mut Rng, modes: &mut [Mode], top: f64) -> (LentPotential, PotentialSize) {
    let rim = [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped][rng.below(3)];
    let dents = if rng.chance(0.3) { rng.scale(0.1, 3.0) } else { 0.0 };
    let height = if rng.chance(0.6) { rng.scale(0.1, 10.0) } else { 0.0 };
    let rest = RestShape { height, dents, seed: rng.below(99) as u64 };
    let count = modes.len();
    let spec = CurvedDiscSpec { rim, poisson: 0.3, rest, modes: count, stretching: count, stresses: 20, split: 0.01 };
    let disc = CurvedDisc::new(&spec);
    let (shape, lowest) = (disc.shape(), TAU * rng.scale(40.0, 400.0));
    for (i, mode) in modes.iter_mut().enumerate() {
        mode.omega = (lowest * shape.ratio(i)).min(top).max(1.3 * mode.sigma);
    }
    let (thickness, mass) = (rng.scale(1e-4, 1e-2), rng.scale(0.01, 10.0));
    let stretch = DiscStretch { rim, thickness, poisson: 0.3, mass, omega: lowest / disc.rise() };
    let listed: Vec<_> = (0..count).map(|i| shape.round_mode(i)).collect();
    (LentPotential::new(Box::new(disc.potential(&listed, spec.stresses)), 24), stretch.size())
}

/// A free or clamped plate, as [`random_disc`], with potentials of fewer modes.
fn random_plate(rng: &mut Rng, modes: &mut [Mode], top: f64) -> (LentPotential, PotentialSize) {
    let (rim, edges) = KINDS[rng.below(3)];
    let (aspect, count) = (rng.scale(0.3, 3.0), modes.len());
    let shape = ModalShape::plate(rim, aspect, 0.3, count);
    let forms = StretchForms::new(&StretchSpec { aspect, poisson: 0.3, edges }, &shape, count);
    let lowest = TAU * rng.scale(40.0, 400.0);
    for (i, mode) in modes.iter_mut().enumerate() {
        mode.omega = (lowest * shape.ratio(i)).min(top).max(1.3 * mode.sigma);
    }
    let (thickness, mass) = (rng.scale(1e-4, 1e-2), rng.scale(0.01, 10.0));
    let amount = PlateStretch { rim, thickness, poisson: 0.3, mass, omega: lowest, aspect }.amount();
    let stresses = 4 * (1 + rng.below(20));
    let of_lowest =
        |modes: usize| -> Box<dyn Potential> { Box::new(forms.potential(StretchDetail { rigid: 0, modes, stresses })) };
    let smaller = [2, 9].map(|part| of_lowest(count.div_ceil(part)));
    (LentPotential::new(of_lowest(count), 24).with_fewer_modes(smaller), PotentialSize::flat(amount))
}

/// A body in the middle of its run.
struct System {
    rng: Rng,
    modes: Vec<Mode>,
    top: f64,
    laws: Vec<(f64, f64, f64)>,
    collision: Collision,
    /// Size of V.
    size: PotentialSize,
    /// Energy of all hammers so far [J].
    energy: f64,
}

impl System {
    /// 1 to 23 modes from 40 Hz, held modes in a fifth, up to four hammers of 1 g to 1 kg at 0.1 to 30 m/s.
    fn new(seed: u64, kind: Kind) -> Self {
        let mut rng = Rng::new(seed);
        let held = if rng.chance(0.2) { 8 * (1 + rng.below(4)) } else { 0 };
        let count = if held > 0 { 8 * (1 + rng.below(2)) } else { 1 + rng.below(23) };
        let rate = rng.scale(22_050.0, 192_000.0);
        let top = TAU * (0.45 * rate).min(20e3);
        let mode = |rng: &mut Rng| {
            let omega = rng.scale(TAU * 40.0, top);
            Mode { omega, sigma: omega * rng.scale(1.2e-4, 0.13) }
        };
        let mut modes: Vec<Mode> = (0..count + held).map(|_| mode(&mut rng)).collect();
        let plate_or_disc = match kind {
            Kind::Disc => Some(random_disc(&mut rng, &mut modes[..count], top)),
            Kind::Plate => Some(random_plate(&mut rng, &mut modes[..count], top)),
            Kind::Forms | Kind::WrongGradient => None,
        };
        let capacity = Capacity { modes: 24, held: 96, hammers: 4, hammer_modes: 1, levels: 4 + rng.below(8) };
        let mut collision = Collision::new(rate, capacity);
        let substeps_per_contact = [4.0, 8.0, 16.0][rng.below(3)];
        let [coarsest_level, outlasted_levels] = [4, 3].map(|count| rng.below(count) as u32);
        collision.set_resolution(Resolution { substeps_per_contact, coarsest_level, outlasted_levels });
        collision.set_body_held(modes.iter().copied(), if held > 0 { count } else { usize::MAX });
        let flat = PotentialSize::flat(1.0);
        let (lent, size) = plate_or_disc.unwrap_or_else(|| (random_forms(&mut rng, &modes[..count]).lend(kind), flat));
        collision.exchange_potential(Some(lent), size);
        collision.wake_potential();
        let hammers = 1 + rng.below(4);
        let laws = (0..hammers).map(|_| (rng.scale(1e4, 1e9), rng.between(1.0, 3.0), rng.between(0.0, 1.0))).collect();
        if rng.chance(0.2) {
            collision.set_cost_limit(rng.scale(200.0, 5000.0) as f32);
        }
        let mut system = Self { rng, modes, top, laws, collision, size, energy: 0.0 };
        (0..hammers).for_each(|i| system.throw(i));
        system
    }

    fn throw(&mut self, law: usize) {
        let Self { rng, collision, modes, .. } = self;
        let (k, alpha, mu) = self.laws[law];
        let (mass, velocity) = (rng.scale(1e-3, 1.0), rng.scale(0.1, 30.0));
        let weights: Vec<f64> = modes.iter().map(|_| 3.0 * gauss(rng)).collect();
        let law = ContactLaw::hunt_crossley(k, alpha, mu);
        if let Some(i) = collision.strike(PointHammerSpec { law, mass, velocity, tether: Mode::RIGID, weights: &weights }) {
            collision.set_hammer_gap(i, velocity * rng.between(0.0, 2e-3));
            if rng.chance(0.3) {
                collision.set_push(i, rng.scale(0.1, 100.0));
            }
        }
        self.energy += 0.5 * mass * velocity * velocity;
    }

    /// One of all changes that a player can make.
    fn jump(&mut self) {
        let Self { rng, modes, top, collision, .. } = self;
        match rng.below(8) {
            0 => {
                self.size.amount *= (1.4 * gauss(rng)).exp();
                self.size.depth *= (0.7 * gauss(rng)).exp();
                collision.set_potential_size(self.size);
            }
            1 | 2 => {
                modes.iter_mut().for_each(|mode| {
                    mode.omega = (mode.omega * (0.2 * gauss(rng)).exp()).max(1.3 * mode.sigma).min(*top);
                });
                collision.retune(modes.iter().copied());
            }
            3 => {
                let i = rng.below(self.laws.len());
                if collision.active(i) {
                    let (k, alpha, mu) = self.laws[i];
                    collision.set_law(i, ContactLaw::hunt_crossley(k * gauss(rng).exp(), alpha, mu));
                }
            }
            4 => collision.damp(rng.unit()),
            5 => collision.rest_potential(),
            6 => collision.set_potential_level(rng.below(4)),
            _ => self.throw(0),
        }
        if self.rng.chance(0.7) {
            self.collision.wake_potential();
        }
    }

    /// 400 samples, with jumps in half of the systems.
    fn run(mut self, seed: u64) -> Worst {
        let jumps = if seed.is_multiple_of(2) { 0.0 } else { 0.05 };
        self.collision.enable_energy_balance();
        let mut worst = Worst::default();
        for _ in 0..400 {
            if self.rng.chance(jumps) {
                worst.jumps += 1;
                self.jump();
            }
            self.collision.step(MAX_SUBSTEPS, &mut |_, substep| worst.contacts += u32::from(substep.began));
            worst.stored = worst.stored.max(self.collision.potential_now() / self.energy);
        }
        worst.note(&self.collision);
        worst
    }
}

#[test]
fn no_random_system_with_potential_gains_energy() {
    assert_no_gain(size(300, 10_000), |seed| System::new(seed, Kind::Forms).run(seed));
}

#[test]
fn no_random_disc_gains_energy() {
    assert_no_gain(size(100, 3_000), |seed| System::new(seed, Kind::Disc).run(seed));
}

#[test]
fn no_random_plate_gains_energy() {
    assert_no_gain(size(60, 2_000), |seed| System::new(seed, Kind::Plate).run(seed));
}

/// Passive for any gradient: the proof needs nothing of it.
#[test]
fn a_wrong_gradient_costs_no_energy() {
    assert_no_gain(size(60, 2_000), |seed| System::new(seed, Kind::WrongGradient).run(seed));
}

/// A flat body rings on its own for 100,000 samples with jumps: no energy appears.
#[test]
fn a_lossless_body_keeps_its_energy() {
    let mut rng = Rng::new(5);
    let modes: Vec<Mode> = (0..12).map(|_| Mode { omega: TAU * rng.scale(60.0, 6e3), sigma: 0.0 }).collect();
    let forms = random_forms(&mut rng, &modes);
    let mut collision = Collision::new(48e3, Capacity { modes: 12, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
    collision.set_body(modes.iter().copied());
    let mut probe = forms.of_lowest(12, Kind::Forms);
    collision.exchange_potential(Some(forms.lend(Kind::Forms)), PotentialSize::flat(1.0));
    collision.wake_potential();
    collision.ring_parts().2[..12].iter_mut().for_each(|v| *v = SQRT_2 * rng.between(-1.0, 1.0));
    // V about as large as the energy
    let energy = collision.energy();
    let mut gradient = [0.0; 12];
    let q: Vec<f64> = modes.iter().map(|mode| (2.0 * energy / 12.0).sqrt() / mode.omega).collect();
    collision.set_potential_size(PotentialSize::flat(energy / probe.evaluate(&q, &mut gradient)));
    let start = collision.energy();
    let (mut worst, mut stored) = (0.0_f64, 0.0_f64);
    for _ in 0..size(20_000, 100_000) {
        collision.ring_with_potential(1.0);
        worst = worst.max((collision.energy() / start - 1.0).abs());
        stored = stored.max(collision.potential_energy() / start);
    }
    println!("drift {worst:e}, at most {stored:.3} of the energy in the potential");
    assert!(worst <= 1e-11 && stored > 0.05, "{worst:e} {stored}");
}
