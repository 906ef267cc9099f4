//! One instrument of the map: its preset beside every recorded stroke.

use std::path::Path;

use serde::Serialize;

use crate::arguments::{check_modes, load_patch, patch};
use crate::commands::compare_spectrograms::{Spectrograms, StrokeSounds};
use crate::commands::named_instrument::{NamedInstrument, hardest};
use crate::io::{CliError, Sound};
use crate::realism::comparison::{Comparison, Stroke};
use crate::realism::decays::Decays;
use crate::realism::distance::{Frames, median};
use crate::realism::likeness::best_shift;
use crate::realism::page::write_sounds;
use crate::realism::partials::{louder, partials};
use crate::realism::recording_map::{Instrument, Matching, OtherRecording, RecordedStroke, Recordings, others_of};
use crate::realism::room::distances;
use crate::realism::stroke::{Note, at_rate, is_one_waveform, lasting, played, transposed, trimmed};
use crate::realism::verdict::Verdict;
use urto_engine::patch::Patch;

/// Time by which a preset is played longer than the recording [s].
const SPARE: f64 = 0.3;
/// Semitones that are searched for another real instrument of the same written pitch.
const TUNED_SEARCH: f64 = 1.0;
/// Semitones that are searched for another real instrument.
const SEARCH: f64 = 7.0;
/// Number of the strongest partials, of which the strongest above [`LOWEST_PITCH`] gives the pitch.
const STRONGEST: usize = 12;
/// Lowest partial that gives the pitch [Hz].
const LOWEST_PITCH: f64 = 40.0;
/// Least number of independent recordings of a kind that is judged.
const LEAST_RECORDINGS: usize = 2;

/// What a stroke of a preset is from its recording.
#[derive(Clone, Serialize)]
pub struct StrokeRow {
    /// File of the recording, as the map gives it.
    pub recording: String,
    /// MIDI velocity.
    pub velocity: u8,
    /// Key.
    pub key: f64,
    /// Whether it is the waveform of another stroke at another gain, which counts once.
    pub is_repeated: bool,
    /// The measures.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// Median distance of other real instruments of the kind, each in its best room [dB]; null without others.
    pub real: Option<f64>,
    /// Which measures disagree.
    pub verdict: Verdict,
    /// Name of its files on the page, without side and ending.
    pub page_file: String,
}

/// Where the sounds and pictures of a comparison go.
#[derive(Clone, Copy)]
pub struct Outputs<'a> {
    /// Folder of the page.
    pub page: Option<&'a Path>,
    /// Pictures of the hardest strokes.
    pub spectrograms: Option<Spectrograms<'a>>,
}

/// A preset and the recordings of what it imitates.
#[derive(Clone, Serialize)]
pub struct ComparedInstrument {
    /// Name of the kind.
    pub kind: String,
    /// Name of the preset.
    pub preset: String,
    /// Semitones by which the preset was played higher.
    pub shift: f64,
    /// Independent recordings of the kind: strokes that are no copies, and other instruments.
    pub recordings: usize,
    /// Whether there are enough of them to judge.
    pub is_judged: bool,
    /// Whether at least half of the strokes are convincing.
    pub is_convincing: bool,
    /// Octaves by which the hardest stroke is brighter than the softest at 20 ms, of the recordings and of the preset; null without both.
    pub brighter_early: Option<[f64; 2]>,
    /// The same at 300 ms.
    pub brighter_late: Option<[f64; 2]>,
    /// How long the preset rings in each octave beside the recordings.
    pub decays: Decays,
    /// The strokes.
    pub strokes: Vec<StrokeRow>,
}

impl ComparedInstrument {
    /// Compares the preset of an instrument with its recordings; writes sounds and pictures where `outputs` says. Errors: no such
    /// preset, a recording that cannot be read, or an output that cannot be written.
    pub fn of(named: &NamedInstrument, all: &[Instrument], recordings: Recordings, outputs: Outputs) -> Result<Self, CliError> {
        let instrument = named.instrument;
        let patch = patch_of(instrument, recordings)?;
        let strokes = named.strokes();
        let read = |stroke: &&RecordedStroke| recordings.sound(instrument, &stroke.file, &stroke.place);
        let sounds: Vec<Sound> = strokes.iter().map(read).collect::<Result<_, _>>()?;
        let shift = strokes.last().zip(sounds.last()).map_or(0.0, |(last, loudest)| shift(instrument, &patch, last, loudest));
        let read = |other: OtherRecording| recordings.sound(other.owner, other.file, other.place);
        let others: Vec<Sound> = others_of(instrument, all).into_iter().map(read).collect::<Result<_, _>>()?;
        let mut rows = Vec::new();
        let mut drawn = Vec::new();
        for (place, (stroke, sound)) in strokes.iter().zip(&sounds).enumerate() {
            let own = imitation(&patch, sound, stroke.key, stroke.velocity, shift);
            let page_file = named.page_file(stroke, place);
            if let Some(page) = outputs.page {
                write_sounds(page, &page_file, sound, &own)?;
            }
            if outputs.spectrograms.is_some_and(|outputs| outputs.every_stroke || place == hardest(&strokes)) {
                drawn.push(StrokeSounds { page_file: page_file.clone(), recording: sound, preset: own.clone() });
            }
            let comparison = Comparison::of(&Stroke::new(sound.clone()), &Stroke::new(own), instrument.range);
            rows.push(StrokeRow {
                recording: stroke.file.clone(),
                velocity: stroke.velocity,
                key: stroke.key,
                // of copies the hardest counts
                is_repeated: sounds[place + 1..].iter().any(|later| is_one_waveform(sound, later)),
                verdict: Verdict::of(&comparison),
                comparison,
                real: real(instrument, &others, sound),
                page_file,
            });
        }
        if let Some(spectrograms) = outputs.spectrograms {
            spectrograms.write(named, &drawn)?;
        }
        let counted = || rows.iter().filter(|row| !row.is_repeated);
        let recordings = counted().count() + others.len() + extra_takes(instrument, recordings, &sounds)?;
        let is_judged = recordings >= LEAST_RECORDINGS;
        let is_convincing = is_judged && 2 * counted().filter(|row| row.verdict.is_convincing).count() >= counted().count();
        let decays = Decays::of(&counted().map(|row| &row.comparison).collect::<Vec<_>>());
        let kind = instrument.kind.clone();
        Ok(Self {
            kind,
            preset: patch.name,
            shift,
            recordings,
            is_judged,
            is_convincing,
            brighter_early: brighter(&rows, |comparison| comparison.centroid_early),
            brighter_late: brighter(&rows, |comparison| comparison.centroid_late),
            decays,
            strokes: rows,
        })
    }
}

/// Number of strokes that only calibrate, and are no copies of the others.
fn extra_takes(instrument: &Instrument, recordings: Recordings, compared: &[Sound]) -> Result<usize, CliError> {
    let mut found: Vec<Sound> = Vec::new();
    for take in instrument.strokes.iter().filter(|stroke| !stroke.is_compared) {
        let sound = recordings.sound(instrument, &take.file, &take.place)?;
        if !compared.iter().chain(&found).any(|other| is_one_waveform(other, &sound)) {
            found.push(sound);
        }
    }
    Ok(found.len())
}

/// Octaves by which `centroid` is higher for the hardest stroke of a key than for the softest, of the recordings and of the preset.
fn brighter(rows: &[StrokeRow], centroid: fn(&Comparison) -> [Option<f64>; 2]) -> Option<[f64; 2]> {
    let (soft, hard) = (rows.first()?, rows.last()?);
    if soft.velocity >= hard.velocity || soft.key != hard.key {
        return None;
    }
    let octaves = |side: usize| Some((centroid(&hard.comparison)[side]? / centroid(&soft.comparison)[side]?).log2());
    Some([octaves(0)?, octaves(1)?])
}

/// The preset with the parameters of the map.
fn patch_of(instrument: &Instrument, recordings: Recordings) -> Result<Patch, CliError> {
    let places = &instrument.places;
    let loaded = load_patch(instrument.preset.as_deref().unwrap_or_default());
    let mut patch = loaded.map_err(|error| recordings.at(&places.preset, error))?;
    let set = instrument.set.iter().try_for_each(|set| patch::set(&mut patch.settings, set));
    set.map_err(|error| recordings.at(&places.set, error))?;
    check_modes(&patch).map_err(|error| recordings.at(&places.preset, error))?;
    Ok(patch)
}

/// The preset's stroke, as long as the recording.
fn imitation(patch: &Patch, recording: &Sound, key: f64, velocity: u8, shift: f64) -> Sound {
    let seconds = recording.seconds();
    let sound = trimmed(&played(patch, Note { key, shift, velocity }, recording.rate, seconds + SPARE), seconds);
    lasting(sound, recording.frames())
}

/// Semitones by which `patch` is played higher to have the pitch of the last stroke.
fn shift(instrument: &Instrument, patch: &Patch, stroke: &RecordedStroke, recording: &Sound) -> f64 {
    if let Some(shift) = instrument.shift {
        return shift;
    }
    let sound = imitation(patch, recording, instrument.strokes[0].key, stroke.velocity, 0.0);
    match instrument.matching {
        Matching::Spectrum => best_shift(recording, &sound, instrument.most),
        Matching::Peak => {
            let [wanted, found] = [recording, &sound].map(strongest_partial);
            let semitones = wanted.zip(found).map_or(0.0, |(wanted, found)| 12.0 * (wanted / found).log2());
            semitones.clamp(-instrument.most, instrument.most)
        }
    }
}

/// The strongest partial above 40 Hz [Hz].
fn strongest_partial(sound: &Sound) -> Option<f64> {
    let mut partials = partials(louder(sound), f64::from(sound.rate));
    partials.sort_by(|a, b| b.level.total_cmp(&a.level));
    partials.iter().take(STRONGEST).find(|partial| partial.hertz > LOWEST_PITCH).map(|partial| partial.hertz)
}

/// Median distance from `wanted` of other real instruments of the kind, each at its pitch and in its best room; `None` without others.
fn real(instrument: &Instrument, others: &[Sound], wanted: &Sound) -> Option<f64> {
    let most = if instrument.shift.is_none() { SEARCH } else { TUNED_SEARCH };
    let found = others.iter().map(|other| {
        let other = if other.rate == wanted.rate { other.clone() } else { at_rate(other, wanted.rate) };
        let other = transposed(&other, best_shift(wanted, &other, most));
        let length = wanted.frames().min(other.frames());
        distances(&Frames::new(wanted, length), length, &other, instrument.range).1.all
    });
    let found: Vec<f64> = found.collect();
    (!found.is_empty()).then(|| median(found))
}
