//! Into the folders where hosts look for a user's plugins.

use crate::bundle;
use crate::paths::{Paths, copy};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Bundles the plugin and copies it to the user's CLAP and VST3 folders.
pub fn run(paths: &Paths) -> Result<()> {
    let bundles = bundle::run(paths)?;
    let (clap, vst3) = folders()?;
    for (bundle, folder) in [(&bundles.clap, &clap), (&bundles.vst3, &vst3)] {
        let name = bundle.file_name().context("a bundle has a name")?;
        replace(bundle, &folder.join(name)).with_context(|| format!("cannot install into {}", folder.display()))?;
        println!("installed {}", folder.join(name).display());
    }
    println!("Rescan plugins in your host; it lists Urto as an instrument and Urto FonoBump as an effect.");
    Ok(())
}

/// The user's CLAP and VST3 folders.
fn folders() -> Result<(PathBuf, PathBuf)> {
    let from = |name: &str| std::env::var_os(name).map(PathBuf::from).with_context(|| format!("the variable {name} is not set"));
    if cfg!(target_os = "windows") {
        let vst3 = from("CommonProgramFiles").unwrap_or_else(|_| r"C:\Program Files\Common Files".into()).join("VST3");
        return Ok((from("LOCALAPPDATA")?.join("Programs").join("Common").join("CLAP"), vst3));
    }
    let home = from("HOME")?;
    if cfg!(target_os = "macos") {
        let plugins = home.join("Library/Audio/Plug-Ins");
        return Ok((plugins.join("CLAP"), plugins.join("VST3")));
    }
    Ok((home.join(".clap"), home.join(".vst3")))
}

/// Puts a new copy in place of an old one. A host that has the old file open keeps it: it is renamed over, not written over.
fn replace(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().context("a plugin folder has a parent")?)?;
    let fresh = to.with_extension("new");
    remove(&fresh)?;
    copy(from, &fresh)?;
    if to.is_dir() {
        remove(to)?;
    }
    fs::rename(&fresh, to)?;
    Ok(())
}

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
    fn a_bundle_replaces_an_older_one_whole() {
        let scratch = std::env::temp_dir().join(format!("urto-install-{}", std::process::id()));
        let (old, new) = (scratch.join("installed/Urto.vst3"), scratch.join("built/Urto.vst3"));
        fs::create_dir_all(old.join("Contents")).unwrap();
        fs::write(old.join("Contents/stale"), "old").unwrap();
        fs::create_dir_all(new.join("Contents/x")).unwrap();
        fs::write(new.join("Contents/x/Urto.so"), "new").unwrap();
        replace(&new, &old).unwrap();
        assert_eq!(fs::read_to_string(old.join("Contents/x/Urto.so")).unwrap(), "new");
        assert!(!old.join("Contents/stale").exists(), "a file of the old bundle was left behind");
        assert!(!old.with_extension("new").exists());
        fs::remove_dir_all(&scratch).unwrap();
    }
}
