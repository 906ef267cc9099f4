//! [PAR]: Papetti, Avanzini, Rocchesso, "Energy and accuracy issues in numerical simulations of a non-linear impact model", 2011.

use crate::support::page::{Page, rough, signed};
use crate::support::plot::{Axis, Corner, Curve, Line, Mark, Plot};
use urto_physics::contact::ContactLaw;
use urto_physics::contact::RigidImpact;
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabStriker, Report, TracePoint};

/// The paper's sample rate [Hz], section 3.3.
pub const RATE: f64 = 44_100.0;

/// The paper's methods in its order, with the look of their curves.
pub const METHODS: [(Method, &str, Line, Mark); 4] = [
    (Method::KMethod, "AM1", Line::Solid, Mark::Circle),
    (Method::Verlet, "Verlet", Line::Dashed, Mark::Triangle),
    (Method::Heun, "Heun", Line::Dotted, Mark::Square),
    (Method::Rk4, "RK4", Line::DashDotted, Mark::Cross),
];

/// Case 1: mu v_in to 0, figure 5 and table 1(a).
pub const CASE_1: RigidImpact = RigidImpact { mass: 0.01, stiffness: 1e7, exponent: 1.1, damping: 0.1, velocity: 0.3 };
/// Case 2: a hard impact with mu v_in = 0.5, figure 6 and table 1(b).
pub const CASE_2: RigidImpact = RigidImpact { mass: 0.01, stiffness: 1e9, exponent: 1.5, damping: 0.5, velocity: 1.0 };
/// Figure 4: a soft impact.
const SOFT: RigidImpact = RigidImpact { mass: 0.01, stiffness: 1e6, exponent: 1.6, damping: 0.5, velocity: 0.3 };

pub fn page() -> Page {
    Page::of("papetti_2011")
}

/// The hit at the paper's rate, begun `lead` samples before the contact.
pub fn experiment(hit: RigidImpact, method: Method, lead: f64) -> Experiment {
    Experiment {
        sample_rate: RATE,
        duration: None,
        substeps_per_contact: 16.0,
        law: ContactLaw::hunt_crossley(hit.stiffness, hit.exponent, hit.damping),
        method,
        corrections: Corrections::None,
        striker: LabStriker {
            mass: hit.mass,
            velocity: hit.velocity,
            position: -hit.velocity * lead / RATE,
            gravity: 0.0,
            modes: vec![],
        },
        body: vec![],
    }
}

pub fn run(experiment: &Experiment) -> (Report, Vec<TracePoint>) {
    let mut trace = Vec::new();
    let report = experiment.run(&mut |point| trace.push(*point));
    (report, trace)
}

pub fn velocity_out(report: &Report) -> f64 {
    report.contacts[0].velocity_out.expect("the contact has ended")
}

pub fn percent(value: f64, exact: f64) -> f64 {
    100.0 * (value / exact - 1.0)
}

/// "n.e." as the paper prints it, or by how much x_max is exceeded.
pub fn exceeded(report: &Report, hit: RigidImpact) -> String {
    let error = percent(report.contacts[0].max_compression, hit.max_compression());
    if error > 0.0 { signed(error, 3) } else { "n.e.".into() }
}

/// x_max ("n.e.": not exceeded), v_out and H_tau of one method as printed, in percent.
type Entry = (&'static str, f64, f64);

/// Table 1. The state is (0, v_in) at n = 0; v_out is the velocity at the first later sample with x <= 0. The paper compares
/// case 1 with either form of v_out (they agree there), case 2 with the approximation (7) and (8).
#[test]
fn table_1() {
    const PRINTED: [(&str, RigidImpact, [Entry; 4]); 2] = [
        ("1a", CASE_1, [("n.e.", 1.293, 2.603), ("+1.122", 1.660, 3.348), ("+1.254", 1.467, 2.955), ("n.e.", -0.125, -0.250)]),
        ("1b", CASE_2, [("n.e.", 2.551, 5.166), ("n.e.", 0.839, 1.685), ("n.e.", -4.692, -9.164), ("n.e.", -0.105, -0.211)]),
    ];
    for (name, hit, printed) in PRINTED {
        let (mut rows, exact, approximate) = (Vec::new(), hit.velocity_out(), hit.approximate_velocity_out());
        for ((method, label, ..), (deepest, velocity, energy)) in METHODS.into_iter().zip(printed) {
            let (report, _) = run(&experiment(hit, method, 0.0));
            let out = velocity_out(&report);
            let (found, against_exact) = (percent(out, approximate), percent(out, exact));
            let squared = |reference: f64| percent(out * out, reference * reference);
            assert!((found - velocity).abs() <= 1e-3, "{name} {label}: v_out {found}, printed {velocity}");
            assert!((squared(approximate) - energy).abs() <= 1e-3, "{name} {label}: H_tau {}", squared(approximate));
            let energy_error = percent(report.contacts[0].energy_striker, 0.5 * hit.mass * approximate * approximate);
            assert!((energy_error - energy).abs() <= 1e-3, "{name} {label}: the energy is that of the velocity");
            let ours = exceeded(&report, hit);
            let same = ours == deepest || (percent_of(&ours) - percent_of(deepest)).abs() <= 1e-3;
            assert!(same, "{name} {label}: x_max {ours}, printed {deepest}");
            rows.push(vec![
                label.into(),
                deepest.into(),
                ours,
                signed(velocity, 3),
                signed(found, 4),
                signed(energy, 3),
                signed(squared(approximate), 4),
                signed(against_exact, 4),
                signed(squared(exact), 4),
            ]);
        }
        let header = [
            "error in %",
            "x_max printed",
            "here",
            "v_out printed",
            "here",
            "H_tau printed",
            "here",
            "v_out against (6)",
            "H_tau against (6)",
        ];
        page().table(name, &header, &rows);
    }
}

/// Heun's method as textbooks have it, with a new f_n at (x_n, v_n), is another method: it does not give the table's entries.
#[test]
fn table_1_does_not_use_the_textbook_heun_scheme() {
    for (hit, known) in [(CASE_1, 1.555), (CASE_2, -1.795)] {
        let (law, h) = (experiment(hit, Method::Heun, 0.0).law, 1.0 / RATE);
        let acceleration = |x: f64, v: f64| -law.force(x, v, 0.0) / hit.mass;
        let (mut x, mut v) = (0.0, hit.velocity);
        while x > 0.0 || v > 0.0 {
            let slope = acceleration(x, v);
            let predicted = v + h * slope;
            x += 0.5 * h * (v + predicted);
            v += 0.5 * h * (slope + acceleration(x, predicted));
        }
        let found = percent(v, hit.approximate_velocity_out());
        assert!((found - known).abs() <= 1e-3, "{found} %");
    }
}

fn percent_of(entry: &str) -> f64 {
    entry.parse().unwrap_or(f64::NAN)
}

/// The last column of table 1: error of (7) and (8) against (6). Printed: about -1e-2 and -1e-4 %.
#[test]
fn table_1_last_column() {
    let error = |hit: RigidImpact| percent(hit.approximate_velocity_out(), hit.velocity_out());
    let metres = |hit: RigidImpact| hit.approximate_velocity_out() - hit.velocity_out();
    let (first, second) = (error(CASE_1), error(CASE_2));
    assert!((first / -3.32e-7 - 1.0).abs() < 1e-2, "{first:e}");
    assert!((second / 1.253e-2 - 1.0).abs() < 1e-3, "{second:e}");
    assert!((metres(CASE_2) / -9.38e-5 - 1.0).abs() < 1e-3, "{:e}", metres(CASE_2));
    let row = |name: &str, printed: &str, hit: RigidImpact| {
        vec![name.into(), printed.into(), format!("{:+.2e}", error(hit)), format!("{:+.2e}", metres(hit))]
    };
    let rows = [row("case 1", "~ -1e-2", CASE_1), row("case 2", "~ -1e-4", CASE_2)];
    page().table("last-column", &["", "printed, %", "true error, %", "true error, m/s"], &rows);
}

/// The entries of table 1 belong to a contact that begins on a sample; begun between two they are others.
#[test]
fn table_1_depends_on_the_phase() {
    const PHASES: u32 = 400;
    let mut rows = Vec::new();
    for (name, hit) in [("case 1", CASE_1), ("case 2", CASE_2)] {
        for (method, label, ..) in METHODS {
            let errors = (0..PHASES).map(|phase| {
                let lead = f64::from(phase) / f64::from(PHASES);
                percent(velocity_out(&run(&experiment(hit, method, lead)).0), hit.velocity_out())
            });
            let (low, high) = errors.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), error| (a.min(error), b.max(error)));
            let on_a_sample = percent(velocity_out(&run(&experiment(hit, method, 0.0)).0), hit.velocity_out());
            assert!(high - low > 0.1, "{name}, {label}: the phase matters: {low} to {high}");
            rows.push(vec![name.into(), label.into(), signed(on_a_sample, 2), signed(low, 2), signed(high, 2)]);
        }
    }
    let header = ["", "v_out against (6), %", "on a sample", "least of all phases", "largest"];
    page().table("phase", &header, &rows);
}

/// Figure 1: the phase portrait. The strike follows (3), leaves more slowly than it came, never faster than v_lim.
#[test]
fn figure_1_phase_portrait() {
    let (mut curves, mut last_out) = (Vec::new(), 0.0);
    let limit = CASE_2.limiting_velocity();
    for speed in [1.0, 2.0, 3.0, 4.0] {
        let hit = RigidImpact { velocity: speed, ..CASE_2 };
        let (report, trace) = run(&Experiment { substeps_per_contact: 64.0, ..experiment(hit, Method::Edg, 0.0) });
        let out = velocity_out(&report);
        assert!(out > limit && out.abs() < speed && out < last_out, "{speed} m/s: leaves with {out} m/s");
        last_out = out;
        for &TracePoint { compression, velocity, .. } in trace.iter().filter(|point| point.compression > 0.0) {
            let (v, spare) = (1e-3 * speed, 1e-3 * hit.max_compression());
            let near = [velocity - v, velocity, velocity + v].map(|v| hit.compression_at(v));
            let (low, high) = (near.into_iter().fold(f64::INFINITY, f64::min), near.into_iter().fold(0.0, f64::max));
            assert!(low - spare <= compression && compression <= high + spare, "{speed} m/s: {compression} m at {velocity} m/s");
        }
        let micro = |x: f64| 1e6 * x;
        let portrait = hit.phase_portrait(201).map(|p| (micro(p.compression), p.velocity));
        curves.push(Curve::new("contact, equation (3)", Line::Solid, portrait));
        let met = trace.iter().filter(|p| p.compression > 0.0).step_by(4).map(|p| (micro(p.compression), p.velocity));
        curves.push(Curve::new("contact, EDG-D (P = 64)", Line::None, met).marked(Mark::Circle));
        for v in [speed, out] {
            curves.push(Curve::new("free flight", Line::Dashed, [(-40.0, v), (0.0, v)]));
        }
    }
    curves.push(Curve::new("v_lim = -1/mu", Line::Thin, [(-40.0, limit), (160.0, limit)]));
    let (x, y) = (Axis::new("compression (µm)"), Axis::new("compression velocity (m/s)"));
    page().figure("fig1", &Plot::new("Phase portrait, v_in = 1 to 4 m/s", x, y, curves));
}

/// Figure 2: force over compression. The area of the loop is the energy that the contact takes, (17).
#[test]
fn figure_2_hysteresis() {
    let (mut curves, mut rows) = (Vec::new(), Vec::new());
    for speed in [1.0, 2.0, 3.0, 4.0] {
        let hit = RigidImpact { velocity: speed, ..CASE_2 };
        let loop_: Vec<_> = hit.phase_portrait(4001).collect();
        let area: f64 = loop_.windows(2).map(|p| 0.5 * (p[0].force + p[1].force) * (p[1].compression - p[0].compression)).sum();
        let lost = 0.5 * hit.mass * (speed * speed - hit.velocity_out().powi(2));
        assert!((area / lost - 1.0).abs() < 1e-5, "{speed} m/s: loop {area:e} J, lost {lost:e} J");
        let (report, trace) = run(&Experiment { substeps_per_contact: 64.0, ..experiment(hit, Method::Edg, 0.0) });
        assert!((report.energy.lost_in_contact / lost - 1.0).abs() < 2e-4, "{speed} m/s: {:?}", report.energy);
        rows.push(vec![
            signed(speed, 0),
            format!("{area:.6}"),
            format!("{lost:.6}"),
            format!("{:.6}", report.energy.lost_in_contact),
        ]);
        curves.push(Curve::new(
            "contact, (1) and (3)",
            Line::Solid,
            loop_.iter().step_by(20).map(|p| (1e6 * p.compression, p.force)),
        ));
        let middle = |p: &[TracePoint]| (5e5 * (p[0].compression + p[1].compression).max(0.0), p[1].force);
        let met = trace.windows(2).filter(|p| p[1].compression > 0.0).step_by(4).map(middle);
        curves.push(Curve::new("contact, EDG-D (P = 64)", Line::None, met).marked(Mark::Circle));
    }
    let deepest = RigidImpact { velocity: 4.0, ..CASE_2 }.max_compression();
    let spring = (0..=50).map(|i| f64::from(i) / 50.0 * deepest).map(|x| (1e6 * x, 1e9 * x.powf(1.5)));
    curves.push(Curve::new("without loss, k x^alpha", Line::Dashed, spring));
    page().table("loops", &["v_in, m/s", "area of the loop, J", "(17), J", "EDG-D's balance, J"], &rows);
    let (x, y) = (Axis::new("compression (µm)"), Axis::new("force (N)"));
    page().figure("fig2", &Plot::new("Force and compression, v_in = 1 to 4 m/s", x, y, curves).legend(Corner::UpperLeft));
}

/// Figure 3: error of (7) and (8) against the root of (6). It is the Taylor expansion to the 4th power of mu v_in.
#[test]
fn figure_3_error_of_the_approximation() {
    let error = |z: f64| {
        let hit = RigidImpact { velocity: z, damping: 1.0, ..CASE_1 };
        percent(hit.approximate_velocity_out(), hit.velocity_out())
    };
    let curve: Vec<(f64, f64)> = (1..=240).map(|i| 0.05 * f64::from(i)).map(|z| (z, error(z))).collect();
    let (worst_at, worst) =
        curve.iter().copied().fold((0.0, 0.0_f64), |a: (f64, f64), b| if b.1.abs() > a.1.abs() { b } else { a });
    assert!((worst - 2.06).abs() < 0.03 && (worst_at - 2.8).abs() < 0.3, "worst {worst} % at {worst_at}");
    // mu v_out is right up to the 4th power, hence the relative error falls with the 4th
    let order = (error(0.01) / error(0.005)).abs().log2();
    assert!((order - 4.0).abs() < 0.1, "order {order}");
    let rows: Vec<_> =
        [0.03, 0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0].map(|z| vec![format!("{z}"), format!("{:+.2e}", error(z))]).to_vec();
    page().table("approximation", &["mu v_in", "error of (7) and (8), %"], &rows);
    let (x, y) = (Axis::new("mu v_in (1)"), Axis::new("error of v_out (%)"));
    page().figure("fig3", &Plot::new("Error of (7) with (8)", x, y, vec![Curve::new("n = 4", Line::Solid, curve)]));
}

/// Energies of a run at its samples [mJ], time in samples.
pub fn energies(trace: &[TracePoint], part: fn(&TracePoint) -> f64) -> Vec<(f64, f64)> {
    trace.iter().map(|p| (p.time * RATE, 1e3 * part(p))).collect()
}

/// Figure 4: in a soft impact of 159 samples all methods agree with the closed forms, and H falls as (24) wants.
#[test]
fn figure_4_soft_impact() {
    let (mut rows, mut portraits, mut curves) = (Vec::new(), Vec::new(), Vec::new());
    for (method, label, line, _) in METHODS {
        let (report, trace) = run(&experiment(SOFT, method, 0.0));
        let (out, deepest) = (
            percent(velocity_out(&report), SOFT.velocity_out()),
            percent(report.contacts[0].max_compression, SOFT.max_compression()),
        );
        assert!(out.abs() < 0.02 && deepest.abs() < 0.06, "{label}: v_out {out} %, x_max {deepest} %");
        let rise = worst_rise(&trace) / report.energy.initial;
        assert!(rise < 1e-4, "{label}: H rises by {rise:e} in a step");
        rows.push(vec![label.into(), signed(out, 4), signed(deepest, 4), rough(rise.max(0.0))]);
        portraits.push(Curve::new(label, line, trace.iter().map(|p| (1e6 * p.compression, p.velocity))));
        let name = |what: &str| if method == Method::KMethod { what.to_owned() } else { String::new() };
        if method == Method::KMethod || method == Method::Rk4 {
            let line = if method == Method::KMethod { Line::Solid } else { Line::Dotted };
            curves.push(Curve::new(name("T"), line, energies(&trace, |p| p.energy_striker)));
            curves.push(Curve::new(name("V"), Line::Dashed, energies(&trace, |p| p.energy_contact)));
            curves.push(Curve::new(name("H"), Line::DashDotted, energies(&trace, TracePoint::energy_total)));
        }
    }
    let (deepest, out) = (1e6 * SOFT.max_compression(), SOFT.velocity_out());
    portraits.push(Curve::new("x_max (4), v_out (6)", Line::Thin, [(deepest, -0.1), (deepest, 0.1)]));
    portraits.push(Curve::new("x_max (4), v_out (6)", Line::Thin, [(0.0, out), (100.0, out)]));
    page().table("soft", &["", "v_out, %", "x_max, %", "largest rise of H in a step over H_0"], &rows);
    let (x, y) = (Axis::new("compression (µm)"), Axis::new("compression velocity (m/s)"));
    page().figure("fig4a", &Plot::new("Soft impact: phase portraits", x, y, portraits).legend(Corner::MiddleMiddle));
    let (x, y) = (Axis::new("time (samples)"), Axis::new("energy (mJ)"));
    page().figure("fig4b", &Plot::new("Soft impact: energies", x, y, curves).legend(Corner::MiddleRight));
}

/// Largest rise of the Hamiltonian in one sample [J]; the paper's (24) wants none.
pub fn worst_rise(trace: &[TracePoint]) -> f64 {
    trace.windows(2).map(|p| p[1].energy_total() - p[0].energy_total()).fold(f64::NEG_INFINITY, f64::max)
}
