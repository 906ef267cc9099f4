//! Reversals of modes that lose their phase in a plate that moves by more than its thickness.
//!
//! ```text
//! reversed: q becomes -q, v stays
//! ```
//!
//! The exchange between bands assumes random phases (wave turbulence; During, Josserand, Rica 2006), and large motion makes them random, at a
//! rate that the exchange knows. A reversal keeps the energy of the mode to the last bit, and its velocity does not jump. A mode with the
//! phase p continues with -p, so that after a reversal its motion is on average uncorrelated with that before: its line in the spectrum has
//! the half width rate/(2 pi).

use crate::modal::simd::LANES;

/// Maximum number of bands.
pub const MAX_BANDS: usize = 40;

/// Values of 16 bits, which are drawn for a mode, all equally often.
const VALUES: f64 = 65536.0;

/// The bit of the sign.
const SIGN: u64 = 1 << 63;

/// Which modes of a band are reversed at the end of one step of the exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseReversal {
    /// Drawn values below this reverse a mode; 0: none, the largest: all.
    limit: u16,
    /// Number of the draw, mixed.
    draw: u64,
}

/// The reversals of all bands at the end of one step.
#[derive(Clone, Copy, Debug)]
pub struct PhaseReversals {
    limits: [u16; MAX_BANDS],
    draw: u64,
}

impl Default for PhaseReversals {
    /// None.
    fn default() -> Self {
        Self { limits: [0; MAX_BANDS], draw: 0 }
    }
}

impl PhaseReversals {
    /// Reverses each mode of band number `band` with `probability`, 0 to 1.
    pub fn set(&mut self, band: usize, probability: f64) {
        if let Some(to) = self.limits.get_mut(band) {
            *to = limit(probability);
        }
    }

    /// The same by draw number `draw`; different draws are independent.
    pub fn drawn(&self, draw: u64) -> Self {
        Self { draw: mixed(draw.wrapping_mul(0x9e37_79b9_7f4a_7c15)), ..*self }
    }

    /// Those of one band; none of a band that does not exist.
    pub fn of_band(&self, band: usize) -> PhaseReversal {
        PhaseReversal { limit: self.limits.get(band).copied().unwrap_or(0), draw: self.draw }
    }
}

/// The limit below which a value is with `probability`.
fn limit(probability: f64) -> u16 {
    (probability * VALUES) as u16
}

/// A mixture of the bits of `x` (splitmix64, Steele, Lea, Flood 2014).
#[inline(always)]
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl PhaseReversal {
    /// Whether no mode is reversed.
    #[inline(always)]
    pub fn is_none(&self) -> bool {
        self.limit == 0
    }

    /// The displacements `q` of chunk number `chunk` of [`LANES`] modes after it.
    #[inline(always)]
    pub fn reversed(&self, chunk: usize, q: [f64; LANES]) -> [f64; LANES] {
        if self.is_none() {
            return q;
        }
        let signs = self.signs(chunk);
        std::array::from_fn(|lane| f64::from_bits(q[lane].to_bits() ^ signs[lane]))
    }

    /// The sign bit for the modes of chunk number `chunk` of [`LANES`] modes that are reversed, 0 for the others.
    #[inline(always)]
    fn signs(&self, chunk: usize) -> [u64; LANES] {
        let first = mixed(self.draw ^ (2 * chunk as u64));
        let second = mixed(self.draw ^ (2 * chunk as u64 + 1));
        let limit = if self.limit == u16::MAX { 1 << 16 } else { i64::from(self.limit) };
        let mut signs = [0; LANES];
        let (low, high) = signs.split_at_mut(LANES / 2);
        for (signs, bits) in [(low, first), (high, second)] {
            for (lane, sign) in signs.iter_mut().enumerate() {
                let value = (bits >> (16 * lane)) & 0xffff;
                // negative below the limit: signed, so that it takes few operations side by side
                *sign = ((value as i64 - limit) as u64) & SIGN;
            }
        }
        signs
    }

    /// Reverses its modes among those with the numbers `modes`.
    pub fn apply(&self, modes: std::ops::Range<usize>, q: &mut [f64]) {
        if self.is_none() {
            return;
        }
        for chunk in modes.start / LANES..modes.end.div_ceil(LANES) {
            let signs = self.signs(chunk);
            for (lane, sign) in signs.iter().enumerate() {
                let i = chunk * LANES + lane;
                if modes.contains(&i)
                    && let Some(q) = q.get_mut(i)
                {
                    *q = f64::from_bits(q.to_bits() ^ sign);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reversals with `probability` by one draw.
    fn reversal(probability: f64, draw: u64) -> PhaseReversal {
        let mut all = PhaseReversals::default();
        all.set(3, probability);
        all.drawn(draw).of_band(3)
    }

    /// Number of modes that draws 0 to `draws` reverse among chunks 0 to 99.
    fn reversed(probability: f64, draws: u64) -> f64 {
        let of = |draw| {
            let reversal = reversal(probability, draw);
            (0..100).flat_map(move |chunk| reversal.signs(chunk)).filter(|sign| *sign != 0).count() as f64
        };
        (0..draws).map(of).sum()
    }

    #[test]
    fn as_many_modes_are_reversed_as_the_probability_says() {
        for probability in [0.0, 0.01, 0.3, 1.0] {
            let (found, all) = (reversed(probability, 100), 80_000.0);
            let deviation = (all * probability * (1.0 - probability)).sqrt();
            assert!((found - all * probability).abs() <= 4.0 * deviation + 2.0, "{probability}: {found}");
        }
    }

    /// Correlation of a mode with itself after n draws: (1 - p)^n, since a reversed mode is uncorrelated with that before.
    #[test]
    fn the_line_of_a_mode_has_the_width_of_the_rate() {
        let (probability, draws) = (0.05, 20);
        let (mut sum, count) = (0.0, 8 * 500);
        for chunk in 0..500 {
            let phases: [f64; LANES] = std::array::from_fn(|lane| 0.618_034 * std::f64::consts::TAU * (8 * chunk + lane) as f64);
            // displacement and velocity in a frame that turns with the mode, by a quarter turn and a bit between the draws
            let (mut phase, turn) = (phases, 1.7);
            for draw in 0..draws {
                let signs = reversal(probability, draw).signs(chunk);
                (0..LANES).for_each(|lane| phase[lane] = (phase[lane] + turn) * if signs[lane] == 0 { 1.0 } else { -1.0 });
            }
            sum += (0..LANES).map(|lane| (phase[lane] - phases[lane] - turn * draws as f64).cos()).sum::<f64>();
        }
        let (found, expected) = (sum / count as f64, (1.0 - probability).powi(draws as i32));
        assert!((found - expected).abs() < 0.04, "{found} instead of {expected}");
    }

    #[test]
    fn a_reversal_keeps_the_energy_and_the_velocity() {
        let mut q: Vec<f64> = (1..=40).map(|i| 0.1 / i as f64).collect();
        let before = q.clone();
        reversal(0.5, 3).apply(9..31, &mut q);
        assert!(q.iter().zip(&before).all(|(after, before)| after.abs() == before.abs()));
        assert!(q[..9] == before[..9] && q[31..] == before[31..] && q != before);
    }
}
