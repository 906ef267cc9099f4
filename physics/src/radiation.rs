//! Sound radiated by a vibrating body and by a hammer's head.
//!
//! ```text
//! body   p/(rho c) = v (x/sqrt(1 + x^2))^n         x = f/fc, fc = c/(2 pi a)
//! head   p/(rho c) = R^3/(2 c^2 r m) dF/dt         compact sphere of radius R and mass m, on its axis at the distance r
//! ```
//!
//! A body smaller than the wavelength moves air around itself: a volume source (n = 1) loses 6 dB per octave below fc, a dipole
//! whose two sides move together, as a rod or an open plate, 12 dB (n = 2). A sphere under a force is a dipole with two poles at
//! (c/R)(-1 +- i), below which the law above holds (Koss and Alfredson, "Transient sound radiated by spheres undergoing an
//! elastic collision", J. Sound Vib. 27, 1973). With R from mass and density, R^3/m is the same for every head.

use std::f64::consts::PI;

/// Speed of sound in air at 20 degrees Celsius [m/s].
pub const SOUND: f64 = 343.2;

/// Density of a head [kg/m^3]: between wood and rubber.
const HEAD_DENSITY: f64 = 1000.0;

/// Distance of the listener from the head [m].
const DISTANCE: f64 = 0.1;

/// Maximum of c/R over the sample rate: smaller heads sound as one of this size.
const SMALLEST: f64 = 1.5;

/// Part x/sqrt(1 + x^2) of a velocity that a volume source radiates at the frequency `x` fc.
#[inline(always)]
pub fn compact(x: f64) -> f64 {
    x / (1.0 + x * x).sqrt()
}

/// The head of a hammer as a source of sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HammerHead {
    /// e^((c/R)(-1 + i) h).
    turn: (f64, f64),
    /// Velocity p/(rho c) [m/s] for a step of the force [N], over the imaginary part of the state.
    gain: f64,
}

impl HammerHead {
    /// The head of a hammer of `mass` [kg], at `rate` [Hz].
    pub fn new(mass: f64, rate: f64) -> Self {
        let radius = (3.0 * mass / (4.0 * PI * HEAD_DENSITY)).cbrt();
        let angle = (SOUND / (radius * rate)).min(SMALLEST);
        let (sin, cos) = angle.sin_cos();
        let turn = ((-angle).exp() * cos, (-angle).exp() * sin);
        // sum of all later samples of a step: Im 1/(1 - turn)
        let sum = turn.1 / ((1.0 - turn.0).powi(2) + turn.1 * turn.1);
        let law = 3.0 / (8.0 * PI * HEAD_DENSITY * SOUND * SOUND * DISTANCE);
        Self { turn, gain: law * rate / sum }
    }
}

/// State of a head's sound: the last force, and two poles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MalletNoise {
    force: f64,
    state: (f64, f64),
}

/// State [N] below which it is inaudible.
const NEGLIGIBLE: f64 = 1e-9;

impl MalletNoise {
    /// Whether it is silent until a force acts.
    pub fn is_still(&self) -> bool {
        *self == Self::default()
    }

    /// One sample with the mean force `force` [N] on `head`: p/(rho c) [m/s].
    pub fn step(&mut self, head: &HammerHead, force: f64) -> f64 {
        let (re, im) = (self.state.0 + (force - self.force), self.state.1);
        let (cos, sin) = head.turn;
        self.state = (re * cos - im * sin, re * sin + im * cos);
        self.force = force;
        if force == 0.0 && self.state.0.abs() + self.state.1.abs() < NEGLIGIBLE {
            *self = Self::default();
        }
        head.gain * self.state.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_body_loses_six_decibels_an_octave() {
        assert!((compact(1.0) - 0.5_f64.sqrt()).abs() < 1e-15);
        assert!((compact(0.01) / compact(0.005) - 2.0).abs() < 1e-3 && compact(100.0) > 0.9999);
    }

    /// 200 N that rise in 0.18 ms on a head of 14 g: R = 15 mm, rho R^3/(2 c r m) dF/dt.
    #[test]
    fn a_rising_force_radiates_as_a_compact_sphere() {
        let (mass, radius, slope): (f64, f64, f64) = (0.014_137, 0.015, 200.0 / 0.18e-3);
        for rate in [44.1e3, 96e3, 192e3] {
            let (head, mut click) = (HammerHead::new(mass, rate), MalletNoise::default());
            let heard = (1..200).map(|k| click.step(&head, slope * f64::from(k) / rate)).last().unwrap();
            let known = radius.powi(3) / (2.0 * SOUND * SOUND * 0.1 * mass) * slope;
            assert!((heard / known - 1.0).abs() < 1e-4, "{rate}: {heard} instead of {known}");
        }
    }

    /// |1/(2 + 2 s + s^2)| over 1/2 at s = i k R: -3 dB at k R = sqrt 2.
    #[test]
    fn a_large_head_loses_its_highs() {
        let (mass, rate) = (0.5, 192e3);
        let (head, radius) = (HammerHead::new(mass, rate), (3.0 * mass / (4000.0 * PI)).cbrt());
        for size in [0.3, 2_f64.sqrt(), 4.0] {
            let omega = size * SOUND / radius;
            let (mut click, mut most) = (MalletNoise::default(), 0.0_f64);
            for k in 0..40_000 {
                let heard = click.step(&head, (omega * f64::from(k) / rate).sin());
                most = if k > 30_000 { most.max(heard.abs()) } else { 0.0 };
            }
            let law = 3.0 / (8.0 * PI * 1000.0 * SOUND * SOUND * 0.1) * omega;
            let known = law * 2.0 / ((2.0 - size * size).powi(2) + 4.0 * size * size).sqrt();
            assert!((most / known - 1.0).abs() < 0.02, "{size}: {most} instead of {known}");
        }
    }

    #[test]
    fn it_comes_to_rest() {
        let (head, mut click) = (HammerHead::new(1e-4, 48e3), MalletNoise::default());
        click.step(&head, 1000.0);
        assert!(!click.is_still());
        (0..40).for_each(|_| _ = click.step(&head, 0.0));
        assert!(click.is_still() && click.step(&head, 0.0) == 0.0);
    }
}
