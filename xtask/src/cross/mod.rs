//! Builds and tests for other systems: Windows in Wine, 64-bit ARM in QEMU.

mod arm;
mod renders;
mod report;
mod windows;
mod windows_archive;
mod wine;

use crate::archives::Profile;
use crate::paths::Paths;
use anyhow::{Result, bail};

/// Runs the task with the arguments after `cross`. Errors: unknown arguments; the first step that fails.
pub fn run(paths: &Paths, arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["windows"] => windows::run(paths, Profile::Release),
        ["windows", "--quick"] => windows::run(paths, Profile::Quick),
        ["arm"] => arm::run(paths, arm::Extent::Short),
        ["arm", "--long"] => arm::run(paths, arm::Extent::Long),
        _ => bail!(
            "unknown arguments `{}`; write `cargo xtask cross windows [--quick]` or `cargo xtask cross arm [--long]`",
            arguments.join(" ")
        ),
    }
}
