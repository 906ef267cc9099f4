//! A small generator of seeded random numbers.

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): the same numbers for the same seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Starts from `seed`, unscrambled.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly distributed in [0, 1): the upper 53 bits of the next 64.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * 2_f64.powi(-53)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the authors' reference implementation for the seed 1234567.
    #[test]
    fn numbers_are_those_of_the_reference_implementation() {
        let mut random = SplitMix64::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(std::array::from_fn(|_| random.next_u64()), expected);
    }

    #[test]
    fn uniform_numbers_are_in_the_half_open_unit_interval() {
        let mut random = SplitMix64::new(1);
        assert!((0..10_000).map(|_| random.uniform()).all(|x| (0.0..1.0).contains(&x)));
    }
}
