//! A hammer and a body whose state is in the eigenbasis of their contact: reading and ending it.

use crate::solver::exact_contact::{body, collision, strike};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::Collision;
use urto_physics::solver::ExactContact;
use urto_physics::solver::PointHammerSpec;

/// The same contact twice after so many samples: settled in every sample, and borrowed all the time.
fn twice(samples: usize) -> [Collision; 2] {
    let [settled, borrowed] = [true, false].map(|settled| {
        let (mut collision, mut exact) = (collision(2), ExactContact::new(13));
        strike(&mut collision);
        collision.set_push(0, 0.2);
        assert_eq!(collision.linear_onset(), Some(0));
        assert!(exact.build(&collision, 0));
        exact.begin(&mut collision, 0);
        for _ in 0..samples {
            assert!(if settled { exact.step(&mut collision, &mut |_, _| ()) } else { collision.step_exact(&mut |_, _| ()) });
        }
        collision
    });
    [settled, borrowed]
}

/// Weights of an ear.
fn weights(k: usize) -> impl Iterator<Item = f64> + Clone {
    (0..12).map(move |i| (1.3 * (i * (k + 2)) as f64).cos())
}

#[test]
fn the_state_in_the_eigenbasis_reads_like_the_modal_state() {
    for count in [2, 4] {
        let [mut settled, mut borrowed] = twice(1);
        let mut exact = ExactContact::new(1);
        for n in 0..10 {
            borrowed.set_taps((0..count).map(weights));
            assert!(exact.step(&mut settled, &mut |_, _| ()) && borrowed.step_exact(&mut |_, _| ()));
            assert_eq!(borrowed.hammer(0).compression(), settled.hammer(0).compression());
            let (body, near) = (settled.body(), |a: f64, b: f64| (a - b).abs() < 1e-12 * b.abs());
            for i in 0..12 {
                let (q, v) = borrowed.state(i);
                assert!((q - body.q[i]).abs() < 1e-18 && (v - body.v[i]).abs() < 1e-14, "sample {n}, mode {i}");
                assert_eq!(settled.state(i), (body.q[i], body.v[i]));
            }
            assert!(near(borrowed.body_energy(), body.energy()) && near(borrowed.energy(), settled.energy()));
            assert!(near(borrowed.hammer_energy(0), settled.hammer(0).energy()));
            for (k, output) in borrowed.tap_outputs().into_iter().enumerate() {
                let velocity: f64 = weights(k).zip(body.v.iter()).map(|(y, v)| y * v).sum();
                assert!((output - if k < count { velocity } else { 0.0 }).abs() < 1e-14, "sample {n}, ear {k}");
            }
        }
        borrowed.settle();
        assert!(borrowed.body().q == settled.body().q && borrowed.body().v == settled.body().v);
        assert_eq!(borrowed.hammer(0).velocity(), settled.hammer(0).velocity());
        assert!(borrowed.is_exact() && borrowed.step_exact(&mut |_, _| ()), "it goes on");
    }
}

/// Ears keep what they were aimed at, and hear another basis only when they are told.
#[test]
fn outputs_follow_their_weights_and_the_basis() {
    let [mut one, mut other] = twice(1);
    let heard = |collision: &mut Collision, outputs: &[usize]| {
        collision.set_taps(outputs.iter().map(|&k| weights(k)));
        assert!(collision.step_exact(&mut |_, _| ()));
        collision.tap_outputs()
    };
    for outputs in [[0, 1, 2, 3], [0, 1, 2, 1], [2, 1, 3, 0], [2, 1, 2, 1]] {
        let (four, two) = (heard(&mut one, &outputs), heard(&mut other, &outputs[..2]));
        assert!((0..2).all(|k| (four[k] - two[k]).abs() < 1e-15), "{outputs:?}: {four:?} {two:?}");
        let same = |a: usize, b: usize| (outputs[a] == outputs[b]) == (four[a] == four[b]);
        assert!(same(0, 2) && same(1, 3), "{outputs:?}: {four:?}");
    }
    one.set_taps(std::iter::empty::<std::iter::Empty<f64>>());
    assert!(one.step_exact(&mut |_, _| ()));
    assert_eq!(one.tap_outputs(), [0.0; 4]);
}

/// Whatever happens finds hammer and body where the contact is, to the last bit.
#[test]
fn ending_an_exact_contact_restores_the_current_state() {
    type Change = fn(&mut Collision);
    let changes: [(&str, Change); 14] = [
        ("step", |_| ()),
        ("law", |c| c.set_law(0, ContactLaw::linear(5e5, 0.1))),
        ("mass", |c| c.set_mass(0, 0.05)),
        ("place", |c| c.set_weights(0, &[1.0; 12])),
        ("pitch", |c| {
            let modes: Vec<Mode> = c.modes().iter().map(|m| Mode { omega: 1.1 * m.omega, ..*m }).collect();
            c.retune(modes);
        }),
        ("hand", |c| c.damp(0.99)),
        ("damped motion", |c| c.damp_motion(0.99)),
        ("push", |c| c.set_push(0, 0.3)),
        ("rise", |c| c.set_rise(0, 0.01)),
        ("tether", |c| c.set_tether(0, Mode { omega: 500.0, sigma: 1.0 })),
        ("rest", |c| _ = c.recentre(0, 1e-4)),
        ("ringing", |c| c.ring_parts().2[0] *= 0.5),
        ("removal", |c| assert!(c.remove_hammer(0) > 0.0)),
        ("hammer", |c| {
            let hit = PointHammerSpec {
                law: ContactLaw::linear(2e5, 0.4),
                mass: 0.01,
                velocity: 0.5,
                tether: Mode::RIGID,
                weights: &[0.5; 12],
            };
            assert!(c.strike(hit).is_some());
        }),
    ];
    for (name, change) in changes {
        let [settled, borrowed] = twice(8).map(|mut collision| {
            change(&mut collision);
            for _ in 0..20 {
                collision.step(256, &mut |_, _| ());
            }
            assert!(!collision.is_exact());
            collision
        });
        assert!(borrowed.body().q == settled.body().q && borrowed.body().v == settled.body().v, "{name}");
        assert_eq!(borrowed.energy(), settled.energy(), "{name}");
    }
}

/// A balance that is opened in the midst of a borrowed contact balances from there on.
#[test]
fn the_energy_balance_can_start_at_any_time() {
    let [_, mut lent] = twice(5);
    let before = lent.energy();
    lent.enable_energy_balance();
    assert!((lent.corrected_energy() / before - 1.0).abs() < 1e-13);
    while lent.step_exact(&mut |_, _| ()) {}
    let balance = lent.energy_balance().expect("is enabled");
    assert!(balance.steps > 3 && balance.largest_balance_residual <= 1e-12 * before);
    assert!(balance.largest_unsupplied_increase <= 1e-14 * before);
}

/// A body that is taken away keeps nothing: what was borrowed comes back to be used again.
#[test]
fn a_finished_contact_returns_its_basis() {
    let (mut collision, mut exact) = (collision(1), ExactContact::new(13));
    strike(&mut collision);
    assert_eq!(collision.linear_onset(), Some(0));
    assert!(exact.build(&collision, 0));
    exact.begin(&mut collision, 0);
    assert!(collision.step_exact(&mut |_, _| ()) && !exact.reclaim(&mut collision));
    assert!(!exact.fits(&collision, 0) && !exact.build(&collision, 0), "it is borrowed");
    let modes = body().len();
    collision.set_body((1..=modes).map(|n| Mode { omega: 800.0 * n as f64, sigma: 3.0 }));
    assert!(!collision.is_exact() && collision.body().energy() == 0.0);
    assert!(exact.reclaim(&mut collision));
    strike(&mut collision);
    assert!(exact.build(&collision, 0));
}
