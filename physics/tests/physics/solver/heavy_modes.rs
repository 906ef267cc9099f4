//! Heavy modes in the contact: hammers do not feel them, and the energy balance closes with them.

use std::f64::consts::TAU;

use urto_physics::bodies::{HeavyField, HeavyMode, Losses};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS, PointHammerSpec};

const RATE: f64 = 48e3;
const SPEED: f64 = 2.0;
/// Samples of a strike.
const SAMPLES: usize = 960;

/// Hammers: mass [kg], stiffness, exponent and loss of the contact.
const HAMMERS: [(f64, [f64; 3]); 4] =
    [(0.002, [5e9, 1.5, 0.05]), (0.015, [8e7, 1.5, 0.2]), (0.03, [1.1e9, 2.3, 0.3]), (0.3, [1e6, 1.5, 0.1])];

fn knock() -> Vec<HeavyMode> {
    let losses = Losses { constant: 36.0, structural: 1.5e-3, viscous: 0.0 };
    HeavyField { modes: 500, range: [120.0, 12e3], losses, level: 1.0, slope: 0.0, width: 1.0, seed: 3 }.modes()
}

/// What a strike leaves.
struct Strike {
    /// Velocity of the hammer after it [m/s], positive towards the body.
    speed: f64,
    /// Largest residual of the energy balance, over the largest energy.
    residual: f64,
    /// Velocity at the left pickup by the heavy modes alone, its largest magnitude.
    knock: f64,
}

/// Strikes a bar of 24 modes, followed by the modes `heavy`.
fn strike((mass, [stiffness, exponent, loss]): (f64, [f64; 3]), heavy: &[HeavyMode]) -> Strike {
    let bar = (1..=24).map(|n| Mode { omega: TAU * 90.0 * f64::from(n * n), sigma: 3.0 }).filter(|mode| mode.omega < TAU * 2e4);
    let mut modes: Vec<Mode> = bar.collect();
    let mut weights: Vec<f64> = (0..modes.len()).map(|i| 2.0 * (0.9 + 1.7 * i as f64).cos()).collect();
    modes.resize(modes.len().next_multiple_of(8), Mode { omega: TAU * 2e4, sigma: 3.0 });
    weights.resize(modes.len(), 0.0);
    let felt = modes.len();
    modes.extend(heavy.iter().map(|mode| mode.mode(90.0, 20e3)));
    weights.extend(heavy.iter().map(|mode| mode.struck));
    let capacity = Capacity { modes: felt, held: heavy.len(), hammers: 1, hammer_modes: 1, levels: 4 };
    let mut collision = Collision::new(RATE, capacity);
    collision.set_body_held(modes.iter().copied(), felt);
    collision.enable_energy_balance();
    let law = ContactLaw::hunt_crossley(stiffness, exponent, loss);
    let spec = PointHammerSpec { law, mass, velocity: SPEED, tether: Mode::RIGID, weights: &weights };
    let hammer = collision.strike(spec).expect("there is room");
    let mut largest: f64 = 0.0;
    for _ in 0..SAMPLES {
        collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        let v = &collision.body().v[felt..];
        largest = largest.max(v.iter().zip(heavy).map(|(v, mode)| v * mode.heard[0]).sum::<f64>().abs());
    }
    let balance = collision.energy_balance().expect("it is enabled");
    let hammer = collision.hammer(hammer);
    assert!(hammer.has_touched() && !hammer.touching());
    Strike { speed: hammer.velocity(), residual: balance.largest_balance_residual / balance.largest, knock: largest }
}

/// Restitution with and without heavy modes differs by less than 0.001.
#[test]
fn the_restitution_stays_with_heavy_modes() {
    for hammer in HAMMERS {
        let (without, with) = (strike(hammer, &[]), strike(hammer, &knock()));
        let difference = (with.speed - without.speed) / SPEED;
        println!("{hammer:?}: restitution {:.4}, with heavy modes {difference:+.1e}", -without.speed / SPEED);
        assert!(difference.abs() < 1e-3, "{hammer:?}: {difference:e}");
        assert!(with.knock > 1e-3, "they are loud: {}", with.knock);
    }
}

#[test]
fn the_balance_closes_with_heavy_modes() {
    for hammer in HAMMERS {
        let residual = strike(hammer, &knock()).residual;
        assert!(residual <= 1e-12, "{hammer:?}: {residual:e}");
    }
}
