//! Dry and wet: what comes in beside what is heard of the bodies.
//!
//! ```text
//! out = w wet + (1 - w) dry
//! ```
//!
//! Equal gain, not equal power: what is dry at both ends of a chain of half-wet effects stays as loud as it was. Neither delays the
//! other. No sample is larger than the larger of the two, so that what the limiter holds stays held.

use crate::block::CONTROL_BLOCK;
use crate::block::MAX_SIGNAL;
use crate::modulation::ParamSmoother;
use crate::output::output_stage::flush_denormal;
use crate::params::{ParamId, ParamValues};

/// The share of the wet, on its way.
#[derive(Clone, Copy)]
pub struct DryWetMixer {
    glide: ParamSmoother,
    /// Shares at the beginning and at the end of the grid cell.
    cell: (f64, f64),
}

impl DryWetMixer {
    /// Where the knob stands.
    pub fn new(settings: &ParamValues) -> Self {
        let share = settings.get(ParamId::DryWet);
        Self { glide: ParamSmoother::at(ParamId::DryWet.knob(), share), cell: (share, share) }
    }

    /// Heads for where the knob stands over the grid cell that begins now; `step` as that of [`crate::modulation::ParamSmoothers`].
    pub fn head_for(&mut self, settings: &ParamValues, step: f64) {
        self.glide.tick(ParamId::DryWet.knob(), settings.get(ParamId::DryWet), step);
        self.cell = (self.cell.1, self.glide.value());
    }

    /// Whether nothing dry is heard in this grid cell.
    pub fn is_wet(&self) -> bool {
        self.cell == (1.0, 1.0)
    }

    /// Mixes `dry`, full scale 1, into the frames of a grid cell from `offset` on, as many as `wet` has. Without a right channel the
    /// left is both; what is missing or no number is silence, and what is larger than any drive is cut there. With nothing but the
    /// one, every bit of it passes; what is too small for a whole f32 is silence.
    pub fn mix(&self, offset: usize, [left, right]: [&[f32]; 2], wet: [&mut [f32]; 2]) {
        if self.is_wet() {
            return;
        }
        let right = if right.is_empty() { left } else { right };
        for (wet, dry) in wet.into_iter().zip([left, right]) {
            for (n, wet) in wet.iter_mut().enumerate() {
                let dry = dry.get(n).copied().filter(|dry| dry.is_finite()).unwrap_or(0.0);
                let dry = dry.clamp(-MAX_SIGNAL as f32, MAX_SIGNAL as f32);
                *wet = self.between(offset + n, dry, *wet);
            }
        }
    }

    /// What is heard in frame `k` of the grid cell.
    fn between(&self, k: usize, dry: f32, wet: f32) -> f32 {
        let share = self.cell.0 + (self.cell.1 - self.cell.0) * ((k + 1) as f64 / CONTROL_BLOCK as f64);
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

    fn mixed(blend: &DryWetMixer, dry: &[f32; CONTROL_BLOCK], wet: &[f32; CONTROL_BLOCK]) -> [f32; CONTROL_BLOCK] {
        let (mut left, mut right) = (*wet, *wet);
        blend.mix(0, [dry, dry], [&mut left, &mut right]);
        assert_eq!(left, right);
        left
    }

    /// So small numbers make the programs that come after slow.
    #[test]
    fn what_is_too_small_for_a_whole_number_does_not_pass() {
        for share in [0.0, 0.5, 0.999] {
            let small = [-f32::MIN_POSITIVE / 3.0; CONTROL_BLOCK];
            assert_eq!(mixed(&DryWetMixer::new(&at(share)), &small, &[0.0; CONTROL_BLOCK]), [0.0; CONTROL_BLOCK], "{share}");
        }
    }

    #[test]
    fn at_either_end_every_bit_passes() {
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
    fn what_is_no_number_or_not_there_is_silence() {
        let blend = DryWetMixer::new(&at(0.0));
        let mut broken = [f32::NAN; CONTROL_BLOCK];
        broken[1] = f32::INFINITY;
        assert_eq!(mixed(&blend, &broken, &[0.5; CONTROL_BLOCK]), [0.0; CONTROL_BLOCK]);
        for (dry, expected) in [([&[][..], &[1.0; 4]], [0.0, 1.0]), ([&[1.0; 4], &[]], [1.0; 2]), ([&[]; 2], [0.0; 2])] {
            let (mut left, mut right) = ([0.5; CONTROL_BLOCK], [0.5; CONTROL_BLOCK]);
            blend.mix(0, dry, [&mut left, &mut right]);
            assert_eq!(([left[3], right[3]], left[4], right[4]), (expected, 0.0, 0.0));
        }
    }

    /// From one end to the other between silence and full scale: no step as large as a corner at once would make.
    #[test]
    fn it_moves_without_a_step_and_arrives() {
        let mut blend = DryWetMixer::new(&at(1.0));
        let step = -(-(CONTROL_BLOCK as f64 / 48e3) / 6e-3).exp_m1();
        let (mut before, mut largest) = (0.0, 0.0f32);
        for _ in 0..400 {
            blend.head_for(&at(0.0), step);
            for heard in mixed(&blend, &[1.0; CONTROL_BLOCK], &[0.0; CONTROL_BLOCK]) {
                largest = largest.max(heard - before);
                assert!(heard >= before);
                before = heard;
            }
        }
        assert!(largest < 1e-3, "{largest} in a frame");
        assert_eq!(before, 1.0, "arrived, exactly");
    }
}
