//! The body's motion in slow motion: true amplitudes, slowed phases.

use std::f32::consts::TAU;

use urto_engine::telemetry::{BodyMotion, MAX_SHOWN_MODES};

/// Frequency at which the lowest mode is shown, and limit for the others [Hz].
const LOWEST_SHOWN_HZ: f32 = 0.9;
const MAX_SHOWN_HZ: f32 = 4.0;
/// Maximum displacement in the picture [world], and time constant of its automatic scale [s].
pub const MAX_DISPLACEMENT: f32 = 0.115;
const RELEASE: f32 = 1.5;
/// Displacements below this fraction of the maximum count as rest.
const REST: f32 = 2e-3;
/// Without new data for this long the body counts as at rest [s].
const STALE: f32 = 0.5;

/// State of the slow-motion display.
#[derive(Default)]
pub struct SlowMotion {
    body_motion: BodyMotion,
    /// Phases of the body's modes, and of those of the lower of two plates.
    phases: [[f32; MAX_SHOWN_MODES]; 2],
    /// Initial direction of each mode: 1 or -1.
    directions: [[f32; MAX_SHOWN_MODES]; 2],
    /// Displacement [m] that is shown as [`MAX_DISPLACEMENT`].
    reference: f32,
    /// Maximum displacement now, and since the last strike [m].
    now: f32,
    deflection: f32,
    /// Time since the last data [s].
    age: f32,
    /// Slow-motion factor; 0 before the first strike.
    slow: f32,
}

impl SlowMotion {
    /// Takes new data, if any, and advances by `elapsed` [s].
    pub fn follow(&mut self, data: Option<BodyMotion>, elapsed: f32) {
        self.age += elapsed;
        if let Some(data) = data {
            if data.stroke != self.body_motion.stroke {
                self.deflection = 0.0;
                self.slow = slow_motion(data.modes[0].omega / TAU);
                let plates = [&data.modes, &data.lower];
                self.directions = plates.map(|modes| modes.each_ref().map(|mode| if mode.v < 0.0 { -1.0 } else { 1.0 }));
                self.phases = plates.map(|modes| modes.each_ref().map(|mode| (-mode.v).atan2(mode.omega * mode.q)));
            }
            (self.body_motion, self.age) = (data, 0.0);
        }
        let modes = self.body_motion.modes.iter().chain(&self.body_motion.lower);
        for (phase, mode) in self.phases.as_flattened_mut().iter_mut().zip(modes) {
            let turn = (mode.omega / self.slow.max(1.0)).min(TAU * MAX_SHOWN_HZ);
            *phase = (*phase + turn * elapsed) % TAU;
        }
        self.reference *= (-elapsed / RELEASE).exp();
    }

    /// Modal displacements [m kg^1/2] to draw, of the body and of the lower of two plates; if `still`, those of a quarter period after the strike.
    pub fn displacements(&self, still: bool) -> [[f32; MAX_SHOWN_MODES]; 2] {
        let fresh = self.age < STALE;
        let plates = [&self.body_motion.modes, &self.body_motion.lower];
        std::array::from_fn(|plate| {
            std::array::from_fn(|n| {
                let mode = &plates[plate][n];
                let amplitude = if mode.omega > 0.0 && fresh { mode.q.hypot(mode.v / mode.omega) } else { 0.0 };
                amplitude * if still { self.directions[plate][n] } else { self.phases[plate][n].cos() }
            })
        })
    }

    /// Factor [world/m] that scales the displacements `w` [m] to the picture.
    pub fn scale(&mut self, w: &[f32]) -> f32 {
        self.now = w.iter().fold(0.0, |largest: f32, w| largest.max(w.abs()));
        self.reference = self.reference.max(self.now);
        self.deflection = self.deflection.max(self.now);
        if self.reference > 1e-12 { MAX_DISPLACEMENT / self.reference } else { 0.0 }
    }

    /// Maximum amplitude of a mode [m kg^1/2].
    fn envelope(&self) -> f32 {
        let size = |mode: &urto_engine::telemetry::Mode| {
            if mode.omega > 0.0 { mode.q.hypot(mode.v / mode.omega) } else { 0.0 }
        };
        self.body_motion.modes.iter().map(size).fold(0.0, f32::max)
    }

    /// Whether there is visible motion.
    pub fn is_moving(&self) -> bool {
        self.age < STALE && self.envelope() > 0.0 && self.reference > 0.0 && (self.now > REST * self.reference || self.age == 0.0)
    }

    /// Slow-motion factor; none before the first strike.
    pub fn slow(&self) -> Option<f32> {
        (self.slow > 0.0).then_some(self.slow)
    }

    /// Maximum displacement since the last strike [m].
    pub fn deflection(&self) -> Option<f32> {
        (self.deflection > 1e-12).then_some(self.deflection)
    }

    /// Frequency of the lowest mode [Hz]; none before the first strike.
    pub fn hertz(&self) -> Option<f32> {
        (self.slow > 0.0).then_some(self.body_motion.modes[0].omega / TAU)
    }

    /// Frequency ratios of the first partials to the lowest.
    pub fn ratios(&self) -> impl Iterator<Item = f32> {
        let first = self.body_motion.modes[0].omega;
        self.body_motion.modes.iter().take(self.body_motion.count).map(move |mode| mode.omega / first)
    }

    /// Key of the body that is shown.
    pub fn key(&self) -> u8 {
        self.body_motion.key
    }
}

/// Slow-motion factor for a body of `hertz` [Hz]: 1, 2.5 or 5 times a power of ten.
fn slow_motion(hertz: f32) -> f32 {
    let exact = (hertz / LOWEST_SHOWN_HZ).max(1.0);
    let power = 10f32.powf(exact.log10().floor());
    let steps = [1.0, 2.5, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().min_by(|a, b| (a / exact).ln().abs().total_cmp(&(b / exact).ln().abs())).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::telemetry::Mode;

    fn data(stroke: u64, v: f32) -> BodyMotion {
        let mut motion = BodyMotion { stroke, count: 2, ..BodyMotion::default() };
        motion.modes[0] = Mode { q: 0.0, v, omega: TAU * 220.0 };
        motion.modes[1] = Mode { q: 0.0, v, omega: TAU * 880.0 };
        motion
    }

    #[test]
    fn time_is_slowed_in_round_steps() {
        assert_eq!([220.0, 55.0, 900.0, 0.1].map(slow_motion), [250.0, 50.0, 1000.0, 1.0]);
    }

    #[test]
    fn a_strike_starts_at_rest_and_continues_in_slow_motion() {
        let mut motion = SlowMotion::default();
        motion.follow(Some(data(1, 1.0)), 0.0);
        assert!(motion.displacements(false)[0][0].abs() < 1e-9, "struck at rest");
        // a quarter of a period at 220/250 Hz
        motion.follow(Some(data(1, 1.0)), 0.25 * 250.0 / 220.0);
        let q = motion.displacements(false)[0][0];
        assert!((q * TAU * 220.0 - 1.0).abs() < 1e-3, "{q}");
        let quiet = motion.displacements(true)[0][0];
        assert!((quiet * TAU * 220.0 - 1.0).abs() < 1e-3, "{quiet}");
        assert!(motion.scale(&[1e-4]) * 1e-4 - MAX_DISPLACEMENT < 1e-6 && motion.is_moving());
        motion.follow(None, 1.0);
        assert_eq!((motion.displacements(false)[0][0], motion.is_moving()), (0.0, false));
    }
}
