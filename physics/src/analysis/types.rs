//! Data of the estimator: exponentials, partials, options, octaves.

use nalgebra::Complex;

/// A complex number.
pub(super) type C = Complex<f64>;

/// An exponential: Re c e^(lambda n), with the variance of white noise that is as loud as the noise around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pole {
    pub(super) lambda: C,
    pub(super) c: C,
    pub(super) noise: f64,
}

/// A decaying partial: a e^(-sigma t) cos(2 pi f t + phi), t from the start of the free decay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// f [Hz].
    pub hertz: f64,
    /// sigma [1/s].
    pub decay: f64,
    /// a, in the signal's unit.
    pub amplitude: f64,
    /// phi [rad].
    pub phase: f64,
}

impl Partial {
    /// Its value `time` [s] after the start.
    pub fn at(&self, time: f64) -> f64 {
        self.amplitude * (-self.decay * time).exp() * (std::f64::consts::TAU * self.hertz * time + self.phase).cos()
    }
}

/// Options of the estimation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Maximum number of partials; the strongest are kept.
    pub most: usize,
    /// Lowest and highest frequency [Hz].
    pub range: (f64, f64),
}

impl Default for Options {
    fn default() -> Self {
        Self { most: 256, range: (20.0, 20e3) }
    }
}

/// Signal and residual in an octave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Octave {
    /// Its edges [Hz].
    pub range: (f64, f64),
    /// Energy of the signal over that of the whole signal [dB].
    pub signal_db: f64,
    /// Energy of the residual over that of the signal in this octave [dB].
    pub residual_db: f64,
}

/// Energies as a level; silence is -400 dB.
pub(super) fn decibels(ratio: f64) -> f64 {
    if ratio > 1e-40 { 10.0 * ratio.log10() } else { -400.0 }
}

/// A partial and its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The partial.
    pub partial: Partial,
    /// Its energy over that of the noise around it, as a matched filter sees both [dB].
    pub over_noise_db: f64,
    /// Standard deviation of its frequency [cents] given the noise around it.
    pub cents: f64,
    /// Standard deviation of its decay rate, over the rate.
    pub decay: f64,
}

impl Found {
    /// Whether its frequency is in the range of `options`.
    pub(super) fn is_in(&self, options: &Options) -> bool {
        (options.range.0..=options.range.1).contains(&self.partial.hertz)
    }
}
