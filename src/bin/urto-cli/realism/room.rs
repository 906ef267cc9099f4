//! Simulated rooms: few recordings are dry, so a dry sound is also compared in the best of twelve rooms.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::io::Sound;
use crate::realism::distance::{Distance, Frames, distance};
use crate::realism::fourier::convolved;
use crate::realism::room_noise::{BandPass, NormalNoise};

/// Reverberation times [s].
const TIMES: [f64; 3] = [0.25, 0.7, 2.0];
/// Longest response [s].
const LONGEST: f64 = 1.5;
/// Levels of the reverberation [dB].
const LEVELS: [f64; 4] = [-24.0, -16.0, -8.0, 0.0];
/// Bands of the response [Hz], and their reverberation times over that of the lowest.
const BANDS: [(f64, f64, f64); 3] = [(40.0, 1000.0, 1.0), (1000.0, 4000.0, 0.8), (4000.0, f64::INFINITY, 0.5)];

/// A room, for reports.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Room {
    /// Reverberation time [s].
    pub time: f64,
    /// Level of the reverberation [dB].
    pub level: f64,
}

/// Responses of both sides of a room.
type Responses = [Vec<f64>; 2];

/// Responses of both sides: decaying noise of energy 1.
fn responses(time: f64, rate: f64, noise: &mut NormalNoise) -> Responses {
    let frames = (time.min(LONGEST) * rate) as usize;
    let mut sums = [vec![0.0; frames], vec![0.0; frames]];
    for (low, high, factor) in BANDS {
        let filter = BandPass::new(low, high.min(0.47 * rate), rate);
        let mut sides = [Vec::with_capacity(frames), Vec::with_capacity(frames)];
        (0..frames).for_each(|_| sides.iter_mut().for_each(|side| side.push(noise.next())));
        for (sum, side) in sums.iter_mut().zip(sides) {
            for (n, (sum, sample)) in sum.iter_mut().zip(filter.filtered(&side)).enumerate() {
                *sum += sample * (-6.91 * n as f64 / rate / (time * factor)).exp();
            }
        }
    }
    for sum in &mut sums {
        let energy: f64 = sum.iter().map(|sample| sample * sample).sum();
        sum.iter_mut().for_each(|sample| *sample /= energy.sqrt());
    }
    sums
}

/// The responses of all rooms at `rate` [Hz], computed once.
fn rooms(rate: u32) -> Arc<Vec<Responses>> {
    static COMPUTED: OnceLock<Mutex<HashMap<u32, Arc<Vec<Responses>>>>> = OnceLock::new();
    let mut computed = COMPUTED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let compute = || {
        let mut noise = NormalNoise::new();
        Arc::new(TIMES.map(|time| responses(time, f64::from(rate), &mut noise)).to_vec())
    };
    Arc::clone(computed.entry(rate).or_insert_with(compute))
}

/// The distance of `sound` from a recording, dry and in the best room. The room is `None` where the dry sound is nearest.
pub fn distances(recording: &Frames, frames: usize, sound: &Sound, range: f64) -> (Distance, Distance, Option<Room>) {
    let dry = Frames::new(sound, frames);
    let plain = distance(recording, &dry, range);
    let mono: Vec<f64> = (0..sound.frames())
        .map(|n| sound.channels.iter().map(|channel| channel[n]).sum::<f64>() / sound.channels.len() as f64)
        .collect();
    let (mut best, mut room) = (plain, None);
    for (time, responses) in TIMES.into_iter().zip(rooms(sound.rate).iter()) {
        let channels = responses.iter().map(|response| convolved(&mono, response)).collect();
        let wet = Frames::new(&Sound { channels, rate: sound.rate }, frames);
        for level in LEVELS {
            let found = distance(recording, &dry.plus(&wet, 10_f64.powf(level / 20.0)), range);
            if found.all < best.all {
                (best, room) = (found, Some(Room { time, level }));
            }
        }
    }
    (plain, best, room)
}
