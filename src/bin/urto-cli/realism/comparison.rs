//! The measures of a pair of strokes, a recording and what is compared with it, and whether they agree.

use serde::Serialize;

use crate::io::Sound;
use crate::realism::distance::{Distance, Frames, median};
use crate::realism::partials::shared;
use crate::realism::pitch_pattern::Agreement;
use crate::realism::portrait::Portrait;
use crate::realism::room::{Room, distances};

/// Gains by which the partials of the second stroke may count higher [dB].
const GAINS: [f64; 7] = [-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0];

/// One stroke with its figures.
pub struct Stroke {
    /// The sound, from 2 ms before its onset.
    pub sound: Sound,
    /// Its figures.
    pub portrait: Portrait,
}

impl Stroke {
    /// A stroke out of a trimmed sound.
    pub fn new(sound: Sound) -> Self {
        Self { portrait: Portrait::of(&sound), sound }
    }
}

/// How far a sound is from a recording. `None` where a measure does not apply to both.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Distances of the mel spectrograms [dB].
    pub distance: Distance,
    /// Distance in the best room [dB].
    pub in_room: f64,
    /// That room; `None` if the dry sound is nearest.
    pub room: Option<Room>,
    /// Numbers of partials of the recording and of the sound.
    pub partials: [usize; 2],
    /// Octaves between these numbers.
    pub partials_apart: f64,
    /// Share of the recording's partials that the sound has, and of the sound's that the recording has.
    pub shared: [f64; 2],
    /// Flatness from 2 to 8 kHz.
    pub flatness: [Option<f64>; 2],
    /// How unsteadily narrow bands decay [dB].
    pub unsteadiness: [Option<f64>; 2],
    /// Level between the partials in the first 60 ms [dB].
    pub between_early: [Option<f64>; 2],
    /// Level between the partials from 100 to 400 ms [dB].
    pub between_late: [Option<f64>; 2],
    /// Largest difference of the glides [cents].
    pub glide_apart: Option<f64>,
    /// Glides at 20, 50, 100 and 150 ms [cents].
    pub glide: [Option<[f64; 4]>; 2],
    /// Mean difference of the spectra of the first 20 ms [dB].
    pub attack_spectrum: f64,
    /// Mean difference of the envelopes of the first 20 ms [dB].
    pub attack_envelope: f64,
    /// Centroid at 20 ms [Hz].
    pub centroid_early: [Option<f64>; 2],
    /// Centroid at 300 ms [Hz].
    pub centroid_late: [Option<f64>; 2],
    /// Median difference of the decay times by octave [octaves].
    pub decay_apart: Option<f64>,
    /// Times to -60 dB in the octaves around 63, 125, .. 16000 Hz [s].
    pub t60: [[Option<f64>; 9]; 2],
    /// Side over mid [dB].
    pub width: [Option<f64>; 2],
    /// By how much the sound is higher.
    pub tuning: Agreement,
}

impl Comparison {
    /// Compares `sound` with `recording` over the length that both have; `range`: how far below the maximum levels count [dB].
    pub fn of(recording: &Stroke, sound: &Stroke, range: f64) -> Self {
        let frames = recording.sound.frames().min(sound.sound.frames());
        let wanted = Frames::new(&recording.sound, frames);
        let (distance, in_room, room) = distances(&wanted, frames, &sound.sound, range);
        let both = [&recording.portrait, &sound.portrait];
        let [a, b] = both;
        let counts = both.map(|portrait| portrait.partials.len());
        let best = |of: &Portrait, among: &Portrait| {
            GAINS.iter().map(|&gain| shared(&of.partials, &among.partials, gain)).fold(0.0, f64::max)
        };
        let [attack_spectrum, attack_envelope] = a.attack.differences(&b.attack);
        let t60 = both.map(|portrait| portrait.t60);
        let decays: Vec<f64> = longer_decays(&t60).into_iter().flatten().map(f64::abs).collect();
        Self {
            distance,
            in_room: in_room.all,
            room,
            partials: counts,
            partials_apart: ((counts[1] + 1) as f64 / (counts[0] + 1) as f64).log2(),
            shared: [best(a, b), best(b, a)],
            flatness: both.map(Portrait::judged_flatness),
            unsteadiness: both.map(|portrait| portrait.unsteadiness),
            between_early: both.map(|portrait| portrait.between[0]),
            between_late: both.map(|portrait| portrait.between[1]),
            glide_apart: a.glide.zip(b.glide).and_then(|(a, b)| a.difference(&b)),
            glide: both.map(|portrait| portrait.glide.map(|glide| glide.cents)),
            attack_spectrum,
            attack_envelope,
            centroid_early: both.map(|portrait| portrait.centroid[0]),
            centroid_late: both.map(|portrait| portrait.centroid[1]),
            decay_apart: (!decays.is_empty()).then(|| median(decays)),
            t60,
            width: both.map(|portrait| portrait.width),
            tuning: a.pattern.agreement(&b.pattern),
        }
    }
}

/// By how much the sound decays longer than the recording in each octave [octaves of time]; `None` where one of both has no decay.
pub fn longer_decays([recording, sound]: &[[Option<f64>; 9]; 2]) -> [Option<f64>; 9] {
    std::array::from_fn(|octave| Some((sound[octave]? / recording[octave]?).log2()))
}
