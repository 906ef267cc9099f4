//! What one preset sounds like in figures: strokes on its home key, their contacts, partials, loudness and end.

use ebur128::EbuR128;
use serde::Serialize;
use urto_engine::body::{BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, PitchReference};
use urto_engine::{CEILING, Engine, EngineConfig, Event, NoteId};
use urto_physics::modal::Mode;

/// Sample rate [Hz].
pub const RATE: u32 = 48_000;
/// Strokes that are compared: the slowest, one whose speed is the geometric mean, the fastest.
const TRAVELS: [f64; 3] = [0.0, 0.5, 1.0];
/// Time in which contacts count [s].
const CONTACTS: f64 = 0.06;
/// Velocity at which presets are equally loud.
const PLAYED: f64 = 100.0 / 127.0;
/// Time over which partials are compared [s].
const LISTENED: f64 = 0.25;
/// Time in which the momentary loudness reaches its maximum [s].
const HEARD: f64 = 2.0;
/// Longest time that a preset may sound [s].
const LONGEST: u32 = 1200;

/// Figures of one preset, all on its home key.
#[derive(Clone, Debug, Serialize)]
pub struct Portrait {
    /// Its name.
    pub name: String,
    /// Its family.
    pub family: String,
    /// Its home key.
    pub key: u8,
    /// Whether it says that it has a pitch.
    pub pitched: bool,
    /// Highest momentary loudness (EBU R128, 400 ms) at velocity 100 [LUFS].
    pub loudness_lufs: f64,
    /// Highest sample at velocity 100 and at 127 [dB below full scale].
    pub peak_db: [f64; 2],
    /// What the limiter takes at velocity 127 [dB].
    pub limited_db: f64,
    /// Loudness of the mono sum below the mean of left and right [dB], at velocity 100.
    pub mono_db: f64,
    /// Time of the first contact of the slowest stroke, of one with the geometric mean of both speeds, and of the fastest [ms].
    pub contact_ms: [f64; 3],
    /// Most of the energy in the quarter of a second after the last contact of the fastest stroke is in this partial, left [Hz].
    pub main_hz: f64,
    /// Its time to -60 dB [s].
    pub main_t60_s: f64,
    /// Mean frequency of the partials in that time, by amplitude, for the three strokes [Hz].
    pub centroid_hz: [f64; 3],
    /// Time from a stroke at velocity 100, of a key held for half a second, until the engine sleeps [s]; none if it does not.
    pub asleep_s: Option<f64>,
    /// Whether every sample was finite and below the ceiling.
    pub sound: bool,
}

impl Portrait {
    /// Plays `patch` and looks.
    pub fn of(patch: &Patch) -> Self {
        let key = patch.settings.get(ParamId::HomeKey) as u8;
        let strokes = TRAVELS.map(|travel| Stroke::new(patch, key, travel));
        let modes = modes(patch, key);
        let spectra = strokes.each_ref().map(|stroke| Spectrum::new(&modes, &stroke.after));
        let main = spectra[2].main();
        let played = Played::new(patch, key, PLAYED);
        let loudest = Played::new(patch, key, 1.0);
        Self {
            name: patch.name.clone(),
            family: patch.family.clone(),
            key,
            pitched: matches!(patch.pitch, Some(PitchReference::By(_))),
            loudness_lufs: played.loudness(),
            peak_db: [&played, &loudest].map(|played| decibels(played.peak())),
            limited_db: -decibels(f64::from(loudest.lowest_gain)),
            mono_db: played.lost_in_mono(),
            contact_ms: strokes.each_ref().map(|stroke| 1e3 * stroke.contact),
            main_hz: modes[main].heard_frequency(),
            main_t60_s: 1000_f64.ln() / modes[main].sigma,
            centroid_hz: spectra.each_ref().map(Spectrum::centroid),
            asleep_s: asleep(patch, key),
            sound: [&played, &loudest].iter().all(|played| played.peak() <= f64::from(CEILING)),
        }
    }
}

fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

/// An engine that has just been struck with `velocity`, 0 to 1.
fn struck(patch: &Patch, key: u8, velocity: f64) -> (Engine, NoteId) {
    let mut engine = Engine::new(EngineConfig { voices: 2, ..EngineConfig::at(f64::from(RATE)) }, patch);
    let note = NoteId { voice: None, channel: 0, key };
    engine.event(&Event::NoteOn { note, velocity });
    (engine, note)
}

/// The partials of `key`.
fn modes(patch: &Patch, key: u8) -> Vec<Mode> {
    let (engine, _) = struck(patch, key, 1.0);
    let hertz = engine.tuning().hertz(key).unwrap_or(440.0);
    let pitch = BodyTuning::new(hertz, KeyScaling::default(), |knob| patch.settings.get(knob));
    let body = PreparedBody::of(patch);
    let fitting = body.modes_below_limit(&pitch, f64::from(RATE));
    let mut modes = vec![Mode::RIGID; body.suspensions() + fitting];
    body.modes(fitting, &pitch, f64::from(RATE), &mut modes);
    modes[body.rigid()..body.rigid() + fitting].to_vec()
}

/// One stroke, turned down so that nothing limits it.
struct Stroke {
    /// Time of the first contact [s].
    contact: f64,
    /// Left channel from the end of the last contact on, for [`LISTENED`].
    after: Vec<f32>,
}

impl Stroke {
    /// At `travel` between the slowest stroke, 0, and the fastest, 1, in equal ratios of speed.
    fn new(patch: &Patch, key: u8, travel: f64) -> Self {
        let mut quiet = patch.clone();
        quiet.settings.set(ParamId::Level, patch.settings.get(ParamId::Level) - 30.0);
        quiet.settings.set(ParamId::VelocityCurve, 1.0);
        let (mut engine, _) = struck(&quiet, key, (1.0 + 126.0 * travel) / 127.0);
        let frames = ((CONTACTS + LISTENED) * f64::from(RATE)) as usize;
        let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
        let (mut contact, mut last) = (f64::NAN, 0);
        for (frame, (left, right)) in left.chunks_mut(1).zip(right.chunks_mut(1)).enumerate() {
            engine.render(left, right, [&[]; 2]);
            if frame as f64 > CONTACTS * f64::from(RATE) {
                continue;
            }
            if let Some(hit) = engine.take_hit() {
                contact = if contact.is_nan() { hit.duration } else { contact };
                last = frame + 1;
            }
        }
        let listened = (LISTENED * f64::from(RATE)) as usize;
        Self { contact, after: left[last..last + listened.min(frames - last)].to_vec() }
    }
}

/// How much of a sound each partial explains.
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

/// One stroke as it comes out of the engine.
struct Played {
    left: Vec<f32>,
    right: Vec<f32>,
    lowest_gain: f32,
}

impl Played {
    fn new(patch: &Patch, key: u8, velocity: f64) -> Self {
        let frames = (HEARD * f64::from(RATE)) as usize;
        let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
        let (mut engine, _) = struck(patch, key, velocity);
        engine.render(&mut left, &mut right, [&[]; 2]);
        Self { left, right, lowest_gain: engine.take_meters().lowest_gain }
    }

    /// Largest |sample|; not a number if one is not.
    fn peak(&self) -> f64 {
        let larger = |peak: f64, x: &f32| if f64::from(x.abs()) <= peak { peak } else { f64::from(x.abs()) };
        self.left.iter().chain(&self.right).fold(0.0, larger)
    }

    /// Highest momentary loudness [LUFS].
    fn loudness(&self) -> f64 {
        let mut meter = EbuR128::new(2, RATE, ebur128::Mode::M).expect("two channels at 48 kHz");
        let hop = RATE as usize / 100;
        let mut highest = f64::NEG_INFINITY;
        for (left, right) in self.left.chunks(hop).zip(self.right.chunks(hop)) {
            meter.add_frames_planar_f32(&[left, right]).expect("two channels as long as each other");
            highest = highest.max(meter.loudness_momentary().expect("momentary loudness was asked for"));
        }
        highest
    }

    /// Energy of left and right, each alone, over that of their mean [dB].
    fn lost_in_mono(&self) -> f64 {
        let energy = |x: f64| x * x;
        let apart: f64 = self.left.iter().chain(&self.right).map(|&x| 0.5 * energy(f64::from(x))).sum();
        let mono: f64 = self.left.iter().zip(&self.right).map(|(&l, &r)| energy(0.5 * (f64::from(l) + f64::from(r)))).sum();
        10.0 * (apart / mono).log10()
    }
}

/// Time until the engine sleeps [s].
fn asleep(patch: &Patch, key: u8) -> Option<f64> {
    const BLOCK: usize = 4800;
    let (mut engine, note) = struck(patch, key, PLAYED);
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    for block in 1..=LONGEST * RATE / BLOCK as u32 {
        engine.render(&mut left, &mut right, [&[]; 2]);
        if block == RATE / 2 / BLOCK as u32 {
            engine.event(&Event::NoteOff { note, velocity: 0.5 });
        }
        if engine.is_asleep() {
            return Some(f64::from(block) * BLOCK as f64 / f64::from(RATE));
        }
    }
    None
}
