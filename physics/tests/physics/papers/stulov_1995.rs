//! The felt with which [AR] compare their force: A. Stulov, "Hysteretic model of the grand piano hammer felt", JASA 97, 1995.

use super::avanzini_rocchesso_2001::{RATE, page};
use crate::support::page::rough;
use crate::support::plot::{Axis, Corner, Curve, Line, Plot};
use urto_physics::contact::{ContactLaw, Felt};
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabStriker, Report, TracePoint};

const MASS: f64 = 5e-3;
const SPEED: f64 = 2.0;
const STIFFNESS: f64 = 2e9;
const EXPONENT: f64 = 2.5;

fn strike(epsilon: f64, tau: f64, substeps_per_contact: f64) -> (Report, Vec<TracePoint>) {
    let experiment = Experiment {
        sample_rate: RATE,
        duration: Some(0.01),
        substeps_per_contact,
        law: ContactLaw::felt(STIFFNESS, EXPONENT, epsilon, tau),
        method: Method::Edg,
        corrections: Corrections::None,
        striker: LabStriker { mass: MASS, velocity: SPEED, position: 0.0, gravity: 0.0, modes: vec![] },
        body: vec![],
    };
    let mut trace = Vec::new();
    let report = experiment.run(&mut |point| trace.push(*point));
    (report, trace)
}

/// Speed after the contact and largest force by the integral itself: x by small Verlet steps of dt [s], the integral over the whole
/// history again at each of them, by the trapezoidal rule.
fn by_the_integral(epsilon: f64, tau: f64, dt: f64) -> (f64, f64) {
    let (mut history, mut x, mut v, mut force, mut peak) = (vec![0.0], 0.0, SPEED, 0.0, 0.0_f64);
    while x >= 0.0 && history.len() < 40_000 {
        v -= 0.5 * dt * force / MASS;
        x += dt * v;
        history.push(f64::max(x, 0.0).powf(EXPONENT));
        let now = history.len() - 1;
        let fade = |s: usize| (-((now - s) as f64) * dt / tau).exp();
        let ends = 0.5 * (history[0] * fade(0) + history[now]);
        let earliest = now.saturating_sub((40.0 * tau / dt) as usize).max(1);
        let integral = dt * (ends + (earliest..now).map(|s| history[s] * fade(s)).sum::<f64>());
        force = (STIFFNESS * (history[now] - epsilon / tau * integral)).max(0.0);
        peak = peak.max(force);
        v -= 0.5 * dt * force / MASS;
    }
    (v, peak)
}

#[test]
fn stulovs_law_is_passive_and_follows_its_integral() {
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    let lines = [Line::Solid, Line::Dashed, Line::Dotted];
    for ((epsilon, tau), line) in [(0.5, 2e-4), (0.9, 2e-4), (0.95, 2e-5)].into_iter().zip(lines) {
        let (known, peak) = by_the_integral(epsilon, tau, 5e-7);
        let (report, trace) = strike(epsilon, tau, 64.0);
        let (energy, contact) = (&report.energy, &report.contacts[0]);
        assert!(energy.largest_balance_residual <= 1e-13 * energy.initial, "{energy:?}");
        assert!(energy.largest_unsupplied_increase <= 1e-15 * energy.initial, "{energy:?}");
        assert!(energy.lost_in_contact > 0.0 && energy.lost_in_contact < energy.initial);
        let error = contact.velocity_out.expect("has ended") / known - 1.0;
        assert!(error.abs() < 1e-3, "{epsilon} {tau}: {error:e}");
        assert!((contact.peak_force / peak - 1.0).abs() < 5e-3, "{} N instead of {peak} N", contact.peak_force);
        rows.push(vec![
            format!("{epsilon}"),
            format!("{tau}"),
            format!("{known:.4}"),
            rough(error.abs()),
            format!("{peak:.2}"),
            rough((contact.peak_force / peak - 1.0).abs()),
            format!("{:.4}", energy.lost_in_contact / energy.initial),
        ]);
        let name = format!("epsilon = {epsilon}, tau = {} µs", (1e6 * tau).round());
        let points = trace.iter().filter(|p| p.compression >= 0.0).map(|p| (1e3 * p.compression, p.force));
        curves.push(Curve::new(name, line, points));
    }
    let header = ["epsilon", "tau, s", "v_out by the integral, m/s", "error", "largest force, N", "error", "lost, share"];
    page().table("felt", &header, &rows);
    let (x, y) = (Axis::new("compression (mm)"), Axis::new("force (N)"));
    page().figure("felt", &Plot::new("Stulov's felt, 5 g at 2 m/s", x, y, curves).legend(Corner::UpperLeft));
}

/// Loaded and unloaded at will, the felt never gives back more than it took: the hysteresis loop runs one way, also where a slow
/// felt lets go of the hammer and is met again.
#[test]
fn no_load_cycle_adds_energy() {
    let law = Felt::new(STIFFNESS, EXPONENT, 0.9, 1e-4);
    for (deep, period) in [(1e-3, 1e-5), (1e-3, 1e-4), (1e-3, 1e-3), (1e-3, 1e-1)] {
        let (steps, mut y, mut work) = (20_000, 0.0, 0.0);
        let dt = period / f64::from(steps);
        let place = |i: i32| deep * (0.6 - 0.4 * (std::f64::consts::TAU * f64::from(i) / f64::from(steps)).cos());
        let mut cycle = 0.0;
        for turn in 0..8 {
            work = 0.0;
            for i in 0..steps {
                let (from, to) = (place(i), place(i + 1));
                work += 0.5 * (law.force(from, y) + law.force(to, y)) * (to - from);
                y = law.relaxing(y, to, dt);
            }
            cycle = if turn == 0 { work } else { cycle };
        }
        assert!(work > 0.0 && cycle > 0.0, "period {period}: {work} J a cycle");
    }
}
