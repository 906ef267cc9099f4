//! `tune`, and the tuning that `render` plays in: scales and key maps from files, names and options.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Subcommand};
use serde::Serialize;
use urto_engine::formats::TextError;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::value_of;
use urto_engine::tuning::PatchTuning;
use urto_engine::tuning::Scale;
use urto_engine::tuning::TuningSet;
use urto_engine::tuning::{KEYS, KeyFrequencies, Part, ReferencePitch, SCALES, TuningSource};

use crate::commands::presets;
use crate::io::Complaint;
use crate::io::error::{print, read_text_of_any_age};

/// Shows what a scale and a key map make of the keys, or lists the built-in scales.
#[derive(Subcommand)]
pub enum Tune {
    /// Shows the frequency of every key.
    Check(Check),
    /// Lists the built-in scales.
    List,
}

/// Shows the frequency of every key.
#[derive(Args)]
pub struct Check {
    /// Scala scale (.scl) or key map (.kbm), a preset (.toml), or the name of a built-in scale.
    #[arg(value_name = "FILE|NAME")]
    file: String,
    #[command(flatten)]
    options: Options,
    /// One JSON object with every digit.
    #[arg(long)]
    json: bool,
}

/// A tuning on the command line.
#[derive(Args, Clone, Default)]
pub struct Options {
    /// Scala scale file, or the name of a built-in scale that `tune list` shows.
    #[arg(long, value_name = "FILE.scl|NAME")]
    scale: Option<String>,
    /// Scala key map.
    #[arg(long, value_name = "FILE.kbm")]
    keymap: Option<PathBuf>,
    /// Concert pitch: what an A of 440 Hz is played at, as `--set concert_pitch`. With a key its very frequency, in place of the key map's.
    #[arg(long, value_name = "HZ|KEY=HZ")]
    reference: Option<Pitch>,
    /// Widens every octave around the reference key, by -100 to 100 cents, as `--set stretch`.
    #[arg(long, value_name = "CENTS", allow_negative_numbers = true)]
    stretch: Option<String>,
}

/// What `--reference` gives.
#[derive(Clone)]
enum Pitch {
    Concert(String),
    Key(ReferencePitch),
}

impl FromStr for Pitch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains('=') { text.parse().map(Self::Key) } else { Ok(Self::Concert(text.to_owned())) }
    }
}

impl Options {
    /// The files that are read.
    pub fn files(&self) -> [Option<&Path>; 2] {
        [self.scale.as_deref().filter(|scale| !is_built_in(scale)).map(Path::new), self.keymap.as_deref()]
    }

    /// Puts what the options say over the tuning of `patch`. Errors: a file that cannot be read, a fault in it, a wrong value.
    pub fn over(&self, patch: &mut Patch) -> Result<(), Complaint> {
        let mut source = patch.intonation.source().clone();
        if let Some(scale) = &self.scale {
            source.scale = if is_built_in(scale) { scale.to_lowercase() } else { self.read_scale(Path::new(scale))? };
        }
        if let Some(file) = &self.keymap {
            source.map = Some(read_text_of_any_age(file)?);
        }
        match &self.reference {
            Some(Pitch::Key(reference)) => {
                source.reference = Some(*reference);
                patch.settings.set(ParamId::ConcertPitch, ParamId::ConcertPitch.knob().default);
            }
            Some(Pitch::Concert(hertz)) => set(patch, ParamId::ConcertPitch, "--reference", hertz)?,
            None => {}
        }
        if let Some(cents) = &self.stretch {
            set(patch, ParamId::Stretch, "--stretch", cents)?;
        }
        patch.intonation = PatchTuning::new(source).map_err(|(part, fault)| self.complain(part, &fault))?;
        Ok(())
    }

    /// A text of one line would be a name.
    fn read_scale(&self, file: &Path) -> Result<String, Complaint> {
        if !file.exists() && file.extension().is_none() && file.components().count() == 1 {
            let names: Vec<_> = SCALES.iter().map(|(name, _)| *name).collect();
            let remedy = format!("built in are {}; or give a file", names.join(", "));
            return Err(Complaint::new(format_args!("no scale \"{}\"", file.display()), remedy));
        }
        Ok(read_text_of_any_age(file)? + "\n")
    }

    fn complain(&self, part: Part, fault: &TextError) -> Complaint {
        match (part, self.files()) {
            (Part::Scale, [Some(file), _]) | (Part::Map, [_, Some(file)]) => Complaint::at(file, fault),
            (Part::Reference, _) => Complaint::new(format_args!("--reference: {}", fault.problem), &fault.remedy),
            _ => Complaint::new(&fault.problem, &fault.remedy),
        }
    }
}

fn set(patch: &mut Patch, knob: ParamId, option: &str, text: &str) -> Result<(), Complaint> {
    let value = value_of(knob.knob(), text)
        .map_err(|(problem, remedy)| Complaint::new(format_args!("{option} {text}: {problem}"), remedy))?;
    patch.settings.set(knob, value);
    Ok(())
}

fn is_built_in(name: &str) -> bool {
    SCALES.iter().any(|(built_in, _)| built_in.eq_ignore_ascii_case(name))
}

impl Tune {
    /// Prints the table or the list. Errors: a file that cannot be read, or a fault in it.
    pub fn run(&self) -> Result<(), Complaint> {
        match self {
            Tune::Check(check) => check.run(),
            Tune::List => {
                let line = |(name, text): &(&str, &'static str)| {
                    let scale = Scale::read(text).map_err(|fault| Complaint::new(fault, "report this"))?;
                    Ok(format!("{name:<14} {}\n", scale.description()))
                };
                print(&SCALES.iter().map(line).collect::<Result<String, Complaint>>()?)
            }
        }
    }
}

/// A checked tuning.
#[derive(Serialize)]
struct Table {
    description: String,
    notes: u16,
    reference_key: u8,
    reference: f64,
    keys: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    key: u8,
    /// Frequency [Hz]; none where the key is silent.
    hertz: Option<f64>,
    /// Above the reference key.
    cents: Option<f64>,
    /// Above twelve equal steps from 440 Hz on key 69.
    from_equal: Option<f64>,
}

impl Check {
    fn run(&self) -> Result<(), Complaint> {
        let table = Table::of(&self.patch()?)?;
        if self.json {
            let text = serde_json::to_string_pretty(&table).map_err(|error| Complaint::new(error, "leave out --json"))?;
            return print(&(text + "\n"));
        }
        print(&table.text())
    }

    fn patch(&self) -> Result<Patch, Complaint> {
        let file = Path::new(&self.file);
        let ends = |with: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(with));
        let twice = |option: &str| Complaint::new(format_args!("{}: this is what {option} names", self.file), "give one of them");
        let mut options = self.options.clone();
        if ends("toml") {
            let mut patch = presets::load(&self.file)?;
            options.over(&mut patch)?;
            return Ok(patch);
        }
        if ends("kbm") {
            if options.keymap.replace(file.into()).is_some() {
                return Err(twice("--keymap"));
            }
        } else if options.scale.replace(self.file.clone()).is_some() {
            return Err(twice("--scale"));
        }
        let mut patch = Patch::default();
        options.over(&mut patch)?;
        Ok(patch)
    }
}

impl Table {
    fn of(patch: &Patch) -> Result<Self, Complaint> {
        let source: &TuningSource = patch.intonation.source();
        let played = TuningSet::of(&patch.intonation).effective(&patch.settings);
        let wrong = |fault: TextError| Complaint::new(&fault.problem, &fault.remedy);
        let scale = Scale::read(source.scale_text().map_err(wrong)?).map_err(wrong)?;
        let ReferencePitch { key, hertz } = source.start().map_err(wrong)?;
        let hertz = hertz * (patch.settings.get(ParamId::ConcertPitch) / ParamId::ConcertPitch.knob().default);
        let equal = KeyFrequencies::default();
        let cents = |a: Option<f64>, b: Option<f64>| Some(1200.0 * (a? / b?).log2());
        let row = |row| {
            let own = played.hertz(row);
            Row { key: row, hertz: own, cents: cents(own, Some(hertz)), from_equal: cents(own, equal.hertz(row)) }
        };
        let keys = (0..KEYS as u8).map(row).collect();
        Ok(Self { description: scale.description().into(), notes: scale.notes(), reference_key: key, reference: hertz, keys })
    }

    fn text(&self) -> String {
        let Self { description, notes, reference_key, reference, keys } = self;
        let mut text = format!("{description}\n{notes} notes; key {reference_key} is {reference} Hz\n\n");
        text += " key            Hz        cents   from equal\n";
        for Row { key, hertz, cents, from_equal } in keys {
            let _ = match (hertz, cents, from_equal) {
                (Some(hertz), Some(cents), Some(off)) => writeln!(text, "{key:>4} {hertz:>13.6} {cents:>12.3} {off:>12.3}"),
                _ => writeln!(text, "{key:>4}        silent"),
            };
        }
        text
    }
}
