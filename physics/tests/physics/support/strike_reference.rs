//! A strike as ordinary differential equations, solved by Runge and Kutta's method of fourth order with many steps a sample.

use urto_physics::modal::Mode;

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

/// A strike on a body at rest; the state is q, v, then place and velocity of the hammer.
pub struct StrikeEquations<'a, S: FnMut(&[f64], &mut [f64])> {
    pub modes: &'a [Mode],
    pub strike: Strike,
    /// Weights at the hammer [kg^-1/2].
    pub weights: &'a [f64],
    /// Writes the forces for displacements q that resist them beside omega^2 q.
    pub stiffening: S,
}

impl<S: FnMut(&[f64], &mut [f64])> StrikeEquations<'_, S> {
    /// Time derivative of the state `y` into `rate`.
    fn derive(&mut self, y: &[f64], rate: &mut [f64]) {
        let n = self.modes.len();
        let (q, v, place, speed) = (&y[..n], &y[n..2 * n], y[2 * n], y[2 * n + 1]);
        let (mut x, mut closing) = (place, speed);
        for i in 0..n {
            x -= self.weights[i] * q[i];
            closing -= self.weights[i] * v[i];
        }
        let Strike { stiffness, exponent, damping, mass, .. } = self.strike;
        let force = if x > 0.0 { (stiffness * x.powf(exponent) * (1.0 + damping * closing)).max(0.0) } else { 0.0 };
        (self.stiffening)(q, &mut rate[n..2 * n]);
        for i in 0..n {
            let Mode { omega, sigma } = self.modes[i];
            rate[i] = v[i];
            rate[n + i] = self.weights[i] * force - (omega * omega * q[i] + rate[n + i]) - 2.0 * sigma * v[i];
        }
        (rate[2 * n], rate[2 * n + 1]) = (speed, -force / mass);
    }

    /// Displacement of the body by the weights `heard` after each of `samples` samples of 1/`rate` [s] of `steps` steps.
    pub fn run(&mut self, [samples, steps]: [usize; 2], rate: f64, heard: &[f64]) -> Vec<f64> {
        let n = self.modes.len();
        let mut y = vec![0.0; 2 * n + 2];
        (y[2 * n], y[2 * n + 1]) = (-self.strike.gap, self.strike.velocity);
        let dt = 1.0 / (rate * steps as f64);
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
