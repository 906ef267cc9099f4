//! Strands that lie on a body, follow its motion, lift off and fall back, and do not react on it: the wires of a snare drum.
//!
//! ```text
//! free       z'' = -2 sigma z' - omega^2 (z - gap) - g            z: place of a strand, x: that of the body; z >= x
//! contact    z < x after a step: z = x, z' = max(z', x')          plastic: a strand leaves once the body falls away faster than it
//! impulse    J = max(0, x' - z') - J0                             per sample and mass of the strand [m/s]; J0: at rest, about (g - omega^2 gap) h
//! ```
//!
//! A loose obstacle in the limit of a light mass on a rigid, plastic contact. J is the force on the strand over one sample, without the force
//! at rest. While the body moves gently, J is the change of its velocity: linear. Where its acceleration exceeds that of the preload,
//! the strands lift off, and J consists of blows, at most as fast as strand and body approach each other. No strand is ever faster than
//! the body was or than it falls, so all of this is bounded by the motion of the body. The strands take energy from an ideal source: the
//! body loses nothing to them, and no energy balance contains them.

use crate::modal::{LANES, Mode, Response};

/// Number of strands.
pub const STRANDS: usize = LANES;

/// Ratio of the preloads of the last strand and of the first: no two lift off at once.
const PRELOAD_RATIO: f64 = 4.0;

/// How strands are held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandSupport {
    /// Acceleration [m/s^2] towards the body by the preload, the geometric mean of all strands; >= 0.
    pub preload: f64,
    /// Free motion on the spring of a strand, omega > 0.
    pub spring: Mode,
    /// Distance [m] of the springs' rest from the body at rest, >= 0.
    pub gap: f64,
}

/// Strands side by side on one place of a body.
#[derive(Clone, Debug)]
pub struct LooseStrands {
    support: StrandSupport,
    /// Free step of one sample.
    step: Response,
    /// Preload of each [m/s^2].
    preloads: [f64; STRANDS],
    /// Impulse in a sample at rest [m/s].
    rest_impulses: [f64; STRANDS],
    /// Places [m] and velocities [m/s] towards the body's deflection.
    z: [f64; STRANDS],
    v: [f64; STRANDS],
}

impl LooseStrands {
    /// Strands at rest on a body at rest, with samples of `h` [s].
    pub fn new(support: StrandSupport, h: f64) -> Self {
        let mut strands = Self {
            support,
            step: Response::new(support.spring, h),
            preloads: [0.0; STRANDS],
            rest_impulses: [0.0; STRANDS],
            z: [0.0; STRANDS],
            v: [0.0; STRANDS],
        };
        strands.set_support(support, h);
        strands.rest();
        strands
    }

    /// How they are held.
    pub fn support(&self) -> StrandSupport {
        self.support
    }

    /// Changes how they are held; they keep their motion.
    pub fn set_support(&mut self, support: StrandSupport, h: f64) {
        (self.support, self.step) = (support, Response::new(support.spring, h));
        for (n, (preload, impulse)) in self.preloads.iter_mut().zip(&mut self.rest_impulses).enumerate() {
            *preload = support.preload * PRELOAD_RATIO.powf(n as f64 / (STRANDS - 1) as f64 - 0.5);
            // of a strand that the body at rest holds up; the spring pulls it away by the gap
            *impulse = (self.step.bv * *preload + self.step.a21 * support.gap).max(0.0);
        }
    }

    /// Sets them to rest on a body at rest, or above it where their springs hold them.
    pub fn rest(&mut self) {
        let StrandSupport { spring, gap, .. } = self.support;
        for (z, preload) in self.z.iter_mut().zip(self.preloads) {
            *z = (gap - preload / spring.omega.powi(2)).max(0.0);
        }
        self.v = [0.0; STRANDS];
    }

    /// One sample, after which the body is at `x` [m] and moves at `speed` [m/s]. The impulse on each strand per its mass [m/s].
    pub fn step(&mut self, x: f64, speed: f64) -> [f64; STRANDS] {
        let Response { a11, a12, a21, a22, bq, bv, .. } = self.step;
        let gap = self.support.gap;
        let mut impulses = [0.0; STRANDS];
        for (n, impulse) in impulses.iter_mut().enumerate() {
            let (from_rest, velocity, push) = (self.z[n] - gap, self.v[n], -self.preloads[n]);
            let z = gap + a11 * from_rest + a12 * velocity + bq * push;
            let v = a21 * from_rest + a22 * velocity + bv * push;
            let blow = if z <= x { (speed - v).max(0.0) } else { 0.0 };
            (self.z[n], self.v[n]) = (z.max(x), v + blow);
            *impulse = blow - self.rest_impulses[n];
        }
        impulses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    const H: f64 = 1.0 / 48e3;
    const SUPPORT: StrandSupport =
        StrandSupport { preload: 50.0, spring: Mode { omega: TAU * 60.0, sigma: 0.1 * TAU * 60.0 }, gap: 0.0 };

    /// Impulses of all strands under a body at 200 Hz with an acceleration up to `most` [m/s^2], after it has swung in.
    fn driven(most: f64, support: StrandSupport) -> Vec<[f64; STRANDS]> {
        let (omega, mut strands) = (TAU * 200.0, LooseStrands::new(support, H));
        let mut all = Vec::new();
        for i in 0..48_000 {
            let (t, rise) = (f64::from(i) * H, (f64::from(i) / 9_600.0).min(1.0));
            let speed = rise * most / omega;
            let impulses = strands.step(-speed / omega * (omega * t).cos(), speed * (omega * t).sin());
            if i >= 24_000 {
                all.push(impulses);
            }
        }
        all
    }

    #[test]
    fn at_rest_nothing_happens() {
        for gap in [0.0, 1e-4, 5e-3] {
            let mut strands = LooseStrands::new(StrandSupport { gap, ..SUPPORT }, H);
            for _ in 0..10_000 {
                let largest = strands.step(0.0, 0.0).iter().fold(0.0_f64, |a, b| a.max(b.abs()));
                assert!(largest < 1e-15, "{gap}: {largest:e}");
            }
        }
    }

    /// Below the acceleration of the preload the impulses are the change of the body's velocity: a sine, which grows in proportion.
    #[test]
    fn gentle_motion_is_followed() {
        let soft_spring = Mode { omega: TAU * 5.0, sigma: 0.1 * TAU * 5.0 };
        let [soft, half] = [20.0, 10.0].map(|most| driven(most, StrandSupport { spring: soft_spring, ..SUPPORT }));
        for (i, (soft, half)) in soft.iter().zip(&half).enumerate() {
            let expected = 20.0 * H * (TAU * 200.0 * (i as f64 + 24_000.0 - 0.5) * H).cos();
            for (soft, half) in soft.iter().zip(half) {
                assert!((soft - expected).abs() < 0.01 * 20.0 * H, "{i}: {soft:e} {expected:e}");
                assert!((soft - 2.0 * half).abs() < 1e-3 * 20.0 * H);
            }
        }
    }

    /// Above it the strands lift off and strike: short blows, bounded by the speeds of strand and body.
    #[test]
    fn strong_motion_throws_the_strands_off() {
        let (most, speed) = (2e3, 2e3 / (TAU * 200.0));
        let all = driven(most, SUPPORT);
        for n in 0..STRANDS {
            let largest = all.iter().map(|impulses| impulses[n]).fold(0.0, f64::max);
            assert!(largest > 30.0 * most * H / TAU && largest < 2.5 * speed, "strand {n}: {largest}, body {speed}");
        }
        let flights = all.iter().filter(|impulses| impulses[0] < -0.99 * 25.0 * H).count();
        assert!((0.2..0.95).contains(&(flights as f64 / all.len() as f64)), "{flights} of {}", all.len());
        let apart = all.iter().filter(|impulses| impulses[0] > 0.1 * speed && impulses[7] <= 0.0).count();
        assert!(apart > 20, "strands strike at times of their own: {apart}");
    }

    /// Strands that hang beyond the reach of the body are silent, within it they are struck.
    #[test]
    fn a_gap_keeps_them_apart() {
        let reach = 2e3 / (TAU * 200.0_f64).powi(2);
        let blows =
            |gap| driven(2e3, StrandSupport { preload: 0.0, gap, ..SUPPORT }).iter().flatten().filter(|j| **j > 0.0).count();
        assert_eq!(blows(1.5 * reach), 0);
        assert!(blows(0.5 * reach) > 100);
    }
}
