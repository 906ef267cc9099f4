//! A network that has been built does not allocate, whatever is played.

use super::bodies::{RATE, TestBody, plate, static_compliance};
use crate::counted_memory::calls_in;
use urto_physics::connections::{ContactSpec, Joint, Network, NetworkCapacity, NetworkResolution, PointHammer, PortEnd, Side};
use urto_physics::contact::ContactLaw;

fn ends(pair: &[TestBody; 2], shape: usize) -> [PortEnd<'_>; 2] {
    let end = |body: usize, side| PortEnd { body, weights: &pair[body].joints[shape], side };
    [end(0, Side::Plus), end(1, Side::Minus)]
}

/// Bodies, joints that jump from soft to rigid, contacts and hammers come and go.
fn play(network: &mut Network, pair: &[TestBody; 2]) {
    network.clear();
    pair.iter().for_each(|body| assert!(network.add_body(body.modes.iter().copied()).is_some()));
    let unit = 1.0 / static_compliance(pair, 0);
    let joint = |kappa: f64| Joint { stiffness: kappa * unit, damping: 0.1, missing: 0.0 };
    let joints = [0, 1].map(|shape| network.connect(&ends(pair, shape), joint(1.0)).expect("there is room"));
    let law = ContactLaw::hunt_crossley(1e8, 1.5, 0.2);
    let contacts = [2, 3].map(|shape| network.touch(&ends(pair, shape), ContactSpec { law, gap: 1e-6 }).expect("there is room"));
    for (round, kappa) in [0.01, 30.0, 300.0, 1e5, 0.0].into_iter().enumerate() {
        network.set_resolution(NetworkResolution { most_modes: [0, 256][round % 2], ..NetworkResolution::default() });
        network.set_joint(joints[0], joint(kappa));
        network.set_joint(joints[1], joint(3.0 * kappa));
        network.set_law(contacts[0], ContactLaw::hunt_crossley(1e7, 2.0, 0.1));
        let hammer = PointHammer { mass: 0.01, velocity: 2.0 };
        let stick = network.strike(0, &pair[0].point, ContactSpec { law, gap: 0.0 }, hammer).expect("there is room");
        (0..50).for_each(|_| network.step());
        assert!(network.hammer(stick).is_some_and(|hammer| hammer.velocity < 2.0), "it has struck");
        network.disconnect(stick);
    }
}

#[test]
fn a_network_does_not_allocate() {
    let pair = [plate(48, 18e3, 4, 1), plate(64, 17e3, 4, 2)];
    let mut network = Network::new(RATE, NetworkCapacity { bodies: 2, modes: 64 });
    assert_eq!(calls_in(|| play(&mut network, &pair)), 0);
    assert!(calls_in(|| drop(Network::new(RATE, NetworkCapacity { bodies: 1, modes: 8 }))) > 0, "calls are counted");
}
