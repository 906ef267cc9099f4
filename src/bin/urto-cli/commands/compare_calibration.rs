//! `presets compare --calibrate`: how often the measure is right about pairs of recordings, and about controls made from them.

use serde::Serialize;

use crate::commands::parallel::in_parallel;
use crate::io::CliError;
use crate::io::error::print;
use crate::realism::comparison::{Comparison, Stroke};
use crate::realism::controls::{moved, noise};
use crate::realism::recording_map::{Instrument, MapPlace, OtherRecording, RecordedStroke, Recordings, others_of};
use crate::realism::stroke::{at_rate, is_one_waveform};
use crate::realism::verdict::{LIMITS, Verdict};

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
    /// Where the map names it.
    place: MapPlace,
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
    verdict: Verdict,
}

/// In the order of the table.
const PARTNERS: [Partner; 5] = [Partner::SameInstrument, Partner::SameKind, Partner::Noise, Partner::Moved, Partner::Neighbour];

/// Compares the recordings of `wanted` and prints the result. Errors: a recording that cannot be read.
pub fn calibrate(wanted: &[&Instrument], all: &[Instrument], recordings: Recordings, json: bool) -> Result<(), CliError> {
    let pairs = in_parallel(wanted, |i| &i.kind, |instrument| pairs(instrument, all, recordings));
    let pairs: Vec<Vec<Pair>> = pairs.into_iter().collect::<Result<_, _>>()?;
    let pairs: Vec<Pair> = pairs.into_iter().flatten().collect();
    if json {
        return print(&(serde_json::to_string(&pairs).expect("plain numbers") + "\n"));
    }
    print(&table(&pairs))
}

/// Shares of rejected pairs, in total and by measure.
fn table(pairs: &[Pair]) -> String {
    let mut kinds: Vec<&str> = pairs.iter().map(|pair| pair.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let recordings = |kind: &str| {
        let mut files: Vec<&str> = pairs.iter().filter(|pair| pair.kind == kind).map(|pair| pair.recording.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        files.len() + usize::from(pairs.iter().any(|pair| pair.kind == kind && pair.partner == Partner::SameKind))
    };
    let judged: Vec<&str> = kinds.iter().copied().filter(|kind| recordings(kind) > 1).collect();
    let mut text = format!("{} kinds, {} of them judged (two independent recordings or more)\n", kinds.len(), judged.len());
    text += "share rejected [%]      same instrument  same kind  noise  50 cents  neighbour\n";
    let share = |partner: Partner, counts: &dyn Fn(&Pair) -> bool, is_rejected: &dyn Fn(&Pair) -> bool| {
        let of: Vec<&Pair> = pairs.iter().filter(|pair| pair.partner == partner && counts(pair)).collect();
        let rejected = of.iter().filter(|pair| is_rejected(pair)).count();
        if of.is_empty() { "-".into() } else { format!("{:.1}", 100.0 * rejected as f64 / of.len() as f64) }
    };
    let mut row = |name: &str, counts: &dyn Fn(&Pair) -> bool, is_rejected: &dyn Fn(&Pair) -> bool| {
        let [same, kind, noise, moved, beside] = PARTNERS.map(|partner| share(partner, counts, is_rejected));
        text += &format!("{name:<23} {same:>15}  {kind:>9}  {noise:>5}  {moved:>8}  {beside:>9}\n");
    };
    let is_rejected = |pair: &Pair| !pair.verdict.is_convincing;
    row("all measures", &|_| true, &is_rejected);
    for half in [0, 1] {
        let is_in = |pair: &Pair| kinds.binary_search(&pair.kind.as_str()).is_ok_and(|place| place % 2 == half);
        row(if half == 0 { "  first half of kinds" } else { "  second half of kinds" }, &is_in, &is_rejected);
    }
    for limit in &LIMITS {
        row(limit.name, &|_| true, &|pair| pair.verdict.beyond.contains(&limit.name));
    }
    let count = |partner: Partner| pairs.iter().filter(|pair| pair.partner == partner).count();
    let [same, kind, noise, moved, beside] = PARTNERS.map(count);
    text + &format!("number of pairs         {same:>15}  {kind:>9}  {noise:>5}  {moved:>8}  {beside:>9}\n")
}

/// The strokes of an instrument, each waveform once, by key and velocity.
fn takes(instrument: &Instrument, recordings: Recordings) -> Result<Vec<Take>, CliError> {
    let mut order: Vec<_> = instrument.strokes.iter().collect();
    order.sort_by(|a, b| a.key.total_cmp(&b.key).then(a.velocity.cmp(&b.velocity)));
    let mut found: Vec<Take> = Vec::new();
    for stroke in order {
        let sound = recordings.sound(instrument, &stroke.file, &stroke.place)?;
        if !found.iter().any(|other| is_one_waveform(&sound, &other.stroke.sound)) {
            let RecordedStroke { file, key, velocity, place, .. } = stroke.clone();
            found.push(Take { file, key, velocity, place, stroke: Stroke::new(sound) });
        }
    }
    Ok(found)
}

/// `other` at the rate of `stroke`.
fn at_rate_of(stroke: &Stroke, other: Stroke) -> Stroke {
    if other.sound.rate == stroke.sound.rate { other } else { Stroke::new(at_rate(&other.sound, stroke.sound.rate)) }
}

/// All pairs of an instrument.
fn pairs(instrument: &Instrument, all: &[Instrument], recordings: Recordings) -> Result<Vec<Pair>, CliError> {
    let own = takes(instrument, recordings)?;
    let mut pairs = Vec::new();
    let mut add = |partner, (a, stroke): (&str, &Stroke), (b, other): (&str, &Stroke)| {
        let comparison = Comparison::of(stroke, other, instrument.range);
        let verdict = Verdict::of(&comparison);
        pairs.push(Pair { kind: instrument.kind.clone(), partner, recording: a.into(), other: b.into(), comparison, verdict });
    };
    let is_pair = |two: &&[Take]| two[0].key == two[1].key && two[0].velocity.abs_diff(two[1].velocity) <= VELOCITY_STEP;
    for two in own.windows(2).filter(is_pair) {
        let [Take { file: a, stroke, .. }, Take { file: b, stroke: other, .. }] = two else { continue };
        add(Partner::SameInstrument, (a, stroke), (b, other));
        add(Partner::SameInstrument, (b, other), (a, stroke));
    }
    let neighbour = all.iter().find(|other| Some(&other.kind) == instrument.neighbour.as_ref());
    let beside = neighbour.map(|neighbour| takes(neighbour, recordings)).transpose()?.unwrap_or_default();
    for (i, Take { file: name, stroke, .. }) in own.iter().enumerate() {
        add(Partner::Noise, (name, stroke), ("noise", &Stroke::new(noise(&stroke.sound))));
        add(Partner::Moved, (name, stroke), ("moved", &Stroke::new(moved(&stroke.sound))));
        if let Some(Take { file, place, .. }) = beside.get(i * beside.len() / own.len()) {
            let instrument = neighbour.unwrap_or(instrument);
            let other = at_rate_of(stroke, Stroke::new(recordings.sound(instrument, file, place)?));
            add(Partner::Neighbour, (name, stroke), (file, &other));
        }
    }
    let Take { file: name, stroke, .. } = &own[own.len() / 2];
    for OtherRecording { owner, file, place } in others_of(instrument, all) {
        let other = at_rate_of(stroke, Stroke::new(recordings.sound(owner, file, place)?));
        add(Partner::SameKind, (name, stroke), (file, &other));
    }
    Ok(pairs)
}
