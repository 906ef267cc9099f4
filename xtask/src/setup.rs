//! What a build needs from the system. On Debian and its kin, as root, it is installed; elsewhere the line to type is printed.

use crate::place::{cargo, run};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// A program that has to answer, and the Debian package that brings it.
const PROGRAMS: [(&str, &str); 3] = [("gcc", "gcc"), ("g++", "g++"), ("pkg-config", "pkg-config")];

/// Makes sure that the plugin can be built.
pub fn build() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let missing: Vec<&str> = PROGRAMS.iter().filter(|(program, _)| !answers(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() { Ok(()) } else { install(&missing) }
}

/// Makes sure that cargo can format and lint.
pub fn lints() -> Result<()> {
    let works = |tool: &str| cargo().args([tool, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !works(tool).is_ok_and(|s| s.success()) {
            run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

/// Whether the standalone program can be built: it needs the development files of ALSA and JACK.
pub fn standalone_possible() -> bool {
    let exists = |library: &str| {
        let asked = Command::new("pkg-config").args(["--exists", library]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    !cfg!(target_os = "linux") || (exists("alsa") && exists("jack"))
}

fn answers(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

fn install(packages: &[&str]) -> Result<()> {
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("please install {} with your system's package manager, then run this again", packages.join(", "));
    }
    let line = format!("apt-get update && apt-get install -y --no-install-recommends {}", packages.join(" "));
    if !is_root() {
        bail!("some packages are missing; please type\n\n    sudo sh -c '{line}'\n\nand run this again");
    }
    println!("setting up: {}", packages.join(", "));
    run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").arg("update"))?;
    run(Command::new("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "--no-install-recommends"])
        .args(packages))
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
