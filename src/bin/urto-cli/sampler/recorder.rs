//! Records strokes of a preset: each one alone, to its end, trimmed at -90 dB.
//!
//! The first stroke of a key and velocity is the preset's own. Round robins are further strokes that vary in place, speed and mass as a
//! player's do (the parameters of Humanise, with a seed for each) and have the level of the first one.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{CEILING, Engine, EngineConfig, Event, NoteId};

/// Level below the peak at which a sample begins and ends [dB].
const TRIM_DB: f64 = -90.0;
/// Level below the peak at which rendering ends once the sound stayed below it for [`QUIET_TIME`] [dB].
const QUIET_DB: f64 = -96.0;
/// See [`QUIET_DB`] [s].
const QUIET_TIME: f64 = 0.5;
/// Time over which levels are compared [s].
const LEVEL_TIME: f64 = 0.4;
/// Fade at the end of a sample that has ended, and of one that was cut off [s].
const FADES: [f64; 2] = [0.002, 0.05];
/// Frames that are rendered at a time.
const BLOCK: usize = 1024;
/// Smallest variation of round robins: strike position, speed and hammer mass [octaves], as for the parameters of Humanise.
const VARIATION: [(ParamId, f64); 3] = [(ParamId::HumanPosition, 0.03), (ParamId::HumanSpeed, 0.1), (ParamId::HumanMass, 0.06)];
/// Number of seeds of Humanise.
const SEEDS: u64 = 1000;

/// What a recording may take.
#[derive(Clone, Copy, Debug)]
pub struct RecorderLimits {
    /// Sample rate [Hz].
    pub rate: u32,
    /// Longest sample [s].
    pub max_length: f64,
}

/// One stroke as a stereo sample, full scale 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Left channel.
    pub left: Vec<f32>,
    /// Right channel.
    pub right: Vec<f32>,
    /// Whether it was cut off before its end.
    pub is_cut: bool,
    /// Root of the mean square of both channels over the first 0.4 s.
    pub level: f64,
}

impl Sample {
    /// Largest |sample|.
    pub fn peak(&self) -> f32 {
        self.left.iter().chain(&self.right).fold(0.0, |peak, x| peak.max(x.abs()))
    }

    fn measure_level(&mut self, rate: u32) {
        let frames = (LEVEL_TIME * f64::from(rate)) as usize;
        let part = self.left.iter().take(frames).chain(self.right.iter().take(frames));
        let energy: f64 = part.map(|&x| f64::from(x).powi(2)).sum();
        self.level = (energy / (2 * frames) as f64).sqrt();
    }

    fn scale(&mut self, gain: f32) {
        self.left.iter_mut().chain(&mut self.right).for_each(|x| *x *= gain);
    }
}

/// Records the strokes of one key.
pub struct Recorder<'a> {
    patch: &'a Patch,
    limits: RecorderLimits,
    /// Plays the preset as it is.
    plain: Engine,
    /// Plays strokes that vary; made when it is needed.
    varied: Option<Engine>,
    key: u8,
}

impl<'a> Recorder<'a> {
    /// A recorder of `key`.
    pub fn new(patch: &'a Patch, key: u8, limits: RecorderLimits) -> Self {
        let mut plain = patch.clone();
        plain.settings.set(ParamId::HumanTime, 0.0);
        Self { patch, limits, plain: engine(&plain, limits.rate), varied: None, key }
    }

    /// The strokes at `velocity`, 1 to 127, as many as `round_robins`; fewer if the key is silent.
    pub fn strokes(&mut self, velocity: u8, round_robins: usize) -> Vec<Sample> {
        let Some(first) = record(&mut self.plain, self.key, velocity, self.limits) else { return Vec::new() };
        let level = first.level;
        let mut strokes = vec![first];
        for round in 1..round_robins {
            let seed = (u64::from(self.key) * 131 + u64::from(velocity) * 17 + round as u64 * 337) % SEEDS;
            let varied = self.varied.get_or_insert_with(|| engine(&varied(self.patch), self.limits.rate));
            varied.event(&Event::Set { param: ParamId::HumanSeed, value: seed as f64 });
            if let Some(mut stroke) = record(varied, self.key, velocity, self.limits) {
                let gain = (level / stroke.level).min(f64::from(CEILING / stroke.peak()));
                stroke.scale(gain as f32);
                stroke.level *= gain;
                strokes.push(stroke);
            }
        }
        strokes
    }

    /// The level of a stroke at `velocity`, as [`Sample::level`]; 0 for a silent key.
    pub fn level(&mut self, velocity: u8) -> f64 {
        let limits = RecorderLimits { max_length: LEVEL_TIME, ..self.limits };
        record(&mut self.plain, self.key, velocity, limits).map_or(0.0, |sample| sample.level)
    }
}

/// `patch` with strokes that vary at least by [`VARIATION`].
fn varied(patch: &Patch) -> Patch {
    let mut varied = patch.clone();
    varied.settings.set(ParamId::HumanTime, 0.0);
    for (param, least) in VARIATION {
        varied.settings.set(param, patch.settings.get(param).max(least));
    }
    varied
}

fn engine(patch: &Patch, rate: u32) -> Engine {
    Engine::new(EngineConfig { voices: 4, ..EngineConfig::at(f64::from(rate)) }, patch)
}

/// One stroke after silence, trimmed; `None` if it is silent.
fn record(engine: &mut Engine, key: u8, velocity: u8, limits: RecorderLimits) -> Option<Sample> {
    engine.reset();
    let note = NoteId { voice: None, channel: 0, key };
    engine.event(&Event::NoteOn { note, velocity: f64::from(f32::from(velocity) / 127.0) });
    let seconds = |time: f64| (time * f64::from(limits.rate)) as usize;
    let (quiet_frames, longest) = (seconds(QUIET_TIME), seconds(limits.max_length).max(BLOCK));
    let (mut left, mut right, mut peak, mut quiet) = (Vec::new(), Vec::new(), 0.0_f32, 0);
    while (left.is_empty() || !engine.is_asleep()) && quiet < quiet_frames && left.len() < longest {
        let start = left.len();
        let end = longest.min(start + BLOCK);
        left.resize(end, 0.0);
        right.resize(end, 0.0);
        engine.render(&mut left[start..], &mut right[start..], [&[]; 2]);
        let highest = left[start..].iter().chain(&right[start..]).fold(0.0_f32, |peak, x| peak.max(x.abs()));
        peak = peak.max(highest);
        quiet = if highest <= amplitude(QUIET_DB) * peak { quiet + end - start } else { 0 };
    }
    let is_cut = left.len() >= longest && quiet < quiet_frames && !engine.is_asleep();
    let is_audible = |n: &usize| left[*n].abs().max(right[*n].abs()) > amplitude(TRIM_DB) * peak;
    let first = (0..left.len()).find(is_audible)?;
    let last = (0..left.len()).rfind(is_audible)?;
    let mut sample = Sample { left: left[first..=last].to_vec(), right: right[first..=last].to_vec(), is_cut, level: 0.0 };
    sample.measure_level(limits.rate);
    let fade = seconds(FADES[usize::from(is_cut)]).min(last + 1 - first);
    for channel in [&mut sample.left, &mut sample.right] {
        for (n, x) in channel.iter_mut().rev().take(fade).enumerate() {
            *x *= n as f32 / fade as f32;
        }
    }
    Some(sample)
}

fn amplitude(decibels: f64) -> f32 {
    10.0_f64.powf(decibels / 20.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: RecorderLimits = RecorderLimits { rate: 48_000, max_length: 20.0 };

    fn short_patch() -> Patch {
        let mut patch = Patch::default();
        patch.settings.set(ParamId::Decay, 0.2);
        patch
    }

    #[test]
    fn samples_end_at_minus_90_db() {
        let patch = short_patch();
        let strokes = Recorder::new(&patch, 60, LIMITS).strokes(100, 1);
        let (sample, peak) = (&strokes[0], strokes[0].peak());
        let level = |n: usize| f64::from(sample.left[n].abs().max(sample.right[n].abs()) / peak);
        assert!(!sample.is_cut && level(0) > 10_f64.powf(-4.5));
        // before the fade, the sound is at -90 dB within one period of the key
        let frames = sample.left.len() - 96;
        let end = (frames - 240..frames).map(level).fold(0.0, f64::max);
        let db = 20.0 * end.log10();
        assert!((-90.5..-87.0).contains(&db), "{db} dB after {frames} frames");
    }

    #[test]
    fn round_robins_differ_and_have_the_level_of_the_first() {
        let patch = short_patch();
        let strokes = Recorder::new(&patch, 60, LIMITS).strokes(100, 4);
        assert_eq!(strokes.len(), 4);
        let norm = |stroke: &Sample| stroke.left.iter().take(9_600).map(|x| f64::from(x * x)).sum::<f64>().sqrt();
        for (i, stroke) in strokes.iter().enumerate() {
            assert!((stroke.level / strokes[0].level - 1.0).abs() < 1e-6, "{i}");
            for other in &strokes[..i] {
                let pairs = stroke.left.iter().zip(&other.left).take(9_600);
                let difference = pairs.map(|(a, b)| f64::from((a - b).powi(2))).sum::<f64>().sqrt();
                let db = 20.0 * (difference / norm(stroke)).log10();
                println!("{db:.1} dB");
                assert!(db > -40.0, "{i} is the same stroke: {db} dB");
            }
        }
        assert_eq!(Recorder::new(&patch, 60, LIMITS).strokes(100, 4), strokes);
    }

    #[test]
    fn a_sound_without_an_end_is_cut_with_a_fade() {
        let patch = Patch::default();
        let limits = RecorderLimits { max_length: 0.1, ..LIMITS };
        let sample = &Recorder::new(&patch, 60, limits).strokes(127, 1)[0];
        assert!(sample.is_cut && sample.left.len() <= 4_800);
        assert_eq!(sample.left.last(), Some(&0.0));
    }
}
