//! The potentials of one body: with all of its modes, and with fewer and fewer of them.

use crate::modal::mode::Mode;
use crate::modal::potential::Potential;
use std::f64::consts::SQRT_2;

/// Modes whose potential tells the strength of all.
const LOOKED_AT: usize = 4;

/// Potentials of one body, and the present one.
#[derive(Clone, Debug, Default)]
pub(crate) struct PotentialLevels {
    /// With all modes first.
    all: Vec<Box<dyn Potential>>,
    present: usize,
}

impl PotentialLevels {
    /// Of these potentials, with all modes first, which is the present one.
    pub fn new(all: Vec<Box<dyn Potential>>) -> Self {
        Self { all, present: 0 }
    }

    /// Adds potentials with fewer modes. Allocates.
    pub fn extend(&mut self, smaller: impl IntoIterator<Item = Box<dyn Potential>>) {
        self.all.extend(smaller);
    }

    /// Number of potentials.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Number of the present one: 0 with all modes.
    pub fn present(&self) -> usize {
        self.present
    }

    /// Selects potential number `level`, or the last.
    pub fn select(&mut self, level: usize) {
        self.present = level.min(self.all.len().saturating_sub(1));
    }

    /// The present potential.
    pub fn present_mut(&mut self) -> Option<&mut Box<dyn Potential>> {
        self.all.get_mut(self.present)
    }

    /// Whether V can be negative.
    pub fn is_curved(&self) -> bool {
        self.all.first().is_some_and(|potential| potential.is_curved())
    }

    /// Sets the unit of the rest shape of all of them [m kg^1/2].
    pub fn set_depth(&mut self, depth: f64) {
        self.all.iter_mut().for_each(|potential| potential.set_depth(depth));
    }

    /// Cost of an evaluation of potential number `level`.
    pub fn cost(&self, level: usize) -> f32 {
        self.all.get(level).map_or(0.0, |potential| potential.cost())
    }

    /// The largest V of some of the lowest modes by themselves, each with the energy of 1 J: the even part, and the odd one for a depth of 1,
    /// to which it is proportional; that is the depth from now on. `place` and `gradient`: room for displacements and slopes.
    pub fn steepness(&mut self, modes: &[Mode], place: &mut [f64], gradient: &mut [f64]) -> [f64; 2] {
        let [mut quartic, mut cubic] = [0.0_f64; 2];
        self.set_depth(1.0);
        let Some(potential) = self.all.first_mut() else { return [0.0; 2] };
        place.fill(0.0);
        let audible = modes.iter().take(place.len()).enumerate().filter(|(_, mode)| mode.omega > 0.0);
        for (i, mode) in audible.take(LOOKED_AT) {
            let [up, down] = [1.0, -1.0].map(|sign| {
                place[i] = sign * SQRT_2 / mode.omega;
                potential.evaluate(place, gradient)
            });
            place[i] = 0.0;
            quartic = quartic.max(0.5 * (up + down));
            cubic = cubic.max(0.5 * (up - down).abs());
        }
        [quartic, cubic]
    }
}
