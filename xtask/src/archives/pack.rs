//! The files of an archive in their folder, packed, and the checksums.

use super::{Archive, Profile, System, VERSION, content, glibc, signing, universal};
use crate::commands::run as run_command;
use crate::paths::{Paths, copy};
use crate::setup;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the file with the checksums of the archives.
pub const CHECKSUMS: &str = "SHA256SUMS";
/// Scripts that copy plugins and programs to the folders of the user, relative to the root.
const INSTALLERS: &str = "xtask/installers";
const UNIX_INSTALLERS: [&str; 1] = ["install.sh"];
const WINDOWS_INSTALLERS: [&str; 2] = ["install.cmd", "install.ps1"];

/// Builds and packs the archive of `system` into `dist`.
pub fn pack(paths: &Paths, dist: &Path, system: System, profile: Profile, documents: &Path) -> Result<Archive> {
    let content = match system {
        System::Native if cfg!(target_os = "macos") => universal::build(paths)?,
        _ => content::build(paths, system, profile)?,
    };
    let folder = format!("urto-{VERSION}-{}", system.name());
    let place = dist.join(&folder);
    let _ = fs::remove_dir_all(&place);
    copy(documents, &place)?;
    let bundles = content.plugins.iter().flat_map(|bundles| [&bundles.clap, &bundles.vst3]);
    let mut packed = Vec::new();
    for file in bundles.chain(&content.programs) {
        let copied = place.join(file.file_name().context("a plugin or program has no file name")?);
        copy(file, &copied)?;
        packed.push(copied);
    }
    signing::sign(&packed)?;
    for installer in installers(system) {
        copy(&paths.root.join(INSTALLERS).join(installer), &place.join(installer))?;
    }
    if system.is_linux() {
        glibc::check(&place)?;
    }
    let file = compress(dist, &folder, system)?;
    fs::remove_dir_all(&place)?;
    Ok(Archive { file, folder })
}

fn installers(system: System) -> &'static [&'static str] {
    match system {
        System::Web => &[],
        _ if system.is_windows() => &WINDOWS_INSTALLERS,
        _ => &UNIX_INSTALLERS,
    }
}

/// Packs the folder `name` in `dist`: a zip for Windows and browsers, a tar.gz elsewhere. The `tar` of Windows writes both.
fn compress(dist: &Path, name: &str, system: System) -> Result<PathBuf> {
    let is_zip = system.is_windows() || system == System::Web;
    let archive = format!("{name}{}", if is_zip { ".zip" } else { ".tar.gz" });
    let _ = fs::remove_file(dist.join(&archive));
    if is_zip && !cfg!(windows) {
        setup::archiver()?;
        run_command(Command::new("zip").current_dir(dist).args(["-q", "-9", "-r", &archive, name]))?;
    } else {
        let owner: &[&str] = if cfg!(target_os = "linux") { &["--owner=0", "--group=0"] } else { &[] };
        run_command(Command::new("tar").current_dir(dist).args(owner).args(["-a", "-c", "-f", &archive, name]))?;
    }
    Ok(dist.join(archive))
}

/// Writes the checksums of all archives in `dist`.
pub fn write_checksums(dist: &Path) -> Result<()> {
    let entries = fs::read_dir(dist)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let is_archive = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "zip" || extension == "gz");
    let mut files: Vec<_> = entries.into_iter().filter(is_archive).collect();
    files.sort();
    Ok(fs::write(dist.join(CHECKSUMS), checksums(&files)?)?)
}

/// One line per file, in the format of `sha256sum --check`.
fn checksums(files: &[PathBuf]) -> Result<String> {
    let mut text = String::new();
    for file in files {
        let name = file.file_name().context("an archive has no file name")?.to_string_lossy();
        for byte in Sha256::digest(fs::read(file)?) {
            write!(text, "{byte:02x}")?;
        }
        writeln!(text, "  {name}")?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1: the digest of "abc".
    #[test]
    fn checksums_are_those_of_the_standard() {
        let file = std::env::temp_dir().join(format!("urto-sums-{}", std::process::id()));
        fs::write(&file, "abc").unwrap();
        let line = checksums(std::slice::from_ref(&file)).unwrap();
        fs::remove_file(&file).unwrap();
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(line, format!("{digest}  {}\n", file.file_name().unwrap().to_string_lossy()));
    }
}
