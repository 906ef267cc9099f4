//! The pictures of the editor.

use crate::paths::Paths;
use crate::{media, virtual_display};
use anyhow::{Context, Result};
use std::fs;

/// Folder of the scenes and the pictures.
pub const FOLDER: &str = "docs/images/editor";
/// Scenes that are played.
const SCENES: &str = "scenes.toml";

/// Plays `scenes.toml` in the editor and keeps the pictures beside it. Errors: what cannot be built, set up, read or written.
pub fn run(paths: &Paths) -> Result<()> {
    let raw = paths.output("editor/pictures")?;
    fs::remove_dir_all(&raw).and_then(|()| fs::create_dir(&raw)).with_context(|| format!("cannot empty {}", raw.display()))?;
    let scenes = paths.root.join(FOLDER).join(SCENES);
    virtual_display::run_standalone(paths, ["--pictures".as_ref(), scenes.as_os_str(), raw.as_os_str()])?;
    media::run(paths, ["editor-pictures".as_ref(), raw.as_os_str()])
}
