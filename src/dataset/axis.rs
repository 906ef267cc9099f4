//! The values that one quantity of a data set may take: one value, a list, or a range with an even or a logarithmic distribution.

/// The values of one quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// These values, each as often as the others.
    List(Vec<f64>),
    /// Every value between two limits.
    Range {
        /// Lowest and highest value.
        limits: [f64; 2],
        /// Distribution of the values.
        spacing: Spacing,
        /// Number of values, both limits included; `None` for all values.
        steps: Option<u32>,
        /// Whether only whole numbers are allowed.
        whole: bool,
    },
}

/// Distribution of the values of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Equal differences are equally likely.
    Linear,
    /// Equal ratios are equally likely.
    Logarithmic,
}

impl Axis {
    /// The value at `position`, at least 0 and below 1: the quantile of the distribution.
    pub fn value(&self, position: f64) -> f64 {
        match self {
            Self::List(values) => values[place(position, values.len() as u64) as usize],
            Self::Range { steps: Some(steps), .. } => self.step(place(position, u64::from(*steps))),
            Self::Range { limits: [low, high], whole: true, .. } => low + place(position, (high - low) as u64 + 1) as f64,
            Self::Range { limits: [low, high], spacing: Spacing::Linear, .. } => low + (high - low) * position,
            // not exp(ln(low) + ..): the limit itself at position 0
            Self::Range { limits: [low, high], spacing: Spacing::Logarithmic, .. } => low * (high / low).powf(position),
        }
    }

    /// Number of values; `None` for a continuous range.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::List(values) => Some(values.len() as u64),
            Self::Range { steps: Some(steps), .. } => Some(u64::from(*steps)),
            Self::Range { limits: [low, high], whole: true, .. } => Some((high - low) as u64 + 1),
            Self::Range { .. } => None,
        }
    }

    /// Value number `number`, less than [`Axis::count`].
    pub fn step(&self, number: u64) -> f64 {
        match self {
            Self::List(values) => values[number as usize],
            Self::Range { limits: [low, high], spacing, steps, whole } => {
                let part = match steps {
                    Some(steps) if *steps > 1 => number as f64 / f64::from(*steps - 1),
                    Some(_) => 0.0,
                    None => return low + number as f64,
                };
                let value = match spacing {
                    // exact at both limits
                    Spacing::Linear => low * (1.0 - part) + high * part,
                    Spacing::Logarithmic if part == 1.0 => *high,
                    Spacing::Logarithmic => low * (high / low).powf(part),
                };
                if *whole { value.round() } else { value }
            }
        }
    }
}

/// Which of `count` equal parts of the interval from 0 to 1 holds `position`.
fn place(position: f64, count: u64) -> u64 {
    ((position * count as f64) as u64).min(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_their_limits_and_distribution() {
        let range = |spacing, steps, whole| Axis::Range { limits: [1.0, 100.0], spacing, steps, whole };
        let linear = range(Spacing::Linear, None, false);
        assert_eq!([linear.value(0.0), linear.value(0.5)], [1.0, 50.5]);
        let logarithmic = range(Spacing::Logarithmic, None, false);
        assert_eq!([logarithmic.value(0.0), logarithmic.value(0.5)], [1.0, 10.0]);
        assert_eq!(logarithmic.count(), None);
        let steps = range(Spacing::Logarithmic, Some(3), false);
        assert_eq!((0..3).map(|n| steps.step(n)).collect::<Vec<_>>(), [1.0, 10.0, 100.0]);
        let whole = range(Spacing::Linear, None, true);
        assert_eq!((whole.count(), whole.value(0.0), whole.value(0.999_999)), (Some(100), 1.0, 100.0));
        let list = Axis::List(vec![3.0, 1.0]);
        assert_eq!([list.value(0.0), list.value(0.49), list.value(0.5), list.value(1.0 - 1e-16)], [3.0, 3.0, 1.0, 1.0]);
    }
}
