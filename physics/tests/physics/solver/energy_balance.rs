//! Energy balance of thousands of random systems under changing parameters and profiles.

use crate::support::rng::Rng;
use crate::tier::size;
use std::f64::consts::{SQRT_2, TAU};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::Resolution;
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS};
use urto_physics::solver::{HammerSpec, PointHammerSpec};

/// Systems of each kind in the thorough tier; the everyday tier takes the first part of them.
const SYSTEMS: [(Kind, u64); 4] =
    [(Kind::HuntCrossley, 10_000), (Kind::Restitution, 4_000), (Kind::Felt, 1_000), (Kind::Any, 2_000)];
/// Systems with held modes in the thorough tier.
const HELD_SYSTEMS: [(Kind, u64); 2] = [(Kind::HuntCrossley, 5_000), (Kind::Any, 5_000)];
const MAX_MODES: usize = 24;
/// Maximum number of held modes.
const MAX_HELD: usize = 300;
const MAX_HAMMERS: usize = 4;
const MAX_OWN_MODES: usize = 8;
const SAMPLES: u32 = 400;
/// A system that asks for more substeps in all is left there, so that lasting ultra-stiff contacts do not eat the time of the
/// others.
const ENOUGH_SUBSTEPS: u32 = 8_000;
/// Substeps a sample may take beyond the budget.
const CLOSING_SUBSTEPS: u32 = 24;

/// Which laws a system has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    HuntCrossley,
    Restitution,
    Felt,
    /// All of them, and they change into one another.
    Any,
}

/// Which modes of a system are computed in every substep.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Substeps {
    /// All of them.
    All,
    /// At most 24; up to 300 others are held.
    Few,
}

/// The hammers of a random system.
struct Hammer {
    law: ContactLaw,
    mass: f64,
    velocity: f64,
    gravity: f64,
    /// Its modes and their weights at the contact.
    modes: Vec<Mode>,
    own: Vec<f64>,
    weights: Vec<f64>,
}

/// A random system in the middle of its run.
struct System {
    kind: Kind,
    rng: Rng,
    rate: f64,
    modes: usize,
    budget: u32,
    jumps: f64,
    /// Share of the samples in which a profile moves otherwise than before.
    rises: f64,
    more_hammers: bool,
    bending: bool,
    collision: Collision,
    /// Gravity times mass of every hammer [N].
    weight: [f64; MAX_HAMMERS],
}

/// The worst of a run; energies over the largest energy of the system.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    unsupplied: f64,
    residual: f64,
    /// Gain between two moments without contact, counted without the balance.
    seen_from_outside: f64,
    iterations: u32,
    sweeps: u32,
    substeps: u32,
    jumps_in_contact: u32,
    /// Substeps in which a profile moved against a contact force.
    rises_in_contact: u32,
    contacts: u32,
}

impl Worst {
    fn merge(&mut self, other: &Worst) {
        self.unsupplied = self.unsupplied.max(other.unsupplied);
        self.residual = self.residual.max(other.residual);
        self.seen_from_outside = self.seen_from_outside.max(other.seen_from_outside);
        self.iterations = self.iterations.max(other.iterations);
        self.sweeps = self.sweeps.max(other.sweeps);
        self.substeps = self.substeps.max(other.substeps);
        self.jumps_in_contact += other.jumps_in_contact;
        self.rises_in_contact += other.rises_in_contact;
        self.contacts += other.contacts;
    }

    fn is_fine(&self) -> bool {
        let energies = [self.unsupplied, self.residual, self.seen_from_outside].iter().all(|e| e.is_finite());
        let passive = self.unsupplied <= 1e-14 && self.seen_from_outside <= 1e-12;
        energies && passive && self.residual <= 1e-12 && self.iterations <= 32 && self.substeps <= MAX_SUBSTEPS + CLOSING_SUBSTEPS
    }
}

impl System {
    fn new(kind: Kind, substeps: Substeps, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let rate = rng.scale(22_050.0, 192_000.0);
        let mut modes = if rng.chance(0.25) { 0 } else { rng.below(MAX_MODES + 1) };
        let felt = modes / 8 * 8;
        let held = if substeps == Substeps::Few { MAX_HELD } else { 0 };
        if substeps == Substeps::Few {
            modes = felt + 1 + rng.below(MAX_HELD);
        }
        let striker_modes = if rng.chance(0.5) { 1 } else { MAX_OWN_MODES };
        let capacity =
            Capacity { modes: MAX_MODES, held, hammers: MAX_HAMMERS, hammer_modes: striker_modes, levels: 4 + rng.below(20) };
        let mut collision = Collision::new(rate, capacity);
        let budget = if rng.chance(0.8) { MAX_SUBSTEPS } else { 1 + rng.below(32) as u32 };
        let jumps = [0.0, 0.02, 0.2, 1.0][rng.below(4)];
        let rises = [0.0, 0.0, 0.05, 1.0][rng.below(4)];
        let more_hammers = rng.chance(0.4);
        let (bending, weight) = (striker_modes > 1, [0.0; MAX_HAMMERS]);
        // who has few substeps has little work as well: sweeps end before they have settled
        if budget < MAX_SUBSTEPS {
            collision.set_cost_limit(200.0 * budget as f32);
        }
        let mut system = Self { kind, rng, rate, modes, budget, jumps, rises, more_hammers, bending, collision, weight };
        system.collision.set_resolution(Resolution {
            substeps_per_contact: [4.0, 8.0, 16.0, 32.0][system.rng.below(4)],
            coarsest_level: system.rng.below(3) as u32,
            outlasted_levels: system.rng.below(4) as u32,
        });
        let list: Vec<Mode> = (0..modes).map(|_| system.mode()).collect();
        let felt = if substeps == Substeps::Few { felt } else { usize::MAX };
        system.collision.set_body_held(list, felt);
        if system.rng.chance(0.3) {
            let loudness = system.rng.scale(1e-6, 1.0);
            let (_, _, v) = system.collision.ring_parts();
            v[..modes].iter_mut().for_each(|v| *v = loudness * system.rng.between(-1.0, 1.0));
        }
        system.throw();
        if system.more_hammers && system.rng.chance(0.5) {
            system.throw();
        }
        system.collision.enable_energy_balance();
        system
    }

    /// 20 Hz to 0.48 of the rate, one in ten overdamped.
    fn mode(&mut self) -> Mode {
        let top = 0.48 * self.rate;
        let frequency = if self.rng.chance(0.05) { top } else { self.rng.scale(20.0, top) };
        let omega = TAU * frequency;
        let zeta = if self.rng.chance(0.1) { self.rng.scale(1.0, 20.0) } else { self.rng.scale(1e-6, 0.3) };
        Mode { omega, sigma: zeta * omega }
    }

    fn weights(&mut self) -> Vec<f64> {
        let mobility = self.rng.scale(1e-2, 1e4).sqrt();
        (0..self.modes).map(|_| SQRT_2 * mobility * self.rng.between(-1.0, 1.0)).collect()
    }

    fn law(&mut self, velocity: f64) -> ContactLaw {
        let kind = match self.kind {
            Kind::Any => [Kind::HuntCrossley, Kind::Restitution, Kind::Felt, Kind::Any][self.rng.below(4)],
            kind => kind,
        };
        if kind == Kind::HuntCrossley {
            return self.hunt_crossley(velocity);
        }
        let (stiffness, exponent) = (self.rng.scale(1e2, 1e12), self.rng.between(1.0, 5.0));
        match kind {
            Kind::Restitution => ContactLaw::restitution(stiffness, exponent, self.rng.scale(1e-2, 1.0)),
            Kind::Felt => {
                let tau = self.rng.scale(0.1, 1e3) / self.rate;
                ContactLaw::felt(stiffness, exponent, 1.0 - self.rng.scale(1e-3, 1.0), tau)
            }
            _ => ContactLaw::linear(stiffness.min(1e8), self.rng.scale(1e-3, 1e3)),
        }
    }

    /// mu <= 10 and mu v <= 10, often 0.
    fn hunt_crossley(&mut self, velocity: f64) -> ContactLaw {
        let mu = if self.rng.chance(0.2) { 0.0 } else { (self.rng.between(0.0, 10.0) / velocity).min(10.0) };
        ContactLaw::hunt_crossley(self.rng.scale(1e2, 1e12), self.rng.between(1.0, 5.0), mu)
    }

    /// A hammer whose hit on a rigid wall would take 0.0005 to 20,000 samples.
    fn hammer(&mut self) -> Hammer {
        loop {
            let velocity = self.rng.scale(0.01, 50.0);
            let (law, mass) = (self.law(velocity), self.rng.scale(1e-5, 10.0));
            let samples = law.contact_time(1.0 / mass, velocity) * self.rate;
            if (5e-4..2e4).contains(&samples) {
                let gravity = if self.rng.chance(0.5) { self.rng.scale(1.0, 1e5) } else { 0.0 };
                let weights = self.weights();
                let (modes, own) = self.own_modes(mass);
                return Hammer { law, mass, velocity, gravity, modes, own, weights };
            }
        }
    }

    /// Free or on a tether, a point or bending; modes for which there is no room are left out.
    fn own_modes(&mut self, mass: f64) -> (Vec<Mode>, Vec<f64>) {
        let tether = if self.rng.chance(0.1) { self.mode() } else { Mode::RIGID };
        let bending = if self.bending { self.rng.below(MAX_OWN_MODES) } else { 0 };
        let modes = std::iter::once(tether).chain((0..bending).map(|_| self.mode())).collect();
        let own = (0..=bending).map(|i| if i == 0 { 1.0 } else { self.rng.between(-3.0, 3.0) } / mass.sqrt()).collect();
        (modes, own)
    }

    fn throw(&mut self) {
        let Hammer { law, mass, velocity, gravity, modes, own, weights } = self.hammer();
        let hit = HammerSpec { law, modes: &modes, own: &own, velocity, weights: &weights };
        if let Some(i) = self.collision.add_hammer(hit) {
            self.weight[i] = gravity * mass;
            self.collision.set_push(i, self.weight[i]);
        }
    }

    /// Anything may change at any time.
    fn jump(&mut self) {
        let Some(i) = (0..MAX_HAMMERS).find(|&i| self.collision.active(i)) else { return };
        if self.rng.chance(0.5) {
            let law = self.law(1.0);
            self.collision.set_law(i, law);
        }
        if self.rng.chance(0.5) {
            let mass = (self.collision.hammer(i).mass() * self.rng.scale(0.2, 5.0)).clamp(1e-5, 10.0);
            self.collision.set_mass(i, mass);
        }
        if self.rng.chance(0.5) {
            let weights = self.weights();
            self.collision.set_weights(i, &weights);
        }
        if self.rng.chance(0.5) {
            let list: Vec<Mode> = (0..self.modes).map(|_| self.mode()).collect();
            self.collision.retune(list);
        }
        if self.rng.chance(0.1) {
            let factor = self.rng.unit();
            self.collision.damp(factor);
        }
    }

    /// The profile under one of the hammers moves otherwise, or stands still.
    fn heave(&mut self) {
        let i = self.rng.below(MAX_HAMMERS);
        let velocity = if self.rng.chance(0.3) { 0.0 } else { self.rng.scale(1e-3, 10.0) };
        let sign = if self.rng.chance(0.5) { 1.0 } else { -1.0 };
        if self.collision.active(i) {
            self.collision.set_rise(i, sign * velocity);
        }
    }

    /// Hammers come and go; true when energy entered or left with them.
    fn replace_hammers(&mut self) -> bool {
        if !self.more_hammers || !self.rng.chance(0.02) {
            return false;
        }
        if self.rng.chance(0.3) {
            let i = self.rng.below(MAX_HAMMERS);
            self.collision.remove_hammer(i);
        } else {
            self.throw();
        }
        true
    }

    /// Energy of all modes, without the contacts, by its definition [J].
    fn energy_of_modes(&self) -> f64 {
        let banks = std::iter::once(self.collision.body());
        let hammers = (0..MAX_HAMMERS).filter(|&i| self.collision.active(i)).map(|i| self.collision.hammer(i).modes());
        let of_mode = |omega: f64, q: f64, v: f64| 0.5 * (v * v + omega * omega * q * q);
        banks.chain(hammers).flat_map(|m| (0..m.len()).map(move |i| of_mode(m.mode(i).omega, m.q[i], m.v[i]))).sum()
    }

    /// What relaxing felts still hold when nothing touches them [J]; other laws hold nothing then.
    fn energy_of_felts(&self) -> f64 {
        let hammers = (0..MAX_HAMMERS).filter(|&i| self.collision.active(i));
        hammers.map(|i| self.collision.hammer(i).contact_energy()).sum()
    }

    /// Where the rigid parts are, on which gravity acts.
    fn positions(&self) -> [f64; MAX_HAMMERS] {
        let place = |i| {
            let striker = self.collision.hammer(i);
            striker.own_weights()[0] * striker.modes().q[0]
        };
        std::array::from_fn(|i| if self.collision.active(i) { place(i) } else { 0.0 })
    }

    fn run(mut self) -> Worst {
        let mut worst = Worst::default();
        let mut all_substeps = 0;
        let mut outside: Option<f64> = None;
        for _ in 0..SAMPLES {
            if self.replace_hammers() {
                outside = None;
            }
            let touching = self.collision.any_touching();
            if self.rng.chance(self.jumps) {
                worst.jumps_in_contact += u32::from(touching);
                self.jump();
            }
            if self.rng.chance(self.rises) {
                self.heave();
            }
            let before = self.positions();
            let mut lifted = 0.0;
            let effort = self.collision.step(self.budget, &mut |collision, substep| {
                worst.contacts += u32::from(substep.began);
                let work = substep.force * collision.hammer(substep.hammer).rise() * substep.dt;
                worst.rises_in_contact += u32::from(work != 0.0);
                lifted += work;
            });
            outside = outside.map(|energy| energy + lifted);
            let after = self.positions();
            worst.iterations = worst.iterations.max(effort.most_iterations);
            worst.sweeps = worst.sweeps.max(effort.most_sweeps);
            worst.substeps = worst.substeps.max(effort.substeps);
            all_substeps += effort.substeps;

            let Some(balance) = self.collision.energy_balance() else { unreachable!("the balance is enabled") };
            let largest = balance.largest.max(f64::MIN_POSITIVE);
            let mut rounding = 0.0;
            for i in 0..MAX_HAMMERS {
                // a heavier or lighter hammer moves nowhere, so positions tell gravity's work
                let work = self.weight[i] * (after[i] - before[i]);
                outside = outside.map(|energy| energy + work);
                rounding += 4.0 * f64::EPSILON * (self.weight[i] * after[i]).abs();
            }
            if !self.collision.any_touching() {
                let now = self.energy_of_modes() + self.energy_of_felts();
                if let Some(energy) = outside {
                    worst.seen_from_outside = worst.seen_from_outside.max((now - energy - rounding) / largest);
                }
                outside = Some(now);
            }
            if all_substeps > ENOUGH_SUBSTEPS || !self.energy_of_modes().is_finite() {
                break;
            }
        }
        self.read_energy_balance(&mut worst);
        worst
    }

    fn read_energy_balance(&self, worst: &mut Worst) {
        let Some(balance) = self.collision.energy_balance() else { unreachable!("the balance is enabled") };
        let largest = balance.largest.max(f64::MIN_POSITIVE);
        worst.unsupplied = balance.largest_unsupplied_increase / largest;
        worst.residual = balance.largest_balance_residual / largest;
        let finite = self.energy_of_modes().is_finite() && self.collision.corrected_energy().is_finite();
        if !finite || worst.unsupplied.is_nan() || worst.residual.is_nan() {
            worst.residual = f64::INFINITY;
        }
    }
}

/// Runs all systems on all cores; the worst of all and the seeds that failed.
fn run_all(kind: Kind, modes: Substeps, systems: u64) -> (Worst, Vec<(u64, Worst)>) {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let run_share = |core: u64| {
        let (mut worst, mut failed) = (Worst::default(), Vec::new());
        for seed in (core..systems).step_by(cores as usize) {
            let found = System::new(kind, modes, seed).run();
            worst.merge(&found);
            if !found.is_fine() {
                failed.push((seed, found));
            }
        }
        (worst, failed)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|core| scope.spawn(move || run_share(core))).collect();
        let (mut worst, mut failed) = (Worst::default(), Vec::new());
        for thread in threads {
            let (share, more) = thread.join().expect("no system panics");
            worst.merge(&share);
            failed.extend(more);
        }
        (worst, failed)
    })
}

#[test]
fn no_random_system_gains_energy() {
    let part = size(10, 1);
    for (kind, systems) in SYSTEMS {
        assert_no_gain(kind, Substeps::All, systems / part, part);
    }
}

/// The same with up to 300 held modes: what the contacts give them in substeps they take over at the end of the sample.
#[test]
fn no_random_system_with_held_modes_gains_energy() {
    let part = size(33, 1);
    for (kind, systems) in HELD_SYSTEMS {
        assert_no_gain(kind, Substeps::Few, systems / part, part);
    }
}

/// A felt that has relaxed keeps energy at its free surface. Where the limit of work ends the sweeps over three hammers, it must not give that too.
#[test]
fn a_relaxed_felt_does_not_give_what_it_keeps() {
    let found = System::new(Kind::Any, Substeps::Few, 1953).run();
    assert!(found.is_fine(), "{found:?}");
}

/// Runs `systems` systems, one of `part` of those in the thorough tier.
fn assert_no_gain(kind: Kind, modes: Substeps, systems: u64, part: u64) {
    let (worst, failed) = run_all(kind, modes, systems);
    println!("{kind:?} {modes:?}: {worst:?}");
    let wild = part * u64::from(worst.jumps_in_contact) > 2_000
        && part * u64::from(worst.rises_in_contact) > 20_000
        && u64::from(worst.contacts) > systems;
    assert!(wild, "the systems are too tame: {kind:?} {worst:?}");
    let few: Vec<_> = failed.iter().take(10).collect();
    assert!(failed.is_empty(), "{kind:?}: {} of {systems} systems failed, by seed: {few:#?}", failed.len());
}

/// A hammer that a damper holds has a soft spring as well. Whatever pushes it, and however little it moves in a time constant of either,
/// what the damper takes is what the push has given: up to 4 sigma dt times the hammer's energy in a step.
#[test]
fn a_pushed_hammer_in_a_damper_balances_energy() {
    let rate = 48e3;
    for omega in [0.01, 1.0, 30.0, 1e3] {
        for turn in [1e-4, 0.02, 0.1, 0.2, 0.249, 0.251, 0.255, 0.26, 0.28, 0.299, 0.31, 0.9, 1.1, 10.0, 29.9, 30.1, 50.0, 100.0]
        {
            let worst = worst_of_a_push(Mode { omega, sigma: turn * rate }, rate);
            assert!(worst.residual <= 1e-12 && worst.unsupplied <= 1e-14, "omega {omega}, sigma dt {turn}: {worst:?}");
        }
    }
}

/// A hammer of 10 g that `tether` holds far from its body, and that is pushed to and fro.
fn worst_of_a_push(tether: Mode, rate: f64) -> Worst {
    let mut collision = Collision::new(rate, Capacity { modes: 0, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
    let hit = PointHammerSpec { law: ContactLaw::hunt_crossley(1e6, 1.5, 0.0), mass: 0.01, velocity: 0.0, tether, weights: &[] };
    let i = collision.strike(hit).expect("there is room");
    collision.set_hammer_gap(i, 1.0);
    collision.enable_energy_balance();
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        collision.set_push(i, rng.between(-1.0, 1.0));
        collision.step(MAX_SUBSTEPS, &mut |_, _| ());
    }
    let balance = collision.energy_balance().expect("the balance is enabled");
    let [unsupplied, residual] =
        [balance.largest_unsupplied_increase, balance.largest_balance_residual].map(|energy| energy / balance.largest);
    Worst { unsupplied, residual, ..Worst::default() }
}
