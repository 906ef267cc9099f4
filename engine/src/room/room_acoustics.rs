//! The rooms: size and reverberation times, and what follows from them.
//!
//! ```text
//! l = 4 V/S                            mean distance between reflections in a volume V with walls of the area S
//! e(t) = 4 pi c r0^2/V e^(-13.8 t/T)   energy of the reverberation per time, over that of the direct sound at r0 (Kuttruff, Room Acoustics, ch. 5)
//! ```

use crate::params::RoomType;
use urto_physics::radiation::SOUND;

/// Frequencies of the reverberation times [Hz].
pub const BANDS: [f64; 3] = [125.0, 1e3, 8e3];

/// Number of rooms.
pub const ROOMS: usize = RoomType::ALL.len() - 1;

/// Number of lines of the reverberation.
pub const LINES: usize = 16;

/// Modes per Hz and second of reverberation.
const MODE_DENSITY: f64 = 0.15;

/// A box, and how long it reverberates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomAcoustics {
    /// Width, length and height [m].
    pub size: [f64; 3],
    /// Times to -60 dB at [`BANDS`] [s].
    pub reverberation_times: [f64; 3],
}

/// Dry booth for one player: 18 m³, all walls absorb.
const BOOTH: RoomAcoustics = RoomAcoustics { size: [2.4, 3.1, 2.4], reverberation_times: [0.26, 0.18, 0.14] };

/// Recording room of 230 m³. 0.4 to 0.7 s are usual for music at this volume (Everest, Master Handbook of Acoustics).
const STUDIO: RoomAcoustics = RoomAcoustics { size: [6.4, 9.1, 4.0], reverberation_times: [0.62, 0.50, 0.40] };

/// Echo chamber of 110 m³ with plastered walls. At 8 kHz the air alone limits it to 1.7 s (ISO 9613-1 at 20 °C and 50 %: 0.105 dB/m).
const CHAMBER: RoomAcoustics = RoomAcoustics { size: [4.6, 6.7, 3.6], reverberation_times: [2.8, 2.4, 0.85] };

/// Shoebox hall of the size and the mid-frequency time of the Musikverein in Vienna, with audience: 2.0 s (Beranek, Concert Halls and Opera Houses).
const HALL: RoomAcoustics = RoomAcoustics { size: [19.1, 48.8, 17.7], reverberation_times: [2.25, 2.0, 0.95] };

/// Stone church of 19,000 m³.
const CHURCH: RoomAcoustics = RoomAcoustics { size: [22.0, 48.0, 18.0], reverberation_times: [5.6, 4.6, 1.25] };

impl RoomAcoustics {
    /// The rooms in the order of [`RoomType`], without `Off`.
    pub const ALL: [Self; ROOMS] = [BOOTH, STUDIO, CHAMBER, HALL, CHURCH];

    /// That of a room; none for `Off`.
    pub fn of(kind: RoomType) -> Option<Self> {
        (kind as usize).checked_sub(1).and_then(|i| Self::ALL.get(i).copied())
    }

    /// Volume [m³].
    pub fn volume(&self) -> f64 {
        self.size.iter().product()
    }

    /// Mean time between two reflections [s].
    pub fn mean_free_time(&self) -> f64 {
        let [width, length, height] = self.size;
        4.0 * self.volume() / (2.0 * (width * length + length * height + height * width)) / SOUND
    }

    /// Mean time of the lines of the reverberation [s]: that between two reflections, or as long as needed for 0.15 modes per Hz and second of
    /// reverberation, below which single modes are heard (Jot and Chaigne 1991).
    pub fn line_time(&self) -> f64 {
        self.mean_free_time().max(MODE_DENSITY * self.reverberation_times[1] / LINES as f64)
    }

    /// Longest reverberation time of the three bands [s].
    pub fn longest_time(&self) -> f64 {
        self.reverberation_times.into_iter().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_grow_from_the_booth_to_the_church() {
        assert_eq!(RoomAcoustics::of(RoomType::Off), None);
        assert_eq!(RoomAcoustics::of(RoomType::Hall), Some(HALL));
        assert!((HALL.volume() - 16_498.0).abs() < 1.0 && (HALL.mean_free_time() * SOUND - 15.46).abs() < 0.01);
        for room in RoomAcoustics::ALL {
            let [low, middle, high] = room.reverberation_times;
            assert!(low > middle && middle > high && high < 1.7);
        }
    }
}
