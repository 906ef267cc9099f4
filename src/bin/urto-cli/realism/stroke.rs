//! One stroke: a sound from 2 ms before its onset, recorded, or played by a preset.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, NoteId};
use urto_fourier::signal;

use crate::io::Sound;
use crate::realism::fourier::{padded_spectrum, quick_length, resampled};

/// Time before the onset [s].
const LEAD: f64 = 0.002;
/// Duration of the fade-out [s].
const FADE: f64 = 0.01;
/// Level at which a recording has begun, relative to the largest millisecond.
const AUDIBLE: f64 = 0.01;
/// Level of the onset, relative to the largest millisecond of the quarter second after the beginning.
const ONSET: f64 = 0.1;
/// Part by which one waveform is recognised [s].
const SAME_PART: f64 = 0.25;
/// Correlation above which two sounds are one waveform.
const SAME: f64 = 0.99;
/// Time by which a note is held longer than it is heard [s].
const HOLD: f64 = 0.1;

/// A key, its distance from the written pitch, and the velocity of a note.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// MIDI key; a fraction is tuned so.
    pub key: f64,
    /// Semitones by which the note is higher than its key.
    pub shift: f64,
    /// MIDI velocity, 1 to 127.
    pub velocity: u8,
}

/// Root mean square of all channels over one millisecond around every frame, for the first `frames` frames.
pub fn level(sound: &Sound, frames: usize) -> Vec<f64> {
    let width = (sound.rate / 1000).max(1) as usize;
    let (before, after) = (width - 1 - (width - 1) / 2, (width - 1) / 2);
    let frames = frames.min(sound.frames());
    let power = |n: usize| sound.channels.iter().map(|channel| channel[n] * channel[n]).sum::<f64>();
    let mut sums = vec![0.0; frames + after + 1];
    for n in 0..frames + after {
        sums[n + 1] = sums[n] + if n < sound.frames() { power(n) } else { 0.0 };
    }
    let count = (width * sound.channels.len()) as f64;
    (0..frames).map(|n| ((sums[n + after + 1] - sums[n.saturating_sub(before)]).max(0.0) / count).sqrt()).collect()
}

/// `sound` from 2 ms before the onset, at most `longest` seconds, faded out over 10 ms.
pub fn trimmed(sound: &Sound, longest: f64) -> Sound {
    let level = level(sound, sound.frames());
    let largest = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    let top = largest(&level);
    let first = level.iter().position(|&value| value > AUDIBLE * top).unwrap_or(0);
    let quarter = &level[first..(first + sound.rate as usize / 4).min(level.len())];
    let threshold = ONSET * largest(quarter);
    let onset = first + quarter.iter().position(|&value| value > threshold).unwrap_or(0);
    let lead = (LEAD * f64::from(sound.rate)) as usize;
    let frames = (sound.frames() + lead - onset).min((longest * f64::from(sound.rate)) as usize);
    let fade = FADE * f64::from(sound.rate);
    let cut = |channel: &Vec<f64>| {
        let sample = |n: usize| (n + onset).checked_sub(lead).and_then(|at| channel.get(at)).copied().unwrap_or(0.0);
        (0..frames).map(|n| sample(n) * (1.0_f64).min((frames - n) as f64 / fade)).collect()
    };
    Sound { channels: sound.channels.iter().map(cut).collect(), rate: sound.rate }
}

/// `sound` with exactly `frames` frames: cut, or followed by silence.
pub fn lasting(mut sound: Sound, frames: usize) -> Sound {
    sound.channels.iter_mut().for_each(|channel| channel.resize(frames, 0.0));
    sound
}

/// `sound` without its first `seconds`.
pub fn from_second(mut sound: Sound, seconds: f64) -> Sound {
    let skipped = ((seconds * f64::from(sound.rate)) as usize).min(sound.frames().saturating_sub(1));
    sound.channels.iter_mut().for_each(|channel| drop(channel.drain(..skipped)));
    sound
}

/// The same sound at `rate` [Hz].
pub fn at_rate(sound: &Sound, rate: u32) -> Sound {
    let frames = (sound.frames() as f64 * f64::from(rate) / f64::from(sound.rate)).round() as usize;
    Sound { channels: sound.channels.iter().map(|channel| resampled(channel, frames)).collect(), rate }
}

/// `sound` played faster, so that it is higher by `semitones`.
pub fn transposed(sound: &Sound, semitones: f64) -> Sound {
    let frames = (sound.frames() as f64 / 2_f64.powf(semitones / 12.0)) as usize;
    Sound { channels: sound.channels.iter().map(|channel| resampled(channel, frames)).collect(), rate: sound.rate }
}

/// One note of `patch` at `rate` [Hz], heard for `seconds`.
pub fn played(patch: &Patch, note: Note, rate: u32, seconds: f64) -> Sound {
    let semitones = note.key + note.shift;
    let key = semitones.round().clamp(0.0, 127.0);
    let mut patch = patch.clone();
    let pitch = patch.settings.get(ParamId::ConcertPitch) * 2_f64.powf((semitones - key) / 12.0);
    patch.settings.set(ParamId::ConcertPitch, pitch);
    let mut engine = Engine::new(EngineConfig::at(f64::from(rate)), &patch);
    let id = NoteId { voice: None, channel: 0, key: key as u8 };
    // rounded as in MIDI files: the rattle of snare wires is chaotic
    let velocity = f64::from(f32::from(note.velocity) / 127.0);
    engine.event(&Event::NoteOn { note: id, velocity });
    let frames = ((seconds + HOLD) * f64::from(rate)) as usize;
    let (mut left, mut right) = (vec![0.0_f32; frames], vec![0.0_f32; frames]);
    engine.render(&mut left, &mut right, [&[]; 2]);
    let channel = |samples: Vec<f32>| samples.into_iter().map(f64::from).collect();
    Sound { channels: vec![channel(left), channel(right)], rate }
}

/// Whether both sounds are one waveform at different gains: a stroke that a sampler made louder is no second stroke.
pub fn is_one_waveform(a: &Sound, b: &Sound) -> bool {
    let frames = a.frames().min(b.frames()).min((SAME_PART * f64::from(a.rate)) as usize);
    if a.rate != b.rate || frames == 0 {
        return false;
    }
    let long = quick_length(2 * frames);
    let bins = |sound: &Sound| padded_spectrum(sound.channels[0][..frames].to_vec(), long);
    let product = bins(a).iter().zip(bins(b)).map(|(a, b)| a * b.conj()).collect();
    let largest = signal(product, long).into_iter().fold(0.0, f64::max);
    let energy = |sound: &Sound| sound.channels[0][..frames].iter().map(|sample| sample * sample).sum::<f64>();
    largest > SAME * (energy(a) * energy(b)).sqrt()
}
