//! A tuned bar over a tuned tube: modes of unlike loss, joined while playing.

use super::bodies::RATE;
use nalgebra::{Complex, DMatrix};
use std::f64::consts::{PI, TAU};
use urto_physics::connections::{Joint, Network, NetworkCapacity, PortEnd, Side};
use urto_physics::modal::Mode;

const BAR: f64 = 262.0;

/// A bar of 0.3 kg and two modes of a tube of 40 mm, `detuned` [cents] from it, with a lump of air of `mass` [kg] in the mouth.
struct Pair {
    modes: [Mode; 3],
    weights: [f64; 3],
    tube: f64,
    tube_mass: f64,
    mass: f64,
}

impl Pair {
    fn new(detuned: f64, mass: f64) -> Self {
        let tube = BAR * 2f64.powf(detuned / 1200.0);
        let (area, length) = (PI * 0.02 * 0.02, 343.0 / 4.0 / tube);
        let tube_mass = 1.2 * area * length / 2.0;
        let raised = (1.0 + mass / tube_mass).sqrt();
        let mode = |frequency: f64, sigma: f64| Mode { omega: TAU * frequency, sigma };
        let modes =
            [mode(BAR, 6.91 / 4.0), mode(tube * raised, PI * tube / 40.0), mode(3.0 * tube * raised, PI * 3.0 * tube / 70.0)];
        let of_tube = -1.0 / tube_mass.sqrt();
        Self { modes, weights: [2.0 / 0.3_f64.sqrt(), of_tube, of_tube], tube, tube_mass, mass }
    }

    /// The two lowest poles [1/s], with the lump as a mass: (1 + m w w^T) q'' + 2 sigma q' + omega^2 q = 0.
    fn exact(&self) -> Vec<Complex<f64>> {
        let mass = DMatrix::from_fn(3, 3, |i, j| f64::from(u8::from(i == j)) + self.mass * self.weights[i] * self.weights[j]);
        let inverse = mass.try_inverse().expect("it is positive definite");
        let matrix = DMatrix::from_fn(6, 6, |i, j| match (i < 3, j < 3) {
            (true, true) => 0.0,
            (true, false) => f64::from(u8::from(i == j - 3)),
            (false, true) => -inverse[(i - 3, j)] * self.modes[j].omega.powi(2),
            (false, false) => -inverse[(i - 3, j - 3)] * 2.0 * self.modes[j - 3].sigma,
        });
        lowest(matrix.complex_eigenvalues().iter().copied())
    }

    /// The same by a network: near one frequency the lump is a spring with the sign of the tube turned, its own shift taken out.
    fn played(&self) -> Vec<Complex<f64>> {
        let [bar, first, third] = self.modes;
        let [w_bar, w_tube, _] = self.weights;
        let stiffness = self.mass * bar.omega * bar.omega;
        let bar_square = bar.omega * bar.omega / (1.0 + self.mass * w_bar * w_bar) - stiffness * w_bar * w_bar;
        let tube_square = (TAU * self.tube).powi(2) - stiffness * w_tube * w_tube;
        let modes = [
            vec![Mode { omega: bar_square.sqrt(), ..bar }],
            vec![Mode { omega: tube_square.sqrt(), sigma: first.sigma / (1.0 + self.mass / self.tube_mass) }, third],
        ];
        let mut network = Network::new(RATE, NetworkCapacity { bodies: 2, modes: 2 });
        modes.iter().for_each(|modes| assert!(network.add_body(modes.iter().copied()).is_some()));
        let ends = [(0, w_bar), (1, -w_tube)];
        let weights = ends.map(|(_, weight)| [weight, 0.0]);
        let end = |n: usize| PortEnd { body: ends[n].0, weights: &weights[n], side: Side::Plus };
        assert_eq!(network.connect(&[end(0), end(1)], Joint { stiffness, damping: 0.0, missing: 0.0 }), Some(0));
        let places = [(0, 0), (1, 0), (1, 1)];
        let matrix = DMatrix::from_columns(&(0..7).map(|column| step_of(&mut network, places, column)).collect::<Vec<_>>());
        lowest(matrix.complex_eigenvalues().iter().map(|z| z.ln() * RATE))
    }
}

/// State after a sample from unit number `column`: q, v and the extension in units of 1e-3 s.
fn step_of(network: &mut Network, places: [(usize, usize); 3], column: usize) -> nalgebra::DVector<f64> {
    let unit = 1e-3;
    for (i, (body, mode)) in places.into_iter().enumerate() {
        let (q, v) = network.state_mut(body);
        q[mode] = if column == i { unit } else { 0.0 };
        v[mode] = if column == i + 3 { 1.0 } else { 0.0 };
    }
    network.set_extensions(&[if column == 6 { unit } else { 0.0 }]);
    network.step();
    let of = |n: usize| {
        let (body, mode) = places[n % 3];
        let modes = network.modes(body);
        if n < 3 { modes.q[mode] / unit } else { modes.v[mode] }
    };
    nalgebra::DVector::from_iterator(7, (0..6).map(of).chain([network.extension(0) / unit]))
}

fn lowest(values: impl Iterator<Item = Complex<f64>>) -> Vec<Complex<f64>> {
    let mut upper: Vec<_> = values.filter(|s| s.im > 1.0).collect();
    upper.sort_by(|a, b| a.im.total_cmp(&b.im));
    upper.truncate(2);
    // of two poles at one frequency, the bar's, which rings longer, comes last
    if upper[1].im - upper[0].im < TAU * 0.2 {
        upper.sort_by(|a, b| a.re.total_cmp(&b.re));
    }
    upper
}

#[test]
fn a_tube_of_little_air_damps_its_bar_without_splitting_it() {
    for detuned in [-30.0, 0.0, 30.0] {
        for mass in [10e-6, 30e-6] {
            let pair = Pair::new(detuned, mass);
            let (exact, played) = (pair.exact(), pair.played());
            for (exact, played) in exact.iter().zip(&played) {
                let (hertz, decay) = ((played.norm() - exact.norm()) / TAU, played.re / exact.re);
                println!("{detuned} cents, {mass:e} kg: {:.2} Hz {:.2} s, {hertz:+.3} Hz", exact.norm() / TAU, -6.91 / exact.re);
                assert!(hertz.abs() < 0.21 && (decay - 1.0).abs() < 0.1, "{detuned} {mass}: {hertz} Hz, decay {decay}");
            }
            if detuned == 0.0 && mass < 20e-6 {
                assert!((played[1].norm() - played[0].norm()).abs() < TAU * 0.2, "a single pitch: {played:?}");
            }
        }
    }
}
