//! What a frame of the editor costs, and how many an idle window draws.

use crate::editor_pictures::FOLDER;
use crate::paths::Paths;
use crate::virtual_display;
use anyhow::Result;

/// Scenes whose frames are timed.
const SCENES: &str = "frames.toml";

/// Prints the median time of a frame of each scene at 1280 x 800 with OpenGL in software, and the frames a second of an idle window.
pub fn run(paths: &Paths) -> Result<()> {
    let scenes = paths.root.join(FOLDER).join(SCENES);
    virtual_display::run_standalone(paths, ["--frames".as_ref(), scenes.as_os_str()])
}
