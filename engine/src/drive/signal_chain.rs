//! Signal chain of the drive: sanitising, high-pass, low-pass, envelope follower.
//!
//! Both filters are second-order Butterworth filters with trapezoidal integrators, which keep their state when the frequency moves
//! (Zavalishin, The Art of VA Filter Design, 2012).

use std::f64::consts::{PI, SQRT_2};

use crate::block::MAX_SIGNAL;
use crate::modulation::{Smoother, step_for_time};
use crate::params::{ParamId, ParamValues};

/// Time constant [s] of frequencies and gain.
const SMOOTHING_TIME: f64 = 3e-3;
/// Distance, in octaves or of the mix, at which they are set to their target.
const SETTLE_DISTANCE: f64 = 1e-5;
/// Size below which a signal or a filter's state counts as zero: 180 dB below full scale.
const SIGNAL_FLOOR: f64 = 1e-9;
/// Highest frequency of a filter over the sample rate.
const MAX_FREQUENCY_RATIO: f64 = 0.49;
/// Largest level that the follower uses.
const MAX_FOLLOWED: f64 = 4.0;

/// A sample of the side-chain, limited; 0 for a sample that is not finite. The small offsets that other programs add to avoid denormal
/// numbers become 0 too, so that they activate no voice.
pub fn sanitized(sample: f32) -> f64 {
    let sample = f64::from(sample);
    if sample.is_finite() && sample.abs() >= SIGNAL_FLOOR { sample.clamp(-MAX_SIGNAL, MAX_SIGNAL) } else { 0.0 }
}

/// Band that a filter passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FilterKind {
    High,
    Low,
}

/// A filter of both channels, bypassed at the end of its range.
#[derive(Clone, Copy, Debug)]
struct Filter {
    kind: FilterKind,
    /// Cutoff [octaves over 1 Hz].
    cutoff: Smoother,
    /// Share of the filtered signal, 0 to 1.
    mix: Smoother,
    gain: f64,
    states: [[f64; 2]; 2],
}

impl Filter {
    fn new(kind: FilterKind, settings: &ParamValues, rate: f64) -> Self {
        let mut filter = Self { kind, cutoff: Smoother::at(0.0), mix: Smoother::at(0.0), gain: 0.0, states: [[0.0; 2]; 2] };
        filter.update(settings);
        (filter.cutoff, filter.mix) = (Smoother::at(filter.cutoff.target), Smoother::at(filter.mix.target));
        filter.tune(rate);
        filter
    }

    /// Takes the cutoff of `settings`.
    fn update(&mut self, settings: &ParamValues) {
        let (param, bypass) = match self.kind {
            FilterKind::High => (ParamId::DriveHighPass, ParamId::DriveHighPass.spec().min),
            FilterKind::Low => (ParamId::DriveLowPass, ParamId::DriveLowPass.spec().max),
        };
        let hertz = settings.get(param);
        self.cutoff.target = hertz.log2();
        self.mix.target = if hertz == bypass { 0.0 } else { 1.0 };
    }

    fn tune(&mut self, rate: f64) {
        self.gain = (PI * (self.cutoff.value().exp2() / rate).min(MAX_FREQUENCY_RATIO)).tan();
    }

    /// Advances cutoff and mix by a frame.
    fn advance(&mut self, step: f64, rate: f64) {
        if self.cutoff.advance(step, SETTLE_DISTANCE) {
            self.tune(rate);
        }
        if self.mix.advance(step, SETTLE_DISTANCE) && self.mix.value() == 0.0 {
            self.states = [[0.0; 2]; 2];
        }
    }

    fn process(&mut self, channel: usize, x: f64) -> f64 {
        if self.mix == Smoother::at(0.0) {
            return x;
        }
        let (g, [band, low]) = (self.gain, self.states[channel]);
        let high = (x - (SQRT_2 + g) * band - low) / (1.0 + SQRT_2 * g + g * g);
        let (to_band, to_low) = (g * high, g * (g * high + band));
        let state = [band + 2.0 * to_band, low + 2.0 * to_low];
        self.states[channel] = if x == 0.0 && state.iter().all(|s| s.abs() < SIGNAL_FLOOR) { [0.0; 2] } else { state };
        let filtered = if self.kind == FilterKind::High { high } else { low + to_low };
        // exactly zero once signal and state are zero
        if self.states[channel] == [0.0; 2] && x == 0.0 { 0.0 } else { x + self.mix.value() * (filtered - x) }
    }
}

/// Envelope follower with attack and release.
#[derive(Clone, Copy, Debug, Default)]
struct EnvelopeFollower {
    level: f64,
    /// Whether the side-chain has ever carried a signal; from then on it is followed, before that the source.
    has_side_chain: bool,
}

impl EnvelopeFollower {
    /// Factor of the drive by the levels of `side_chain` and `source`.
    fn process(&mut self, side_chain: f64, source: f64, settings: &ParamValues, rate: f64) -> f64 {
        self.has_side_chain |= side_chain != 0.0;
        let x = if self.has_side_chain { side_chain } else { source }.abs().min(MAX_FOLLOWED);
        let time = settings.get(if x > self.level { ParamId::FollowAttack } else { ParamId::FollowRelease });
        self.level += step_for_time(time, rate) * (x - self.level);
        if x == 0.0 && self.level < SIGNAL_FLOOR {
            self.level = 0.0;
        }
        let amount = settings.get(ParamId::Follow);
        if amount >= 0.0 { 1.0 + amount * (self.level - 1.0) } else { (1.0 + amount * self.level).max(0.0) }
    }
}

/// Filters and follower between source and hammer.
#[derive(Clone, Copy, Debug)]
pub struct SignalChain {
    high: Filter,
    low: Filter,
    follower: EnvelopeFollower,
    step: f64,
    rate: f64,
}

impl SignalChain {
    /// At rest with the parameters of `settings`, at `rate` [Hz].
    pub fn new(settings: &ParamValues, rate: f64) -> Self {
        let filter = |kind| Filter::new(kind, settings, rate);
        let follower = EnvelopeFollower::default();
        Self {
            high: filter(FilterKind::High),
            low: filter(FilterKind::Low),
            follower,
            step: step_for_time(SMOOTHING_TIME, rate),
            rate,
        }
    }

    /// Smoothing step of gain and frequencies in a frame.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Takes the cutoffs of `settings`.
    pub fn update(&mut self, settings: &ParamValues) {
        self.high.update(settings);
        self.low.update(settings);
    }

    /// Processes one frame of `channels` channels; `side_chain` is the level of the side-chain.
    pub fn process(&mut self, drive: [f64; 2], channels: usize, side_chain: f64, settings: &ParamValues) -> [f64; 2] {
        self.high.advance(self.step, self.rate);
        self.low.advance(self.step, self.rate);
        let source = if channels == 1 { drive[0].abs() } else { drive[0].abs().max(drive[1].abs()) };
        let factor = self.follower.process(side_chain, source, settings, self.rate);
        let mut shaped = [0.0; 2];
        for (channel, shaped) in shaped.iter_mut().enumerate().take(channels) {
            let high = self.high.process(channel, drive[channel]);
            *shaped = factor * self.low.process(channel, high);
        }
        shaped
    }
}
