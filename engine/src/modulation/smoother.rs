//! Numbers that head for others with a time constant, a frame or a grid cell at a time: y' = (goal - y)/time.

/// A number that heads for another, and lands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smoother {
    /// Where it goes.
    pub target: f64,
    value: f64,
}

impl Smoother {
    /// Stands at `value`.
    pub fn at(value: f64) -> Self {
        Self { target: value, value }
    }

    /// Where it is.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Moves on by the part `step` of its way; it has arrived when no more than `near` from its goal. Whether it moved.
    pub fn advance(&mut self, step: f64, near: f64) -> bool {
        if self.value == self.target {
            return false;
        }
        self.value += step * (self.target - self.value);
        if (self.target - self.value).abs() <= near {
            self.value = self.target;
        }
        true
    }
}

/// Part of its way that a time constant of `time` [s] makes in a step, of which there are `rate` [Hz].
pub fn step_for_time(time: f64, rate: f64) -> f64 {
    -(-1.0 / (time * rate)).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_its_time_a_part_1_over_e_is_left_and_then_it_lands() {
        let (time, rate) = (0.01, 1000.0);
        let mut ease = Smoother { target: 3.0, ..Smoother::at(1.0) };
        let step = step_for_time(time, rate);
        for _ in 0..10 {
            assert!(ease.advance(step, 1e-6));
        }
        assert!((ease.value() - (3.0 - 2.0 * (-1.0f64).exp())).abs() < 1e-12, "{}", ease.value());
        while ease.advance(step, 1e-6) {}
        assert_eq!(ease, Smoother::at(3.0));
    }
}
