//! A bend on its way: from wherever it is, and however fast it moves there, to its goal in a fixed time, where it rests.
//!
//! ```text
//! x(s) = a + s (v + s (3 d - 2 v + s (v - 2 d)))     s: part of the time, 0 to 1     a: start     v: slope there     d: goal - start
//! ```
//!
//! Value and slope are continuous, also when the goal moves meanwhile. Towards a goal that moves evenly it lags by two thirds of the
//! time, and does not overshoot when that stops.

/// Time [s] in which a bend arrives, however far.
const TIME: f64 = 18e-3;

/// A bend [octaves].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PitchBendRamp {
    goal: f64,
    start: f64,
    /// Octaves per [`TIME`] at the start.
    slope: f64,
    part: f64,
    moving: bool,
}

impl PitchBendRamp {
    /// Stands at `octaves`.
    pub fn at(octaves: f64) -> Self {
        Self { goal: octaves, start: octaves, slope: 0.0, part: 1.0, moving: false }
    }

    /// Heads for `octaves`.
    pub fn head_for(&mut self, octaves: f64) {
        if octaves != self.goal {
            let (start, slope) = self.now();
            *self = Self { goal: octaves, start, slope, part: 0.0, moving: true };
        }
    }

    /// Moves on by `time` [s]; whether it moved.
    pub fn tick(&mut self, time: f64) -> bool {
        if !self.moving {
            return false;
        }
        self.part += time / TIME;
        if self.part >= 1.0 {
            *self = Self::at(self.goal);
        }
        true
    }

    /// Factor of the frequency where it is.
    pub fn factor(&self) -> f64 {
        self.now().0.exp2()
    }

    /// Whether it has arrived.
    pub fn is_settled(&self) -> bool {
        !self.moving
    }

    /// Where it goes [octaves].
    pub fn goal(&self) -> f64 {
        self.goal
    }

    /// Value [octaves] and slope [octaves per [`TIME`]].
    fn now(&self) -> (f64, f64) {
        let Self { goal, start, slope, part: s, moving } = *self;
        if !moving {
            return (goal, 0.0);
        }
        let way = goal - start;
        let (square, cube) = (3.0 * way - 2.0 * slope, slope - 2.0 * way);
        (start + s * (slope + s * (square + s * cube)), slope + s * (2.0 * square + 3.0 * s * cube))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: f64 = 16.0 / 48e3;

    #[test]
    fn it_arrives_exactly_and_in_time_however_far() {
        for octaves in [1.0 / 12.0, -4.0, 8.0] {
            let mut bend = PitchBendRamp::at(0.25);
            bend.head_for(octaves);
            let ticks = (0..).take_while(|_| bend.tick(TICK)).count();
            assert!(ticks <= 55 && bend.factor() == octaves.exp2() && bend.is_settled(), "{ticks} ticks");
        }
    }

    #[test]
    fn a_moving_goal_is_followed_without_a_kink_or_an_overshoot() {
        let mut bend = PitchBendRamp::at(0.0);
        let (mut last, mut slope, mut kink) = (0.0, 0.0, 0.0_f64);
        for tick in 0..600 {
            // two semitones in 100 ms, told every 10 ms
            if tick % 30 == 0 {
                bend.head_for(f64::from((tick / 30).min(10)) / 60.0);
            }
            bend.tick(TICK);
            let now = bend.factor().log2();
            kink = kink.max((now - last - slope).abs());
            (slope, last) = (now - last, now);
            assert!(now <= 1.0 / 6.0 + 1e-12 && slope >= -1e-12, "tick {tick}: {now}");
        }
        assert!((last - 1.0 / 6.0).abs() < 1e-15);
        assert!(1200.0 * kink < 0.15, "the slope changes by {} cents a tick", 1200.0 * kink);
    }
}
