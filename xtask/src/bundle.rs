//! The plugin as CLAP and VST3 bundles.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// Paths of the bundles.
pub struct Bundles {
    /// `Urto.clap`: a folder on macOS, a file elsewhere.
    pub clap: PathBuf,
    /// `Urto.vst3`: a folder.
    pub vst3: PathBuf,
}

/// Builds the plugin in the release profile and bundles it into `target/bundled/`.
pub fn run(paths: &Paths) -> Result<Bundles> {
    setup::build()?;
    println!("building the plugin; the first build takes some minutes");
    // A package that is both a cdylib and a Rust library gets link-time optimisation only when the cdylib alone is requested.
    let crate_type = ["rustc", "--package", "urto", "--lib", "--crate-type", "cdylib", "--release"];
    let features = ["--no-default-features", "--features", "plugin"];
    run_command(cargo().current_dir(&paths.root).args(crate_type).args(features))?;
    bundle(&paths.target, &["--release".into()], Processors::One)
}

/// Bundles the dynamic library of a dev build into `target/everyday/`, apart from the release bundles.
pub fn everyday(paths: &Paths, library: &Path) -> Result<Bundles> {
    let folder = paths.output("everyday")?;
    let built = folder.join("debug");
    fs::create_dir_all(&built).with_context(|| format!("cannot create {}", built.display()))?;
    // on some systems cargo adds a hash to the name of the library; the bundler expects the plain name
    let name = format!("{}urto{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    fs::copy(library, built.join(name)).with_context(|| format!("cannot copy {}", library.display()))?;
    bundle(&folder, &[], Processors::One)
}

/// Bundles the library that cargo has built with `arguments`, which select profile and target, in cargo's target folder `target`.
pub fn built(target: &Path, arguments: impl IntoIterator<Item = String>) -> Result<Bundles> {
    bundle(target, &arguments.into_iter().collect::<Vec<_>>(), Processors::One)
}

/// Joins the libraries that were built for both processors of macOS in the release profile, in cargo's target folder `target`.
pub fn universal(target: &Path) -> Result<Bundles> {
    bundle(target, &["--release".into()], Processors::BothOfMacOs)
}

/// Processors for which a bundle has code.
#[derive(Clone, Copy, PartialEq)]
enum Processors {
    One,
    BothOfMacOs,
}

/// Bundles the library in `target`, in the folder of the profile that `arguments` select.
fn bundle(target: &Path, arguments: &[String], processors: Processors) -> Result<Bundles> {
    let is_universal = processors == Processors::BothOfMacOs;
    nice_plug_xtask::bundle(target, "urto", arguments, is_universal).context("cannot bundle the plugin")?;
    let bundled = target.join("bundled");
    let bundles = Bundles { clap: bundled.join("Urto.clap"), vst3: bundled.join("Urto.vst3") };
    for bundle in [&bundles.clap, &bundles.vst3] {
        ensure!(bundle.exists(), "the bundler has not written {}; check that the plugin exports this format", bundle.display());
    }
    Ok(bundles)
}
