//! Pairs of microphones, and the path of a sound to one of them.
//!
//! ```text
//! tau = r/c,  gain = r0/r        spherical wave from a point to a pressure microphone
//! h_k(f)                         weights of four frames for the fraction f of a frame, Lagrange's polynomials of order 3
//! ```
//!
//! x points to the right of the player, y away from the player, z up; the origin is the middle of the instrument.

use crate::block::CONTROL_BLOCK;
use crate::patch::FloorPosition;
use urto_physics::radiation::SOUND;

/// Distance at which a microphone has the level of the close sound [m].
const REFERENCE_DISTANCE: f64 = 1.0;

/// Least distance that a path has [m].
const LEAST_DISTANCE: f64 = 0.3;

/// Least delay of a path [frames]: sound is collected in control blocks, and the first of four weights is a frame early. It is shorter than the
/// least distance at rates from 20 kHz on.
const LEAST_DELAY: f64 = CONTROL_BLOCK as f64 + 1.0;

/// A point in space [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right of the player.
    pub x: f64,
    /// Away from the player.
    pub y: f64,
    /// Up.
    pub z: f64,
}

impl Point {
    /// A point at the height of the instrument.
    pub fn at(position: FloorPosition) -> Self {
        Self { x: position.x, y: position.y, z: 0.0 }
    }

    /// Distance to another point [m].
    pub fn distance(self, other: Self) -> f64 {
        ((self.x - other.x).powi(2) + (self.y - other.y).powi(2) + (self.z - other.z).powi(2)).sqrt()
    }
}

/// Placement of a pair of microphones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPlacement {
    /// Height of the overhead pair over the instrument, or distance of the far pair in front of it [m].
    pub distance: f64,
    /// Distance of the two microphones from each other [m].
    pub spacing: f64,
}

impl PairPlacement {
    /// Left and right microphone over the instrument.
    pub fn overhead(self) -> [Point; 2] {
        self.sides().map(|x| Point { x, y: 0.0, z: self.distance })
    }

    /// Left and right microphone in front of it.
    pub fn far(self) -> [Point; 2] {
        self.sides().map(|x| Point { x, y: self.distance, z: 0.0 })
    }

    fn sides(self) -> [f64; 2] {
        [-0.5 * self.spacing, 0.5 * self.spacing]
    }
}

/// Delay and gain of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Travel {
    /// [frames]
    delay: f64,
    gain: f64,
}

impl Travel {
    fn new(from: Point, to: Point, rate: f64) -> Self {
        let distance = from.distance(to).max(LEAST_DISTANCE);
        Self { delay: (distance / SOUND * rate).max(LEAST_DELAY), gain: REFERENCE_DISTANCE / distance }
    }
}

/// The direct path, to a fraction of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectPath {
    /// Delay of the first weight [frames].
    pub delay: usize,
    /// Gains of four frames in a row.
    pub weights: [f64; 4],
}

impl DirectPath {
    /// From a sound to a microphone at `rate` [Hz].
    pub fn new(sound: Point, microphone: Point, rate: f64) -> Self {
        let Travel { delay, gain } = Travel::new(sound, microphone, rate);
        let f = delay.fract();
        let weights = [
            -f * (f - 1.0) * (f - 2.0) / 6.0,
            (f + 1.0) * (f - 1.0) * (f - 2.0) / 2.0,
            -(f + 1.0) * f * (f - 2.0) / 2.0,
            (f + 1.0) * f * (f - 1.0) / 6.0,
        ];
        Self { delay: delay as usize - 1, weights: weights.map(|weight| gain * weight) }
    }
}

/// The path of a reflection, to a whole frame; its walls are not in the gain.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReflectedPath {
    /// Delay [frames].
    pub delay: usize,
    /// Gain by distance.
    pub gain: f64,
}

impl ReflectedPath {
    /// From an image of a sound to a microphone at `rate` [Hz].
    pub fn new(image: Point, microphone: Point, rate: f64) -> Self {
        let Travel { delay, gain } = Travel::new(image, microphone, rate);
        Self { delay: delay.round() as usize, gain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights have the gain and the mean delay of the path.
    #[test]
    fn a_direct_path_has_the_gain_and_the_delay_of_its_distance() {
        let pair = PairPlacement { distance: 1.2, spacing: 1.0 };
        for (x, y) in [(0.0, 0.0), (-0.7, 0.35), (1.3, -0.2)] {
            for (side, microphone) in pair.overhead().into_iter().enumerate() {
                let path = DirectPath::new(Point::at(FloorPosition { x, y }), microphone, 48e3);
                let to_side = x + if side == 0 { 0.5 } else { -0.5 };
                let distance = (to_side * to_side + y * y + 1.44_f64).sqrt();
                let gain: f64 = path.weights.iter().sum();
                let first: f64 = path.weights.iter().enumerate().map(|(k, weight)| (path.delay + k) as f64 * weight).sum();
                assert!((gain * distance - 1.0).abs() < 1e-12, "{gain}");
                assert!((first / gain - distance / 343.2 * 48e3).abs() < 1e-9, "{}", first / gain);
            }
        }
    }

    #[test]
    fn the_far_pair_is_in_front() {
        let [left, right] = PairPlacement { distance: 4.0, spacing: 3.0 }.far();
        assert_eq!((left.distance(right), left.y, right.x), (3.0, 4.0, 1.5));
        let sound = Point::at(FloorPosition { x: 1.5, y: 0.0 });
        assert_eq!((right.distance(sound), left.distance(sound)), (4.0, 5.0));
    }

    /// At any rate a path is later than the control block that its sound is collected in.
    #[test]
    fn no_path_is_shorter_than_a_control_block() {
        let point = Point { x: 0.0, y: 0.0, z: 0.0 };
        for rate in [4e3, 44.1e3, 192e3] {
            assert!(DirectPath::new(point, point, rate).delay >= CONTROL_BLOCK);
            assert!(ReflectedPath::new(point, point, rate).delay >= CONTROL_BLOCK);
        }
    }
}
