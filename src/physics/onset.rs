//! Where in a sample a contact begins, and how finely it then has to be stepped.

use super::collision::{DEEPEST_LEVEL, Resolution};
use super::striker::Striker;

/// Most hammers on one body.
pub const MOST_STRIKERS: usize = 16;
/// Places at which a flight that comes and goes within the step is looked at.
const LOOKS: u32 = 16;
/// Halvings of the interval that holds the onset.
const HALVINGS: u32 = 30;

/// Compression and its velocity at both ends of a free step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flight {
    /// Compression at the start [m], <= 0.
    pub x0: f64,
    /// Its velocity [m/s].
    pub v0: f64,
    /// Compression at the end [m].
    pub x1: f64,
    /// Its velocity [m/s].
    pub v1: f64,
}

impl Flight {
    /// Coefficients of the cubic Hermite polynomial x0 + u (m0 + u (c2 + u c3)) for a step of dt.
    fn cubic(&self, dt: f64) -> (f64, f64, f64) {
        let (m0, m1) = (self.v0 * dt, self.v1 * dt);
        let c2 = 3.0 * (self.x1 - self.x0) - 2.0 * m0 - m1;
        let c3 = 2.0 * (self.x0 - self.x1) + m0 + m1;
        (m0, c2, c3)
    }

    /// Fraction of the step at which the compression becomes positive, and the closing velocity there [m/s]; None if it stays
    /// apart.
    pub fn onset(&self, dt: f64) -> Option<(f64, f64)> {
        let (m0, c2, c3) = self.cubic(dt);
        let x = |u: f64| self.x0 + u * (m0 + u * (c2 + u * c3));
        let mut high = 1.0;
        if self.x1 <= 0.0 {
            if !(self.v0 > 0.0 && self.v1 < 0.0) {
                return None;
            }
            high = (1..LOOKS).map(|i| f64::from(i) / f64::from(LOOKS)).find(|&u| x(u) > 0.0)?;
        }
        let mut low = 0.0;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if x(middle) > 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        let velocity = (m0 + low * (2.0 * c2 + 3.0 * c3 * low)) / dt;
        Some((low, velocity.max(f64::MIN_POSITIVE)))
    }
}

impl Resolution {
    /// The coarsest level at which a contact that begins at closing speed v [m/s] takes P substeps, a few more when mu v is
    /// large: dt <= tau/(P (1 + min(mu v, 2)/2)).
    pub fn level(&self, striker: &Striker, v: f64, h: f64) -> u32 {
        let law = striker.law();
        let v = v.max(0.0);
        let crowding = 1.0 + 0.5 * (law.damping() * v).min(2.0);
        let longest = law.contact_time(striker.mobility(), v) / (self.substeps_per_contact * crowding);
        let mut level = self.coarsest_level;
        let mut dt = h / f64::from(1_u32 << level.min(DEEPEST_LEVEL));
        while level < DEEPEST_LEVEL && dt > longest {
            level += 1;
            dt *= 0.5;
        }
        level
    }
}
