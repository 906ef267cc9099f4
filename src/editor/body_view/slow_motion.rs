//! The body's motion as it is shown: amplitudes as they are now, phases in slow motion.

use std::f32::consts::TAU;

use urto_engine::telemetry::{BodyMotion, MAX_SHOWN_MODES};

/// The lowest mode is shown at this frequency, and none at a higher one than that [Hz].
const LOWEST_SHOWN_HZ: f32 = 0.9;
const MAX_SHOWN_HZ: f32 = 4.0;
/// Largest displacement in the picture [world], and the time in which it follows a smaller one [s].
pub const MAX_DISPLACEMENT: f32 = 0.115;
const RELEASE: f32 = 1.5;
/// Displacements below this part of the largest are rest.
const REST: f32 = 2e-3;
/// Without news for this long [s] the body is at rest.
const STALE: f32 = 0.5;

/// What moves.
#[derive(Default)]
pub struct SlowMotion {
    body_motion: BodyMotion,
    phases: [f32; MAX_SHOWN_MODES],
    /// Which way each mode sets out: 1 or -1.
    directions: [f32; MAX_SHOWN_MODES],
    /// Displacement [m] that is shown as [`LARGEST`].
    reference: f32,
    /// Largest displacement now, and since the last stroke [m].
    now: f32,
    deflection: f32,
    /// Time since the last news [s].
    age: f32,
    /// Slow-motion factor.
    slow: f32,
}

impl SlowMotion {
    /// Takes news, and goes on by `elapsed` [s].
    pub fn follow(&mut self, news: Option<BodyMotion>, elapsed: f32) {
        self.age += elapsed;
        if let Some(news) = news {
            if news.stroke != self.body_motion.stroke {
                self.deflection = 0.0;
                self.slow = slow_motion(news.modes[0].omega / TAU);
                self.directions = std::array::from_fn(|n| if news.modes[n].v < 0.0 { -1.0 } else { 1.0 });
                self.phases = std::array::from_fn(|n| {
                    let mode = &news.modes[n];
                    (-mode.v).atan2(mode.omega * mode.q)
                });
            }
            (self.body_motion, self.age) = (news, 0.0);
        }
        for (phase, mode) in self.phases.iter_mut().zip(&self.body_motion.modes) {
            let turn = (mode.omega / self.slow.max(1.0)).min(TAU * MAX_SHOWN_HZ);
            *phase = (*phase + turn * elapsed) % TAU;
        }
        self.reference *= (-elapsed / RELEASE).exp();
    }

    /// Modal displacements [m kg^1/2] to be drawn; `still` as after a quarter of each period.
    pub fn displacements(&self, still: bool) -> [f32; MAX_SHOWN_MODES] {
        let fresh = self.age < STALE;
        std::array::from_fn(|n| {
            let mode = &self.body_motion.modes[n];
            let amplitude = if mode.omega > 0.0 && fresh { mode.q.hypot(mode.v / mode.omega) } else { 0.0 };
            amplitude * if still { self.directions[n] } else { self.phases[n].cos() }
        })
    }

    /// Told the displacements that are drawn [m]; the factor that brings them into the picture.
    pub fn scale(&mut self, w: &[f32]) -> f32 {
        self.now = w.iter().fold(0.0, |largest: f32, w| largest.max(w.abs()));
        self.reference = self.reference.max(self.now);
        self.deflection = self.deflection.max(self.now);
        if self.reference > 1e-12 { MAX_DISPLACEMENT / self.reference } else { 0.0 }
    }

    /// Largest amplitude of all modes together [m kg^1/2]: what still may move.
    fn envelope(&self) -> f32 {
        let size = |mode: &urto_engine::telemetry::Mode| {
            if mode.omega > 0.0 { mode.q.hypot(mode.v / mode.omega) } else { 0.0 }
        };
        self.body_motion.modes.iter().map(size).fold(0.0, f32::max)
    }

    /// Whether something moves that can be seen.
    pub fn is_moving(&self) -> bool {
        self.age < STALE && self.envelope() > 0.0 && self.reference > 0.0 && (self.now > REST * self.reference || self.age == 0.0)
    }

    /// Slow-motion factor, once something has been struck.
    pub fn slow(&self) -> Option<f32> {
        (self.slow > 0.0).then_some(self.slow)
    }

    /// Largest displacement that has been drawn since the last stroke [m].
    pub fn deflection(&self) -> Option<f32> {
        (self.deflection > 1e-12).then_some(self.deflection)
    }

    /// Frequency of the lowest mode [Hz], once something has been struck.
    pub fn hertz(&self) -> Option<f32> {
        (self.slow > 0.0).then_some(self.body_motion.modes[0].omega / TAU)
    }

    /// Ratios of the first partials to the lowest.
    pub fn ratios(&self) -> impl Iterator<Item = f32> {
        let first = self.body_motion.modes[0].omega;
        self.body_motion.modes.iter().take(self.body_motion.count).map(move |mode| mode.omega / first)
    }

    /// Key of what is shown.
    pub fn key(&self) -> u8 {
        self.body_motion.key
    }
}

/// The factor by which a body of `hertz` is slowed down: 1, 2.5 or 5 times a power of ten.
fn slow_motion(hertz: f32) -> f32 {
    let wanted = (hertz / LOWEST_SHOWN_HZ).max(1.0);
    let power = 10f32.powf(wanted.log10().floor());
    let steps = [1.0, 2.5, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().min_by(|a, b| (a / wanted).ln().abs().total_cmp(&(b / wanted).ln().abs())).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::telemetry::Mode;

    fn news(stroke: u64, v: f32) -> BodyMotion {
        let mut swing = BodyMotion { stroke, count: 2, ..BodyMotion::default() };
        swing.modes[0] = Mode { q: 0.0, v, omega: TAU * 220.0 };
        swing.modes[1] = Mode { q: 0.0, v, omega: TAU * 880.0 };
        swing
    }

    #[test]
    fn time_is_slowed_in_round_steps() {
        assert_eq!([220.0, 55.0, 900.0, 0.1].map(slow_motion), [250.0, 50.0, 1000.0, 1.0]);
    }

    #[test]
    fn a_stroke_begins_where_the_body_is_and_goes_on_slowly() {
        let mut motion = SlowMotion::default();
        motion.follow(Some(news(1, 1.0)), 0.0);
        assert!(motion.displacements(false)[0].abs() < 1e-9, "struck at rest");
        // a quarter of a period at 220/250 Hz
        motion.follow(Some(news(1, 1.0)), 0.25 * 250.0 / 220.0);
        let q = motion.displacements(false)[0];
        assert!((q * TAU * 220.0 - 1.0).abs() < 1e-3, "{q}");
        let quiet = motion.displacements(true)[0];
        assert!((quiet * TAU * 220.0 - 1.0).abs() < 1e-3, "{quiet}");
        assert!(motion.scale(&[1e-4]) * 1e-4 - MAX_DISPLACEMENT < 1e-6 && motion.is_moving());
        motion.follow(None, 1.0);
        assert_eq!((motion.displacements(false)[0], motion.is_moving()), (0.0, false));
    }
}
