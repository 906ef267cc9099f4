//! Debian's second Rust compiler, which can build for systems whose standard library is not installed.
//!
//! The packages contain the compiler and the sources of its standard library, so that cargo builds that library for any system. Rustup
//! calls the compiler by the name `debian`, beside its own.

use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::{Command, Stdio};

/// Name of the toolchain in rustup.
const NAME: &str = "debian";
/// Debian packages of compiler, cargo and library sources. Security updates move their version.
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
/// Folder under which the packages put `bin/rustc` and `bin/cargo`.
const FOLDER: &str = "/usr";
/// Oldest version of the compiler that the workspace accepts.
const MINIMUM: [u32; 2] = [1, 89];

/// Installs the packages, links the toolchain, and prints its version. Errors: a system without apt, missing packages that only root
/// can install (with the line to type), or a compiler older than the workspace accepts.
pub(crate) fn link(paths: &Paths) -> Result<()> {
    setup::debian_packages(&PACKAGES)?;
    let version = version().context("the packages rustc-web and cargo-web are installed, but /usr/bin/rustc does not run")?;
    ensure!(
        numbers(&version).is_some_and(|found| found >= MINIMUM),
        "{version} of the package rustc-web is older than 1.89: update the package lists with `apt-get update`, and rustc-web with \
         `apt-get install rustc-web cargo-web rust-web-src`"
    );
    let is_linked = output(Command::new("rustup").args(["toolchain", "list"])).is_some_and(|list| has_toolchain(&list));
    if !is_linked {
        let mut command = Command::new("rustup");
        command.current_dir(&paths.root).args(["toolchain", "link", NAME, FOLDER]);
        crate::commands::run(&mut command).context("rustup is needed to call two compilers: install it from rustup.rs")?;
    }
    println!("building with {version}, of the Debian package rustc-web");
    Ok(())
}

/// The cargo of the toolchain, in the folder of the workspace. Callers set a `CARGO_TARGET_DIR` for each target.
pub(crate) fn cargo(paths: &Paths) -> Command {
    let mut command = Command::new("rustup");
    // the variables of the cargo that runs this task would select its compiler again
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS"] {
        command.env_remove(name);
    }
    command.current_dir(&paths.root).args(["run", NAME, "cargo"]);
    command
}

/// Allows options of cargo that are not stable, such as `-Zbuild-std`.
pub(crate) fn allow_unstable(command: &mut Command) -> &mut Command {
    command.env("RUSTC_BOOTSTRAP", "1")
}

/// Version of Debian's compiler, for example `rustc 1.96.0`.
fn version() -> Option<String> {
    let text = output(Command::new(Path::new(FOLDER).join("bin/rustc")).arg("--version"))?;
    Some(text.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// Major and minor number of `rustc 1.96.0`.
fn numbers(version: &str) -> Option<[u32; 2]> {
    let mut parts = version.strip_prefix("rustc ")?.split('.').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??])
}

/// Whether a list of rustup contains the toolchain.
fn has_toolchain(list: &str) -> bool {
    list.lines().any(|line| line.split_whitespace().next() == Some(NAME))
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(numbers("rustc 1.96.0"), Some([1, 96]));
        assert!(numbers("rustc 1.100.0") > Some(MINIMUM) && numbers("rustc 1.63.0") < Some(MINIMUM));
        assert_eq!(numbers("error"), None);
    }

    #[test]
    fn the_toolchain_is_found_by_its_whole_name() {
        assert!(has_toolchain("stable-x86_64-unknown-linux-gnu (active, default)\ndebian\n"));
        assert!(!has_toolchain("debian-old\nstable-x86_64-unknown-linux-gnu\n"));
    }
}
