//! Wine with a prefix of its own, and the library that Rust's programs miss in Wine 8.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::setup;
use crate::target::Target;
use crate::test::Launcher;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Debian packages. The 32-bit half of Wine is not needed.
const PACKAGES: [&str; 2] = ["wine", "wine64"];
/// The program of Wine that runs 64-bit programs. The script `wine` asks for the 32-bit half.
const WINE: &str = "/usr/lib/wine/wine64";
/// The compiler of the missing library.
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// Name of the missing library. It is only for tests: Windows has its own, and no archive may contain this one.
pub const SHIM: &str = "bcryptprimitives.dll";
/// Rust's standard library takes its random seeds from `ProcessPrng`, which Wine 8 lacks.
const SHIM_SOURCE: &str = "\
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return RtlGenRandom(data, (ULONG)length);
}
";

/// A prefix of Wine: its registry and its drive C.
pub struct Wine {
    prefix: PathBuf,
}

impl Wine {
    /// Installs Wine and creates the prefix, if they are missing. Errors: missing packages, with the line to type; a library that cannot
    /// be compiled.
    pub fn provide(paths: &Paths) -> Result<Self> {
        setup::debian_packages(&PACKAGES)?;
        let wine = Self { prefix: Target::Windows.folder(paths)?.join("wine") };
        let system = wine.prefix.join("drive_c/windows/system32");
        if !system.is_dir() {
            println!("creating a prefix of Wine");
            run_command(wine.command(Path::new("wineboot")).arg("--init").env_remove("DISPLAY"))?;
        }
        let source = wine.prefix.join("process_prng.c");
        fs::write(&source, SHIM_SOURCE).with_context(|| format!("cannot write {}", source.display()))?;
        let mut compiler = Command::new(COMPILER);
        compiler.args(["-shared", "-O2", "-s", "-o"]).arg(system.join(SHIM)).arg(&source).arg("-ladvapi32");
        run_command(&mut compiler)?;
        Ok(wine)
    }

    /// A command that runs a program of Windows.
    pub fn command(&self, program: &Path) -> Command {
        self.launcher().command(program)
    }

    /// The launcher of programs in this prefix.
    pub fn launcher(&self) -> Launcher {
        let mut launcher = Launcher { emulator: Some(WINE.into()), ..Launcher::default() };
        launcher.set("WINEPREFIX", &self.prefix);
        launcher.set("WINEDEBUG", "-all");
        // without them Wine asks to install two packages of its own
        launcher.set("WINEDLLOVERRIDES", "mscoree,mshtml=");
        launcher
    }

    /// Ends the programs that still run in the prefix.
    pub fn stop(&self) {
        let _ = Command::new("/usr/lib/wine/wineserver64").arg("-k").env("WINEPREFIX", &self.prefix).status();
    }
}
