//! `presets compare --calibrate`: how often the measure is right about pairs of recordings, and about controls made from them.

use std::path::Path;

use serde::Serialize;

use crate::commands::compare::{in_parallel, recording};
use crate::io::CliError;
use crate::io::error::print;
use crate::realism::comparison::{Comparison, Stroke};
use crate::realism::controls::{moved, noise};
use crate::realism::recording_map::{Instrument, RecordedStroke};
use crate::realism::stroke::{at_rate, is_one_waveform};

/// What a recording is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Partner {
    /// Another stroke of the same instrument, the next softer or harder one.
    SameInstrument,
    /// Another instrument of the same kind.
    SameKind,
    /// Noise with the band envelopes of the recording.
    Noise,
    /// The recording, 50 cents higher.
    Moved,
    /// A stroke of the nearest other kind.
    Neighbour,
}

/// Largest difference of the velocities of two strokes of one instrument that are compared.
const VELOCITY_STEP: u8 = 40;

/// One recorded stroke with its figures.
struct Take {
    file: String,
    key: f64,
    velocity: u8,
    stroke: Stroke,
}

/// One pair.
#[derive(Serialize)]
struct Pair {
    kind: String,
    partner: Partner,
    recording: String,
    other: String,
    #[serde(flatten)]
    comparison: Comparison,
}

/// Compares the recordings of all kinds that contain `word`, and prints the result. Errors: a recording that cannot be read.
pub fn calibrate(instruments: &[Instrument], word: &str, folder: &Path, _json: bool) -> Result<(), CliError> {
    let wanted: Vec<&Instrument> = instruments.iter().filter(|i| i.kind.to_lowercase().contains(word)).collect();
    let pairs = in_parallel(&wanted, |i| i.kind.clone(), |instrument| pairs(instrument, instruments, folder))?;
    let pairs: Vec<Pair> = pairs.into_iter().flatten().collect();
    print(&(serde_json::to_string(&pairs).expect("plain numbers") + "\n"))
}

/// The strokes of an instrument, each waveform once, by key and velocity.
fn takes(instrument: &Instrument, folder: &Path) -> Result<Vec<Take>, CliError> {
    let mut order: Vec<_> = instrument.strokes.iter().collect();
    order.sort_by(|a, b| a.key.total_cmp(&b.key).then(a.velocity.cmp(&b.velocity)));
    let mut found: Vec<Take> = Vec::new();
    for stroke in order {
        let sound = recording(instrument, folder, &stroke.file)?;
        if !found.iter().any(|other| is_one_waveform(&sound, &other.stroke.sound)) {
            let RecordedStroke { file, key, velocity, .. } = stroke.clone();
            found.push(Take { file, key, velocity, stroke: Stroke::new(sound) });
        }
    }
    Ok(found)
}

/// `other` at the rate of `stroke`.
fn at_rate_of(stroke: &Stroke, other: Stroke) -> Stroke {
    if other.sound.rate == stroke.sound.rate { other } else { Stroke::new(at_rate(&other.sound, stroke.sound.rate)) }
}

/// All pairs of an instrument.
fn pairs(instrument: &Instrument, all: &[Instrument], folder: &Path) -> Result<Vec<Pair>, CliError> {
    let own = takes(instrument, folder)?;
    let mut pairs = Vec::new();
    let mut add = |partner, (a, stroke): (&str, &Stroke), (b, other): (&str, &Stroke)| {
        let comparison = Comparison::of(stroke, other, instrument.range);
        pairs.push(Pair { kind: instrument.kind.clone(), partner, recording: a.into(), other: b.into(), comparison });
    };
    let is_pair = |two: &&[Take]| two[0].key == two[1].key && two[0].velocity.abs_diff(two[1].velocity) <= VELOCITY_STEP;
    for two in own.windows(2).filter(is_pair) {
        let [Take { file: a, stroke, .. }, Take { file: b, stroke: other, .. }] = two else { continue };
        add(Partner::SameInstrument, (a, stroke), (b, other));
        add(Partner::SameInstrument, (b, other), (a, stroke));
    }
    let neighbour = all.iter().find(|other| Some(&other.kind) == instrument.neighbour.as_ref());
    let beside = neighbour.map(|neighbour| takes(neighbour, folder)).transpose()?.unwrap_or_default();
    let mut of_kind = Vec::new();
    for file in &instrument.others {
        of_kind.push((file.clone(), recording(instrument, folder, file)?));
    }
    for other in all.iter().filter(|other| other.kind == instrument.kind && *other != instrument) {
        let stroke = &other.strokes[other.strokes.len() / 2];
        if !instrument.others.contains(&stroke.file) {
            of_kind.push((stroke.file.clone(), recording(other, folder, &stroke.file)?));
        }
    }
    for (place, Take { file: name, stroke, .. }) in own.iter().enumerate() {
        add(Partner::Noise, (name, stroke), ("noise", &Stroke::new(noise(&stroke.sound))));
        add(Partner::Moved, (name, stroke), ("moved", &Stroke::new(moved(&stroke.sound))));
        if let Some(Take { file, .. }) = beside.get(place * beside.len() / own.len()) {
            let instrument = neighbour.unwrap_or(instrument);
            let other = at_rate_of(stroke, Stroke::new(recording(instrument, folder, file)?));
            add(Partner::Neighbour, (name, stroke), (file, &other));
        }
    }
    let Take { file: name, stroke, .. } = &own[own.len() / 2];
    for (file, sound) in of_kind {
        let other = at_rate_of(stroke, Stroke::new(sound));
        add(Partner::SameKind, (name, stroke), (&file, &other));
    }
    Ok(pairs)
}
