//! Packages of the operating system that builds and checks need.
//!
//! On Debian and its derivatives, root installs missing packages. Other users, and other systems, get the command or the list of
//! packages.

use crate::commands::{cargo, is_installed, run};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// A program or library, and the Debian package that contains it.
struct Requirement {
    name: &'static str,
    package: &'static str,
}

const fn requirement(name: &'static str, package: &'static str) -> Requirement {
    Requirement { name, package }
}

/// Programs of every build.
const PROGRAMS: [Requirement; 3] =
    [requirement("gcc", "gcc"), requirement("g++", "g++"), requirement("pkg-config", "pkg-config")];

/// Audio libraries, by their names in pkg-config.
const AUDIO_LIBRARIES: [Requirement; 2] = [requirement("alsa", "libasound2-dev"), requirement("jack", "libjack-jackd2-dev")];

/// Libraries that the editor loads at run time.
const WINDOW_LIBRARIES: [Requirement; 4] = [
    requirement("libX11.so.6", "libx11-6"),
    requirement("libX11-xcb.so.1", "libx11-xcb1"),
    requirement("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    requirement("libEGL.so.1", "libegl1"),
];

/// Libraries of Mesa, whose software renderer draws without a graphics card.
const SOFTWARE_OPENGL: [Requirement; 2] =
    [requirement("libGLX_mesa.so.0", "libglx-mesa0"), requirement("libEGL_mesa.so.0", "libegl-mesa0")];

/// Programs of a D-Bus session with an accessibility bus.
const ACCESSIBILITY_BUS: [Requirement; 2] =
    [requirement("dbus-daemon", "dbus"), requirement("at-spi-bus-launcher", "at-spi2-core")];

/// Programs that the test of a host with a window needs besides the host: a display, a window manager, an audio server, and the
/// keyboard, mouse and camera.
const DESKTOP_PROGRAMS: [Requirement; 9] = [
    requirement("Xvfb", "xvfb"),
    requirement("openbox", "openbox"),
    requirement("jackd", "jackd2"),
    requirement("jack_lsp", "jackd2"),
    requirement("jack_rec", "jackd2"),
    requirement("jack_transport", "jackd2"),
    requirement("xdotool", "xdotool"),
    requirement("xwininfo", "x11-utils"),
    requirement("import", "imagemagick"),
];

/// Provides the programs that a build of the plugin needs.
pub fn build() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    install_missing(missing(&PROGRAMS, |program| is_installed(&mut Command::new(program))))
}

/// Provides the libraries that the standalone program needs to build and to open its window.
pub fn standalone() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut packages = missing(&AUDIO_LIBRARIES, has_development_files);
    if let Some(libraries) = loadable_libraries() {
        packages.extend(missing(&WINDOW_LIBRARIES, |library| libraries.contains(library)));
    }
    install_missing(packages)
}

/// Provides Xvfb and OpenGL in software.
pub fn virtual_display() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut packages: Vec<&str> = Vec::new();
    if Command::new("Xvfb").arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        packages.push("xvfb");
    }
    if let Some(libraries) = loadable_libraries() {
        packages.extend(missing(&SOFTWARE_OPENGL, |library| libraries.contains(library)));
    }
    install_missing(packages)
}

/// Provides a D-Bus session and an accessibility bus.
pub fn accessibility_bus() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    // the folder of the launcher depends on the distribution
    let folders = ["/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib"];
    let has_launcher = |program: &str| folders.iter().any(|folder| Path::new(folder).join(program).exists());
    let exists = |program: &str| has_launcher(program) || is_installed(&mut Command::new(program));
    install_missing(missing(&ACCESSIBILITY_BUS, exists))
}

/// Packages that the test of a host with a window needs and that are not installed; `host` is the name of its package and of its
/// program.
pub fn missing_for_host_with_window(host: &'static str) -> Vec<&'static str> {
    let mut packages = missing(&[requirement(host, host)], is_on_path);
    packages.extend(missing(&DESKTOP_PROGRAMS, is_on_path));
    if let Some(libraries) = loadable_libraries() {
        packages.extend(missing(&WINDOW_LIBRARIES, |library| libraries.contains(library)));
        packages.extend(missing(&SOFTWARE_OPENGL, |library| libraries.contains(library)));
    }
    packages.dedup();
    packages
}

/// Provides a host with a window and what its test needs.
pub fn host_with_window(host: &'static str) -> Result<()> {
    install_missing(missing_for_host_with_window(host))
}

/// Name of a Python 3 that can create virtual environments; installs one if it is missing.
pub fn python() -> Result<&'static str> {
    let creates_environments = |python: &&str| {
        let imported = Command::new(python).args(["-c", "import venv, ensurepip"]).stderr(Stdio::null()).status();
        imported.is_ok_and(|status| status.success())
    };
    let find = || ["python3", "python"].into_iter().find(creates_environments);
    if let Some(python) = find() {
        return Ok(python);
    }
    install(&["python3", "python3-venv"])?;
    find().context("python3 and python3-venv are installed, but `python3 -c 'import venv, ensurepip'` fails")
}

/// Provides valgrind, which counts instructions. Errors: a system other than Linux, a processor without AVX2, a missing valgrind.
pub fn valgrind() -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("counting instructions needs Linux on x86-64");
    }
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx2") {
        bail!("counting instructions needs a processor with AVX2, since the stored counts are those of AVX2");
    }
    if is_installed(&mut Command::new("valgrind")) { Ok(()) } else { install(&["valgrind"]) }
}

/// Provides `zip` and `unzip`.
pub fn archiver() -> Result<()> {
    if ["zip", "unzip"].into_iter().all(is_on_path) { Ok(()) } else { install(&["zip", "unzip"]) }
}

/// Provides FluidSynth, which plays SoundFonts.
pub fn fluidsynth() -> Result<()> {
    if is_on_path("fluidsynth") { Ok(()) } else { install(&["fluidsynth"]) }
}

/// Provides rustfmt and clippy.
pub fn lints() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !is_installed(cargo().arg(subcommand)) {
            run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

/// Whether the requirements of optional checks are met. If not, prints that the checks are skipped, and the reason.
pub fn optional(checks: &str, requirements: Result<()>) -> bool {
    if let Err(missing) = &requirements {
        println!("skipped: {checks}. {missing:#}");
    }
    requirements.is_ok()
}

/// Packages of the requirements for which `is_met` is false.
fn missing(requirements: &[Requirement], is_met: impl Fn(&str) -> bool) -> Vec<&'static str> {
    requirements.iter().filter(|requirement| !is_met(requirement.name)).map(|requirement| requirement.package).collect()
}

/// Whether a folder of the search path contains a program.
fn is_on_path(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// Whether pkg-config finds the development files of a library.
fn has_development_files(library: &str) -> bool {
    let found = Command::new("pkg-config").args(["--exists", library]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// The list of libraries that the dynamic linker finds; none on systems without ldconfig.
fn loadable_libraries() -> Option<String> {
    let list = ["ldconfig", "/sbin/ldconfig"].iter().find_map(|program| Command::new(program).arg("-p").output().ok())?;
    list.status.success().then(|| String::from_utf8_lossy(&list.stdout).into_owned())
}

/// Provides Debian packages, given by name.
pub fn packages(missing: Vec<&str>) -> Result<()> {
    install_missing(missing)
}

/// Provides those of `packages` that are not installed. A name may end in `:` and an architecture. Errors: a system without apt; missing
/// packages for a user who is not root, with the line to type.
pub fn debian_packages(packages: &[&str]) -> Result<()> {
    install_missing(packages.iter().filter(|package| !is_package_installed(package)).copied().collect())
}

/// Lets apt install packages of another architecture beside those of this system. Errors: as those of `debian_packages`.
pub fn debian_architecture(name: &str) -> Result<()> {
    let listed = Command::new("dpkg").arg("--print-foreign-architectures").output();
    if listed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().any(|line| line == name)) {
        return Ok(());
    }
    let command = ["--add-architecture", name];
    if !Path::new("/usr/bin/dpkg").exists() {
        bail!("this task installs packages of the architecture {name}, which needs Debian or one of its derivatives");
    }
    if !is_root() {
        bail!(
            "missing packages of the architecture {name}; allow them with\n\n    sudo dpkg {}\n\nand try again",
            command.join(" ")
        );
    }
    run(Command::new("dpkg").args(command))
}

/// Whether dpkg lists the package as installed.
fn is_package_installed(package: &str) -> bool {
    let status = Command::new("dpkg-query").args(["--show", "--showformat=${db:Status-Status}\\n", package]).output();
    // one line for each architecture
    status.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().any(|line| line == "installed"))
}

fn install_missing(packages: Vec<&str>) -> Result<()> {
    if packages.is_empty() { Ok(()) } else { install(&packages) }
}

fn install(packages: &[&str]) -> Result<()> {
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("missing packages: {}; install them with the package manager of your system, then try again", packages.join(", "));
    }
    let line = format!("apt-get update && apt-get install -y --no-install-recommends {}", packages.join(" "));
    if !is_root() {
        bail!("missing packages; install them with\n\n    sudo sh -c '{line}'\n\nand try again");
    }
    println!("installing {}", packages.join(", "));
    run(apt_get().arg("update"))?;
    run(apt_get().args(["install", "-y", "--no-install-recommends"]).args(packages))
}

/// The package manager, which waits while another one is running.
fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "DPkg::Lock::Timeout=600"]);
    command
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
