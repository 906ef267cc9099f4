//! Joints without force, and changes of joints while bodies ring.

use super::bodies::{TestBody, network, plate, static_compliance};
use crate::support::rng::Rng;
use urto_physics::connections::{Joint, Network};

fn pair() -> [TestBody; 2] {
    [plate(48, 18e3, 1, 3), plate(40, 17e3, 1, 4)]
}

fn ring(network: &mut Network, seed: u64) {
    let mut rng = Rng::new(seed);
    for body in 0..2 {
        let count = network.modes(body).len();
        let (_, v) = network.state_mut(body);
        v[..count].fill_with(|| rng.between(-1.0, 1.0));
    }
}

#[test]
fn a_joint_without_force_changes_nothing() {
    let bodies = pair();
    let (mut joined, mut apart) = (network(&bodies, &[Joint::default()]), network(&bodies, &[]));
    for network in [&mut joined, &mut apart] {
        ring(network, 1);
        (0..500).for_each(|_| network.step());
    }
    for body in 0..2 {
        let (a, b) = (joined.modes(body), apart.modes(body));
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-15 * b.abs());
        assert!(near(&a.q, &b.q) && near(&a.v, &b.v), "body {body}");
    }
}

/// A removed joint leaves its energy with nobody, and the bodies as if there had been none from then on.
#[test]
fn a_removed_joint_loses_its_energy_and_no_more() {
    let bodies = pair();
    let stiffness = 5.0 / static_compliance(&bodies, 0);
    let mut joined = network(&bodies, &[Joint { stiffness, damping: 0.2, missing: 0.0 }]);
    ring(&mut joined, 2);
    joined.enable_energy_balance();
    (0..300).for_each(|_| joined.step());
    let kinetic = |network: &Network| network.modes(0).energy() + network.modes(1).energy();
    let (bodies_before, all_before) = (kinetic(&joined), joined.energy());
    assert!(all_before > bodies_before * (1.0 + 1e-6), "the spring is loaded");
    let lost_before = joined.energy_balance().expect("it is enabled").lost_in_contact;
    joined.disconnect(0);
    let lost = joined.energy_balance().expect("it is enabled").lost_in_contact - lost_before;
    assert!((lost - (all_before - bodies_before)).abs() < 1e-14 * all_before);
    assert_eq!((joined.energy(), joined.force(0)), (bodies_before, joined.force(0)));
    assert_eq!(joined.connect(&[], Joint::default()), Some(0), "its number is free");
}
