//! Windows: programs built with mingw-w64, and their tests in Wine.

use super::renders::{self, Presets};
use super::wine::Wine;
use super::{report, windows_archive};
use crate::archives::{self, Profile};
use crate::build::Artifacts;
use crate::paths::Paths;
use crate::setup;
use crate::target::Target;
use crate::test::{self, Launcher, Part, Tier, Times};
use crate::virtual_display::VirtualDisplay;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// Test programs that run in Wine, and what they need, as arguments of cargo.
const PROGRAMS: &str = "--package urto --package urto-engine --no-default-features --features urto/plugin,urto/cli \
                        --test plugin --test cli --test engine --test archive --bin urto-cli";
/// The library that stands in for that of an MTS-ESP master, and the variable that tells the tests where it is: Wine has no compiler.
const MTS_LIBRARY: &str = "mts_library";
/// What it needs, as arguments of cargo: `cargo test` would build it as a test program.
const MTS_LIBRARY_BUILD: &str = "--package urto --no-default-features --features plugin,cli --example mts_library";
const MTS_LIBRARY_VARIABLE: &str = "URTO_TEST_MTS_LIBRARY";
/// The test that compares the presets with their fingerprints.
const FINGERPRINTS: &str = "preset_regression::presets_sound_unchanged";

/// Builds for Windows, compares all presets with this system, runs the tests in Wine, and packs the archive with builds of `profile`, unpacks
/// it and loads its plugins. Errors: builds and packages that fail, with the line to type; else all steps that fail.
pub fn run(paths: &Paths, profile: Profile) -> Result<()> {
    let target = Target::Windows;
    target.provide(paths)?;
    setup::virtual_display()?;
    let wine = Wine::provide(paths)?;
    // a server that runs since before the display would refuse windows
    wine.stop();
    // the plugin framework opens a hidden window for its messages
    let display = VirtualDisplay::start()?;
    let built = build_tests(paths)?;
    let launcher = launcher(&wine, &display, &build_mts_library(paths)?)?;
    let compared = renders::compare(paths, &launcher, &built.program("urto-cli")?, target, Presets::All);
    println!("\n== the fingerprints of all presets");
    let times = Times::read(paths);
    let results = test::run_programs(&built, &launcher, Tier::Thorough, &times, |_, name| name == FINGERPRINTS)?;
    let fingerprints = report::finish(paths, target, "fingerprints", results);
    println!("\n== the tests of engine, plugin and command line");
    let results = test::run_programs(&built, &launcher, Tier::Everyday, &times, |_: Part, _| true)?;
    let tests = report::finish(paths, target, "tests", results);
    let archive = archives::pack_for(paths, target, profile)?;
    let unpacked = windows_archive::check(paths, &launcher, &archive, &built.test("archive")?);
    wine.stop();
    report::all([compared, fingerprints, tests, unpacked])
}

fn build_tests(paths: &Paths) -> Result<Artifacts> {
    let mut command = Target::Windows.cargo(paths, "test")?;
    command.arg("--no-run").args(PROGRAMS.split_whitespace());
    Artifacts::build_with(command)
}

/// Builds the library that stands in for that of an MTS-ESP master. Returns its path.
fn build_mts_library(paths: &Paths) -> Result<PathBuf> {
    let mut command = Target::Windows.cargo(paths, "build")?;
    command.args(MTS_LIBRARY_BUILD.split_whitespace());
    Artifacts::build_with(command)?.library(MTS_LIBRARY)
}

fn launcher(wine: &Wine, display: &VirtualDisplay, mts_library: &Path) -> Result<Launcher> {
    let mut launcher = wine.launcher();
    launcher.set("DISPLAY", display.name());
    launcher.set("LIBGL_ALWAYS_SOFTWARE", "1");
    launcher.set(MTS_LIBRARY_VARIABLE, mts_library);
    Ok(launcher)
}
