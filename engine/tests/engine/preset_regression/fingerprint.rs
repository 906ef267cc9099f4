//! Fingerprint of the sound of a preset: figures that a change of sound moves and a change of rounding does not.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, NoteId};

/// Rate [Hz].
const RATE: usize = 48_000;
/// Windows of the envelope, and the frames of each.
const WINDOWS: usize = 16;
const WINDOW: usize = RATE / 8;
/// What counts as silence [dB].
const SILENCE: f64 = -90.0;
/// Most partials that are kept, and how far below the strongest they may be [dB].
const PARTIALS: (usize, f64) = (6, 30.0);
/// How far a partial may be from where it was [cents], [dB].
pub const PARTIAL_TOLERANCE: (f64, f64) = (3.0, 1.0);
/// How far level and envelope may be from where they were at least [dB].
pub const LEVEL_TOLERANCE: f64 = 0.25;
/// Blows and hammers that differ by less than anybody hears: what they change is chance, not sound. So many that the largest of their changes is
/// rarely passed twice over, as by the other sine and exponential functions of Windows.
const NUDGES: [f64; 12] = [1e-7, -1e-7, 3e-8, -3e-8, 2e-7, -2e-7, 5e-8, -5e-8, 7e-8, -7e-8, 1.5e-8, -1.5e-8];

/// A peak of the spectrum: frequency [Hz] and level [dB].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    pub hertz: f64,
    pub level: f64,
}

/// The figures of one preset. Levels in dB of full scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Fingerprint {
    pub name: String,
    /// Of the whole phrase.
    pub level: f64,
    /// Of each window.
    pub envelope: Vec<f64>,
    /// How far level and envelope may move: more than the least where the contact is chaotic.
    pub tolerance: [f64; 2],
    /// The strongest first.
    pub partials: Vec<Partial>,
}

impl Fingerprint {
    /// Plays the phrase as it is.
    pub fn of(patch: &Patch) -> Self {
        Self::nudged(patch, 0.0)
    }

    /// As [`Fingerprint::of`], with what a nudge of every blow and of the hammer would move: the tolerance holds it, and partials that it moves are out.
    pub fn steady(patch: &Patch) -> Self {
        let mut plain = Self::of(patch);
        for nudge in &NUDGES {
            let other = Self::nudged(patch, *nudge);
            let moved = plain.moved(&other);
            for (tolerance, moved) in plain.tolerance.iter_mut().zip(moved) {
                *tolerance = tolerance.max((20.0 * moved).ceil() / 10.0);
            }
            plain.partials.retain(|partial| other.has(partial));
        }
        plain
    }

    fn nudged(patch: &Patch, nudge: f64) -> Self {
        let sound = phrase(patch, nudge);
        let power = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>() / part.len() as f64;
        let level = |part: &[f64]| (10.0 * power(part).log10()).max(SILENCE);
        let envelope = sound.chunks_exact(WINDOW).map(level).collect();
        Self {
            name: patch.name.clone(),
            level: level(&sound),
            envelope,
            tolerance: [LEVEL_TOLERANCE; 2],
            partials: partials(&sound),
        }
    }

    /// Distance of the levels and largest distance of the envelopes [dB]; quiet windows are weighted by their level within the loudest 60 dB.
    pub fn moved(&self, other: &Self) -> [f64; 2] {
        let loudest = self.envelope.iter().fold(SILENCE, |loudest, &level| loudest.max(level));
        let floor = |level: f64| level.max(loudest - 60.0);
        let windows = self.envelope.iter().zip(&other.envelope).map(|(a, b)| (floor(*a) - floor(*b)).abs());
        [(self.level - other.level).abs(), windows.fold(0.0, f64::max)]
    }

    /// Whether a peak is where `partial` was.
    pub fn has(&self, partial: &Partial) -> bool {
        let near = |found: &&Partial| 1200.0 * (found.hertz / partial.hertz).log2().abs() <= PARTIAL_TOLERANCE.0;
        self.partials.iter().filter(near).any(|found| (found.level - partial.level).abs() <= PARTIAL_TOLERANCE.1)
    }

    /// One line of the file.
    pub fn line(&self) -> String {
        let list = |values: &[f64]| values.iter().map(|x| format!("{x:.2}")).collect::<Vec<_>>().join(" ");
        let partials: Vec<_> = self.partials.iter().map(|p| format!("{:.2}@{:.2}", p.hertz, p.level)).collect();
        format!("{},{:.2},{},{},{}", self.name, self.level, list(&self.tolerance), list(&self.envelope), partials.join(" "))
    }

    /// Reads what [`Fingerprint::line`] writes.
    pub fn read(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split(',').collect();
        let [name, level, tolerance, envelope, partials] = cells[..] else { return None };
        let numbers = |text: &str| text.split_whitespace().map(|x| x.parse().ok()).collect::<Option<Vec<f64>>>();
        let partial = |text: &str| {
            let (hertz, level) = text.split_once('@')?;
            Some(Partial { hertz: hertz.parse().ok()?, level: level.parse().ok()? })
        };
        Some(Self {
            name: name.into(),
            level: level.parse().ok()?,
            tolerance: numbers(tolerance)?.try_into().ok()?,
            envelope: numbers(envelope)?,
            partials: partials.split_whitespace().map(partial).collect::<Option<_>>()?,
        })
    }
}

/// Three keys, of a kit three drums, each held until the next; both channels added.
fn phrase(patch: &Patch, nudge: f64) -> Vec<f64> {
    let keys = if patch.zones.is_empty() { [48, 60, 72] } else { [36, 38, 42] };
    let mut patch = patch.clone();
    patch.settings.set(ParamId::HammerMass, patch.settings.get(ParamId::HammerMass) * (1.0 + nudge));
    let mut engine = Engine::new(EngineConfig::at(RATE as f64), &patch);
    let (mut sound, mut before) = (Vec::new(), None);
    for (key, velocity) in keys.into_iter().zip([0.4, 0.9, 0.7]) {
        let note = NoteId { key, ..NoteId::default() };
        if let Some(note) = before.replace(note) {
            engine.event(&Event::NoteOff { note, velocity: 0.5 });
        }
        engine.event(&Event::NoteOn { note, velocity: velocity * (1.0 + nudge) });
        let [mut left, mut right] = [(); 2].map(|()| vec![0.0; WINDOWS * WINDOW / 3]);
        engine.render(&mut left, &mut right, [&[]; 2]);
        sound.extend(left.iter().zip(&right).map(|(l, r)| 0.5 * (f64::from(*l) + f64::from(*r))));
    }
    sound
}

/// Peaks of the spectrum under a Hann window, their tops by a parabola through three levels.
fn partials(sound: &[f64]) -> Vec<Partial> {
    let length = sound.len();
    let hann = |i: usize| 0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / length as f64).cos();
    let windowed: Vec<f64> = sound.iter().enumerate().map(|(i, x)| x * hann(i)).collect();
    let bins = urto_fourier::spectrum(&windowed);
    let levels: Vec<f64> = bins.iter().map(|bin| 20.0 * (4.0 * bin.norm() / length as f64).max(1e-9).log10()).collect();
    let mut peaks: Vec<Partial> = levels
        .windows(3)
        .enumerate()
        .filter(|(_, near)| near[1] > near[0] && near[1] >= near[2])
        .map(|(i, near)| {
            let (rise, bend) = (0.5 * (near[0] - near[2]), near[0] - 2.0 * near[1] + near[2]);
            let off = rise / bend;
            Partial { hertz: (i as f64 + 1.0 + off) * RATE as f64 / length as f64, level: near[1] - 0.5 * rise * off }
        })
        .collect();
    peaks.sort_by(|a, b| b.level.total_cmp(&a.level));
    let strongest = peaks.first().map_or(SILENCE, |peak| peak.level);
    peaks.truncate(PARTIALS.0);
    peaks.retain(|peak| peak.level > (strongest - PARTIALS.1).max(SILENCE));
    peaks
}
