//! Exchange of energy between bands of modes: the cascade of a plate that moves by more than its thickness.
//!
//! Large motion of a thin plate couples its modes, and energy flows from low to high ones. Resolved mode by mode that is a sum
//! over all triples. In bands it is a diffusion along frequency:
//!
//! ```text
//! e_b = E_b/n_b                                    energy per mode of band b [J]
//! S_b = e_b n(f)/M                                 mean square velocity per hertz [m^2/s], n(f): modes per hertz
//! J_b = M C f_b S_b^2 (S_b - S_b+1)/df_b           flux from band b to the next [W], at the edge between them
//! dE_b/dt = J_b-1 - J_b                            C = c0/((2 pi)^3 h^4) [m^-4]
//! ```
//!
//! The form is that of Humbert, Josserand, Touze and Cadot, "Phenomenological model for predicting stationary and non-stationary
//! spectra of wave turbulence in vibrating plates" (2016): its stationary solutions are equipartition, J = 0, and the spectrum of
//! a constant flux, S^3 proportional to ln(f*/f), that the theory of wave turbulence gives for plates (During, Josserand, Rica
//! 2006). The h^-4 follows from the same theory, where the flux per mass is proportional to S^3/h^4. c0 = 16 is fitted to a
//! resolved plate; the law has too steep a dependence on amplitude for motion beyond three thicknesses.
//!
//! One step of the time dt by backward Euler with the S of its start is a tridiagonal system for e. The elimination has only
//! sums of positive numbers, so that it cannot cancel, and the sum of all E is kept for any dt and c0. The constant 16 belongs to
//! steps of 64 frames at 48 kHz; with half of that, the centroid of a crash is 6 % higher after 50 ms, 1 % after 300 ms.
//!
//! ```text
//! G_b = C f_b S_b^2 n(f_b)/df_b
//! p_b = n_b + dt G_b-1 k_b-1      a_b = p_b + dt G_b      k_b = p_b/a_b
//! r_b = E_b + dt G_b-1 r_b-1/a_b-1                        e_b = (r_b + dt G_b e_b+1)/a_b
//! ```
//!
//! All modes of a band then take the factor sqrt(E'_b/E_b), which keeps their phases. Bands are even in sqrt(f) and begin at
//! multiples of eight modes.
//!
//! The phases become random at another rate. The large motion of the low modes stretches the plate, and the stress varies irregularly. A
//! stress T changes omega^2 by T k^2/(rho h), and omega is proportional to k^2, so that the frequencies of all modes change by the same
//! amount of hertz:
//!
//! ```text
//! r = 0.12 sqrt(c0/16) sum_b E_b/(M h^2 omega_b)   rate [1/s]
//! r_b = r/(1 + 5 r/omega_b)                        a mode turns through at least 5 rad before its phase is lost
//! ```
//!
//! Both constants are fitted to five resolved plates (see `docs/decisions.md`).

use std::f64::consts::TAU;
use std::ops::Range;

use crate::modal::frequency_bands::{Band, FrequencyBands};
use crate::modal::phase_reversal::{MAX_BANDS, PhaseReversals};
use crate::modal::simd::LANES;

/// Frames of a step at [`STEP_RATE`] [Hz]: 1.3 ms.
const STEP_FRAMES: f64 = 64.0;
const STEP_RATE: f64 = 48e3;

/// Frames of a step of the exchange at the sample rate `rate` [Hz]: 64 at 44.1 and 48 kHz, 128 at twice that, and so on; at least
/// 16. The time of a step is the same within a factor of the square root of 2.
pub fn exchange_frames(rate: f64) -> usize {
    (STEP_FRAMES * (rate / STEP_RATE).log2().round().max(-2.0).exp2()) as usize
}

/// Energy [J] of a band below which it has none.
const EMPTY: f64 = 1e-290;

/// Energy per mode of a seeded band over the mean of all modes.
const SEED: f64 = 1e-9;

/// Turn of the phase from one seeded mode to the next [turns]: the golden section, which never repeats.
const SEED_TURN: f64 = 0.618_033_988_749_894_8;

/// Strength c0 of a resolved plate.
const PHYSICAL_STRENGTH: f64 = 16.0;

/// Rate at which modes of a resolved plate lose their phase over the sum of E/(M h^2 omega).
const DEPHASING: f64 = 0.12;

/// Least phase [rad] through which a mode turns in the mean before it has lost its phase.
const LEAST_TURN: f64 = 5.0;

/// Strength of the exchange on one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CascadeLaw {
    /// c0: 0 no exchange, 16 a resolved plate.
    pub strength: f64,
    /// Thickness h of the body [m], > 0.
    pub thickness: f64,
    /// Mass M of the body [kg], > 0.
    pub mass: f64,
}

impl CascadeLaw {
    /// C [m^-4].
    fn constant(&self) -> f64 {
        self.strength / (TAU.powi(3) * self.thickness.powi(4))
    }

    /// Rate [1/s] at which a mode of `omega` [1/s] loses its phase, where `sum` is that of E/omega over all modes [J s].
    fn dephasing_rate(&self, sum: f64, omega: f64) -> f64 {
        let rate = DEPHASING * (self.strength / PHYSICAL_STRENGTH).sqrt() * sum / (self.mass * self.thickness * self.thickness);
        slowed(rate, omega)
    }
}

/// The rate [1/s] at which a mode of `omega` [1/s] loses its phase for a cause of `rate` [1/s]: it turns before.
fn slowed(rate: f64, omega: f64) -> f64 {
    rate / (1.0 + LEAST_TURN * rate / omega)
}

/// The bands of one body, their energies, and the factors of the last exchange.
#[derive(Clone, Debug)]
pub struct BandExchange {
    bands: FrequencyBands,
    /// omega^2 of every mode, padded with zeros to a multiple of [`LANES`].
    omega2: Vec<f64>,
    /// Energy [J] of each band at the last exchange.
    energies: [f64; MAX_BANDS],
    /// Factors of the amplitudes of each band over the last exchange.
    gains: [f64; MAX_BANDS],
    /// Reversals at the end of the last exchange.
    reversals: PhaseReversals,
}

impl BandExchange {
    /// Room for `modes` modes; the only allocation.
    pub fn new(modes: usize) -> Self {
        Self {
            bands: FrequencyBands::default(),
            omega2: Vec::with_capacity(modes.next_multiple_of(LANES)),
            energies: [0.0; MAX_BANDS],
            gains: [1.0; MAX_BANDS],
            reversals: PhaseReversals::default(),
        }
    }

    /// Takes omega^2 [1/s^2] of the modes of a body, in order of frequency; only those in `part` exchange energy.
    pub fn set_modes(&mut self, omega2: impl Iterator<Item = f64>, part: Range<usize>) {
        let room = self.omega2.capacity() / LANES * LANES;
        self.omega2.clear();
        self.omega2.extend(omega2.take(room));
        let count = self.omega2.len();
        self.omega2.resize(count.next_multiple_of(LANES), 0.0);
        self.bands.divide(&self.omega2[..count], part);
        self.gains = [1.0; MAX_BANDS];
        self.reversals = PhaseReversals::default();
    }

    /// Number of bands.
    pub fn len(&self) -> usize {
        self.bands.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bands.is_empty()
    }

    /// The modes of each band; each begins at a multiple of [`LANES`], except for the first.
    pub fn bands(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.bands.iter().map(Band::range)
    }

    /// Factor of the amplitudes of each band over the last exchange.
    pub fn gains(&self) -> &[f64] {
        &self.gains[..self.bands.len()]
    }

    /// Reversals of the modes of each band at the end of the last exchange, for the time `dt` [s], as draw number `draw` decides.
    pub fn reversals(&mut self, law: CascadeLaw, dt: f64, draw: u64) -> PhaseReversals {
        self.set_reversals(law, dt);
        self.reversals.drawn(draw)
    }

    /// The same where the phases are also lost at `rate` [1/s] for another reason; `law`: None without an exchange.
    pub fn reversals_with(&mut self, law: Option<CascadeLaw>, rate: f64, dt: f64, draw: u64) -> PhaseReversals {
        let of_band =
            |band: &Band, sum: f64| law.map_or(0.0, |law| law.dephasing_rate(sum, band.omega)) + slowed(rate, band.omega);
        self.set_probabilities(dt, of_band);
        self.reversals.drawn(draw)
    }

    /// Energy [J] of each band at the beginning of the last exchange.
    pub fn energies(&self) -> &[f64] {
        &self.energies[..self.bands.len()]
    }

    /// omega^2 of every mode [1/s^2], padded with zeros.
    pub fn omega2(&self) -> &[f64] {
        &self.omega2
    }

    /// Exchanges energy for the time `dt` [s] from the state (q, v) on: sets the factors of the bands. Returns whether any differs
    /// from 1.
    pub fn exchange(&mut self, law: CascadeLaw, dt: f64, q: &[f64], v: &[f64]) -> bool {
        self.measure(q, v);
        self.set_gains(law, dt)
    }

    /// The same from a state whose energies [`BandExchange::seed`] has just measured and not changed.
    pub fn exchange_measured(&mut self, law: CascadeLaw, dt: f64) -> bool {
        self.set_gains(law, dt)
    }

    /// The same from the energies [J] of the bands on, at most [`MAX_BANDS`].
    pub fn exchange_from(&mut self, law: CascadeLaw, dt: f64, energies: &[f64; MAX_BANDS]) -> bool {
        self.energies = *energies;
        self.set_gains(law, dt)
    }

    fn set_gains(&mut self, law: CascadeLaw, dt: f64) -> bool {
        let (count, after) = (self.bands.len(), self.energies_after(law, dt));
        for ((gain, after), before) in self.gains[..count].iter_mut().zip(&after[..count]).zip(&self.energies[..count]) {
            let factor = (after / before).sqrt();
            // infinities and what is no number compare as false
            *gain = if (*before > EMPTY) & (factor < f64::INFINITY) { factor } else { 1.0 };
        }
        self.gains[..count].iter().any(|&gain| gain != 1.0)
    }

    /// Sets the probabilities of reversals in the time `dt` [s] from the energies at its beginning.
    fn set_reversals(&mut self, law: CascadeLaw, dt: f64) {
        self.set_probabilities(dt, |band, sum| law.dephasing_rate(sum, band.omega));
    }

    /// The same for a rate [1/s] of each band and of the sum of E/omega [J s].
    fn set_probabilities(&mut self, dt: f64, rate: impl Fn(&Band, f64) -> f64) {
        let bands = &*self.bands;
        let sum: f64 = bands.iter().zip(&self.energies).map(|(band, energy)| energy / band.omega).sum();
        for (b, band) in bands.iter().enumerate() {
            let expected = dt * rate(band, sum);
            self.reversals.set(b, if expected.is_finite() { -(-expected).exp_m1() } else { 0.0 });
        }
    }

    /// Sets the energies from the state.
    fn measure(&mut self, q: &[f64], v: &[f64]) {
        for (energy, band) in self.energies.iter_mut().zip(&*self.bands) {
            let range = band.range();
            *energy = band_energy(&self.omega2[range.clone()], &q[range.clone()], &v[range]);
        }
    }

    /// Energies [J] after the time `dt` [s].
    fn energies_after(&self, law: CascadeLaw, dt: f64) -> [f64; MAX_BANDS] {
        let (count, strength) = (self.bands.len(), dt * law.constant() / (law.mass * law.mass));
        let is_empty = |b: usize| self.energies[b] <= EMPTY;
        let (mut flows, mut parts, mut rests) = ([0.0; MAX_BANDS], [0.0; MAX_BANDS], [0.0; MAX_BANDS]);
        let (mut flow, mut kept, mut sent) = (0.0, 0.0, 0.0);
        let mut mean = if count == 0 { 0.0 } else { self.mean(0) };
        for b in 0..count {
            let pivot = self.bands[b].size() + flow * kept;
            rests[b] = self.energies[b] + flow * sent;
            let next = if b + 1 < count { self.mean(b + 1) } else { 0.0 };
            flow = if b + 1 < count && !is_empty(b) && !is_empty(b + 1) {
                let both = 0.5 * (mean + next);
                strength * self.bands[b].coupling * both * both
            } else {
                0.0
            };
            (flows[b], parts[b], mean) = (flow, 1.0 / (pivot + flow), next);
            (kept, sent) = (pivot * parts[b], rests[b] * parts[b]);
        }
        let mut after = [0.0; MAX_BANDS];
        let mut above = 0.0;
        for b in (0..count).rev() {
            above = (rests[b] + flows[b] * above) * parts[b];
            after[b] = above * self.bands[b].size();
        }
        after
    }

    /// Mean omega [1/s] of the modes of each band.
    pub fn omegas(&self) -> impl Iterator<Item = f64> + '_ {
        self.bands.iter().map(|band| band.omega)
    }

    /// Energy [J] of a mode of band b.
    fn mean(&self, b: usize) -> f64 {
        self.energies[b] * self.bands[b].over_size
    }

    /// Multiplies the amplitudes of each band by what they take between the parts `from` and `to` of the time of the last exchange: its
    /// energy changes linearly, so that the sum stays at any time.
    pub fn apply(&self, parts: (f64, f64), q: &mut [f64], v: &mut [f64]) {
        self.apply_gains(self.gains(), parts, q, v);
    }

    /// The same with the factors `gains` of an earlier exchange.
    pub fn apply_gains(&self, gains: &[f64], parts: (f64, f64), q: &mut [f64], v: &mut [f64]) {
        for (band, gain) in self.bands().zip(gains).filter(|(_, gain)| **gain != 1.0) {
            let factor = gain_between(*gain, parts);
            scale(&mut q[band.clone()], factor);
            scale(&mut v[band], factor);
        }
    }

    /// Gives bands that have next to no energy a start: modes below 1e-9 of the mean energy of all modes get it, in phases that never
    /// repeat. The other bands lose as much, so that the sum stays. Without it a band without energy would get none: what starts
    /// the motion of a high mode is not in the law. Returns whether it has changed the state.
    pub fn seed(&mut self, q: &mut [f64], v: &mut [f64]) -> bool {
        self.measure(q, v);
        let modes: f64 = self.bands.iter().map(|band| band.size()).sum();
        let least = SEED * self.energies().iter().sum::<f64>() / modes;
        if least.is_nan() || least <= EMPTY {
            return false;
        }
        let is_poor = |b: usize| self.energies[b] < least * self.bands[b].size();
        let (mut given, mut rich) = (0.0, 0.0);
        for b in 0..self.bands.len() {
            if is_poor(b) {
                given += least * self.bands[b].size() - self.energies[b];
            } else {
                rich += self.energies[b];
            }
        }
        if given == 0.0 {
            return false;
        }
        let rest = (1.0 - given / rich).sqrt();
        for b in 0..self.bands.len() {
            for i in self.bands[b].range() {
                if is_poor(b) {
                    let (sin, cos) = (TAU * (i as f64 * SEED_TURN).fract()).sin_cos();
                    let speed = (2.0 * least).sqrt();
                    (q[i], v[i]) = (speed * sin / self.omega2[i].sqrt(), speed * cos);
                } else {
                    (q[i], v[i]) = (q[i] * rest, v[i] * rest);
                }
            }
        }
        true
    }
}

/// What a band takes between the parts `from` and `to` of the time of an exchange that takes `gain` in all.
fn gain_between(gain: f64, (from, to): (f64, f64)) -> f64 {
    let rise = gain * gain - 1.0;
    ((1.0 + to * rise) / (1.0 + from * rise)).sqrt()
}

/// Multiplies all of these.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn scale(numbers: &mut [f64], factor: f64) {
    numbers.iter_mut().for_each(|x| *x *= factor);
}

/// Sum of (v^2 + omega^2 q^2)/2.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn band_energy(omega2: &[f64], q: &[f64], v: &[f64]) -> f64 {
    let of = |omega2: f64, q: f64, v: f64| v * v + omega2 * (q * q);
    let mut lanes = [0.0; LANES];
    let ((omega2, omega2_rest), (q, q_rest), (v, v_rest)) = (omega2.as_chunks(), q.as_chunks(), v.as_chunks());
    for ((omega2, q), v) in omega2.iter().zip(q).zip(v) {
        let (omega2, q, v): (&[f64; LANES], &[f64; LANES], &[f64; LANES]) = (omega2, q, v);
        for lane in 0..LANES {
            lanes[lane] += of(omega2[lane], q[lane], v[lane]);
        }
    }
    let rest: f64 = omega2_rest.iter().zip(q_rest).zip(v_rest).map(|((omega2, q), v)| of(*omega2, *q, *v)).sum();
    0.5 * (lanes.iter().sum::<f64>() + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::mode::Mode;

    /// Resolved plates without losses that began to move at low modes, three runs each: sum of E/(M h^2 omega) [1/s], frequency [Hz], and rate [1/s]
    /// at which the correlation of a mode's complex amplitude with itself decays. Steel 300 x 240 x 0.8 mm and 150 x 120 x 0.6 mm, bronze 300 x 240
    /// x 1.6 mm and 400 x 350 x 0.8 mm; mean displacement 1 to 3 thicknesses.
    const RESOLVED: [(f64, f64, f64); 18] = [
        (360.0, 199.0, 34.9),
        (838.0, 862.0, 105.3),
        (661.0, 1743.0, 98.4),
        (2379.0, 437.0, 162.2),
        (2379.0, 1743.0, 315.8),
        (2183.0, 3431.0, 333.3),
        (801.0, 1186.0, 78.9),
        (625.0, 4179.0, 58.8),
        (2585.0, 598.0, 230.8),
        (2773.0, 4179.0, 461.5),
        (8214.0, 2239.0, 1000.0),
        (447.0, 615.0, 44.1),
        (1608.0, 1215.0, 150.0),
        (1458.0, 2331.0, 187.5),
        (4371.0, 615.0, 333.3),
        (4175.0, 2331.0, 600.0),
        (1233.0, 381.0, 105.3),
        (893.0, 1826.0, 120.0),
    ];

    #[test]
    fn phases_are_lost_as_fast_as_in_resolved_plates() {
        let law = CascadeLaw { strength: PHYSICAL_STRENGTH, thickness: 1.0, mass: 1.0 };
        let mut ratios = RESOLVED.map(|(sum, frequency, rate)| law.dephasing_rate(sum, TAU * frequency) / rate);
        ratios.sort_by(f64::total_cmp);
        let median = ratios[RESOLVED.len() / 2];
        assert!((0.9..1.1).contains(&median), "{ratios:.2?}");
        assert!(ratios[0] > 0.6 && ratios[RESOLVED.len() - 1] < 1.4, "{ratios:.2?}");
    }

    /// Phases that are lost at a given rate, without any exchange: high modes at that rate, modes that hardly turn meanwhile more slowly.
    #[test]
    fn phases_are_lost_at_a_given_rate() {
        let (count, rate, dt, draws) = (320, 400.0, 1e-3, 200);
        let modes: Vec<Mode> = (0..count).map(|i| Mode::heard_at(60.0 * f64::from(i + 1), 1.0)).collect();
        let mut bands = BandExchange::new(modes.len());
        bands.set_modes(modes.iter().map(|mode| mode.omega * mode.omega), 0..modes.len());
        let mut reversed = vec![0.0; modes.len()];
        for draw in 0..draws {
            let reversals = bands.reversals_with(None, rate, dt, draw);
            let mut q = vec![1.0; modes.len()];
            bands.bands().enumerate().for_each(|(number, band)| reversals.of_band(number).apply(band, &mut q));
            reversed.iter_mut().zip(&q).for_each(|(sum, q)| *sum += f64::from(u8::from(*q < 0.0)) / draws as f64);
        }
        for (band, omega) in bands.bands().zip(bands.omegas()) {
            let found = reversed[band.clone()].iter().sum::<f64>() / band.len() as f64;
            let expected = -(-dt * rate / (1.0 + LEAST_TURN * rate / omega)).exp_m1();
            let deviation = (expected / (band.len() as f64 * draws as f64)).sqrt();
            assert!((found - expected).abs() < 4.0 * deviation, "{band:?}: {found} {expected}");
        }
    }
}
