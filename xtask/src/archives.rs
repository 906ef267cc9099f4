//! Release archives for the present system: plugins, programs, licences, manual and checksums.

use crate::commands::{command_text, is_installed, run as run_command};
use crate::paths::{Paths, copy};
use crate::{bundle, command_line, manual, standalone};
use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of all packages of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Text files in every archive, relative to the root.
const DOCUMENTS: [&str; 8] = [
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
/// Name of the file with the checksums of the archives.
const CHECKSUMS: &str = "SHA256SUMS";

/// A program that packing needs.
struct Tool {
    name: &'static str,
    /// Arguments before `--version`.
    arguments: &'static [&'static str],
    /// Command that installs it.
    installation: &'static str,
}

const TOOLS: [Tool; 2] = [
    Tool { name: "cargo-deny", arguments: &[], installation: "cargo install --locked cargo-deny" },
    Tool { name: "cargo-about", arguments: &["about"], installation: "cargo install --locked --features cli cargo-about" },
];

/// Builds the plugins and programs and packs them into `target/dist/`. Errors: a licence that `deny.toml` does not allow; a
/// missing tool or file.
pub fn run(paths: &Paths) -> Result<()> {
    // before the builds, which take minutes
    check_tools()?;
    check_licences(paths)?;
    let bundles = bundle::run(paths)?;
    let programs = [standalone::build(paths)?, command_line::build(paths)?];
    let dist = paths.output("dist")?;
    fs::remove_dir_all(&dist)?;
    let documents = dist.join("documents");
    fs::create_dir_all(&documents)?;
    collect_documents(paths, &documents)?;
    let mut archives = Vec::new();
    for (content, files) in [("plugins", [bundles.clap, bundles.vst3]), ("programs", programs)] {
        let name = format!("urto-{content}-{VERSION}-{}", system());
        let folder = dist.join(&name);
        copy(&documents, &folder)?;
        for file in files {
            copy(&file, &folder.join(file.file_name().context("a plugin or program has no file name")?))?;
        }
        archives.push(pack(&dist, &name)?);
    }
    fs::remove_dir_all(&documents)?;
    fs::write(dist.join(CHECKSUMS), checksums(&archives)?)?;
    println!("\nwrote to {}:", dist.display());
    archives.iter().for_each(|archive| println!("  {}", archive.display()));
    println!("  {}", dist.join(CHECKSUMS).display());
    Ok(())
}

/// Operating system and processor, as in the names of the archives.
fn system() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Errors: the missing tools, with the commands that install them.
fn check_tools() -> Result<()> {
    let missing: Vec<_> = TOOLS.iter().filter(|tool| !is_installed(Command::new(tool.name).args(tool.arguments))).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|tool| tool.name).collect();
    let lines: Vec<_> = missing.iter().map(|tool| format!("    {}", tool.installation)).collect();
    bail!("missing: {}; install with\n\n{}\n\nand try again", names.join(" and "), lines.join("\n"));
}

/// Checks the dependencies with cargo-deny. Advisories need the network; without it they are skipped with a message.
fn check_licences(paths: &Paths) -> Result<()> {
    let deny = |checks: &[&str]| {
        let mut command = Command::new("cargo-deny");
        command.current_dir(&paths.root).args(["--workspace", "check"]).args(checks);
        command
    };
    run_command(&mut deny(&["licenses", "bans", "sources"]))?;
    let fetched = Command::new("cargo-deny").current_dir(&paths.root).arg("fetch").arg("db").status();
    if fetched.is_ok_and(|status| status.success()) {
        run_command(&mut deny(&["advisories"]))
    } else {
        println!("advisories: not checked, because their database cannot be fetched; try again with a network connection");
        Ok(())
    }
}

/// Copies documents and manual into `folder`, and generates the licences of the dependencies there.
fn collect_documents(paths: &Paths, folder: &Path) -> Result<()> {
    for document in DOCUMENTS {
        let file = paths.root.join(document);
        copy(&file, &folder.join(file.file_name().context("a document has no file name")?))?;
    }
    // the README shows pictures and links to chapters and clips
    for linked in ["docs", "assets/audio"] {
        copy(&paths.root.join(linked), &folder.join(linked))?;
    }
    if let Some(html) = manual::render_html(paths)? {
        copy(&html, &folder.join("manual"))?;
    } else {
        println!(
            "the archives contain the manual as Markdown only, because mdbook is missing; install it with `cargo install mdbook`"
        );
    }
    let mut about = Command::new("cargo-about");
    about.current_dir(&paths.root).args(["about", "generate", "--fail", "--all-features", "about.hbs"]);
    run_command(about.arg("--output-file").arg(folder.join(LICENCES)))?;
    let text = fs::read_to_string(folder.join(LICENCES))?;
    // nice-plug is a direct dependency: without it the list is incomplete
    ensure!(text.contains("nice-plug"), "{LICENCES} does not list the dependency nice-plug; check `{}`", command_text(&about));
    Ok(())
}

/// Packs the folder `name` in `dist` and removes it: a zip on Windows, a tar.gz elsewhere. The `tar` of Windows writes both.
fn pack(dist: &Path, name: &str) -> Result<PathBuf> {
    let archive = format!("{name}{}", if cfg!(windows) { ".zip" } else { ".tar.gz" });
    run_command(Command::new("tar").current_dir(dist).args(["-a", "-c", "-f", &archive, name]))?;
    fs::remove_dir_all(dist.join(name))?;
    Ok(dist.join(archive))
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

    #[test]
    fn all_packages_take_the_version_of_the_workspace() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for manifest in ["Cargo.toml", "xtask/Cargo.toml"] {
            let text = fs::read_to_string(root.join(manifest)).unwrap();
            assert!(text.contains("version.workspace = true"), "{manifest}");
        }
    }
}
