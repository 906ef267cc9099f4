//! Systems that this one builds for, with their compilers and build folders.

use crate::paths::Paths;
use crate::{debian_toolchain, setup};
use anyhow::{Result, ensure};
use std::path::PathBuf;
use std::process::Command;

/// A system that this one builds for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// Windows on x86-64, built with mingw-w64.
    Windows,
    /// Linux on 64-bit ARM.
    Arm,
}

/// C and C++ compilers for Windows.
const WINDOWS_COMPILERS: [&str; 2] = ["gcc-mingw-w64-x86-64-posix", "g++-mingw-w64-x86-64-posix"];
/// C and C++ compilers for ARM, and the architecture's name in Debian.
const ARM_COMPILERS: [&str; 3] = ["gcc-aarch64-linux-gnu", "g++-aarch64-linux-gnu", "libc6-dev-arm64-cross"];
const ARM_ARCHITECTURE: &str = "arm64";
/// Rust's library for ARM, of the same version as the compiler, and the libraries that programs load.
const ARM_LIBRARIES: [&str; 3] = ["libstd-rust-web-dev:arm64", "libc6:arm64", "libgcc-s1:arm64"];

impl Target {
    /// Name in arguments, folders and archives.
    pub fn name(self) -> &'static str {
        match self {
            Self::Windows => "windows",
            Self::Arm => "arm",
        }
    }

    /// Name of the target in Rust.
    pub fn triple(self) -> &'static str {
        match self {
            Self::Windows => "x86_64-pc-windows-gnu",
            Self::Arm => "aarch64-unknown-linux-gnu",
        }
    }

    /// Operating system and processor, as in the names of the archives.
    pub fn system(self) -> &'static str {
        match self {
            Self::Windows => "windows-x86_64",
            Self::Arm => "linux-aarch64",
        }
    }

    /// End of the names of programs.
    pub fn program_suffix(self) -> &'static str {
        match self {
            Self::Windows => ".exe",
            Self::Arm => "",
        }
    }

    /// Cargo's target folder for this system. Separate folders keep one target from rebuilding the crates of another.
    pub fn folder(self, paths: &Paths) -> Result<PathBuf> {
        paths.output(&format!("cross/{}", self.name()))
    }

    /// Installs the compilers. Errors: a system other than Linux on x86-64; missing packages, with the line to type.
    pub fn provide(self, paths: &Paths) -> Result<()> {
        ensure!(
            cfg!(all(target_os = "linux", target_arch = "x86_64")),
            "building for other systems is implemented on Linux on x86-64 with Debian's packages; on other systems build natively"
        );
        debian_toolchain::link(paths)?;
        match self {
            Self::Windows => setup::debian_packages(&WINDOWS_COMPILERS),
            Self::Arm => {
                setup::debian_architecture(ARM_ARCHITECTURE)?;
                setup::debian_packages(&[&ARM_COMPILERS[..], &ARM_LIBRARIES[..]].concat())
            }
        }
    }

    /// Cargo with a subcommand for this system. Windows has no library in Debian's packages: cargo builds it from its sources, for
    /// `test` with the test harness.
    pub fn cargo(self, paths: &Paths, subcommand: &str) -> Result<Command> {
        let mut command = debian_toolchain::cargo(paths);
        command.env("CARGO_TARGET_DIR", self.folder(paths)?);
        command.args([subcommand, "--locked", "--target", self.triple()]);
        match self {
            Self::Windows => {
                let library = if subcommand == "test" { "std,panic_unwind,test,proc_macro" } else { "std,panic_unwind" };
                debian_toolchain::allow_unstable(&mut command).arg(format!("-Zbuild-std={library}"));
            }
            Self::Arm => {
                command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
            }
        }
        Ok(command)
    }
}
