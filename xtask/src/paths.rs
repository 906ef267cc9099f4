//! Where things are, and how cargo is called from there.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The workspace and its build folder, wherever cargo has been told to put it.
pub struct Place {
    /// Folder of the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
}

impl Place {
    /// Asks cargo; the working directory becomes the root.
    pub fn find() -> Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| manifest.to_path_buf(), PathBuf::from);
        let metadata = cargo_metadata::MetadataCommand::new()
            .manifest_path(here.join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("cargo metadata failed; run this as `cargo xtask` inside the repository")?;
        let place =
            Self { root: metadata.workspace_root.into_std_path_buf(), target: metadata.target_directory.into_std_path_buf() };
        std::env::set_current_dir(&place.root).with_context(|| format!("cannot enter {}", place.root.display()))?;
        Ok(place)
    }

    /// A folder below the target folder, made if it is not there.
    pub fn output(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join(name);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }
}

/// Copies a file, or a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let failed = || format!("cannot copy {} to {}", from.display(), to.display());
    if !from.is_dir() {
        fs::copy(from, to).with_context(failed)?;
        return Ok(());
    }
    fs::create_dir_all(to).with_context(failed)?;
    for entry in fs::read_dir(from).with_context(failed)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Whether a program is there and says its version.
pub fn answers(command: &mut Command) -> bool {
    let status = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// The cargo that runs this task.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The command as it would be typed.
pub fn typed(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    std::iter::once(program).chain(command.get_args().map(|a| a.to_string_lossy().into_owned())).collect::<Vec<_>>().join(" ")
}

/// Says what is run, runs it, and fails if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", typed(command));
    let status = command.status().with_context(|| format!("cannot start `{}`", typed(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", typed(command));
    }
    Ok(())
}
