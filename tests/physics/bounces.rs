//! A ball that bounces under gravity: when it lands, that it comes to rest, and what its energy does meanwhile.

use crate::reference::case;
use ode_solvers::{Dop853, OutputType, System, Vector2};
use urto::physics::contact::HuntCrossley;
use urto::physics::strike::{Experiment, LabStriker, Report, TracePoint};

const RATE: f64 = 44_100.0;
const GRAVITY: f64 = 9.81;

/// A ball of 10 g that meets the floor at .3 m/s.
fn ball(damping: f64, duration: f64) -> Experiment {
    Experiment {
        sample_rate: RATE,
        duration: Some(duration),
        substeps_per_contact: 16.0,
        law: HuntCrossley::new(1e7, 1.1, damping),
        striker: LabStriker { mass: 0.01, velocity: 0.3, position: 0.0, gravity: GRAVITY, modes: vec![] },
        body: vec![],
    }
}

/// x'' = g - k x^alpha (1 + mu x')/m, either in time or, for the last bit of the way out, with x as the clock: then the state is
/// (t, v) and x = 0 is met exactly (Henon 1982). In units of `time`, `length` and their ratio.
#[derive(Clone, Copy)]
struct Floor {
    law: HuntCrossley,
    mass: f64,
    time: f64,
    length: f64,
    clock_is_place: bool,
}

impl Floor {
    fn acceleration(&self, x: f64, v: f64) -> f64 {
        let speed = self.length / self.time;
        (GRAVITY - self.law.force(x * self.length, v * speed) / self.mass) * self.time / speed
    }
}

impl System<f64, Vector2<f64>> for Floor {
    fn system(&self, clock: f64, y: &Vector2<f64>, dy: &mut Vector2<f64>) {
        *dy = if self.clock_is_place {
            Vector2::new(1.0 / y[1], self.acceleration(clock, y[1]) / y[1])
        } else {
            Vector2::new(y[1], self.acceleration(y[0], y[1]))
        };
    }

    /// In time: stops on the way out, before the end.
    fn solout(&mut self, _clock: f64, y: &Vector2<f64>, _dy: &Vector2<f64>) -> bool {
        !self.clock_is_place && y[1] < 0.0 && y[0] < 0.3
    }
}

fn integrate(floor: Floor, from: f64, to: f64, start: Vector2<f64>) -> (f64, Vector2<f64>) {
    let mut solver = Dop853::new(floor, from, to, 0.0, start, 1e-13, 1e-15);
    solver.set_output(OutputType::Sparse);
    solver.integrate().expect("the reference integration succeeds");
    let (clock, state) = (solver.x_out().last(), solver.y_out().last());
    (*clock.expect("has output"), *state.expect("has output"))
}

/// Duration [s] of a contact begun at `velocity` [m/s], and the velocity after it.
fn reference_contact(law: HuntCrossley, mass: f64, velocity: f64) -> (f64, f64) {
    let time = law.contact_time(1.0 / mass, velocity);
    let length = velocity * time / 3.2;
    let speed = length / time;
    let floor = Floor { law, mass, time, length, clock_is_place: false };
    let (t, state) = integrate(floor, 0.0, 2.0, Vector2::new(0.0, velocity / speed));
    let floor = Floor { clock_is_place: true, ..floor };
    let (place, end) = integrate(floor, state[0], 0.0, Vector2::new(t, state[1]));
    assert!(state[1] < 0.0 && place.abs() < 1e-15);
    (end[0] * time, end[1] * speed)
}

#[test]
fn the_eighth_bounce_comes_when_it_should() {
    let experiment = ball(0.1, 0.7);
    let report = experiment.run(&mut |_| ());
    let (mut start, mut velocity) = (0.0, 0.3);
    for (bounce, contact) in report.contacts.iter().take(9).enumerate() {
        let late = (contact.start - start) * RATE;
        println!("contact {bounce}: at {start:.9} s, {late:+.5} samples late");
        assert!(late.abs() <= 0.05, "contact {bounce} is {late} samples late");
        let (duration, out) = reference_contact(experiment.law, 0.01, velocity);
        velocity = -out;
        start += duration + 2.0 * velocity / GRAVITY;
    }
    assert!(report.contacts.len() > 9);
    assert_energy_never_grows(&report);
}

/// The reference itself, where a closed form is near: gravity adds little to a hit.
#[test]
fn the_reference_agrees_with_the_closed_form() {
    let law = HuntCrossley::new(1e9, 1.5, 0.5);
    let impact = urto::physics::impact::RigidImpact { mass: 0.01, stiffness: 1e9, exponent: 1.5, damping: 0.5, velocity: 1e3 };
    let (duration, out) = reference_contact(law, 0.01, 1e3);
    assert!((duration / impact.duration() - 1.0).abs() < 1e-5 && (out / impact.velocity_out() - 1.0).abs() < 1e-5);
}

/// No step gains more than rounding beyond what gravity supplied.
fn assert_energy_never_grows(report: &Report) {
    let energy = &report.energy;
    assert!(energy.largest_unsupplied_increase <= 1e-14 * energy.largest, "{energy:?}");
    assert!(energy.largest_balance_residual <= 1e-12 * energy.largest, "{energy:?}");
}

/// Runs, and follows the physical energy less gravity's work whenever the ball is in the air, without the ledger's help.
fn run_watched(experiment: &Experiment) -> (Report, Vec<TracePoint>) {
    let weight = experiment.striker.mass * experiment.striker.gravity;
    let (mut least, mut tail) = (f64::INFINITY, Vec::new());
    let mut largest: f64 = 0.0;
    let from = experiment.duration.expect("has a duration") - 0.1;
    let report = experiment.run(&mut |point| {
        let total = point.energy_striker + point.energy_body + point.energy_contact;
        largest = largest.max(total);
        if point.compression <= 0.0 && point.force == 0.0 {
            let energy = total - weight * point.striker_position;
            assert!(energy <= least + 1e-13 * largest, "{:e} J more at {} s", energy - least, point.time);
            least = least.min(energy);
        }
        if point.time >= from {
            tail.push(*point);
        }
    });
    assert_energy_never_grows(&report);
    (report, tail)
}

#[test]
fn a_lossy_ball_comes_to_rest() {
    let experiment = ball(1.0, 6.0);
    let (report, tail) = run_watched(&experiment);
    let last = report.contacts.last().expect("it bounces");
    println!("{} contacts, the last from {} s; {:?}", report.contacts.len(), last.start, report.last);
    assert!(report.contacts.len() > 100 && last.end.is_none() && last.start < 4.0);
    let deep = (experiment.striker.mass * GRAVITY / experiment.law.stiffness()).powf(1.0 / 1.1);
    for point in tail {
        assert!(point.velocity.abs() < 3e-10, "{} m/s", point.velocity);
        assert!((point.compression / deep - 1.0).abs() < 1e-3, "{point:?} instead of {deep} m");
    }
}

#[test]
fn a_hammer_on_a_ringing_body_stays_in_contact_in_the_end() {
    let mut case = case("M13");
    case.contact.stiffness = 1e8;
    case.until = Some(5.0);
    let experiment = case.experiment(RATE, 16.0, 0.0);
    let (report, tail) = run_watched(&experiment);
    let last = report.contacts.last().expect("it bounces");
    println!("{} contacts, the last from {} s; {:?}", report.contacts.len(), last.start, report.last);
    assert!(last.end.is_none() && last.start < 3.0, "the last contact began at {} s", last.start);
    assert!(tail.iter().all(|point| point.compression > 0.0));
}
