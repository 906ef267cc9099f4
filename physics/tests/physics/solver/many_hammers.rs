//! Sixteen hammers on one free plate, struck at random for ten seconds: energy balance and number of sweeps.

use crate::support::rng::Rng;
use crate::tier::size;
use std::f64::consts::TAU;
use urto_physics::bodies::{BodyPosition, EdgeSupport, ModalShape};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::{Capacity, Collision, MAX_HAMMERS, MAX_SUBSTEPS};

const RATE: f64 = 48e3;
const MODES: usize = 31;
const PLATE_MASS: f64 = 1.2;
const LOWEST: f64 = 180.0;
/// Duration in the everyday and in the thorough tier [s].
const SECONDS: [f64; 2] = [2.0, 10.0];
/// Frames between two strikes, on average.
const PAUSE: f64 = 20.0;
/// The cap of the sweeps, after which all forces are solved together; and of the steps of that, a substep.
const SWEEPS: u32 = 16;

fn plate() -> (ModalShape, Vec<Mode>) {
    let shape = ModalShape::plate(EdgeSupport::Free, 1.4, 0.33, MODES);
    let suspension = Mode { omega: TAU * 12.0, sigma: TAU * 12.0 * 0.3 };
    let modes = (0..MODES).map(|i| Mode::heard_at(LOWEST * shape.ratio(i), 2.0 + 1e-3 * LOWEST * shape.ratio(i)));
    let modes = std::iter::once(suspension).chain(modes).collect();
    (shape, modes)
}

/// A hammer of 1 g to 1 kg anywhere; half of them weigh on the plate and bounce until they are taken away.
fn throw(collision: &mut Collision, shape: &ModalShape, rng: &mut Rng) {
    let mut weights = [0.0; MODES + 1];
    weights[0] = 1.0 / PLATE_MASS.sqrt();
    shape.weights_at_place(BodyPosition { along: rng.unit(), across: rng.unit() }, PLATE_MASS, &mut weights[1..]);
    let exponent = 1.0 + 2.0 * rng.unit();
    let law = ContactLaw::hunt_crossley(rng.scale(1.0, 1e4) / 1e-4_f64.powf(exponent), exponent, 0.5 * rng.unit());
    let (mass, velocity) = (rng.scale(1e-3, 1.0), rng.scale(0.05, 3.0));
    let hit = PointHammerSpec { law, mass, velocity, tether: Mode::RIGID, weights: &weights };
    let i = collision.strike(hit).or_else(|| {
        let full = rng.below(MAX_HAMMERS);
        collision.remove_hammer(full);
        collision.strike(hit)
    });
    if rng.chance(0.5) {
        collision.set_push(i.expect("one was taken away"), 9.81 * mass * rng.scale(1.0, 30.0));
    }
}

#[test]
fn sixteen_hammers_on_a_plate_add_no_energy_for_seconds() {
    let seconds = size(SECONDS[0], SECONDS[1]);
    let (shape, modes) = plate();
    let mut rng = Rng::new(16);
    let capacity = Capacity { modes: MODES + 1, held: 0, hammers: MAX_HAMMERS, hammer_modes: 1, levels: 8 };
    let mut collision = Collision::new(RATE, capacity);
    collision.set_body(modes);
    collision.enable_energy_balance();
    let (mut sweeps, mut newton, mut contacts, mut crowd, mut together) = (0, 0, 0, 0, 0);
    for frame in 0..(seconds * RATE) as u64 {
        if rng.unit() * PAUSE < 1.0 {
            throw(&mut collision, &shape, &mut rng);
        }
        let effort = collision.step(MAX_SUBSTEPS, &mut |_, substep| contacts += u32::from(substep.began));
        sweeps = sweeps.max(effort.most_sweeps);
        newton += effort.newton_steps;
        let touching = (0..MAX_HAMMERS).filter(|&i| collision.active(i) && collision.hammer(i).touching()).count();
        crowd = crowd.max(touching);
        together += u32::from(touching > 1);
        for i in (0..MAX_HAMMERS).filter(|_| frame % 8 == 0) {
            if collision.active(i) && collision.hammer(i).push() == 0.0 && collision.is_clear(i) {
                collision.remove_hammer(i);
            }
        }
    }
    let balance = collision.energy_balance().expect("it is open");
    let residual = balance.largest_balance_residual / balance.largest;
    let unsupplied = balance.largest_unsupplied_increase / balance.largest;
    println!(
        "{contacts} contacts, at most {crowd} at once, {together} frames with several; {sweeps} sweeps, {newton} Newton steps"
    );
    println!("residual {residual:e}, unsupplied {unsupplied:e}");
    assert!(
        f64::from(contacts) > 500.0 * seconds && crowd >= 8 && f64::from(together) > 10_000.0 * seconds,
        "a crowd: {contacts} {crowd} {together}"
    );
    assert!(residual <= 1e-12 && unsupplied <= 1e-14, "{residual:e} {unsupplied:e}");
    assert!(sweeps <= SWEEPS, "{sweeps}");
}
