//! Bodies with tension, and a reference integrator of a strike on one: Runge and Kutta's method of fourth order, many steps a sample.

use super::struck_body::{RATE, empty};
use std::f64::consts::{PI, TAU};
use urto_physics::bodies::{ModalShape, StretchStiffness};
use urto_physics::modal::Mode;
use urto_physics::solver::{Collision, TensionLaw};

/// A body with tension: modes, K, g, and the tension at rest.
pub struct Body {
    pub shape: ModalShape,
    pub mass: f64,
    pub modes: Vec<Mode>,
    pub stiffness: f64,
    pub stretches: Vec<f64>,
    pub rest: f64,
}

impl Body {
    /// Steel string of 0.65 m, 0.7 mm and 60 N, its modes up to 16 kHz.
    pub fn string() -> Self {
        let (length, diameter, young, density, rest) = (0.65, 0.7e-3, 2e11, 7850.0, 60.0);
        let area = PI * diameter * diameter / 4.0;
        let (mass, bending) = (density * area * length, young * PI * f64::powi(diameter, 4) / 64.0);
        let omega = |n: usize| {
            let k = n as f64 * PI / length;
            ((rest * k * k + bending * k.powi(4)) / (density * area)).sqrt()
        };
        let count = (1..).take_while(|&n| omega(n) < TAU * 16e3).count();
        let modes = (1..=count).map(|n| Mode { omega: omega(n), sigma: 0.3 + (omega(n) / TAU / 2000.0).powi(2) }).collect();
        Self::new(ModalShape::string(count), mass, modes, StretchStiffness::line(young * area, length), rest)
    }

    /// Head of 12.6 inches: 0.19 mm of polyester film under 1500 N/m, its modes up to 3 kHz.
    pub fn head() -> Self {
        let (radius, thickness, young, density, rest) = (0.16_f64, 0.19e-3, 3.5e9, 1380.0, 1500.0);
        let mass = density * thickness * PI * radius * radius;
        let lowest = 2.404_825_557_695_773 / radius * f64::sqrt(rest / (density * thickness));
        let shape = ModalShape::head(440, 0.0);
        let count = (0..440).take_while(|&i| lowest * shape.ratio(i) < TAU * 3e3).count();
        let shape = ModalShape::head(count, 0.0);
        let omega = |i| lowest * shape.ratio(i);
        let modes = (0..count).map(|i| Mode { omega: omega(i), sigma: 3.0 + omega(i) / TAU / 200.0 }).collect();
        let stiffness = young * thickness / ((1.0 - 0.3 * 0.3) * PI * radius * radius);
        Self::new(shape, mass, modes, StretchStiffness { stiffness, scale: PI }, rest)
    }

    fn new(shape: ModalShape, mass: f64, modes: Vec<Mode>, resistance: StretchStiffness, rest: f64) -> Self {
        let mut stretches = vec![0.0; modes.len()];
        shape.stretch_weights(&resistance, mass, &mut stretches);
        Self { shape, mass, modes, stiffness: resistance.stiffness, stretches, rest }
    }

    /// The same without losses.
    pub fn lossless(self) -> Self {
        let modes = self.modes.iter().map(|mode| Mode { sigma: 0.0, ..*mode }).collect();
        Self { modes, ..self }
    }

    /// The body at rest, with `amount` times its stiffness K, and the tension awake.
    pub fn collision(&self, amount: f64, level: u32) -> Collision {
        let mut collision = empty(RATE, self.modes.len(), level);
        collision.set_body(self.modes.iter().copied());
        collision.set_tension(&TensionLaw { stiffness: amount * self.stiffness, stretches: &self.stretches });
        collision.wake_tension();
        collision
    }

    /// Weights [kg^-1/2] at xi.
    pub fn weights(&self, xi: f64) -> Vec<f64> {
        let mut weights = vec![0.0; self.modes.len()];
        self.shape.weights_at(xi, self.mass, &mut weights);
        weights
    }
}

/// A hammer and its contact after Hunt and Crossley.
#[derive(Clone, Copy)]
pub struct Strike {
    pub mass: f64,
    pub velocity: f64,
    pub stiffness: f64,
    pub exponent: f64,
    pub damping: f64,
    /// Distance at the start [m].
    pub gap: f64,
}

/// The differential equations of the strike; the state is q, v, then place and velocity of the hammer.
pub struct Ordinary<'a> {
    pub body: &'a Body,
    pub strike: Strike,
    /// Weights at the hammer [kg^-1/2].
    pub weights: &'a [f64],
}

impl Ordinary<'_> {
    /// Time derivative of the state `y` into `rate`.
    fn derive(&self, y: &[f64], rate: &mut [f64]) {
        let n = self.body.modes.len();
        let (q, v, place, speed) = (&y[..n], &y[n..2 * n], y[2 * n], y[2 * n + 1]);
        let (mut x, mut closing, mut stretch) = (place, speed, 0.0);
        for i in 0..n {
            x -= self.weights[i] * q[i];
            closing -= self.weights[i] * v[i];
            stretch += 0.5 * self.body.stretches[i] * q[i] * q[i];
        }
        let Strike { stiffness, exponent, damping, mass, .. } = self.strike;
        let force = if x > 0.0 { (stiffness * x.powf(exponent) * (1.0 + damping * closing)).max(0.0) } else { 0.0 };
        let tension = self.body.stiffness * stretch;
        for i in 0..n {
            let mode = self.body.modes[i];
            let own = mode.omega * mode.omega + tension * self.body.stretches[i];
            rate[i] = v[i];
            rate[n + i] = self.weights[i] * force - own * q[i] - 2.0 * mode.sigma * v[i];
        }
        (rate[2 * n], rate[2 * n + 1]) = (speed, -force / mass);
    }

    /// Displacement of the body by the weights `heard` after each of `samples` samples.
    pub fn run(&self, samples: usize, sample_rate: f64, steps: usize, heard: &[f64]) -> Vec<f64> {
        let n = self.body.modes.len();
        let mut y = vec![0.0; 2 * n + 2];
        (y[2 * n], y[2 * n + 1]) = (-self.strike.gap, self.strike.velocity);
        let dt = 1.0 / (sample_rate * steps as f64);
        let mut slopes: [Vec<f64>; 4] = std::array::from_fn(|_| vec![0.0; y.len()]);
        let mut between = y.clone();
        let mut sound = Vec::with_capacity(samples);
        for _ in 0..samples {
            for _ in 0..steps {
                self.derive(&y, &mut slopes[0]);
                for (stage, part) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
                    for (i, value) in between.iter_mut().enumerate() {
                        *value = y[i] + part * dt * slopes[stage - 1][i];
                    }
                    self.derive(&between, &mut slopes[stage]);
                }
                for (i, value) in y.iter_mut().enumerate() {
                    let [a, b, c, d] = [0, 1, 2, 3].map(|stage: usize| slopes[stage][i]);
                    *value += dt / 6.0 * (a + 2.0 * (b + c) + d);
                }
            }
            sound.push(heard.iter().zip(&y).map(|(w, q)| w * q).sum());
        }
        sound
    }
}

/// Root of the sum of squares of the difference, over that of `known`.
pub fn relative_error(found: &[f64], known: &[f64]) -> f64 {
    let sum = |of: &dyn Fn(usize) -> f64| (0..known.len()).map(|i| of(i).powi(2)).sum::<f64>();
    (sum(&|i| found[i] - known[i]) / sum(&|i| known[i])).sqrt()
}
