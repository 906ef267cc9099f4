//! Paths of the workspace and its build folder, and copies of folders.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The workspace and its build folder, which `CARGO_TARGET_DIR` or a configuration of cargo may have moved.
pub struct Paths {
    /// Folder of the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
}

impl Paths {
    /// Asks cargo for both folders and makes the root the working directory. Errors: the working directory is outside of a
    /// workspace.
    pub fn find() -> Result<Self> {
        let own_manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| own_manifest.to_path_buf(), PathBuf::from);
        let metadata = cargo_metadata::MetadataCommand::new()
            .manifest_path(package.join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("cargo metadata failed; run `cargo xtask` inside the repository")?;
        let paths =
            Self { root: metadata.workspace_root.into_std_path_buf(), target: metadata.target_directory.into_std_path_buf() };
        std::env::set_current_dir(&paths.root).with_context(|| format!("cannot enter {}", paths.root.display()))?;
        Ok(paths)
    }

    /// A folder below the target folder, created if it is missing.
    pub fn output(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder)
    }
}

/// Copies a file, or a folder with its contents.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let failure = || format!("cannot copy {} to {}", from.display(), to.display());
    if !from.is_dir() {
        fs::copy(from, to).with_context(failure)?;
        return Ok(());
    }
    fs::create_dir_all(to).with_context(failure)?;
    for entry in fs::read_dir(from).with_context(failure)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
