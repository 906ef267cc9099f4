//! The soundboard under a bridge: a rectangular plate of spruce, supported at its edges.
//!
//! ```text
//! omega_pq^2 = p^4 + 2 h p^2 (q A)^2 + d (q A)^4        over that of (1,1); A = longer over shorter side, the grain runs along the longer side
//! h = (nu_LR D_R + 2 G_LR t^3/12)/D_L,  d = D_R/D_L      D: bending stiffness along (L) and across (R) the grain
//! ```
//!
//! Sitka spruce cut radially: E_R = 0.078 E_L, G_LR = 0.064 E_L, nu_LR = 0.372 (Wood Handbook, Forest Products Laboratory, FPL-GTR-190, 2010,
//! tables 5-1 and 5-2). Ribs, crown and bridge do not stiffen it.

use std::f64::consts::PI;

use crate::bodies::position::BodyPosition;

/// Bending stiffness across over that along the grain.
const ACROSS: f64 = 0.078;

/// Poisson's ratio for a pull along the grain.
const POISSON: f64 = 0.372;

/// Shear modulus over Young's modulus along the grain.
const SHEAR: f64 = 0.064;

/// h of the equation above.
const MIXED: f64 = POISSON * ACROSS + 2.0 * SHEAR * (1.0 - POISSON * POISSON * ACROSS);

/// Half waves along either side that are considered.
const MOST_HALF_WAVES: usize = 24;

/// Place of the bridge: on no nodal line of the lowest modes.
const BRIDGE: BodyPosition = BodyPosition { along: 0.57, across: 0.37 };

/// A soundboard, in the units of a course of strings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Soundboard {
    /// Lowest frequency over that of the struck strings, > 0.
    pub pitch: f64,
    /// Mass over that of one struck string, > 0.
    pub mass: f64,
    /// Longer over shorter side, >= 1.
    pub aspect: f64,
    /// Damping ratio of all its modes, >= 0: half of the loss factor.
    pub damping: f64,
}

/// A mode of a soundboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoardMode {
    /// Half waves along and across the grain.
    pub half_waves: (usize, usize),
    /// Frequency over that of the struck strings.
    pub omega: f64,
}

impl Soundboard {
    /// Its lowest `count` modes, rising. Allocates.
    pub(super) fn modes(&self, count: usize) -> Vec<BoardMode> {
        let square = |p: usize, q: usize| {
            let (along, across) = ((p * p) as f64, (q as f64 * self.aspect).powi(2));
            along * along + 2.0 * MIXED * along * across + ACROSS * across * across
        };
        let lowest = square(1, 1);
        let all = (1..=MOST_HALF_WAVES).flat_map(|p| (1..=MOST_HALF_WAVES).map(move |q| (p, q)));
        let mode = |half_waves: (usize, usize)| {
            let ratio = (square(half_waves.0, half_waves.1) / lowest).sqrt();
            BoardMode { half_waves, omega: self.pitch * ratio }
        };
        let mut modes: Vec<BoardMode> = all.map(mode).collect();
        modes.sort_by(|a, b| a.omega.total_cmp(&b.omega));
        modes.truncate(count);
        modes
    }

    /// Its lowest `count` frequencies over that of the struck strings, rising. Allocates.
    pub fn ratios(&self, count: usize) -> Vec<f64> {
        self.modes(count).iter().map(|mode| mode.omega).collect()
    }

    /// Weight of a mode at the bridge, in units of one struck string's mass^-1/2.
    pub(super) fn bridge_weight(&self, mode: &BoardMode) -> f64 {
        let [along, across] = [BRIDGE.along, BRIDGE.across].map(HalfWaves::at);
        along.of(mode.half_waves.0) * across.of(mode.half_waves.1) / self.mass.sqrt()
    }
}

/// sqrt2 sin(n pi x) for all n at one x: the shapes along one side, of mean square 1.
pub(super) struct HalfWaves([f64; MOST_HALF_WAVES + 1]);

impl HalfWaves {
    pub(super) fn at(x: f64) -> Self {
        let twice = 2.0 * (PI * x).cos();
        let mut waves = [0.0; MOST_HALF_WAVES + 1];
        waves[1] = std::f64::consts::SQRT_2 * (PI * x).sin();
        for n in 2..=MOST_HALF_WAVES {
            waves[n] = twice * waves[n - 1] - waves[n - 2];
        }
        Self(waves)
    }

    /// That of `n` half waves, at most [`MOST_HALF_WAVES`].
    pub(super) fn of(&self, n: usize) -> f64 {
        self.0[n.min(MOST_HALF_WAVES)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_waves_are_sines() {
        for x in [0.0, 0.13, 0.5, 0.77, 1.0] {
            let waves = HalfWaves::at(x);
            for n in 1..=MOST_HALF_WAVES {
                let expected = std::f64::consts::SQRT_2 * (n as f64 * PI * x).sin();
                assert!((waves.of(n) - expected).abs() < 1e-12, "{n} at {x}");
            }
        }
    }

    /// The equation along and across the grain by hand: d = 0.078 makes a strip across the grain lower by its root.
    #[test]
    fn modes_follow_the_stiffness_of_spruce() {
        let board = Soundboard { pitch: 2.0, mass: 30.0, aspect: 1.5, damping: 0.01 };
        let modes = board.modes(40);
        assert!(modes.len() == 40 && modes[0].half_waves == (1, 1) && modes[0].omega == 2.0);
        assert!(modes.windows(2).all(|pair| pair[0].omega <= pair[1].omega));
        let of = |half_waves| modes.iter().find(|mode| mode.half_waves == half_waves).expect("a mode").omega;
        let (h, d) = (0.372 * 0.078 + 0.128 * (1.0 - 0.372 * 0.372 * 0.078), 0.078);
        let root = |p: f64, q: f64| f64::sqrt(p.powi(4) + 2.0 * h * p * p * q * q * 2.25 + d * (q * q * 2.25).powi(2));
        assert!((of((1, 3)) / of((3, 1)) / (root(1.0, 3.0) / root(3.0, 1.0)) - 1.0).abs() < 1e-12);
        assert!(of((1, 2)) < of((2, 1)), "softer across the grain");
    }
}
