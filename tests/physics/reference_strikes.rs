//! The solver against the reference strikes: three sample rates, eight phases of onset within the sample.

use crate::reference::{Case, case, cases};
use urto::physics::strike::Report;

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
        let ledger = &report.energy;
        assert!(ledger.largest_unsupplied_increase <= 1e-14 * ledger.largest, "{}: {ledger:?}", case.name);
        assert!(ledger.largest_balance_residual <= 1e-12 * ledger.largest, "{}: {ledger:?}", case.name);
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
fn sixteen_substeps_meet_the_references() {
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
fn thirty_two_substeps_meet_the_references_more_closely() {
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

/// Bodies that strike back: every contact in turn, and the state at the end, which is made to fall on a sample.
#[test]
fn later_contacts_and_the_end_are_met() {
    for name in ["M11", "M13"] {
        let case = case(name);
        let (until, last) = (case.until.expect("observed for longer"), case.last.as_ref().expect("observed for longer"));
        for rate in RATES {
            let on_a_sample = (until * rate).ceil() / rate - until;
            let leads = (0..PHASES).map(|phase| f64::from(phase) / f64::from(PHASES) / rate).chain([on_a_sample]);
            for lead in leads {
                let report = case.strike(rate, 16.0, lead);
                assert_eq!(report.contacts.len(), case.contacts.len(), "{name}");
                let scale = case.first_contact.duration;
                for (found, known) in report.contacts.iter().zip(&case.contacts) {
                    let (end, out) = (found.end.expect("has ended"), found.velocity_out.expect("has ended"));
                    assert!((found.start - lead - known.start).abs() <= 1e-4 * scale, "{name} begins at {}", known.start);
                    assert!((end - lead - known.end).abs() <= 1e-4 * scale, "{name} ends at {}", known.end);
                    let error = (out - known.velocity_out) / case.striker.velocity;
                    assert!(error.abs() <= 1e-4, "{name} leaves at {}: {error:e}", known.end);
                }
            }
            let end = case.strike(rate, 16.0, on_a_sample).last;
            assert!((end.time - on_a_sample - until).abs() < 1e-12);
            let reached = (end.striker_position - last.striker_position) / (case.striker.velocity * until);
            assert!(reached.abs() <= 1e-4, "{name}: {reached:e}");
            let velocity = (end.striker_velocity - last.striker_velocity) / case.striker.velocity;
            assert!(velocity.abs() <= 1e-4, "{name}: {velocity:e}");
            for (found, known) in [(end.energy_body, last.energy_body), (end.energy_total, last.energy_total)] {
                assert!((found - known).abs() <= 5e-5 * case.initial_energy(), "{name}: {found} J instead of {known} J");
            }
        }
    }
}
