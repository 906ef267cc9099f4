//! `presets`: lists, shows, saves, exports, packs, measures and renders presets.
//!
//! `presets check` measures presets. `presets render-all` renders soft, medium and hard strikes of every built-in preset.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;

use crate::arguments::{LoadedPatch, NameFilter, check_modes, library_error, load_patch, load_patch_and_files, preset_folder};
use crate::commands::compare::Compare;
use crate::commands::macro_measurement;
use crate::commands::parallel::in_parallel;
use crate::commands::preset_measurement::PresetMeasurement;
use crate::commands::preset_packs;
use crate::io::error::print;
use crate::io::output_file::{check_distinct, check_distinct_files, check_terminal, is_standard_output, print_beside, shown};
use crate::io::{AudioFile, AudioFormat, CliError, OutputFolder, PendingFile, host_state};
use urto_engine::params::ParamId;
use urto_engine::patch::{
    Patch, PitchReference, PresetEntry, Source, added, all, built_in, factory_texts, origin_of, preset_library, sustained,
    to_toml,
};
use urto_engine::{Engine, EngineConfig, Event, NoteId};

/// Sample rate of `presets render-all` [Hz].
const RATE: usize = 48_000;
/// MIDI velocities of the strikes: soft, medium, hard.
const VELOCITIES: [u8; 3] = [30, 75, 120];
/// Time between strikes [frames].
const INTERVAL: usize = 3 * RATE / 2;
/// Duration of each note [frames].
const HOLD: usize = 6 * RATE / 5;
/// Time after the last strike [frames].
const RING: usize = 3 * RATE;
/// Fade-out at the end [frames].
const FADE: usize = RATE / 2;

/// Lists presets, shows one as text, or saves one in the user's folder.
#[derive(Subcommand)]
pub enum Presets {
    /// Lists the built-in presets and those in the user's folder, in the order of MIDI program numbers.
    List {
        /// Prints one JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Prints a preset as TOML in the current schema. Edit it and pass it to `render --preset`.
    Show {
        /// Name of a preset, in upper or lower case, or a TOML file.
        #[arg(value_name = "NAME|FILE")]
        name: OsString,
    },
    /// Saves a preset in the user's folder, in the current schema; replaces a preset of the same name.
    Save {
        /// Name of a preset, or a TOML file.
        #[arg(value_name = "NAME|FILE")]
        name: OsString,
        /// New name; without it the preset keeps its name.
        #[arg(long = "as", value_name = "NAME")]
        new: Option<String>,
    },
    /// Writes a preset for hosts: a VST3 preset file if the name ends in `.vstpreset`, else a CLAP state.
    Export {
        /// Name of a preset, a TOML file, or a state that a host has saved.
        #[arg(value_name = "NAME|FILE")]
        name: OsString,
        /// Output file; `-` is standard output.
        #[arg(value_name = "OUT")]
        out: PathBuf,
    },
    /// Plays and measures presets on their home keys, and kits on all zones: loudness, peaks, contact times, strongest partial,
    /// brightness, duration.
    Check {
        /// Names of presets, or TOML files; without one, all built-in presets and kits.
        #[arg(value_name = "NAME|FILE")]
        names: Vec<OsString>,
        /// Prints one JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Plays presets with each of their macros at 0, 1 and between: how far the sound changes, and how far its loudness.
    Macros {
        /// Names of presets, or TOML files; without one, all built-in presets and kits.
        #[arg(value_name = "NAME|FILE")]
        names: Vec<OsString>,
        /// Prints one JSON array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Compares presets with recordings: distances, partials, grain, pitch, attack and stereo, and a verdict.
    Compare(Compare),
    /// Renders soft, medium and hard strikes on the home key of each built-in preset, one WAV file for each.
    RenderAll {
        /// Folder for the files, numbered as listed; created if missing.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Only presets whose name contains this text, in upper or lower case; several times: any of the texts.
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
    },
    /// Packs presets into one archive with the recordings that they use, to share them.
    Pack {
        /// File of the pack; its name should end in `.urtopack`.
        #[arg(value_name = "OUT.urtopack")]
        out: PathBuf,
        /// Names of presets, TOML files, or folders with presets.
        #[arg(value_name = "NAME|FILE|FOLDER", required = true)]
        presets: Vec<OsString>,
    },
    /// Installs the presets of packs in the user's folder. Presets that are there stay: one of the same name gets a number.
    Install {
        /// Packs.
        #[arg(value_name = "FILE.urtopack", required = true)]
        packs: Vec<PathBuf>,
    },
    /// Prints the path of the user's folder, which need not exist.
    Path,
}

#[derive(Serialize)]
struct Row {
    /// Number of the MIDI program change, from 0.
    program: usize,
    name: String,
    family: String,
    /// Whether its keys have a pitch; null if unknown.
    pitched: Option<bool>,
    author: String,
    tags: Vec<String>,
    description: String,
    /// Its file; null for a built-in preset.
    file: Option<String>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

impl Presets {
    /// Runs the subcommand. Errors: no such preset, a fault in it, or a file that cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        match self {
            Presets::List { json } => list(*json),
            Presets::Show { name } => match all().position(|patch| name.eq_ignore_ascii_case(&patch.name)) {
                Some(index) => print(factory_texts::text(index).unwrap_or_default()),
                None => print(&to_toml(&load_patch(name)?)),
            },
            Presets::Save { name, new } => save(load_patch(name)?, new.as_deref()),
            Presets::Export { name, out } => export(name, out),
            Presets::Check { names, json } => run(names, *json),
            Presets::Macros { names, json } => macro_measurement::run(names, *json),
            Presets::Compare(compare) => compare.run(),
            Presets::RenderAll { out, only } => render_all(out, only),
            Presets::Pack { out, presets } => preset_packs::pack(out, presets),
            Presets::Install { packs } => preset_packs::install(packs),
            Presets::Path => print(&format!("{}\n", preset_folder()?.display())),
        }
    }
}

fn save(mut patch: Patch, new: Option<&str>) -> Result<(), CliError> {
    if let Some(new) = new {
        patch.name = new.to_owned();
    }
    let file = preset_library::save(&preset_folder()?, &patch).map_err(library_error)?;
    print(&format!("{}\n", file.display()))
}

fn export(name: &OsStr, out: &Path) -> Result<(), CliError> {
    check_distinct(&[Some(Path::new(name))], &[Some(out)])?;
    check_terminal(out)?;
    let LoadedPatch { patch, files } = &load_patch_and_files(name)?;
    check_distinct_files(files, &[Some(out)])?;
    let is_vst3 = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vstpreset"));
    let bytes = if is_vst3 { host_state::vst_preset(&to_toml(patch)) } else { host_state::clap_state(&to_toml(patch)) };
    let (pending, mut file) = PendingFile::create(out)?;
    file.write_all(&bytes).map_err(|error| CliError::unwritable(out, error))?;
    drop(file);
    pending.publish()?;
    print_beside(&format!("{}\n", shown(out).display()), &[Some(out)])
}

fn row((program, entry): (usize, PresetEntry)) -> Row {
    let file = match &entry.source {
        Source::BuiltIn(_) => None,
        Source::File(file) => Some(file.display().to_string()),
    };
    let (Patch { author, family, pitch, tags, description, .. }, fault) = match entry.read() {
        Ok((patch, _)) => (patch, None),
        Err(error) => (Patch::default(), Some(error.to_string())),
    };
    let pitched = pitch.map(|pitch| pitch != PitchReference::No);
    Row { program, name: entry.name, family, pitched, author, tags, description, file, fault }
}

fn list(json: bool) -> Result<(), CliError> {
    let rows = preset_library::list(preset_library::folder().as_deref()).into_iter().enumerate().map(row);
    if json {
        let text = serde_json::to_string_pretty(&rows.collect::<Vec<_>>()).expect("plain texts");
        return print(&(text + "\n"));
    }
    let line = |row: Row| {
        let description = row.fault.map_or(row.description, |fault| format!("cannot be read: {fault}"));
        format!("{:<24} {:<25} {description}", row.name, row.family).trim_end().to_owned() + "\n"
    };
    print(&rows.map(line).collect::<String>())
}

/// Prints the measurements of the presets `names`; of all built-in presets and kits without names. Errors: no such preset, one with samples
/// above the ceiling, or one without an end that is neither a kit nor driven.
pub fn run(names: &[OsString], json: bool) -> Result<(), CliError> {
    let patches: Vec<Patch> =
        if names.is_empty() { all().collect() } else { names.iter().map(load_patch).collect::<Result<_, _>>()? };
    patches.iter().try_for_each(check_modes)?;
    let measurements = in_parallel(&patches, |patch| &patch.name, PresetMeasurement::of);
    if json {
        print(&(serde_json::to_string_pretty(&measurements).expect("plain numbers") + "\n"))?;
    } else {
        print(&table(&measurements))?;
    }
    let failed = measurements.iter().find(|measurement| !measurement.sound || measurement.is_endless());
    failed.map_or(Ok(()), |measurement| {
        let problem = if measurement.sound { "does not end within 20 minutes" } else { "exceeds the ceiling of the limiter" };
        Err(CliError::new(format_args!("{} {problem}", measurement.name), "lower its level, or shorten its decay"))
    })
}

fn table(measurements: &[PresetMeasurement]) -> String {
    let mut text = String::from(
        "name                             key   LUFS   peak dB        limit  mono   contact ms                main Hz   T60 s  centroid Hz              asleep s\n",
    );
    let fixed = |value: f64, width: usize, decimals: usize| {
        let shown = if value.is_finite() { format!("{value:.decimals$}") } else { "-".into() };
        format!("{shown:>width$}")
    };
    for p in measurements {
        let [soft, medium, hard] = p.contact_ms.map(|time| fixed(time, 8, 3));
        let [dark, middle, bright] = p.centroid_hz.map(|centroid| fixed(centroid, 7, 0));
        let [at_100, at_127, limited, loudness] =
            [p.peak_db[0], p.peak_db[1], p.limited_db, p.loudness_lufs].map(|level| fixed(level, 6, 1));
        let (mono, main, time) = (fixed(p.mono_db, 5, 1), fixed(p.main_hz, 10, 1), fixed(p.main_t60_s, 7, 2));
        let key = p.key.map_or_else(|| "-".into(), |key| key.to_string());
        let asleep =
            p.asleep_s.map_or_else(|| if p.is_endless() { "never" } else { "lasts" }.into(), |time| format!("{time:.1}"));
        let _ = writeln!(
            text,
            "{:<31} {key:>4} {loudness} {at_100} {at_127} {limited} {mono} {soft} {medium} {hard} {main} {time} {dark} {middle} {bright} {asleep:>8}",
            p.name
        );
    }
    text
}

/// Writes `NN Name.wav` for every built-in preset that `only` selects into `folder`, all of them if it is empty. Errors: no such preset, a folder
/// or a file that cannot be written.
pub fn render_all(folder: &Path, only: &[String]) -> Result<(), CliError> {
    if is_standard_output(folder) {
        return Err(CliError::new(
            "--out: several files cannot go to standard output",
            "give a folder, for example --out phrases",
        ));
    }
    let filter = NameFilter::new(only);
    let numbered = built_in().chain(sustained()).chain(added()).enumerate();
    let wanted: Vec<(usize, Patch)> = numbered.filter(|(_, patch)| filter.selects(&patch.name)).collect();
    if wanted.is_empty() {
        return Err(CliError::new(
            format_args!("{}: no built-in preset has such a name", NameFilter::typed(only)),
            "`urto-cli presets list` prints the names",
        ));
    }
    let _made = OutputFolder::create(folder)?;
    let render = |(number, patch): &(usize, Patch)| {
        let file = folder.join(format!("{number:02} {}.wav", patch.name));
        let (left, right) = phrase(patch);
        let mut wav = AudioFile::create(&file, RATE as u32, AudioFormat::Wav24, origin_of(patch))?;
        wav.write(&left, &right)?;
        wav.publish()?;
        Ok(file)
    };
    for file in in_parallel(&wanted, |(_, patch)| &patch.name, render) {
        print(&format!("{}\n", file?.display()))?;
    }
    Ok(())
}

/// Soft, medium and hard strikes on the home key, left and right.
fn phrase(patch: &Patch) -> (Vec<f32>, Vec<f32>) {
    let mut engine = Engine::new(EngineConfig { voices: 4, ..EngineConfig::at(RATE as f64) }, patch);
    let note = NoteId { voice: None, channel: 0, key: patch.settings.get(ParamId::HomeKey) as u8 };
    let length = (VELOCITIES.len() - 1) * INTERVAL + RING;
    let (mut left, mut right) = (vec![0.0; length], vec![0.0; length]);
    for (strike, velocity) in VELOCITIES.into_iter().enumerate() {
        let (from, end) = (strike * INTERVAL, if strike + 1 < VELOCITIES.len() { (strike + 1) * INTERVAL } else { length });
        engine.event(&Event::NoteOn { note, velocity: f64::from(velocity) / 127.0 });
        engine.render(&mut left[from..from + HOLD], &mut right[from..from + HOLD], [&[]; 2]);
        engine.event(&Event::NoteOff { note, velocity: 0.5 });
        engine.render(&mut left[from + HOLD..end], &mut right[from + HOLD..end], [&[]; 2]);
    }
    for channel in [&mut left, &mut right] {
        for (i, sample) in channel.iter_mut().rev().take(FADE).enumerate() {
            *sample *= i as f32 / FADE as f32;
        }
    }
    (left, right)
}
