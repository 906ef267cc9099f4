//! Steps of the checks that are not test programs.
//!
//! Format, lints, documentation, examples, instruction counts, demo, soak test, fuzz targets and external hosts.

use super::options::{Options, Part, Tier};
use super::times::Times;
use super::totals::Totals;
use crate::build::{self, Artifacts};
use crate::commands::{cargo, command_text, is_incremental, run as run_command};
use crate::paths::Paths;
use crate::{
    bundle, docs, examples, external_hosts, fuzz, instruction_counts, lock_files, media, python_package, samplers, setup, soak,
};
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Instant;

/// The steps of one run, with their options and results.
pub struct Steps<'a> {
    pub paths: &'a Paths,
    pub options: &'a Options,
    /// Features of the library that this machine can build.
    pub features: &'a str,
    pub times: &'a mut Times,
    pub totals: &'a mut Totals,
}

/// The lints of the everyday tier. Those of the plugin and of its tests would check 300 crates that the tests compile anyway.
const EVERYDAY_LINTS: [&[&str]; 2] = [
    &[
        "clippy",
        "--package",
        "urto-fourier",
        "--package",
        "urto-physics",
        "--package",
        "urto-engine",
        "--package",
        "urto-body-mesh",
        "--all-targets",
    ],
    &["clippy", "--package", "urto", "--lib", "--bins", "--no-default-features", "--features", "cli"],
];

/// Sets of features of the library that the thorough tier lints separately.
const FEATURE_SETS: [&str; 4] = ["", "cli", "plugin", "plugin,cli"];

impl Steps<'_> {
    /// Runs the steps that need no test programs. Errors: the first step that fails.
    pub fn before_tests(&mut self) -> Result<()> {
        if self.options.includes(Part::Lints) {
            self.lints()?;
        }
        Ok(())
    }

    /// Runs the steps that use artifacts of the test build. Errors: the first step that fails.
    pub fn after_tests(&mut self, built: &Artifacts) -> Result<()> {
        if self.options.includes(Part::Documents) {
            self.documents()?;
        }
        if self.options.includes(Part::Costs) {
            self.costs(built)?;
        }
        if self.options.includes(Part::Demo) {
            self.demo(built)?;
        }
        if self.options.includes(Part::CommandLine) && self.options.tier.is_thorough() {
            self.samplers()?;
            self.python_package()?;
        }
        if self.options.tier == Tier::Nightly {
            self.nightly()?;
        }
        Ok(())
    }

    fn lints(&mut self) -> Result<()> {
        const DENY: [&str; 3] = ["--", "-D", "warnings"];
        let features = self.features;
        self.step(Part::Lints, "format", |steps| steps.cargo(&["fmt", "--all", "--check"]))?;
        self.step(Part::Lints, "lock files", |steps| {
            steps.totals.skipped += lock_files::check(steps.paths)?;
            Ok(())
        })?;
        if !self.options.tier.is_thorough() {
            return self.build_step(Part::Lints, "lints without the plugin", |steps| {
                EVERYDAY_LINTS.iter().try_for_each(|lints| steps.cargo(&[lints, &DENY[..]].concat()))
            });
        }
        self.build_step(Part::Lints, "lints with all features", |steps| {
            steps.cargo(&[&["clippy", "--workspace", "--all-targets", "--features", features], &DENY[..]].concat())
        })?;
        for set in FEATURE_SETS {
            self.build_step(Part::Lints, &format!("lints with the features [{set}]"), |steps| {
                let scope = ["clippy", "--package", "urto", "--all-targets", "--no-default-features", "--features", set];
                steps.cargo(&[&scope, &DENY[..]].concat())
            })?;
        }
        Ok(())
    }

    fn documents(&mut self) -> Result<()> {
        if self.options.tier.is_thorough() {
            self.build_step(Part::Documents, "documentation of the library and its links", |steps| docs::run(steps.paths))?;
        }
        let features = self.features;
        self.build_step(Part::Documents, "examples", |steps| examples::run(steps.paths, features))?;
        self.build_step(Part::Documents, "examples in the documentation", |steps| {
            steps.cargo_tests(&["test", "--workspace", "--doc", "--features", features])
        })
    }

    fn costs(&mut self, built: &Artifacts) -> Result<()> {
        if !setup::optional("instruction counts", setup::valgrind()) {
            self.totals.skipped += 1;
            return Ok(());
        }
        if self.options.tier.is_thorough() {
            self.build_step(Part::Costs, "instructions of the kernels, release build", |steps| {
                instruction_counts::check(steps.paths)
            })
        } else {
            self.step(Part::Costs, "instructions of two kernels, test build", |steps| {
                let bench = if is_incremental() {
                    instruction_counts::build_test(steps.paths, steps.features)?
                } else {
                    built.bench("cost")?
                };
                instruction_counts::check_test_build(steps.paths, &bench)
            })
        }
    }

    /// Plays exported instruments in FluidSynth. Without FluidSynth or Python the step counts as one skipped check.
    fn samplers(&mut self) -> Result<()> {
        if !setup::optional("exports in samplers", setup::fluidsynth().and_then(|()| setup::python().map(drop))) {
            self.totals.skipped += 1;
            return Ok(());
        }
        self.build_step(Part::CommandLine, "exports in samplers", |steps| samplers::run(steps.paths, samplers::Size::Small))
    }

    /// Builds and tests the Python package. Without Python the step counts as one skipped check.
    fn python_package(&mut self) -> Result<()> {
        if !setup::optional("the Python package", setup::python().map(drop)) {
            self.totals.skipped += 1;
            return Ok(());
        }
        self.build_step(Part::CommandLine, "the Python package", |steps| {
            python_package::run(steps.paths, python_package::Scope::Package)
        })
    }

    fn demo(&mut self, built: &Artifacts) -> Result<()> {
        if !self.options.is_everything() {
            return self.step(Part::Demo, "the demo", |steps| media::demo(steps.paths));
        }
        // the test build contains the tests of urto-media, but not the program; with the examples its libraries have the features of that
        // build, and are not compiled again
        let features = self.features;
        let arguments = ["--workspace", "--examples", "--bin", "urto-media", "--features", features];
        let media = build::program(self.paths, "urto-media", &arguments)?;
        self.step(Part::Demo, "a piece through the bundled plugin", |steps| {
            let bundles = bundle::everyday(steps.paths, &built.plugin()?)?;
            media::play_demo(steps.paths, &media, &bundles)
        })?;
        if !self.options.tier.is_thorough() {
            return Ok(());
        }
        self.build_step(Part::Demo, "the same piece through the release build, bit for bit", |steps| {
            let wav = steps.paths.output("demo")?.join("urto-demo.wav");
            let everyday = std::fs::read(&wav).with_context(|| format!("cannot read {}", wav.display()))?;
            media::play_demo(steps.paths, &media, &bundle::run(steps.paths)?)?;
            ensure!(
                std::fs::read(&wav)? == everyday,
                "the demo of the release build differs from the demo of the dev build; both must be equal bit for bit"
            );
            Ok(())
        })
    }

    fn nightly(&mut self) -> Result<()> {
        self.step(Part::Engine, "an hour of soak", |steps| soak::run(steps.paths))?;
        self.step(Part::CommandLine, "every fuzz target", |steps| fuzz::run(steps.paths, &[]))?;
        self.step(Part::Plugin, "hosts of other developers", |steps| external_hosts::run(steps.paths, &[]))
    }

    /// Runs a step whose time is mostly compile time, and adds it to the build time.
    fn build_step(&mut self, part: Part, name: &str, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let start = Instant::now();
        self.step(part, name, work)?;
        self.totals.build_seconds += start.elapsed().as_secs_f64();
        Ok(())
    }

    /// Runs a step and records its time. Errors: the step fails; the message contains the command that repeats it.
    fn step(&mut self, part: Part, name: &str, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        println!("\n== {name}");
        let start = Instant::now();
        let repeat = format!("cargo xtask test {}", part.name());
        work(self).with_context(|| format!("{name} failed; repeat it with `{repeat}`"))?;
        let seconds = start.elapsed().as_secs_f64();
        println!("== {name}: {seconds:.0} s");
        self.times.record(self.options.tier, part, &format!("step: {name}"), seconds);
        Ok(())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<()> {
        run_command(cargo().current_dir(&self.paths.root).args(arguments))
    }

    /// Runs cargo with test programs and counts their results.
    fn cargo_tests(&mut self, arguments: &[&str]) -> Result<()> {
        let mut command = cargo();
        command.current_dir(&self.paths.root).args(arguments);
        println!("$ {}", command_text(&command));
        let mut child =
            command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{}`", command_text(&command)))?;
        for line in BufReader::new(child.stdout.take().context("the output of cargo is not piped")?).lines() {
            let line = line?;
            println!("{line}");
            if let Some(result) = line.strip_prefix("test result: ") {
                self.totals.passed += count(result, " passed");
                self.totals.failed += count(result, " failed");
                self.totals.skipped += count(result, " ignored");
            }
        }
        if !child.wait()?.success() {
            bail!("`{}` failed", command_text(&command));
        }
        Ok(())
    }
}

/// The number before `label` in a line such as `ok. 12 passed; 0 failed; 1 ignored`.
fn count(result: &str, label: &str) -> usize {
    let before = result.split(label).next().filter(|before| before.len() < result.len());
    before.and_then(|before| before.split_whitespace().last()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_documentation_tests_are_parsed() {
        let result = "FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!([" passed", " failed", " ignored"].map(|label| count(result, label)), [3, 2, 1]);
    }
}
