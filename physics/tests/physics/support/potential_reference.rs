//! Plates with their potential, and the reference of a strike on a body with a potential.

use super::strike_reference::{Strike, StrikeEquations};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{PI, TAU};
use urto_physics::bodies::{EdgeSupport, PlateEdges, PlatePotential, PlateStretch, StressDetail, plate_forms};
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
        PlateStretch { rim: EdgeSupport::Supported, thickness, poisson: 0.3, mass: self.mass(), omega: self.omegas[0], aspect }
            .amount()
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

/// Displacement of the body by the weights `heard` after each of `samples` samples of the strike.
pub fn reference(
    body: &Body,
    strike: Strike,
    weights: &[f64],
    heard: &[f64],
    [samples, steps]: [usize; 2],
    rate: f64,
) -> Vec<f64> {
    let mut potential = body.reference.clone();
    potential.set_depth(body.size.depth);
    let stiffening = |q: &[f64], forces: &mut [f64]| {
        potential.evaluate(q, forces);
        forces.iter_mut().for_each(|force| *force *= body.size.amount);
    };
    StrikeEquations { modes: &body.modes, strike, weights, stiffening }.run([samples, steps], rate, heard)
}
