//! [Rath] "Energy-stable modelling of contacting modal objects with piece-wise linear interaction force", DAFx 2008, and its slides.

use crate::support::page::{Page, rough};
use crate::support::plot::{Axis, Corner, Curve, Line, Plot};
use crate::support::reference::case;
use std::f64::consts::TAU;
use urto_physics::contact::ContactLaw;
use urto_physics::lab::{Offset, Onset};
use urto_physics::lab::{Scheme, State, System};
use urto_physics::modal::Mode;

pub const RATE: f64 = 44_100.0;
pub const GRAVITY: f64 = 9.81;

pub fn page() -> Page {
    Page::of("rath")
}

/// The object of figures 2 and 3, 220, 950 and 3500 Hz, under a mass of 10 g that falls `height` [m]; decays are ours, the paper has none.
pub fn object(stiffness: f64, damping: f64, height: f64) -> (System, State) {
    let object = [(220.0, 5.0, 20f64.sqrt()), (950.0, 8.0, 12.8f64.sqrt()), (3500.0, 15.0, 7.2f64.sqrt())];
    let mass: f64 = 0.01;
    let mut modes = vec![Mode::RIGID];
    let mut weights = vec![1.0 / mass.sqrt()];
    for (frequency, sigma, weight) in object {
        modes.push(Mode { omega: TAU * frequency, sigma });
        weights.push(-weight);
    }
    let push = vec![GRAVITY * mass.sqrt(), 0.0, 0.0, 0.0];
    let law = ContactLaw::linear(stiffness, damping);
    let system = System { h: 1.0 / RATE, modes, weights, push, gap: height, striker_modes: 1, law };
    let state = system.initial_state(0.0);
    (system, state)
}

/// Energy with that of the weight [J].
pub fn energy(system: &System, state: &State) -> f64 {
    system.energy_total(state) - system.push.iter().zip(&state.q).map(|(a, q)| a * q).sum::<f64>()
}

/// What a bouncing run shows.
#[derive(Default)]
pub struct Bounces {
    /// Largest gain of energy in a sample over the initial energy.
    pub gain: f64,
    /// Energy cut off at releases over the initial energy.
    pub cut: f64,
    /// When the last contact began [s], and whether it still lasts.
    pub last_onset: f64,
    pub lasting: bool,
    pub contacts: u32,
    /// Largest offset element, and largest displacement of the object at the contact point [m].
    pub offset: f64,
    pub amplitude: f64,
    /// At every sample: heights of mass and surface [m], energy over the initial one.
    pub track: Vec<[f64; 3]>,
}

pub fn bounce((system, mut state): (System, State), onset: Onset, duration: f64) -> Bounces {
    let mut scheme = Offset::new(system.modes.len(), onset);
    let initial = system.push[0] / system.weights[0] * system.gap;
    let start = energy(&system, &state);
    let mut seen = Bounces { gain: f64::NEG_INFINITY, ..Bounces::default() };
    let mut before = start;
    for n in 0..(duration * RATE) as usize {
        let touched = scheme.touching();
        let cost = scheme.step(&system, &mut state);
        assert!(!cost.unconverged);
        let now = energy(&system, &state);
        seen.gain = seen.gain.max((now - before) / initial);
        seen.cut += cost.cut / initial;
        seen.offset = seen.offset.max(state.offset);
        let surface: f64 = system.weights[1..].iter().zip(&state.q[1..]).map(|(w, q)| w * q).sum();
        seen.amplitude = seen.amplitude.max(surface.abs());
        seen.track.push([system.gap - system.weights[0] * state.q[0], surface, 1.0 + (now - start) / initial]);
        if !touched && scheme.touching() {
            seen.last_onset = n as f64 / RATE;
            seen.contacts += 1;
        }
        before = now;
    }
    seen.lasting = scheme.touching();
    seen
}

/// Figures 2 and 3, and the sizes of what section 2.2 calls harmless. The number of contacts and the last of them depend on every
/// rounding (a bouncing ball is chaotic), so the page does not compare them.
#[test]
fn a_falling_mass_reaches_lasting_contact_and_energy_only_decreases() {
    let mut rows = Vec::new();
    for (stiffness, damping) in [(3e4, 0.0), (1e5, 0.0), (1e5, 1.0), (3e5, 0.0), (1e6, 0.0)] {
        let seen = bounce(object(stiffness, damping, 0.01), Onset::OffsetElement, 4.0);
        assert!(seen.gain < 1e-15, "k {stiffness:e}: energy gained {:e}", seen.gain);
        assert!(seen.lasting && seen.contacts > 10, "k {stiffness:e}: {} contacts", seen.contacts);
        assert!(seen.last_onset > 0.5 && seen.last_onset < 2.5, "k {stiffness:e}: last onset {}", seen.last_onset);
        assert!(seen.cut > 1e-4 && seen.cut < 0.06, "k {stiffness:e}: {} E0 cut off", seen.cut);
        assert!(seen.offset < 1e-5 && seen.offset > 0.01 * seen.amplitude, "{:e} of {:e}", seen.offset, seen.amplitude);
        rows.push(vec![
            format!("{stiffness:.0e}"),
            format!("{damping}"),
            "< 1e-15".into(),
            seen.contacts.to_string(),
            format!("{:.2}", seen.last_onset),
            format!("{:.2}", 100.0 * seen.cut),
            rough(seen.offset),
            rough(seen.amplitude),
        ]);
    }
    let header = [
        "k, N/m",
        "c, N s/m",
        "largest gain of a sample, E_0",
        "contacts (measured)",
        "last onset, s (measured)",
        "cut off at releases, % of E_0 (measured)",
        "largest offset element, m (measured)",
        "amplitude of the object, m (measured)",
    ];
    page().table("bounces", &header, &rows);
}

/// Figures 2a, b, c and 3: k = 1e5 N/m, c = 1 N s/m.
#[test]
fn figures_2_and_3() {
    let seen = bounce(object(1e5, 1.0, 0.01), Onset::OffsetElement, 1.2);
    let curves = |samples: std::ops::Range<usize>, every: usize| {
        let curve = |name, line, column: usize| {
            Curve::new(name, line, samples.clone().step_by(every).map(|n| (n as f64, 1e3 * seen.track[n][column])))
        };
        vec![curve("mass", Line::Solid, 0), curve("object", Line::Dashed, 1)]
    };
    let first = seen.track.iter().position(|[mass, surface, _]| mass <= surface).expect("it falls");
    let last = (seen.last_onset * RATE) as usize;
    for (name, title, samples, every, legend) in [
        ("fig2a", "A mass falls on an object of 220, 950 and 3500 Hz", 0..seen.track.len(), 20, Corner::UpperRight),
        ("fig2b", "The first impact", first - 30..first + 200, 1, Corner::LowerRight),
        ("fig2c", "The last bounces, until the contact lasts", last - 6000..last + 1000, 4, Corner::UpperRight),
    ] {
        let (x, y) = (Axis::new("time (samples)"), Axis::new("height (mm)"));
        page().figure(name, &Plot::new(title, x, y, curves(samples, every)).legend(legend));
    }
    let energy = (0..seen.track.len()).step_by(20).map(|n| (n as f64, seen.track[n][2]));
    let drawn = vec![Curve::new("total", Line::Solid, energy)];
    let (x, y) = (Axis::new("time (samples)"), Axis::new("energy over the initial energy"));
    page().figure("fig3", &Plot::new("Energy of mass, object and spring", x, y, drawn));
}

/// Section 2.2: "both lead to an erroneous increase of energy".
#[test]
fn without_the_offset_element_energy_grows() {
    let mut rows = Vec::new();
    for stiffness in [1e5, 1e6, 1e7] {
        let gain = |onset| bounce(object(stiffness, 0.0, 0.01), onset, 1.0).gain;
        let (with, early, late) = (gain(Onset::OffsetElement), gain(Onset::TooEarly), gain(Onset::TooLate));
        assert!(with < 1e-15 && early > 1e-9 * stiffness && late > 1e-9 * stiffness, "{with:e} {early:e} {late:e}");
        rows.push(vec![format!("{stiffness:.0e}"), "< 1e-15".into(), rough(early), rough(late)]);
    }
    let header = ["k, N/m", "with the element", "spring at the sample before", "spring at the sample after"];
    page().table("onset", &header, &rows);
}

/// Error of v_out over v_in for a linear contact, begun `lead` samples before.
fn offset_error(name: &str, lead: f64) -> f64 {
    let case = case(name);
    let experiment = case.experiment(RATE, 16.0, lead / RATE);
    let system = System::of(&experiment);
    let mut state = system.initial_state(experiment.striker.velocity);
    let mut scheme = Offset::new(system.modes.len(), Onset::OffsetElement);
    while !scheme.touching() {
        scheme.step(&system, &mut state);
    }
    while scheme.touching() {
        scheme.step(&system, &mut state);
    }
    (state.v[0] * system.weights[0] - case.first_contact.velocity_out).abs() / case.striker.velocity
}

/// The element moves the onset by less than a sample, the release is late by less than one: what that does to v_out.
#[test]
fn aligning_contacts_with_samples_costs_little_accuracy() {
    let mut rows = Vec::new();
    for (name, what) in
        [("M13", "220, 950, 3500 Hz, contact of 42 samples"), ("M19", "500, 1392, 2727 Hz, contact of 44 samples")]
    {
        let worst = (0..8).map(|phase| offset_error(name, f64::from(phase) / 8.0 + 1e-3)).fold(0.0, f64::max);
        assert!(worst > 1e-5 && worst < 1e-3, "{name}: {worst:e}");
        rows.push(vec![what.into(), rough(worst)]);
    }
    page().table("alignment", &["object", "error of v_out over v_in"], &rows);
}
