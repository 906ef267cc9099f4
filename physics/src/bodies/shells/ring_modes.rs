//! Modes of bells, bowls and glasses: m nodal diameters, in pairs turned against each other by a quarter of a wave, and a shape along the
//! wall from crown, pole or bottom (along = 0) to lip or rim (along = 1).
//!
//! A body that is not perfectly round splits each pair into two frequencies that beat: cos(m theta - gamma) and sin(m theta -
//! gamma), with gamma the same for all pairs, so small that the depth of the beat depends on the strike position.

use crate::bodies::modal_shape::ShapeFunctions;
use crate::bodies::position::{BodyPosition, Rotation};
use std::f64::consts::{FRAC_PI_4, TAU};

/// gamma [rad]: at angle 0 the pair moves as 0.94 to 0.34.
pub(crate) const TURN: f64 = 0.35;

/// Panels of Simpson's rule for T: enough for 60 nodal diameters.
const PANELS: usize = 2000;

/// T of the hemisphere, in t = tan(v/2) from 0 to 1.
pub(crate) fn hemisphere_motion(diameters: u32) -> f64 {
    let m = f64::from(diameters);
    let part = |t: f64| {
        let below = 1.0 + t * t;
        let (cos, sin) = ((1.0 - t * t) / below, 2.0 * t / below);
        ((m + cos).powi(2) + 2.0 * sin * sin) * t.powi(2 * diameters as i32 + 1) * 4.0 / (below * below)
    };
    let weight = |i: usize| if i == 0 || i == PANELS { 1.0 } else { [2.0, 4.0][i % 2] };
    (0..=PANELS).map(|i| weight(i) * part(i as f64 / PANELS as f64)).sum::<f64>() / (3 * PANELS) as f64
}

/// Motion of a wall along its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Profile {
    /// Proportional to the height, or with a nodal circle at c: s, or s (s - c)/(1 - c).
    Straight,
    /// Inextensional half sphere (Rayleigh 1881): (m + cos v) tan^m(v/2), v = pi s/2.
    Hemisphere,
}

#[derive(Clone, Debug)]
pub(crate) struct Rings {
    profile: Profile,
    /// m rising.
    rings: Vec<Ring>,
}

/// One mode.
#[derive(Clone, Copy, Debug)]
struct Ring {
    mode: usize,
    diameters: u32,
    /// Factors of cos and sin(m theta), with the amplitude.
    cosine: f64,
    sine: f64,
    circle: Option<f64>,
}

/// Parameters of a mode of [`Rings`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) diameters: u32,
    /// Height of the nodal circle, if there is one.
    pub(crate) circle: Option<f64>,
    /// phi over the shape along the wall.
    pub(crate) amplitude: f64,
    /// Whether it is the second of the pair.
    pub(crate) second: bool,
}

impl Rings {
    /// One mode for each of `pairs`.
    pub(crate) fn new(profile: Profile, pairs: &[Pair]) -> Self {
        let ring = |(mode, pair): (usize, &Pair)| {
            let (sin, cos) = TURN.sin_cos();
            let (cosine, sine) = if pair.second { (-sin, cos) } else { (cos, sin) };
            let amplitude = pair.amplitude;
            Ring { mode, diameters: pair.diameters, cosine: amplitude * cosine, sine: amplitude * sine, circle: pair.circle }
        };
        let mut rings: Vec<_> = pairs.iter().enumerate().map(ring).collect();
        rings.sort_by_key(|ring| (ring.diameters, ring.mode));
        Self { profile, rings }
    }
}

impl ShapeFunctions for Rings {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let s = place.along;
        let mut angle = Rotation::new(0.0, TAU * place.across);
        let tan = (FRAC_PI_4 * s).tan();
        let cos = (1.0 - tan * tan) / (1.0 + tan * tan);
        let (mut reached, mut power) = (0, 1.0);
        for ring in &self.rings {
            while reached < ring.diameters {
                angle.advance();
                power *= tan;
                reached += 1;
            }
            let height = match (self.profile, ring.circle) {
                (Profile::Hemisphere, _) => (f64::from(ring.diameters) + cos) * power,
                (Profile::Straight, None) => s,
                (Profile::Straight, Some(circle)) => s * (s - circle) / (1.0 - circle),
            };
            if let Some(phi) = out.get_mut(ring.mode) {
                *phi = height * (ring.cosine * angle.cos + ring.sine * angle.sin);
            }
        }
    }
}
