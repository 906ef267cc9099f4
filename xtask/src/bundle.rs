//! The plugin as CLAP and VST3 bundles.

use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// The bundles that were made.
pub struct Bundles {
    /// `Urto.clap`: a file; on macOS a folder.
    pub clap: PathBuf,
    /// `Urto.vst3`: a folder.
    pub vst3: PathBuf,
}

/// Builds the plugin as a release, optimised across crates, and bundles it into `target/bundled/`.
pub fn run(paths: &Paths) -> Result<Bundles> {
    setup::build()?;
    println!("building the plugin (some minutes the first time)");
    // A package that is both a cdylib and a Rust library gets link-time optimisation only when the cdylib is asked for alone.
    let what = ["rustc", "--package", "urto", "--lib", "--crate-type", "cdylib", "--release"];
    run_command(cargo().current_dir(&paths.root).args(what).args(["--no-default-features", "--features", "plugin"]))?;
    bundle(&paths.target, &["--release".into()])
}

/// Bundles the dynamic library of an everyday build in a folder of its own, so that it is never taken for a release.
pub fn everyday(paths: &Paths, library: &Path) -> Result<Bundles> {
    let folder = paths.output("everyday")?;
    let built = folder.join("debug");
    fs::create_dir_all(&built).with_context(|| format!("cannot create {}", built.display()))?;
    // cargo names the library in `deps` with a hash on some systems; the bundler wants the plain name
    let name = format!("{}urto{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    fs::copy(library, built.join(name)).with_context(|| format!("cannot copy {}", library.display()))?;
    bundle(&folder, &[])
}

/// Bundles the library in `target`, in the folder of the profile that `arguments` name.
fn bundle(target: &Path, arguments: &[String]) -> Result<Bundles> {
    nice_plug_xtask::bundle(target, "urto", arguments, false).context("cannot bundle the plugin")?;
    let bundled = target.join("bundled");
    let bundles = Bundles { clap: bundled.join("Urto.clap"), vst3: bundled.join("Urto.vst3") };
    for bundle in [&bundles.clap, &bundles.vst3] {
        ensure!(bundle.exists(), "the plugin was built, but {} is missing: does it export that format?", bundle.display());
    }
    Ok(bundles)
}
