//! Dry/wet mixer: the side-chain beside the sound of the engine.
//!
//! ```text
//! out = w wet + (1 - w) dry
//! ```
//!
//! Equal gain, not equal power: a dry signal keeps its level through a chain of half-wet effects. Neither delays the other. No sample is
//! larger than the larger of the two, so that the ceiling of the limiter holds.

use crate::block::CONTROL_BLOCK;
use crate::block::MAX_SIGNAL;
use crate::modulation::ParamSmoother;
use crate::output::output_stage::flush_denormal;
use crate::params::{ParamId, ParamValues};

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
}
