//! Modes of two heads with the same nodal diameters over one volume of air.
//!
//! The air between the heads of a drum is taken as incompressible except for its mean pressure. A wave J_m(beta s) of the air with a rigid
//! wall, J_m'(beta) = 0, carries between the ends of a shell of depth L the mass per area
//!
//! ```text
//! rho/beta tanh(beta L/2)     on each head alone
//! rho/beta / sinh(beta L)     on the sum of both outward motions
//! ```
//!
//! so that heads that move apart carry rho/beta coth(beta L/2) each, and heads in step rho/beta tanh(beta L/2). A wave of the head J_m(z s) has the
//! part g = 2 z/((beta^2 - z^2) sqrt(1 - m^2/beta^2)) in it, both of mean square 1. Without diameters there is also the even motion beta = 0,
//! of which a head has the mean g = 2/z: the air between moves in proportion to the distance, with the mass rho L on the mean of both motions and
//! rho L/3 on half their difference, and is a spring rho c^2/(pi a^2 L) on the difference of the volumes swept. This is right as long as the
//! waves of the heads are slower than sound.
//!
//! Outside, each head carries half the air that it would carry alone. Units: radius, mass per area and tension of the batter head are 1.

use crate::assembly::{Assembly, JoinError, StaticJoint, missing_flexibility, spring_in_series};
use crate::bodies::circular::bessel::{j, roots};
use crate::modal::Mode;

/// Waves of the air up to this multiple of the shortest wave of the heads.
const REACH: f64 = 2.0;

/// Mass on the sum of both motions over that of the batter head below which an order of diameters is not joined.
const SLIGHT: f64 = 1e-4;

/// Number of modes of each head and order that are joined: the air changes higher ones by less than a tenth of a cent.
pub(super) const JOINED: usize = 12;

/// Part of the air of a head alone that a joined head carries outside.
const OUTSIDE: f64 = 0.5;

/// sinh beyond which the air behind one head does not move at the other.
const APART: f64 = 1e9;

/// The air between the heads.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrumAir {
    /// rho a/sigma of the batter head.
    pub density: f64,
    /// Depth of the shell over the radius, > 0.
    pub depth: f64,
    /// Stiffness of the spring on the difference of the mean motions, each of a head of mass 1.
    pub spring: f64,
}

/// A mode of one of the heads.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadMode {
    /// z.
    pub wave: f64,
    /// omega in vacuum.
    pub omega: f64,
    /// Mass of the head over that of the batter head.
    pub mass: f64,
    /// Mass of the air that it carries alone on both sides, over its own.
    pub carried: f64,
}

/// A mode of the drum.
#[derive(Clone, Debug)]
pub(super) struct DrumMode {
    pub omega: f64,
    /// Amplitude of every mode of the batter head, then of the resonant head, both positive towards the resonant head.
    pub parts: Vec<f64>,
}

impl DrumAir {
    /// The modes of both heads with `order` nodal diameters, in any order; the air joins them where it matters. Errors: heads or air that are not
    /// finite.
    pub fn join(&self, order: usize, heads: [&[HeadMode]; 2]) -> Result<Vec<DrumMode>, JoinError> {
        let is_joined = self.joins(order);
        let count = if is_joined { JOINED } else { 0 };
        let near = heads.map(|head| &head[..count.min(head.len())]);
        let mut modes = if is_joined { self.joined(order, near)? } else { Vec::new() };
        // the parts of the joined modes, one head after the other, become those of all
        let spread = |mode: DrumMode| {
            let mut parts = vec![0.0; heads[0].len() + heads[1].len()];
            let (batter, resonant) = mode.parts.split_at(near[0].len());
            parts[..batter.len()].copy_from_slice(batter);
            parts[heads[0].len()..heads[0].len() + resonant.len()].copy_from_slice(resonant);
            DrumMode { parts, ..mode }
        };
        modes = modes.into_iter().map(spread).collect();
        for (head, offset) in heads.iter().zip([0, heads[0].len()]) {
            for (k, mode) in head.iter().enumerate().skip(count) {
                let mut parts = vec![0.0; heads[0].len() + heads[1].len()];
                parts[offset + k] = 1.0 / mode.root(1.0);
                modes.push(DrumMode { omega: mode.alone(1.0), parts });
            }
        }
        Ok(modes)
    }

    /// Whether the air joins modes with `order` nodal diameters.
    pub fn joins(&self, order: usize) -> bool {
        self.spring > 0.0 && (order == 0 || self.shared(rigid_walled(order, 0.0)[0]) > SLIGHT)
    }

    /// The modes of both heads that the air joins.
    fn joined(&self, order: usize, heads: [&[HeadMode]; 2]) -> Result<Vec<DrumMode>, JoinError> {
        let shortest = heads.iter().flat_map(|head| head.iter()).map(|mode| mode.wave).fold(0.0, f64::max);
        let roots: [Vec<f64>; 2] = heads.map(|head| head.iter().map(|mode| mode.root(OUTSIDE)).collect());
        let parts: Vec<Mode> =
            heads.iter().flat_map(|head| head.iter()).map(|mode| Mode { omega: mode.alone(OUTSIDE), sigma: 0.0 }).collect();
        let mut drum = Assembly::new(parts);
        let joint = Joint { order, heads, roots: [&roots[0], &roots[1]] };
        if self.density > 0.0 {
            for wave in rigid_walled(order, REACH * shortest) {
                self.load(&mut drum, &joint, wave)?;
            }
        }
        if order == 0 {
            self.load_evenly(&mut drum, &joint)?;
        }
        let roots: Vec<f64> = roots.concat();
        let shares: Vec<Vec<f64>> = (0..roots.len()).map(|k| drum.weights(&unit(k, roots.len()))).collect::<Result<_, _>>()?;
        let mode = |(n, mode): (usize, &Mode)| DrumMode {
            omega: mode.omega,
            parts: shares.iter().zip(&roots).map(|(share, root)| share[n] / root).collect(),
        };
        Ok(drum.modes().iter().enumerate().map(mode).collect())
    }

    /// Mass of the sum of both motions in a wave `beta` of the air.
    fn shared(&self, beta: f64) -> f64 {
        let sine = (beta * self.depth).sinh();
        if sine < APART { self.density / (beta * sine) } else { 0.0 }
    }

    /// The masses of a wave `beta` of the air.
    fn load(&self, drum: &mut Assembly, joint: &Joint, beta: f64) -> Result<(), JoinError> {
        let own = self.density / beta * (0.5 * beta * self.depth).tanh();
        for signs in [[1.0, 0.0], [0.0, 1.0]] {
            drum.join(&joint.row(beta, signs), StaticJoint::Mass(own))?;
        }
        match self.shared(beta) {
            0.0 => Ok(()),
            shared => drum.join(&joint.row(beta, [-1.0, 1.0]), StaticJoint::Mass(shared)),
        }
    }

    /// Mass and spring of the even motion.
    fn load_evenly(&self, drum: &mut Assembly, joint: &Joint) -> Result<(), JoinError> {
        let whole = self.density * self.depth;
        drum.join(&joint.row(0.0, [0.5, 0.5]), StaticJoint::Mass(whole))?;
        drum.join(&joint.row(0.0, [0.5, -0.5]), StaticJoint::Mass(whole / 3.0))?;
        let missing: f64 = (0..2).map(|side| joint.missing(side)).sum();
        drum.join(&joint.row(0.0, [-1.0, 1.0]), StaticJoint::Spring(spring_in_series(self.spring, missing)))
    }
}

impl HeadMode {
    /// Root of its modal mass with the part `outside` of the air.
    fn root(&self, outside: f64) -> f64 {
        (self.mass * (1.0 + outside * self.carried)).sqrt()
    }

    /// omega with the part `outside` of the air.
    pub fn alone(&self, outside: f64) -> f64 {
        self.omega / (1.0 + outside * self.carried).sqrt()
    }
}

/// The modes of both heads, with the roots of their modal masses.
struct Joint<'a> {
    order: usize,
    heads: [&'a [HeadMode]; 2],
    roots: [&'a [f64]; 2],
}

impl Joint<'_> {
    /// Weights of all modes in the wave `beta` of the air, times the sign of each head.
    fn row(&self, beta: f64, signs: [f64; 2]) -> Vec<f64> {
        let side = |side: usize| {
            let modes = self.heads[side].iter().zip(self.roots[side]);
            modes.map(move |(mode, root)| signs[side] * part(self.order, mode.wave, beta) / root)
        };
        side(0).chain(side(1)).collect()
    }

    /// Flexibility of the modes that a head lacks to its mean motion: pressed evenly, it is a paraboloid of mean height 1/(8 T).
    fn missing(&self, side: usize) -> f64 {
        let Some(first) = self.heads[side].first() else { return 0.0 };
        let tension = first.mass * (first.omega / first.wave).powi(2);
        let still: Vec<Mode> = self.heads[side].iter().map(|mode| Mode { omega: mode.omega, sigma: 0.0 }).collect();
        let weights: Vec<f64> = self.heads[side].iter().map(|mode| part(0, mode.wave, 0.0) / mode.mass.sqrt()).collect();
        missing_flexibility(1.0 / (8.0 * tension), &still, &weights)
    }
}

/// g: part of the head's wave z in the air's wave beta, beta = 0 for the even one.
fn part(order: usize, wave: f64, beta: f64) -> f64 {
    let slope = -j(order, wave).1.signum();
    if beta == 0.0 {
        return slope * 2.0 / wave;
    }
    let flat = 1.0 - (order as f64 / beta).powi(2);
    -slope * 2.0 * wave * j(order, beta).0.signum() / ((beta - wave) * (beta + wave) * flat.sqrt())
}

/// Zeros of J_m' up to `end`, at least one, without 0.
fn rigid_walled(order: usize, end: f64) -> Vec<f64> {
    // the first is below m + 4
    roots(|x| j(order, x).1, (order as f64).max(0.5), end.max(order as f64 + 4.0), 1.0)
}

fn unit(place: usize, length: usize) -> Vec<f64> {
    (0..length).map(|i| if i == place { 1.0 } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::bessel::zeros;

    /// Two equal heads without air outside.
    fn equal(order: usize) -> Vec<HeadMode> {
        let mode = |wave: f64| HeadMode { wave, omega: wave, mass: 1.0, carried: 0.0 };
        zeros(order, 60.0).into_iter().map(mode).collect()
    }

    /// The lowest mode in which equal heads move in step.
    fn in_step(order: usize, air: DrumAir) -> DrumMode {
        let head = equal(order);
        let mut modes = air.join(order, [&head, &head]).expect("finite heads");
        modes.sort_by(|a, b| a.omega.total_cmp(&b.omega));
        modes.into_iter().find(|mode| (mode.parts[0] / mode.parts[head.len()] - 1.0).abs() < 1e-6).expect("heads in step")
    }

    /// The parts of a head's wave in all waves of the air have the sum of squares 1: both are complete.
    #[test]
    fn waves_of_the_air_contain_the_waves_of_the_heads() {
        for order in [0, 1, 3] {
            for wave in zeros(order, 15.0) {
                let even = if order == 0 { part(0, wave, 0.0).powi(2) } else { 0.0 };
                let sum: f64 = rigid_walled(order, 400.0).iter().map(|beta| part(order, wave, *beta).powi(2)).sum();
                assert!((sum + even - 1.0).abs() < 1e-5, "{order} {wave}: {}", sum + even);
            }
        }
    }

    /// Between heads that move in step a thin layer of air moves along: f = f0/sqrt(1 + rho L/(2 sigma)), for any number of diameters.
    #[test]
    fn a_thin_layer_moves_along_with_heads_in_step() {
        let air = DrumAir { density: 8.0, depth: 0.01, spring: 1e3 };
        for order in [0, 1, 2] {
            let known = zeros(order, 60.0)[0] / (1.0 + 0.5 * air.density * air.depth).sqrt();
            let off = 1200.0 * (in_step(order, air).omega / known).log2();
            println!("{order}: {off:e} cents");
            assert!(off.abs() < 0.02, "{order}: {off} cents");
        }
    }

    /// Heads that move apart squeeze a thin layer sideways. Its potential 2/L (J_1(z s)/z^2 + C s) with C = -J_1'(z)/z gives a first head mode
    /// alone the mass 2 rho/(L sigma) (1/z^2 + 2 C J_2(z)/(z J_2(z)^2)); so do the sums over the waves of the air.
    #[test]
    fn a_thin_layer_resists_heads_that_move_apart() {
        let wave = zeros(1, 60.0)[0];
        let second = libm::jn(2, wave);
        // int s J_1^2 = J_2^2/2, int s^2 J_1 = J_2/z, J_1' = -J_2
        let known = 2.0 * (1.0 / wave.powi(2) + second / wave * (second / wave) / (0.5 * second * second));
        let found: f64 = rigid_walled(1, 400.0).iter().map(|beta| 2.0 * (part(1, wave, *beta) / beta).powi(2)).sum();
        assert!((found / known - 1.0).abs() < 1e-6, "{found} instead of {known}");
    }

    /// With unit modal mass, the tension of both heads and the spring of the air hold omega^2 of every mode: shapes and frequencies fit together.
    #[test]
    fn shapes_have_the_energy_of_their_frequencies() {
        let air = DrumAir { density: 0.8, depth: 0.8, spring: 10.0 };
        for order in [0, 1, 2] {
            let batter: Vec<HeadMode> = equal(order).into_iter().map(|mode| HeadMode { carried: 0.6, ..mode }).collect();
            let lighter = |mode: &HeadMode| HeadMode { omega: 1.3 * mode.wave, mass: 0.4, carried: 1.1, ..*mode };
            let resonant: Vec<HeadMode> = batter.iter().map(lighter).collect();
            for mode in air.join(order, [&batter, &resonant]).expect("finite heads") {
                let tense = batter.iter().chain(&resonant).zip(&mode.parts);
                let tension: f64 = tense.map(|(head, part)| head.mass * (head.omega * part).powi(2)).sum();
                let swept = |(head, part): (&HeadMode, &f64)| super::part(order, head.wave, 0.0) * part;
                let (front, back) = mode.parts.split_at(batter.len());
                let volume = back.iter().zip(&resonant).map(|(p, h)| swept((h, p))).sum::<f64>()
                    - front.iter().zip(&batter).map(|(p, h)| swept((h, p))).sum::<f64>();
                let spring = if order == 0 { air.spring * volume * volume } else { 0.0 };
                let off = (tension + spring) / (mode.omega * mode.omega) - 1.0;
                // the missing flexibility softens the spring a little
                let bound = if order == 0 { 1e-3 } else { 1e-9 };
                assert!(off.abs() < bound, "{order} at {}: {off:e}", mode.omega);
            }
        }
    }

    /// Heads far apart do not share waves with diameters.
    #[test]
    fn a_deep_shell_leaves_heads_alone() {
        let head: Vec<HeadMode> = equal(1).into_iter().map(|mode| HeadMode { carried: 0.3, ..mode }).collect();
        let modes = DrumAir { density: 0.7, depth: 8.0, spring: 1.0 }.join(1, [&head, &head]).expect("finite heads");
        assert!((modes[0].omega / head[0].alone(1.0) - 1.0).abs() < 1e-12);
    }
}
