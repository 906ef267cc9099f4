//! A ball or a point that moves along a surface: the height to which the surface lifts it.
//!
//! ```text
//! z(x) = max over t of [ s(x + t) - t^2/(2 R) ]        s: height of the surface, R: radius at the point of touch
//! ```
//!
//! The ball does not reach into valleys narrower than itself (the rolling filter of Rath, "An expressive real-time sound model of
//! rolling", DAFx 2003). It matters for waves shorter than 2 pi sqrt(R A), A their amplitude: longer ones are followed.
//!
//! The surface consists of straight pieces between knots, made ahead of the ball and kept until it has passed; on every piece the
//! maximum has a closed form. A sample costs at most [`MAX_KNOTS`] new knots and one evaluation of [`PIECES`] pieces.

use crate::surface::profile::{Roughness, Surface, SurfaceProfile};

/// Pieces of surface under and before the ball.
pub const PIECES: usize = 128;
/// Maximum number of knots made for one step.
pub const MAX_KNOTS: u32 = 4;
/// Pieces ahead.
const AHEAD: f64 = 60.0;
/// Knots in a shortest wave.
const FINENESS: f64 = 32.0;
/// Shortest wave of a surface, in steps.
const SHORTEST: f64 = 2.5;

/// Surface, and the ball that rolls or scrapes on it.
#[derive(Clone, Copy, Debug)]
pub struct RollingGeometry<'a> {
    /// Kind of roughness.
    pub texture: Roughness,
    /// The recorded profile, for a recorded texture.
    pub track: Option<&'a SurfaceProfile>,
    /// Height of the surface, root mean square [m].
    pub roughness: f64,
    /// Radius of the ball [m].
    pub radius: f64,
}

impl RollingGeometry<'_> {
    /// How far from the point below it the ball may touch [m]: t^2/(2 R) is then the range of heights so far apart.
    fn reach(&self) -> f64 {
        let lift = 2.0 * self.radius * self.roughness;
        let mut reach = (lift * self.texture.range(f64::INFINITY)).sqrt();
        // the range falls with the reach, less than the square does
        for _ in 0..4 {
            reach = (lift * self.texture.range(reach)).sqrt();
        }
        reach
    }

    /// Distance [m] of knots.
    fn spacing(&self) -> f64 {
        let finest = self.texture.finest(self.track);
        let coarsest = if let Roughness::Ribs(_) = self.texture { 0.125 } else { 0.5 };
        (self.reach() / AHEAD).clamp(finest / FINENESS, coarsest * finest)
    }
}

/// State of a rolling ball.
#[derive(Clone, Debug)]
pub struct Rolling {
    surface: Surface,
    /// Where each piece begins [m], its length [m], height [rms] and slope [rms/m].
    from: [f64; PIECES],
    length: [f64; PIECES],
    height: [f64; PIECES],
    slope: [f64; PIECES],
    next: usize,
    /// Distance travelled [m].
    way: f64,
    /// The last knot: its place [m] and height [rms].
    lead: (f64, f64),
    spaced: Option<(Roughness, f64, f64)>,
    spacing: f64,
}

impl Rolling {
    /// Starts on a flat place before the surface of number `seed`.
    pub fn new(seed: u64) -> Self {
        let flat = [0.0; PIECES];
        let surface = Surface::new(seed);
        Self {
            surface,
            from: flat,
            length: flat,
            height: flat,
            slope: flat,
            next: 0,
            way: 0.0,
            lead: (0.0, 0.0),
            spaced: None,
            spacing: 0.0,
        }
    }

    /// Continues with the surface of another number.
    pub fn seed(&mut self, seed: u64) {
        self.surface = Surface::new(seed);
    }

    /// Moves on by `step` [m] >= 0; its height [m].
    pub fn roll(&mut self, ground: &RollingGeometry, step: f64) -> f64 {
        self.way += step;
        self.lay(ground, step);
        if ground.roughness <= 0.0 {
            return 0.0;
        }
        let pieces = [&self.from, &self.length, &self.height, &self.slope];
        ground.roughness * touch(pieces, self.way, ground.radius * ground.roughness)
    }

    /// Makes the surface ahead.
    fn lay(&mut self, ground: &RollingGeometry, step: f64) {
        let asked = (ground.texture, ground.roughness, ground.radius);
        if self.spaced != Some(asked) {
            self.spaced = Some(asked);
            self.spacing = ground.spacing();
        }
        let spacing = self.spacing.max(1.001 * step / f64::from(MAX_KNOTS));
        for _ in 0..MAX_KNOTS {
            if self.lead.0 >= self.way + AHEAD * spacing {
                break;
            }
            let height = self.surface.advance(&ground.texture, ground.track, spacing, SHORTEST * step);
            let i = self.next;
            (self.from[i], self.length[i]) = (self.lead.0, spacing);
            (self.height[i], self.slope[i]) = (self.lead.1, (height - self.lead.1) / spacing);
            self.lead = (self.lead.0 + spacing, height);
            self.next = (i + 1) % PIECES;
        }
    }
}

/// Greatest value of s - t^2/(2 R) over all pieces, in heights of rms 1; `curve` [m^2] is radius times roughness.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn touch(pieces: [&[f64; PIECES]; 4], way: f64, curve: f64) -> f64 {
    let [from, length, height, slope] = pieces;
    let bend = 0.5 / curve;
    let mut greatest = [f64::NEG_INFINITY; 8];
    for first in (0..PIECES).step_by(8) {
        for (lane, greatest) in greatest.iter_mut().enumerate() {
            let i = first + lane;
            let start = from[i] - way;
            let end = start + length[i];
            let top = slope[i] * curve;
            let t = if top < start { start } else { top };
            let t = if t > end { end } else { t };
            let lift = height[i] + slope[i] * (t - start) - bend * t * t;
            *greatest = if lift > *greatest { lift } else { *greatest };
        }
    }
    greatest.into_iter().fold(f64::NEG_INFINITY, f64::max)
}
