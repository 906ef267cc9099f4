//! `dataset`: renders many strokes with drawn parameters, as shards of sound and one manifest.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use crate::arguments::NumberOption;
use crate::io::error::{is_standard_input, print, read_text};
use crate::io::output_file::is_standard_output;
use crate::io::{CliError, Progress};
use urto::dataset::{DatasetError, DatasetSpec, generate, verify};

/// The argument of `--jobs`.
const JOBS: NumberOption = NumberOption { noun: "number of threads", unit: "", range: 1.0..=4096.0, whole: true, example: "4" };

/// Renders many strokes with drawn parameters, as shards of sound and one manifest.
#[derive(Args)]
pub struct Dataset {
    /// Specification in TOML; `-` is standard input. With --verify it is left out.
    #[arg(value_name = "SPEC.toml", required_unless_present = "verify")]
    spec: Option<PathBuf>,
    /// Folder of the data set; it is made if it is missing, and completed if it holds an unfinished part of this data set.
    #[arg(value_name = "OUT", required_unless_present = "verify")]
    output: Option<PathBuf>,
    /// Number of threads; does not change the output. The default is the number of processors.
    #[arg(long, value_name = "N", value_parser = jobs, allow_hyphen_values = true)]
    jobs: Option<usize>,
    /// Verifies the checksums and the manifest of a complete data set, and renders nothing.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["spec", "output", "jobs"])]
    verify: Option<PathBuf>,
}

/// Parses `--jobs`.
fn jobs(text: &str) -> Result<usize, String> {
    JOBS.read(text).map(|jobs| jobs as usize)
}

impl Dataset {
    /// Generates or verifies. Errors: a fault in the specification, a folder of something else, a file that cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        if let Some(folder) = &self.verify {
            let summary = verify(folder).map_err(CliError::sentence)?;
            let text =
                format!("{}: {} strokes, {} shards, all checksums match\n", folder.display(), summary.strokes, summary.shards);
            return print(&text);
        }
        let (Some(file), Some(output)) = (&self.spec, &self.output) else { return Ok(()) };
        if is_standard_output(output) {
            return Err(CliError::new("several files cannot go to standard output", "give a folder, for example strokes"));
        }
        let spec = read_spec(file)?;
        let jobs = self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
        let progress = Progress::of_strokes(spec.strokes());
        let start = Instant::now();
        let summary =
            generate(&spec, output, jobs, &|done| progress.set_strokes(done.done, done.before)).map_err(CliError::sentence)?;
        drop(progress);
        let seconds = start.elapsed().as_secs_f64();
        let strokes = format!("{}: {} strokes in {} shards", output.display(), summary.strokes, summary.shards);
        if summary.rendered == 0 {
            return print(&format!("{strokes}, complete before\n"));
        }
        let rate = summary.rendered as f64 / seconds;
        print(&format!("{strokes}; {} rendered in {seconds:.1} s on {jobs} threads, {rate:.1} a second\n", summary.rendered))
    }
}

/// The specification in `file`. Errors: those of the file, with its name.
fn read_spec(file: &Path) -> Result<DatasetSpec, CliError> {
    let folder = if is_standard_input(file) { None } else { file.parent() };
    let name = if is_standard_input(file) { "standard input".into() } else { file.display().to_string() };
    DatasetSpec::from_toml(&read_text(file)?, folder)
        .map_err(|error: DatasetError| CliError::sentence(format_args!("{name}, {error}")))
}
