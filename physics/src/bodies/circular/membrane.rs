//! Circular membrane, held at its rim: drum heads, in vacuum or in air.
//!
//! phi = J_m(z r) cos m theta or sin m theta, z the n-th zero of J_m: f = z/(2 pi a) sqrt(T/sigma). The integral of 2 r J_m(z r)^2 is
//! J_{m+1}(z)^2, half of that is the mean square if m > 0: with J_m itself the modal mass would be M J_{m+1}(z)^2 (1 or 1/2), with
//! the shapes normalised as here it is M.

use crate::bodies::circular::air_load::{Air, Head, LOWEST_WAVE};
use crate::bodies::circular::bessel::{j, zeros};
use crate::bodies::circular::circular_modes::{Pair, Round, lowest, pairs};
use crate::bodies::far_field::Term;
use crate::bodies::modal_shape::ModalShape;

/// Modes of timpani over (1,1), measured on many drums (Rossing, "Science of Percussion Instruments"): ((m, n), ratio).
const TIMPANI: [((usize, usize), f64); 9] = [
    ((0, 1), 0.85),
    ((1, 1), 1.0),
    ((2, 1), 1.51),
    ((0, 2), 1.68),
    ((3, 1), 1.99),
    ((1, 2), 2.09),
    ((4, 1), 2.44),
    ((2, 2), 2.67),
    ((5, 1), 2.89),
];

impl ModalShape {
    /// Ideal membrane: the lowest `modes`, cos and sin members counted singly, the sin member `split` (relative) higher. Families
    /// (m, n) with n >= 1 nodal circles, the rim included; ratios to (0,1).
    pub fn head(modes: usize, split: f64) -> Self {
        let pairs = pairs(modes, zeros, |_| 1);
        let amplitudes = amplitudes(&pairs);
        let singles = lowest(&pairs, modes, split);
        let round = Round::new(&pairs, &singles, |i, r| {
            let (wave, (value, slope)) = (pairs[i].wave, j(pairs[i].family.0, pairs[i].wave * r));
            (amplitudes[i] * value, amplitudes[i] * wave * slope)
        });
        let slopes = singles.iter().map(|&(i, ..)| pairs[i].wave.powi(2)).collect();
        round.shape(&pairs, &singles, LOWEST_WAVE, |i| vec![term(&pairs[i], 1.0)]).sloped(slopes)
    }

    /// The same head with `air` around it: the air mass lowers low modes most, and a closed volume behind it stiffens modes
    /// without nodal diameters. Ratios to (1,1), which gives drums in air their pitch, modal masses of the head's own mass with
    /// the air's, [`ModalShape::radiation`] the loss to the air. The second value is the frequency of (1,1) [Hz].
    pub fn head_in_air(head: &Head, air: &Air, modes: usize, split: f64) -> (Self, f64) {
        Self::loaded(head, air, modes, split, &[])
    }

    /// A head that carries `air` = 2 rho a/sigma, rho of air and sigma of the skin: about 1.4 for a tom of 12 inches, 3 for
    /// timpani. Its waves are slow compared with sound, so that the air adds mass only. Ratios to (0,1), modal masses of the
    /// skin's own mass.
    pub fn head_with_air(air: f64, modes: usize, split: f64) -> Self {
        if air.is_nan() || air <= 0.0 {
            return Self::head(modes, split);
        }
        let head = Head { radius: 1.0, surface_density: 2.0 * Air::ROOM.density / air, tension: 1.0 };
        let (mut shape, _) = Self::loaded(&head, &Air { sound: f64::INFINITY, ..Air::ROOM }, modes, split, &[]);
        let lowest = shape.ratios.first().copied().unwrap_or(1.0);
        shape.ratios.iter_mut().for_each(|ratio| *ratio /= lowest);
        shape.radiations.clear();
        shape
    }

    /// Timpani of 26 inches: [`ModalShape::head_in_air`] over a kettle of 140 l, with the measured ratios for the nine lowest
    /// families.
    pub fn timpani(modes: usize, split: f64) -> Self {
        let head = Head { radius: 0.33, surface_density: 0.262, tension: 3990.0 };
        Self::loaded(&head, &Air { volume: Some(0.14), ..Air::ROOM }, modes, split, &TIMPANI).0
    }

    fn loaded(head: &Head, air: &Air, modes: usize, split: f64, measured: &[((usize, usize), f64)]) -> (Self, f64) {
        // air reorders modes: compute some more than requested
        let mut pairs = pairs(modes + modes / 4 + 8, zeros, |_| 1);
        let amplitudes = amplitudes(&pairs);
        let loads: Vec<_> = pairs.iter().map(|pair| air.load(head, pair.family.0, pair.wave)).collect();
        for (pair, load) in pairs.iter_mut().zip(&loads) {
            pair.frequency = load.frequency;
        }
        let mixed = air.stiffen(head, &mut pairs, &loads);
        let pitch = pairs.iter().find(|pair| pair.family == (1, 1)).map_or(1.0, |pair| pair.frequency);
        for &(family, ratio) in measured {
            pairs.iter_mut().filter(|pair| pair.family == family).for_each(|pair| pair.frequency = ratio * pitch);
        }
        let singles = lowest(&pairs, modes, split);
        let round = Round::new(&pairs, &singles, |i, r| {
            let own = |k: usize| {
                let (value, slope) = j(pairs[k].family.0, pairs[k].wave * r);
                (amplitudes[k] * value, amplitudes[k] * pairs[k].wave * slope)
            };
            match &mixed[i] {
                None => own(i),
                Some(parts) => parts
                    .iter()
                    .map(|&(k, part)| (part, own(k)))
                    .fold((0.0, 0.0), |sum, (part, (value, slope))| (sum.0 + part * value, sum.1 + part * slope)),
            }
        });
        let terms = |i: usize| match &mixed[i] {
            None => vec![term(&pairs[i], 1.0)],
            Some(parts) => parts.iter().map(|&(k, part)| term(&pairs[k], part)).collect(),
        };
        let mut shape = round.shape(&pairs, &singles, pitch, terms);
        shape.mobilities = singles.iter().map(|&(i, ..)| 1.0 / (1.0 + loads[i].mass).sqrt()).collect();
        let slope = |i: usize| match &mixed[i] {
            None => pairs[i].wave.powi(2),
            Some(parts) => parts.iter().map(|&(k, part)| (part * pairs[k].wave).powi(2)).sum(),
        };
        shape.slopes = singles.iter().map(|&(i, ..)| slope(i)).collect();
        let radiation = |i: usize| air.radiation(head, pairs[i].family.0, pairs[i].wave, loads[i].mass, pairs[i].frequency);
        shape.radiations = singles.iter().map(|&(i, ..)| radiation(i)).collect();
        (shape, pitch)
    }
}

/// `part` of the profile of a pair: J_m(z s)/|J_{m+1}(z)|.
fn term(pair: &Pair, part: f64) -> Term {
    membrane_term(pair.family.0, pair.wave, part)
}

/// The same for m diameters and the zero z.
pub(crate) fn membrane_term(m: usize, wave: f64, part: f64) -> Term {
    // J_m' = -J_{m+1} at a zero
    let sign = -j(m, wave).1.signum();
    Term { wave, j: part * sign * wave, ..Term::default() }
}

/// 1/|J_{m+1}(z)| of every pair.
fn amplitudes(pairs: &[Pair]) -> Vec<f64> {
    pairs.iter().map(|pair| 1.0 / j(pair.family.0, pair.wave).1.abs()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_modes::tests::{gram, means, phi};
    use crate::bodies::position::BodyPosition;
    use std::f64::consts::{PI, TAU};

    #[test]
    fn ratios_and_families_are_those_of_the_membrane() {
        let head = ModalShape::head(16, 0.0);
        let known = [
            ((0, 1), 1.0),
            ((1, 1), 1.593_340_505_695_112),
            ((1, 1), 1.593_340_505_695_112),
            ((2, 1), 2.135_548_786_649_403),
            ((2, 1), 2.135_548_786_649_403),
            ((0, 2), 2.295_417_267_427_694),
            ((3, 1), 2.653_066_404_549_215),
            ((3, 1), 2.653_066_404_549_215),
            ((1, 2), 2.917_295_455_117_223),
        ];
        for (i, (family, ratio)) in known.into_iter().enumerate() {
            assert_eq!(head.family(i), Some(family));
            assert!((head.ratio(i) - ratio).abs() < 1e-12, "{family:?}: {}", head.ratio(i));
        }
        assert!(!head.suspended() && head.len() == 16);
        let split = ModalShape::head(5, 0.01);
        assert!((split.ratio(2) / split.ratio(1) - 1.01).abs() < 1e-12);
    }

    /// Equal to a head of that size with slow waves and the added air mass.
    #[test]
    fn a_head_that_carries_air_is_a_slow_one_in_air() {
        let slow = Head { radius: 0.15, surface_density: 0.26, tension: 3.0 };
        let (known, _) = ModalShape::head_in_air(&slow, &Air::ROOM, 60, 0.002);
        let air = 2.0 * Air::ROOM.density * slow.radius / slow.surface_density;
        let shape = ModalShape::head_with_air(air, 60, 0.002);
        for i in 0..60 {
            assert_eq!(shape.family(i), known.family(i));
            assert!((shape.ratio(i) / (known.ratio(i) / known.ratio(0)) - 1.0).abs() < 1e-3, "{:?}", shape.family(i));
            assert!((shape.mobilities[i] / known.mobilities[i] - 1.0).abs() < 1e-3 && shape.radiation(i) == 0.0);
        }
        assert!(shape.ratio(1) > 1.7 && shape.mobilities[0] < 0.75, "{} {}", shape.ratio(1), shape.mobilities[0]);
        let none = ModalShape::head_with_air(0.0, 20, 0.0);
        assert!((0..20).all(|i| none.ratio(i) == ModalShape::head(20, 0.0).ratio(i)));
    }

    #[test]
    fn shapes_are_bessel_functions() {
        let head = ModalShape::head(300, 0.0);
        for step in 0..200 {
            let place = BodyPosition { along: f64::from(step) / 199.0, across: 0.1 };
            for (i, phi) in phi(&head, place).into_iter().enumerate() {
                let (m, n) = head.family(i).unwrap();
                let wave = head.ratio(i) * LOWEST_WAVE;
                let twin = i > 0 && head.family(i - 1) == head.family(i);
                let angle = TAU * 0.1 * f64::from(m);
                let turned = if twin { angle.sin() } else { angle.cos() };
                let mass = libm::jn(m as i32 + 1, wave).powi(2) * if m > 0 { 0.5 } else { 1.0 };
                let known = libm::jn(m as i32, wave * place.along) * turned / mass.sqrt();
                assert!((phi - known).abs() < 3e-5, "({m},{n}) at {}: {phi} instead of {known}", place.along);
            }
        }
    }

    #[test]
    fn modes_are_orthogonal_with_mean_square_one() {
        let worst = gram(&ModalShape::head(60, 0.0));
        assert!(worst < 1e-5, "{worst:e}");
    }

    /// Uniform pressure p bends a head to p (a^2 - r^2)/(4 T).
    #[test]
    fn a_pressed_head_is_a_paraboloid() {
        let head = Head { radius: 0.15, surface_density: 0.26, tension: 3325.0 };
        let shape = ModalShape::head(1500, 0.0);
        let means = means(&shape);
        let area = PI * head.radius * head.radius;
        for along in [0.0, 0.3, 0.7] {
            let shapes = phi(&shape, BodyPosition { along, across: 0.2 });
            let bend: f64 = (0..shape.len())
                .map(|i| shapes[i] * means[i] * area / (head.mass() * (TAU * head.lowest() * shape.ratio(i)).powi(2)))
                .sum();
            let known = head.radius.powi(2) * (1.0 - along * along) / (4.0 * head.tension);
            assert!((bend / known - 1.0).abs() < 2e-4, "at {along}: {}", bend / known);
        }
    }

    /// Force at one place, deflection at another: Green's function ln(|1 - w z*|/|w - z|)/(2 pi T).
    #[test]
    fn displacement_of_a_head_follows_greens_function() {
        let head = Head::tuned(0.15, 0.26, 150.0);
        let shape = ModalShape::head(4000, 0.0);
        let (here, there) = (BodyPosition { along: 0.3, across: 0.05 }, BodyPosition { along: 0.6, across: 0.25 });
        let (near, far) = (phi(&shape, here), phi(&shape, there));
        let bend: f64 =
            (0..shape.len()).map(|i| near[i] * far[i] / (head.mass() * (TAU * head.lowest() * shape.ratio(i)).powi(2))).sum();
        let (z, w, turn) = (here.along, there.along, TAU * (there.across - here.across));
        let distance = |r: f64| z.mul_add(z, r * r) - 2.0 * z * r * turn.cos();
        let mirrored = w * w * distance(1.0 / w);
        let known = 0.5 * (mirrored / distance(w)).ln() / (TAU * head.tension);
        assert!((bend / known - 1.0).abs() < 0.01, "{}", bend / known);
    }

    #[test]
    fn timpani_have_the_measured_ratios() {
        let shape = ModalShape::timpani(100, 0.001);
        for ((m, n), ratio) in TIMPANI {
            let i = (0..100).find(|&i| shape.family(i) == Some((m as u32, n as u32))).unwrap();
            assert!((shape.ratio(i) / ratio - 1.0).abs() < 1e-12);
        }
        assert!((1..100).all(|i| shape.ratio(i) >= shape.ratio(i - 1)) && shape.len() == 100);
    }

    #[test]
    fn tension_follows_the_pitch() {
        let head = Head::tuned(0.1524, 0.26, 150.0);
        assert!((head.lowest() - 150.0).abs() < 1e-9 && (head.mass() - 0.018_97).abs() < 1e-5);
    }
}
