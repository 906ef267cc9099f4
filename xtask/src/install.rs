//! Installation of the plugin in the user's plug-in folders.

use crate::bundle;
use crate::paths::{Paths, copy};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders in which hosts search for the plugins of one user.
struct PluginFolders {
    clap: PathBuf,
    vst3: PathBuf,
}

/// Bundles the plugin and copies it to the user's CLAP and VST3 folders.
pub fn run(paths: &Paths) -> Result<()> {
    let bundles = bundle::run(paths)?;
    let folders = plugin_folders()?;
    for (bundle, folder) in [(&bundles.clap, &folders.clap), (&bundles.vst3, &folders.vst3)] {
        let name = bundle.file_name().context("a bundle has no file name")?;
        replace(bundle, &folder.join(name)).with_context(|| format!("cannot install into {}", folder.display()))?;
        println!("installed {}", folder.join(name).display());
    }
    println!("Rescan plugins in your host; it lists Urto as an instrument and Urto FonoBump as an effect.");
    Ok(())
}

fn plugin_folders() -> Result<PluginFolders> {
    let variable = |name: &str| {
        let value = std::env::var_os(name).map(PathBuf::from);
        value.with_context(|| format!("cannot find the plug-in folders: the environment variable {name} is not set"))
    };
    if cfg!(target_os = "windows") {
        // the folders of one user: those of all users need administrator rights
        let common = variable("LOCALAPPDATA")?.join("Programs").join("Common");
        return Ok(PluginFolders { clap: common.join("CLAP"), vst3: common.join("VST3") });
    }
    let home = variable("HOME")?;
    if cfg!(target_os = "macos") {
        let plugins = home.join("Library/Audio/Plug-Ins");
        return Ok(PluginFolders { clap: plugins.join("CLAP"), vst3: plugins.join("VST3") });
    }
    Ok(PluginFolders { clap: home.join(".clap"), vst3: home.join(".vst3") })
}

/// Replaces an older bundle. The new file is renamed over the old one, so that a host that has loaded the old file keeps it.
fn replace(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().context("a plug-in folder has no parent")?)?;
    let new = to.with_extension("new");
    remove(&new)?;
    copy(from, &new)?;
    // a folder cannot be renamed over another one
    if to.is_dir() {
        remove(to)?;
    }
    fs::rename(&new, to)?;
    Ok(())
}

/// Removes a file or folder if it exists.
fn remove(path: &Path) -> Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(fs::remove_dir_all(path)?),
        Ok(_) => Ok(fs::remove_file(path)?),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_replaces_all_files_of_an_older_one() {
        let scratch = std::env::temp_dir().join(format!("urto-install-{}", std::process::id()));
        let (old, new) = (scratch.join("installed/Urto.vst3"), scratch.join("built/Urto.vst3"));
        fs::create_dir_all(old.join("Contents")).unwrap();
        fs::write(old.join("Contents/stale"), "old").unwrap();
        fs::create_dir_all(new.join("Contents/x")).unwrap();
        fs::write(new.join("Contents/x/Urto.so"), "new").unwrap();
        replace(&new, &old).unwrap();
        assert_eq!(fs::read_to_string(old.join("Contents/x/Urto.so")).unwrap(), "new");
        assert!(!old.join("Contents/stale").exists(), "a file of the old bundle remains");
        assert!(!old.with_extension("new").exists());
        fs::remove_dir_all(&scratch).unwrap();
    }
}
