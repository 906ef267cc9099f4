//! The sound of a room: reflections of order 1 and 2 at the far pair, and the reverberation after them.
//!
//! ```text
//! e = W (p1 + W p2)                  p1, p2: images of order 1 and 2; W: reflection of a wall
//! g^2 E/t = 4 pi c r0^2/V e^(-13.8 t2/T)     gain g of the network; E, t2: energy and mean time of its input W p2; t: mean delay of its lines
//! ```
//!
//! The network so continues the reflections at the level of statistical acoustics. The whole is scaled so that the reflections of an impulse have the energy
//! of the impulse, with the far pair at its default and at 1 kHz.

use std::f64::consts::PI;

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::params::{ParamId, RoomType};
use crate::patch::FloorPosition;
use crate::room::absorption_filter::{AbsorptionDesign, AbsorptionFilter, Gains};
use crate::room::arrival_buffer::ArrivalBuffer;
use crate::room::feedback_network::{FeedbackNetwork, line_lengths};
use crate::room::image_sources::ReflectedPaths;
use crate::room::microphones::{PairPlacement, Point, ReflectedPath};
use crate::room::room_acoustics::{LINES, ROOMS, RoomAcoustics};
use urto_physics::radiation::SOUND;

/// Magnitude below which the state of a wall is at rest.
const WALL_FLOOR: f64 = 1e-30;

/// Gains of reflections and network.
#[derive(Clone, Copy, Debug)]
struct Balance {
    early: f64,
    late: f64,
}

impl Balance {
    /// Of a room with lines of the mean delay `line_time` [s].
    fn new(room: &RoomAcoustics, line_time: f64) -> Self {
        let time = room.reverberation_times[1];
        let decay = 2.0 * 1000_f64.ln() / time;
        let wall = (-decay * room.mean_free_time()).exp();
        let [distance, spacing] = [ParamId::FarDistance, ParamId::FarSpacing].map(|id| id.spec().default);
        let (instrument, rate) = (Point::at(FloorPosition::default()), 48e3);
        let paths = ReflectedPaths::new(instrument, PairPlacement { distance, spacing }, room, rate);
        let energy = |paths: &[ReflectedPath]| paths.iter().map(|path| path.gain * path.gain).sum::<f64>();
        let first: f64 = paths.first.iter().map(|side| energy(side)).sum();
        let second: f64 = paths.second.iter().map(|side| energy(side)).sum();
        let times = paths.second.iter().flatten().map(|path| path.gain * path.gain * path.delay as f64 / rate);
        let start = times.sum::<f64>() / second;
        let density = 4.0 * PI * SOUND / room.volume() * (-decay * start).exp();
        let late = density / decay;
        let early = 0.5 * wall * (first + wall * second);
        let scale = (early + late).powf(-0.5);
        Self { early: scale, late: scale * (density * line_time / (wall * second)).sqrt() }
    }
}

/// What is known of a room at one sample rate.
#[derive(Clone, Copy)]
struct PreparedRoom {
    acoustics: RoomAcoustics,
    /// Lengths of the lines [frames].
    lengths: [usize; LINES],
    balance: Balance,
}

impl PreparedRoom {
    fn new(acoustics: RoomAcoustics, rate: f64) -> Self {
        let lengths = line_lengths(acoustics.line_time(), rate);
        let mean = lengths.iter().sum::<usize>() as f64 / LINES as f64 / rate;
        Self { acoustics, lengths, balance: Balance::new(&acoustics, mean) }
    }
}

/// Both sections of the reflection of a wall, for one signal.
#[derive(Clone, Copy, Default)]
struct WallState([f64; 2]);

impl WallState {
    fn reflect(&mut self, wall: &AbsorptionFilter, x: f64) -> f64 {
        let Self([low, high]) = self;
        wall.high.step(wall.low.step(x, low), high)
    }

    fn settle(&mut self) {
        self.0.iter_mut().filter(|state| state.abs() < WALL_FLOOR).for_each(|state| *state = 0.0);
    }
}

/// Reflections and reverberation of one room at a time.
pub struct Reverberation {
    rate: f64,
    design: AbsorptionDesign,
    rooms: [PreparedRoom; ROOMS],
    /// The present room.
    kind: RoomType,
    room: Option<PreparedRoom>,
    decay_scale: f64,
    /// Reflection of a wall in the last and in this control block.
    wall: [AbsorptionFilter; 2],
    wall_gains: Gains,
    /// What arrives over one and over two walls, left and right.
    first: [ArrivalBuffer; 2],
    second: [ArrivalBuffer; 2],
    /// The first and the second wall, left and right.
    walls: [[WallState; 2]; 2],
    network: FeedbackNetwork,
}

impl Reverberation {
    /// Without a room, at `rate` [Hz]. Allocates for the largest room.
    pub fn new(rate: f64) -> Self {
        let rooms = RoomAcoustics::ALL.map(|acoustics| PreparedRoom::new(acoustics, rate));
        let longest = |line: usize| rooms.iter().map(|room| room.lengths[line]).max().unwrap_or(0);
        let longest_lines = std::array::from_fn(longest);
        let buffers = |order: u32| {
            let longest = rooms.iter().map(|room| ReflectedPaths::longest_delay(&room.acoustics, order, rate)).max().unwrap_or(0);
            [ArrivalBuffer::new(longest), ArrivalBuffer::new(longest)]
        };
        Self {
            rate,
            design: AbsorptionDesign::new(rate),
            first: buffers(1),
            second: buffers(2),
            rooms,
            kind: RoomType::Off,
            room: None,
            decay_scale: 1.0,
            wall: Default::default(),
            wall_gains: Gains::default(),
            walls: Default::default(),
            network: FeedbackNetwork::new(longest_lines),
        }
    }

    /// Whether nothing is in the room.
    pub fn is_silent(&self) -> bool {
        self.network.is_at_rest()
            && self.first.iter().chain(&self.second).all(ArrivalBuffer::is_empty)
            && self.walls.as_flattened().iter().all(|state| state.0 == [0.0; 2])
    }

    /// Removes all sound.
    pub fn clear(&mut self) {
        self.first.iter_mut().chain(&mut self.second).for_each(ArrivalBuffer::clear);
        self.walls = Default::default();
        self.network.rest();
    }

    /// An empty room whose reverberation times are `decay_scale` times its own. Costs nothing where it is the present one and silent.
    pub fn enter(&mut self, kind: RoomType, decay_scale: f64) {
        if kind == self.kind && decay_scale == self.decay_scale && self.is_silent() {
            return;
        }
        self.clear();
        (self.kind, self.decay_scale) = (kind, decay_scale);
        self.room = (kind as usize).checked_sub(1).and_then(|i| self.rooms.get(i).copied());
        if let Some(room) = self.room {
            let (wall, gains) = self.design.filter(room.acoustics.mean_free_time(), self.times(&room));
            (self.wall, self.wall_gains) = ([wall; 2], gains);
            self.network.set_room(room.lengths, self.times(&room), &self.design, self.rate);
        }
    }

    fn times(&self, room: &PreparedRoom) -> [f64; 3] {
        room.acoustics.reverberation_times.map(|time| self.decay_scale * time)
    }

    /// Changes the reverberation times to `decay_scale` times those of the room, in this and the next control blocks.
    pub fn set_decay_scale(&mut self, decay_scale: f64) {
        let Some(room) = self.room else { return };
        let is_moved = std::mem::replace(&mut self.decay_scale, decay_scale) != decay_scale;
        let times = self.times(&room);
        self.wall[0] = self.wall[1];
        if is_moved {
            self.wall[1] = self.design.change(&mut self.wall_gains, room.acoustics.mean_free_time(), times);
        }
        self.network.set_times(times, &self.design, self.rate);
    }

    /// Time after which a sound has fallen by 60 dB at the far pair [s]; 0 without a room.
    pub fn decay_time(&self) -> f64 {
        self.room.map_or(0.0, |room| self.decay_scale * room.acoustics.longest_time())
    }

    /// Adds `sound`, the control block before the next one, along its paths.
    pub fn add(&mut self, sound: &[f64; CONTROL_BLOCK], paths: &ReflectedPaths) {
        for side in 0..2 {
            paths.first[side].iter().for_each(|path| self.first[side].add(sound, path.delay, path.gain));
            paths.second[side].iter().for_each(|path| self.second[side].add(sound, path.delay, path.gain));
        }
    }

    /// Its sound in the next control block. The network rests once it is smaller than `floor`.
    pub fn process(&mut self, floor: f64) -> StereoBlock {
        let mut sound = [[0.0; CONTROL_BLOCK]; 2];
        let Some(PreparedRoom { balance, .. }) = self.room else { return sound };
        if self.is_silent() {
            return sound;
        }
        let mut second = [[0.0; CONTROL_BLOCK]; 2];
        for side in 0..2 {
            second[side] = self.second[side].take();
            sound[side] = self.first[side].take();
            let [last, wall] = self.wall;
            let is_moving = last != wall;
            for (n, (first, second)) in sound[side].iter_mut().zip(&mut second[side]).enumerate() {
                let wall = if is_moving { last.toward(&wall, (n + 1) as f64 / CONTROL_BLOCK as f64) } else { wall };
                *second = self.walls[1][side].reflect(&wall, *second);
                *first = self.walls[0][side].reflect(&wall, *first + *second);
            }
        }
        self.walls.as_flattened_mut().iter_mut().for_each(WallState::settle);
        let late = self.network.process(&second, floor);
        for (sound, late) in sound.as_flattened_mut().iter_mut().zip(late.as_flattened()) {
            *sound = balance.early * *sound + balance.late * late;
        }
        sound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48e3;

    /// The answer of a room to an impulse in the middle of the instrument, at the far pair's default.
    fn answer(kind: RoomType) -> [Vec<f64>; 2] {
        let mut room = Reverberation::new(RATE);
        room.enter(kind, 1.0);
        let [distance, spacing] = [ParamId::FarDistance, ParamId::FarSpacing].map(|id| id.spec().default);
        let acoustics = RoomAcoustics::of(kind).unwrap();
        let point = Point::at(FloorPosition::default());
        let paths = ReflectedPaths::new(point, PairPlacement { distance, spacing }, &acoustics, RATE);
        let mut sound = [0.0; CONTROL_BLOCK];
        sound[0] = 1.0;
        room.add(&sound, &paths);
        let mut heard = [Vec::new(), Vec::new()];
        for _ in 0..(5.0 * acoustics.longest_time() * RATE) as usize / CONTROL_BLOCK {
            heard.iter_mut().zip(room.process(1e-9)).for_each(|(heard, block)| heard.extend(block));
        }
        assert!(room.is_silent(), "{kind:?}");
        heard
    }

    /// The octave around 1 kHz of `sound`; an impulse keeps the energy 1.
    fn octave(sound: &[f64]) -> Vec<f64> {
        let filtered = |sound: &[f64]| {
            let (sin, cos) = (2.0 * PI * 1e3 / RATE).sin_cos();
            let (a0, a2, gain) = (1.0 + sin / 2.8, 1.0 - sin / 2.8, sin / 2.8);
            let (mut z1, mut z2) = (0.0, 0.0);
            let step = |x: &f64| {
                let y = (gain * x + z1) / a0;
                (z1, z2) = (z2 + 2.0 * cos * y, -gain * x - a2 * y);
                y
            };
            sound.iter().map(step).collect::<Vec<f64>>()
        };
        let mut impulse = vec![0.0; 4_800];
        impulse[0] = 1.0;
        let own: f64 = filtered(&filtered(&impulse)).iter().map(|x| x * x).sum();
        filtered(&filtered(sound)).iter().map(|x| x / own.sqrt()).collect()
    }

    /// Largest error of levels [dB]. In a booth few reflections make the octave.
    fn bound(kind: RoomType) -> f64 {
        if kind == RoomType::Booth { 2.4 } else { 0.8 }
    }

    /// Around 1 kHz.
    #[test]
    fn reflections_have_the_energy_of_the_sound() {
        for kind in RoomType::ALL.into_iter().skip(1) {
            let heard = answer(kind);
            let levels = heard.each_ref().map(|side| 10.0 * octave(side).iter().map(|x| x * x).sum::<f64>().log10());
            println!("{kind:?}: {levels:.2?} dB");
            assert!(levels.iter().all(|level| level.abs() < bound(kind)), "{kind:?}: {levels:.2?} dB");
        }
    }

    /// The network begins where the reflections end, at the level of statistical acoustics.
    #[test]
    fn reverberation_continues_the_reflections() {
        for kind in RoomType::ALL.into_iter().skip(1) {
            let room = PreparedRoom::new(RoomAcoustics::of(kind).unwrap(), RATE);
            let heard = answer(kind).map(|side| octave(&side));
            let time = room.acoustics.reverberation_times[1];
            let decay = 2.0 * 1000_f64.ln() / time;
            let window = (0.1 * time * RATE) as usize;
            let scale = room.balance.early.powi(2) * 4.0 * PI * SOUND / room.acoustics.volume() / decay;
            for k in 1..5 {
                let part = heard.iter().flat_map(|side| &side[k * window..(k + 1) * window]);
                let level = 10.0 * (0.5 * part.map(|x| x * x).sum::<f64>()).log10();
                let at = |k: usize| (-decay * (k * window) as f64 / RATE).exp();
                let expected = 10.0 * (scale * (at(k) - at(k + 1))).log10();
                println!("{kind:?}, {k}: {level:.1} dB, {expected:.1} dB");
                assert!(
                    (level - expected).abs() < 0.6 + bound(kind),
                    "{kind:?}, window {k}: {level} dB instead of {expected} dB"
                );
            }
        }
    }

    /// Both sides of the reverberation are different sounds.
    #[test]
    fn sides_are_not_correlated() {
        let heard = answer(RoomType::Hall);
        let late = heard.each_ref().map(|side| &side[24_000..96_000]);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let correlation = product(late[0], late[1]) / (product(late[0], late[0]) * product(late[1], late[1])).sqrt();
        assert!(correlation.abs() < 0.1, "{correlation}");
    }
}
