//! Output files that get their names only when they are complete, and the progress bar.

use std::fs;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::io::error::CliError;

/// A file that is written under a temporary name in its folder, and deleted unless it is published.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    temporary: Option<PathBuf>,
}

impl PendingFile {
    /// Creates the file for `path`. A pipe or device at `path` is written directly.
    /// Errors: the folder is missing or not writable, or `path` is a folder.
    pub fn create(path: &Path) -> Result<(PendingFile, File), CliError> {
        let unwritable = |error| CliError::unwritable(path, &error);
        let name = match (path.file_name(), fs::metadata(path)) {
            (_, Ok(found)) if found.is_dir() => {
                return Err(CliError::about(path, "this is a folder", "give the name of a file in it"));
            }
            (_, Ok(found)) if !found.is_file() => {
                let file = File::options().write(true).open(path).map_err(unwritable)?;
                return Ok((PendingFile { path: path.into(), temporary: None }, file));
            }
            (Some(name), _) => name.to_string_lossy(),
            (None, _) => {
                return Err(CliError::about(path, "not the name of a file", "give the name of a file, for example out.wav"));
            }
        };
        let temporary = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = File::create(&temporary).map_err(unwritable)?;
        Ok((PendingFile { path: path.into(), temporary: Some(temporary) }, file))
    }

    /// Path of the finished file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a text and publishes the file.
    pub fn write_text(self, mut file: File, text: &str) -> Result<(), CliError> {
        file.write_all(text.as_bytes()).map_err(|error| CliError::unwritable(&self.path, &error))?;
        self.publish()
    }

    /// Gives the finished file its name, replacing an existing file.
    pub fn publish(mut self) -> Result<(), CliError> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        fs::rename(temporary, &self.path).map_err(|error| CliError::unwritable(&self.path, &error))?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a text file, completely or not at all.
pub fn write_text(path: &Path, text: &str) -> Result<(), CliError> {
    let (pending, file) = PendingFile::create(path)?;
    pending.write_text(file, text)
}

/// Refuses an output file that is also an input file.
pub fn check_distinct(inputs: &[Option<&Path>], outputs: &[Option<&Path>]) -> Result<(), CliError> {
    let file = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    let read: Vec<_> = inputs.iter().flatten().filter_map(|path| file(path)).collect();
    match outputs.iter().flatten().find(|output| file(output).is_some_and(|output| read.contains(&output))) {
        Some(output) => Err(CliError::about(output, "this is also an input file", "choose another name for the output")),
        None => Ok(()),
    }
}

/// A progress bar, drawn on standard error and only on a terminal.
pub struct Progress {
    bar: ProgressBar,
    sample_rate: f64,
}

impl Progress {
    /// A bar of `frames` at `sample_rate` [Hz]; without a length if `frames` is `None`.
    pub fn new(frames: Option<u64>, sample_rate: f64) -> Self {
        let bar = visible_bar(frames.map(|frames| (1000.0 * frames as f64 / sample_rate) as u64));
        let style = if frames.is_some() { "{wide_bar} {percent:>3} %  {msg}" } else { "{spinner} {msg}" };
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, sample_rate }
    }

    /// A bar of `count` tasks.
    pub fn of_tasks(count: u64) -> Self {
        let progress = Self { bar: visible_bar(Some(count)), sample_rate: 1.0 };
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}  {msg}");
        progress.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        progress.bar.tick();
        progress
    }

    /// A moving sign with `text` until it is dropped, for work whose length is unknown.
    pub fn of_unknown_length(text: &'static str) -> Self {
        let progress = Self { bar: visible_bar(None), sample_rate: 1.0 };
        if !progress.bar.is_hidden() {
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
            progress.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            progress.bar.set_message(text);
            progress.bar.tick();
            progress.bar.enable_steady_tick(Duration::from_millis(100));
        }
        progress
    }

    /// Shows that another task, called `name`, is done. Threads may share the bar.
    pub fn finish_task(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.bar.inc(1);
    }

    /// Shows that `frame` frames are done.
    pub fn update(&self, frame: u64) {
        if !self.bar.is_hidden() {
            let seconds = frame as f64 / self.sample_rate;
            self.bar.set_position((1000.0 * seconds) as u64);
            self.bar.set_message(format!("{seconds:.1} s"));
        }
    }
}

/// A bar of `length` on a terminal; elsewhere one that is not drawn.
fn visible_bar(length: Option<u64>) -> ProgressBar {
    let is_terminal = std::io::stderr().is_terminal();
    let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    ProgressBar::with_draw_target(length, target)
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
