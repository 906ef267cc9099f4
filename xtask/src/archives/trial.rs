//! A trial of the archive of this system, as a newcomer without Rust: unpack, install, hear.

use super::Archive;
use crate::build::Artifacts;
use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::setup;
use crate::virtual_display::VirtualDisplay;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longest time from unpacking to the first sound.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time in which the standalone program must not end by itself.
const RUNNING: Duration = Duration::from_secs(5);
/// The search path of the trial: no folder of Rust.
const SEARCH_PATH: &str = "/usr/bin:/bin";

/// Unpacks the archive, installs from it, renders a piece, starts the standalone program and loads both plugins. Errors: a step that fails, or
/// a first sound after more than a minute.
pub fn run(paths: &Paths, archive: &Archive) -> Result<()> {
    ensure!(cfg!(target_os = "linux"), "the trial of an archive is implemented for Linux");
    setup::virtual_display()?;
    let host = build_host(paths)?;
    let place = std::env::temp_dir().join(format!("urto-trial-{}", std::process::id()));
    let newcomer = Newcomer { home: place.join("home"), folder: archive.unpacked(&place) };
    fs::create_dir_all(&newcomer.home)?;
    println!("\n== the archive without Rust: PATH={SEARCH_PATH} and no other variables");
    let start = Instant::now();
    run_command(Command::new("tar").arg("-C").arg(&place).arg("-xf").arg(&archive.file))?;
    run_command(newcomer.command("sh").arg(newcomer.folder.join("install.sh")))?;
    let wav = newcomer.render()?;
    let seconds = start.elapsed();
    println!("from unpacking to the first sound ({}): {:.1} s", wav.display(), seconds.as_secs_f64());
    ensure!(seconds < PATIENCE, "the first sound takes {} s; the limit is {} s", seconds.as_secs(), PATIENCE.as_secs());
    newcomer.start_standalone()?;
    run_command(newcomer.command(host).arg(&newcomer.folder))?;
    run_command(newcomer.command("sh").arg(newcomer.folder.join("install.sh")).arg("--remove"))?;
    ensure!(!newcomer.home.join(".local/bin/urto-cli").exists(), "install.sh --remove has left urto-cli");
    Ok(fs::remove_dir_all(&place)?)
}

/// Builds the program that loads plugins from their files.
fn build_host(paths: &Paths) -> Result<PathBuf> {
    // the features of the tests, so that nothing is built twice
    let features = ["--no-default-features", "--features", "plugin,cli,standalone"];
    let arguments = [&["test", "--no-run", "--package", "urto", "--test", "archive"], &features[..]].concat();
    Artifacts::build(paths, &arguments)?.test("archive")
}

/// Somebody who has the archive and nothing else.
struct Newcomer {
    home: PathBuf,
    /// The unpacked archive.
    folder: PathBuf,
}

impl Newcomer {
    /// A command with the home folder and the search path as its only variables.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", SEARCH_PATH).env("HOME", &self.home).current_dir(&self.folder);
        command
    }

    /// Renders the demo's piece with the installed command line. Returns the file. Errors: silence.
    fn render(&self) -> Result<PathBuf> {
        let (program, wav) = (self.home.join(".local/bin/urto-cli"), self.home.join("first.wav"));
        let piece = Path::new("assets/demo/first_strike.mid");
        run_command(self.command(program).arg("render").arg(piece).arg(&wav).args(["--preset", "Rosewood Marimba"]))?;
        let bytes = fs::read(&wav).with_context(|| format!("cannot read {}", wav.display()))?;
        // a header is shorter than 100 bytes
        ensure!(bytes.iter().skip(100).any(|byte| *byte != 0), "{} is silent", wav.display());
        Ok(wav)
    }

    /// Starts the installed standalone program on a virtual display without a sound card.
    fn start_standalone(&self) -> Result<()> {
        let display = VirtualDisplay::start()?;
        let mut command = self.command(self.home.join(".local/bin/urto"));
        command.env("DISPLAY", display.name()).args(["--backend", "dummy"]).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::null()).spawn().context("cannot start the standalone program")?;
        let start = Instant::now();
        let mut ended = None;
        while start.elapsed() < RUNNING && ended.is_none() {
            ended = child.try_wait()?;
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = child.kill();
        let _ = child.wait();
        ensure!(ended.is_none(), "the standalone program ends by itself ({})", ended.map_or_else(String::new, |s| s.to_string()));
        println!("urto: the standalone program runs on a virtual display");
        Ok(())
    }
}
