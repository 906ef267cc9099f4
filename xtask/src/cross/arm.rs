//! Linux on 64-bit ARM: tests and renderings in QEMU.

use super::renders::{self, Presets};
use super::report;
use crate::build::Artifacts;
use crate::paths::Paths;
use crate::setup;
use crate::target::Target;
use crate::test::{self, Launcher, Part, Times};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Debian package of the emulator, and its program.
const PACKAGE: &str = "qemu-user-static";
const EMULATOR: &str = "/usr/bin/qemu-aarch64-static";
/// Variable that tells the tests where it is: some start their program again.
const EMULATOR_VARIABLE: &str = "URTO_TEST_EMULATOR";
/// Variable that makes the emulator load libraries from a folder. With those of the cross compiler every program hangs when it starts its
/// first thread.
const LIBRARIES_VARIABLE: &str = "QEMU_LD_PREFIX";
/// Time limit of the self-test.
const SELF_TEST: Duration = Duration::from_secs(10);
/// Time limits of one test.
const SHORT_TEST: Duration = Duration::from_secs(120);
const LONG_TEST: Duration = Duration::from_secs(1_800);
/// List of the tests that have passed, beside the build: a run that was ended goes on.
const PASSED: &str = "passed.txt";
/// Tests that the short list leaves out: figures of papers and everything that simulates seconds.
const SHORT_LIST: [&str; 6] =
    ["preset_regression::every", "preset_regression::the_current", "modal::", "connections::", "bodies::", "contact::"];

/// Extent of the tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// A few minutes.
    Short,
    /// All tests of physics and engine, with the fingerprint of every sixth preset: some two hours.
    Long,
}

/// Builds for ARM, starts a thread, compares ten presets with those of this system, and runs tests of physics and engine. Errors: builds and
/// packages that fail, with the line to type; else all steps that fail.
pub fn run(paths: &Paths, extent: Extent) -> Result<()> {
    let target = Target::Arm;
    target.provide(paths)?;
    setup::debian_packages(&[PACKAGE])?;
    let launcher = launcher(extent);
    self_test(paths, &launcher)?;
    let mut command = target.cargo(paths, "build")?;
    command.args(["--package", "urto", "--no-default-features", "--features", "cli", "--bin", "urto-cli"]);
    let program = Artifacts::build_with(command)?.program("urto-cli")?;
    let compared = renders::compare(paths, &launcher, &program, target, Presets::Calm);
    let mut command = target.cargo(paths, "test")?;
    command.args(["--no-run", "--package", "urto-fourier", "--package", "urto-physics", "--package", "urto-engine"]);
    let built = Artifacts::build_with(command)?;
    println!("\n== the tests of physics and engine");
    let is_chosen = |_: Part, name: &str| extent == Extent::Long || SHORT_LIST.iter().any(|start| name.starts_with(start));
    let passed = target.folder(paths)?.join(PASSED);
    let results = test::resume_programs(&built, &launcher, &Times::read(paths), is_chosen, passed)?;
    report::all([compared, report::finish(paths, target, "tests", results)])
}

fn launcher(extent: Extent) -> Launcher {
    let time_limit = if extent == Extent::Long { LONG_TEST } else { SHORT_TEST };
    let mut launcher = Launcher {
        emulator: Some(EMULATOR.into()),
        time_limit: Some(time_limit),
        // a test over the limit must not take others with it
        largest_batch: Some(1),
        removed: vec![LIBRARIES_VARIABLE.into()],
        ..Launcher::default()
    };
    launcher.set(EMULATOR_VARIABLE, EMULATOR);
    launcher
}

/// Starts a program with a thread in the emulator. Errors: the thread does not start within ten seconds.
fn self_test(paths: &Paths, launcher: &Launcher) -> Result<()> {
    let folder = Target::Arm.folder(paths)?;
    let (source, program) = (folder.join("thread.c"), folder.join("thread"));
    fs::write(&source, THREAD_SOURCE).with_context(|| format!("cannot write {}", source.display()))?;
    let mut compiler = Command::new("aarch64-linux-gnu-gcc");
    crate::commands::run(compiler.arg("-pthread").arg("-o").arg(&program).arg(&source))?;
    let seconds = run_within(launcher, &program, SELF_TEST)?;
    println!("self-test: a thread starts and ends in the emulator, {seconds:.1} s");
    Ok(())
}

/// A program that succeeds if a thread has run.
const THREAD_SOURCE: &str = "\
#include <pthread.h>

static void *work(void *has_run)
{
    *(int *)has_run = 1;
    return 0;
}

int main(void)
{
    int has_run = 0;
    pthread_t thread;
    if (pthread_create(&thread, 0, work, &has_run) || pthread_join(thread, 0))
        return 2;
    return !has_run;
}
";

/// Runs a program and returns its time [s]. Errors: it fails, or does not end within `limit`.
fn run_within(launcher: &Launcher, program: &Path, limit: Duration) -> Result<f64> {
    let start = Instant::now();
    let mut child = launcher.command(program).stdin(Stdio::null()).spawn().context("cannot start the emulator")?;
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(start.elapsed().as_secs_f64());
            }
            bail!("the self-test of the emulator failed ({status}): a thread does not start");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    bail!(
        "the self-test of the emulator does not end: its first thread hangs. The libraries of the package libc6:arm64 are needed, not \
         those of the cross compiler; unset QEMU_LD_PREFIX, and renew them with `apt-get install libc6:arm64`"
    )
}
