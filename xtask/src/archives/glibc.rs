//! The newest version of glibc that programs need, read from their ELF files.

use anyhow::{Context, Result, ensure};
use goblin::elf::Elf;
use std::fs;
use std::path::{Path, PathBuf};

/// Newest version that an archive may need: that of Debian 12.
const NEWEST: [u32; 2] = [2, 36];

/// Prints the newest version that the ELF files in `folder` need. Errors: a version after 2.36, with the file.
pub fn check(folder: &Path) -> Result<()> {
    let mut newest = [0, 0];
    let mut count = 0;
    for file in files(folder)? {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let Some(needed) = needed(&bytes) else { continue };
        ensure!(
            needed <= NEWEST,
            "{} needs glibc {}; archives may need 2.36 at most: build them on Debian 12 or in a container of it",
            file.display(),
            text(needed)
        );
        newest = newest.max(needed);
        count += 1;
    }
    ensure!(count > 0, "{} has no program", folder.display());
    println!("{count} programs and libraries need glibc {} or later", text(newest));
    Ok(())
}

fn text([major, minor]: [u32; 2]) -> String {
    format!("{major}.{minor}")
}

/// All files in `folder` and its subfolders.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

/// The newest version of glibc in the list of needed versions; none in a file that is no dynamic ELF file.
fn needed(bytes: &[u8]) -> Option<[u32; 2]> {
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    let elf = Elf::parse(bytes).ok()?;
    let versions = elf.verneed.as_ref()?.iter().flat_map(|library| library.iter().collect::<Vec<_>>());
    let names = versions.filter_map(|version| elf.dynstrtab.get_at(version.vna_name));
    names.filter_map(version).max()
}

/// The numbers of `GLIBC_2.34` or `GLIBC_2.2.5`.
fn version(name: &str) -> Option<[u32; 2]> {
    let mut parts = name.strip_prefix("GLIBC_")?.split('.').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(["GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_PRIVATE"].map(version), [Some([2, 2]), Some([2, 34]), None]);
        assert!(version("GLIBC_2.9") < version("GLIBC_2.34"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_versions_of_a_program_are_read() {
        let bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(needed(&bytes).is_some_and(|version| version >= [2, 14]), "{:?}", needed(&bytes));
        assert_eq!(needed(b"#!/bin/sh"), None);
    }
}
