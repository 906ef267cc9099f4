//! The solver compared with the reference strikes at three sample rates and eight phases of the onset within a sample.

use crate::support::reference::{Case, case, cases};
use urto_physics::lab::Report;

const RATES: [f64; 3] = [44_100.0, 48_000.0, 96_000.0];
const PHASES: u32 = 8;

/// Largest errors of the first contact: velocity and energies over those at the onset, the rest relative.
#[derive(Debug, Default)]
struct Worst {
    velocity_out: f64,
    max_compression: f64,
    peak_force: f64,
    duration: f64,
    energy_body: f64,
    energy_striker: f64,
    start: f64,
}

impl Worst {
    fn note(&mut self, case: &Case, report: &Report, lead: f64) {
        let known = &case.first_contact;
        let found = &report.contacts[0];
        let (velocity_out, duration) =
            (found.velocity_out.expect("the contact has ended"), found.duration.expect("the contact has ended"));
        let mut note = |worst: fn(&mut Worst) -> &mut f64, error: f64| {
            assert!(error.is_finite(), "{}", case.name);
            let worst = worst(self);
            *worst = worst.max(error.abs());
        };
        note(|w| &mut w.velocity_out, (velocity_out - known.velocity_out) / case.striker.velocity);
        note(|w| &mut w.max_compression, found.max_compression / known.max_compression - 1.0);
        note(|w| &mut w.peak_force, found.peak_force / known.peak_force - 1.0);
        note(|w| &mut w.duration, duration / known.duration - 1.0);
        note(|w| &mut w.energy_body, (found.energy_body - known.energy_body) / case.initial_energy());
        let energy_striker = known.energy_striker.unwrap_or(0.5 * case.striker.mass * known.velocity_out.powi(2));
        note(|w| &mut w.energy_striker, (found.energy_striker - energy_striker) / case.initial_energy());
        note(|w| &mut w.start, (found.start - lead) / known.duration);
        assert!(report.solver.most_iterations <= 32 && report.solver.most_substeps_in_a_sample <= 256, "{}", case.name);
        let balance = &report.energy;
        assert!(balance.largest_unsupplied_increase <= 1e-14 * balance.largest, "{}: {balance:?}", case.name);
        assert!(balance.largest_balance_residual <= 1e-12 * balance.largest, "{}: {balance:?}", case.name);
    }
}

fn worst_of(case: &Case, substeps: f64) -> Worst {
    let mut worst = Worst::default();
    for rate in RATES {
        for phase in 0..PHASES {
            let lead = f64::from(phase) / f64::from(PHASES) / rate;
            worst.note(case, &case.strike(rate, substeps, lead), lead);
        }
    }
    worst
}

#[test]
fn sixteen_substeps_match_the_references() {
    for case in cases() {
        let worst = worst_of(&case, 16.0);
        println!("{:24} {worst:?}", case.name);
        assert!(worst.velocity_out <= 1e-4, "{}: {worst:?}", case.name);
        assert!(worst.max_compression <= 2e-4, "{}: {worst:?}", case.name);
        assert!(worst.peak_force <= 1e-3, "{}: {worst:?}", case.name);
        assert!(worst.duration <= 1e-4, "{}: {worst:?}", case.name);
        assert!(worst.energy_body <= 5e-5, "{}: {worst:?}", case.name);
        assert!(worst.energy_striker <= 2e-4, "{}: {worst:?}", case.name);
        assert!(worst.start <= 1e-9, "{}: {worst:?}", case.name);
    }
}

#[test]
fn thirty_two_substeps_match_the_references_more_closely() {
    for case in cases() {
        let worst = worst_of(&case, 32.0);
        println!("{:24} {worst:?}", case.name);
        assert!(worst.velocity_out <= 8e-5, "{}: {worst:?}", case.name);
    }
}

/// Without loss the wall gives back the speed whatever the steps.
#[test]
fn an_elastic_wall_returns_the_speed_exactly() {
    for name in ["R05", "R06"] {
        let case = case(name);
        for substeps in [1.0, 4.0, 16.0, 32.0] {
            let worst = worst_of(&case, substeps);
            assert!(worst.velocity_out <= 2e-14, "{name}, P = {substeps}: {worst:?}");
        }
    }
}

/// Bodies that strike back: every contact in turn, and the state at the end, which is made to fall on a sample. The later contacts
/// inherit the errors of the earlier ones; all fall with the square of the substep.
#[test]
fn later_contacts_and_the_end_state_match() {
    for name in ["M11", "M13"] {
        let case = case(name);
        for rate in RATES {
            let until = case.until.expect("observed for longer");
            let on_a_sample = (until * rate).ceil() / rate - until;
            let phases = (0..PHASES).map(|phase| f64::from(phase) / f64::from(PHASES) / rate);
            for lead in phases.chain([on_a_sample]) {
                assert_history(&case, &case.strike(rate, 16.0, lead), lead, 4e-4, 1e-4);
                assert_history(&case, &case.strike(rate, 64.0, lead), lead, 4e-5, 1e-5);
            }
            assert_end(&case, &case.strike(rate, 16.0, on_a_sample), on_a_sample);
        }
    }
}

/// Instants to within `time` of the first contact's duration, velocities to within `velocity` of that at the onset.
fn assert_history(case: &Case, report: &Report, lead: f64, time: f64, velocity: f64) {
    assert_eq!(report.contacts.len(), case.contacts.len(), "{}", case.name);
    for (n, (found, known)) in report.contacts.iter().zip(&case.contacts).enumerate() {
        let start = (found.start - lead - known.start) / case.first_contact.duration;
        let end = (found.end.expect("has ended") - lead - known.end) / case.first_contact.duration;
        let out = (found.velocity_out.expect("has ended") - known.velocity_out) / case.striker.velocity;
        let met = start.abs() <= time && end.abs() <= time && out.abs() <= velocity;
        assert!(met, "{}, contact {n}: start {start:e}, end {end:e}, velocity {out:e} off", case.name);
    }
}

fn assert_end(case: &Case, report: &Report, lead: f64) {
    let (until, known, found) = (case.until.expect("observed"), case.last.as_ref().expect("observed"), &report.last);
    assert!((found.time - lead - until).abs() < 1e-12, "{}", case.name);
    let way = (found.striker_position - known.striker_position) / (case.striker.velocity * until);
    let velocity = (found.striker_velocity - known.striker_velocity) / case.striker.velocity;
    let body = (found.energy_body - known.energy_body) / case.initial_energy();
    let total = (found.energy_total - known.energy_total) / case.initial_energy();
    println!("{}: way {way:e}, velocity {velocity:e}, energies {body:e} and {total:e} off", case.name);
    assert!(way.abs() <= 1e-4 && velocity.abs() <= 1e-4, "{}: way {way:e}, velocity {velocity:e} off", case.name);
    assert!(body.abs() <= 5e-5 && total.abs() <= 5e-5, "{}: energies {body:e} and {total:e} off", case.name);
}
