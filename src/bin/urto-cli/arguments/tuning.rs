//! The options that set a tuning: scale, key map, reference and stretch.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use urto_engine::formats::TextError;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::tuning::{PatchTuning, ReferencePitch, SCALES, SourcePart};

use crate::arguments::params;
use crate::io::CliError;
use crate::io::error::read_text_of_any_age;

/// The options that set the tuning.
#[derive(Args, Clone, Default)]
pub struct TuningOptions {
    /// Scala scale file, or the name of a built-in scale; `tune list` lists them.
    #[arg(long, value_name = "FILE.scl|NAME")]
    pub scale: Option<String>,
    /// Scala key map file.
    #[arg(long, value_name = "FILE.kbm")]
    pub keymap: Option<PathBuf>,
    /// Concert pitch, as `--set concert_pitch`: the frequency of the A that is 440 Hz by default. KEY=HZ sets the frequency of one key
    /// instead, and replaces the reference of the key map.
    #[arg(long, value_name = "HZ|KEY=HZ")]
    reference: Option<Reference>,
    /// Octave stretch around the reference key, -100 to 100 cents, as `--set stretch`.
    #[arg(long, value_name = "CENTS", allow_negative_numbers = true)]
    stretch: Option<String>,
}

/// The argument of `--reference`.
#[derive(Clone)]
enum Reference {
    ConcertPitch(String),
    Key(ReferencePitch),
}

impl FromStr for Reference {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains('=') { text.parse().map(Self::Key) } else { Ok(Self::ConcertPitch(text.to_owned())) }
    }
}

impl TuningOptions {
    /// The input files, scale and key map.
    pub fn files(&self) -> [Option<&Path>; 2] {
        [self.scale.as_deref().filter(|scale| !is_built_in(scale)).map(Path::new), self.keymap.as_deref()]
    }

    /// Applies the options to the tuning of `patch`. Errors: a file that cannot be read, a fault in it, a value out of range.
    pub fn apply(&self, patch: &mut Patch) -> Result<(), CliError> {
        let mut source = patch.tuning.source().clone();
        if let Some(scale) = &self.scale {
            source.scale = if is_built_in(scale) { scale.to_lowercase() } else { self.read_scale(Path::new(scale))? };
        }
        if let Some(file) = &self.keymap {
            source.map = Some(read_text_of_any_age(file)?);
        }
        match &self.reference {
            Some(Reference::Key(reference)) => {
                source.reference = Some(*reference);
                patch.settings.set(ParamId::ConcertPitch, ParamId::ConcertPitch.spec().default);
            }
            Some(Reference::ConcertPitch(hertz)) => set(patch, ParamId::ConcertPitch, "--reference", hertz)?,
            None => {}
        }
        if let Some(cents) = &self.stretch {
            set(patch, ParamId::Stretch, "--stretch", cents)?;
        }
        patch.tuning = PatchTuning::new(source).map_err(|(part, fault)| self.error(part, &fault))?;
        Ok(())
    }

    /// The text of a scale file, ending in a line break: without one it would be a name.
    fn read_scale(&self, file: &Path) -> Result<String, CliError> {
        if !file.exists() && file.extension().is_none() && file.components().count() == 1 {
            let names: Vec<_> = SCALES.iter().map(|(name, _)| *name).collect();
            let remedy = format!("built in are {}; or give a file", names.join(", "));
            return Err(CliError::new(format_args!("no scale \"{}\"", file.display()), remedy));
        }
        Ok(read_text_of_any_age(file)? + "\n")
    }

    fn error(&self, part: SourcePart, fault: &TextError) -> CliError {
        match (part, self.files()) {
            (SourcePart::Scale, [Some(file), _]) | (SourcePart::Map, [_, Some(file)]) => CliError::at(file, fault),
            (SourcePart::Reference, _) => CliError::new(format_args!("--reference: {}", fault.problem), &fault.remedy),
            _ => CliError::new(&fault.problem, &fault.remedy),
        }
    }
}

fn set(patch: &mut Patch, knob: ParamId, option: &str, text: &str) -> Result<(), CliError> {
    params::put(&mut patch.settings, knob, text, format_args!("{option} {text}"))
}

fn is_built_in(name: &str) -> bool {
    SCALES.iter().any(|(built_in, _)| built_in.eq_ignore_ascii_case(name))
}
