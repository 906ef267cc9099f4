//! Images of a sound in the walls of a box.
//!
//! ```text
//! x_i = i L + x              i even          image i of a point x between walls at 0 and L
//! x_i = i L + L - x          i odd
//! ```
//!
//! The order |i| + |j| + |k| is the number of reflections (Allen and Berkley 1979).

use crate::room::microphones::{PairPlacement, Point, ReflectedPath};
use crate::room::room_acoustics::RoomAcoustics;
use urto_physics::radiation::SOUND;

/// Number of images of order 1.
pub const FIRST_ORDER: usize = 6;

/// Number of images of order 2.
pub const SECOND_ORDER: usize = 18;

/// Where the middle of the instrument is in a room, as a part of its width and length. Neither is a simple fraction, so that few images coincide.
const INSTRUMENT: [f64; 2] = [0.46, 0.31];

/// Height of instrument and microphones over the ground of a room [m].
const HEIGHT: f64 = 1.1;

/// Least distance of a sound or a microphone from a wall [m].
const WALL_DISTANCE: f64 = 0.25;

/// The reflections of one sound at both microphones of a pair, left and right.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReflectedPaths {
    /// Of order 1.
    pub first: [[ReflectedPath; FIRST_ORDER]; 2],
    /// Of order 2.
    pub second: [[ReflectedPath; SECOND_ORDER]; 2],
}

impl ReflectedPaths {
    /// From a sound at `sound` to the far pair, both relative to the instrument, in `room`, at `rate` [Hz].
    pub fn new(sound: Point, far: PairPlacement, room: &RoomAcoustics, rate: f64) -> Self {
        let sound = inside(sound, room);
        let microphones = far.far().map(|microphone| inside(microphone, room));
        let mut paths = Self::default();
        let (mut first, mut second) = (0, 0);
        for [i, j, k] in orders() {
            let image = Point {
                x: image(sound.x, room.size[0], i),
                y: image(sound.y, room.size[1], j),
                z: image(sound.z, room.size[2], k),
            };
            let path = microphones.map(|microphone| ReflectedPath::new(image, microphone, rate));
            if i.abs() + j.abs() + k.abs() == 1 {
                (paths.first[0][first], paths.first[1][first]) = (path[0], path[1]);
                first += 1;
            } else {
                (paths.second[0][second], paths.second[1][second]) = (path[0], path[1]);
                second += 1;
            }
        }
        paths
    }

    /// Most frames that a reflection of `order` takes in `room` at `rate` [Hz].
    pub fn longest_delay(room: &RoomAcoustics, order: u32, rate: f64) -> usize {
        let [width, length, height] = room.size;
        let further = f64::from(order) * width.max(length).max(height);
        let corner = Point { x: width, y: length, z: height };
        let away = corner.distance(Point { x: 0.0, y: -further, z: 0.0 });
        (away / SOUND * rate).ceil() as usize
    }
}

/// The images of order 1 and 2 in the three directions.
fn orders() -> impl Iterator<Item = [i32; 3]> {
    let steps = || -2..=2_i32;
    let all = steps().flat_map(move |i| steps().flat_map(move |j| steps().map(move |k| [i, j, k])));
    all.filter(|[i, j, k]| (1..=2).contains(&(i.abs() + j.abs() + k.abs())))
}

/// Image `i` of the coordinate `x` between walls at 0 and `length`.
fn image(x: f64, length: f64, i: i32) -> f64 {
    f64::from(i) * length + if i % 2 == 0 { x } else { length - x }
}

/// A point in the coordinates of a room, inside its walls.
fn inside(point: Point, room: &RoomAcoustics) -> Point {
    let [width, length, height] = room.size;
    let within = |x: f64, side: f64| x.clamp(WALL_DISTANCE, side - WALL_DISTANCE);
    Point {
        x: within(point.x + INSTRUMENT[0] * width, width),
        y: within(point.y + INSTRUMENT[1] * length, length),
        z: within(point.z + HEIGHT, height),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::RoomType;
    use crate::patch::FloorPosition;

    /// The floor, both side walls and a corner, by hand.
    #[test]
    fn reflections_arrive_at_the_times_of_their_images() {
        let room = RoomAcoustics::of(RoomType::Studio).unwrap();
        let [width, length, _] = room.size;
        let far = PairPlacement { distance: 3.0, spacing: 0.0 };
        let sound = Point::at(FloorPosition { x: 0.5, y: 0.2 });
        let paths = ReflectedPaths::new(sound, far, &room, 48e3);
        let (ahead, left, right) = (2.8_f64, 0.46 * width + 0.5, 0.54 * width - 0.5);
        // horizontal distances of image and microphone
        let expected = [
            (0.5_f64.hypot(ahead)).hypot(2.2),
            (2.0 * left - 0.5).hypot(ahead),
            (2.0 * right + 0.5).hypot(ahead),
            0.5_f64.hypot(2.0 * 0.31 * length + 0.2 + 3.0),
        ];
        for distance in expected {
            let delay = (distance / SOUND * 48e3).round() as usize;
            let path = paths.first[0].iter().find(|path| path.delay == delay);
            let path = path.unwrap_or_else(|| panic!("no reflection after {delay} frames: {:?}", paths.first[0]));
            assert!((path.gain * distance - 1.0).abs() < 1e-9);
            assert!(paths.first[1].iter().any(|path| path.delay == delay), "both microphones are at the same point");
        }
        // over the floor and the left wall
        let corner = ((2.0 * left - 0.5).hypot(ahead)).hypot(2.2);
        let delay = (corner / SOUND * 48e3).round() as usize;
        assert!(paths.second[0].iter().any(|path| path.delay == delay));
    }

    #[test]
    fn six_images_of_order_1_and_eighteen_of_order_2() {
        let counts = orders().fold([0; 3], |mut counts, order| {
            counts[order.iter().map(|i| i.unsigned_abs() as usize).sum::<usize>()] += 1;
            counts
        });
        assert_eq!(counts, [0, FIRST_ORDER, SECOND_ORDER]);
    }

    /// Sounds and microphones beyond a wall are at the wall.
    #[test]
    fn every_delay_is_within_the_longest() {
        for room in RoomAcoustics::ALL {
            let [first, second] = [1, 2].map(|order| ReflectedPaths::longest_delay(&room, order, 96e3));
            for x in [-9.0, 0.0, 9.0] {
                let sound = Point::at(FloorPosition { x, y: -x });
                let paths = ReflectedPaths::new(sound, PairPlacement { distance: 20.0, spacing: 6.0 }, &room, 96e3);
                assert!(paths.first.iter().flatten().all(|path| path.delay <= first));
                assert!(paths.second.iter().flatten().all(|path| path.delay <= second));
            }
        }
    }
}
