//! Potential of a rectangular plate, free or clamped, after von Karman: bending stretches it.
//!
//! [`StretchForms`](super::StretchForms) has its coefficients. The gradient is that of the V that is computed. Lengths are in units of the
//! root of the area, and mass, E h and area are 1: see [`PlateStretch::amount`](super::PlateStretch::amount). Displacements are scaled by the
//! largest, so that single precision suffices.

use crate::bodies::rectangular::pair_products::{PairLayout, PairWork, evaluate};
use crate::modal::Potential;
use std::sync::Arc;

/// The potential of a free or clamped rectangular plate.
#[derive(Clone, Debug)]
pub struct StretchPotential {
    layout: Arc<PairLayout>,
    /// Displacements before those of the modes.
    rigid: usize,
    work: PairWork,
}

impl StretchPotential {
    pub(super) fn new(layout: PairLayout, rigid: usize) -> Self {
        let work = PairWork::new(&layout);
        Self { layout: Arc::new(layout), rigid, work }
    }

    /// Loads the displacements, scaled by the largest, which it returns; 0 if none is in motion.
    fn load(&mut self, q: &[f64]) -> f64 {
        let Self { layout, work, .. } = self;
        let placed = || layout.cells().iter().zip(q).filter_map(|(cell, q)| Some(((*cell)?, *q)));
        let largest = placed().fold(0.0_f64, |most, (_, q)| most.max(q.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return 0.0;
        }
        let scale = 1.0 / largest;
        work.cells.fill(0.0);
        placed().for_each(|(cell, q)| work.cells[cell] = (q * scale) as f32);
        largest
    }
}

impl Potential for StretchPotential {
    fn evaluate(&mut self, q: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let rigid = self.rigid.min(q.len()).min(gradient.len());
        let largest = self.load(&q[rigid..]);
        if largest == 0.0 {
            return 0.0;
        }
        let energy = evaluate(&self.layout, &mut self.work);
        let cube = largest * largest * largest;
        for (cell, g) in self.layout.cells().iter().zip(&mut gradient[rigid..]) {
            *g = cell.map_or(0.0, |cell| cube * f64::from(self.work.cells[cell]));
        }
        energy * cube * largest
    }

    fn is_curved(&self) -> bool {
        false
    }

    fn cost(&self) -> f32 {
        let [coefficients, products] = self.layout.operations();
        EVALUATION + (coefficients + PRODUCT * products) as f32 / MULTIPLIED
    }

    fn duplicate(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }
}

/// Cost of an evaluation without products.
const EVALUATION: f32 = 110.0;

/// A product of displacements in products with coefficients, and how many of these take as long as a sample of one mode of the reference
/// resonator: 1.49 us for 48 modes and 64 stress functions, 1.02 us for 40 and 56, 0.44 us for 20 and 40, 0.17 us for 6 and 16.
const PRODUCT: usize = 23;
const MULTIPLIED: f32 = 48.0;
