//! Bodies that stiffen as they bend: strings after Kirchhoff and Carrier, membranes after Berger, plates after von Karman, and the rising
//! brightness of a plate after Ducceschi and Touze.

use crate::support::elliptic_period::{cents, elliptic_omega, measured_omega, potential_error, tension_error};
use crate::support::page::{Page, rough, signed};
use crate::support::plot::{Axis, Curve, Line, Plot};
use crate::support::potential_reference::SteelPlate;
use crate::support::strike_reference::Strike;
use crate::support::struck_body::{RATE, at, begin, empty};
use crate::support::tension_reference::Body;
use crate::tier::is_thorough;
use std::f64::consts::{PI, TAU};
use urto_physics::bodies::{DiscPotential, EdgeSupport, PlateEdges, PlatePotential, PlateStretch, RoundMode, StressDetail};
use urto_physics::bodies::{disc_forms, plate_forms};
use urto_physics::modal::{FormEntry, LentPotential, Mode, Potential, PotentialSize, QuadraticForms};
use urto_physics::solver::MAX_SUBSTEPS;

fn page() -> Page {
    Page::of("stiffening")
}

/// A lowest mode of a free disc, of which single precision computes the gradient.
fn free_disc() -> DiscPotential {
    let mode = RoundMode { diameters: 2, circles: 0, second: false };
    DiscPotential::new(EdgeSupport::Free, 0.33, &[Some(mode)], 60)
}

/// One lossless mode after 1.25 s: at most the errors of the prototype [cents] of the tension and of the potential.
#[test]
fn a_mode_has_the_elliptic_period() {
    let known = [
        (0.02, [[0.07, 0.13], [0.04, 0.01]]),
        (0.1, [[0.42, 2.1], [0.03, 0.01]]),
        (0.25, [[2.6, 12.7], [0.6, 1.4]]),
        (0.5, [[10.0, 47.0], [3.1, 8.1]]),
    ];
    let mut rows = Vec::new();
    for (phase, [tension, potential]) in known {
        for (i, r) in [0.2, 1.0].into_iter().enumerate() {
            let forms = QuadraticForms::flat(1, [FormEntry { form: 0, modes: [0, 0], value: 2.0 }]);
            let mut disc = free_disc();
            let quartic = disc.evaluate(&[1.0], &mut [0.0]);
            let errors = [
                tension_error([phase, r]),
                potential_error(Box::new(forms), 2.0, [phase, r]),
                potential_error(Box::new(disc), quartic, [phase, r]),
            ];
            let limits = [1.1 * tension[i] + 0.01, 1.1 * potential[i] + 0.05, 1.1 * potential[i] + 0.05];
            assert!(errors.iter().zip(limits).all(|(error, limit)| error.abs() <= limit), "omega h {phase}, r {r}: {errors:?}");
            let shift = cents(elliptic_omega(1.0, r));
            let cells = [format!("{phase}"), format!("{r}"), format!("{shift:.1}")];
            rows.push(cells.into_iter().chain(errors.map(|error| signed(error, 2))).collect());
        }
    }
    page().table("duffing", &["omega h", "r", "shift, cents", "tension", "potential", "potential of a disc"], &rows);
}

/// Cents by which the lowest mode of a body with tension rises when it swings by `deflection` [m] where its weight is `weight`: the closed
/// form, the first order, and the solver.
fn rises(body: &Body, weight: f64, deflection: f64) -> [f64; 3] {
    let mut collision = body.collision(1.0, 2);
    let amplitude = deflection / weight;
    let (omega, g) = (body.modes[0].omega, body.stretches[0]);
    let square = 0.5 * body.stiffness * g * g * amplitude * amplitude;
    collision.ring_parts().2[0] = amplitude * (omega * omega + 0.5 * square).sqrt();
    let found = measured_omega(&mut collision, 0, (24_000, RATE), |c| c.ring_with_tension(1.0));
    [elliptic_omega(omega, square), omega * (1.0 + 0.375 * square / (omega * omega)), found].map(|other| cents(other / omega))
}

/// Kirchhoff and Carrier: mode 1 of a string at 2 mm in the middle is 19.204 cents sharp by the elliptic period.
#[test]
fn a_string_that_swings_by_2_mm_is_19_cents_sharp() {
    let body = Body::string().lossless();
    let weight = body.weights(0.5)[0];
    let mut rows = Vec::new();
    for deflection in [0.5, 1.0, 2.0, 4.0, 8.0] {
        let [closed, first, found] = rises(&body, weight, 1e-3 * deflection);
        assert!((found - closed).abs() < 0.01 + 1e-3 * closed, "{deflection} mm: {closed} {found}");
        if deflection == 2.0 {
            assert!((closed - 19.204).abs() < 5e-4, "{closed}");
        }
        rows.push([format!("{deflection}")].into_iter().chain([closed, first, found].map(|x| format!("{x:.3}"))).collect());
    }
    page().table("string", &["amplitude in the middle, mm", "elliptic, cents", "first order", "solver"], &rows);
}

/// Berger: the lowest mode of a round membrane. With w = A J_0(z r/R) the growth of its stiffness at the largest deflection is
/// E h (z J_1(z) A/R)^2/(2 (1 - nu^2) T), here of a polyester film of 0.19 mm under 1500 N/m, R = 0.16 m, nu = 0.3.
#[test]
fn a_membrane_hardens_after_berger() {
    let body = Body::head().lossless();
    let weight = body.weights(0.0)[0];
    let (wave, slope) = (2.404_825_557_695_773_f64, 0.519_147_497_289_466_7);
    let mut rows = Vec::new();
    for deflection in [1.0, 2.0, 5.0, 10.0, 20.0] {
        let growth = 3.5e9 * 0.19e-3 * (wave * slope * 1e-3 * deflection / 0.16_f64).powi(2) / (2.0 * 0.91 * 1500.0);
        let closed = cents(elliptic_omega(1.0, growth));
        let [same, first, found] = rises(&body, weight, 1e-3 * deflection);
        assert!((same / closed - 1.0).abs() < 1e-9, "{deflection} mm: {same} {closed}");
        assert!((found - closed).abs() < 0.01 + 1e-3 * closed, "{deflection} mm: {closed} {found}");
        let cells = [format!("{deflection}"), format!("{:.1}", 100.0 * growth)];
        rows.push(cells.into_iter().chain([closed, first, found].map(|x| format!("{x:.2}"))).collect());
    }
    page().table(
        "membrane",
        &["amplitude in the middle, mm", "tension, % above rest", "elliptic, cents", "first order", "solver"],
        &rows,
    );
}

/// Frequency over that of small deflections, of the mode (1, 1) of a square plate with an amplitude of `height` thicknesses.
fn plate_rise(edges: PlateEdges, height: f64) -> f64 {
    let (thickness, mass, omega) = (1e-3, 0.5, TAU * 100.0);
    let stretch = PlateStretch { rim: EdgeSupport::Supported, thickness, poisson: 0.3, mass, omega, aspect: 1.0 };
    let mut plate = PlatePotential::new(1.0, &[Some((1, 1))], edges, StressDetail::Full);
    // the shape is 2 sin sin over the root of the mass
    let amplitude = 0.5 * height * thickness * mass.sqrt();
    let stored = stretch.amount() * plate.evaluate(&[amplitude], &mut [0.0]);
    let mut collision = empty(RATE, 1, 2);
    collision.set_body([Mode { omega, sigma: 0.0 }]);
    collision.exchange_potential(Some(LentPotential::new(Box::new(plate), 1)), PotentialSize::flat(stretch.amount()));
    collision.wake_potential();
    collision.ring_parts().2[0] = ((omega * amplitude).powi(2) + 2.0 * stored).sqrt();
    measured_omega(&mut collision, 0, (48_000, RATE), |c| c.ring_with_potential(1.0)) / omega
}

/// Mode (1, 1) of a square plate, nu 0.3: omega^2 (a + beta a^3/h^2), beta = 12 (1 - nu^2)/32 with sliding edges, and 1 + 2/(1 - nu) times
/// that with held ones.
#[test]
fn a_square_plate_hardens_as_by_its_closed_form() {
    let (mut coefficients, mut frequencies) = (Vec::new(), Vec::new());
    let unit =
        PlateStretch { rim: EdgeSupport::Supported, thickness: 1.0, poisson: 0.3, mass: 1.0, omega: 1.0, aspect: 1.0 }.amount();
    for (name, edges, beta) in [("sliding", PlateEdges::Sliding, 0.34125), ("held", PlateEdges::Held(0.3), 1.31625)] {
        // a = 2 q, and the force on q is 4 V/q
        let by_forms = 4.0 * unit * plate_forms(1.0, &[(1, 1)], edges).evaluate(&[0.5], &mut [0.0]) / 0.25;
        let mut grid = PlatePotential::new(1.0, &[Some((1, 1))], edges, StressDetail::Full);
        let by_grid = 4.0 * unit * grid.evaluate(&[0.5], &mut [0.0]) / 0.25;
        assert!((by_forms / beta - 1.0).abs() < 1e-12 && (by_grid / beta - 1.0).abs() < 1e-6, "{name}: {by_forms} {by_grid}");
        coefficients.push(vec![name.into(), format!("{beta}"), format!("{by_forms:.8}"), format!("{by_grid:.5}")]);
        for height in [0.2, 0.4, 0.6, 0.8, 1.0] {
            let closed = elliptic_omega(1.0, beta * height * height);
            let found = plate_rise(edges, height);
            assert!((found / closed - 1.0).abs() < 3e-5, "{name}, {height}: {closed} {found}");
            frequencies.push(vec![name.into(), format!("{height}"), format!("{closed:.4}"), format!("{found:.4}")]);
        }
    }
    page().table("square", &["edges", "beta", "by coefficients", "on the grid"], &coefficients);
    page().table("hardening", &["edges", "amplitude over h", "elliptic", "solver"], &frequencies);
}

/// Gamma = sum H_kii^2/(2 zeta_k^4) of single modes of a free disc with integrals of squares 1, nu 0.33: V = pi^3/4 of it. More stress
/// functions give more of V, and 90 all but 1e-4.
#[test]
fn a_free_disc_has_the_known_coefficients() {
    let mut rows = Vec::new();
    let known = [((2, 0), 1.8965), ((0, 1), 8.5287), ((3, 0), 16.9329), ((1, 1), 31.7259), ((4, 0), 69.9879)];
    for ((diameters, circles), gamma) in known {
        let mode = RoundMode { diameters, circles, second: false };
        let scale = 4.0 / PI.powi(3);
        let by_forms = [8, 40, 90]
            .map(|stresses| scale * disc_forms(EdgeSupport::Free, 0.33, &[mode], stresses).evaluate(&[1.0], &mut [0.0]));
        let by_blocks = scale * DiscPotential::new(EdgeSupport::Free, 0.33, &[Some(mode)], 90).evaluate(&[1.0], &mut [0.0]);
        assert!(by_forms.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-12)), "({diameters}, {circles}): {by_forms:?}");
        assert!(
            (by_forms[2] / gamma - 1.0).abs() < 1e-4 && (by_blocks / by_forms[2] - 1.0).abs() < 1e-6,
            "{by_forms:?} {by_blocks}"
        );
        let cells = [format!("({diameters}, {circles})"), format!("{gamma}")];
        let found = by_forms.iter().chain([&by_blocks]).map(|x| format!("{x:.4}"));
        rows.push(cells.into_iter().chain(found).chain([rough((by_forms[2] / gamma - 1.0).abs())]).collect());
    }
    let header = ["mode", "Gamma", "8 stress functions", "40", "90", "90, single precision", "error of 90"];
    page().table("disc", &header, &rows);
}

/// Centroid [Hz] of the spectrum of a sound.
fn centroid(sound: &[f64], rate: f64) -> f64 {
    let n = sound.len();
    let window = |i: usize| 0.5 - 0.5 * (TAU * i as f64 / (n - 1) as f64).cos();
    let windowed: Vec<f64> = sound.iter().enumerate().map(|(i, x)| x * window(i)).collect();
    let (mut sum, mut weighted) = (0.0, 0.0);
    for (k, bin) in urto_fourier::spectrum(&windowed).iter().enumerate() {
        sum += bin.norm_sqr();
        weighted += bin.norm_sqr() * k as f64 * rate / n as f64;
    }
    weighted / sum
}

/// Windows [s] of the centroids.
const WINDOWS: [[f64; 2]; 6] = [[0.005, 0.015], [0.015, 0.03], [0.03, 0.06], [0.06, 0.12], [0.12, 0.25], [0.25, 0.5]];

/// A plate struck by a soft mallet.
struct Struck {
    /// Largest deflection over the thickness.
    height: f64,
    /// Acceleration, up to a factor.
    sound: Vec<f64>,
    rate: f64,
}

impl Struck {
    /// By 100 g at `velocity` [m/s], with `amount` times the potential of a steel plate of 300 x 240 x 0.8 mm.
    fn at(velocity: f64, amount: f64, rate: f64, detail: StressDetail) -> Self {
        let plate = SteelPlate::new(0.3, 0.24, 0.8e-3, 4500.0);
        assert_eq!(plate.families.len(), 121);
        let (struck, heard) = (plate.weights(0.41, 0.43), plate.weights(0.37, 0.29));
        let mut body = plate.body(|f| 1.0 + f / 150.0);
        body.potential = Box::new(plate.grid(detail));
        let mut collision = empty(rate, plate.families.len(), 2);
        body.set(&mut collision, amount);
        begin(&mut collision, Strike { mass: 0.1, velocity, stiffness: 1e5, exponent: 1.5, damping: 0.5, gap: 1e-6 }, &struck);
        let (mut most, mut sound) = (0.0_f64, Vec::new());
        for _ in 0..(0.5 * rate) as usize {
            collision.step(MAX_SUBSTEPS, &mut |_, _| ());
            most = most.max(at(&collision, &struck).abs());
            sound.push(at(&collision, &heard));
        }
        let sound = sound.windows(3).map(|x| x[0] - 2.0 * x[1] + x[2]).collect();
        Self { height: most / plate.thickness, sound, rate }
    }

    /// Centroid of a time [s] of it.
    fn centroid(&self, [from, to]: [f64; 2]) -> f64 {
        let end = ((to * self.rate).round() as usize).min(self.sound.len());
        centroid(&self.sound[(from * self.rate).round() as usize..end], self.rate)
    }

    fn row(&self, name: &str) -> Vec<String> {
        let cells = [name.to_owned(), format!("{:.2}", self.height)];
        cells.into_iter().chain(WINDOWS.map(|window| format!("{:.0}", self.centroid(window)))).collect()
    }

    /// Centroids of windows of 20 ms against time [ms].
    fn curve(&self, name: &str, line: Line) -> Curve {
        let starts = (1..95).map(|n| 0.005 * f64::from(n));
        Curve::new(name, line, starts.map(|start| (1e3 * start + 10.0, self.centroid([start, start + 0.02]))))
    }
}

/// Header of the tables of centroids.
const CENTROIDS: [&str; 8] = ["strike", "w/h", "5-15 ms", "15-30", "30-60", "60-120", "120-250", "250-500"];

/// Struck hard, a plate gets brighter for 60 ms, and darker then; struck softly, or linear, it does not. The
/// centroids are those of the prototype.
#[test]
fn energy_climbs_to_high_modes() {
    let strikes = [
        (0.05, 0.1, [55.0, 31.0, 61.0, 61.0, 60.0, 59.0], Line::Dotted),
        (1.0, 1.7, [44.0, 121.0, 104.0, 116.0, 105.0, 101.0], Line::Dashed),
        (4.0, 3.6, [327.0, 463.0, 812.0, 769.0, 693.0, 430.0], Line::Solid),
    ];
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    for (velocity, height, known, line) in strikes {
        let struck = Struck::at(velocity, 1.0, RATE, StressDetail::Full);
        let centroids = WINDOWS.map(|window| struck.centroid(window));
        assert!((struck.height - height).abs() < 0.06, "{}", struck.height);
        assert!(centroids.iter().zip(known).all(|(c, known)| (c / known - 1.0).abs() < 0.05), "{centroids:?}");
        let name = format!("{velocity} m/s");
        rows.push(struck.row(&name));
        curves.push(struck.curve(&name, line));
        if velocity == 4.0 {
            assert!(centroids[2] > 2.0 * centroids[0] && centroids[5] < 0.7 * centroids[2], "{centroids:?}");
        }
    }
    let linear = Struck::at(4.0, 0.0, RATE, StressDetail::Full);
    let centroids = WINDOWS.map(|window| linear.centroid(window));
    assert!(centroids.iter().all(|c| *c < 150.0), "{centroids:?}");
    rows.push(linear.row("4 m/s, linear"));
    curves.push(linear.curve("4 m/s, linear", Line::DashDotted));
    page().table("climb", &CENTROIDS, &rows);
    let (x, y) = (Axis::new("time (ms)"), Axis::new("centroid (Hz)"));
    page().figure("climb", &Plot::new("Acceleration of a plate struck by a soft mallet", x, y, curves));
}

/// The climb is no effect of the sample rate, nor of the stress functions that [`StressDetail::Cut`] leaves out.
#[test]
fn the_climb_is_independent_of_rate_and_detail() {
    let full = Struck::at(4.0, 1.0, RATE, StressDetail::Full);
    let cut = Struck::at(4.0, 1.0, RATE, StressDetail::Cut);
    let near = |other: &Struck, within: f64| {
        for window in WINDOWS {
            let [a, b] = [full.centroid(window), other.centroid(window)];
            assert!((a / b - 1.0).abs() < within, "{window:?}: {a} {b}");
        }
    };
    near(&cut, 0.01);
    if is_thorough() {
        let fast = Struck::at(4.0, 1.0, 4.0 * RATE, StressDetail::Full);
        near(&fast, 0.02);
        page().table("rates", &CENTROIDS, &[full.row("48 kHz"), fast.row("192 kHz"), cut.row("48 kHz, fewer stress functions")]);
    }
}
