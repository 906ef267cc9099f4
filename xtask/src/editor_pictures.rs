//! Pictures of the editor for the manual.

use crate::paths::Paths;
use crate::{media, virtual_display};
use anyhow::{Context, Result};
use std::fs;

/// Folder of the scenes and the pictures, relative to the root.
const FOLDER: &str = "docs/images/editor";
/// File of the scenes in that folder.
const SCENES: &str = "scenes.toml";

/// Plays `scenes.toml` in the editor and stores the pictures beside it.
pub fn run(paths: &Paths) -> Result<()> {
    let raw = paths.output("editor/pictures")?;
    fs::remove_dir_all(&raw).and_then(|()| fs::create_dir(&raw)).with_context(|| format!("cannot empty {}", raw.display()))?;
    let scenes = paths.root.join(FOLDER).join(SCENES);
    virtual_display::run_standalone(paths, ["--pictures".as_ref(), scenes.as_os_str(), raw.as_os_str()])?;
    media::run(paths, ["editor-pictures".as_ref(), raw.as_os_str()])
}
