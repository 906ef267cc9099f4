//! Removal of hammers that can no longer touch the body.

use crate::support::rng::Rng;
use std::f64::consts::TAU;
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS};
use urto_physics::solver::{HammerSpec, PointHammerSpec};

const RATE: f64 = 48e3;
const SYSTEMS: u64 = 400;
const MAX_MODES: usize = 8;
/// Frames in which a hammer of these has to come clear, and in which it must then not come back.
const PATIENCE: usize = 24_000;
const WATCH: usize = 6_000;

/// Slow or quick modes of little damping: bodies and hammers that swing far.
fn modes(rng: &mut Rng, count: usize) -> Vec<Mode> {
    let mode = |rng: &mut Rng| {
        let omega = TAU * rng.scale(40.0, 8_000.0);
        Mode { omega, sigma: omega * rng.scale(1e-3, 0.1) }
    };
    (0..count).map(|_| mode(rng)).collect()
}

/// A hammer that bends meets a body of its own weight, or much heavier, or much lighter, some of them free; it may swing already.
fn system(rng: &mut Rng) -> Collision {
    let (body, own) = (1 + rng.below(MAX_MODES), rng.below(MAX_MODES));
    let mut collision =
        Collision::new(RATE, Capacity { modes: MAX_MODES, held: 0, hammers: 1, hammer_modes: MAX_MODES, levels: 8 });
    let mut list = modes(rng, body);
    if rng.chance(0.3) {
        list[0] = Mode::RIGID;
    }
    collision.set_body(list);
    let mass = rng.scale(1e-3, 1.0);
    let lightness = rng.scale(0.1, 10.0) / mass.sqrt();
    let weights: Vec<f64> = (0..body).map(|_| lightness * rng.between(-1.0, 1.0)).collect();
    let hammer: Vec<Mode> = std::iter::once(Mode::RIGID).chain(modes(rng, own)).collect();
    let own: Vec<f64> = (0..=own).map(|i| if i == 0 { 1.0 } else { rng.scale(0.3, 3.0) } / mass.sqrt()).collect();
    let law = ContactLaw::hunt_crossley(rng.scale(1e5, 1e9), 1.5, rng.between(0.0, 0.3));
    let velocity = rng.scale(0.2, 5.0);
    collision.add_hammer(HammerSpec { law, modes: &hammer, own: &own, velocity, weights: &weights });
    if rng.chance(0.3) {
        let (_, q, _) = collision.ring_parts();
        q[..body].iter_mut().for_each(|q| *q = 1e-4 * rng.between(-1.0, 1.0));
        collision.set_hammer_gap(0, 1e-3);
    }
    collision
}

#[test]
fn a_removable_hammer_never_returns_and_every_free_hammer_becomes_removable() {
    let mut rng = Rng::new(8);
    let (mut late, mut contacts) = (0, 0);
    for number in 0..SYSTEMS {
        let mut collision = system(&mut rng);
        let (mut before, mut receded) = (0, false);
        let clear = (0..PATIENCE).find(|_| {
            collision.step(MAX_SUBSTEPS, &mut |_, substep| {
                before += u32::from(substep.began);
                late += u32::from(substep.began && receded);
            });
            let striker = collision.hammer(0);
            receded |= before > 0 && !striker.touching() && striker.compression() < 0.0 && striker.velocity() < 0.0;
            collision.is_clear(0)
        });
        assert!(clear.is_some(), "system {number} keeps its hammer");
        contacts += before;
        for _ in 0..WATCH {
            collision.step(MAX_SUBSTEPS, &mut |_, _| panic!("the hammer of system {number} came back"));
        }
    }
    println!("{contacts} contacts, {late} of them after the hammer had turned back once");
    assert!(late > SYSTEMS as u32 / 4, "too tame: {late}");
}

/// What is held, or pushed towards the body, is never clear of it.
#[test]
fn a_tethered_or_pushed_hammer_is_never_removable() {
    let mut collision = Collision::new(RATE, Capacity { modes: 1, held: 0, hammers: 2, hammer_modes: 1, levels: 8 });
    collision.set_body([Mode { omega: 3e3, sigma: 30.0 }]);
    let law = ContactLaw::hunt_crossley(1e7, 1.5, 0.1);
    let hit = PointHammerSpec { law, mass: 0.01, velocity: 1.0, tether: Mode { omega: 120.0, sigma: 5.0 }, weights: &[1.0] };
    collision.strike(hit);
    collision.strike(PointHammerSpec { tether: Mode::RIGID, ..hit });
    collision.set_push(1, 0.5);
    let mut apart = [0; 2];
    for _ in 0..4_800 {
        collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        for (i, apart) in apart.iter_mut().enumerate() {
            *apart += u32::from(collision.hammer(i).compression() < 0.0 && collision.hammer(i).velocity() < 0.0);
            assert!(!collision.is_clear(i));
        }
    }
    assert!(apart.iter().all(|&frames| frames > 100), "{apart:?}");
}
