//! Networks that keep their ports while they are played: rest, tuning, damping, and hammers that come and go.

use super::bodies::{RATE, TestBody, plate};
use urto_physics::connections::{ContactSpec, Network, NetworkCapacity, PointHammer, PortEnd, Side};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;

/// Contacts of the plates.
const CONTACTS: usize = 4;
/// Stiffness of a contact [N/m^1.5].
const STIFFNESS: f64 = 5e7;

fn pair() -> [TestBody; 2] {
    [plate(40, 9e3, CONTACTS, 5), plate(48, 8e3, CONTACTS, 6)]
}

/// A contact of plates that overlap by `overlap` [m].
fn contact(overlap: f64) -> ContactSpec {
    ContactSpec { law: ContactLaw::hunt_crossley(STIFFNESS, 1.5, 0.2), gap: -overlap }
}

/// Two plates that overlap by `overlap` [m] at their contacts, and a port for hammers on the first.
fn overlapping(pair: &[TestBody; 2], overlap: f64) -> (Network, usize) {
    let mut network = Network::new(RATE, NetworkCapacity { bodies: 2, modes: 48 });
    pair.iter().for_each(|body| assert!(network.add_body(body.modes.iter().copied()).is_some()));
    for n in 0..CONTACTS {
        let end = |body: usize, side| PortEnd { body, weights: &pair[body].joints[n], side };
        let ends = [end(0, Side::Plus), end(1, Side::Minus)];
        assert_eq!(network.touch(&ends, contact(overlap)), Some(n));
    }
    let port = network.reserve_hammer(0).expect("there is room");
    network.enable_energy_balance();
    (network, port)
}

/// Pressed together, the plates rest: no contact is without its force, and nothing moves.
#[test]
fn plates_rest_where_their_contacts_hold_them() {
    let pair = pair();
    for overlap in [1e-6, 1e-4, 3e-3] {
        let (mut network, _) = overlapping(&pair, overlap);
        network.settle();
        let mut sum = 0.0;
        for port in 0..CONTACTS {
            let x = network.compression(port).expect("a contact");
            let expected = STIFFNESS * x.max(0.0).powf(1.5);
            sum += expected;
            assert!((network.force(port) - expected).abs() <= 1e-9 * expected, "{overlap} m, port {port}");
            // gap and displacement of the plates
            assert!((overlap + network.place(port) - x).abs() < 1e-12, "{overlap} m: {x} {}", network.place(port));
        }
        let before = network.energy();
        (0..2_000).for_each(|_| network.step());
        let moved = network.kinetic_energy(0) + network.kinetic_energy(1);
        println!("{overlap} m: {sum:.1} N, {before:.2e} J, then {moved:.1e} J of motion");
        assert!(sum > 0.0 && moved < 1e-18 * before, "{overlap} m: {moved:e} of {before:e} J");
    }
}

/// Without an overlap nothing presses: the plates rest as they are.
#[test]
fn plates_apart_rest_undeformed() {
    let pair = pair();
    let (mut network, _) = overlapping(&pair, -1e-3);
    network.settle();
    assert!(network.energy() == 0.0 && (0..CONTACTS).all(|port| network.compression(port) == Some(-1e-3)));
}

/// Strikes by a reserved port, changes of tuning and damping: no energy comes from nowhere, and the balance closes.
#[test]
fn hammers_tuning_and_damping_gain_no_energy() {
    let pair = pair();
    let (mut network, port) = overlapping(&pair, 2e-5);
    network.settle();
    let contact = ContactSpec { law: ContactLaw::hunt_crossley(8e7, 1.5, 0.25), gap: 1e-5 };
    for round in 0..6 {
        network.launch(port, &pair[0].point, contact, PointHammer { mass: 0.015, velocity: 2.0 });
        let before = network.energy();
        (0..100).for_each(|_| network.step());
        assert!(network.hammer(port).is_some_and(|hammer| hammer.velocity < 1.9), "it has struck");
        assert!(network.energy() < before);
        let before = network.energy();
        let factor = [1.3, 0.6][round % 2];
        let tuned = |mode: &Mode| Mode { omega: factor * mode.omega, sigma: 2.0 * mode.sigma };
        let modes: Vec<Mode> = network.modes(0).list().iter().map(tuned).collect();
        network.retune(0, modes);
        assert!((network.energy() / before - 1.0).abs() < 1e-13, "modes keep their energies");
        let motion = network.kinetic_energy(1);
        network.damp_motion(0.9);
        assert!((network.kinetic_energy(1) / (0.81 * motion) - 1.0).abs() < 1e-13);
        (0..50).for_each(|_| network.step());
        network.retract(port);
        assert_eq!(network.hammer(port), None);
    }
    let balance = network.energy_balance().expect("enabled");
    println!("{balance:?}");
    assert!(balance.largest_balance_residual <= 1e-12 * balance.largest);
    assert!(balance.largest_unsupplied_increase <= 1e-14 * balance.largest);
}

/// A network that is cleared for another sample rate is a new one.
#[test]
fn a_cleared_network_is_as_new() {
    let pair = pair();
    let play = |mut network: Network| {
        pair.iter().for_each(|body| assert!(network.add_body(body.modes.iter().copied()).is_some()));
        let contact = ContactSpec { law: ContactLaw::hunt_crossley(8e7, 1.5, 0.25), gap: 0.0 };
        network.strike(0, &pair[0].point, contact, PointHammer { mass: 0.015, velocity: 2.0 }).expect("there is room");
        (0..200).for_each(|_| network.step());
        network.modes(0).q.clone()
    };
    let capacity = NetworkCapacity { bodies: 2, modes: 48 };
    let (mut used, _) = overlapping(&pair, 1e-5);
    (0..100).for_each(|_| used.step());
    used.clear_at(96e3);
    assert_eq!(play(used), play(Network::new(96e3, capacity)));
}

/// A network that is put to rest plays as a new one with the same ports, and its balance goes on.
#[test]
fn a_network_at_rest_again_is_as_new() {
    let pair = pair();
    let stick = ContactSpec { law: ContactLaw::hunt_crossley(8e7, 1.5, 0.25), gap: 1e-5 };
    let play = |network: &mut Network, port: usize| {
        network.settle();
        network.launch(port, &pair[0].point, stick, PointHammer { mass: 0.015, velocity: 2.0 });
        (0..200).for_each(|_| network.step());
        network.modes(1).q.clone()
    };
    let (mut new, port) = overlapping(&pair, 2e-5);
    let expected = play(&mut new, port);
    let mut used = new;
    used.retract(port);
    used.rest();
    used.set_weights(port, PortEnd { body: 0, weights: &[], side: Side::Minus });
    (0..CONTACTS).for_each(|n| used.set_contact(n, contact(2e-5)));
    assert_eq!(play(&mut used, port), expected);
    let balance = used.energy_balance().expect("enabled");
    assert!(balance.largest_balance_residual <= 1e-12 * balance.largest);
}

/// Bands that exchange motion change as their factors say, close the balance, and gain nothing together: then only the losing ones change.
#[test]
fn bands_that_exchange_motion_gain_nothing_together() {
    let pair = pair();
    let (mut network, port) = overlapping(&pair, 2e-5);
    network.settle();
    let contact = ContactSpec { law: ContactLaw::hunt_crossley(8e7, 1.5, 0.25), gap: 1e-5 };
    network.launch(port, &pair[0].point, contact, PointHammer { mass: 0.015, velocity: 2.0 });
    (0..200).for_each(|_| network.step());
    let motion =
        |network: &Network, modes: std::ops::Range<usize>| -> f64 { network.modes(0).v[modes].iter().map(|v| v * v).sum() };
    for (low, high) in [(0.9, 1.0), (1.0, 0.8), (0.9, 1.001), (1.5, 1.5)] {
        let before = [motion(&network, 1..10), motion(&network, 10..40)];
        let (whole, x) = (network.energy(), network.compression(0));
        network.exchange_motion(0, [(1..10, low), (10..40, high)].into_iter());
        let after = [motion(&network, 1..10), motion(&network, 10..40)];
        let gains = low > 1.0 && high > 1.0;
        for (band, factor) in [low, high].into_iter().enumerate() {
            let expected = if gains { 1.0 } else { factor * factor };
            assert!((after[band] / before[band] / expected - 1.0).abs() < 1e-12, "{low} {high}: band {band}");
        }
        assert!(network.energy() <= whole && network.compression(0) == x, "{low} {high}");
        (0..50).for_each(|_| network.step());
    }
    let balance = network.energy_balance().expect("enabled");
    assert!(balance.largest_balance_residual <= 1e-12 * balance.largest);
    assert!(balance.largest_unsupplied_increase <= 1e-14 * balance.largest);
}
