//! How the strokes of a data set are distributed over the values of its quantities.

use urto_physics::random::SplitMix64;

use crate::dataset::axis::Axis;

/// Points of one Sobol sequence; the next points are those of a sequence with another scrambling.
const SEQUENCE: u64 = 1 << 16;
/// Odd numbers that spread seeds and indices over 64 bits.
const SPREAD: [u64; 2] = [0xd134_2543_de82_ef95, 0xaf25_1af3_b0f0_25b5];

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Independent random numbers.
    Random,
    /// A Sobol sequence with Owen's scrambling (Burley, "Practical hash-based Owen scrambling", 2020): evenly spread in all dimensions.
    Sobol,
    /// Every combination of all values, the last quantity fastest.
    Grid,
}

impl Sampling {
    /// Most quantities of a Sobol sequence.
    pub(crate) const MAX_DIMENSIONS: usize = 256;

    /// The values of stroke `index`, one for each axis. Of a grid, every axis has a number of values.
    pub(crate) fn values(self, axes: &[Axis], seed: u64, index: u64) -> Vec<f64> {
        match self {
            Self::Random => {
                let mut random = SplitMix64::new(hashed(seed, index));
                axes.iter().map(|axis| axis.value(random.uniform())).collect()
            }
            Self::Sobol => {
                let scrambling = hashed(seed, index / SEQUENCE) as u32;
                let point = (index % SEQUENCE) as u32;
                let position = |dimension: usize| f64::from(sobol_burley::sample(point, dimension as u32, scrambling));
                axes.iter().enumerate().map(|(dimension, axis)| axis.value(position(dimension))).collect()
            }
            Self::Grid => {
                let (mut rest, mut values) = (index, vec![0.0; axes.len()]);
                for (axis, value) in axes.iter().zip(&mut values).rev() {
                    let count = axis.count().unwrap_or(1);
                    *value = axis.step(rest % count);
                    rest /= count;
                }
                values
            }
        }
    }
}

fn hashed(seed: u64, index: u64) -> u64 {
    SplitMix64::new(seed.wrapping_mul(SPREAD[0]) ^ index.wrapping_mul(SPREAD[1])).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::axis::Spacing;

    fn unit() -> Axis {
        Axis::Range { limits: [0.0, 1.0], spacing: Spacing::Linear, steps: None, whole: false }
    }

    /// Largest number of points of `count` in one of `parts` equal parts of the first two axes each.
    fn most_in_a_part(sampling: Sampling, count: u64, parts: usize) -> usize {
        let axes = [unit(), unit(), unit()];
        let mut found = vec![0; parts * parts];
        for index in 0..count {
            let values = sampling.values(&axes, 7, index);
            let place = |value: f64| (value * parts as f64) as usize;
            found[place(values[0]) * parts + place(values[1])] += 1;
        }
        found.into_iter().max().unwrap_or(0)
    }

    #[test]
    fn sobol_points_are_evenly_spread() {
        // 256 points of a (0, 2)-sequence: exactly one in each of 16 x 16 parts
        assert_eq!(most_in_a_part(Sampling::Sobol, 256, 16), 1);
        assert!(most_in_a_part(Sampling::Random, 256, 16) > 2);
    }

    #[test]
    fn seeds_and_indices_determine_the_values() {
        for sampling in [Sampling::Random, Sampling::Sobol] {
            let values = |seed, index| sampling.values(&[unit(), unit()], seed, index);
            assert_eq!(values(1, 5), values(1, 5));
            assert!(values(1, 5) != values(2, 5) && values(1, 5) != values(1, 6) && values(1, 5) != values(1, 5 + SEQUENCE));
        }
    }

    #[test]
    fn random_values_have_the_mean_and_variance_of_the_even_distribution() {
        let values: Vec<f64> = (0..20_000).flat_map(|index| Sampling::Random.values(&[unit(), unit()], 3, index)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64;
        // four standard deviations of 40,000 numbers
        assert!((mean - 0.5).abs() < 4.0 * (1.0 / 12.0 / 40_000.0_f64).sqrt(), "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 4.0 * (1.0 / 180.0 / 40_000.0_f64).sqrt(), "{variance}");
    }

    #[test]
    fn a_grid_has_every_combination_once() {
        let axes = [Axis::List(vec![1.0, 2.0]), Axis::List(vec![5.0, 6.0, 7.0])];
        let all: Vec<_> = (0..6).map(|index| Sampling::Grid.values(&axes, 0, index)).collect();
        assert_eq!(all, [[1.0, 5.0], [1.0, 6.0], [1.0, 7.0], [2.0, 5.0], [2.0, 6.0], [2.0, 7.0]]);
    }
}
