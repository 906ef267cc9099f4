//! Plugins and programs for both processors of macOS, joined to one file each. Never run: no Mac was at hand.

use super::content::Content;
use crate::bundle;
use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// Names of the processors in Rust. `rustup target add` provides their libraries.
const TRIPLES: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Builds for both processors in the release profile. Errors: a build that fails.
pub fn build(paths: &Paths) -> Result<Content> {
    for triple in TRIPLES {
        let build = |subcommand: &str, what: &[&str], feature: &str| {
            let mut command = cargo();
            command.current_dir(&paths.root).args([subcommand, "--target", triple, "--package", "urto", "--release"]);
            run_command(command.args(["--no-default-features", "--features", feature]).args(what))
        };
        build("rustc", &["--lib", "--crate-type", "cdylib"], "plugin")?;
        build("build", &["--bin", "urto"], "standalone")?;
        build("build", &["--bin", "urto-cli"], "cli")?;
    }
    let plugins = Some(bundle::universal(&paths.target)?);
    let programs = ["urto", "urto-cli"].map(|name| join(paths, name)).into_iter().collect::<Result<_>>()?;
    Ok(Content { plugins, programs })
}

/// Joins the two builds of a program.
fn join(paths: &Paths, name: &str) -> Result<PathBuf> {
    let joined = paths.output("universal")?.join(name);
    let built = TRIPLES.map(|triple| paths.target.join(triple).join("release").join(name));
    run_command(Command::new("lipo").args(["-create", "-output"]).arg(&joined).args(built))?;
    Ok(joined)
}
