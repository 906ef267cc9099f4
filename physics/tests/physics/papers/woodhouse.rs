//! [Woodhouse]: "Impact with a mallet or drumstick" and "Simulating impacts", Euphonics 12.1: a drumstick, pinned at one end, strikes
//! a rectangular plate through a spring that returns a share R of the energy.

use crate::support::page::{Page, rough, signed};
use crate::support::plot::{Axis, Curve, Line, Plot};
use std::f64::consts::{PI, TAU};
use urto_physics::bodies::{BodyPosition, EdgeSupport, ModalShape};
use urto_physics::contact::ContactLaw;
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabMode, LabStriker, Report, TracePoint};
use urto_physics::modal::{Mode, Response};

const RATE: f64 = 48_000.0;
const PLATE_QUALITY: f64 = 200.0;
const STICK_QUALITY: f64 = 30.0;
/// b = k L of the first bending modes of a rod that is pinned at one end.
const ROOTS: [f64; 5] = [3.926_602_312_048, 7.068_582_745_629, 10.210_176_122_81, 13.351_768_777_75, 16.493_361_431_35];
/// The plate's lowest modes at 100 Hz: frequency [Hz], and modal mass at (0.3 a, 0.3 b) over that of the plate.
const PLATE: [(f64, f64); 6] =
    [(100.0, 0.5836), (188.17, 0.4223), (311.83, 0.4223), (335.12, 4.0), (400.0, 0.3056), (540.85, 1.1056)];

fn page() -> Page {
    Page::of("woodhouse")
}

/// The roots of (11), by bisection of sin b cosh b - cos b sinh b over cosh b.
fn roots() -> Vec<f64> {
    let residual = |b: f64| b.sin() - b.cos() * b.tanh();
    (1..=5)
        .map(|n| {
            let (mut low, mut high) = (f64::from(n) * PI, (f64::from(n) + 0.5) * PI);
            let sign = residual(low).signum();
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if residual(middle).signum() == sign { low = middle } else { high = middle }
            }
            0.5 * (low + high)
        })
        .collect()
}

/// Mass of the bending mode that moves the tip by 1, over that of the rod: Simpson's rule over the shape's square.
fn tip_mass(b: f64) -> f64 {
    let shape = |xi: f64| 0.5 * ((b * xi).sin() / b.sin() + (b * xi).sinh() / b.sinh());
    let steps = 4000;
    let weight = |i: i32| if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    (0..=steps).map(|i| weight(i) * shape(f64::from(i) / f64::from(steps)).powi(2)).sum::<f64>() / f64::from(3 * steps)
}

/// A stick of `mass` [kg] whose lowest bending is at `lowest` [Hz], at its tip.
fn stick(mass: f64, lowest: f64) -> LabStriker {
    let mode = |b: f64| {
        let frequency = lowest * (b / ROOTS[0]).powi(2);
        LabMode { frequency, decay: 0.5 * TAU * frequency / STICK_QUALITY, mass: mass / 4.0, shape: 1.0 }
    };
    let modes = roots().into_iter().map(mode).filter(|mode| mode.frequency < 0.45 * RATE).collect();
    LabStriker { mass: mass / 3.0, velocity: 1.0, position: 0.0, gravity: 0.0, modes }
}

/// The paper's plate of `mass` [kg], its lowest 40 modes.
fn plate(mass: f64) -> Vec<LabMode> {
    let shape = ModalShape::plate(EdgeSupport::Supported, 1.55, 0.3, 40);
    let mut weights = vec![0.0; shape.len()];
    shape.weights_at_place(BodyPosition { along: 0.3, across: 0.3 }, 1.0, &mut weights);
    let mode = |i: usize| {
        let frequency = 100.0 * shape.ratio(i);
        LabMode { frequency, decay: 0.5 * TAU * frequency / PLATE_QUALITY, mass, shape: weights[i] }
    };
    (0..shape.len()).map(mode).collect()
}

fn experiment(law: ContactLaw, striker: LabStriker, body: Vec<LabMode>) -> Experiment {
    Experiment {
        sample_rate: RATE,
        duration: None,
        substeps_per_contact: 32.0,
        law,
        method: Method::Edg,
        corrections: Corrections::None,
        striker,
        body,
    }
}

fn run(experiment: &Experiment) -> (Report, Vec<TracePoint>) {
    let mut trace = Vec::new();
    let report = experiment.run(&mut |point| trace.push(*point));
    (report, trace)
}

#[test]
fn a_pinned_free_rod_has_its_roots_and_modal_masses() {
    let mut rows = Vec::new();
    for (n, (found, known)) in roots().into_iter().zip(ROOTS).enumerate() {
        assert!((found / known - 1.0).abs() < 1e-12, "{found} {known}");
        let mass = tip_mass(found);
        assert!((mass - 0.25).abs() < 1e-10, "mode {}: {mass} of the rod's mass at its tip", n + 1);
        rows.push(vec![
            (n + 1).to_string(),
            format!("{found:.9}"),
            format!("{:.6}", (found / ROOTS[0]).powi(2)),
            format!("{mass:.6}"),
        ]);
    }
    page().table("rod", &["mode", "k L", "frequency over the lowest", "modal mass at the tip over M_b"], &rows);
}

#[test]
fn the_plate_has_the_papers_modes() {
    let mut rows = Vec::new();
    for (mode, (frequency, share)) in plate(1.0).iter().zip(PLATE) {
        let mass = 1.0 / (mode.shape * mode.shape);
        assert!((mode.frequency - frequency).abs() < 0.006, "{} Hz instead of {frequency} Hz", mode.frequency);
        assert!((mass / share - 1.0).abs() < 2e-4, "{frequency} Hz: {mass} of the plate's mass instead of {share}");
        // (10) with n, m told by the frequency, and (9): 4 M_nm sin^2 sin^2 = M_p
        rows.push(vec![format!("{:.3}", mode.frequency), format!("{mass:.4}")]);
    }
    page().table("plate", &["frequency, Hz", "modal mass at (.3 a, .3 b) over M_p"], &rows);
}

/// Section 12.1.1: the share 1 - R is lost (the text says R), for a linear and a Hertzian spring alike, at any speed.
#[test]
fn a_wall_returns_the_specified_share_of_the_energy() {
    let (mut rows, mut loops) = (Vec::new(), Vec::new());
    for (name, exponent, stiffness) in [("linear", 1.0, 1e5), ("Hertz", 1.5, 1e7)] {
        for share in [0.9, 0.5, 0.1] {
            let mut worst = [0.0_f64; 3];
            for speed in [0.1, 1.0, 10.0] {
                let striker = LabStriker { mass: 0.01, velocity: speed, position: 0.0, gravity: 0.0, modes: vec![] };
                let (report, trace) = run(&experiment(ContactLaw::restitution(stiffness, exponent, share), striker, vec![]));
                let (contact, exact) = (&report.contacts[0], report.closed_form.as_ref().expect("there is one"));
                assert!((exact.velocity_out / speed + share.sqrt()).abs() < 1e-15);
                let errors = [
                    contact.velocity_out.expect("has ended") / exact.velocity_out,
                    contact.duration.expect("has ended") / exact.duration,
                    report.energy.lost_in_contact / ((1.0 - share) * report.energy.initial),
                ];
                worst = std::array::from_fn(|i| worst[i].max((errors[i] - 1.0).abs()));
                assert!(report.energy.largest_balance_residual <= 1e-14 * report.energy.initial);
                if speed == 1.0 && share == 0.5 {
                    let points = trace.iter().map(|p| (1e3 * p.compression.max(0.0), p.force));
                    loops.push(Curve::new(name, if exponent == 1.0 { Line::Dashed } else { Line::Solid }, points));
                }
            }
            // the turn falls anywhere in a substep: the contact time errs by up to (1 - R)/R of one, what comes back in second order
            let substep = (1.0 - share) / share / 32.0;
            assert!(worst[0] < 5e-4 && worst[1] < 0.1 * substep && worst[2] < 5e-4, "{name}, R = {share}: {worst:?}");
            rows.push([name.into(), format!("{share}"), signed(-share.sqrt(), 6)].into_iter().chain(worst.map(rough)).collect());
        }
    }
    let header = ["spring", "R", "v_out/v_in", "error of v_out", "of the contact time", "of the loss"];
    page().table("wall", &header, &rows);
    let (x, y) = (Axis::new("compression (mm)"), Axis::new("force (N)"));
    page().figure("loop", &Plot::new("R = .5, 10 g at 1 m/s on a wall", x, y, loops));
}

/// A string of 50 modes whose waves come back while the mallet is still on it.
fn string() -> Vec<LabMode> {
    let shape = |n: f64| std::f64::consts::SQRT_2 * (0.12 * PI * n).sin();
    (1..=50).map(f64::from).map(|n| LabMode { frequency: 110.0 * n, decay: 0.0, mass: 0.02, shape: shape(n) }).collect()
}

const MALLET: f64 = 0.01;
const MALLET_SPEED: f64 = 2.0;
const HERTZ: f64 = 3e6;

/// What the literal recipe did: largest rise of the energy in a step over H_0, rises by more than 1e-3, share left in the end.
#[derive(Debug)]
struct Literal {
    largest_rise: f64,
    rises: u32,
    left: f64,
}

/// Section 12.1.1 to the letter: k while the force grows, R k while it falls. Velocity Verlet with `per_sample` steps a sample.
fn literal(share: f64, per_sample: u32) -> Literal {
    let string = string();
    let dt = 1.0 / (RATE * f64::from(per_sample));
    let omega2: Vec<f64> = string.iter().map(|mode| (TAU * mode.frequency).powi(2)).collect();
    let weights: Vec<f64> = string.iter().map(|mode| mode.shape / mode.mass.sqrt()).collect();
    let (mut q, mut v) = (vec![0.0; string.len()], vec![0.0; string.len()]);
    let (mut place, mut speed, mut stiffness, mut last) = (0.0, MALLET_SPEED, HERTZ, 0.0);
    let start = 0.5 * MALLET * MALLET_SPEED * MALLET_SPEED;
    let (mut energy, mut found) = (start, Literal { largest_rise: 0.0, rises: 0, left: 0.0 });
    for _ in 0..(0.02 / dt) as u32 {
        let force = if last > 0.0 { stiffness * f64::powf(last, 1.5) } else { 0.0 };
        speed -= 0.5 * dt * force / MALLET;
        place += dt * speed;
        for i in 0..q.len() {
            v[i] += 0.5 * dt * (weights[i] * force - omega2[i] * q[i]);
            q[i] += dt * v[i];
        }
        let x = place - weights.iter().zip(&q).map(|(w, q)| w * q).sum::<f64>();
        stiffness = if x >= last || x <= 0.0 { HERTZ } else { share * HERTZ };
        let force = if x > 0.0 { stiffness * x.powf(1.5) } else { 0.0 };
        speed -= 0.5 * dt * force / MALLET;
        (0..q.len()).for_each(|i| v[i] += 0.5 * dt * (weights[i] * force - omega2[i] * q[i]));
        last = x;
        let modes: f64 = (0..q.len()).map(|i| 0.5 * (v[i] * v[i] + omega2[i] * q[i] * q[i])).sum();
        let now = modes + 0.5 * MALLET * speed * speed + force * x.max(0.0) / 2.5;
        found.largest_rise = found.largest_rise.max((now - energy) / start);
        found.rises += u32::from(now - energy > 1e-3 * start);
        energy = now;
    }
    found.left = energy / start;
    found
}

/// On a string whose waves load the mallet again, the literal recipe makes energy from nothing; the convex work function never.
#[test]
fn the_published_recipe_generates_energy() {
    let (elastic, lossy) = (literal(1.0, 32), literal(0.5, 32));
    let finer = literal(0.5, 128);
    let striker = LabStriker { mass: MALLET, velocity: MALLET_SPEED, position: 0.0, gravity: 0.0, modes: vec![] };
    let (report, trace) =
        run(&Experiment { duration: Some(0.02), ..experiment(ContactLaw::restitution(HERTZ, 1.5, 0.5), striker, string()) });
    let own = report.energy.largest_unsupplied_increase / report.energy.initial;
    println!("{elastic:?} {lossy:?} {finer:?}; {own:e}, {:?}", report.energy);
    // the rises are the recipe's, not those of the steps: without loss there are none, and finer steps do not remove them
    assert!(elastic.largest_rise < 1e-5, "{elastic:?}");
    assert!(lossy.largest_rise > 1e-2 && (finer.largest_rise / lossy.largest_rise - 1.0).abs() < 0.05, "{lossy:?} {finer:?}");
    assert!(own <= 1e-15 && report.energy.largest_balance_residual <= 1e-13 * report.energy.initial, "{own:e}");
    let again = trace.windows(3).filter(|p| p[0].force > p[1].force && p[1].force < p[2].force && p[1].compression > 0.0).count();
    assert!(again > 0, "the string loads the mallet again");
    let row = |name: &str, l: &Literal| vec![name.into(), rough(l.largest_rise), l.rises.to_string(), format!("{:.4}", l.left)];
    let rows = [
        row("literal, R = 1", &elastic),
        row("literal, R = .5", &lossy),
        row("literal, R = .5, steps a quarter as long", &finer),
        vec![
            "convex work function, R = .5".into(),
            "0".into(),
            "0".into(),
            format!("{:.4}", report.last.energy_total / report.energy.initial),
        ],
    ];
    let header = ["", "largest rise in a step over H_0", "rises by more than 1e-3", "energy left after 20 ms over H_0"];
    page().table("recipe", &header, &rows);
}

/// g(t) of (5) for one mode, with the frequency that is heard, and its integral from 0.
fn impulse_response(mode: Mode, mass: f64, t: f64) -> (f64, f64) {
    let Mode { omega, sigma } = mode;
    if omega == 0.0 {
        return (t / mass, 0.5 * t * t / mass);
    }
    let heard = TAU * mode.heard_frequency();
    let (decay, sin, cos) = ((-sigma * t).exp(), (heard * t).sin(), (heard * t).cos());
    (decay * sin / (mass * heard), (1.0 - decay * (cos + sigma / heard * sin)) / (mass * omega * omega))
}

/// Section 12.1.1 convolves the force with the impulse responses; the exact propagators of the modes do nothing else.
#[test]
fn propagators_are_the_convolution_with_the_impulse_response() {
    let (law, dt) = (ContactLaw::restitution(1e7, 1.5, 0.9), 1.0 / RATE);
    let mut forces = vec![0.0; 480];
    let experiment = Experiment { duration: Some(0.01), ..experiment(law, stick(0.05, 400.0), plate(0.5)) };
    experiment.run(&mut |point| {
        let cell = ((point.time * RATE - 1e-9).max(0.0) as usize).min(479);
        forces[cell] = f64::max(forces[cell], point.force);
    });
    assert!(forces.iter().filter(|&&force| force > 0.0).count() > 20);
    let mut rows = Vec::new();
    for (name, modes) in [("plate", plate(0.5)), ("stick", stick(0.05, 400.0).modes), ("stick, turning", vec![])] {
        let mut list: Vec<(Mode, f64)> = modes
            .iter()
            .map(|m| (Mode::heard_at(m.frequency, m.decay), m.mass / (m.shape * m.shape)))
            .filter(|(_, mass)| mass.is_finite())
            .collect();
        if list.is_empty() {
            list.push((Mode::RIGID, 0.05 / 3.0));
        }
        let mut state = vec![(0.0, 0.0); list.len()];
        let (mut exact, mut sampled, mut largest) = (0.0_f64, 0.0_f64, 0.0_f64);
        for n in 0..forces.len() {
            for ((q, v), (mode, mass)) in state.iter_mut().zip(&list) {
                let r = Response::new(*mode, dt);
                let push = forces[n] / mass;
                (*q, *v) = (r.a11 * *q + r.a12 * *v + r.bq * push, r.a21 * *q + r.a22 * *v + r.bv * push);
            }
            let stepped: f64 = state.iter().map(|(q, _)| q).sum();
            let (mut convolved, mut summed) = (0.0, 0.0);
            for (m, force) in forces[..=n].iter().enumerate().filter(|(_, force)| **force > 0.0) {
                let (from, to) = ((n - m) as f64 * dt, (n - m + 1) as f64 * dt);
                for (mode, mass) in &list {
                    let (before, after) = (impulse_response(*mode, *mass, from), impulse_response(*mode, *mass, to));
                    convolved += force * (after.1 - before.1);
                    summed += force * dt * after.0;
                }
            }
            largest = largest.max(convolved.abs());
            exact = exact.max((stepped - convolved).abs());
            sampled = sampled.max((summed - convolved).abs());
        }
        assert!(exact < 1e-12 * largest, "{name}: {exact:e} of {largest:e}");
        rows.push(vec![name.into(), rough(exact / largest), rough(sampled / largest)]);
    }
    let header = ["", "propagators against the convolution", "sum over samples against the convolution"];
    page().table("convolution", &header, &rows);
}

/// The whole of section 12.1.1: stick on plate, linear and Hertzian, against the point mass that the stick is when it turns.
#[test]
fn a_stick_on_the_plate() {
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    for (spring, exponent, stiffness) in [("linear", 1.0, 3e5), ("Hertz", 1.5, 3e7)] {
        for (name, bends, line) in [("stick", true, Line::Solid), ("point mass", false, Line::Dashed)] {
            for share in [1.0, 0.7] {
                let mut striker = stick(0.05, 400.0);
                striker.modes.retain(|_| bends);
                let law = ContactLaw::restitution(stiffness, exponent, share);
                let (report, trace) = run(&Experiment { duration: Some(0.03), ..experiment(law, striker, plate(0.5)) });
                let energy = &report.energy;
                assert!(energy.largest_balance_residual <= 1e-12 * energy.initial, "{energy:?}");
                assert!(energy.largest_unsupplied_increase <= 1e-15 * energy.initial, "{energy:?}");
                assert!(share < 1.0 || energy.lost_in_contact <= 1e-12 * energy.initial, "{energy:?}");
                assert!(share == 1.0 || energy.lost_in_contact > 0.02 * energy.initial, "{energy:?}");
                let together: f64 = report.contacts.iter().filter_map(|contact| contact.duration).sum();
                rows.push(vec![
                    spring.into(),
                    name.into(),
                    format!("{share}"),
                    report.contacts.len().to_string(),
                    format!("{:.4}", 1e3 * report.contacts[0].duration.expect("has ended")),
                    format!("{:.4}", 1e3 * together),
                    format!("{:.4}", energy.lost_in_contact / energy.initial),
                    format!("{:.4}", report.last.energy_body / energy.initial),
                ]);
                if exponent == 1.5 && share == 0.7 {
                    let points = trace.iter().filter(|p| p.time < 6e-3).map(|p| (1e3 * p.time, p.force));
                    curves.push(Curve::new(name, line, points));
                }
            }
        }
    }
    let header = [
        "spring",
        "striker",
        "R",
        "contacts in 30 ms",
        "first, ms",
        "together, ms",
        "lost in contact, share",
        "in the plate, share",
    ];
    page().table("stick", &header, &rows);
    let (x, y) = (Axis::new("time (ms)"), Axis::new("force (N)"));
    page().figure("stick", &Plot::new("A stick of 50 g, Hertz, R = .7, 1 m/s", x, y, curves));
}
