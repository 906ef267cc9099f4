//! The plugin as CLAP and VST3 bundles.

use crate::place::{self, Place, cargo};
use crate::setup;
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;

/// The bundles that were made.
pub struct Bundles {
    /// `Urto.clap`: a file; on macOS a folder.
    pub clap: PathBuf,
    /// `Urto.vst3`: a folder.
    pub vst3: PathBuf,
}

/// Builds the plugin optimised across crates and bundles it into `target/bundled/`.
pub fn run(place: &Place) -> Result<Bundles> {
    setup::build()?;
    // A package that is both a cdylib and a Rust library gets link-time optimisation only when the cdylib is asked for alone.
    build(place)?;
    nice_plug_xtask::bundle(&place.target, "urto", &["--release".into()], false).context("cannot bundle the plugin")?;
    let bundled = place.target.join("bundled");
    let bundles = Bundles { clap: bundled.join("Urto.clap"), vst3: bundled.join("Urto.vst3") };
    for bundle in [&bundles.clap, &bundles.vst3] {
        ensure!(bundle.exists(), "the plugin was built, but {} is not there: does it export that format?", bundle.display());
    }
    Ok(bundles)
}

fn build(place: &Place) -> Result<()> {
    println!("building the plugin (some minutes the first time)");
    let what = ["rustc", "--package", "urto", "--lib", "--crate-type", "cdylib", "--release"];
    place::run(cargo().current_dir(&place.root).args(what).args(["--no-default-features", "--features", "plugin"]))
}
