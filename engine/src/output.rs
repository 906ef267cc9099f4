//! Output of an engine: the dry/wet mixer, and the stage with level, DC blocker and limiter.
//!
//! The mixer puts the side-chain beside the sound of the engine:
//!
//! ```text
//! out = w wet + (1 - w) dry
//! ```
//!
//! Equal gain, not equal power: a dry signal keeps its level through a chain of half-wet effects. Neither delays the other. No
//! sample is larger than the larger of the two, so that the ceiling of the limiter holds.

use std::f64::consts::TAU;
use std::ops::Range;

use crate::block::{CONTROL_BLOCK, MAX_SIGNAL, OUTPUTS, StereoBlock, amplitude};
use crate::modulation::ParamSmoother;
use crate::params::{ParamId, ParamValues};

/// Corner of the DC blocker [Hz].
const DC_CORNER: f64 = 5.0;

/// Mean below which the DC blocker is at rest: 180 dB below full scale.
const DC_FLOOR: f64 = 1e-9;

/// The limiter's ceiling [full scale], -0.3 dBFS: the largest f32 below 10^(-0.3/20).
pub const CEILING: f32 = 0.966_050_86;

/// Time constant of the limiter's release [s].
const RELEASE_TIME: f64 = 0.08;

/// Distance from 1 at which the limiter's gain is set to 1.
const SETTLE_DISTANCE: f64 = 1e-7;

/// Share of the wet signal, smoothed.
#[derive(Clone, Copy)]
pub struct DryWetMixer {
    smoother: ParamSmoother,
    /// Share at the beginning of the control block.
    start: f64,
    /// Share at its end.
    end: f64,
}

impl DryWetMixer {
    /// At the value of `settings`.
    pub fn new(settings: &ParamValues) -> Self {
        let share = settings.get(ParamId::DryWet);
        Self { smoother: ParamSmoother::at(ParamId::DryWet.spec(), share), start: share, end: share }
    }

    /// Moves towards the value of `settings` over the control block that begins now; `step` as that of
    /// [`crate::modulation::ParamSmoothers`].
    pub fn set_target(&mut self, settings: &ParamValues, step: f64) {
        self.smoother.tick(ParamId::DryWet.spec(), settings.get(ParamId::DryWet), step);
        (self.start, self.end) = (self.end, self.smoother.value());
    }

    /// Whether this control block has no dry part.
    pub fn is_wet(&self) -> bool {
        (self.start, self.end) == (1.0, 1.0)
    }

    /// Mixes `dry`, full scale 1, into the frames of a control block from `offset` on, as many as `wet` has. Without a right channel the
    /// left is both; missing samples and those that are not finite are silence, and samples above the largest input are clipped. At
    /// either end of the range every bit passes; subnormal samples become silence.
    pub fn mix(&self, offset: usize, [left, right]: [&[f32]; 2], wet: [&mut [f32]; 2]) {
        if self.is_wet() {
            return;
        }
        let right = if right.is_empty() { left } else { right };
        for (wet, dry) in wet.into_iter().zip([left, right]) {
            for (n, wet) in wet.iter_mut().enumerate() {
                let dry = dry.get(n).copied().filter(|dry| dry.is_finite()).unwrap_or(0.0);
                let dry = dry.clamp(-MAX_SIGNAL as f32, MAX_SIGNAL as f32);
                *wet = self.mix_sample(offset + n, dry, *wet);
            }
        }
    }

    /// The mix in frame `k` of the control block.
    fn mix_sample(&self, k: usize, dry: f32, wet: f32) -> f32 {
        let share = self.start + (self.end - self.start) * ((k + 1) as f64 / CONTROL_BLOCK as f64);
        if share == 0.0 {
            return flush_denormal(dry);
        }
        flush_denormal((share * f64::from(wet) + (1.0 - share) * f64::from(dry)) as f32)
    }
}

/// Peaks and gain reduction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meters {
    /// Highest |sample| of left and right since the last call, before the limiter; full scale 1.
    pub peaks: [f32; 2],
    /// Lowest gain of the limiter since the last call; 1: no reduction.
    pub lowest_gain: f32,
}

impl Default for Meters {
    fn default() -> Self {
        Self { peaks: [0.0; 2], lowest_gain: 1.0 }
    }
}

/// Removes the mean of left and right.
#[derive(Clone)]
pub struct DcBlocker {
    step: f64,
    /// Mean of each channel.
    means: [f64; 2],
}

impl DcBlocker {
    /// At rest, at `rate` [Hz].
    pub fn new(rate: f64) -> Self {
        Self { step: -(-TAU * DC_CORNER / rate).exp_m1(), means: [0.0; 2] }
    }

    /// Whether silence at the input gives silence.
    fn is_at_rest(&self) -> bool {
        self.means == [0.0; 2]
    }

    /// Removes the mean of a frame; a decayed mean is set to exactly zero.
    pub fn block(&mut self, frame: [f64; 2]) -> [f64; 2] {
        let Self { step, means } = self;
        let mut channels = frame.into_iter().zip(means).map(|(x, mean)| {
            let y = x - *mean;
            *mean += *step * y;
            if x == 0.0 && mean.abs() < DC_FLOOR {
                *mean = 0.0;
            }
            y
        });
        [channels.next().unwrap_or(0.0), channels.next().unwrap_or(0.0)]
    }
}

/// Stereo output of an engine: level, DC blocker, limiter. The only place where f64 becomes f32, except for stems.
pub struct OutputStage {
    dc: DcBlocker,
    /// Amplitude factor at the beginning of the control block.
    level: f64,
    /// Amplitude factor at its end.
    level_target: f64,
    release_step: f64,
    /// Gain of the limiter.
    gain: f64,
    meters: Meters,
}

impl OutputStage {
    /// At rest, at `rate` [Hz] and `level_db`.
    pub fn new(rate: f64, level_db: f64) -> Self {
        Self {
            dc: DcBlocker::new(rate),
            level: amplitude(level_db),
            level_target: amplitude(level_db),
            release_step: -(-1.0 / (RELEASE_TIME * rate)).exp_m1(),
            gain: 1.0,
            meters: Meters::default(),
        }
    }

    /// At rest, at `level_db`.
    pub fn reset(&mut self, level_db: f64) {
        self.dc.means = [0.0; 2];
        self.gain = 1.0;
        self.meters = Meters::default();
        self.jump(level_db);
    }

    /// Sets the level to `level_db` without smoothing.
    pub fn jump(&mut self, level_db: f64) {
        self.level = amplitude(level_db);
        self.level_target = self.level;
    }

    /// Moves the level to the factor `level` over the control block that begins now.
    pub fn set_target(&mut self, level: f64) {
        self.level = self.level_target;
        self.level_target = level;
    }

    /// Whether silence at the input gives silence.
    pub fn is_at_rest(&self) -> bool {
        self.dc.is_at_rest()
    }

    /// Whether it is at rest and neither level nor limiter move.
    pub fn is_still(&self) -> bool {
        self.is_at_rest() && self.gain == 1.0 && self.level == self.level_target
    }

    /// Writes the frames of a control block from `offset` on, as many as `left` and `right` have.
    pub fn write(&mut self, sound: &StereoBlock, offset: usize, left: &mut [f32], right: &mut [f32]) {
        for (k, (left, right)) in (offset..CONTROL_BLOCK).zip(left.iter_mut().zip(right)) {
            let level = self.level_at(k);
            let frame = self.dc.block([sound[0][k] * level, sound[1][k] * level]);
            [*left, *right] = self.limit(frame);
        }
    }

    /// Amplitude factor in frame `k` of the control block.
    pub fn level_at(&self, k: usize) -> f64 {
        self.level + (self.level_target - self.level) * ((k + 1) as f64 * (1.0 / CONTROL_BLOCK as f64))
    }

    /// Lowers the gain immediately where a sample would exceed the ceiling and raises it slowly; at gain 1 all bits pass.
    fn limit(&mut self, frame: [f64; 2]) -> [f32; 2] {
        let frame = frame.map(|x| if x.is_finite() { x } else { 0.0 });
        let peak = frame[0].abs().max(frame[1].abs());
        if self.gain < 1.0 {
            self.gain += self.release_step * (1.0 - self.gain);
            if 1.0 - self.gain < SETTLE_DISTANCE {
                self.gain = 1.0;
            }
        }
        if peak * self.gain > f64::from(CEILING) {
            self.gain = f64::from(CEILING) / peak;
        }
        for (meter, x) in self.meters.peaks.iter_mut().zip(frame) {
            *meter = meter.max(x.abs() as f32);
        }
        self.meters.lowest_gain = self.meters.lowest_gain.min(self.gain as f32);
        frame.map(|x| flush_denormal(if self.gain < 1.0 { (x * self.gain) as f32 } else { x as f32 }).clamp(-CEILING, CEILING))
    }

    /// Peaks and gain since the last call.
    pub fn take_meters(&mut self) -> Meters {
        std::mem::take(&mut self.meters)
    }
}

/// The outputs: level, DC blocker and limiter of each, and the dry signal in the main one.
pub struct Outputs {
    /// The main output.
    pub main: OutputStage,
    /// The outputs other than the main one.
    pub sides: [OutputStage; OUTPUTS - 1],
    /// The dry signal.
    pub dry_wet: DryWetMixer,
}

impl Outputs {
    /// At rest with the parameters `settings`, at `rate` [Hz].
    pub fn new(rate: f64, settings: &ParamValues) -> Self {
        let stage = || OutputStage::new(rate, settings.get(ParamId::Level));
        Self { main: stage(), sides: std::array::from_fn(|_| stage()), dry_wet: DryWetMixer::new(settings) }
    }

    /// All outputs.
    pub fn all(&self) -> impl Iterator<Item = &OutputStage> {
        std::iter::once(&self.main).chain(&self.sides)
    }

    /// The same, mutable.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut OutputStage> {
        std::iter::once(&mut self.main).chain(&mut self.sides)
    }

    /// Writes the frames of a control block from `offset` on to the frames `part` of `sides`, as far as they reach.
    pub fn write_sides(&mut self, sums: &[StereoBlock], offset: usize, part: Range<usize>, sides: &mut [[&mut [f32]; 2]]) {
        for ((output, sum), [left, right]) in self.sides.iter_mut().zip(sums).zip(sides) {
            let end = part.end.min(left.len()).min(right.len());
            let part = part.start.min(end)..end;
            output.write(sum, offset, &mut left[part.clone()], &mut right[part]);
        }
    }
}

/// Sets subnormal samples (below 1.2e-38, -758 dB) to zero: they slow down the programs that follow.
pub fn flush_denormal(sample: f32) -> f32 {
    if sample.is_subnormal() { 0.0 } else { sample }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(share: f64) -> ParamValues {
        let mut settings = ParamValues::default();
        settings.set(ParamId::DryWet, share);
        settings
    }

    fn mixed(mixer: &DryWetMixer, dry: &[f32; CONTROL_BLOCK], wet: &[f32; CONTROL_BLOCK]) -> [f32; CONTROL_BLOCK] {
        let (mut left, mut right) = (*wet, *wet);
        mixer.mix(0, [dry, dry], [&mut left, &mut right]);
        assert_eq!(left, right);
        left
    }

    /// Subnormal numbers slow down the programs that follow.
    #[test]
    fn subnormal_samples_become_silence() {
        for share in [0.0, 0.5, 0.999] {
            let small = [-f32::MIN_POSITIVE / 3.0; CONTROL_BLOCK];
            assert_eq!(mixed(&DryWetMixer::new(&at(share)), &small, &[0.0; CONTROL_BLOCK]), [0.0; CONTROL_BLOCK], "{share}");
        }
    }

    #[test]
    fn all_bits_pass_at_either_end() {
        let dry = std::array::from_fn(|k| 3.0 * (0.7 * k as f32).sin());
        let wet = std::array::from_fn(|k| (0.3 * k as f32).cos());
        assert_eq!(mixed(&DryWetMixer::new(&at(0.0)), &dry, &wet), dry);
        assert_eq!(mixed(&DryWetMixer::new(&at(1.0)), &dry, &wet), wet);
        assert_eq!(
            mixed(&DryWetMixer::new(&at(0.25)), &[1.0; CONTROL_BLOCK], &[1.0; CONTROL_BLOCK]),
            [1.0; CONTROL_BLOCK],
            "equal gain"
        );
    }

    #[test]
    fn invalid_and_missing_samples_are_silence() {
        let mixer = DryWetMixer::new(&at(0.0));
        let mut broken = [f32::NAN; CONTROL_BLOCK];
        broken[1] = f32::INFINITY;
        assert_eq!(mixed(&mixer, &broken, &[0.5; CONTROL_BLOCK]), [0.0; CONTROL_BLOCK]);
        for (dry, expected) in [([&[][..], &[1.0; 4]], [0.0, 1.0]), ([&[1.0; 4], &[]], [1.0; 2]), ([&[]; 2], [0.0; 2])] {
            let (mut left, mut right) = ([0.5; CONTROL_BLOCK], [0.5; CONTROL_BLOCK]);
            mixer.mix(0, dry, [&mut left, &mut right]);
            assert_eq!(([left[3], right[3]], left[4], right[4]), (expected, 0.0, 0.0));
        }
    }

    /// From one end to the other, between silence and full scale.
    #[test]
    fn mix_moves_without_a_step_and_lands() {
        let mut mixer = DryWetMixer::new(&at(1.0));
        let step = -(-(CONTROL_BLOCK as f64 / 48e3) / 6e-3).exp_m1();
        let (mut before, mut largest) = (0.0, 0.0f32);
        for _ in 0..400 {
            mixer.set_target(&at(0.0), step);
            for sample in mixed(&mixer, &[1.0; CONTROL_BLOCK], &[0.0; CONTROL_BLOCK]) {
                largest = largest.max(sample - before);
                assert!(sample >= before);
                before = sample;
            }
        }
        assert!(largest < 1e-3, "{largest} in a frame");
        assert_eq!(before, 1.0, "lands exactly");
    }

    #[test]
    fn the_ceiling_is_the_largest_number_below_its_level() {
        let ceiling = 10_f64.powf(-0.3 / 20.0);
        assert!(f64::from(CEILING) <= ceiling && f64::from(CEILING.next_up()) > ceiling);
    }

    #[test]
    fn bits_pass_below_the_ceiling_and_nothing_overshoots() {
        let mut output = OutputStage::new(48e3, 0.0);
        for i in 0..1000 {
            let x = 0.99 * f64::from(CEILING) * (0.1 * f64::from(i)).sin();
            assert_eq!(output.limit([x, -x]), [x as f32, -x as f32]);
        }
        for i in 0..100_000 {
            let x = 30.0 * (0.37 * f64::from(i)).sin() * (0.001 * f64::from(i)).cos();
            let y = output.limit([x, 0.5 * x]);
            assert!(y.iter().all(|y| y.abs() <= CEILING), "{y:?}");
        }
        for _ in 0..200_000 {
            output.limit([0.0; 2]);
        }
        assert_eq!((output.limit([0.25, 0.125]), output.gain), ([0.25, 0.125], 1.0), "released");
    }

    #[test]
    fn no_sample_is_subnormal() {
        let mut output = OutputStage::new(48e3, 0.0);
        for gain in [1.0, 0.5] {
            for exponent in 20..50 {
                output.gain = gain;
                let y = output.limit([10_f64.powi(-exponent), -0.3 * 10_f64.powi(-exponent)]);
                assert!(y.iter().all(|y| !y.is_subnormal()), "1e-{exponent}: {y:?}");
            }
        }
        output.gain = 1.0;
        let least = f32::MIN_POSITIVE;
        assert_eq!(output.limit([least.into(), (-least).into()]), [least, -least], "normal numbers pass");
    }

    #[test]
    fn dc_block_attenuates_5_hz_by_3_db_and_lands_on_zero() {
        let mut output = OutputStage::new(48e3, 0.0);
        let mut peak = 0.0_f64;
        for i in 0..96_000 {
            let [y, _] = output.dc.block([(TAU * 5.0 * f64::from(i) / 48e3).sin(), 0.0]);
            peak = if i > 48_000 { peak.max(y.abs()) } else { 0.0 };
        }
        assert!((20.0 * peak.log10() + 3.0103).abs() < 0.02, "{peak}");
        for _ in 0..96_000 {
            output.dc.block([0.0; 2]);
        }
        assert!(output.is_at_rest());
    }
}
