//! Plates with their potential, and a reference integrator of a strike on one: Runge and Kutta's method of fourth order, many steps a
//! sample.

use super::tension_reference::Strike;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{PI, TAU};
use urto_physics::bodies::{PlateEdges, PlatePotential, PlateStretch, StressDetail, plate_forms};
use urto_physics::modal::{FormEntry, LentPotential, Mode, Potential, PotentialSize, QuadraticForms};
use urto_physics::solver::Collision;

/// A steel plate, supported, with edges that slide.
pub struct SteelPlate {
    pub length: f64,
    pub width: f64,
    pub thickness: f64,
    pub families: Vec<(u32, u32)>,
    /// omega of every mode.
    pub omegas: Vec<f64>,
}

impl SteelPlate {
    /// With its modes up to `highest` [Hz].
    pub fn new(length: f64, width: f64, thickness: f64, highest: f64) -> Self {
        let bending = 2e11 * thickness.powi(3) / (12.0 * 0.91);
        let speed = (bending / (7850.0 * thickness)).sqrt();
        let omega = |(m, n): (u32, u32)| PI * PI * speed * ((f64::from(m) / length).powi(2) + (f64::from(n) / width).powi(2));
        let mut families: Vec<_> =
            (1..90).flat_map(|m| (1..90).map(move |n| (m, n))).filter(|f| omega(*f) < TAU * highest).collect();
        families.sort_by(|a, b| omega(*a).total_cmp(&omega(*b)));
        let omegas = families.iter().map(|f| omega(*f)).collect();
        Self { length, width, thickness, families, omegas }
    }

    pub fn mass(&self) -> f64 {
        7850.0 * self.length * self.width * self.thickness
    }

    /// Weights [kg^-1/2] at x and y, in parts of length and width.
    pub fn weights(&self, x: f64, y: f64) -> Vec<f64> {
        let shape = |&(m, n): &(u32, u32)| 2.0 * (f64::from(m) * PI * x).sin() * (f64::from(n) * PI * y).sin();
        self.families.iter().map(|f| shape(f) / self.mass().sqrt()).collect()
    }

    /// Modes with the decay rate `sigma` of their frequency [Hz].
    pub fn modes(&self, sigma: impl Fn(f64) -> f64) -> Vec<Mode> {
        self.omegas.iter().map(|&omega| Mode { omega, sigma: sigma(omega / TAU) }).collect()
    }

    /// Factor of V.
    pub fn amount(&self) -> f64 {
        let (thickness, aspect) = (self.thickness, self.length / self.width);
        PlateStretch { thickness, poisson: 0.3, mass: self.mass(), omega: self.omegas[0], aspect }.amount()
    }

    /// V by coefficients.
    pub fn forms(&self) -> QuadraticForms {
        plate_forms(self.length / self.width, &self.families, PlateEdges::Sliding)
    }

    /// The plate with its potential and losses `sigma` by frequency [Hz].
    pub fn body(&self, sigma: impl Fn(f64) -> f64) -> Body {
        Body {
            modes: self.modes(sigma),
            potential: Box::new(self.grid(StressDetail::Full)),
            reference: Box::new(self.forms()),
            size: PotentialSize::flat(self.amount()),
        }
    }

    /// V on the grid.
    pub fn grid(&self, detail: StressDetail) -> PlatePotential {
        let families: Vec<_> = self.families.iter().map(|f| Some(*f)).collect();
        PlatePotential::new(self.length / self.width, &families, PlateEdges::Sliding, detail)
    }
}

/// A body with a potential, as the solver takes it and as its reference.
pub struct Body {
    pub modes: Vec<Mode>,
    pub potential: Box<dyn Potential>,
    pub reference: Box<dyn Potential>,
    pub size: PotentialSize,
}

impl Body {
    /// Prepares a body at rest with `amount` times its V, awake.
    pub fn set(&self, collision: &mut Collision, amount: f64) {
        collision.set_body(self.modes.iter().copied());
        let lent = LentPotential::new(self.potential.clone(), self.modes.len());
        collision.exchange_potential(Some(lent), PotentialSize { amount: amount * self.size.amount, ..self.size });
        collision.wake_potential();
    }
}

/// The plate bent by `height` [m] in its lowest mode, with modes by losses `sigma`; and the weights of `places` on it.
pub fn bent(plate: &SteelPlate, height: f64, sigma: impl Fn(f64) -> f64, places: [[f64; 2]; 2]) -> (Body, [Vec<f64>; 2]) {
    let n = plate.families.len();
    let rest = height / plate.weights(0.5, 0.5)[0];
    let root = plate.amount().sqrt();
    let entries = plate.forms().entries().to_vec();
    let count = entries.iter().map(|e| e.form + 1).max().unwrap_or(0);
    let mut forms = vec![DMatrix::<f64>::zeros(n, n); count];
    for FormEntry { form, modes: [i, j], value } in entries {
        forms[form][(i, j)] += 0.5 * root * value;
        forms[form][(j, i)] += 0.5 * root * value;
    }
    let slopes: Vec<DVector<f64>> = forms.iter().map(|h| h.column(0) * (2.0 * rest)).collect();
    let mut stiffness = DMatrix::from_diagonal(&DVector::from_iterator(n, plate.omegas.iter().map(|omega| omega * omega)));
    slopes.iter().for_each(|b| stiffness += b * b.transpose());
    let eigen = stiffness.symmetric_eigen();
    let turn = &eigen.eigenvectors;
    let modes = eigen.eigenvalues.iter().map(|square| square.sqrt()).map(|omega| Mode { omega, sigma: sigma(omega / TAU) });
    let modes: Vec<Mode> = modes.collect();
    let (mut turned, mut turned_slopes) = (Vec::new(), Vec::new());
    for (form, (h, b)) in forms.iter().zip(&slopes).enumerate() {
        let h = turn.transpose() * h * turn;
        for i in 0..n {
            turned.push(FormEntry { form, modes: [i, i], value: h[(i, i)] });
            turned.extend((i + 1..n).map(|j| FormEntry { form, modes: [i, j], value: 2.0 * h[(i, j)] }));
        }
        turned_slopes.extend((turn.transpose() * b).iter());
    }
    let potential: Box<dyn Potential> = Box::new(QuadraticForms::curved(n, turned, turned_slopes));
    let weights = places.map(|[x, y]| {
        let flat = DVector::from_vec(plate.weights(x, y));
        (turn.transpose() * flat).iter().copied().collect()
    });
    (Body { modes, reference: potential.clone(), potential, size: PotentialSize::flat(1.0) }, weights)
}

/// The differential equations of a strike; the state is q, v, then place and velocity of the hammer.
struct Equations<'a> {
    body: &'a Body,
    potential: Box<dyn Potential>,
    strike: Strike,
    weights: &'a [f64],
    gradient: Vec<f64>,
}

impl Equations<'_> {
    /// Time derivative of the state `y` into `rate`.
    fn derive(&mut self, y: &[f64], rate: &mut [f64]) {
        let n = self.body.modes.len();
        let (q, v, place, speed) = (&y[..n], &y[n..2 * n], y[2 * n], y[2 * n + 1]);
        self.potential.evaluate(q, &mut self.gradient);
        let (mut x, mut closing) = (place, speed);
        for i in 0..n {
            x -= self.weights[i] * q[i];
            closing -= self.weights[i] * v[i];
        }
        let Strike { stiffness, exponent, damping, mass, .. } = self.strike;
        let force = if x > 0.0 { (stiffness * x.powf(exponent) * (1.0 + damping * closing)).max(0.0) } else { 0.0 };
        for i in 0..n {
            let Mode { omega, sigma } = self.body.modes[i];
            rate[i] = v[i];
            let slope = omega * omega * q[i] + self.body.size.amount * self.gradient[i];
            rate[n + i] = self.weights[i] * force - slope - 2.0 * sigma * v[i];
        }
        (rate[2 * n], rate[2 * n + 1]) = (speed, -force / mass);
    }
}

/// Displacement of the body by the weights `heard` after each of `samples` samples of the strike.
pub fn reference(
    body: &Body,
    strike: Strike,
    weights: &[f64],
    heard: &[f64],
    [samples, steps]: [usize; 2],
    rate: f64,
) -> Vec<f64> {
    let n = body.modes.len();
    let mut potential = body.reference.clone();
    potential.set_depth(body.size.depth);
    let mut equations = Equations { body, potential, strike, weights, gradient: vec![0.0; n] };
    let mut y = vec![0.0; 2 * n + 2];
    (y[2 * n], y[2 * n + 1]) = (-strike.gap, strike.velocity);
    let dt = 1.0 / (rate * steps as f64);
    let mut slopes: [Vec<f64>; 4] = std::array::from_fn(|_| vec![0.0; y.len()]);
    let mut between = y.clone();
    let mut sound = Vec::with_capacity(samples);
    for _ in 0..samples {
        for _ in 0..steps {
            equations.derive(&y, &mut slopes[0]);
            for (stage, part) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
                for (i, value) in between.iter_mut().enumerate() {
                    *value = y[i] + part * dt * slopes[stage - 1][i];
                }
                equations.derive(&between, &mut slopes[stage]);
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
