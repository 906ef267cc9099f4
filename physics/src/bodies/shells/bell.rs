//! Bells, handbells, bowls and glasses by their partials: families of m nodal diameters with or without a nodal circle, each a pair.
//!
//! Ratios are measured, or those of theory in `Bowl` and `Glass`. A bell's wall moves in proportion to the distance from the
//! crown; a nodal circle is above the sound bow, at 0.75, or at the waist, at 0.5; its mass grows twofold to the lip (heights and
//! growth assumed). The hum's modal mass at the lip is then 0.24 of the bell's.

use crate::bodies::modal_shape::ModalShape;
use crate::bodies::shells::ring_modes::{Pair, Profile, Rings, hemisphere_motion};

/// Heights of nodal circles over that of the wall: above the sound bow, and at the waist.
const BOW: Option<f64> = Some(0.75);
const WAIST: Option<f64> = Some(0.5);

/// A partial of a bell: a pair of modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Frequency over that of the partial with ratio 1, > 0.
    pub ratio: f64,
    /// Nodal diameters m >= 2.
    pub diameters: u32,
    /// Height of the nodal circle over that of the wall, in (0, 1), on bells that have one there.
    pub circle: Option<f64>,
    /// Amplitude relative to that by the body's mass: the modal mass is M/gain^2.
    pub gain: f64,
}

/// Shape of the wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wall {
    /// A church bell or handbell.
    Bell,
    /// Half a sphere.
    Bowl,
    /// A cylinder.
    Glass {
        /// Height over radius.
        height: f64,
    },
}

/// A bell.
#[derive(Clone, Debug, PartialEq)]
pub struct Bell {
    /// The wall.
    pub wall: Wall,
    /// The partials, lowest first.
    pub partials: Vec<Partial>,
    /// Frequency difference of a pair over its frequency: how much the bell is out of round.
    pub split: f64,
}

impl Partial {
    /// A partial without circle, with the body's mass.
    pub const fn ring(ratio: f64, diameters: u32) -> Self {
        Self { ratio, diameters, circle: None, gain: 1.0 }
    }

    const fn strong(ratio: f64, diameters: u32, circle: Option<f64>, gain: f64) -> Self {
        Self { ratio, diameters, circle, gain }
    }
}

/// An old church bell over its prime: hum, prime, tierce, quint, nominal, superquint, octave nominal ...; gains fitted, not measured.
const CHURCH: [Partial; 16] = [
    Partial::strong(0.508, 2, None, 0.9),
    Partial::strong(1.0, 2, WAIST, 0.9),
    Partial::strong(1.224, 3, BOW, 0.9),
    Partial::strong(1.62, 3, WAIST, 0.5),
    Partial::strong(2.0, 4, BOW, 1.2),
    Partial::strong(2.52, 4, WAIST, 0.35),
    Partial::strong(2.96, 5, BOW, 1.0),
    Partial::strong(3.8, 5, WAIST, 0.3),
    Partial::strong(4.086, 6, BOW, 0.9),
    Partial::strong(4.76, 6, WAIST, 0.3),
    Partial::strong(5.32, 7, BOW, 0.8),
    Partial::strong(6.66, 8, BOW, 0.75),
    Partial::strong(8.06, 9, BOW, 0.7),
    Partial::strong(9.54, 10, BOW, 0.65),
    Partial::strong(11.0, 11, BOW, 0.6),
    Partial::strong(12.5, 12, BOW, 0.55),
];

/// Hum, prime, tierce, quint and nominal of a bell tuned by Simpson's rule.
const SIMPSON: [f64; 5] = [0.5, 1.0, 1.2, 1.5, 2.0];

/// Handbell, singing bowl of 180 mm, wine glass: m = 2, 3, ...
const HANDBELL: [f64; 7] = [1.0, 1.794, 2.520, 2.991, 3.786, 4.569, 5.03];
const LARGE_BOWL: [f64; 6] = [1.0, 2.778, 5.181, 8.163, 11.66, 15.64];
const WINE_GLASS: [f64; 5] = [1.0, 2.32, 4.25, 6.63, 9.38];

fn rings(ratios: &[f64]) -> Vec<Partial> {
    ratios.iter().zip(2..).map(|(&ratio, diameters)| Partial::ring(ratio, diameters)).collect()
}

impl Bell {
    /// An old church bell, ratio 1 the prime; pairs 0.1 % apart.
    pub fn church() -> Self {
        Self { wall: Wall::Bell, partials: CHURCH.to_vec(), split: 1e-3 }
    }

    /// The same with its lowest five partials tuned: hum an octave below the prime, minor third, fifth, octave.
    pub fn tuned() -> Self {
        let mut bell = Self::church();
        bell.partials.iter_mut().zip(SIMPSON).for_each(|(partial, ratio)| partial.ratio = ratio);
        bell
    }

    /// A handbell; pairs 0.2 % apart.
    pub fn handbell() -> Self {
        Self { wall: Wall::Bell, partials: rings(&HANDBELL), split: 2e-3 }
    }

    /// A singing bowl of 180 mm, measured.
    pub fn large_bowl() -> Self {
        Self { wall: Wall::Bowl, partials: rings(&LARGE_BOWL), split: 2e-3 }
    }

    /// A wine glass, measured.
    pub fn wine_glass() -> Self {
        Self { wall: Wall::Glass { height: 2.0 }, partials: rings(&WINE_GLASS), split: 1e-3 }
    }

    /// phi at the rim over the shape along the wall, so that the mean square over the mass is 1.
    fn amplitude(&self, partial: &Partial) -> f64 {
        let m2 = f64::from(partial.diameters).powi(2);
        let mean = match self.wall {
            Wall::Bowl => hemisphere_motion(partial.diameters),
            Wall::Glass { height } => (1.0 + 1.0 / m2) / 3.0 + 1.0 / (m2 * height).powi(2),
            // int (1 + s) g^2 ds/1.5 with g = s or s (s - c)/(1 - c)
            Wall::Bell => match partial.circle {
                None => (1.0 + 1.0 / m2) * (1.0 / 3.0 + 1.0 / 4.0) / 1.5,
                Some(c) => {
                    let square = (1.0 / 5.0 - c / 2.0 + c * c / 3.0) + (1.0 / 6.0 - 2.0 * c / 5.0 + c * c / 4.0);
                    (1.0 + 1.0 / m2) * square / (1.5 * (1.0 - c) * (1.0 - c))
                }
            },
        };
        (2.0 / mean).sqrt()
    }

    /// Every partial's two modes with their ratios, lowest first.
    fn pairs(&self) -> Vec<(f64, Pair, f64)> {
        let mut pairs = Vec::new();
        for partial in &self.partials {
            let circle = partial.circle.filter(|_| self.wall == Wall::Bell);
            for (second, side) in [(false, -0.5), (true, 0.5)] {
                let pair = Pair { diameters: partial.diameters, circle, amplitude: self.amplitude(partial), second };
                pairs.push((partial.ratio * (1.0 + side * self.split), pair, partial.gain));
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs
    }
}

impl ModalShape {
    /// The lowest `modes` of a bell, two a partial; families are (nodal diameters, circles). Hung by its crown or standing on its
    /// foot it needs no suspension.
    pub fn bell(bell: &Bell, modes: usize) -> Self {
        let mut pairs = bell.pairs();
        pairs.truncate(modes.max(1));
        let profile = if bell.wall == Wall::Bowl { Profile::Hemisphere } else { Profile::Straight };
        let rings = Rings::new(profile, &pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
        Self {
            mobilities: pairs.iter().map(|pair| pair.2).collect(),
            families: pairs.iter().map(|(_, pair, _)| (pair.diameters, u32::from(pair.circle.is_some()))).collect(),
            ..Self::with(rings, pairs.iter().map(|pair| pair.0).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::position::BodyPosition;
    use std::f64::consts::TAU;

    fn weights(shape: &ModalShape, along: f64, across: f64) -> Vec<f64> {
        let mut out = vec![0.0; shape.len()];
        shape.weights_at_place(BodyPosition { along, across }, 1.0, &mut out);
        out
    }

    /// A singing bowl of 140 mm, measured.
    fn small_bowl() -> Bell {
        Bell { wall: Wall::Bowl, partials: rings(&[1.0, 2.765, 5.12, 7.81]), split: 2e-3 }
    }

    #[test]
    fn a_church_bell_has_its_partials_in_pairs() {
        let bell = ModalShape::bell(&Bell::church(), 64);
        assert_eq!(bell.len(), 32);
        for (i, to_nominal) in [0.254, 0.50, 0.612, 0.81, 1.0].into_iter().enumerate() {
            let (low, high) = (bell.ratio(2 * i), bell.ratio(2 * i + 1));
            assert!((0.25 * (low + high) - to_nominal).abs() < 1e-12 && (high / low - 1.001).abs() < 1e-6);
            assert_eq!(bell.family(2 * i), bell.family(2 * i + 1));
        }
        assert_eq!((bell.family(0), bell.family(2), bell.family(8)), (Some((2, 0)), Some((2, 1)), Some((4, 1))));
        assert!(!bell.suspended());
        let tuned = ModalShape::bell(&Bell::tuned(), 10);
        assert!((0.5 * (tuned.ratio(6) + tuned.ratio(7)) - 1.5).abs() < 1e-12);
    }

    /// At the lip the hum has the modal mass 0.24 M; a pair's modes are cos and sin of the angle.
    #[test]
    fn pairs_turn_against_each_other() {
        for bell in [Bell::church(), Bell::handbell(), Bell::large_bowl(), Bell::wine_glass()] {
            let shape = ModalShape::bell(&bell, 12);
            let start = weights(&shape, 1.0, 0.0);
            for step in 0..=40 {
                let turns = f64::from(step) / 40.0;
                for (pair, phi) in weights(&shape, 1.0, turns).chunks(2).enumerate() {
                    let (sin, cos) = (TAU * turns * f64::from(shape.family(2 * pair).unwrap().0)).sin_cos();
                    let (a, b) = (start[2 * pair], start[2 * pair + 1]);
                    assert!((phi[0] - (a * cos - b * sin)).abs() < 1e-12 && (phi[1] - (a * sin + b * cos)).abs() < 1e-12);
                    assert!(a > 2.0 * b.abs() && b != 0.0);
                }
            }
        }
        let church = weights(&ModalShape::bell(&Bell::church(), 2), 1.0, 0.0);
        let gain = 0.9 * 0.9;
        assert!((gain / (church[0] * church[0] + church[1] * church[1]) - 0.243).abs() < 1e-3);
    }

    #[test]
    fn the_prime_has_a_nodal_circle_and_the_crown_is_at_rest() {
        let bell = ModalShape::bell(&Bell::church(), 32);
        assert!(weights(&bell, 0.0, 0.3).iter().all(|phi| *phi == 0.0));
        let (lip, waist, circle) = (weights(&bell, 1.0, 0.0), weights(&bell, 0.4, 0.0), weights(&bell, 0.5, 0.0));
        assert!(lip[2] * waist[2] < 0.0 && circle[2].abs() < 1e-14, "the prime changes sign at its circle");
        assert!(lip[0] * waist[0] > 0.0, "the hum does not");
        assert!(
            lip[4] * weights(&bell, 0.7, 0.0)[4] < 0.0 && weights(&bell, 0.75, 0.0)[4].abs() < 1e-14,
            "the tierce's is lower"
        );
        let bowl = weights(&ModalShape::bell(&small_bowl(), 8), 0.5, 0.0);
        let rim = weights(&ModalShape::bell(&small_bowl(), 8), 1.0, 0.0);
        assert!(bowl[6] / rim[6] < bowl[0] / rim[0], "the more diameters, the nearer to the rim it moves");
    }

    /// Mean of the squares over the growing mass, with the tangential motion 1/m of the radial.
    #[test]
    fn a_bells_motion_has_mean_square_one() {
        const STEPS: usize = 2000;
        let bell =
            ModalShape::bell(&Bell { partials: CHURCH.map(|p| Partial { gain: 1.0, ..p }).to_vec(), ..Bell::church() }, 32);
        let mut means = [0.0; 32];
        for step in 0..STEPS {
            let s = (step as f64 + 0.5) / STEPS as f64;
            let phi = weights(&bell, s, 0.1);
            for (i, mean) in means.iter_mut().enumerate() {
                let pair = phi[i & !1].powi(2) + phi[i | 1].powi(2);
                let m2 = f64::from(bell.family(i).unwrap().0).powi(2);
                *mean += 0.5 * pair * (1.0 + 1.0 / m2) * (1.0 + s) / 1.5 / STEPS as f64;
            }
        }
        assert!(means.iter().all(|mean| (mean - 1.0).abs() < 1e-5), "{means:?}");
    }
}
