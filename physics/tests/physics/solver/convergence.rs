//! Order of convergence of the errors in the length of a substep.

use crate::support::reference::{Case, case};

/// Substeps per contact.
const RESOLUTIONS: [f64; 4] = [8.0, 16.0, 32.0, 64.0];
const PHASES: u32 = 20;
/// The laboratory takes at least 4 substeps a sample; at P = 1 it takes no more.
const SUBSTEPS_A_SAMPLE: f64 = 4.0;

/// Largest errors of v_out over v_in and of the contact time over 20 phases of onset, with dt = tau/`resolution` exactly.
fn errors(case: &Case, resolution: f64) -> (f64, f64) {
    let known = &case.first_contact;
    let rate = resolution / known.duration / SUBSTEPS_A_SAMPLE;
    let mut worst = (0.0_f64, 0.0_f64);
    for phase in 0..PHASES {
        let lead = f64::from(phase) / f64::from(PHASES) / rate;
        let report = case.strike(rate, 1.0, lead);
        let (expected, contact) = (resolution as u64, &report.contacts[0]);
        assert!(report.solver.substeps.abs_diff(expected) <= 3, "{} substeps instead of {expected}", report.solver.substeps);
        let (out, duration) = (contact.velocity_out.expect("has ended"), contact.duration.expect("has ended"));
        worst.0 = worst.0.max(((out - known.velocity_out) / case.striker.velocity).abs());
        worst.1 = worst.1.max((duration / known.duration - 1.0).abs());
    }
    worst
}

fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

fn shown(errors: &[f64]) -> String {
    errors.iter().map(|error| format!("{error:.2e} ")).collect()
}

/// mu v = 0.03: fourth order.
#[test]
fn lightly_damped_contacts_converge_with_order_four() {
    let case = case("R01");
    let (velocity, duration): (Vec<_>, Vec<_>) = RESOLUTIONS.map(|r| errors(&case, r)).into_iter().unzip();
    println!("velocity {} {:?}; duration {} {:?}", shown(&velocity), orders(&velocity), shown(&duration), orders(&duration));
    for (order, least) in orders(&velocity).into_iter().zip([3.85, 3.95, 4.2]) {
        assert!(order >= least, "{:?}, errors {}", orders(&velocity), shown(&velocity));
    }
    for (order, least) in orders(&duration).into_iter().zip([3.6, 3.6, 3.6]) {
        assert!(order >= least, "{:?}, errors {}", orders(&duration), shown(&duration));
    }
    assert!(velocity[0] <= 2e-5 && velocity[3] <= 4e-9, "{}", shown(&velocity));
}

/// mu v = 0.5: the loss is resolved with second order in the end.
#[test]
fn damped_contacts_converge_with_order_two() {
    let case = case("R02");
    let velocity = RESOLUTIONS.map(|r| errors(&case, r).0);
    println!("velocity {} {:?}", shown(&velocity), orders(&velocity));
    for (order, least) in orders(&velocity).into_iter().zip([0.8, 1.45, 1.85]) {
        assert!(order >= least, "{:?}, errors {}", orders(&velocity), shown(&velocity));
    }
}

/// mu = 0: the speed is exact for any step, the contact time converges with order four.
#[test]
fn elastic_contacts_are_exact_for_any_step() {
    let case = case("R05");
    let (velocity, duration): (Vec<_>, Vec<_>) = RESOLUTIONS.map(|r| errors(&case, r)).into_iter().unzip();
    println!("velocity {}; duration {} {:?}", shown(&velocity), shown(&duration), orders(&duration));
    assert!(velocity.iter().all(|&error| error <= 2e-14), "{}", shown(&velocity));
    assert!(orders(&duration).into_iter().all(|order| order >= 3.6), "{:?}, errors {}", orders(&duration), shown(&duration));
}
