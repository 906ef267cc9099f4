//! A potential with the memory that a body needs for it: lent to one body at a time.
//!
//! Where a body may cost less, it comes with potentials over fewer of its modes: each of them is V of displacements of which the others are 0.

use crate::modal::mode::{Mode, Response};
use crate::modal::potential::Potential;
use crate::modal::potential_levels::PotentialLevels;
use crate::modal::simd::LANES;
use std::f64::consts::FRAC_PI_2;

/// omega h up to which modes take part as a whole, and from which on not at all.
const TAPERED_FROM: f64 = 2.0;
const TAPERED_TO: f64 = 2.85;

/// Maximum number of contacts on one body.
pub const MAX_CONTACTS: usize = 16;

/// A potential, the ones with fewer modes, and memory for a body.
#[derive(Clone, Debug)]
pub struct LentPotential {
    pub(crate) levels: PotentialLevels,
    pub(crate) memory: PotentialMemory,
}

impl LentPotential {
    /// For a body of up to `felt` modes that every substep computes; allocates.
    pub fn new(potential: Box<dyn Potential>, felt: usize) -> Self {
        let array = || Vec::with_capacity(felt.next_multiple_of(LANES));
        let memory = PotentialMemory {
            taper: array(),
            gradient: array(),
            direction: array(),
            half: [array(), array(), array()],
            place: array(),
            response: array(),
            couplings: vec![0.0; MAX_CONTACTS],
            impulses: vec![0.0; MAX_CONTACTS],
        };
        Self { levels: PotentialLevels::new(vec![potential]), memory }
    }

    /// The same with potentials over fewer and fewer of its modes for [`Collision::set_potential_level`](crate::solver::Collision): each
    /// leaves the gradient of all other modes 0. All of them are flat, or all curved. Allocates.
    pub fn with_fewer_modes(mut self, smaller: impl IntoIterator<Item = Box<dyn Potential>>) -> Self {
        self.levels.extend(smaller);
        self
    }
}

/// Arrays over the felt modes, padded; empty without a potential.
#[derive(Debug, Default)]
pub(crate) struct PotentialMemory {
    /// Factor of every displacement in V.
    pub taper: Vec<f64>,
    /// Gradient of V at the present displacements.
    pub gradient: Vec<f64>,
    /// u of a held sample.
    pub direction: Vec<f64>,
    /// a11, a12 and bq of half a sample.
    pub half: [Vec<f64>; 3],
    /// Displacements at which V is evaluated.
    pub place: Vec<f64>,
    /// bq u of the span.
    pub response: Vec<f64>,
    /// Sum of Wt bq u of every hammer.
    pub couplings: Vec<f64>,
    /// Impulse [N s] of every hammer in the held sample.
    pub impulses: Vec<f64>,
}

impl Clone for PotentialMemory {
    /// A copy with the same room (allocates).
    fn clone(&self) -> Self {
        let array = |of: &Vec<f64>| {
            let mut copy = Vec::with_capacity(of.capacity());
            copy.extend_from_slice(of);
            copy
        };
        let Self { taper, gradient, direction, half, place, response, couplings, impulses } = self;
        let half = half.each_ref().map(array);
        let [taper, gradient, direction, place, response] = [taper, gradient, direction, place, response].map(array);
        let [couplings, impulses] = [couplings, impulses].map(array);
        Self { taper, gradient, direction, half, place, response, couplings, impulses }
    }
}

impl PotentialMemory {
    /// Number of modes that it has room for without allocating.
    pub fn room(&self) -> usize {
        self.place.capacity()
    }

    /// Takes over the frequencies of the modes, for samples of h [s].
    pub fn tune(&mut self, modes: &[Mode], h: f64) {
        let Self { taper, half, place, .. } = self;
        let felt = place.len();
        let modes = &modes[..felt.min(modes.len())];
        taper.clear();
        taper.extend(modes.iter().map(|mode| share(mode.omega * h)));
        half.iter_mut().for_each(Vec::clear);
        for &mode in modes {
            let Response { a11, a12, bq, .. } = Response::new(mode, 0.5 * h);
            half.iter_mut().zip([a11, a12, bq]).for_each(|(column, value)| column.push(value));
        }
        for array in half.iter_mut().chain([taper]) {
            array.resize(felt, 0.0);
        }
    }
}

/// Share of a mode at omega h in the potential.
fn share(phase: f64) -> f64 {
    let beyond = ((phase - TAPERED_FROM) / (TAPERED_TO - TAPERED_FROM)).clamp(0.0, 1.0);
    if beyond == 0.0 { 1.0 } else { (FRAC_PI_2 * beyond).cos() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::QuadraticForms;

    #[test]
    fn a_copy_has_the_same_room() {
        let lent = LentPotential::new(Box::new(QuadraticForms::flat(2, [])), 70);
        assert_eq!((lent.memory.room(), lent.clone().memory.room()), (72, 72));
    }
}
