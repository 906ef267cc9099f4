//! The modes of the residual of an imported recording: heavy modes that follow the pitch of the body.
//!
//! ```text
//! f_j = from + (to - from) (j + u_j)/k                         j = 0..k of a band, u_j even in [0, 1)
//! g_l = s_1,  g_r = c s_1 + sqrt(1 - c^2) s_2                  s = 1 or -1, scaled such that the mean squares are 1
//! W = 1/sqrt(M),  pickups: level g/sqrt(k) sqrt(M)             M = 1e8 kg
//! ```
//!
//! With normal numbers in place of the signs, half of the modes would hardly be heard, and the noise would be as flat as with half the modes.
//! The numbers follow from the specimen and never change within one version of the sound.

use crate::patch::ResidualBand;
use urto_physics::bodies::HeavyMode;
use urto_physics::random::SplitMix64;

/// Modal mass M [kg].
const MASS: f64 = 1e8;
/// Seed of the first specimen, and distance of those of two specimens.
const SEED: u64 = 0x5eed_0027;
const STEP: u64 = 0x1_0000_0001;

/// The modes of `bands`, of rising frequency, of the specimen with this number. Allocates.
pub fn residual_modes(bands: &[ResidualBand], specimen: u32) -> Vec<HeavyMode> {
    let mut random = SplitMix64::new(SEED.wrapping_add(u64::from(specimen).wrapping_mul(STEP)));
    let mut modes: Vec<HeavyMode> = bands.iter().flat_map(|band| modes_of(band, &mut random)).collect();
    modes.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    modes
}

fn modes_of(band: &ResidualBand, random: &mut SplitMix64) -> Vec<HeavyMode> {
    let count = band.modes as f64;
    let own = (1.0 - band.correlation.powi(2)).max(0.0).sqrt();
    let mut draws = Vec::with_capacity(band.modes);
    for _ in 0..band.modes {
        let (place, left, other) = (random.uniform(), sign(random), sign(random));
        draws.push((place, [left, band.correlation * left + own * other]));
    }
    let square = |side: usize| draws.iter().map(|(_, gains)| gains[side].powi(2)).sum::<f64>().max(f64::MIN_POSITIVE);
    let scale = [0, 1].map(|side| band.sides[side] * (MASS / square(side)).sqrt());
    let mode = |(j, (place, gains)): (usize, &(f64, [f64; 2]))| HeavyMode {
        frequency: band.from + (band.to - band.from) * (j as f64 + place) / count,
        reference: Some(1.0),
        decay_rate: band.decay,
        struck: 1.0 / MASS.sqrt(),
        heard: [gains[0] * scale[0], gains[1] * scale[1]],
    };
    draws.iter().enumerate().map(mode).collect()
}

/// 1 or -1.
fn sign(random: &mut SplitMix64) -> f64 {
    if random.uniform() < 0.5 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAND: ResidualBand = ResidualBand { from: 2.0, to: 4.0, modes: 50, decay: 6.0, sides: [0.5, 0.2], correlation: 0.7 };

    #[test]
    fn a_band_has_its_levels_edges_and_correlation() {
        let modes = residual_modes(&[BAND, ResidualBand { from: 1.0, to: 2.0, ..BAND }], 3);
        assert_eq!(modes.len(), 100);
        let band = &modes[50..];
        assert!(band.iter().all(|mode| (2.0..4.0).contains(&mode.frequency)) && modes[49].frequency < 2.0);
        let sum = |a: usize, b: usize| band.iter().map(|m| m.struck * m.struck * m.heard[a] * m.heard[b]).sum::<f64>();
        assert!((sum(0, 0).sqrt() - 0.5).abs() < 1e-9 && (sum(1, 1).sqrt() - 0.2).abs() < 1e-9);
        let correlation = sum(0, 1) / (sum(0, 0) * sum(1, 1)).sqrt();
        assert!((correlation - 0.7).abs() < 0.15, "{correlation}");
    }

    #[test]
    fn a_specimen_is_always_the_same_and_another_one_differs() {
        assert_eq!(residual_modes(&[BAND], 3), residual_modes(&[BAND], 3));
        assert_ne!(residual_modes(&[BAND], 3), residual_modes(&[BAND], 4));
    }

    #[test]
    fn full_correlation_is_mono() {
        let modes = residual_modes(&[ResidualBand { sides: [0.5; 2], correlation: 1.0, ..BAND }], 0);
        assert!(modes.iter().all(|mode| (mode.heard[0] - mode.heard[1]).abs() < 1e-9 * mode.heard[0].abs()));
    }
}
