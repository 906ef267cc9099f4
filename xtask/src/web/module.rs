//! The module `urto.wasm`: the C interface built for WebAssembly.

use crate::commands::{cargo, is_installed, run as run_command};
use crate::debian_toolchain;
use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target of the compiler.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// Manifest of the C interface, relative to the root.
pub const MANIFEST: &str = "c-interface/Cargo.toml";
/// Profile of the build, in the manifest.
const PROFILE: &str = "web";
/// Options that build the standard library with the module: with small sorting functions, and without unwinding.
const LIBRARY: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
/// Compiler options of the target: vectors of 128 bits, which all current browsers have; and less inlining and unrolling, which make the module
/// a fifth smaller.
const FLAGS: &str = "-Ctarget-feature=+simd128 -Cllvm-args=-inline-threshold=5 -Cllvm-args=-unroll-threshold=24 \
                     -Cllvm-args=-jump-threading-threshold=2";
/// Further options where the standard library is built with the module: a panic stops the module without a message.
const WITHOUT_MESSAGES: &str = " -Zunstable-options -Cpanic=immediate-abort";
/// Options of `wasm-opt`: passes until nothing gets smaller, little inlining, and all features that the compiler uses. The compiler puts the stack, of a
/// megabyte, at the beginning of the memory; the first kilobyte, its end, counts as unused, which shortens addresses.
const OPTIMISER: [&str; 14] = [
    "-O3",
    "--converge",
    "--one-caller-inline-max-function-size",
    "40",
    "--flexible-inline-max-function-size",
    "0",
    "--low-memory-unused",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Builds the module. Returns its path. Errors: no compiler for WebAssembly, or a build that fails.
pub fn build(paths: &Paths) -> Result<PathBuf> {
    let target_folder = paths.output("web-build")?;
    let Compiler { mut command, library } = compiler(paths)?;
    let flags = match library {
        Library::Built => [FLAGS, WITHOUT_MESSAGES].concat(),
        Library::Installed => FLAGS.to_owned(),
    };
    command.args([
        "--manifest-path",
        MANIFEST,
        "--locked",
        "--profile",
        PROFILE,
        "--lib",
        "--crate-type",
        "cdylib",
        "--target",
        TARGET,
    ]);
    command.env("CARGO_TARGET_DIR", &target_folder).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    run_command(&mut command)?;
    optimised(&target_folder.join(TARGET).join(PROFILE).join("urto.wasm"))
}

/// A compiler for the target.
struct Compiler {
    /// `cargo rustc`, to which the arguments of the build are added.
    command: Command,
    library: Library,
}

/// Where the standard library of the module comes from.
enum Library {
    /// Built with the module.
    Built,
    /// Installed with the compiler.
    Installed,
}

/// A `cargo rustc` that builds for the target: of the compiler in use if it has the sources of its library, or the library of the target, which makes a
/// larger module; otherwise of Debian's second compiler. Errors: neither, with the line that installs it.
fn compiler(paths: &Paths) -> Result<Compiler> {
    let mut own = cargo();
    own.current_dir(&paths.root).arg("rustc");
    if in_sysroot(&["--print", "sysroot"], "lib/rustlib/src/rust/library") {
        debian_toolchain::allow_unstable(&mut own).args(LIBRARY);
        return Ok(Compiler { command: own, library: Library::Built });
    }
    if in_sysroot(&["--print", "target-libdir", "--target", TARGET], "") {
        println!("`rustup component add rust-src` makes the module smaller");
        return Ok(Compiler { command: own, library: Library::Installed });
    }
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!(
            "the compiler has no library for WebAssembly; install its sources with\n\n    rustup component add rust-src\n\nand try again"
        );
    }
    println!(
        "the compiler has no library for WebAssembly (`rustup component add rust-src` installs it); using Debian's second compiler"
    );
    debian_toolchain::link(paths)?;
    debian_compiler(paths)
}

/// Debian's second compiler, with the linker of its version.
fn debian_compiler(paths: &Paths) -> Result<Compiler> {
    let linker = format!("lld-{}", llvm_version().context("`rustc -vV` of Debian's second compiler names no LLVM version")?);
    setup::debian_packages(&[&linker, "binaryen"])?;
    let mut command = debian_toolchain::cargo(paths);
    debian_toolchain::allow_unstable(&mut command);
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", format!("wasm-{}", linker.replace("lld", "ld")));
    command.arg("rustc").args(LIBRARY);
    Ok(Compiler { command, library: Library::Built })
}

/// Whether the folder that the compiler in use prints, or `below` in it, exists.
fn in_sysroot(arguments: &[&str], below: &str) -> bool {
    let printed = Command::new("rustc").args(arguments).output();
    printed.is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).join(below).is_dir()
    })
}

/// Major version of the LLVM of Debian's second compiler, for example 22; the linker has to be of the same version.
fn llvm_version() -> Option<String> {
    let output = Command::new("/usr/bin/rustc").arg("-vV").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.lines().find_map(|line| line.strip_prefix("LLVM version: "))?;
    version.split('.').next().map(str::to_owned)
}

/// The module after `wasm-opt`, where it is installed: a sixth smaller, the same samples.
fn optimised(module: &Path) -> Result<PathBuf> {
    if !is_installed(&mut Command::new("wasm-opt")) {
        println!("wasm-opt (of the package binaryen) is not installed: the module is a sixth larger than with it");
        return Ok(module.to_owned());
    }
    let smaller = module.with_file_name("urto.optimised.wasm");
    run_command(Command::new("wasm-opt").args(OPTIMISER).arg(module).arg("-o").arg(&smaller))?;
    let sizes = [module, &smaller].map(|file| fs::metadata(file).map_or(0, |data| data.len()) / 1000);
    println!("urto.wasm: {} kB, {} kB after wasm-opt", sizes[0], sizes[1]);
    Ok(smaller)
}
