//! Plugins and programs of an archive, built for its system.

use super::{Profile, System};
use crate::bundle::{self, Bundles};
use crate::commands::{cargo, run as run_command};
use crate::paths::Paths;
use crate::target::Target;
use crate::{setup, web};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Builds the content for one processor. Errors: a build that fails.
pub fn build(paths: &Paths, system: System, profile: Profile) -> Result<Content> {
    match system {
        System::Native => build_native(paths, profile),
        System::Other(target) => build_for(paths, target, profile),
        System::Web => {
            web::run(paths, web::Check::None)?;
            let page = paths.target.join("web");
            Ok(Content { plugins: None, programs: vec![page] })
        }
    }
}

fn build_native(paths: &Paths, profile: Profile) -> Result<Content> {
    setup::build()?;
    setup::standalone()?;
    println!("building plugin and programs; the first build takes some minutes");
    build_parts(profile, |subcommand| {
        let mut command = cargo();
        command.current_dir(&paths.root).arg(subcommand);
        Ok(command)
    })?;
    let plugins = Some(bundle::built(&paths.target, profile.arguments())?);
    Ok(Content { plugins, programs: programs(&paths.target.join(profile.folder()), std::env::consts::EXE_SUFFIX) })
}

fn build_for(paths: &Paths, target: Target, profile: Profile) -> Result<Content> {
    target.provide(paths)?;
    if target == Target::Arm {
        setup::debian_packages(&ARM_AUDIO)?;
    }
    println!("building plugin and programs for {}; the first build takes many minutes", target.system());
    build_parts(profile, |subcommand| {
        let mut command = target.cargo(paths, subcommand)?;
        if target == Target::Arm {
            command.env("PKG_CONFIG_ALLOW_CROSS", "1").env("PKG_CONFIG_LIBDIR", ARM_DESCRIPTIONS);
        }
        Ok(command)
    })?;
    let folder = target.folder(paths)?;
    let triple = [format!("--target={}", target.triple())];
    let plugins = Some(bundle::built(&folder, profile.arguments().into_iter().chain(triple))?);
    let built = folder.join(target.triple()).join(profile.folder());
    Ok(Content { plugins, programs: programs(&built, target.program_suffix()) })
}

/// Builds plugin, standalone program and command line with `cargo`, which gets a subcommand.
fn build_parts(profile: Profile, cargo: impl Fn(&str) -> Result<Command>) -> Result<()> {
    let build = |subcommand: &str, what: &[&str], features: &str| {
        let mut command = cargo(subcommand)?;
        command.args(["--package", "urto", "--no-default-features", "--features", features]).args(what).args(profile.arguments());
        run_command(&mut command)
    };
    if profile == Profile::Quick {
        // the features of the tests, so that nothing is built twice
        return build("build", &["--lib", "--bin", "urto", "--bin", "urto-cli"], "plugin,cli,standalone");
    }
    // a package that is both a cdylib and a Rust library gets link-time optimisation only when the cdylib alone is requested
    build("rustc", &["--lib", "--crate-type", "cdylib"], "plugin")?;
    build("build", &["--bin", "urto"], "standalone")?;
    build("build", &["--bin", "urto-cli"], "cli")
}

fn programs(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    ["urto", "urto-cli"].map(|name| folder.join(format!("{name}{suffix}"))).to_vec()
}
