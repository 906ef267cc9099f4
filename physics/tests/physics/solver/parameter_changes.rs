//! Quantities that a contact keeps when a parameter changes in the middle of it.

use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision};
use urto_physics::solver::{HammerSpec, PointHammerSpec};

const MODES: [Mode; 2] = [Mode { omega: 900.0, sigma: 3.0 }, Mode { omega: 7_000.0, sigma: 20.0 }];
const WEIGHTS: [f64; 2] = [4.0, -3.0];

/// A hammer that has been in contact for five samples and still moves in.
fn pressed() -> Collision {
    pressed_with(ContactLaw::hunt_crossley(1e7, 1.5, 0.2))
}

fn pressed_with(law: ContactLaw) -> Collision {
    let mut collision = Collision::new(48_000.0, Capacity { modes: 2, held: 0, hammers: 1, hammer_modes: 1, levels: 8 });
    collision.set_body(MODES);
    let hammer = PointHammerSpec { law, mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &WEIGHTS };
    assert_eq!(collision.strike(hammer), Some(0));
    collision.enable_energy_balance();
    for _ in 0..5 {
        collision.step(256, &mut |_, _| ());
    }
    assert!(collision.hammer(0).touching() && collision.hammer(0).velocity() > 0.0);
    collision
}

/// The same with a hammer that bends, and a second hammer beside it.
fn pressed_by_two() -> Collision {
    let mut collision = Collision::new(48_000.0, Capacity { modes: 2, held: 0, hammers: 2, hammer_modes: 3, levels: 8 });
    collision.set_body(MODES);
    let law = ContactLaw::hunt_crossley(1e7, 1.5, 0.2);
    let modes = [Mode::RIGID, Mode { omega: 1_500.0, sigma: 20.0 }, Mode { omega: 5_000.0, sigma: 60.0 }];
    let own = [1.0, 1.15, 1.15].map(|w| w / 0.02_f64.sqrt());
    let stick = HammerSpec { law, modes: &modes, own: &own, velocity: 1.0, weights: &WEIGHTS };
    let point = PointHammerSpec { law, mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &WEIGHTS.map(|w| 0.5 * w) };
    assert_eq!((collision.add_hammer(stick), collision.strike(point)), (Some(0), Some(1)));
    collision.enable_energy_balance();
    for _ in 0..5 {
        collision.step(256, &mut |_, _| ());
    }
    assert!(collision.hammer(0).touching() && collision.hammer(1).touching());
    collision
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-14 * a.abs().max(b.abs())
}

#[test]
fn new_law_parameters_keep_the_energy_of_the_contact() {
    let (before, mut after) = (pressed(), pressed());
    after.set_law(0, ContactLaw::hunt_crossley(1e11, 2.2, 1.0));
    assert!(close(before.corrected_energy(), after.corrected_energy()));
    assert!(before.hammer(0).compression() > 1.2 * after.hammer(0).compression());
    assert!(close(before.hammer(0).velocity(), after.hammer(0).velocity()));
    // mu alone changes nothing now
    let mut lossier = pressed();
    lossier.set_law(0, ContactLaw::hunt_crossley(1e7, 1.5, 5.0));
    assert!(close(before.hammer(0).compression(), lossier.hammer(0).compression()));
}

#[test]
fn a_heavier_hammer_keeps_its_momentum_and_a_lighter_one_its_energy() {
    let before = pressed();
    let velocity = before.hammer(0).velocity();
    for (mass, expected) in [(0.05, velocity * 0.02 / 0.05), (0.005, velocity * 2.0)] {
        let mut after = pressed();
        after.set_mass(0, mass);
        let hammer = after.hammer(0);
        assert!(close(hammer.velocity(), expected), "{mass} kg: {} m/s instead of {expected} m/s", hammer.velocity());
        assert!(close(hammer.position(), before.hammer(0).position()));
        assert!(after.corrected_energy() <= before.corrected_energy() * (1.0 + 1e-15));
    }
}

/// The contact point stays where it is and the contact as it is; what bends and what moves keeps its momentum or its energy.
#[test]
fn a_flexible_hammer_changes_its_mass_like_a_rigid_one() {
    let before = pressed_by_two();
    let momentum = |c: &Collision| {
        c.hammer(0).own_weights().iter().map(|w| 1.0 / w).zip(c.hammer(0).modes().v.iter()).map(|(m, v)| m * v).sum::<f64>()
    };
    let kinetic = |c: &Collision| c.hammer(0).modes().v.iter().map(|v| 0.5 * v * v).sum::<f64>();
    for mass in [0.05, 0.005] {
        let mut after = pressed_by_two();
        after.set_mass(0, mass);
        let (kept, was) = if mass > 0.02 { (momentum(&after), momentum(&before)) } else { (kinetic(&after), kinetic(&before)) };
        assert!(close(kept, was), "{mass} kg: {kept} instead of {was}");
        assert!(close(after.hammer(0).mass(), mass));
        let shape = |c: &Collision| c.hammer(0).own_weights()[1] / c.hammer(0).own_weights()[0];
        assert!(close(shape(&after), shape(&before)), "all of it is heavier");
        assert!(after.corrected_energy() <= before.corrected_energy() * (1.0 + 1e-15));
        assert!(close(after.hammer(1).compression(), before.hammer(1).compression()), "the other hammer is not touched");
        for _ in 0..200 {
            after.step(256, &mut |_, _| ());
        }
        let balance = after.energy_balance().expect("is enabled");
        assert!(balance.largest_unsupplied_increase <= 1e-14 * balance.largest, "{balance:?}");
        assert!(balance.largest_balance_residual <= 1e-12 * balance.largest, "{balance:?}");
    }
}

#[test]
fn a_new_position_keeps_the_compression() {
    let (before, mut after) = (pressed(), pressed());
    after.set_weights(0, &[-1.0, 2.0]);
    assert!(
        close(before.hammer(0).contact_energy(), after.hammer(0).contact_energy()) || {
            // the correction's part of the energy depends on the place; the whole is kept
            close(before.corrected_energy(), after.corrected_energy())
        }
    );
    assert!(close(before.body().energy(), after.body().energy()));
    for _ in 0..5 {
        after.step(256, &mut |_, _| ());
    }
    let balance = after.energy_balance().expect("is enabled");
    assert!(balance.largest_unsupplied_increase <= 1e-14 * balance.largest, "{balance:?}");
}

#[test]
fn new_frequencies_keep_the_energy_of_every_mode() {
    let (before, mut after) = (pressed(), pressed());
    after.retune([Mode { omega: 400.0, sigma: 900.0 }, Mode { omega: 90_000.0, sigma: 0.0 }]);
    let energy = |c: &Collision, i: usize| {
        let modes = c.body();
        0.5 * (modes.v[i].powi(2) + (modes.mode(i).omega * modes.q[i]).powi(2))
    };
    for i in 0..2 {
        assert!(close(energy(&before, i), energy(&after, i)), "mode {i}");
    }
    assert!(close(before.corrected_energy(), after.corrected_energy()));
}

#[test]
fn a_removed_hammer_takes_only_its_own_energy() {
    let mut collision = pressed();
    let (all, body) = (collision.corrected_energy(), collision.body().energy());
    let taken = collision.remove_hammer(0);
    assert!(close(taken + body, all) && close(collision.corrected_energy(), body));
    assert!(!collision.any_active() && collision.remove_hammer(0) == 0.0);
}

/// Another share of restitution: where it rises the energy stays and the compression changes; where it falls the compression stays.
#[test]
fn a_new_restitution_adds_no_energy() {
    let before = pressed_with(ContactLaw::restitution(1e7, 1.5, 0.5));
    let (held, deep) = (before.corrected_energy(), before.hammer(0).compression());
    let mut better = before.clone();
    better.set_law(0, ContactLaw::restitution(1e7, 1.5, 0.9));
    assert!(close(better.corrected_energy(), held) && better.hammer(0).compression() < 0.9 * deep);
    let mut worse = before.clone();
    worse.set_law(0, ContactLaw::restitution(1e7, 1.5, 0.1));
    assert!(worse.corrected_energy() < held && (worse.hammer(0).compression() / deep - 1.0).abs() < 1e-2);
    for mut after in [better, worse] {
        for _ in 0..400 {
            after.step(256, &mut |_, _| ());
        }
        let balance = after.energy_balance().expect("is enabled");
        assert!(!after.hammer(0).touching() && balance.largest_unsupplied_increase <= 1e-15 * balance.largest, "{balance:?}");
        assert!(balance.largest_balance_residual <= 1e-14 * balance.largest, "{balance:?}");
    }
}

/// A law of another kind waits until the contact has ended; the contact goes on as if nothing had been said.
#[test]
fn a_different_law_waits_for_the_end_of_the_contact() {
    let kinds = [
        ContactLaw::hunt_crossley(1e7, 1.5, 0.2),
        ContactLaw::linear(1e5, 1.0),
        ContactLaw::restitution(1e7, 1.5, 0.5),
        ContactLaw::felt(1e8, 2.0, 0.9, 1e-4),
    ];
    for (from, to) in kinds.iter().flat_map(|from| kinds.iter().map(move |to| (*from, *to))).filter(|(a, b)| a != b) {
        let (mut changed, mut unchanged) = (pressed_with(from), pressed_with(from));
        changed.set_law(0, to);
        while unchanged.hammer(0).touching() {
            assert_eq!(changed.hammer(0).law(), from);
            changed.step(256, &mut |_, _| ());
            unchanged.step(256, &mut |_, _| ());
            assert_eq!(changed.hammer(0).velocity(), unchanged.hammer(0).velocity(), "{from:?} {to:?}");
        }
        assert_eq!(changed.hammer(0).law(), to);
        let balance = changed.energy_balance().expect("is enabled");
        assert!(balance.largest_balance_residual <= 1e-13 * balance.largest, "{from:?} {to:?}: {balance:?}");
        // apart, any law comes at once
        changed.set_law(0, from);
        assert_eq!(changed.hammer(0).law(), from);
    }
}
