//! [Rath] section 3 and slides: contact laws of several linear segments.

use super::rath::{RATE, object, page};
use super::rath_string::largest_gain;
use crate::support::page::rough;
use crate::support::reference::case;
use urto_physics::contact::ContactLaw;
use urto_physics::contact::RigidImpact;
use urto_physics::lab::Piecewise;
use urto_physics::lab::{Scheme, System};
use urto_physics::modal::Mode;

/// Piecewise against the reference solution of `name`: error of v_out over v_in.
fn piecewise_error(name: &str, segments: usize) -> f64 {
    let case = case(name);
    let experiment = case.experiment(RATE, 16.0, 0.3 / RATE);
    let system = System::of(&experiment);
    let mut state = system.initial_state(experiment.striker.velocity);
    let mut scheme = Piecewise::new(segments);
    let mut touched = false;
    for _ in 0..1000 {
        let cost = scheme.step(&system, &mut state);
        assert!(!cost.unconverged);
        if touched && state.force == 0.0 {
            break;
        }
        touched = state.force != 0.0;
    }
    (state.v[0] * system.weights[0] - case.first_contact.velocity_out).abs() / experiment.striker.velocity
}

/// "Contact force laws with several linear phases approximating laws such as Hertz's or Hunt and Crossley's".
#[test]
fn more_segments_approach_the_curved_law() {
    let mut rows = Vec::new();
    for (name, what, bounds) in [
        ("R01", "wall, alpha 1.1, mu v .03", [2e-4, 6e-5, 2e-5]),
        ("R02", "wall, alpha 1.5, mu v .5", [2e-3, 5e-4, 1.5e-4]),
        ("M01", "3 modes, alpha 1.5, soft", [5e-4, 1.2e-4, 3e-5]),
        ("M02", "3 modes, alpha 1.5", [1e-3, 2e-4, 3e-5]),
        ("M05", "3 modes, alpha 2.8", [2e-4, 1e-4, 3e-5]),
        ("M07", "plate of 50 modes, alpha 1.5", [1e-4, 5e-5, 1.5e-5]),
    ] {
        let errors = [8, 16, 32].map(|segments| piecewise_error(name, segments));
        assert!(errors.iter().zip(bounds).all(|(error, bound)| *error < bound), "{name}: {errors:?}");
        assert!(errors[2] < 0.2 * errors[0], "{name}: {errors:?}");
        rows.push(std::iter::once(what.to_owned()).chain(errors.map(rough)).collect());
    }
    // a straight law needs no segments: exact
    assert!(["R06", "M19"].iter().all(|name| piecewise_error(name, 4) < 1e-13));
    page().table("segments", &["strike", "8 segments", "16", "32"], &rows);
}

/// All of its knots and its turn lie within one sample.
#[test]
fn a_contact_far_shorter_than_a_sample_is_resolved() {
    let impact = RigidImpact { mass: 1e-4, stiffness: 1e12, exponent: 1.5, damping: 0.3, velocity: 2.0 };
    let outs = [0.0, 0.3, 0.6, 0.9].map(|lead| {
        let mut system = System {
            h: 1.0 / RATE,
            modes: vec![Mode::RIGID],
            weights: vec![1.0 / impact.mass.sqrt()],
            push: vec![0.0],
            gap: 0.0,
            striker_modes: 1,
            law: ContactLaw::hunt_crossley(impact.stiffness, impact.exponent, impact.damping),
        };
        assert!(impact.duration() < 0.2 * system.h);
        system.gap = lead * system.h * impact.velocity;
        let mut state = system.initial_state(impact.velocity);
        let mut scheme = Piecewise::new(32);
        scheme.step(&system, &mut state);
        scheme.step(&system, &mut state);
        state.v[0] * system.weights[0]
    });
    for out in outs {
        assert!(
            (out - outs[0]).abs() < 1e-11 && (out - impact.velocity_out()).abs() < 1e-3,
            "{outs:?} {}",
            impact.velocity_out()
        );
    }
}

#[test]
fn the_piecewise_linear_law_gains_no_energy() {
    let (mut system, _) = object(1e5, 0.0, 0.001);
    for law in [
        ContactLaw::hunt_crossley(1e8, 1.5, 0.0),
        ContactLaw::hunt_crossley(1e8, 1.5, 0.5),
        ContactLaw::hunt_crossley(1e10, 2.8, 0.2),
    ] {
        system.law = law;
        let gain = largest_gain(&mut Piecewise::new(16), system.clone(), 0.3, 20_000, |_, _| ());
        assert!(gain < 1e-13, "{gain:e}");
    }
}
