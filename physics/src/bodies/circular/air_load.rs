//! Air load of a drum head.
//!
//! A head that moves as u(r) cos m theta in a baffle carries, on each side, air with the kinetic energy of its plane waves. With
//! H(k) = integral of J_m(z r) J_m(k r) r dr = z J_{m+1}(z) J_m(k)/(z^2 - k^2) and kappa = omega a/c, the air's mass over the
//! modal mass of the head and its resistance over omega times that mass are, per side,
//!
//! ```text
//! mu  = (2 rho a/sigma) integral over k > kappa of z^2 J_m(k)^2/(z^2 - k^2)^2 k dk/sqrt(k^2 - kappa^2)
//! chi = (2 rho a/sigma) integral over k < kappa of the same with sqrt(kappa^2 - k^2)
//! ```
//!
//! f = f_vacuum/sqrt(1 + mu), at which kappa is taken, and the damping ratio is chi/(2 (1 + mu)). Coupling by air between modes
//! of one m is neglected. Far from the rim mu is 2 rho/(sigma k): high modes carry little air. A volume V of air behind the head
//! is a spring rho c^2/V on the volume swept; only modes with m = 0 sweep any, and the spring mixes them.

use crate::bodies::circular::bessel::j;
use crate::bodies::circular::circular_modes::Pair;
use nalgebra::{DMatrix, SymmetricEigen};
use std::f64::consts::{PI, TAU};
use std::sync::{Mutex, PoisonError};

/// Step of Simpson's rule in k; J_m^2 has the period pi.
const STEP: f64 = 0.125;

/// Upper end of the integral in k, over z; the rest falls as k^-5.
const REACH: f64 = 3.0;

/// Maximum number of iterations between mass and frequency, and the change of frequency that ends them; each gains more than a
/// digit.
const ROUNDS: usize = 8;
const SETTLED: f64 = 1e-7;

/// Maximum of kappa over z: beyond it the head's waves would be faster than sound.
const FASTEST: f64 = 0.95;

/// First zero of J_0: the lowest mode of a head in vacuum.
pub(super) const LOWEST_WAVE: f64 = 2.404_825_557_695_773;

/// A drum head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// Radius a [m].
    pub radius: f64,
    /// Mass per area sigma [kg/m^2].
    pub surface_density: f64,
    /// Tension T [N/m].
    pub tension: f64,
}

impl Head {
    /// The head with the tension that puts (0,1) in vacuum at `frequency` [Hz].
    pub fn tuned(radius: f64, surface_density: f64, frequency: f64) -> Self {
        let speed = TAU * radius * frequency / LOWEST_WAVE;
        Self { radius, surface_density, tension: surface_density * speed * speed }
    }

    /// Mass [kg].
    pub fn mass(&self) -> f64 {
        PI * self.radius * self.radius * self.surface_density
    }

    /// Speed of its waves, sqrt(T/sigma) [m/s].
    pub fn speed(&self) -> f64 {
        (self.tension / self.surface_density).sqrt()
    }

    /// Frequency of (0,1) in vacuum [Hz].
    pub fn lowest(&self) -> f64 {
        LOWEST_WAVE * self.speed() / (TAU * self.radius)
    }
}

/// Air around a head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Density rho [kg/m^3].
    pub density: f64,
    /// Speed of sound c [m/s].
    pub sound: f64,
    /// Volume [m^3] of enclosed air behind the head (kettle); None: open on both sides, with a baffle.
    pub volume: Option<f64>,
}

impl Air {
    /// Air at 20 degrees Celsius, open.
    pub const ROOM: Self = Self { density: 1.204, sound: 343.2, volume: None };
}

/// Air load of one mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Load {
    /// Frequency with the air's mass [Hz].
    pub frequency: f64,
    /// Mass of the air over the modal mass of the head, both sides.
    pub mass: f64,
}

/// Modes of the head and their parts in a mixed mode.
type Parts = Vec<(usize, f64)>;

impl Air {
    /// Air load of the mode with m diameters and `wave` z.
    pub(crate) fn load(&self, head: &Head, m: usize, wave: f64) -> Load {
        let vacuum = wave * head.speed() / (TAU * head.radius);
        let scale = 2.0 * self.scale(head);
        let mut load = Load { frequency: vacuum / (1.0 + 0.5 * scale / wave).sqrt(), mass: 0.0 };
        for _ in 0..ROUNDS {
            let before = load.frequency;
            load.mass = scale * carried(m, wave, self.kappa(head, wave, before));
            load.frequency = vacuum / (1.0 + load.mass).sqrt();
            // without a speed of sound the mass does not depend on the frequency
            if self.sound == f64::INFINITY || (load.frequency / before - 1.0).abs() < SETTLED {
                break;
            }
        }
        load
    }

    /// Damping ratio by radiation of that mode at `frequency` [Hz], from the side that is open, or both.
    pub(crate) fn radiation(&self, head: &Head, m: usize, wave: f64, mass: f64, frequency: f64) -> f64 {
        let sides = if self.volume.is_some() { 1.0 } else { 2.0 };
        sides * self.scale(head) * radiated(m, wave, self.kappa(head, wave, frequency)) / (2.0 * (1.0 + mass))
    }

    /// 2 rho a/sigma.
    fn scale(&self, head: &Head) -> f64 {
        2.0 * self.density * head.radius / head.surface_density
    }

    fn kappa(&self, head: &Head, wave: f64, frequency: f64) -> f64 {
        (TAU * frequency * head.radius / self.sound).min(FASTEST * wave)
    }
}

/// z^2 J_m(k)^2/(z^2 - k^2)^2.
fn spectrum(m: usize, wave: f64, k: f64) -> f64 {
    let gap = wave - k;
    // near the zero J_m(k) = -J_m'(z) (z - k)
    let quotient = if gap.abs() < 1e-5 * wave { -j(m, wave).1 } else { libm::jn(m as i32, k) / gap };
    (wave * quotient / (wave + k)).powi(2)
}

/// The integral of mu at kappa = 0, sorted by m and the bits of z: it is the same for every head.
static AT_REST: Mutex<Vec<((usize, u64), f64)>> = Mutex::new(Vec::new());

/// Maximum number of these that are kept, far above the number of modes of a head.
const MAX_AT_REST: usize = 1 << 16;

/// The integral of mu.
fn carried(m: usize, wave: f64, kappa: f64) -> f64 {
    if kappa != 0.0 {
        return integrated(m, wave, kappa);
    }
    let (key, known) = ((m, wave.to_bits()), || AT_REST.lock().unwrap_or_else(PoisonError::into_inner));
    let place = |list: &[((usize, u64), f64)]| list.binary_search_by_key(&key, |(key, _)| *key);
    let list = known();
    if let Ok(i) = place(&list) {
        return list[i].1;
    }
    drop(list);
    let found = integrated(m, wave, 0.0);
    let mut list = known();
    if let Some(i) = place(&list).err().filter(|_| list.len() < MAX_AT_REST) {
        list.insert(i, (key, found));
    }
    found
}

/// The integral of mu: with k^2 = kappa^2 + s^2 it loses its singularity.
fn integrated(m: usize, wave: f64, kappa: f64) -> f64 {
    let reach = REACH * wave + 10.0;
    // beyond, J_m^2 is 1/(pi k) on average
    let tail = wave * wave / (4.0 * PI * reach.powi(4));
    simpson(reach, |s| spectrum(m, wave, kappa.hypot(s))) + tail
}

/// The integral of chi: with k^2 = kappa^2 - s^2.
fn radiated(m: usize, wave: f64, kappa: f64) -> f64 {
    simpson(kappa, |s| spectrum(m, wave, ((kappa - s) * (kappa + s)).max(0.0).sqrt()))
}

/// Integral of f from 0 to `end`.
fn simpson(end: f64, f: impl Fn(f64) -> f64) -> f64 {
    let panels = (end / (2.0 * STEP)).ceil().max(4.0) as usize;
    let h = end / (2 * panels) as f64;
    let pair = |i: usize| 4.0 * f((2 * i + 1) as f64 * h) + 2.0 * f((2 * i + 2) as f64 * h);
    h / 3.0 * (f(0.0) - f(end) + (0..panels).map(pair).sum::<f64>())
}

impl Air {
    /// Sets the frequencies of the modes without diameters to those over the closed volume and returns their components, in units
    /// of [`Load::mass`] of the mode itself: shape_i = sum part_k phi_k keeps the modal mass M (1 + mu_i).
    pub(crate) fn stiffen(&self, head: &Head, pairs: &mut [Pair], loads: &[Load]) -> Vec<Option<Parts>> {
        let mut mixed = vec![None; pairs.len()];
        let Some(volume) = self.volume else { return mixed };
        let round: Vec<usize> = (0..pairs.len()).filter(|&i| pairs[i].family.0 == 0).collect();
        // swept by a mode of mean square 1: area times the mean of phi, 2/z with the sign of J_1(z); over the root of its modal mass
        let area = PI * head.radius * head.radius;
        let swept: Vec<f64> = round
            .iter()
            .map(|&i| {
                let mean = -j(0, pairs[i].wave).1.signum() * 2.0 / pairs[i].wave;
                area * mean / (head.mass() * (1.0 + loads[i].mass)).sqrt()
            })
            .collect();
        let spring = self.density * self.sound * self.sound / volume;
        let stiffness = DMatrix::from_fn(round.len(), round.len(), |a, b| {
            let own = if a == b { (TAU * loads[round[a]].frequency).powi(2) } else { 0.0 };
            own + spring * swept[a] * swept[b]
        });
        if !stiffness.iter().all(|value| value.is_finite()) {
            return mixed;
        }
        let eigen = SymmetricEigen::new(stiffness);
        let mut order: Vec<usize> = (0..round.len()).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
        for (&i, &column) in round.iter().zip(&order) {
            pairs[i].frequency = eigen.eigenvalues[column].sqrt() / TAU;
            let vector = eigen.eigenvectors.column(column);
            let largest = vector.iter().fold(0.0, |most: f64, v| if v.abs() > most.abs() { *v } else { most });
            let part = |(a, &k): (usize, &usize)| {
                (k, vector[a] * ((1.0 + loads[i].mass) / (1.0 + loads[k].mass)).sqrt() * largest.signum())
            };
            mixed[i] = Some(round.iter().enumerate().map(part).collect());
        }
        mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::modal_shape::ModalShape;

    /// 26 inch timpani head.
    const TIMPANI: Head = Head { radius: 0.328, surface_density: 0.262, tension: 3990.0 };

    fn mode(shape: &ModalShape, family: (u32, u32)) -> usize {
        (0..shape.len()).find(|&i| shape.family(i) == Some(family)).unwrap()
    }

    /// Measured on a timpani head without its kettle: 1, 1.48, 1.92, 2.36, 2.78.
    #[test]
    fn air_brings_the_modes_of_a_head_into_tune() {
        let (shape, pitch) = ModalShape::head_in_air(&TIMPANI, &Air::ROOM, 40, 0.0);
        for (m, measured) in [(1, 1.0), (2, 1.48), (3, 1.92), (4, 2.36), (5, 2.78)] {
            let ratio = shape.ratio(mode(&shape, (m, 1)));
            assert!((ratio / measured - 1.0).abs() < 0.01, "({m},1): {ratio}");
        }
        assert!((1.4..1.5).contains(&(TIMPANI.lowest() * 1.593_34 / pitch)), "{pitch}");
        let weight = |i: usize| shape.mobilities[i].powi(-2);
        assert!(weight(mode(&shape, (1, 1))) > weight(mode(&shape, (2, 1))) && weight(mode(&shape, (5, 1))) > 1.3);
    }

    /// Far from the rim a head of wave number z/a carries rho a/(sigma z) on each side (Cremer and Heckl), and radiates almost
    /// nothing below the speed of sound.
    #[test]
    fn high_modes_carry_the_air_of_an_endless_head() {
        for m in [0, 1, 4] {
            let wave = crate::bodies::circular::bessel::zeros(m, 70.0).pop().unwrap();
            let load = Air::ROOM.load(&TIMPANI, m, wave);
            let kappa = TAU * load.frequency * TIMPANI.radius / Air::ROOM.sound;
            let endless =
                2.0 * Air::ROOM.density * TIMPANI.radius / TIMPANI.surface_density / (wave * wave - kappa * kappa).sqrt();
            assert!((load.mass / endless - 1.0).abs() < 0.03, "{m}: {} of {endless}", load.mass);
        }
    }

    /// Small pistons of air: H(k) is constant up to kappa, and mode (0,1) radiates rho c kappa^2/2 times its mean squared.
    #[test]
    fn a_small_head_radiates_as_a_point_source() {
        let head = Head { radius: 0.01, surface_density: 0.26, tension: 300.0 };
        let (wave, frequency) = (2.404_825_557_695_773_f64, 100.0);
        let kappa = TAU * frequency * head.radius / Air::ROOM.sound;
        // resistance 2 rho c (pi a^2) (kappa^2/2) mean^2 over 2 omega M, mean = 2/z
        let resistance = 2.0 * Air::ROOM.density * Air::ROOM.sound * 0.5 * kappa * kappa * (2.0 / wave).powi(2);
        let known = resistance / (2.0 * TAU * frequency * head.surface_density);
        let found = Air::ROOM.radiation(&head, 0, wave, 0.0, frequency);
        assert!((found / known - 1.0).abs() < 1e-3, "{found:e} instead of {known:e}");
    }

    #[test]
    fn a_kettle_lifts_what_sweeps_air_and_damps_it_most() {
        let air = Air { volume: Some(0.14), ..Air::ROOM };
        let (open, pitch) = ModalShape::head_in_air(&TIMPANI, &Air::ROOM, 40, 0.0);
        let (kettle, same) = ModalShape::head_in_air(&TIMPANI, &air, 40, 0.0);
        assert_eq!(pitch, same);
        let (lowest, ring) = (mode(&kettle, (0, 1)), mode(&kettle, (1, 1)));
        assert!(kettle.ratio(lowest) > 1.3 * open.ratio(mode(&open, (0, 1))) && kettle.ratio(ring) == 1.0);
        let times: Vec<f64> = [lowest, ring, mode(&kettle, (2, 1)), mode(&kettle, (3, 1))]
            .iter()
            .map(|&i| 1000_f64.ln() / (kettle.radiation(i) * TAU * pitch * kettle.ratio(i)))
            .collect();
        assert!(times.windows(2).all(|pair| pair[0] < 0.5 * pair[1]), "{times:?}");
        assert!((0.1..0.3).contains(&times[0]) && (0.7..1.5).contains(&times[1]), "{times:?}");
    }

    #[test]
    fn impossible_heads_terminate() {
        for tension in [0.0, -1.0, f64::NAN, 1e12] {
            for volume in [None, Some(0.0), Some(-1.0)] {
                let (shape, _) = ModalShape::head_in_air(&Head { tension, ..TIMPANI }, &Air { volume, ..Air::ROOM }, 12, 0.0);
                assert_eq!(shape.len(), 12);
            }
        }
    }

    /// The spring alone: without the head's own stiffness beside it, the first mode is that of the swept volume.
    #[test]
    fn a_tiny_kettle_holds_the_volume_still() {
        let air = Air { volume: Some(1e-5), ..Air::ROOM };
        let (shape, _) = ModalShape::head_in_air(&TIMPANI, &air, 300, 0.0);
        let means = crate::bodies::circular::circular_modes::tests::means(&shape);
        // modes without swept volume: J_2(z) = 0, as (2,n) but round
        let (held, open) = (mode(&shape, (0, 1)), ModalShape::head_in_air(&TIMPANI, &Air::ROOM, 300, 0.0).0);
        assert!(means[held].abs() < 0.02, "{}", means[held]);
        assert!(shape.ratio(held) > open.ratio(mode(&open, (0, 2))) * 0.8);
    }
}
