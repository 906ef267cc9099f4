//! `render`: renders MIDI files to WAV or FLAC files, several of them on all processors.
//!
//! Program changes of the song load presets during the rendering. The block size does not change the output.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::parallel::{on_threads, processors};
use crate::commands::rendering::{RenderJob, RenderOptions, Rendering};
use crate::commands::stem_files::file_name;
use crate::io::output_file::{check_distinct, is_standard_output, print_beside, shown};
use crate::io::{CliError, OutputFolder, Progress};

/// Renders MIDI files to WAV or FLAC files.
#[derive(Args)]
pub struct Render {
    /// MIDI file, format 0 or 1; `-` is standard input.
    #[arg(value_name = "IN.mid")]
    input: PathBuf,
    /// Stereo WAV or FLAC file, as its name says; an existing file is replaced; `-` is standard output. Further MIDI files may come before it: it is
    /// then the folder for the files, which is created if missing.
    #[arg(value_name = "OUT.wav|OUT.flac", required = true)]
    more_inputs_and_output: Vec<PathBuf>,
    /// Name of a preset, or a TOML file; `-` is standard input. Several give one file each.
    #[arg(long, value_name = "NAME|FILE")]
    preset: Vec<OsString>,
    #[command(flatten)]
    options: RenderOptions,
}

impl Render {
    /// Renders. Errors: invalid input, then no file is written; or a file that cannot be written, then the others are.
    pub fn run(&self) -> Result<(), CliError> {
        if let ([output], [] | [_]) = (&self.more_inputs_and_output[..], &self.preset[..]) {
            let job = RenderJob { input: self.input.clone(), preset: self.preset.first().cloned(), output: output.clone() };
            let rendering = Rendering::prepare(&self.options, job)?;
            let progress = Progress::new(rendering.length(), f64::from(self.options.rate));
            return self.report(&rendering.run(progress, self.options.threads.unwrap_or(1))?);
        }
        let renderings = self.prepare_all()?;
        let _made = OutputFolder::create(self.output())?;
        let mut failed = None;
        // each kit on one thread: files are enough to share
        let work = |rendering: &Rendering| rendering.run(Progress::hidden(), 1);
        for result in on_threads(self.threads(), &renderings, |rendering| rendering.name(), work) {
            match result {
                Ok(report) => self.report(&report)?,
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(()), Err)
    }

    fn threads(&self) -> usize {
        self.options.threads.unwrap_or_else(processors)
    }

    /// The last file.
    fn output(&self) -> &Path {
        self.more_inputs_and_output.last().unwrap_or(&self.input)
    }

    /// The files before it.
    fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let more = self.more_inputs_and_output.split_last().map_or(&[][..], |(_, more)| more);
        std::iter::once(&self.input).chain(more)
    }

    fn report(&self, text: &str) -> Result<(), CliError> {
        print_beside(text, &[Some(self.output()), self.options.trace.as_deref()])
    }

    /// Reads the inputs of several renderings, before anything is written.
    fn prepare_all(&self) -> Result<Vec<Rendering<'_>>, CliError> {
        if is_standard_output(self.output()) || self.output().is_file() {
            let problem = "several files need a folder";
            return Err(CliError::about(
                shown(self.output()),
                problem,
                "give the name of a folder as the last argument, for example out",
            ));
        }
        if self.options.trace.is_some() {
            return Err(CliError::new(
                "--trace: several renderings cannot share one file",
                "render one MIDI file with one preset",
            ));
        }
        let renderings: Vec<_> = self.jobs().map(|job| Rendering::prepare(&self.options, job)).collect::<Result<_, _>>()?;
        // the folder may still be missing
        let mut names = BTreeSet::new();
        if let Some(twice) = renderings.iter().flat_map(Rendering::outputs).find(|path| !names.insert(path.to_path_buf())) {
            return Err(CliError::about(twice, "two outputs go to this file", "give the MIDI files names of their own"));
        }
        let inputs: Vec<_> = self.inputs().map(|input| Some(input.as_path())).collect();
        let outputs: Vec<_> = renderings.iter().flat_map(Rendering::outputs).map(Some).collect();
        check_distinct(&inputs, &outputs)?;
        Ok(renderings)
    }

    /// Every MIDI file with every preset, into a file called after both.
    fn jobs(&self) -> impl Iterator<Item = RenderJob> {
        let presets: Vec<_> =
            if self.preset.is_empty() { vec![None] } else { self.preset.iter().map(|preset| Some(preset.as_os_str())).collect() };
        let names_preset = presets.len() > 1;
        let ending = self.options.format.map_or("wav", |format| format.ending());
        self.inputs().flat_map(move |input| {
            presets.clone().into_iter().map(move |preset| {
                let song = input.file_stem().unwrap_or(OsStr::new("song")).to_string_lossy();
                let preset_name = preset.filter(|_| names_preset).map(|preset| format!(" {}", preset_name(preset)));
                let name = format!("{}.{ending}", file_name(&format!("{song}{}", preset_name.unwrap_or_default())));
                RenderJob { input: input.clone(), preset: preset.map(OsStr::to_owned), output: self.output().join(name) }
            })
        })
    }
}

/// The name of a preset, or of its file without the ending.
fn preset_name(preset: &OsStr) -> String {
    let path = Path::new(preset);
    let is_file = path.extension().is_some_and(|ending| ["toml", "vstpreset"].iter().any(|known| ending == *known));
    let name = if is_file { path.file_stem().unwrap_or(preset) } else { preset };
    name.to_string_lossy().into_owned()
}
