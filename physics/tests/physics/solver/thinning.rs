//! Dense bodies of which half of the high modes rest: energy, the speed of the hammer after a contact, and the level of each octave.

use std::f64::consts::TAU;
use urto_physics::contact::ContactLaw;
use urto_physics::modal::{Mode, THINNED_FROM};
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS, PointHammerSpec};

const RATE: f64 = 48e3;
/// Modes of a crash cymbal of 18 inches.
const MODES: usize = 1700;
/// Modes that every substep computes.
const FELT: usize = 40;
/// Their distance [Hz].
const SPACING: f64 = 11.7;
/// Mass of the body [kg].
const MASS: f64 = 1.3;
/// Lowest frequencies of the octaves [Hz]; the first is not thinned.
const OCTAVES: [f64; 5] = [750.0, 1.5e3, 3e3, 6e3, 12e3];

/// Random numbers of a normal distribution.
struct Normal(u64);

impl Normal {
    fn next(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        };
        let (a, b) = (uniform(), uniform());
        (-2.0 * a.ln()).sqrt() * (TAU * b).cos()
    }
}

/// A cymbal, its hammer, and the weights of a pickup.
struct Cymbal {
    collision: Collision,
    hammer: usize,
    pickup: Vec<f64>,
}

impl Cymbal {
    /// A specimen, struck by a stick.
    fn struck(specimen: u64, stiffness: f64, thinned: bool) -> Self {
        let mut normal = Normal(specimen);
        let modes: Vec<Mode> = (0..MODES)
            .map(|i| Mode::heard_at(SPACING * (i as f64 + 1.0 + 0.3 * normal.next().tanh()), 3.0 + 0.002 * i as f64))
            .collect();
        let weights: Vec<f64> = (0..MODES).map(|_| normal.next() / MASS.sqrt()).collect();
        let pickup = (0..MODES).map(|_| normal.next()).collect();
        let capacity = Capacity { modes: FELT, held: MODES - FELT, hammers: 1, hammer_modes: 1, levels: 6 };
        let mut collision = Collision::new(RATE, capacity);
        collision.enable_energy_balance();
        collision.set_body_held(modes, FELT);
        let law = ContactLaw::hunt_crossley(stiffness, 1.5, 0.1);
        let spec = PointHammerSpec { law, mass: 0.03, velocity: 3.0, tether: Mode::RIGID, weights: &weights };
        let hammer = collision.strike(spec).expect("there is room");
        let mut cymbal = Self { collision, hammer, pickup };
        if thinned {
            cymbal.thin();
        }
        cymbal
    }

    fn thin(&mut self) {
        assert!(self.collision.can_be_thinned());
        let gains = self.collision.thinning_gains();
        self.collision.thin(&gains);
    }

    fn run(&mut self, samples: usize) {
        for _ in 0..samples {
            self.collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        }
    }

    /// Mean power at the pickup in each octave.
    fn levels(&self) -> [f64; OCTAVES.len()] {
        let body = self.collision.body();
        OCTAVES.map(|low| {
            let inside = |i: &usize| (low..2.0 * low).contains(&body.list()[*i].heard_frequency());
            let power = |i: usize| self.pickup[i].powi(2) * (body.v[i].powi(2) + (body.list()[i].omega * body.q[i]).powi(2));
            (0..MODES).filter(inside).map(power).sum()
        })
    }

    fn assert_balanced(&self) {
        let balance = self.collision.energy_balance().expect("enabled");
        assert!(balance.largest_unsupplied_increase <= 1e-14 * balance.largest, "{balance:?}");
        assert!(balance.largest_balance_residual <= 1e-12 * balance.largest, "{balance:?}");
    }
}

fn decibel(ratio: f64) -> f64 {
    10.0 * ratio.log10()
}

/// Thinning begins and ends at any sample, also in a contact.
#[test]
fn energy_never_grows_when_thinning_begins_and_ends() {
    for specimen in 0..12 {
        let mut cymbal = Cymbal::struck(specimen, 1e8, false);
        cymbal.run(3 + specimen as usize);
        for _ in 0..4 {
            let before = cymbal.collision.corrected_energy();
            cymbal.thin();
            let thinned = cymbal.collision.corrected_energy();
            assert!(thinned <= before && thinned > 0.94 * before, "{thinned} of {before} J");
            cymbal.run(7);
            let before = cymbal.collision.corrected_energy();
            cymbal.collision.thicken();
            let after = cymbal.collision.corrected_energy();
            assert!((after - before).abs() <= 1e-12 * before, "{after} of {before} J");
            cymbal.run(5);
        }
        assert!(cymbal.collision.hammer(cymbal.hammer).has_touched());
        cymbal.assert_balanced();
    }
}

/// Other parts of a body may give energy to modes that rest, as the exchange between bands does. They keep it until they move again.
#[test]
fn modes_at_rest_lose_no_energy() {
    let mut cymbal = Cymbal::struck(1, 1e8, true);
    let resting = THINNED_FROM + 8..THINNED_FROM + 16;
    cymbal.collision.change_state(|_, v| v[resting.clone()].fill(0.1));
    cymbal.run(200);
    assert!(cymbal.collision.hammer(cymbal.hammer).has_touched());
    assert!(cymbal.collision.body().v[resting].iter().all(|v| *v == 0.1));
    let balance = cymbal.collision.energy_balance().expect("enabled");
    assert!(balance.largest_balance_residual <= 1e-12 * balance.largest, "{balance:?}");
}

#[test]
fn thinned_body_returns_a_hammer_as_fast() {
    for stiffness in [1e7, 1e8, 1e9] {
        let mut mean = 0.0;
        for specimen in 0..8 {
            let speeds = [false, true].map(|thinned| {
                let mut cymbal = Cymbal::struck(specimen, stiffness, thinned);
                cymbal.run(480);
                cymbal.assert_balanced();
                cymbal.collision.hammer(cymbal.hammer).velocity() / 3.0
            });
            let apart = speeds[1] - speeds[0];
            println!("{stiffness} {specimen}: {speeds:.4?}");
            assert!(apart.abs() < 0.02, "restitution {speeds:?}");
            mean += apart / 8.0;
        }
        println!("mean {mean:.4}");
    }
}

/// Of a body that is struck while thinned, and of one that is thinned while it sounds, over specimens.
#[test]
fn every_octave_keeps_its_level() {
    let specimens = 12;
    let (mut full, mut thinned, mut later) = ([0.0; OCTAVES.len()], [0.0; OCTAVES.len()], [0.0; OCTAVES.len()]);
    for specimen in 0..specimens {
        let mut cymbal = Cymbal::struck(specimen, 1e9, false);
        cymbal.run(240);
        let whole = cymbal.levels();
        cymbal.thin();
        let halved = cymbal.levels();
        let mut other = Cymbal::struck(specimen, 1e9, true);
        other.run(240);
        let struck = other.levels();
        for n in 0..OCTAVES.len() {
            full[n] += whole[n];
            thinned[n] += struck[n];
            later[n] += halved[n];
        }
        let each =
            |levels: [f64; OCTAVES.len()]| std::array::from_fn::<f64, { OCTAVES.len() }, _>(|n| decibel(levels[n] / whole[n]));
        println!("{specimen}: struck {:.2?} dB, thinned {:.2?} dB", each(struck), each(halved));
    }
    for n in 0..OCTAVES.len() {
        let (struck, changed) = (decibel(thinned[n] / full[n]), decibel(later[n] / full[n]));
        println!("{} Hz: struck {struck:.2} dB, thinned {changed:.2} dB", OCTAVES[n]);
        assert!(struck.abs() < 1.0 && changed.abs() < 1.0, "{} Hz: {struck} dB, {changed} dB", OCTAVES[n]);
    }
}

/// When thinning ends, the level is the same, and all modes sound.
#[test]
fn all_modes_sound_after_thinning() {
    let mut cymbal = Cymbal::struck(5, 1e9, true);
    cymbal.run(240);
    let resting = |c: &Cymbal| (THINNED_FROM..MODES).filter(|&i| c.collision.body().v[i] == 0.0).count();
    assert!(resting(&cymbal) * 2 > MODES - THINNED_FROM - 16, "{}", resting(&cymbal));
    let before = cymbal.levels();
    cymbal.collision.thicken();
    assert_eq!(resting(&cymbal), 0);
    for (after, before) in cymbal.levels().into_iter().zip(before) {
        assert!(decibel(after / before).abs() < 2.0, "{after} {before}");
    }
}
