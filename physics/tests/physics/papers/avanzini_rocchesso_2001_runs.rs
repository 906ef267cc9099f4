//! [AR] section 4: contact times of type I and type II experiments, and what Newton's method costs.

use super::avanzini_rocchesso_2001::{BAR, FIGURE_1, RATE, RATIOS, duration, experiment, page, resonator, run};
use crate::support::plot::{Axis, Corner, Curve, Line, Mark, Plot};
use crate::support::rng::Rng;
use urto_physics::contact::RigidImpact;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabMode, Report, TracePoint};

/// A hammer of figure 1 whose m/k is `ratio` [kg m^2.8/N].
fn of_ratio(ratio: f64, damping: f64) -> RigidImpact {
    RigidImpact { stiffness: FIGURE_1.mass / ratio, damping, ..FIGURE_1 }
}

/// Contact time [s] between the zeros of the compression, by straight lines between samples.
fn between_zeros(trace: &[TracePoint]) -> f64 {
    let end = trace.windows(2).find(|p| p[0].compression > 0.0 && p[1].compression <= 0.0).expect("the contact ends");
    let part = end[0].compression / (end[0].compression - end[1].compression);
    end[0].time + part * (end[1].time - end[0].time)
}

/// Figure 4: contact time over m/k and mu, type I, against (9).
#[test]
fn figure_4_contact_time() {
    let exponent = |mu: f64| {
        let (a, b) = (of_ratio(RATIOS[0], mu), of_ratio(RATIOS[6], mu));
        (b.duration() / a.duration()).ln() / (RATIOS[6] / RATIOS[0]).ln()
    };
    let (mut rows, mut curves, mut worst) = (Vec::new(), Vec::new(), [0.0_f64; 3]);
    for (damping, mark) in [(0.01, Mark::Circle), (0.1, Mark::Cross), (0.3, Mark::Triangle), (1.0, Mark::Square)] {
        assert!((exponent(damping) - 1.0 / 3.8).abs() < 1e-12, "t0 goes as (m/k)^{}", exponent(damping));
        let mut points = Vec::new();
        for ratio in RATIOS {
            let hit = of_ratio(ratio, damping);
            let (sampled, trace) = run(&experiment(hit, Method::KMethod, vec![]));
            let exact = hit.duration();
            let edg = duration(&run(&experiment(hit, Method::Edg, vec![])).0);
            let errors = [duration(&sampled), between_zeros(&trace), edg].map(|t| t / exact - 1.0);
            worst = std::array::from_fn(|i| worst[i].max(errors[i].abs()));
            points.push((ratio, 1e3 * between_zeros(&trace)));
            if [RATIOS[0], RATIOS[4], RATIOS[6]].contains(&ratio) {
                let cells = [format!("{ratio:e}"), format!("{damping}"), format!("{:.5}", 1e3 * exact)];
                rows.push(cells.into_iter().chain(errors.map(|e| format!("{e:+.1e}"))).collect());
            }
        }
        let line = (0..=60).map(|i| RATIOS[0] * (RATIOS[6] / RATIOS[0]).powf(f64::from(i) / 60.0));
        curves.push(Curve::new("(9)", Line::Solid, line.map(|ratio| (ratio, 1e3 * of_ratio(ratio, damping).duration()))));
        curves.push(Curve::new(format!("mu = {damping} s/m"), Line::None, points).marked(mark));
    }
    let [sampled, between, edg] = worst;
    assert!(sampled <= 1.3e-2 && between <= 4e-4 && edg <= 3e-5, "{sampled:e} {between:e} {edg:e}");
    let header = ["m/k", "mu, s/m", "t0 by (9), ms", "k-method, at samples", "k-method, between zeros", "edg"];
    page().table("contact-time", &header, &rows);
    let (x, y) = (Axis::new("m/k (kg m^2.8/N)").logarithmic(), Axis::new("contact time (ms)"));
    page().figure("fig4", &Plot::new("Type I: contact time", x, y, curves).legend(Corner::UpperLeft));
}

/// t0 of type II over t0 of type I.
fn longer(hit: RigidImpact, body: &[LabMode]) -> f64 {
    finely(hit, body, 32.0) / hit.duration()
}

/// t0 of type II [s] with so many substeps.
fn finely(hit: RigidImpact, body: &[LabMode], substeps_per_contact: f64) -> f64 {
    duration(&run(&Experiment { substeps_per_contact, ..experiment(hit, Method::Edg, body.to_vec()) }).0)
}

/// Figure 5: contact time over m/k on resonators of several masses; the heavier, the closer to (9).
#[test]
fn figure_5_contact_time_on_resonators() {
    let masses = [(0.002, Mark::Circle), (0.005, Mark::Cross), (0.02, Mark::Triangle), (0.1, Mark::Square), (1.0, Mark::Dot)];
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    let line = (0..=60).map(|i| RATIOS[0] * (RATIOS[6] / RATIOS[0]).powf(f64::from(i) / 60.0));
    curves.push(Curve::new("(9)", Line::Solid, line.map(|ratio| (ratio, 1e3 * of_ratio(ratio, 0.6).duration()))));
    let mut last = [f64::INFINITY; RATIOS.len()];
    for (mass, mark) in masses {
        let body = resonator(&BAR, mass, 100.0);
        let shares: Vec<f64> = RATIOS.iter().map(|&ratio| longer(of_ratio(ratio, 0.6), &body)).collect();
        // on this bar the paper's observation holds: longer than on a wall, the lighter the resonator the more
        for (share, last) in shares.iter().zip(&mut last) {
            assert!(*share > 1.0 && share < last, "{mass} kg: {share} after {last}");
            *last = *share;
        }
        rows.push(std::iter::once(format!("{mass}")).chain(shares.iter().map(|s| format!("{s:.4}"))).collect());
        let points = RATIOS.iter().zip(&shares).map(|(&ratio, share)| (ratio, 1e3 * share * of_ratio(ratio, 0.6).duration()));
        curves.push(Curve::new(format!("m_o = {mass} kg"), Line::None, points).marked(mark));
    }
    assert!(last.iter().all(|share| share - 1.0 < 1e-3), "a kilogram is a wall: {last:?}");
    let header: Vec<String> = std::iter::once("m_o, kg".into()).chain(RATIOS.iter().map(|r| format!("m/k = {r:e}"))).collect();
    page().table("resonators", &header.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    let (x, y) = (Axis::new("m/k (kg m^2.8/N)").logarithmic(), Axis::new("contact time (ms)"));
    page().figure("fig5", &Plot::new("Type II: contact time", x, y, curves).legend(Corner::UpperLeft));
}

/// "For any parameter setting, t0 is always longer than in the type I case": it is not.
#[test]
fn type_two_is_not_always_longer() {
    let hit = RigidImpact { stiffness: 1e9, velocity: 2.0, ..FIGURE_1 };
    let quality = 100.0;
    let bar = resonator(&BAR, 0.02, quality);
    let free = [LabMode { frequency: 0.0, decay: 0.0, mass: 0.02, shape: 1.0 }];
    let (found, mass) = (1e3 * finely(hit, &bar, 1024.0), longer(hit, &free));
    println!("{found} ms, {} ms, {mass}", 1e3 * hit.duration());
    assert!((1e3 * hit.duration() - 3.438_019_13).abs() < 1e-8);
    assert!((found - 3.419_148_52).abs() < 2e-7, "{found}");
    // a free mass is the plain reason: the two masses meet as the reduced one
    assert!((mass / (2.0_f64 / 3.0).powf(1.0 / 3.8) - 1.0).abs() < 1e-3, "{mass}");
    let mut rng = Rng::new(300);
    let draws: Vec<f64> = (0..300).map(|_| random_type_two(&mut rng)).map(|(hit, body)| longer(hit, &body)).collect();
    let shorter = draws.iter().filter(|&&share| share < 1.0).count();
    let least = draws.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((10..100).contains(&shorter), "{shorter} of 300");
    let row = |name: &str, wall: String, body: String, share: f64| vec![name.into(), wall, body, format!("{share:.5}")];
    let wall = format!("{:.5}", 1e3 * hit.duration());
    let rows = [
        row("bar 500, 1392, 2727 Hz, m_o = 20 g", wall.clone(), format!("{found:.5}"), found / (1e3 * hit.duration())),
        row("free mass of 20 g", wall, format!("{:.5}", 1e3 * mass * hit.duration()), mass),
        row(&format!("shortest of 300 random draws, {shorter} of which are shorter"), "".into(), "".into(), least),
    ];
    page().table("shorter", &["", "type I (9), ms", "type II, ms", "type II over type I"], &rows);
}

/// A hit and three partials of a bar at random.
fn random_type_two(rng: &mut Rng) -> (RigidImpact, Vec<LabMode>) {
    let (stiffness, velocity) = (FIGURE_1.mass / rng.scale(6e-14, 300e-12), rng.between(1.0, 4.0));
    let hit = RigidImpact { stiffness, velocity, damping: rng.between(0.01, 1.0), ..FIGURE_1 };
    let lowest = rng.scale(60.0, 2000.0);
    let body = resonator(&BAR.map(|f| f * lowest / BAR[0]), rng.scale(5e-3, 1.0), rng.scale(10.0, 1000.0));
    (hit, body)
}

/// What Newton's method did in a number of runs.
#[derive(Debug, Default)]
struct Census {
    runs: u32,
    most: u32,
    more_than_four: u32,
    unconverged: u32,
    grew: u32,
}

impl Census {
    fn note(&mut self, report: &Report, largest: f64) {
        self.runs += 1;
        self.most = self.most.max(report.solver.most_iterations);
        self.more_than_four += u32::from(report.solver.most_iterations > 4);
        self.unconverged += u32::from(report.solver.unconverged > 0);
        self.grew +=
            u32::from(report.solver.diverged_at.is_some() || largest.is_nan() || largest > 1.001 * report.energy.initial);
    }

    fn row(&self, name: &str, method: Method) -> Vec<String> {
        let share = |count: u32| format!("{:.1}", 100.0 * f64::from(count) / f64::from(self.runs));
        let shares = [self.more_than_four, self.unconverged, self.grew].map(share);
        let most = if method == Method::KMethod && self.unconverged > 0 { "cap".into() } else { self.most.to_string() };
        [name.into(), method.name().into(), self.runs.to_string(), most].into_iter().chain(shares).collect()
    }
}

/// Runs of .05 s each, as in the paper.
fn census(method: Method, runs: u32, draw: impl Fn(&mut Rng) -> (RigidImpact, Vec<LabMode>)) -> Census {
    let (mut rng, mut census) = (Rng::new(2001), Census::default());
    for _ in 0..runs {
        let (hit, body) = draw(&mut rng);
        let mut experiment = experiment(hit, method, body);
        experiment.duration = Some(0.05);
        experiment.substeps_per_contact = 16.0;
        let mut largest = 0.0_f64;
        let report = experiment.run(&mut |point| largest = largest.max(point.energy_total()));
        census.note(&report, largest);
    }
    census
}

/// In the paper's range: at most four iterations at 1e-13. Far beyond it: more, no convergence at all, and energy that grows.
#[test]
fn newton_iterations_in_the_papers_range_and_beyond() {
    let near = |rng: &mut Rng| {
        let hit = RigidImpact { velocity: rng.between(1.0, 4.0), ..of_ratio(rng.scale(6e-12, 300e-12), rng.between(0.01, 1.0)) };
        let lowest = rng.scale(100.0, 1000.0);
        (hit, resonator(&BAR.map(|f| f * lowest / BAR[0]), rng.scale(0.01, 1.0), 100.0))
    };
    let far = |rng: &mut Rng| {
        let hit = RigidImpact {
            mass: rng.scale(1e-5, 10.0),
            stiffness: rng.scale(1e2, 1e12),
            exponent: rng.between(1.0, 5.0),
            damping: rng.between(0.0, 10.0),
            velocity: rng.scale(0.01, 50.0),
        };
        let lowest = rng.scale(60.0, 0.48 * RATE / (BAR[2] / BAR[0]));
        (hit, resonator(&BAR.map(|f| f * lowest / BAR[0]), rng.scale(1e-3, 10.0), 100.0))
    };
    let paper = census(Method::KMethod, 300, near);
    let wide = census(Method::KMethod, 2000, far);
    let safe = census(Method::KMethodSafe, 2000, far);
    let edg = census(Method::Edg, 400, far);
    println!("{paper:?}\n{wide:?}\n{safe:?}\n{edg:?}");
    assert!(paper.most <= 4 && paper.unconverged == 0, "{paper:?}");
    assert!(wide.more_than_four * 10 > wide.runs && wide.unconverged > 0 && wide.grew * 100 > wide.runs, "{wide:?}");
    assert!(safe.unconverged == 0, "{safe:?}");
    assert!(edg.unconverged == 0 && edg.grew == 0, "{edg:?}");
    let rows = [
        paper.row("the paper's range", Method::KMethod),
        wide.row("wide range", Method::KMethod),
        safe.row("wide range", Method::KMethodSafe),
        edg.row("wide range", Method::Edg),
    ];
    let header = ["", "scheme", "runs", "most iterations", "> 4, %", "not converged, %", "energy grew by > .1 %, %"];
    page().table("newton", &header, &rows);
}
