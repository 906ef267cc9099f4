//! Archives for the present system, with all that a stranger needs: plugins, programs, licences, manual, sums.

use crate::commands::{command_text, is_installed, run as run_command};
use crate::paths::{Paths, copy};
use crate::{bundle, command_line, manual, standalone};
use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of the whole workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What lies beside the plugins and programs.
const PAPERS: [&str; 8] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CITATION.cff",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "assets/fonts/LICENSE_FONT",
];
/// Name of the file with the licences of all dependencies.
const LICENCES: &str = "LICENCES-OF-DEPENDENCIES.txt";
/// Name of the file with the sums.
const SUMS: &str = "SHA256SUMS";

/// Builds everything and packs it into `target/dist/`. Errors: a licence that may not be built in, or what is missing.
pub fn run(paths: &Paths) -> Result<()> {
    tools_are_there()?;
    licences_allowed(paths)?;
    let bundles = bundle::run(paths)?;
    let programs = [standalone::build(paths)?, command_line::build(paths)?];
    let dist = paths.output("dist")?;
    fs::remove_dir_all(&dist)?;
    let papers = dist.join("papers");
    fs::create_dir_all(&papers)?;
    gather(paths, &papers)?;
    let mut archives = Vec::new();
    for (what, parts) in [("plugins", [bundles.clap, bundles.vst3]), ("programs", programs)] {
        let name = format!("urto-{what}-{VERSION}-{}", system());
        let folder = dist.join(&name);
        copy(&papers, &folder)?;
        for part in parts {
            copy(&part, &folder.join(part.file_name().context("a part has a name")?))?;
        }
        archives.push(pack(&dist, &name)?);
    }
    fs::remove_dir_all(&papers)?;
    fs::write(dist.join(SUMS), sums(&archives)?)?;
    println!("\npacked in {}:", dist.display());
    archives.iter().for_each(|archive| println!("  {}", archive.display()));
    println!("  {}", dist.join(SUMS).display());
    Ok(())
}

/// System and processor, as archives are called after them.
fn system() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Tools that are wanted, all at once and before the long builds.
fn tools_are_there() -> Result<()> {
    let tools: [(_, &[_], _); 2] = [
        ("cargo-deny", &[], "cargo install --locked cargo-deny"),
        ("cargo-about", &["about"], "cargo install --locked --features cli cargo-about"),
    ];
    let missing: Vec<_> = tools.iter().filter(|(tool, asked, _)| !is_installed(Command::new(tool).args(*asked))).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|tool| tool.0).collect();
    let lines: Vec<_> = missing.iter().map(|tool| format!("    {}", tool.2)).collect();
    bail!("missing: {}; please type\n\n{}\n\nand run this again", names.join(" and "), lines.join("\n"));
}

/// Asks cargo-deny. Advisories come over the network: without it that is said, and the rest is checked.
fn licences_allowed(paths: &Paths) -> Result<()> {
    let deny = |what: &[&str]| {
        let mut command = Command::new("cargo-deny");
        command.current_dir(&paths.root).args(["--workspace", "check"]).args(what);
        command
    };
    run_command(&mut deny(&["licenses", "bans", "sources"]))?;
    let fetched = Command::new("cargo-deny").current_dir(&paths.root).arg("fetch").arg("db").status();
    if fetched.is_ok_and(|status| status.success()) {
        run_command(&mut deny(&["advisories"]))
    } else {
        println!("advisories: not checked, their database cannot be fetched from here");
        Ok(())
    }
}

/// Texts, licences and manual.
fn gather(paths: &Paths, papers: &Path) -> Result<()> {
    for paper in PAPERS {
        let file = paths.root.join(paper);
        copy(&file, &papers.join(file.file_name().context("a paper has a name")?))?;
    }
    // the README shows pictures and leads to chapters and clips
    for folder in ["docs", "assets/audio"] {
        copy(&paths.root.join(folder), &papers.join(folder))?;
    }
    if let Some(book) = manual::render_html(paths)? {
        copy(&book, &papers.join("manual"))?;
    } else {
        println!("the manual is packed as Markdown only: mdbook is missing; `cargo install mdbook` brings it");
    }
    let mut about = Command::new("cargo-about");
    about.current_dir(&paths.root).args(["about", "generate", "--fail", "--all-features", "about.hbs"]);
    run_command(about.arg("--output-file").arg(papers.join(LICENCES)))?;
    let text = fs::read_to_string(papers.join(LICENCES))?;
    ensure!(text.contains("nice-plug"), "`{}` left out what Urto is built from", command_text(&about));
    Ok(())
}

/// One archive of a folder in `dist`: on Windows a zip, elsewhere a tar.gz. The `tar` of Windows writes both.
fn pack(dist: &Path, name: &str) -> Result<PathBuf> {
    let archive = format!("{name}{}", if cfg!(windows) { ".zip" } else { ".tar.gz" });
    run_command(Command::new("tar").current_dir(dist).args(["-a", "-c", "-f", &archive, name]))?;
    fs::remove_dir_all(dist.join(name))?;
    Ok(dist.join(archive))
}

/// A line for each file, as `sha256sum --check` reads it.
fn sums(files: &[PathBuf]) -> Result<String> {
    let mut text = String::new();
    for file in files {
        let name = file.file_name().context("a file has a name")?.to_string_lossy();
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

    /// The sum of "abc" is that of FIPS 180-2, appendix B.1.
    #[test]
    fn sums_are_those_of_the_standard() {
        let file = std::env::temp_dir().join(format!("urto-sums-{}", std::process::id()));
        fs::write(&file, "abc").unwrap();
        let line = sums(std::slice::from_ref(&file)).unwrap();
        fs::remove_file(&file).unwrap();
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(line, format!("{sum}  {}\n", file.file_name().unwrap().to_string_lossy()));
    }

    /// One version for all packages.
    #[test]
    fn versions_come_from_one_place() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for manifest in ["Cargo.toml", "xtask/Cargo.toml"] {
            let text = fs::read_to_string(root.join(manifest)).unwrap();
            assert!(text.contains("version.workspace = true"), "{manifest}");
        }
    }
}
