//! Bodies with tension, and the reference of a strike on one.

use super::strike_reference::{Strike, StrikeEquations};
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

    /// Displacement by the weights `heard` after each sample of a strike at the weights `struck`, by the reference integrator.
    pub fn reference(&self, strike: Strike, [struck, heard]: [&[f64]; 2], [samples, steps]: [usize; 2]) -> Vec<f64> {
        let stiffening = |q: &[f64], forces: &mut [f64]| {
            let stretch: f64 = self.stretches.iter().zip(q).map(|(g, q)| 0.5 * g * q * q).sum();
            let tension = self.stiffness * stretch;
            forces.iter_mut().zip(&self.stretches).zip(q).for_each(|((force, g), q)| *force = tension * g * q);
        };
        StrikeEquations { modes: &self.modes, strike, weights: struck, stiffening }.run([samples, steps], RATE, heard)
    }
}
