//! Low-pass smoothers that land on their target: y' = (target - y)/time, advanced once per frame or control block.

/// A one-pole smoother.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smoother {
    /// The value it approaches.
    pub target: f64,
    value: f64,
}

impl Smoother {
    /// Settled at `value`.
    pub fn at(value: f64) -> Self {
        Self { target: value, value }
    }

    /// Current value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Moves by the share `step` of the remaining distance, and lands within `settle_distance` of the target. Returns whether it moved.
    pub fn advance(&mut self, step: f64, settle_distance: f64) -> bool {
        if self.value == self.target {
            return false;
        }
        self.value += step * (self.target - self.value);
        if (self.target - self.value).abs() <= settle_distance {
            self.value = self.target;
        }
        true
    }
}

/// Three one-pole smoothers in a row, with a common target and step.
///
/// Three poles, so that a jump of the target begins and ends without a corner: the spectrum around a partial falls with the fourth power
/// of the distance.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreePoleSmoother([f64; 3]);

impl ThreePoleSmoother {
    /// Distance from the target at which a pole has settled; from 1 to there takes 20 time constants.
    const SETTLE_DISTANCE: f64 = 1e-6;

    /// Settled at `value`.
    pub fn at(value: f64) -> Self {
        Self([value; 3])
    }

    /// Adds `difference` to the value without smoothing.
    pub fn shift(&mut self, difference: f64) {
        self.0.iter_mut().for_each(|pole| *pole += difference);
    }

    /// Moves every pole by the share `step` of the distance to the one before it; returns the value.
    pub fn advance(&mut self, target: f64, step: f64) -> f64 {
        let mut input = target;
        for pole in &mut self.0 {
            *pole += step * (input - *pole);
            input = *pole;
        }
        input
    }

    /// Whether all poles are close to `target`.
    pub fn is_settled(&self, target: f64) -> bool {
        self.0.iter().all(|pole| (target - pole).abs() < Self::SETTLE_DISTANCE)
    }
}

/// Share of the remaining distance covered in one step with the time constant `time` [s] at `rate` [Hz] steps.
pub fn step_for_time(time: f64, rate: f64) -> f64 {
    -(-1.0 / (time * rate)).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_1_over_e_remains_after_the_time_constant_and_then_it_lands() {
        let (time, rate) = (0.01, 1000.0);
        let mut smoother = Smoother { target: 3.0, ..Smoother::at(1.0) };
        let step = step_for_time(time, rate);
        for _ in 0..10 {
            assert!(smoother.advance(step, 1e-6));
        }
        assert!((smoother.value() - (3.0 - 2.0 * (-1.0f64).exp())).abs() < 1e-12, "{}", smoother.value());
        while smoother.advance(step, 1e-6) {}
        assert_eq!(smoother, Smoother::at(3.0));
    }
}
