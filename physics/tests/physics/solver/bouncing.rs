//! A ball that bounces under gravity: impact times, rest and energy.

use crate::support::reference::case;
use ode_solvers::{Dop853, OutputType, System, Vector3};
use urto_physics::contact::HuntCrossley;
use urto_physics::contact::RigidImpact;
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::Readout;
use urto_physics::lab::{Experiment, LabStriker, Report, TracePoint};
use urto_physics::modal::Mode;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::{Capacity, Collision};

const RATE: f64 = 44_100.0;
const GRAVITY: f64 = 9.81;

fn floor(damping: f64) -> HuntCrossley {
    HuntCrossley::new(1e7, 1.1, damping)
}

/// A ball of 10 g that meets the floor at 0.3 m/s.
fn ball(damping: f64, duration: f64) -> Experiment {
    Experiment {
        sample_rate: RATE,
        duration: Some(duration),
        substeps_per_contact: 16.0,
        law: floor(damping).into(),
        method: Method::Edg,
        corrections: Corrections::None,
        striker: LabStriker { mass: 0.01, velocity: 0.3, position: 0.0, gravity: GRAVITY, modes: vec![] },
        body: vec![],
    }
}

/// x'' = g - k x^alpha (1 + mu x')/m for the state (x, t, v), either in time or, for the last bit of the way out, with the way
/// gone as the clock, so that x = 0 is met exactly (Henon 1982). In units of `time`, `length` and their ratio.
#[derive(Clone, Copy)]
struct Floor {
    law: HuntCrossley,
    mass: f64,
    gravity: f64,
    time: f64,
    length: f64,
    clock_is_place: bool,
}

impl System<f64, Vector3<f64>> for Floor {
    fn system(&self, _clock: f64, y: &Vector3<f64>, dy: &mut Vector3<f64>) {
        let (x, v, speed) = (y[0], y[2], self.length / self.time);
        let acceleration = (self.gravity - self.law.force(x * self.length, v * speed) / self.mass) * self.time / speed;
        let in_time = Vector3::new(v, 1.0, acceleration);
        *dy = if self.clock_is_place { in_time / -v } else { in_time };
    }

    /// In time: stops on the way out, before the end.
    fn solout(&mut self, _clock: f64, y: &Vector3<f64>, _dy: &Vector3<f64>) -> bool {
        !self.clock_is_place && y[2] < 0.0 && y[0] < 0.3
    }
}

fn integrate(floor: Floor, until: f64, start: Vector3<f64>) -> Vector3<f64> {
    let mut solver = Dop853::new(floor, 0.0, until, 0.0, start, 1e-13, 1e-15);
    solver.set_output(OutputType::Sparse);
    solver.integrate().expect("the reference integration succeeds");
    *solver.y_out().last().expect("has output")
}

/// Duration [s] of a contact begun at `velocity` [m/s], and the velocity after it.
pub fn reference_contact(law: HuntCrossley, mass: f64, gravity: f64, velocity: f64) -> (f64, f64) {
    let time = law.contact_time(1.0 / mass, velocity);
    let length = velocity * time / 3.2;
    let speed = length / time;
    let floor = Floor { law, mass, gravity, time, length, clock_is_place: false };
    let turned = integrate(floor, 2.0, Vector3::new(0.0, 0.0, velocity / speed));
    assert!(turned[2] < 0.0 && turned[0] > 0.0, "the reference stops on the way out: {turned}");
    let end = integrate(Floor { clock_is_place: true, ..floor }, turned[0], turned);
    assert!(end[0].abs() < 1e-14, "the reference ends at x = 0: {end}");
    (end[1] * time, end[2] * speed)
}

#[test]
fn the_eighth_bounce_occurs_on_time() {
    let experiment = ball(0.1, 0.7);
    let (report, _) = run_watched(&experiment);
    let (mut start, mut velocity) = (0.0, 0.3);
    for (bounce, contact) in report.contacts.iter().take(9).enumerate() {
        let late = (contact.start - start) * RATE;
        println!("contact {bounce}: at {start:.9} s, {late:+.5} samples late");
        assert!(late.abs() <= 0.05, "contact {bounce} is {late} samples late");
        let (duration, out) = reference_contact(floor(0.1), 0.01, GRAVITY, velocity);
        velocity = -out;
        start += duration + 2.0 * velocity / GRAVITY;
    }
    assert!(report.contacts.len() > 9);
}

/// A ball that is driven while it bounces: its weight and a sine, constant over every sample. `force(n)` in newtons.
struct Driven {
    law: HuntCrossley,
    mass: f64,
    force: fn(u32) -> f64,
}

/// x'' = (F - f)/m over one sample, in milliseconds and micrometres.
#[derive(Clone, Copy)]
struct Touch {
    law: HuntCrossley,
    mass: f64,
    force: f64,
}

type Pair = ode_solvers::Vector2<f64>;

impl System<f64, Pair> for Touch {
    fn system(&self, _clock: f64, y: &Pair, dy: &mut Pair) {
        let (x, v) = (1e-6 * y[0], 1e-3 * y[1]);
        let contact = if x > 0.0 { self.law.force(x, v) } else { 0.0 };
        *dy = Pair::new(y[1], (self.force - contact) / self.mass);
    }
}

impl Touch {
    /// Place [m] and velocity [m/s] after `time` [s].
    fn after(self, (x, v): (f64, f64), time: f64) -> (f64, f64) {
        let start = Pair::new(1e6 * x, 1e3 * v);
        // its own sense of stiffness is wrong where the force begins with a power of the place
        let (end, sparse) = (1e3 * time, OutputType::Sparse);
        let mut solver = Dop853::from_param(
            self,
            0.0,
            end,
            end,
            start,
            1e-12,
            1e-12,
            0.9,
            0.0,
            0.333,
            6.0,
            end,
            0.0,
            100_000,
            u32::MAX,
            sparse,
        );
        solver.integrate().expect("the reference integration succeeds");
        let end = solver.y_out().last().expect("has output");
        (1e-6 * end[0], 1e-3 * end[1])
    }
}

impl Driven {
    /// When the first `count` contacts begin [s], from a fall at `velocity` [m/s] from x = 0: parabolas in the air, an independent
    /// solver (Dormand and Prince's method of order 8) in contact, sample by sample, with the ends of contacts by bisection.
    fn bounces(&self, velocity: f64, count: usize) -> Vec<f64> {
        let h = 1.0 / RATE;
        let (mut starts, mut state) = (vec![0.0], (0.0, velocity));
        let mut touching = true;
        for n in 0.. {
            let force = (self.force)(n);
            let touch = Touch { law: self.law, mass: self.mass, force };
            let mut left = h;
            while left > 0.0 {
                if touching {
                    let end = touch.after(state, left);
                    if end.0 > 0.0 {
                        (state, left) = (end, 0.0);
                        continue;
                    }
                    let (mut low, mut high) = (0.0, left);
                    for _ in 0..50 {
                        let middle = 0.5 * (low + high);
                        if touch.after(state, middle).0 > 0.0 { low = middle } else { high = middle }
                    }
                    state = (0.0, touch.after(state, low).1);
                    (left, touching) = (left - low, false);
                } else {
                    let a = force / self.mass;
                    let (x, v) = state;
                    let root = (v * v - 2.0 * a * x).max(0.0).sqrt();
                    let landing = if x == 0.0 && v < 0.0 { -2.0 * v / a } else { -2.0 * x / (v + root) };
                    if landing > 0.0 && landing <= left {
                        (state, left, touching) = ((0.0, v + a * landing), left - landing, true);
                        starts.push(f64::from(n + 1) * h - left);
                        if starts.len() == count {
                            return starts;
                        }
                    } else {
                        (state, left) = ((x + (v + 0.5 * a * left) * left, v + a * left), 0.0);
                    }
                }
            }
        }
        starts
    }
}

#[test]
fn a_driven_ball_agrees_with_an_independent_solver() {
    const BOUNCES: usize = 11;
    let steady: fn(u32) -> f64 = |_| 0.01 * GRAVITY;
    let shaken: fn(u32) -> f64 = |n| 0.01 * GRAVITY * (1.0 + 0.25 * (std::f64::consts::TAU * 137.0 * f64::from(n) / RATE).sin());
    for (name, force) in [("weight alone", steady), ("weight and a sine", shaken)] {
        let driven = Driven { law: floor(0.1), mass: 0.01, force };
        let wanted = driven.bounces(0.3, BOUNCES);
        let mut collision = Collision::new(RATE, Capacity { modes: 0, held: 0, hammers: 1, hammer_modes: 1, levels: 8 });
        collision.set_body([]);
        let hit = PointHammerSpec { law: driven.law.into(), mass: driven.mass, velocity: 0.3, tether: Mode::RIGID, weights: &[] };
        collision.strike(hit).expect("there is room");
        let mut readout = Readout::default();
        for n in 0..(0.75 * RATE) as u32 {
            collision.set_push(0, force(n));
            collision.step(256, &mut |c, substep| readout.note(f64::from(n) / RATE, c, substep));
        }
        let lates = readout.contacts.iter().zip(&wanted).map(|(contact, start)| (contact.start - start) * RATE);
        let lates: Vec<f64> = lates.collect();
        println!("{name}: {lates:+.5?} samples late");
        assert!(lates.len() == BOUNCES && lates.iter().all(|late| late.abs() <= 0.05), "{name}: {lates:?}");
    }
}

/// The reference itself, where there is a closed form: without gravity.
#[test]
fn the_reference_solver_agrees_with_the_closed_form() {
    for (stiffness, exponent, damping, velocity) in [(1e7, 1.1, 0.1, 0.3), (1e9, 1.5, 0.5, 1.0), (1e8, 2.5, 1.0, 3.0)] {
        let impact = RigidImpact { mass: 0.01, stiffness, exponent, damping, velocity };
        let (duration, out) = reference_contact(HuntCrossley::new(stiffness, exponent, damping), 0.01, 0.0, velocity);
        assert!((duration / impact.duration() - 1.0).abs() < 1e-11, "{:e}", duration / impact.duration() - 1.0);
        assert!((out / impact.velocity_out() - 1.0).abs() < 1e-11, "{:e}", out / impact.velocity_out() - 1.0);
    }
}

/// No step gains more than rounding beyond what gravity supplied.
fn assert_energy_never_grows(report: &Report) {
    let energy = &report.energy;
    assert!(energy.largest_unsupplied_increase <= 1e-14 * energy.largest, "{energy:?}");
    assert!(energy.largest_balance_residual <= 1e-12 * energy.largest, "{energy:?}");
}

/// Runs, and follows the physical energy less gravity's work whenever the ball is in the air, without the balance's help.
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
    let weight = experiment.striker.mass * GRAVITY;
    let deep = (weight / floor(1.0).stiffness()).powf(1.0 / 1.1);
    for point in tail {
        assert!(point.velocity.abs() < 3e-10, "{} m/s", point.velocity);
        assert!((point.force / weight - 1.0).abs() < 1e-6, "{} N", point.force);
        // the held force's correction is a thousandth here
        assert!((point.compression / deep - 1.0).abs() < 2e-3, "{} m instead of {deep} m", point.compression);
    }
}

#[test]
fn a_hammer_on_a_ringing_body_finally_stays_in_contact() {
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
