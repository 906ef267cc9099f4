//! Height profiles of surfaces for rolling and scraping, and the balls or points that move along them.
//!
//! Profiles have a root mean square of 1:
//!
//! ```text
//! rough      power density of the height ~ k^-slope between 1/longest and 1/grain (half power there), k: waves per metre
//! ribs       a cosine
//! recorded   a measured profile, repeated without end
//! ```
//!
//! A rough surface is a sum of bands of noise an octave apart. All bands read the same table, each at its own scale and position. A
//! band's power falls as a raised cosine over the neighbouring octaves, so that the sum is even. No preparation is needed, and
//! every parameter may change at any time: it then applies to the surface ahead.
//!
//! Surfaces of wood, stone and worn metal have slopes of 1.5 to 2.5 (Sayles and Thomas, "Surface topography as a nonstationary
//! random process", Nature 271, 1978).
//!
//! The surface lifts a ball or a point that moves along it to the height
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

use std::f64::consts::{PI, TAU};
use std::sync::OnceLock;

use crate::random::SplitMix64;

/// Points of the table of noise.
const POINTS: usize = 1 << 16;
/// Points of the table per wavelength in the middle of its band; 8 for the shortest.
const PER_WAVE: f64 = 16.0;
/// Reach of the filter that makes the band, in points.
const REACH: usize = 192;
/// Frequencies of which its response is the sum.
const PARTS: u32 = 256;
/// Maximum number of bands: from 10 um to 1 m, and the bands that fade at both ends.
const MAX_BANDS: usize = 18;

/// Pieces of surface under and before the ball.
pub const PIECES: usize = 128;
/// Maximum number of knots made for one step.
pub const MAX_KNOTS: u32 = 4;
/// Pieces ahead of the ball.
const AHEAD: f64 = 60.0;
/// Knots in a shortest wave.
const FINENESS: f64 = 32.0;
/// Shortest wave of a surface, in steps.
const SHORTEST: f64 = 2.5;

/// Kind of a surface's roughness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Roughness {
    /// Random, without a characteristic wavelength.
    Rough {
        /// Exponent: power density of the height ~ wavelength^slope.
        slope: f64,
        /// Shortest wavelength [m].
        grain: f64,
        /// Longest wavelength [m].
        longest: f64,
    },
    /// Ribs at this distance [m].
    Ribs(f64),
    /// A recorded profile of this length [m], repeated.
    Recorded(f64),
}

/// A measured profile: heights at equal distances, without a step or a change of slope where it repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceProfile {
    /// The heights, then means of two, of four...
    levels: Vec<Vec<f32>>,
}

impl SurfaceProfile {
    /// From at least two heights in any unit; None if they do not differ.
    pub fn new(heights: &[f32]) -> Option<Self> {
        let (first, last) = (f64::from(*heights.first()?), f64::from(*heights.last()?));
        let n = heights.len() as f64;
        let level = |i: usize| f64::from(heights[i]) - (last - first) * i as f64 / n;
        let mean = (0..heights.len()).map(level).sum::<f64>() / n;
        let power = (0..heights.len()).map(|i| (level(i) - mean).powi(2)).sum::<f64>() / n;
        if !(power > 0.0 && power.is_finite()) {
            return None;
        }
        let mut levels = vec![(0..heights.len()).map(|i| ((level(i) - mean) / power.sqrt()) as f32).collect::<Vec<_>>()];
        while let Some(finest) = levels.last().filter(|finest| finest.len() > 8) {
            levels.push(finest.chunks(2).map(|pair| pair.iter().sum::<f32>() / pair.len() as f32).collect());
        }
        Some(Self { levels })
    }

    /// Heights.
    fn len(&self) -> usize {
        self.levels[0].len()
    }

    /// Height at `place`, 0 to 1 of the length, without what is finer than `finest`, a part of the length.
    fn height(&self, place: f64, finest: f64) -> f64 {
        let points = self.levels.iter().find(|points| points.len() as f64 * finest <= 2.0);
        let points = points.or(self.levels.last()).map_or(&[][..], Vec::as_slice);
        smooth(points, place * points.len() as f64)
    }
}

/// Position on a surface, and the state of its bands.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Place of every band in the table.
    places: [f64; MAX_BANDS],
    /// Position on ribs or profile as a fraction of their length.
    turn: f64,
    weights: [f64; MAX_BANDS],
    waves: [f64; MAX_BANDS],
    bands: usize,
    /// Parameters for which the weights were computed.
    weighed: Option<(Roughness, f64)>,
}

impl Surface {
    /// Another seed is another surface. Builds the table if it is the first in this process.
    pub fn new(seed: u64) -> Self {
        table();
        let mut random = SplitMix64::new(seed.wrapping_mul(0xd134_2543_de82_ef95));
        Self {
            places: std::array::from_fn(|_| random.uniform() * POINTS as f64),
            turn: 0.0,
            weights: [0.0; MAX_BANDS],
            waves: [1.0; MAX_BANDS],
            bands: 0,
            weighed: None,
        }
    }

    /// Moves on by `step` [m] >= 0; the height there. Waves shorter than `shortest` [m] fade away. A recorded roughness without a
    /// profile is flat.
    pub fn advance(&mut self, roughness: &Roughness, track: Option<&SurfaceProfile>, step: f64, shortest: f64) -> f64 {
        match *roughness {
            Roughness::Rough { .. } => {
                self.weigh(roughness, shortest);
                self.rough(step)
            }
            Roughness::Ribs(distance) => {
                self.turn = (self.turn + step / distance).fract();
                2.0_f64.sqrt() * fading(distance, shortest) * (TAU * self.turn).cos()
            }
            Roughness::Recorded(length) => {
                self.turn = (self.turn + step / length).fract();
                track.map_or(0.0, |track| track.height(self.turn, shortest / length))
            }
        }
    }

    fn rough(&mut self, step: f64) -> f64 {
        let table = table();
        let mut height = 0.0;
        for band in 0..self.bands {
            let place = &mut self.places[band];
            *place += step * PER_WAVE / self.waves[band];
            *place %= POINTS as f64;
            height += self.weights[band] * smooth(table, *place);
        }
        height
    }

    /// Weights of the bands: w^2 ~ wavelength^(slope - 1), the last with the part that fits; together they have the power 1
    /// before too short waves fade.
    fn weigh(&mut self, roughness: &Roughness, shortest: f64) {
        let near = |last: f64| (shortest - last).abs() <= 0.01 * last;
        if self.weighed.is_some_and(|(last, length)| last == *roughness && near(length)) {
            return;
        }
        let Roughness::Rough { slope, grain, longest } = *roughness else { return };
        self.weighed = Some((*roughness, shortest));
        let octaves = (longest / grain).log2().max(1.0);
        self.bands = (octaves.ceil() as usize).min(MAX_BANDS);
        let mut power = 0.0;
        for band in 0..self.bands {
            let wave = 2.0_f64.sqrt() * grain * 2f64.powi(band as i32);
            let share = (octaves - band as f64).min(1.0) * (wave / grain).powf(slope - 1.0);
            power += share;
            self.waves[band] = wave;
            self.weights[band] = share.sqrt() * fading(wave, shortest);
        }
        self.weights[..self.bands].iter_mut().for_each(|weight| *weight /= power.sqrt());
    }
}

impl Roughness {
    /// Its shortest wavelength [m]; for a recorded one that of 8 heights.
    pub(crate) fn finest(&self, track: Option<&SurfaceProfile>) -> f64 {
        match *self {
            Self::Rough { grain, .. } => grain,
            Self::Ribs(distance) => distance,
            Self::Recorded(length) => 8.0 * length / track.map_or(8.0, |track| track.len() as f64),
        }
    }

    /// By how much heights a `distance` [m] apart differ at most, about; never more than all of it.
    pub(crate) fn range(&self, distance: f64) -> f64 {
        let (power, longest) = match *self {
            Self::Rough { slope, longest, .. } => (0.5 * (slope - 1.0), longest),
            Self::Ribs(length) => (1.0, 0.25 * length),
            Self::Recorded(length) => (0.5, length),
        };
        3.0 * (distance / longest).min(1.0).powf(power.clamp(0.0, 1.0))
    }
}

/// 1 for waves [m] that are longer than `shortest` by half an octave, 0 for those that are shorter by as much.
fn fading(wave: f64, shortest: f64) -> f64 {
    if shortest <= 0.0 { 1.0 } else { ((wave / shortest).log2() + 0.5).clamp(0.0, 1.0) }
}

/// Value between the points of a closed table (Catmull and Rom 1974).
#[inline]
fn smooth(points: &[f32], place: f64) -> f64 {
    let n = points.len();
    if n == 0 {
        return 0.0;
    }
    let whole = place.floor();
    let t = place - whole;
    let i = whole as usize % n;
    let [a, b, c, d] = match points.get(i.wrapping_sub(1)..i + 3) {
        Some(near) => [near[0], near[1], near[2], near[3]],
        None => [points[(i + n - 1) % n], points[i], points[(i + 1) % n], points[(i + 2) % n]],
    }
    .map(f64::from);
    b + 0.5 * t * ((c - a) + t * ((2.0 * a - 5.0 * b + 4.0 * c - d) + t * (3.0 * (b - c) + d - a)))
}

/// One band of noise around [`PER_WAVE`] points, an octave to either side; mean square 1. Built once in a process.
fn table() -> &'static [f32] {
    static TABLE: OnceLock<Box<[f32]>> = OnceLock::new();
    TABLE.get_or_init(band_of_noise)
}

fn band_of_noise() -> Box<[f32]> {
    let response = band_response();
    let mut random = SplitMix64::new(1);
    let noise: Vec<f64> = (0..POINTS).map(|_| 2.0 * random.uniform() - 1.0).collect();
    let turned: Vec<f64> = (0..POINTS + 2 * REACH).map(|i| noise[i % POINTS]).collect();
    let heights: Vec<f64> =
        turned.windows(2 * REACH + 1).map(|window| window.iter().zip(&response).map(|(a, b)| a * b).sum()).collect();
    let power = heights.iter().map(|height| height * height).sum::<f64>() / POINTS as f64;
    heights.iter().map(|height| (height / power.sqrt()) as f32).collect()
}

/// Response at -REACH..=REACH points of a filter with the amplitude cos(pi u/2)/k, u octaves from the middle, -1 to 1.
fn band_response() -> Vec<f64> {
    let du = 2.0 / f64::from(PARTS);
    let at = |n: f64| {
        let parts = (0..PARTS).map(|i| -1.0 + (f64::from(i) + 0.5) * du);
        // amplitude 1/k and dk = k du: every part has the same share
        let sum: f64 = parts.map(|u| (0.5 * PI * u).cos() * (TAU * n * 2f64.powf(u) / PER_WAVE).cos()).sum();
        sum * (0.5 * PI * n / (REACH as f64 + 1.0)).cos().powi(2)
    };
    (0..=2 * REACH).map(|i| at(i as f64 - REACH as f64)).collect()
}

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
        let inputs = (ground.texture, ground.roughness, ground.radius);
        if self.spaced != Some(inputs) {
            self.spaced = Some(inputs);
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
