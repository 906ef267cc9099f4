//! Output files that get their names only when they are complete, standard output, and the progress bar.
//!
//! What goes to standard output or to a pipe is written to a temporary file first: sizes in headers are then known, and after an error
//! nothing has been written. Signals that end the program remove unfinished files.

use std::collections::HashSet;
use std::fs;
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::io::error::{CliError, is_standard_input, print, print_error};

/// Names of standard output.
const STANDARD_OUTPUT: &[&str] = &["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
/// Folders of open files: their entries cannot be replaced.
const OPEN_FILES: &[&str] = &["/dev/fd", "/dev/stderr", "/proc/self/fd"];
/// Exit code of a program that a signal ended: this and the number of the signal.
const SIGNAL_EXIT_CODE: i32 = 128;

/// The unfinished files of the process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether `path` is standard output: `-`, or its name in the system.
pub fn is_standard_output(path: &Path) -> bool {
    STANDARD_OUTPUT.iter().any(|name| path == Path::new(name))
}

/// The name of an output file in messages.
pub fn shown(path: &Path) -> &Path {
    if is_standard_output(path) { Path::new("standard output") } else { path }
}

/// A file that is written under a temporary name, and deleted unless it is published.
#[derive(Debug)]
pub struct PendingFile {
    /// Where it goes; the name of standard output in messages.
    path: PathBuf,
    temporary: PathBuf,
    destination: Destination,
}

#[derive(Debug, PartialEq)]
enum Destination {
    /// The temporary file is in the folder and gets the name.
    Name,
    /// The temporary file is copied to a pipe or device.
    Copy,
    /// The temporary file is copied to standard output.
    StandardOutput,
}

impl PendingFile {
    /// Creates the file for `path`. Errors: the folder is missing or not writable, or `path` is a folder.
    pub fn create(path: &Path) -> Result<(PendingFile, File), CliError> {
        let is_open_file = OPEN_FILES.iter().any(|folder| path.starts_with(folder));
        let (destination, name) = match (path.file_name(), fs::metadata(path)) {
            _ if is_standard_output(path) => (Destination::StandardOutput, "urto-cli".into()),
            (_, Ok(found)) if found.is_dir() => {
                return Err(CliError::about(path, "this is a folder", "give the name of a file in it"));
            }
            (_, Ok(found)) if !found.is_file() || is_open_file => (Destination::Copy, "urto-cli".into()),
            (Some(name), _) => (Destination::Name, name.to_string_lossy()),
            (None, _) => {
                return Err(CliError::about(path, "not the name of a file", "give the name of a file, for example out.wav"));
            }
        };
        let mut unfinished = unfinished();
        let (temporary, opened) = if destination == Destination::Name {
            let temporary = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
            let opened = File::create(&temporary).map_err(|error| CliError::unwritable(path, error));
            (temporary, opened)
        } else {
            // the folder may belong to all users: never a file that is there
            let since = UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
            let temporary = std::env::temp_dir().join(format!("{name}.{}.{since}.part", std::process::id()));
            let opened = File::create_new(&temporary).map_err(|error| CliError::unwritable(&temporary, error));
            (temporary, opened)
        };
        let file = opened?;
        unfinished.push(temporary.clone());
        Ok((PendingFile { path: shown(path).into(), temporary, destination }, file))
    }

    /// Path of the finished file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a text and publishes the file.
    pub fn write_text(self, mut file: File, text: &str) -> Result<(), CliError> {
        file.write_all(text.as_bytes()).map_err(|error| CliError::unwritable(&self.path, error))?;
        self.publish()
    }

    /// Gives the finished file its name, replacing an existing file; or copies it to a pipe, a device, or standard output.
    pub fn publish(self) -> Result<(), CliError> {
        let written = match self.destination {
            // not while a signal removes unfinished files
            Destination::Name => {
                let mut unfinished = unfinished();
                let renamed = fs::rename(&self.temporary, &self.path);
                if renamed.is_ok() {
                    unfinished.retain(|file| *file != self.temporary);
                }
                renamed
            }
            Destination::Copy => File::options().write(true).truncate(true).open(&self.path).and_then(|file| self.copy(file)),
            Destination::StandardOutput => self.copy(std::io::stdout().lock()),
        };
        match written {
            // the reader of a pipe may stop reading
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|error| CliError::unwritable(&self.path, error)),
        }
    }

    fn copy(&self, mut to: impl Write) -> std::io::Result<()> {
        std::io::copy(&mut File::open(&self.temporary)?, &mut to)?;
        to.flush()
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if let Some(place) = unfinished.iter().position(|file| *file == self.temporary) {
            unfinished.swap_remove(place);
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a text file, completely or not at all.
pub fn write_text(path: &Path, text: &str) -> Result<(), CliError> {
    let (pending, file) = PendingFile::create(path)?;
    pending.write_text(file, text)
}

/// Refuses to write bytes that are no text to a terminal.
pub fn check_terminal(path: &Path) -> Result<(), CliError> {
    if is_standard_output(path) && std::io::stdout().is_terminal() {
        let problem = "standard output is a terminal, which cannot show a binary file";
        return Err(CliError::new(problem, "redirect it to a file or a pipe, or give the name of a file"));
    }
    Ok(())
}

/// Refuses `--json` where one of the files goes to standard output.
pub fn check_json(is_json: bool, outputs: &[Option<&Path>]) -> Result<(), CliError> {
    if is_json && outputs.iter().flatten().any(|output| is_standard_output(output)) {
        return Err(CliError::new("--json and a file both go to standard output", "give the file a name, for example out.csv"));
    }
    Ok(())
}

/// Prints a report on standard output, or on standard error if one of the files goes to standard output.
pub fn print_beside(text: &str, outputs: &[Option<&Path>]) -> Result<(), CliError> {
    if outputs.iter().flatten().any(|output| is_standard_output(output)) {
        // a closed standard error is not an error
        let _ = std::io::stderr().write_all(text.as_bytes());
        return Ok(());
    }
    print(text)
}

/// Refuses an output that is also an input, and two outputs to the same file.
pub fn check_distinct(inputs: &[Option<&Path>], outputs: &[Option<&Path>]) -> Result<(), CliError> {
    let read: HashSet<_> = inputs.iter().flatten().filter_map(|input| identity(input, false)).collect();
    let mut written = HashSet::new();
    for output in outputs.iter().flatten() {
        let Some(identity) = identity(output, true) else { continue };
        if read.contains(&identity) {
            return Err(CliError::about(
                shown(output),
                "this is also an input file",
                "choose another name or folder for the output",
            ));
        }
        if !written.insert(identity) {
            return Err(CliError::about(shown(output), "two outputs go to this file", "give each output its own name"));
        }
    }
    Ok(())
}

/// As [`check_distinct`], for the files that are read besides those that the arguments name.
pub fn check_distinct_files(inputs: &[PathBuf], outputs: &[Option<&Path>]) -> Result<(), CliError> {
    check_distinct(&inputs.iter().map(|file| Some(file.as_path())).collect::<Vec<_>>(), outputs)
}

/// A file, whatever its name.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    /// A file or a pipe, by its numbers in the file system.
    #[cfg(unix)]
    Numbers(u64, u64),
    /// A file that is open as long as it is compared.
    #[cfg(windows)]
    File(same_file::Handle),
    /// A file that does not exist yet, by its resolved path.
    Path(PathBuf),
    /// Standard output that is not a file.
    StandardOutput,
}

/// The file that `path` names; `None` for a device and for a folder. Standard input and output may be redirected from or to a file.
fn identity(path: &Path, is_output: bool) -> Option<Identity> {
    let (is_standard, redirected) = match is_output {
        true => (is_standard_output(path), "/dev/stdout"),
        false => (is_standard_input(path), "/dev/stdin"),
    };
    let path = if is_standard { Path::new(redirected) } else { path };
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => None,
        Ok(found) if is_standard && !found.is_file() => is_output.then_some(Identity::StandardOutput),
        Err(_) if is_standard => is_output.then_some(Identity::StandardOutput),
        #[cfg(unix)]
        Ok(found) => existing(&found),
        #[cfg(windows)]
        Ok(_) => same_file::Handle::from_path(path).ok().map(Identity::File),
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let name = path.file_name()?;
            // the usual file systems of these systems do not distinguish upper and lower case
            let same_case = cfg!(any(windows, target_os = "macos"));
            let name = if same_case { name.to_ascii_lowercase() } else { name.to_owned() };
            Some(Identity::Path(folder.canonicalize().ok()?.join(name)))
        }
    }
}

#[cfg(unix)]
fn existing(found: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    (!found.file_type().is_char_device()).then(|| Identity::Numbers(found.dev(), found.ino()))
}

/// Removes unfinished files on the signals that end the program, and ends it. A file that grows beyond the limit of the system
/// (`ulimit -f`) is an error of writing instead of a signal. To be called before any thread is started: later threads inherit the blocked
/// signals, so that only the thread that waits for them receives them.
#[cfg(unix)]
pub fn remove_unfinished_on_signals() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGQUIT, Signal::SIGXCPU].into_iter().collect();
    if !is_hangup_ignored() {
        signals.add(Signal::SIGHUP);
    }
    let mut blocked = signals;
    blocked.add(Signal::SIGXFSZ);
    if blocked.thread_block().is_err() {
        return;
    }
    let waiting = std::thread::Builder::new().spawn(move || {
        if let Ok(signal) = signals.wait() {
            stop(signal as i32);
        }
    });
    if waiting.is_err() {
        let _ = signals.thread_unblock();
    }
}

/// Whether the program was started to outlive its terminal, as `nohup` does. Linux delivers an ignored signal to a thread that waits for it.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (nix::sys::signal::Signal::SIGHUP as i32 - 1) & 1 == 1
}

/// Removes unfinished files on Ctrl-C and when the console is closed, and ends the program.
#[cfg(windows)]
pub fn remove_unfinished_on_signals() {
    const SIGINT: i32 = 2;
    let _ = ctrlc::set_handler(|| stop(SIGINT));
}

/// Removes unfinished files and ends the program after `signal`.
fn stop(signal: i32) -> ! {
    // kept until the end, so that no file is created or published any more
    let files = unfinished();
    for file in files.iter() {
        let _ = fs::remove_file(file);
    }
    print_error(if files.is_empty() { "interrupted." } else { "interrupted; unfinished files were removed." });
    std::process::exit(SIGNAL_EXIT_CODE + signal)
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

    /// A bar that is not drawn.
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), sample_rate: 1.0 }
    }

    /// A bar of `count` tasks.
    pub fn of_tasks(count: u64) -> Self {
        let progress = Self { bar: visible_bar(Some(count)), sample_rate: 1.0 };
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}  {msg}");
        progress.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        progress.bar.tick();
        progress
    }

    /// A bar of `count` strokes, with the rate and the remaining time.
    pub fn of_strokes(count: u64) -> Self {
        let progress = Self { bar: visible_bar(Some(count)), sample_rate: 1.0 };
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}  {per_sec}, {eta} left");
        progress.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        progress
    }

    /// Shows that `done` strokes are there, `before` of them from an earlier run, which do not count for the rate.
    pub fn set_strokes(&self, done: u64, before: u64) {
        if done == before {
            self.bar.set_position(done);
            self.bar.reset_eta();
        } else {
            self.bar.set_position(done);
        }
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
