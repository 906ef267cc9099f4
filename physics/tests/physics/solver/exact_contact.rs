//! Linear contacts in their eigenbasis inside a collision, compared with the method of the paper.

use urto_physics::contact::ContactLaw;
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabMode, LabStriker};
use urto_physics::modal::Mode;
use urto_physics::solver::ExactContact;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::{Capacity, Collision};

const RATE: f64 = 48e3;
const LAW: (f64, f64) = (2e5, 0.4);

/// A body of 12 modes.
pub fn body() -> Vec<LabMode> {
    let mode = |i: usize| {
        let n = (i + 1) as f64;
        LabMode { frequency: 130.0 * n.powf(1.6), decay: 2.0 * n, mass: 0.05 + 0.01 * n, shape: (0.7 * n).cos() }
    };
    (0..12).map(mode).collect()
}

fn weights() -> Vec<f64> {
    body().iter().map(|mode| mode.shape / mode.mass.sqrt()).collect()
}

pub fn collision(hammers: usize) -> Collision {
    let capacity = Capacity { modes: 12, held: 0, hammers, hammer_modes: 1, levels: 8 };
    let mut collision = Collision::new(RATE, capacity);
    let modes = body();
    collision.set_body(modes.iter().map(|m| Mode { omega: std::f64::consts::TAU * m.frequency, sigma: m.decay }));
    collision
}

/// Throws a hammer that has so far to go [m] against a contact with damper c [N s/m].
fn strike_from(collision: &mut Collision, gap: f64, c: f64) {
    let law = ContactLaw::linear(LAW.0, c);
    let hit = PointHammerSpec { law, mass: 0.02, velocity: 1.2, tether: Mode::RIGID, weights: &weights() };
    assert_eq!(collision.strike(hit), Some(0));
    collision.set_hammer_gap(0, gap);
}

pub fn strike(collision: &mut Collision) {
    strike_from(collision, 0.0, LAW.1);
}

/// One sample, exactly where that is possible.
fn sample(collision: &mut Collision, exact: &mut ExactContact) -> bool {
    if let Some(i) = collision.linear_onset() {
        assert!(exact.fits(collision, i) || exact.build(collision, i));
        exact.begin(collision, i);
    }
    let played = exact.step(collision, &mut |_, _| ());
    if !played {
        collision.step(256, &mut |_, _| ());
    }
    played
}

#[test]
fn exact_contacts_agree_with_the_method_of_the_paper() {
    let striker = LabStriker { mass: 0.02, velocity: 1.2, position: -1.1e-4, gravity: 0.0, modes: vec![] };
    let lab = Experiment {
        sample_rate: RATE,
        duration: Some(0.02),
        substeps_per_contact: 16.0,
        law: ContactLaw::linear(LAW.0, LAW.1),
        method: Method::Offset,
        corrections: Corrections::None,
        striker,
        body: body(),
    };
    let mut wanted = Vec::new();
    lab.run(&mut |point| wanted.push((point.compression, point.striker_velocity, point.energy_body)));
    let (mut collision, mut exact) = (collision(1), ExactContact::new(13));
    strike_from(&mut collision, 1.1e-4, LAW.1);
    let mut contacts = 0;
    for (x, v, energy) in &wanted[1..960] {
        contacts += usize::from(sample(&mut collision, &mut exact));
        let striker = collision.hammer(0);
        assert!((striker.compression() - x).abs() < 1e-12 && (striker.velocity() - v).abs() < 1e-10, "{x} {v}");
        assert!((collision.body().energy() - energy).abs() < 1e-13);
    }
    assert!((20..900).contains(&contacts), "{contacts} samples in contact");
}

#[test]
fn no_step_gains_energy_and_the_energy_balance_closes() {
    let (mut collision, mut exact) = (collision(1), ExactContact::new(13));
    collision.enable_energy_balance();
    // without damper, whose loss would hide a gain at the onset
    strike_from(&mut collision, 1.1e-4, 0.0);
    let initial = collision.energy();
    for _ in 0..4_800 {
        sample(&mut collision, &mut exact);
    }
    let balance = collision.energy_balance().unwrap();
    assert!(balance.largest_unsupplied_increase <= 1e-14 * initial, "{:e}", balance.largest_unsupplied_increase / initial);
    assert!(balance.largest_balance_residual <= 1e-12 * initial);
}

/// Samples that are exact, residual and growth over the largest energy, while a hammer of 6.8 kg with this push [N] carries a body along, which
/// hangs on a suspension of 3 Hz and has these weights [kg^-1/2].
fn carried(push: f64, weight: f64) -> (i32, [f64; 2]) {
    let (mut collision, mut exact) = (collision(1), ExactContact::new(13));
    collision.set_body((0..12).map(|i| Mode { omega: std::f64::consts::TAU * (3.0 + 800.0 * f64::from(i)), sigma: 0.3 }));
    collision.enable_energy_balance();
    let law = ContactLaw::linear(80.0, 10.0);
    let hit = PointHammerSpec { law, mass: 6.8, velocity: 0.4, tether: Mode::RIGID, weights: &[weight; 12] };
    assert_eq!(collision.strike(hit), Some(0));
    collision.set_push(0, push);
    let exactly = (0..2_400).map(|_| i32::from(sample(&mut collision, &mut exact))).sum();
    let balance = collision.energy_balance().unwrap();
    (exactly, [balance.largest_balance_residual, balance.largest_unsupplied_increase].map(|e| e / balance.largest))
}

/// At rest under its push a heavy hammer would bend a light body on a soft suspension by a thousand times the energy that there is, and
/// rounding of that would show: such contacts are not stepped exactly, others are.
#[test]
fn a_heavy_pushed_hammer_on_a_light_body_balances_its_energy() {
    for (push, weight) in [(0.0, 140.0), (0.1, 3.0), (170.0, 140.0), (170.0, 500.0), (2e3, 140.0), (2e3, 2e3)] {
        let (exactly, [residual, growth]) = carried(push, weight);
        println!("{push} N, {weight}: {exactly} samples exactly, residual {residual:e}, growth {growth:e}");
        assert_eq!(exactly > 0, push < 1.0);
        assert!(residual <= 1e-13 && growth <= 1e-14, "{push} N, {weight}: {residual:e} {growth:e}");
    }
}

/// A parameter that moves, a hand, a push, or another hammer in the middle of the contact: it goes on with substeps from where it is.
#[test]
fn parameter_changes_keep_the_contact_passive() {
    type Change = fn(&mut Collision);
    let changes: [(&str, Change); 7] = [
        ("law", |c| c.set_law(0, ContactLaw::linear(5e5, 0.1))),
        ("mass", |c| c.set_mass(0, 0.05)),
        ("place", |c| c.set_weights(0, &[1.0; 12])),
        ("pitch", |c| {
            let modes: Vec<Mode> = c.body().list().iter().map(|m| Mode { omega: 1.1 * m.omega, ..*m }).collect();
            c.retune(modes);
        }),
        ("hand", |c| c.damp(0.99)),
        ("push", |c| c.set_push(0, 0.3)),
        ("hammer", |c| {
            let law = ContactLaw::linear(LAW.0, LAW.1);
            c.strike(PointHammerSpec { law, mass: 0.01, velocity: 0.5, tether: Mode::RIGID, weights: &[0.5; 12] });
        }),
    ];
    for (name, change) in changes {
        let (mut collision, mut exact) = (collision(2), ExactContact::new(13));
        collision.enable_energy_balance();
        strike(&mut collision);
        let initial = collision.energy();
        (0..8).for_each(|_| assert!(sample(&mut collision, &mut exact)));
        let x = collision.hammer(0).compression();
        change(&mut collision);
        assert!(!sample(&mut collision, &mut exact) && collision.hammer(0).touching(), "{name}");
        assert!((collision.hammer(0).compression() / x - 1.0).abs() < 0.5, "{name}");
        for _ in 0..2_000 {
            sample(&mut collision, &mut exact);
        }
        let balance = collision.energy_balance().unwrap();
        assert!(balance.largest_unsupplied_increase <= 1e-14 * initial, "{name}: {:e}", balance.largest_unsupplied_increase);
        assert!(balance.largest_balance_residual <= 1e-12 * initial, "{name}");
    }
}

#[test]
fn an_eigenbasis_is_valid_for_one_hammer_body_and_law() {
    let (mut collision, mut exact) = (collision(1), ExactContact::new(13));
    strike(&mut collision);
    assert!(!exact.fits(&collision, 0) && exact.build(&collision, 0) && exact.fits(&collision, 0));
    collision.set_mass(0, 0.021);
    assert!(!exact.fits(&collision, 0));
    exact.forget();
    assert!(!exact.fits(&collision, 0));
    assert!(!ExactContact::new(12).build(&collision, 0), "no room");
    collision.set_law(0, ContactLaw::hunt_crossley(1e5, 1.0, 0.0));
    assert!(!exact.build(&collision, 0) && collision.linear_onset().is_none());
}
