//! Potential of plates: a reference integrator, rest, and the energy balance.

use crate::support::potential_reference::{SteelPlate, bent};
use crate::support::strike_reference::{Strike, relative_error};
use crate::support::struck_body::{RATE, at, begin, empty, trajectory_errors};
use crate::tier::size;
use urto_physics::bodies::{PlateEdges, PlatePotential, StressDetail};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::{LentPotential, Mode, Potential, PotentialSize};
use urto_physics::solver::{Collision, MAX_SUBSTEPS, PointHammerSpec};

/// Trajectories of a plate of 0.6 mm and of one bent by 1.5 mm against a reference integrator: at most twice the error of the prototype.
#[test]
fn strikes_follow_the_reference_integrator() {
    let blow = |mass, velocity, stiffness| Strike { mass, velocity, stiffness, exponent: 1.8, damping: 0.4, gap: 1e-6 };
    let plate = SteelPlate::new(0.15, 0.12, 0.6e-3, 10e3);
    assert_eq!(plate.families.len(), 86);
    let body = plate.body(|f| 0.5 + f / 1500.0);
    let weights = [plate.weights(0.41, 0.43), plate.weights(0.37, 0.29)];
    let rows = [(blow(0.02, 2.0, 2e7), [1.3e-4, 1.5e-4, 4.3e-4]), (blow(0.05, 8.0, 2e7), [5.5e-3, 1.1e-2, 2.4e-2])];
    for (strike, known) in rows.into_iter().take(size(1, 2)) {
        let errors = trajectory_errors(&body, strike, [&weights[0], &weights[1]], 3, &[0.004, 0.01, 0.02][..size(2, 3)]);
        println!("plate, {} kg {} m/s: {errors:?}, prototype {known:?}", strike.mass, strike.velocity);
        assert!(errors.iter().zip(known).all(|(error, known)| *error <= 2.0 * known), "{errors:?}");
    }
    let places = [[0.41, 0.43], [0.37, 0.29]];
    let (body, weights) = bent(&SteelPlate::new(0.2, 0.16, 1e-3, 3e3), 1.5e-3, |f| 0.5 + f / 1500.0, places);
    let (strike, known) = (blow(0.08, 6.0, 1e7), [1.4e-4, 1.4e-4, 8.6e-4]);
    let errors = trajectory_errors(&body, strike, [&weights[0], &weights[1]], 3, &[0.004, 0.01, 0.03][..size(2, 3)]);
    println!("bent plate: {errors:?}, prototype {known:?}");
    assert!(errors.iter().zip(known).all(|(error, known)| *error <= 2.0 * known), "{errors:?}");
}

/// Struck softly, the plate is linear: the difference falls as the square of the amplitude.
#[test]
fn quiet_strikes_are_linear() {
    let plate = SteelPlate::new(0.15, 0.12, 0.6e-3, 6e3);
    let (body, weights) = (plate.body(|f| 0.5 + f / 1500.0), plate.weights(0.41, 0.43));
    let sound = |amount: f64, velocity: f64| -> Vec<f64> {
        let mut collision = empty(RATE, plate.families.len(), 2);
        body.set(&mut collision, amount);
        // a linear contact, so that only the potential depends on the amplitude
        let law = ContactLaw::linear(1e4, 1.0);
        collision
            .strike(PointHammerSpec { law, mass: 0.005, velocity, tether: Mode::RIGID, weights: &weights })
            .expect("there is room");
        (0..4800)
            .map(|_| {
                collision.step(MAX_SUBSTEPS, &mut |_, _| ());
                collision.body().v[0] / velocity
            })
            .collect()
    };
    let errors = [1e-3, 1e-2, 1e-1].map(|velocity| relative_error(&sound(1.0, velocity), &sound(0.0, velocity)));
    println!("{errors:?}");
    assert!(errors.windows(2).all(|pair| (60.0..130.0).contains(&(pair[1] / pair[0]))), "{errors:?}");
    // n times the nonlinearity and 1/n times the amplitude: V grows with the fourth power
    let same = relative_error(&sound(4.0, 0.05), &sound(1.0, 0.1));
    assert!(same < 1e-6, "{same:e}");
}

/// Without potential, and while it rests, every bit is that of the linear body.
#[test]
fn a_body_without_potential_keeps_its_bits() {
    let plate = SteelPlate::new(0.15, 0.12, 0.6e-3, 6e3);
    let (body, weights) = (plate.body(|f| 0.5 + f / 1500.0), plate.weights(0.41, 0.43));
    let run = |prepare: &dyn Fn(&mut Collision)| {
        let mut collision = empty(RATE, plate.families.len(), 2);
        collision.set_body(body.modes.iter().copied());
        begin(
            &mut collision,
            Strike { mass: 0.02, velocity: 2.0, stiffness: 2e7, exponent: 1.8, damping: 0.4, gap: 0.0 },
            &weights,
        );
        prepare(&mut collision);
        (0..960).for_each(|_| {
            collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        });
        [&collision.body().q, &collision.body().v].map(|array| array.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
    };
    let linear = run(&|_| ());
    let exchange = |collision: &mut Collision, size: PotentialSize| {
        collision.exchange_potential(Some(LentPotential::new(body.potential.clone(), body.modes.len())), size);
    };
    assert_eq!(run(&|collision| exchange(collision, PotentialSize::default())), linear);
    assert_eq!(run(&|collision| exchange(collision, body.size)), linear, "it rests until it is woken");
    let woken = run(&|collision| {
        exchange(collision, body.size);
        collision.wake_potential();
    });
    assert!(woken != linear);
}

/// A plate whose highest modes take no part for a while: the cost falls, no energy appears, the sound has no step, and when all take part
/// again the motion pays for what V has grown.
#[test]
fn fewer_modes_take_part_for_less() {
    let plate = SteelPlate::new(0.15, 0.12, 0.6e-3, 6e3);
    let (body, weights) = (plate.body(|f| 0.5 + f / 1500.0), plate.weights(0.41, 0.43));
    let families: Vec<_> = plate.families.iter().map(|f| Some(*f)).collect();
    let of_lowest = |count: usize| {
        let lowest = PlatePotential::new(plate.length / plate.width, &families[..count], PlateEdges::Sliding, StressDetail::Full);
        Box::new(lowest) as Box<dyn Potential>
    };
    let mut collision = empty(RATE, plate.families.len(), 2);
    collision.set_body(body.modes.iter().copied());
    let mut own = [body.modes.len(), 20, 6].map(of_lowest);
    let mut gradient = vec![0.0; body.modes.len()];
    let lent = LentPotential::new(own[0].clone(), body.modes.len()).with_fewer_modes(own[1..].to_vec());
    collision.exchange_potential(Some(lent), body.size);
    collision.wake_potential();
    begin(&mut collision, Strike { mass: 0.02, velocity: 4.0, stiffness: 2e7, exponent: 1.8, damping: 0.4, gap: 0.0 }, &weights);
    collision.enable_energy_balance();
    let (mut before, mut largest, mut at_change, mut lost) = ([0.0; 2], 0.0_f64, 0.0_f64, 0.0);
    for sample in 0..2_400 {
        let level = sample / 80 % 3;
        let changes = level != collision.potential_level();
        let (energy, stored) = (collision.energy(), collision.potential_energy());
        collision.set_potential_level(level);
        let change = collision.energy() - energy;
        assert!(change <= 1e-15 * energy && collision.potential_energy() <= stored * (1.0 + 1e-15), "{change:e}");
        lost += stored - collision.potential_energy();
        if changes {
            let known = body.size.amount * own[level].evaluate(&collision.body().q[..body.modes.len()], &mut gradient);
            assert!((collision.potential_now() / known - 1.0).abs() < 1e-9, "V of level {level}: {}", collision.potential_now());
        }
        collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        let velocity: f64 = weights.iter().zip(collision.body().v.iter()).map(|(w, v)| w * v).sum();
        let step = (velocity - 2.0 * before[0] + before[1]).abs();
        if changes {
            at_change = at_change.max(step);
        } else if sample > 480 {
            largest = largest.max(step);
        }
        before = [velocity, before[0]];
    }
    let costs = [0, 1, 2, 3].map(|level| collision.potential_cost(level));
    println!("costs {costs:?}, steps {at_change:e} and {largest:e}, lost {lost:e} J");
    assert!(lost > 1e-6);
    assert!(costs[0] > 2.0 * costs[1] && costs[1] > 1.3 * costs[2] && costs[3] == 0.0, "{costs:?}");
    assert!(at_change < largest, "{at_change:e} {largest:e}");
    let balance = *collision.energy_balance().expect("it is enabled");
    let [residual, growth] = [balance.largest_balance_residual, balance.largest_unsupplied_increase].map(|e| e / balance.largest);
    assert!(residual <= 1e-12 && growth <= 1e-14, "{residual:e} {growth:e}");
}

/// Loud plates become linear without an audible step when the potential rests, and no energy is gained when it acts again.
#[test]
fn the_potential_rests_while_it_is_inaudible() {
    let plate = SteelPlate::new(0.15, 0.12, 0.6e-3, 6e3);
    let body = plate.body(|f| 0.5 + f / 1500.0);
    let mut collision = empty(RATE, plate.families.len(), 2);
    body.set(&mut collision, 1.0);
    collision.enable_energy_balance();
    collision.change_state(|_, v| v[0] = 1e-9);
    collision.update_potential();
    assert!(!collision.has_potential() && collision.potential_strength() < 1e-6);
    // loud, but not woken: linear
    collision.ring_parts().2[0] = 0.3;
    let energy = collision.energy();
    collision.update_potential();
    assert!(collision.has_potential());
    let mut most = 0.0_f64;
    for _ in 0..480 {
        collision.ring_with_potential(1.0);
        most = most.max(collision.potential_energy());
    }
    let balance = *collision.energy_balance().expect("it is enabled");
    assert!(balance.largest_unsupplied_increase <= 1e-14 * energy && balance.largest_balance_residual <= 1e-12 * energy);
    assert!(most > 1e-3 * energy, "{most} of {energy}");
    while collision.potential_strength() >= 1e-6 {
        collision.damp(0.9);
    }
    let (before, linear) = (collision.energy(), collision.body_energy());
    collision.update_potential();
    assert!(!collision.has_potential() && before - linear <= 1e-6 * linear && collision.energy() == linear);
}

/// A mallet that lies on a plate and is pressed raises its pitch.
#[test]
fn a_pressed_mallet_stiffens_a_plate() {
    let plate = SteelPlate::new(0.3, 0.24, 0.8e-3, 1500.0);
    let weights = plate.weights(0.5, 0.5);
    let body = plate.body(|_| 60.0);
    let deflection = |amount: f64, force: f64| {
        let mut collision = empty(RATE, plate.families.len(), 2);
        body.set(&mut collision, amount);
        let law = ContactLaw::hunt_crossley(1e6, 1.5, 0.5);
        let hit = PointHammerSpec { law, mass: 0.05, velocity: 0.0, tether: Mode::RIGID, weights: &weights };
        let i = collision.strike(hit).expect("there is room");
        collision.set_push(i, force);
        (0..24_000).for_each(|_| {
            collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        });
        at(&collision, &weights) / plate.thickness
    };
    let [linear, soft, hard] = [deflection(0.0, 50.0), deflection(1.0, 0.5), deflection(1.0, 50.0)];
    println!("w/h {linear:.3} linear, {soft:.5} and {hard:.3}");
    assert!((soft * 100.0 / linear - 1.0).abs() < 0.01 && hard < 0.7 * linear, "{linear} {soft} {hard}");
    // static equilibrium: the force on the mode (1, 1) of the hardened plate
    let known = bending_under(&plate, 50.0);
    assert!((hard / known - 1.0).abs() < 0.02, "{hard} {known}");
}

/// Static deflection over thickness in the middle under a force there: relaxation of the equations.
fn bending_under(plate: &SteelPlate, force: f64) -> f64 {
    let weights = plate.weights(0.5, 0.5);
    let (mut forms, amount) = (plate.forms(), plate.amount());
    let mut q = vec![0.0; weights.len()];
    let mut gradient = q.clone();
    for _ in 0..4_000 {
        forms.evaluate(&q, &mut gradient);
        for i in 0..q.len() {
            let omega2 = plate.omegas[i].powi(2);
            q[i] += 0.1 * (weights[i] * force - amount * gradient[i] - omega2 * q[i]) / omega2;
        }
    }
    weights.iter().zip(&q).map(|(w, q)| w * q).sum::<f64>() / plate.thickness
}
