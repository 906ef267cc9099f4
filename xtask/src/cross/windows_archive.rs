//! The archive for Windows, unpacked in Wine: the plugin in test hosts, its editor, the programs, and names that are not ASCII.

use super::wine::SHIM;
use crate::archives::Archive;
use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::setup;
use crate::target::Target;
use crate::test::Launcher;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A folder that Windows has to name in UTF-16: letters of three scripts, and a character outside of the basic plane.
const FOLDER: &str = "Ürto 打楽器 🥁";
/// Debian packages with the programs that find the window and take its picture.
const PICTURE_PACKAGES: [&str; 2] = ["x11-utils", "imagemagick"];
/// Time in which Mesa draws the first frames [s].
const DRAWING: Duration = Duration::from_secs(12);
/// Least number of colours of a picture with an editor in it, which has thousands.
const COLOURS: usize = 1_000;

/// Unpacks the archive into a folder that is not ASCII, and runs plugins and programs there. Errors: the first that fails, or an archive with
/// the test's own library.
pub fn check(paths: &Paths, launcher: &Launcher, archive: &Archive, host: &Path) -> Result<()> {
    setup::debian_packages(&PICTURE_PACKAGES)?;
    setup::archiver()?;
    let folder = Target::Windows.folder(paths)?.join(FOLDER);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    run_command(Command::new("unzip").arg("-q").arg(&archive.file).arg("-d").arg(&folder))?;
    refuse_shim(&folder)?;
    println!("\n== the archive, unpacked into `{FOLDER}`");
    let unpacked = archive.unpacked(&folder);
    let picture = Target::Windows.folder(paths)?.join("editor.png");
    show_editor(launcher, host, &unpacked, &picture)?;
    render(launcher, &unpacked, &folder)?;
    install(launcher, &unpacked)
}

/// Errors: a file that replaces a library of Windows.
fn refuse_shim(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        ensure!(name != SHIM, "{} is for tests only and must not be in an archive", path.display());
        if path.is_dir() {
            refuse_shim(&path)?;
        }
    }
    Ok(())
}

/// Runs the test host with CLAP and VST3, and takes a picture while its editor is open.
fn show_editor(launcher: &Launcher, host: &Path, plugins: &Path, picture: &Path) -> Result<()> {
    let mut command = launcher.command(host);
    command.arg(plugins).arg("--editor").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start the test host")?;
    let mut lines = BufReader::new(child.stdout.take().context("the output of the test host is not piped")?).lines();
    let mut size = None;
    for line in lines.by_ref() {
        let line = line?;
        println!("{line}");
        size = line.strip_prefix("editor open, ").map(|size| size.replace(' ', ""));
        if size.is_some() {
            break;
        }
    }
    if let Some(size) = &size {
        std::thread::sleep(DRAWING);
        take_picture(launcher, size, picture)?;
    }
    // the host closes its editor when its input ends
    drop(child.stdin.take());
    lines.map_while(Result::ok).for_each(|line| println!("{line}"));
    let status = child.wait()?;
    ensure!(size.is_some() && status.success(), "the test host fails with the plugins of the archive ({status})");
    Ok(())
}

/// Takes a picture of the X window of `size`, for example "1280x800", into which Wine draws the editor. On a virtual display Wine does not copy it into the
/// window of the host.
fn take_picture(launcher: &Launcher, size: &str, picture: &Path) -> Result<()> {
    let on_display = |program: &str| {
        let mut command = Command::new(program);
        command.envs(launcher.environment.iter().map(|(name, value)| (name, value)));
        command
    };
    let windows = on_display("xwininfo").args(["-root", "-tree"]).output().context("cannot start xwininfo")?;
    let windows = String::from_utf8_lossy(&windows.stdout).into_owned();
    let line = windows.lines().find(|line| line.contains(&format!(" {size}+0+0 ")));
    let window = line.and_then(|line| line.split_whitespace().next());
    let window = window.with_context(|| format!("no window of the display has the size of the editor, {size}"))?;
    run_command(on_display("import").args(["-window", window]).arg(picture))?;
    let output = Command::new("identify").args(["-format", "%k"]).arg(picture).output()?;
    let colours: usize = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(0);
    ensure!(colours >= COLOURS, "{} has {colours} colours: the editor is not drawn", picture.display());
    println!("{}: the editor in Wine, {colours} colours", picture.display());
    Ok(())
}

/// Renders a file whose name is not ASCII with the command line of the archive.
fn render(launcher: &Launcher, programs: &Path, folder: &Path) -> Result<()> {
    let program: PathBuf = programs.join("urto-cli.exe");
    let (piece, wav) = (folder.join("Übung ♪.mid"), folder.join("音 1.wav"));
    fs::copy("assets/demo/first_strike.mid", &piece)?;
    let mut command = launcher.command(&program);
    let output = command.arg("render").arg(&piece).arg(&wav).args(["--preset", "Rosewood Marimba"]).output()?;
    if !(output.status.success() && wav.exists()) {
        bail!("urto-cli.exe does not render into {}: {}", wav.display(), String::from_utf8_lossy(&output.stderr));
    }
    println!("urto-cli.exe: rendered {}", wav.display());
    Ok(())
}

/// Installs with the script of the archive, looks for the files, and removes them again.
fn install(launcher: &Launcher, unpacked: &Path) -> Result<()> {
    let script = |arguments: &[&str]| {
        let mut command = launcher.command(Path::new("cmd.exe"));
        run_command(command.args(["/c", "install.cmd"]).args(arguments).current_dir(unpacked))
    };
    let installed = || -> Result<Vec<PathBuf>> {
        let users = launcher.variable("WINEPREFIX").map(PathBuf::from).context("Wine has no prefix")?.join("drive_c/users");
        let homes = fs::read_dir(users)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        let places = [
            "Common/CLAP/Urto.clap",
            "Common/VST3/Urto.vst3/Contents/x86_64-win/Urto.vst3",
            "Urto/urto.exe",
            "Urto/urto-cli.exe",
        ];
        let files = homes.iter().flat_map(|home| places.map(|place| home.join("AppData/Local/Programs").join(place)));
        Ok(files.filter(|file| file.is_file()).collect())
    };
    script(&[])?;
    ensure!(installed()?.len() == 4, "install.cmd has installed {:?}, and not four files", installed()?);
    script(&["--remove"])?;
    ensure!(installed()?.is_empty(), "install.cmd --remove has left {:?}", installed()?);
    println!("install.cmd: installs for one user, and removes what it has installed");
    Ok(())
}
