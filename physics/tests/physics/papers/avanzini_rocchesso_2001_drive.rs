//! [AR] section 4.2, the FonoBump: an outside force on the hammer, which "strikes the resonator repeatedly, forced by the audio signal".

use super::avanzini_rocchesso_2001::{FIGURE_1, RATE, page};
use crate::support::plot::{Axis, Curve, Line, Plot};
use std::f64::consts::TAU;
use urto_physics::contact::HuntCrossley;
use urto_physics::modal::Mode;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::{Capacity, Collision};

/// The resonator of figure 2: frequencies [Hz], mass [kg] and quality factor.
const PARTIALS: [f64; 3] = [500.0, 1392.0, 2727.0];
const MASS: f64 = 0.05;
const QUALITY: f64 = 100.0;
/// A load that brings the hammer back, and the amplitude [N] and frequency [Hz] of a sine.
const LOAD: f64 = 3.0;
const SINE: (f64, f64) = (3.0, 90.0);
/// What is simulated, and what is drawn of it [s].
const DURATION: f64 = 0.5;
const SHOWN: f64 = 60e-3;

/// A frame: driving force [N], displacements of hammer and resonator [m], mean contact force [N].
type Frame = [f64; 4];

/// The hammer of figure 1 at rest on the resonator of figure 2, and its number.
fn at_rest() -> (Collision, usize) {
    let mut collision = Collision::new(RATE, Capacity { modes: 3, held: 0, hammers: 1, hammer_modes: 1, levels: 5 });
    let mode = |hertz: f64| Mode { omega: TAU * hertz, sigma: TAU * hertz / (2.0 * QUALITY) };
    collision.set_body(PARTIALS.map(mode));
    collision.enable_energy_balance();
    let law = HuntCrossley::new(FIGURE_1.stiffness, FIGURE_1.exponent, FIGURE_1.damping).into();
    let weights = [1.0 / MASS.sqrt(); 3];
    let hit = PointHammerSpec { law, mass: FIGURE_1.mass, velocity: 0.0, tether: Mode::RIGID, weights: &weights };
    let hammer = collision.strike(hit).expect("there is room");
    (collision, hammer)
}

fn push(frame: usize) -> f64 {
    LOAD + SINE.0 * (TAU * SINE.1 * frame as f64 / RATE).sin()
}

/// One sample under `force`.
fn step(collision: &mut Collision, hammer: usize, force: f64) -> Frame {
    let mut impulse = 0.0;
    collision.set_push(hammer, force);
    collision.step(256, &mut |_, substep| impulse += substep.force * substep.dt);
    let striker = collision.hammer(hammer);
    let surface: f64 = striker.body_weights().iter().zip(collision.body().q.iter()).map(|(w, q)| -w * q).sum();
    [force, striker.position(), surface, impulse * RATE]
}

/// Under a sine it strikes again and again, at irregular times; energy and momentum balance.
#[test]
fn section_4_2_a_driven_hammer_strikes_repeatedly() {
    let (mut collision, hammer) = at_rest();
    let run: Vec<Frame> = (0..(DURATION * RATE) as usize).map(|n| step(&mut collision, hammer, push(n))).collect();

    assert!(run.iter().all(|frame| frame[3] >= 0.0), "the contact never pulls");
    let onsets: Vec<usize> = (1..run.len()).filter(|&n| run[n - 1][3] == 0.0 && run[n][3] > 0.0).collect();
    assert!(onsets.len() > 20, "{} contacts", onsets.len());
    let apart: Vec<usize> = onsets.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (least, most) = (apart.iter().min().expect("some"), apart.iter().max().expect("some"));
    assert!(most > &(4 * least), "{least} to {most} frames apart: a rhythm of its own");

    // m v = integral of the driving force less the contact's; without a tether nothing else acts
    let impulses: f64 = run.iter().map(|frame| (frame[0] - frame[3]) / RATE).sum();
    let momentum = FIGURE_1.mass * collision.hammer(hammer).velocity();
    let scale = run.iter().map(|frame| frame[3] / RATE).sum::<f64>();
    assert!((momentum - impulses).abs() < 1e-12 * scale, "{momentum} and {impulses} N s");
    let balance = collision.energy_balance().expect("enabled");
    let worst = balance.largest_balance_residual / balance.largest;
    assert!(worst <= 1e-12, "{worst:e} of the largest energy is not accounted for");

    let shown = || run.iter().enumerate().take((SHOWN * RATE) as usize).map(|(n, frame)| (1e3 * n as f64 / RATE, frame));
    let curve = |name, line, place: usize, unit: f64| Curve::new(name, line, shown().map(|(t, f)| (t, f[place] / unit)));
    let time = || Axis::new("time (ms)").between(0.0, 1e3 * SHOWN);
    let title = "FonoBump: a sine of 90 Hz on a hammer of 10 g";
    let (hammer, surface) = (curve("hammer", Line::Solid, 1, 1e-3), curve("resonator", Line::Dashed, 2, 1e-3));
    page().stack(
        "fonobump",
        &[
            Plot::new(title, time(), Axis::new("driving force (N)"), vec![curve("", Line::Solid, 0, 1.0)]),
            Plot::new("", time(), Axis::new("displacement (mm)").between(-0.4, 0.6), vec![hammer, surface]),
            Plot::new("", time(), Axis::new("contact force (N)"), vec![curve("", Line::Solid, 3, 1.0)]),
        ],
    );
}
