//! Pitch in motion: the glide of a voice from one frequency to another, and pitch bend.

use crate::modulation::param_smoother::ThreePoleSmoother;

/// A frequency that glides in octaves, with three poles.
#[derive(Clone, Copy, Debug, Default)]
pub struct PitchGlide {
    target: f64,
    value: f64,
    /// Distance from the target [octaves].
    octaves: ThreePoleSmoother,
    moving: bool,
}

impl PitchGlide {
    /// Settled at `hertz` [Hz].
    pub fn at(hertz: f64) -> Self {
        Self { target: hertz, value: hertz, octaves: ThreePoleSmoother::at(0.0), moving: false }
    }

    /// Glides to `hertz` [Hz] from the current frequency.
    pub fn set_target(&mut self, hertz: f64) {
        if hertz != self.target {
            self.octaves.shift((self.target / hertz).log2());
            (self.target, self.moving) = (hertz, true);
        }
    }

    /// Advances by one control block, each pole by the share `step`; returns whether it moved.
    pub fn tick(&mut self, step: f64) -> bool {
        if !self.moving {
            return false;
        }
        self.value = self.target * self.octaves.advance(0.0, step).exp2();
        if self.octaves.is_settled(0.0) {
            *self = Self::at(self.target);
        }
        true
    }

    /// Current frequency [Hz].
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Target [Hz].
    pub fn target(&self) -> f64 {
        self.target
    }
}

/// Duration [s] of a bend over any distance.
const BEND_TIME: f64 = 18e-3;

/// A pitch bend [octaves]: a cubic ramp of fixed duration from the current value and slope to the target, where it settles.
///
/// ```text
/// x(s) = a + s (v + s (3 d - 2 v + s (v - 2 d)))     s: elapsed share, 0 to 1     a: start     v: slope there     d: target - start
/// ```
///
/// Value and slope are continuous, also when the target moves meanwhile. It follows a target that moves evenly with a lag of two thirds
/// of the duration, and does not overshoot when the target stops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PitchBendRamp {
    target: f64,
    start: f64,
    /// Octaves per [`BEND_TIME`] at the start.
    slope: f64,
    part: f64,
    moving: bool,
}

impl PitchBendRamp {
    /// Settled at `octaves`.
    pub fn at(octaves: f64) -> Self {
        Self { target: octaves, start: octaves, slope: 0.0, part: 1.0, moving: false }
    }

    /// Moves towards `octaves` from now on.
    pub fn set_target(&mut self, octaves: f64) {
        if octaves != self.target {
            let (start, slope) = self.now();
            *self = Self { target: octaves, start, slope, part: 0.0, moving: true };
        }
    }

    /// Advances by `time` [s]; returns whether it moved.
    pub fn tick(&mut self, time: f64) -> bool {
        if !self.moving {
            return false;
        }
        self.part += time / BEND_TIME;
        if self.part >= 1.0 {
            *self = Self::at(self.target);
        }
        true
    }

    /// Current factor of the frequency.
    pub fn factor(&self) -> f64 {
        self.now().0.exp2()
    }

    /// Whether it has reached its target.
    pub fn is_settled(&self) -> bool {
        !self.moving
    }

    /// The target [octaves].
    pub fn target(&self) -> f64 {
        self.target
    }

    /// Value [octaves] and slope [octaves per [`BEND_TIME`]].
    fn now(&self) -> (f64, f64) {
        let Self { target, start, slope, part: s, moving } = *self;
        if !moving {
            return (target, 0.0);
        }
        let distance = target - start;
        let (square, cube) = (3.0 * distance - 2.0 * slope, slope - 2.0 * distance);
        (start + s * (slope + s * (square + s * cube)), slope + s * (2.0 * square + 3.0 * s * cube))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: f64 = 16.0 / 48e3;

    #[test]
    fn a_bend_reaches_its_target_exactly_and_in_time_over_any_distance() {
        for octaves in [1.0 / 12.0, -4.0, 8.0] {
            let mut bend = PitchBendRamp::at(0.25);
            bend.set_target(octaves);
            let ticks = (0..).take_while(|_| bend.tick(TICK)).count();
            assert!(ticks <= 55 && bend.factor() == octaves.exp2() && bend.is_settled(), "{ticks} ticks");
        }
    }

    #[test]
    fn a_moving_target_is_followed_without_a_corner_or_overshoot() {
        let mut bend = PitchBendRamp::at(0.0);
        let (mut last, mut slope, mut corner) = (0.0, 0.0, 0.0_f64);
        for tick in 0..600 {
            // two semitones in 100 ms, updated every 10 ms
            if tick % 30 == 0 {
                bend.set_target(f64::from((tick / 30).min(10)) / 60.0);
            }
            bend.tick(TICK);
            let now = bend.factor().log2();
            corner = corner.max((now - last - slope).abs());
            (slope, last) = (now - last, now);
            assert!(now <= 1.0 / 6.0 + 1e-12 && slope >= -1e-12, "tick {tick}: {now}");
        }
        assert!((last - 1.0 / 6.0).abs() < 1e-15);
        assert!(1200.0 * corner < 0.15, "the slope changes by {} cents a tick", 1200.0 * corner);
    }
}
