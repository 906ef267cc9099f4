//! Plugins and programs of an archive, built for its system.

use super::System;
use crate::bundle::{self, Bundles};
use crate::commands::run as run_command;
use crate::cross::Target;
use crate::paths::Paths;
use crate::{command_line, setup, standalone};
use anyhow::{Result, ensure};
use std::path::PathBuf;

/// Development files of ALSA and JACK for ARM, and the folder of their descriptions for pkg-config.
const ARM_AUDIO: [&str; 2] = ["libasound2-dev:arm64", "libjack-jackd2-dev:arm64"];
const ARM_DESCRIPTIONS: &str = "/usr/lib/aarch64-linux-gnu/pkgconfig";

/// Files and folders of an archive besides its documents.
pub struct Content {
    /// CLAP and VST3; none for browsers.
    pub plugins: Option<Bundles>,
    /// Programs; the page for browsers.
    pub programs: Vec<PathBuf>,
}

/// Builds the content in the release profile. Errors: a build that fails, or no page for browsers yet.
pub fn build(paths: &Paths, system: System) -> Result<Content> {
    match system {
        System::Native => {
            let plugins = Some(bundle::run(paths)?);
            Ok(Content { plugins, programs: vec![standalone::build(paths)?, command_line::build(paths)?] })
        }
        System::Other(target) => build_for(paths, target),
        System::Web => {
            let page = paths.target.join("web");
            ensure!(page.join("index.html").exists(), "no page in {}: build it with `cargo xtask web`", page.display());
            Ok(Content { plugins: None, programs: vec![page] })
        }
    }
}

fn build_for(paths: &Paths, target: Target) -> Result<Content> {
    target.provide(paths)?;
    if target == Target::Arm {
        setup::debian_packages(&ARM_AUDIO)?;
    }
    println!("building plugin and programs for {}; the first build takes many minutes", target.system());
    let build = |subcommand: &str, what: &[&str], feature: &str| {
        let mut command = target.cargo(paths, subcommand)?;
        if target == Target::Arm {
            command.env("PKG_CONFIG_ALLOW_CROSS", "1").env("PKG_CONFIG_LIBDIR", ARM_DESCRIPTIONS);
        }
        command.args(["--package", "urto", "--release", "--no-default-features", "--features", feature]).args(what);
        run_command(&mut command)
    };
    // a package that is both a cdylib and a Rust library gets link-time optimisation only when the cdylib alone is requested
    build("rustc", &["--lib", "--crate-type", "cdylib"], "plugin")?;
    build("build", &["--bin", "urto"], "standalone")?;
    build("build", &["--bin", "urto-cli"], "cli")?;
    let folder = target.folder(paths)?;
    let plugins = Some(bundle::of_target(&folder, target.triple())?);
    let built = folder.join(target.triple()).join("release");
    let programs = ["urto", "urto-cli"].map(|name| built.join(format!("{name}{}", target.program_suffix()))).to_vec();
    Ok(Content { plugins, programs })
}
