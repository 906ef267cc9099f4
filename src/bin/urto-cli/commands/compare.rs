//! `presets compare`: how far presets are from recordings of what they imitate.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use serde::Serialize;

use crate::arguments::{load_patch, patch};
use crate::io::error::print;
use crate::io::{CliError, Progress, Sound};
use crate::commands::compare_calibration::calibrate;
use crate::realism::comparison::{Comparison, Stroke};
use crate::realism::distance::{Frames, median};
use crate::realism::likeness::best_shift;
use crate::realism::partials::{louder, partials};
use crate::realism::recording_map::{self, Instrument, Matching, RecordedStroke};
use crate::realism::room::distances;
use crate::realism::stroke::{Note, at_rate, from_second, lasting, played, transposed, trimmed};
use urto_engine::patch::Patch;

/// Time by which a preset is played longer than the recording [s].
const SPARE: f64 = 0.3;
/// Semitones that are searched for another real instrument of the same written pitch.
const TUNED_SEARCH: f64 = 1.0;
/// Semitones that are searched for another real instrument.
const SEARCH: f64 = 7.0;
/// Number of the strongest partials, of which the highest gives the pitch.
const STRONGEST: usize = 12;
/// Lowest partial that gives the pitch [Hz].
const LOWEST_PITCH: f64 = 40.0;

/// Compares presets with recordings: distances, partials, grain, pitch, attack and stereo, and a verdict.
#[derive(Args)]
pub struct Compare {
    /// File that tells which recording belongs to which preset, key and velocity.
    #[arg(value_name = "RECORDINGS.toml")]
    map: PathBuf,
    /// Folder of the recordings; without it, the folder of the map.
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Only instruments whose kind or preset contains this word.
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// Compares recordings with recordings and with controls made from them, in place of presets: how often the measure is right.
    #[arg(long)]
    calibrate: bool,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// What a stroke of a preset is from its recording.
#[derive(Serialize)]
struct StrokeRow {
    kind: String,
    preset: String,
    recording: String,
    velocity: u8,
    key: f64,
    /// Semitones by which the preset was played higher.
    shift: f64,
    #[serde(flatten)]
    comparison: Comparison,
    /// Median distance of other real instruments of the kind, each in its best room [dB].
    real: Option<f64>,
}

impl Compare {
    /// Compares. Errors: a fault in the map, no such preset, or a recording that cannot be read.
    pub fn run(&self) -> Result<(), CliError> {
        let instruments = recording_map::read(&self.map)?;
        let word = self.only.as_deref().unwrap_or("").to_lowercase();
        let is_wanted = |instrument: &&Instrument| {
            let preset = instrument.preset.as_deref().unwrap_or("");
            instrument.kind.to_lowercase().contains(&word) || preset.to_lowercase().contains(&word)
        };
        let folder = self.recordings.as_deref().or_else(|| self.map.parent()).unwrap_or(Path::new(""));
        if self.calibrate {
            return calibrate(&instruments, &word, folder, self.json);
        }
        let wanted: Vec<&Instrument> = instruments.iter().filter(is_wanted).filter(|i| i.preset.is_some()).collect();
        if wanted.is_empty() {
            let kinds: Vec<&str> = instruments.iter().map(|instrument| instrument.kind.as_str()).collect();
            let problem = format!("--only {word}: no instrument of {}", self.map.display());
            return Err(CliError::new(problem, format_args!("the kinds are {}", kinds.join(", "))));
        }
        let rows = in_parallel(&wanted, |instrument| instrument.kind.clone(), |instrument| compare(instrument, folder))?;
        let rows: Vec<StrokeRow> = rows.into_iter().flatten().collect();
        if self.json {
            return print(&(serde_json::to_string_pretty(&rows).expect("plain numbers") + "\n"));
        }
        print(&table(&rows))
    }
}

/// The results of `work` for all `tasks`, on all processors. Errors: the first one.
pub fn in_parallel<T: Sync, R: Send>(
    tasks: &[T],
    name: impl Fn(&T) -> String + Sync,
    work: impl Fn(&T) -> Result<R, CliError> + Sync,
) -> Result<Vec<R>, CliError> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let progress = Progress::of_tasks(tasks.len() as u64);
    let run = || {
        while let Some((i, task)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, tasks.get(i)?))) {
            let result = work(task);
            progress.finish_task(&name(task));
            done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(run))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A recording from before its onset, at most as long as the map says.
pub fn recording(instrument: &Instrument, folder: &Path, file: &str) -> Result<Sound, CliError> {
    Ok(trimmed(&from_second(Sound::read(&folder.join(file))?, instrument.from), instrument.longest))
}

/// The preset with the parameters of the map.
fn patch_of(instrument: &Instrument) -> Result<Patch, CliError> {
    let mut patch = load_patch(instrument.preset.as_deref().unwrap_or_default())?;
    instrument.set.iter().try_for_each(|set| patch::set(&mut patch.settings, set))?;
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
            let [wanted, found] = [recording, &sound].map(highest_strong_partial);
            let semitones = wanted.zip(found).map_or(0.0, |(wanted, found)| 12.0 * (wanted / found).log2());
            semitones.clamp(-instrument.most, instrument.most)
        }
    }
}

/// The strongest partial above 40 Hz of the strongest twelve [Hz].
fn highest_strong_partial(sound: &Sound) -> Option<f64> {
    let mut partials = partials(louder(sound), f64::from(sound.rate));
    partials.sort_by(|a, b| b.level.total_cmp(&a.level));
    partials.truncate(STRONGEST);
    partials.iter().find(|partial| partial.hertz > LOWEST_PITCH).map(|partial| partial.hertz)
}

/// The rows of all compared strokes of an instrument.
fn compare(instrument: &Instrument, folder: &Path) -> Result<Vec<StrokeRow>, CliError> {
    let patch = patch_of(instrument)?;
    let compared: Vec<&RecordedStroke> = instrument.strokes.iter().filter(|stroke| stroke.is_compared).collect();
    let sounds: Vec<Sound> =
        compared.iter().map(|stroke| recording(instrument, folder, &stroke.file)).collect::<Result<_, _>>()?;
    let (Some(last), Some(loudest)) = (compared.last(), sounds.last()) else { return Ok(Vec::new()) };
    let shift = shift(instrument, &patch, last, loudest);
    let mut rows = Vec::new();
    for (stroke, sound) in compared.into_iter().zip(&sounds) {
        let own = Stroke::new(imitation(&patch, sound, stroke.key, stroke.velocity, shift));
        let wanted = Stroke::new(sound.clone());
        rows.push(StrokeRow {
            kind: instrument.kind.clone(),
            preset: patch.name.clone(),
            recording: stroke.file.clone(),
            velocity: stroke.velocity,
            key: stroke.key,
            shift,
            comparison: Comparison::of(&wanted, &own, instrument.range),
            real: real(instrument, folder, sound)?,
        });
    }
    Ok(rows)
}

/// Median distance from `recording` of other real instruments of the kind, each at its pitch and in its best room. `None` without others.
fn real(instrument: &Instrument, folder: &Path, wanted: &Sound) -> Result<Option<f64>, CliError> {
    let mut found = Vec::new();
    for file in &instrument.others {
        let other = recording(instrument, folder, file)?;
        let other = if other.rate == wanted.rate { other } else { at_rate(&other, wanted.rate) };
        let most = if instrument.shift.is_none() { SEARCH } else { TUNED_SEARCH };
        let other = transposed(&other, best_shift(wanted, &other, most));
        let length = wanted.frames().min(other.frames());
        found.push(distances(&Frames::new(wanted, length), length, &other, instrument.range).1.all);
    }
    Ok((!found.is_empty()).then(|| median(found)))
}

fn table(rows: &[StrokeRow]) -> String {
    let mut text =
        String::from("kind                    preset                  recording                          vel   D    Dr  real\n");
    for row in rows {
        let name = row.recording.rsplit('/').next().unwrap_or("");
        let real = row.real.map_or_else(|| "   -".into(), |real| format!("{real:4.1}"));
        text += &format!(
            "{:<23.23} {:<23.23} {name:<34.34} {:>3} {:5.2} {:5.2} {real}\n",
            row.kind, row.preset, row.velocity, row.comparison.distance.all, row.comparison.in_room
        );
    }
    let mean = |value: fn(&StrokeRow) -> f64| rows.iter().map(value).sum::<f64>() / rows.len() as f64;
    text + &format!("mean of {} strokes: D {:.2}, Dr {:.2}\n", rows.len(), mean(|row| row.comparison.distance.all), mean(|row| row.comparison.in_room))
}
