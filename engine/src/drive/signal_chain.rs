//! The signal on its way to the hammer: what is no number is silence, then high-pass, low-pass, follower and gain.
//!
//! Both filters are of the second order, Butterworth, as trapezoidal integrators that keep their state when the frequency moves
//! (Zavalishin, The Art of VA Filter Design, 2012).

use std::f64::consts::{PI, SQRT_2};

use crate::block::MAX_SIGNAL;
use crate::modulation::{Smoother, step_for_time};
use crate::params::{ParamId, ParamValues};

/// Time constant [s] with which frequencies and gain move.
const TIME: f64 = 3e-3;
/// Distance in octaves, or over the whole travel, at which they have arrived.
const ARRIVED: f64 = 1e-5;
/// What is smaller is nothing, of a signal and of a filter's state: 180 dB below full scale.
const ENDED: f64 = 1e-9;
/// Highest frequency of a filter over the sample rate.
const HIGHEST: f64 = 0.49;
/// Most that the follower takes a signal for.
const LOUDEST: f64 = 4.0;

/// One sample of a signal from outside. What others add against denormal numbers is silence too, and wakes no body.
pub fn sanitized(sample: f32) -> f64 {
    let sample = f64::from(sample);
    if sample.is_finite() && sample.abs() >= ENDED { sample.clamp(-MAX_SIGNAL, MAX_SIGNAL) } else { 0.0 }
}

/// What a filter leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FilterKind {
    High,
    Low,
}

/// A filter of both channels, which may be out of the way.
#[derive(Clone, Copy, Debug)]
struct Filter {
    leaves: FilterKind,
    /// Octaves over 1 Hz.
    pitch: Smoother,
    /// How much of it is heard, 0 to 1.
    mix: Smoother,
    gain: f64,
    states: [[f64; 2]; 2],
}

impl Filter {
    fn new(leaves: FilterKind, settings: &ParamValues, rate: f64) -> Self {
        let mut filter = Self { leaves, pitch: Smoother::at(0.0), mix: Smoother::at(0.0), gain: 0.0, states: [[0.0; 2]; 2] };
        filter.aim(settings);
        (filter.pitch, filter.mix) = (Smoother::at(filter.pitch.target), Smoother::at(filter.mix.target));
        filter.tune(rate);
        filter
    }

    fn aim(&mut self, settings: &ParamValues) {
        let (knob, open) = match self.leaves {
            FilterKind::High => (ParamId::DriveHighPass, ParamId::DriveHighPass.knob().min),
            FilterKind::Low => (ParamId::DriveLowPass, ParamId::DriveLowPass.knob().max),
        };
        let hertz = settings.get(knob);
        self.pitch.target = hertz.log2();
        self.mix.target = if hertz == open { 0.0 } else { 1.0 };
    }

    fn tune(&mut self, rate: f64) {
        self.gain = (PI * (self.pitch.value().exp2() / rate).min(HIGHEST)).tan();
    }

    /// Moves on by a frame.
    fn advance(&mut self, step: f64, rate: f64) {
        if self.pitch.advance(step, ARRIVED) {
            self.tune(rate);
        }
        if self.mix.advance(step, ARRIVED) && self.mix.value() == 0.0 {
            self.states = [[0.0; 2]; 2];
        }
    }

    fn hear(&mut self, channel: usize, x: f64) -> f64 {
        if self.mix == Smoother::at(0.0) {
            return x;
        }
        let (g, [band, low]) = (self.gain, self.states[channel]);
        let high = (x - (SQRT_2 + g) * band - low) / (1.0 + SQRT_2 * g + g * g);
        let (to_band, to_low) = (g * high, g * (g * high + band));
        let state = [band + 2.0 * to_band, low + 2.0 * to_low];
        self.states[channel] = if x == 0.0 && state.iter().all(|s| s.abs() < ENDED) { [0.0; 2] } else { state };
        let heard = if self.leaves == FilterKind::High { high } else { low + to_low };
        // an ended state and no signal: exactly nothing
        if self.states[channel] == [0.0; 2] && x == 0.0 { 0.0 } else { x + self.mix.value() * (heard - x) }
    }
}

/// The loudness of a signal, with times in which it rises and falls.
#[derive(Clone, Copy, Debug, Default)]
struct EnvelopeFollower {
    level: f64,
    /// Whether the side-chain has ever carried anything: then it is what is followed.
    fed: bool,
}

impl EnvelopeFollower {
    /// Factor of the drive while `heard` comes in from outside and `own` is the source.
    fn hear(&mut self, heard: f64, own: f64, settings: &ParamValues, rate: f64) -> f64 {
        self.fed |= heard != 0.0;
        let x = if self.fed { heard } else { own }.abs().min(LOUDEST);
        let time = settings.get(if x > self.level { ParamId::FollowAttack } else { ParamId::FollowRelease });
        self.level += step_for_time(time, rate) * (x - self.level);
        if x == 0.0 && self.level < ENDED {
            self.level = 0.0;
        }
        let amount = settings.get(ParamId::Follow);
        if amount >= 0.0 { 1.0 + amount * (self.level - 1.0) } else { (1.0 + amount * self.level).max(0.0) }
    }
}

/// All that is between source and hammer.
#[derive(Clone, Copy, Debug)]
pub struct SignalChain {
    high: Filter,
    low: Filter,
    follower: EnvelopeFollower,
    step: f64,
    rate: f64,
}

impl SignalChain {
    /// With the knobs as they stand and nothing in it, at `rate` [Hz].
    pub fn new(settings: &ParamValues, rate: f64) -> Self {
        let filter = |leaves| Filter::new(leaves, settings, rate);
        let follower = EnvelopeFollower::default();
        Self { high: filter(FilterKind::High), low: filter(FilterKind::Low), follower, step: step_for_time(TIME, rate), rate }
    }

    /// Part of their way that gain and frequencies make in a frame.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The frequencies head for where the knobs stand.
    pub fn aim(&mut self, settings: &ParamValues) {
        self.high.aim(settings);
        self.low.aim(settings);
    }

    /// One frame of `channels` channels of the drive, while `heard` comes in from outside.
    pub fn hear(&mut self, drive: [f64; 2], channels: usize, heard: f64, settings: &ParamValues) -> [f64; 2] {
        self.high.advance(self.step, self.rate);
        self.low.advance(self.step, self.rate);
        let loud = if channels == 1 { drive[0].abs() } else { drive[0].abs().max(drive[1].abs()) };
        let factor = self.follower.hear(heard, loud, settings, self.rate);
        let mut shaped = [0.0; 2];
        for (channel, shaped) in shaped.iter_mut().enumerate().take(channels) {
            let high = self.high.hear(channel, drive[channel]);
            *shaped = factor * self.low.hear(channel, high);
        }
        shaped
    }
}
