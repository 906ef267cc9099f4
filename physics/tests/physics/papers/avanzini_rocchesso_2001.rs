//! [AR]: Avanzini, Rocchesso, "Modeling collision sounds: non-linear contact force", DAFx 2001. Its figures and their claims; the
//! numerical ones of section 4 are in `avanzini_rocchesso_2001_runs.rs`.

use crate::support::page::{Page, rough, signed};
use crate::support::plot::{Axis, Corner, Curve, Line, Mark, Plot};
use std::f64::consts::TAU;
use urto_physics::contact::ContactLaw;
use urto_physics::contact::RigidImpact;
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabMode, LabStriker, Report, TracePoint};

/// The paper's sample rate [Hz], section 4.1.
pub const RATE: f64 = 44_100.0;
/// Figure 1, at 1 m/s.
pub const FIGURE_1: RigidImpact = RigidImpact { mass: 0.01, stiffness: 1.5e11, exponent: 2.8, damping: 0.6, velocity: 1.0 };
/// Speeds of figure 1 [m/s].
const SPEEDS: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
/// Partials of a free bar from 500 Hz [Hz]; the paper leaves its three open.
pub const BAR: [f64; 3] = [500.0, 1392.0, 2727.0];
/// m/k of figures 4 and 5 [kg m^2.8/N].
pub const RATIOS: [f64; 7] = [6e-12, 12e-12, 25e-12, 50e-12, 100e-12, 200e-12, 300e-12];

pub fn page() -> Page {
    Page::of("avanzini_rocchesso_2001")
}

/// Equation (5): one oscillator a partial [Hz], all of `mass` [kg] and the same quality factor.
pub fn resonator(partials: &[f64], mass: f64, quality: f64) -> Vec<LabMode> {
    let mode = |&frequency: &f64| LabMode { frequency, decay: 0.5 * TAU * frequency / quality, mass, shape: 1.0 };
    partials.iter().map(mode).collect()
}

/// A hit on `body` (no modes: type I, with modes: type II) until the first contact has ended.
pub fn experiment(hit: RigidImpact, method: Method, body: Vec<LabMode>) -> Experiment {
    Experiment {
        sample_rate: RATE,
        duration: None,
        substeps_per_contact: 32.0,
        law: ContactLaw::hunt_crossley(hit.stiffness, hit.exponent, hit.damping),
        method,
        corrections: Corrections::None,
        striker: LabStriker { mass: hit.mass, velocity: hit.velocity, position: 0.0, gravity: 0.0, modes: vec![] },
        body,
    }
}

pub fn run(experiment: &Experiment) -> (Report, Vec<TracePoint>) {
    let mut trace = Vec::new();
    let report = experiment.run(&mut |point| trace.push(*point));
    (report, trace)
}

pub fn duration(report: &Report) -> f64 {
    report.contacts[0].duration.expect("the contact has ended")
}

/// Figure 1: the strike follows (3), the force never pulls and never vanishes while there is compression.
#[test]
fn figure_1_phase_portrait_and_hysteresis() {
    let (mut portraits, mut loops) = (Vec::new(), Vec::new());
    for velocity in SPEEDS {
        let hit = RigidImpact { velocity, ..FIGURE_1 };
        let (_, trace) = run(&Experiment { substeps_per_contact: 128.0, ..experiment(hit, Method::Edg, vec![]) });
        let law = ContactLaw::hunt_crossley(hit.stiffness, hit.exponent, hit.damping);
        let deepest = hit.max_compression();
        let pressed = || trace.iter().filter(|point| point.compression > 0.0);
        for point in pressed() {
            let (x, v) = (point.compression, point.velocity);
            assert!(law.force(x, v, 0.0) > 0.0 && v > hit.limiting_velocity(), "{velocity} m/s: at {x} m, {v} m/s");
            // on the line (3), within a thousandth of the speed and of the depth
            let near = [-1e-3, 0.0, 1e-3].map(|off| hit.compression_at(v + off * velocity));
            let (low, high) = (near.into_iter().fold(f64::INFINITY, f64::min), near.into_iter().fold(0.0, f64::max));
            let spare = 1e-3 * deepest;
            assert!(low - spare <= x && x <= high + spare, "{velocity} m/s: {x} m at {v} m/s");
        }
        assert!(pressed().count() > 100);
        let exact: Vec<_> = hit.phase_portrait(200).collect();
        portraits.push(Curve::new("(3)", Line::Solid, exact.iter().map(|p| (1e3 * p.compression, p.velocity))));
        loops.push(Curve::new("(3)", Line::Solid, exact.iter().map(|p| (1e3 * p.compression, p.force))));
        let marks = || pressed().step_by(9);
        portraits.push(Curve::new("EDG-D", Line::None, marks().map(|p| (1e3 * p.compression, p.velocity))).marked(Mark::Dot));
        let force = |p: &TracePoint| law.force(p.compression, p.velocity, 0.0);
        loops.push(Curve::new("EDG-D", Line::None, marks().map(|p| (1e3 * p.compression, force(p)))).marked(Mark::Dot));
    }
    let limit = FIGURE_1.limiting_velocity();
    portraits.push(Curve::new("v_lim", Line::Thin, [(0.0, limit), (0.7, limit)]));
    let (x, y) = (Axis::new("compression (mm)"), Axis::new("compression velocity (m/s)"));
    page().figure("fig1a", &Plot::new("Phase portrait, v_in = 1 to 4 m/s", x, y, portraits).legend(Corner::MiddleMiddle));
    let (x, y) = (Axis::new("compression (mm)"), Axis::new("force (N)"));
    page().figure("fig1b", &Plot::new("Force and compression, v_in = 1 to 4 m/s", x, y, loops).legend(Corner::UpperLeft));
}

/// Figure 2: an attack. The impulse of the force is the momentum that the hammer loses; apart, nothing acts on it.
#[test]
fn figure_2_attack_transient() {
    let hit = RigidImpact { velocity: 2.0, ..FIGURE_1 };
    let (report, trace) = run(&Experiment { duration: Some(4e-3), ..experiment(hit, Method::Edg, resonator(&BAR, 0.05, 100.0)) });
    let first = &report.contacts[0];
    let end = first.end.expect("has ended");
    let out = first.velocity_out.expect("has ended");
    let steps = || trace.windows(2).filter(|step| step[0].time < end);
    let impulse: f64 = steps().map(|step| step[1].force * (step[1].time - step[0].time)).sum();
    let momentum = hit.mass * (hit.velocity - out);
    assert!((impulse / momentum - 1.0).abs() < 1e-12, "{impulse} N s for {momentum} kg m/s");
    let next = report.contacts.get(1).map_or(f64::INFINITY, |contact| contact.start);
    for point in trace.iter().filter(|point| point.time > end && point.time < next) {
        assert!((point.striker_velocity - out).abs() < 1e-12 * hit.velocity && point.compression < 1e-12);
    }
    assert!(report.energy.largest_balance_residual <= 1e-13 * report.energy.initial, "{:?}", report.energy);
    let milli = |of: fn(&TracePoint) -> f64| trace.iter().map(move |p| (1e3 * p.time, 1e3 * of(p)));
    let curves = vec![
        Curve::new("hammer", Line::Solid, milli(|p| p.striker_position)),
        Curve::new("resonator", Line::Dashed, milli(|p| p.striker_position - p.compression)),
    ];
    let (x, y) = (Axis::new("time (ms)"), Axis::new("displacement (mm)"));
    page().figure("fig2a", &Plot::new("Attack: displacements", x, y, curves).legend(Corner::LowerLeft));
    let force = Curve::new("f", Line::Solid, trace.iter().map(|p| (1e3 * p.time, p.force)));
    let (x, y) = (Axis::new("time (ms)"), Axis::new("force (N)"));
    page().figure("fig2b", &Plot::new("Attack: contact force", x, y, vec![force]));
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("contact time, ms", format!("{:.4}", 1e3 * duration(&report))),
        row("on a rigid wall (9), ms", format!("{:.4}", 1e3 * hit.duration())),
        row("v_out, m/s", signed(out, 4)),
        row("on a rigid wall (6), m/s", signed(hit.velocity_out(), 4)),
        row("share of the energy left in the resonator", format!("{:.4}", first.energy_body / report.energy.initial)),
    ];
    page().table("attack", &["", ""], &rows);
}

/// Figure 3: v_in and v_out are where exp(mu v) meets a (1 + mu v); nothing but mu and v_in enters.
#[test]
fn figure_3_graphic_study_of_v_out() {
    let mu = FIGURE_1.damping;
    let (mut curves, mut rows) = (Vec::new(), Vec::new());
    for velocity in SPEEDS {
        let hit = RigidImpact { velocity, ..FIGURE_1 };
        let a = (mu * velocity).exp() / (1.0 + mu * velocity);
        let out = hit.velocity_out();
        assert!(a > 1.0 && ((mu * out).exp() / (a * (1.0 + mu * out)) - 1.0).abs() < 1e-13);
        let mut worst = 0.0_f64;
        for (mass, stiffness, exponent) in [(0.01, 1.5e11, 2.8), (1.0, 1.5e11, 2.8), (0.01, 1e6, 2.8), (0.01, 1e8, 1.5)] {
            let other = RigidImpact { mass, stiffness, exponent, ..hit };
            let found = run(&experiment(other, Method::Edg, vec![])).0.contacts[0].velocity_out.expect("has ended");
            worst = worst.max((found / out - 1.0).abs());
        }
        assert!(worst < 3e-4, "{velocity} m/s: {worst:e}");
        rows.push(vec![format!("{velocity}"), signed(out, 6), rough(worst)]);
        let line = |v: f64| (v, a * (1.0 + mu * v));
        curves.push(Curve::new("a (1 + mu v)", Line::Dashed, [line(-1.667), line(velocity)]));
        curves.push(Curve::new("v_out, v_in", Line::None, [line(out), line(velocity)]).marked(Mark::Circle));
    }
    let exponential = (-24..=56).map(|i| f64::from(i) / 14.0).map(|v| (v, (mu * v).exp()));
    curves.push(Curve::new("exp(mu v)", Line::Solid, exponential));
    page().table("v-out", &["v_in, m/s", "v_out by (6), m/s", "largest error of EDG-D over m, k, alpha"], &rows);
    let (x, y) = (Axis::new("v (m/s)"), Axis::new("exp(mu v), a (1 + mu v) (1)"));
    page().figure("fig3", &Plot::new("v_out as an intersection", x, y, curves).legend(Corner::UpperLeft));
}
