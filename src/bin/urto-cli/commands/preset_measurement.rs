//! Measurements of one preset on its home key, or of all zones of a kit: contacts, partials, loudness and duration.

use ebur128::EbuR128;
use serde::Serialize;
use urto_engine::body::{BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, PitchReference};
use urto_engine::{CEILING, Engine, EngineConfig, Event, NoteId};
use urto_physics::modal::Mode;

/// Sample rate [Hz].
pub const RATE: u32 = 48_000;
/// Compared strikes: the slowest, the geometric mean of both speeds, the fastest.
const SPEEDS: [f64; 3] = [0.0, 0.5, 1.0];
/// Time within which contacts are recorded [s].
const CONTACT_TIME: f64 = 0.06;
/// Velocity at which presets have equal loudness.
const REFERENCE_VELOCITY: f64 = 100.0 / 127.0;
/// Time over which partials are compared [s].
const PARTIAL_TIME: f64 = 0.25;
/// Time within which the momentary loudness reaches its maximum [s].
const LOUDNESS_TIME: f64 = 2.0;
/// Maximum duration of a preset that should end [s].
const MAX_DURATION: u32 = 1200;
/// Time after which the end of another preset is no longer waited for [s]. The longest built-in one takes 106 s.
const MAX_LASTING: u32 = 300;
/// Family of the presets that need not end.
const LASTING_FAMILY: &str = "lasting contact";

/// Measurements of one preset on its home key, or of the zones of a kit; the highest of all zones. Contacts and partials of a kit are NaN.
#[derive(Clone, Debug, Serialize)]
pub struct PresetMeasurement {
    /// Name of the preset.
    pub name: String,
    /// Family of the preset.
    pub family: String,
    /// Home key of the preset; `None` for a kit, which is played on the lowest key of every zone.
    pub key: Option<u8>,
    /// Whether the preset has a pitch.
    pub pitched: bool,
    /// Highest momentary loudness (EBU R128, 400 ms) at velocity 100 [LUFS].
    pub loudness_lufs: f64,
    /// Highest sample at velocity 100 and at 127 [dB below full scale].
    pub peak_db: [f64; 2],
    /// Gain reduction of the limiter at velocity 127 [dB].
    pub limited_db: f64,
    /// Loudness of the mono sum below the mean of left and right [dB], at velocity 100.
    pub mono_db: f64,
    /// Duration of the first contact of the slowest strike, of the geometric mean of both speeds, and of the fastest [ms].
    pub contact_ms: [f64; 3],
    /// The partial with the most energy in the 0.25 s after the last contact of the fastest strike, left channel [Hz].
    pub main_hz: f64,
    /// T60 of this partial [s].
    pub main_t60_s: f64,
    /// Spectral centroid by amplitude of the partials in that time, for the three strikes [Hz].
    pub centroid_hz: [f64; 3],
    /// Time from a note of 0.5 s at velocity 100 until the engine is asleep [s]; `None` if it takes longer than 20 minutes, or than 5 minutes without the need
    /// to end.
    pub asleep_s: Option<f64>,
    /// Whether every sample was finite and below the ceiling.
    pub sound: bool,
    /// Whether it should end: not a kit, whose zones may last, and without lasting contact. These are judged while played.
    #[serde(skip)]
    should_end: bool,
}

impl PresetMeasurement {
    /// Plays and measures `patch`.
    pub fn of(patch: &Patch) -> Self {
        let (keys, mut engine) = (played_keys(patch), engine(patch));
        let outputs = [REFERENCE_VELOCITY, 1.0].map(|velocity| KeySound::with_engine(&mut engine, &keys, velocity));
        let [reference, loudest] = &outputs;
        let highest =
            |outputs: &[KeySound], value: fn(&KeySound) -> f64| outputs.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        let lasts = patch.settings.is_driven() || patch.family == LASTING_FAMILY;
        let should_end = !lasts && patch.zones.is_empty();
        let limit = if should_end { MAX_DURATION } else { MAX_LASTING };
        Self {
            name: patch.name.clone(),
            family: patch.family.clone(),
            pitched: matches!(patch.pitch, Some(PitchReference::By(_))),
            loudness_lufs: highest(reference, KeySound::loudness),
            peak_db: [reference, loudest].map(|outputs| decibels(highest(outputs, KeySound::peak))),
            limited_db: highest(loudest, KeySound::limited),
            mono_db: highest(reference, KeySound::mono_loss),
            asleep_s: time_to_sleep(&mut engine, &keys, limit),
            sound: outputs.iter().flatten().all(|output| output.peak() <= f64::from(CEILING)),
            should_end,
            ..Self::of_body(patch)
        }
    }

    /// The measurements of contacts and partials; none of a kit, whose zones have bodies of their own.
    fn of_body(patch: &Patch) -> Self {
        if !patch.zones.is_empty() {
            return Self::default();
        }
        let key = patch.settings.get(ParamId::HomeKey) as u8;
        let strikes = SPEEDS.map(|speed| MeasuredStrike::new(patch, key, speed));
        let modes = modes(patch, key);
        let spectra = strikes.each_ref().map(|strike| Spectrum::new(&modes, &strike.after));
        let main = spectra[2].main();
        Self {
            key: Some(key),
            contact_ms: strikes.each_ref().map(|strike| 1e3 * strike.contact),
            main_hz: modes[main].heard_frequency(),
            main_t60_s: 1000_f64.ln() / modes[main].sigma,
            centroid_hz: spectra.each_ref().map(Spectrum::centroid),
            ..Self::default()
        }
    }

    /// Whether it does not end, and should.
    pub fn is_endless(&self) -> bool {
        self.should_end && self.asleep_s.is_none()
    }
}

impl Default for PresetMeasurement {
    /// Nothing measured: the numbers are NaN.
    fn default() -> Self {
        let none = f64::NAN;
        Self {
            name: String::new(),
            family: String::new(),
            key: None,
            pitched: false,
            loudness_lufs: none,
            peak_db: [none; 2],
            limited_db: none,
            mono_db: none,
            contact_ms: [none; 3],
            main_hz: none,
            main_t60_s: none,
            centroid_hz: [none; 3],
            asleep_s: None,
            sound: false,
            should_end: true,
        }
    }
}

/// The keys that are played: the home key, or the lowest key of every zone of a kit.
pub fn played_keys(patch: &Patch) -> Vec<u8> {
    let mut keys: Vec<u8> = patch.zones.iter().map(|zone| zone.keys.0).collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.is_empty() { vec![patch.settings.get(ParamId::HomeKey) as u8] } else { keys }
}

fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

/// An engine that plays `patch`.
fn engine(patch: &Patch) -> Engine {
    Engine::new(EngineConfig { voices: 2, ..EngineConfig::at(f64::from(RATE)) }, patch)
}

/// An engine after a strike with `velocity`, 0 to 1.
fn struck(patch: &Patch, key: u8, velocity: f64) -> (Engine, NoteId) {
    let mut engine = engine(patch);
    let note = NoteId { voice: None, channel: 0, key };
    engine.event(&Event::NoteOn { note, velocity });
    (engine, note)
}

/// The partials of `key`.
fn modes(patch: &Patch, key: u8) -> Vec<Mode> {
    let (engine, _) = struck(patch, key, 1.0);
    let hertz = engine.tuning().hertz(key).unwrap_or(440.0);
    let tuning = BodyTuning::new(hertz, KeyScaling::default(), |param| patch.settings.get(param));
    let body = PreparedBody::of(patch);
    let below_limit = body.modes_below_limit(&tuning, f64::from(RATE));
    let mut modes = vec![Mode::RIGID; body.suspensions() + below_limit];
    body.modes(below_limit, &tuning, f64::from(RATE), &mut modes);
    modes[body.rigid()..body.rigid() + below_limit].to_vec()
}

/// One strike, 30 dB below the preset's level so that the limiter is inactive.
struct MeasuredStrike {
    /// Duration of the first contact [s].
    contact: f64,
    /// Left channel after the last contact, for [`PARTIAL_TIME`].
    after: Vec<f32>,
}

impl MeasuredStrike {
    /// A strike at `speed` between the slowest, 0, and the fastest, 1, on a logarithmic scale.
    fn new(patch: &Patch, key: u8, speed: f64) -> Self {
        let mut quiet = patch.clone();
        quiet.settings.set(ParamId::Level, patch.settings.get(ParamId::Level) - 30.0);
        quiet.settings.set(ParamId::VelocityCurve, 1.0);
        let (mut engine, _) = struck(&quiet, key, (1.0 + 126.0 * speed) / 127.0);
        let frames = ((CONTACT_TIME + PARTIAL_TIME) * f64::from(RATE)) as usize;
        let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
        let (mut contact, mut last) = (f64::NAN, 0);
        for (frame, (left, right)) in left.chunks_mut(1).zip(right.chunks_mut(1)).enumerate() {
            engine.render(left, right, [&[]; 2]);
            if frame as f64 > CONTACT_TIME * f64::from(RATE) {
                continue;
            }
            if let Some(hit) = engine.take_hit() {
                contact = if contact.is_nan() { hit.duration } else { contact };
                last = frame + 1;
            }
        }
        let length = (PARTIAL_TIME * f64::from(RATE)) as usize;
        Self { contact, after: left[last..last + length.min(frames - last)].to_vec() }
    }
}

/// The energy of each partial in a sound.
struct Spectrum<'a> {
    modes: &'a [Mode],
    /// Energy of the sound's projection on the decaying partial.
    energies: Vec<f64>,
}

impl<'a> Spectrum<'a> {
    fn new(modes: &'a [Mode], sound: &[f32]) -> Self {
        Self { modes, energies: modes.iter().map(|mode| projection(mode, sound)).collect() }
    }

    fn main(&self) -> usize {
        (0..self.modes.len()).max_by(|&a, &b| self.energies[a].total_cmp(&self.energies[b])).unwrap_or(0)
    }

    fn centroid(&self) -> f64 {
        let amplitudes = || self.energies.iter().map(|energy| energy.sqrt());
        let weighted: f64 = self.modes.iter().zip(amplitudes()).map(|(mode, amplitude)| mode.heard_frequency() * amplitude).sum();
        weighted / amplitudes().sum::<f64>()
    }
}

/// Energy of the projection of `sound` on e^{-sigma t} e^{i omega t}: |<sound, e>|^2/<e, e>.
fn projection(mode: &Mode, sound: &[f32]) -> f64 {
    let step = 1.0 / f64::from(RATE);
    let (turn_sin, turn_cos) = (std::f64::consts::TAU * mode.heard_frequency() * step).sin_cos();
    let shrink = (-mode.sigma * step).exp();
    let (mut cos, mut sin) = (1.0, 0.0);
    let (mut with_cos, mut with_sin, mut norm) = (0.0, 0.0, 0.0);
    for &x in sound {
        with_cos += f64::from(x) * cos;
        with_sin += f64::from(x) * sin;
        norm += cos * cos + sin * sin;
        (cos, sin) = (shrink * (cos * turn_cos - sin * turn_sin), shrink * (cos * turn_sin + sin * turn_cos));
    }
    (with_cos * with_cos + with_sin * with_sin) / norm
}

/// The output of the engine for one strike.
pub struct KeySound {
    /// Left channel.
    pub left: Vec<f32>,
    /// Right channel.
    pub right: Vec<f32>,
    lowest_gain: f32,
}

impl KeySound {
    /// One strike on each of `keys` of `patch` at velocity 100, each after silence.
    pub fn of_keys(patch: &Patch, keys: &[u8]) -> Vec<Self> {
        Self::with_engine(&mut engine(patch), keys, REFERENCE_VELOCITY)
    }

    /// One strike on each of `keys`, each after silence.
    fn with_engine(engine: &mut Engine, keys: &[u8], velocity: f64) -> Vec<Self> {
        let frames = (LOUDNESS_TIME * f64::from(RATE)) as usize;
        let strike = |&key: &u8| {
            engine.reset();
            engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity });
            let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
            engine.render(&mut left, &mut right, [&[]; 2]);
            Self { left, right, lowest_gain: engine.take_meters().lowest_gain }
        };
        keys.iter().map(strike).collect()
    }

    /// Gain reduction of the limiter [dB].
    fn limited(&self) -> f64 {
        -decibels(f64::from(self.lowest_gain))
    }

    /// Largest |sample|; NaN if one is NaN.
    fn peak(&self) -> f64 {
        let larger = |peak: f64, x: &f32| if f64::from(x.abs()) <= peak { peak } else { f64::from(x.abs()) };
        self.left.iter().chain(&self.right).fold(0.0, larger)
    }

    /// Highest momentary loudness [LUFS].
    pub fn loudness(&self) -> f64 {
        let mut meter = EbuR128::new(2, RATE, ebur128::Mode::M).expect("two channels at 48 kHz");
        let hop = RATE as usize / 100;
        let mut highest = f64::NEG_INFINITY;
        for (left, right) in self.left.chunks(hop).zip(self.right.chunks(hop)) {
            meter.add_frames_planar_f32(&[left, right]).expect("two channels as long as each other");
            highest = highest.max(meter.loudness_momentary().expect("momentary loudness was asked for"));
        }
        highest
    }

    /// Energy of left and right relative to their mean [dB].
    fn mono_loss(&self) -> f64 {
        let energy = |x: f64| x * x;
        let stereo: f64 = self.left.iter().chain(&self.right).map(|&x| 0.5 * energy(f64::from(x))).sum();
        let mono: f64 = self.left.iter().zip(&self.right).map(|(&l, &r)| energy(0.5 * (f64::from(l) + f64::from(r)))).sum();
        10.0 * (stereo / mono).log10()
    }
}

/// Time until the engine is asleep after notes of 0.5 s on all `keys` at once [s]; `None` if it is longer than `limit` [s].
fn time_to_sleep(engine: &mut Engine, keys: &[u8], limit: u32) -> Option<f64> {
    const BLOCK: usize = 4800;
    engine.reset();
    let notes = || keys.iter().map(|&key| NoteId { voice: None, channel: 0, key });
    notes().for_each(|note| engine.event(&Event::NoteOn { note, velocity: REFERENCE_VELOCITY }));
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    for block in 1..=limit * RATE / BLOCK as u32 {
        engine.render(&mut left, &mut right, [&[]; 2]);
        if block == RATE / 2 / BLOCK as u32 {
            notes().for_each(|note| engine.event(&Event::NoteOff { note, velocity: 0.5 }));
        }
        if engine.is_asleep() {
            return Some(f64::from(block) * BLOCK as f64 / f64::from(RATE));
        }
    }
    None
}
