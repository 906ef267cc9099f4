//! Shapes of modes that are known by their statistics only: sums of plane waves with random directions and phases.
//!
//! ```text
//! phi_i(x, y) = sqrt(2/P) sqrt(e_i) sum_p cos(k_i (x cos th_p + y sin th_p) + psi_p)        P = 8, one direction in each eighth
//! ```
//!
//! Directions and phases are random, of (seed, i) alone. Without e the mean square is 1, and the product of two places at the
//! distance d is J0(k d) on average: pickups hear low modes alike and high ones independently, which is stereo by geometry.
//!
//! e is the mean square near an edge, over that far from it, at the distance d:
//!
//! ```text
//! supported, membrane     1 - J0(2 k d)       the wave and its mirror image
//! clamped                 0 at the edge, 1.50 at k d = 2.5, then ripples around 1
//! free                    3.46 at the edge, 0.56 at k d = 1.5, then ripples around 1
//! ```
//!
//! Clamped and free edges are means over all angles of incidence of a bending wave, its reflection and its near field; free ones
//! for Poisson's ratio 0.3 (3.44 at 0.2, 3.40 at 0.4). Exact discs agree within 0.2.
//!
//! A place costs 8 cosines for each mode, by a polynomial over many modes at once: about 20 us for 2048 modes.

use std::f64::consts::{PI, TAU};

use crate::bodies::field::ladder::{Stream, random_of};
use crate::bodies::position::{BodyPosition, EdgeSupport};

/// Waves P of a mode.
const WAVES: usize = 8;

/// Step of the tables of edges in k d.
const EDGE_STEP: f64 = 0.25;

/// Mean square near a free edge at k d = 0, 0.25, ..
const FREE_EDGE: [f64; 41] = [
    3.460, 2.451, 1.676, 1.118, 0.762, 0.585, 0.557, 0.633, 0.765, 0.904, 1.011, 1.062, 1.047, 0.978, 0.876, 0.771, 0.691, 0.656,
    0.675, 0.744, 0.844, 0.952, 1.042, 1.094, 1.097, 1.053, 0.974, 0.880, 0.795, 0.740, 0.727, 0.759, 0.828, 0.916, 1.002, 1.066,
    1.093, 1.078, 1.026, 0.951, 1.0,
];

/// Mean square near a clamped edge at the same places.
const CLAMPED_EDGE: [f64; 41] = [
    0.000, 0.002, 0.021, 0.087, 0.220, 0.424, 0.680, 0.955, 1.207, 1.397, 1.496, 1.493, 1.398, 1.236, 1.048, 0.872, 0.747, 0.693,
    0.717, 0.806, 0.936, 1.073, 1.184, 1.245, 1.244, 1.184, 1.083, 0.966, 0.862, 0.795, 0.780, 0.818, 0.898, 1.000, 1.099, 1.171,
    1.199, 1.178, 1.116, 1.027, 1.0,
];

/// Form and size of the area on which the waves travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// A disc: the position is radius over that of the rim and angle in turns.
    Round {
        /// Radius [m].
        radius: f64,
    },
    /// A rectangle: the position is x and y over the sides.
    Rectangle {
        /// Side along [m].
        along: f64,
        /// Side across [m].
        across: f64,
    },
}

impl Outline {
    /// Coordinates [m] of a position, and its distance from the edge [m].
    fn locate(&self, place: BodyPosition) -> ([f64; 2], f64) {
        match self {
            Self::Round { radius } => {
                let (sin, cos) = (TAU * place.across).sin_cos();
                ([radius * place.along * cos, radius * place.along * sin], radius * (1.0 - place.along))
            }
            Self::Rectangle { along, across } => {
                let (x, y) = (along * place.along, across * place.across);
                ([x, y], x.min(along - x).min(y).min(across - y))
            }
        }
    }
}

/// One wave of eight modes side by side: turns per metre along and across, and at the origin.
type Wave = [[f32; LANES]; 3];

/// Modes side by side.
const LANES: usize = 8;

/// Shapes of many modes. Immutable, 100 bytes a mode.
#[derive(Clone, Debug)]
pub struct PlaneWaves {
    outline: Outline,
    /// How the edge is held; None without an edge.
    edge: Option<EdgeSupport>,
    /// Wave number of each mode [1/m].
    numbers: Vec<f32>,
    /// The waves of each eight modes.
    waves: Vec<[Wave; WAVES]>,
}

impl PlaneWaves {
    /// Shapes of modes with wave numbers `numbers` [1/m], each with its number i, of the specimen `seed`. Allocates.
    pub fn new(outline: Outline, edge: Option<EdgeSupport>, numbers: &[(f64, u64)], seed: u64) -> Self {
        let mut waves = vec![[[[0.0; LANES]; 3]; WAVES]; numbers.len().div_ceil(LANES)];
        for (mode, &(number, i)) in numbers.iter().enumerate() {
            let mut random = random_of(seed, i, Stream::Waves);
            for (p, wave) in waves[mode / LANES].iter_mut().enumerate() {
                let (sin, cos) = (TAU * (p as f64 + random.uniform()) / WAVES as f64).sin_cos();
                let turns = [number * cos / TAU, number * sin / TAU, random.uniform()];
                wave.iter_mut().zip(turns).for_each(|(lanes, turns)| lanes[mode % LANES] = turns as f32);
            }
        }
        Self { outline, edge, numbers: numbers.iter().map(|&(number, _)| number as f32).collect(), waves }
    }

    /// Number of modes.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// phi of the first modes at `place`, which must be inside [0, 1].
    pub fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let (at, distance) = self.outline.locate(place);
        sum_waves(&self.waves, at, out);
        let Some(edge) = self.edge else { return };
        for (phi, &number) in out.iter_mut().zip(&self.numbers) {
            *phi *= near_edge(edge, f64::from(number) * distance).sqrt();
        }
    }
}

/// Sums of the waves at a position [m], eight modes at a time.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn sum_waves(waves: &[[Wave; WAVES]], [x, y]: [f64; 2], out: &mut [f64]) {
    let scale = (2.0 / WAVES as f64).sqrt();
    for (out, waves) in out.chunks_mut(LANES).zip(waves) {
        let mut sums = [0.0; LANES];
        for [along, across, start] in waves {
            for lane in 0..LANES {
                sums[lane] += cos_turns(x * f64::from(along[lane]) + y * f64::from(across[lane]) + f64::from(start[lane]));
            }
        }
        out.iter_mut().zip(sums).for_each(|(phi, sum)| *phi = scale * sum);
    }
}

/// cos(2 pi t) within 3e-9, |t| < 1e6, without a branch: 1 - 2 sin^2(pi r), r from -1/2 to 1/2, by the series of the sine.
#[inline(always)]
fn cos_turns(t: f64) -> f64 {
    // adding 1.5 2^52 rounds to an integer
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let angle = PI * (t - ((t + WHOLE) - WHOLE));
    let square = angle * angle;
    let mut sum = 1.0;
    let mut n = 13.0;
    while n > 1.0 {
        sum = 1.0 - sum * square * (1.0 / (n * (n - 1.0)));
        n -= 2.0;
    }
    let sine = angle * sum;
    1.0 - 2.0 * sine * sine
}

/// Mean square of the shapes at k d from an edge, over that far from it.
pub(super) fn near_edge(edge: EdgeSupport, kd: f64) -> f64 {
    let table = match edge {
        EdgeSupport::Supported => return (1.0 - libm::j0(2.0 * kd)).max(0.0),
        EdgeSupport::Clamped => &CLAMPED_EDGE,
        EdgeSupport::Free => &FREE_EDGE,
    };
    let place = kd / EDGE_STEP;
    let below = place as usize;
    match (table.get(below), table.get(below + 1)) {
        (Some(low), Some(high)) => low + (place - below as f64) * (high - low),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::Disc;
    use crate::bodies::field::ladder::ladder;
    use crate::bodies::field::modal_density::{ModalDensity, Sheet};
    use crate::bodies::material::Material;
    use crate::bodies::modal_shape::ModalShape;

    const BODY: Outline = Outline::Rectangle { along: 0.5, across: 0.4 };

    fn sheet() -> Sheet {
        Sheet { material: Material::STEEL, thickness: 2e-3, area: 0.2 }
    }

    /// Frequencies and shapes of the plate of the design.
    fn plate(seed: u64) -> (Vec<f64>, PlaneWaves) {
        let density = ModalDensity::Plate { sheet: sheet(), ring: 0.0, perimeter: 0.0, edge: EdgeSupport::Supported };
        let modes = ladder(&density, 1.0, (500.0, 20e3), usize::MAX, seed);
        let numbers: Vec<_> = modes.iter().map(|&(f, i)| (density.wave_number(f), i)).collect();
        (modes.iter().map(|mode| mode.0).collect(), PlaneWaves::new(BODY, None, &numbers, seed))
    }

    fn shapes(waves: &PlaneWaves, along: f64, across: f64) -> Vec<f64> {
        let mut out = vec![0.0; waves.len()];
        waves.shapes_at(BodyPosition { along, across }, &mut out);
        out
    }

    /// Places spread over the inside of the body, and directions.
    fn places(count: usize) -> impl Iterator<Item = (f64, f64, f64)> {
        let part = |n: usize, step: f64| ((n as f64 + 0.5) * step).fract();
        (0..count).map(move |n| (0.2 + 0.6 * part(n, 0.754_877), 0.2 + 0.6 * part(n, 0.569_840), TAU * part(n, 0.618_034)))
    }

    /// Test 6 of the design: mean of W^2 n pi/2 in bands of 1 kHz within 10 % of the mobility of the endless plate.
    #[test]
    fn the_mobility_is_that_of_the_endless_plate() {
        let (frequencies, waves) = plate(3);
        let (mass, density) = (sheet().mass(), sheet().per_hertz());
        for band in 1..19 {
            let inside: Vec<usize> = (0..waves.len()).filter(|&i| (frequencies[i] / 1e3) as usize == band).collect();
            let squares = places(48).map(|(x, y, _)| {
                let phi = shapes(&waves, x, y);
                inside.iter().map(|&i| phi[i] * phi[i] / mass).sum::<f64>() / inside.len() as f64
            });
            // n per rad/s is the density over 2 pi
            let mobility = squares.sum::<f64>() / 48.0 * density / 4.0;
            let off = mobility / sheet().mobility() - 1.0;
            assert!(off.abs() < 0.1, "{band} kHz: {off}");
        }
    }

    /// Test 7 of the design: products of two places over 300 modes within 0.1 of J0(k d).
    #[test]
    fn neighbouring_pickups_hear_low_modes_alike() {
        let (frequencies, waves) = plate(7);
        let density = ModalDensity::Plate { sheet: sheet(), ring: 0.0, perimeter: 0.0, edge: EdgeSupport::Supported };
        for distance in [0.005, 0.02, 0.04, 0.08] {
            for first in [0, 130, 260] {
                let group = first..first + 300;
                let product = |(x, y, turn): (f64, f64, f64)| {
                    let here = shapes(&waves, x, y);
                    let there = shapes(&waves, x + distance * turn.cos() / 0.5, y + distance * turn.sin() / 0.4);
                    group.clone().map(|i| here[i] * there[i]).sum::<f64>() / 300.0
                };
                let mean = places(16).map(product).sum::<f64>() / 16.0;
                let expected =
                    group.clone().map(|i| libm::j0(density.wave_number(frequencies[i]) * distance)).sum::<f64>() / 300.0;
                assert!((mean - expected).abs() < 0.1, "{distance} m, modes from {first}: {mean} instead of {expected}");
            }
        }
    }

    /// Mean squares near the rims of exact bodies, over all angles and the modes with a k d near those given.
    fn exact_profile(shape: &ModalShape, wave: impl Fn(usize) -> f64, kd: f64) -> f64 {
        let (mut sum, mut weight) = (0.0, 0.0);
        for step in 0..160 {
            let radius = 0.4 + 0.6 * (f64::from(step) + 0.5) / 160.0;
            let near: Vec<usize> = (200..shape.len()).filter(|&i| (wave(i) * (1.0 - radius) - kd).abs() < 0.1).collect();
            for turn in 0..8 {
                let mut phi = vec![0.0; shape.len()];
                shape.heard_at_place(BodyPosition { along: radius, across: (f64::from(turn) + 0.3) / 8.3 }, 1.0, &mut phi);
                sum += near.iter().map(|&i| phi[i] * phi[i]).sum::<f64>();
                weight += near.len() as f64;
            }
        }
        sum / weight
    }

    #[test]
    fn mean_squares_near_edges_are_those_of_exact_bodies() {
        for (rim, bound) in [(EdgeSupport::Free, 0.19), (EdgeSupport::Supported, 0.07), (EdgeSupport::Clamped, 0.14)] {
            let disc = Disc { rim, radius: 1.0, thickness: 1e-3, material: Material { poisson: 0.3, ..Material::STEEL } };
            let (shape, lowest) = (disc.shape(500, 0.0), disc.lowest());
            let slowness = Sheet { material: disc.material, thickness: 1e-3, area: 1.0 }.slowness();
            for kd in [0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0] {
                let exact = exact_profile(&shape, |i| (TAU * lowest * shape.ratio(i) * slowness).sqrt(), kd);
                let here = near_edge(rim, kd);
                assert!((exact - here).abs() < bound, "{rim:?} at k d = {kd}: {exact} instead of {here}");
            }
        }
    }

    #[test]
    fn cosines_are_within_3e_9() {
        for step in -5000..5000 {
            let t = f64::from(step) * 0.002_718;
            assert!((cos_turns(t) - (TAU * t).cos()).abs() < 3e-9, "{t}: {:e}", cos_turns(t) - (TAU * t).cos());
        }
    }

    /// The shape of a mode depends on the specimen and its number only, not on how many there are.
    #[test]
    fn a_shape_depends_on_seed_and_number() {
        let some = PlaneWaves::new(BODY, None, &[(40.0, 9), (50.0, 12)], 4);
        let one = PlaneWaves::new(BODY, None, &[(50.0, 12)], 4);
        let other = PlaneWaves::new(BODY, None, &[(50.0, 12)], 5);
        assert_eq!(shapes(&some, 0.3, 0.7)[1], shapes(&one, 0.3, 0.7)[0]);
        assert_ne!(shapes(&other, 0.3, 0.7)[0], shapes(&one, 0.3, 0.7)[0]);
        assert!(!some.is_empty() && some.len() == 2);
    }
}
