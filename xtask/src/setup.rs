//! What a build needs from the system. On Debian and its kin, as root, it is installed; elsewhere the line to type is printed.

use crate::commands::{cargo, is_installed, run};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// A program that has to answer, and the Debian package that brings it.
const PROGRAMS: [(&str, &str); 3] = [("gcc", "gcc"), ("g++", "g++"), ("pkg-config", "pkg-config")];

/// Libraries that pkg-config has to know, and the Debian packages that bring them.
const SOUND: [(&str, &str); 2] = [("alsa", "libasound2-dev"), ("jack", "libjack-jackd2-dev")];

/// Libraries that the editor loads at run time, and the Debian packages that bring them.
const WINDOW: [(&str, &str); 4] = [
    ("libX11.so.6", "libx11-6"),
    ("libX11-xcb.so.1", "libx11-xcb1"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("libEGL.so.1", "libegl1"),
];

/// Libraries that draw without a graphics card, and the Debian packages that bring them with Mesa's software renderer.
const SOFTWARE: [(&str, &str); 2] = [("libGLX_mesa.so.0", "libglx-mesa0"), ("libEGL_mesa.so.0", "libegl-mesa0")];

/// Makes sure that the plugin can be built.
pub fn build() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let missing: Vec<&str> =
        PROGRAMS.iter().filter(|(program, _)| !is_installed(&mut Command::new(program))).map(|(_, package)| *package).collect();
    if missing.is_empty() { Ok(()) } else { install(&missing) }
}

/// Makes sure that the standalone program can be built and can open its window.
pub fn standalone() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut missing: Vec<&str> = SOUND.iter().filter(|(library, _)| !known(library)).map(|(_, package)| *package).collect();
    if let Some(list) = loadable() {
        missing.extend(WINDOW.iter().filter(|(library, _)| !list.contains(library)).map(|(_, package)| *package));
    }
    if missing.is_empty() { Ok(()) } else { install(&missing) }
}

/// Makes sure that there is a screen that nobody sees, and OpenGL in software.
pub fn virtual_display() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut missing: Vec<&str> = Vec::new();
    if Command::new("Xvfb").arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        missing.push("xvfb");
    }
    if let Some(list) = loadable() {
        missing.extend(SOFTWARE.iter().filter(|(library, _)| !list.contains(library)).map(|(_, package)| *package));
    }
    if missing.is_empty() { Ok(()) } else { install(&missing) }
}

/// A Python 3 that can make environments.
pub fn python() -> Result<&'static str> {
    let works = |python: &&str| {
        let asked = Command::new(python).args(["-c", "import venv, ensurepip"]).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    let find = || ["python3", "python"].into_iter().find(works);
    if let Some(python) = find() {
        return Ok(python);
    }
    install(&["python3", "python3-venv"])?;
    find().context("Python was installed, but does not answer")
}

/// Makes sure that instructions can be counted: valgrind, on Linux and a processor with AVX2. Errors: what is missing.
pub fn valgrind() -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("instructions are counted on Linux and x86-64 only");
    }
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx2") {
        bail!("instructions are counted as those of a processor with AVX2, which this one is not");
    }
    if is_installed(&mut Command::new("valgrind")) { Ok(()) } else { install(&["valgrind"]) }
}

/// Makes sure that cargo can format and lint.
pub fn lints() -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !is_installed(cargo().arg(tool)) {
            run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

/// Whether what an optional check needs is there. Says so, with the line to type, if it is not; its tests are skipped then.
pub fn optional(checks: &str, there: Result<()>) -> bool {
    if let Err(missing) = &there {
        println!("skipped: {checks}. {missing:#}");
    }
    there.is_ok()
}

/// Whether pkg-config knows the development files of a library.
fn known(library: &str) -> bool {
    let asked = Command::new("pkg-config").args(["--exists", library]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// What the dynamic linker finds, where it can be asked.
fn loadable() -> Option<String> {
    let listed = ["ldconfig", "/sbin/ldconfig"].iter().find_map(|program| Command::new(program).arg("-p").output().ok())?;
    listed.status.success().then(|| String::from_utf8_lossy(&listed.stdout).into_owned())
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
