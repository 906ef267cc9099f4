//! Frame times of the editor, and the frame rate of an idle window.

use crate::paths::Paths;
use crate::virtual_display;
use anyhow::Result;

/// Scenes whose frames are timed, relative to the root.
const SCENES: &str = "docs/images/editor/frames.toml";

/// Prints the median time of a frame of each scene at 1280 x 800 with OpenGL in software, and the frames per second of an idle
/// window.
pub fn run(paths: &Paths) -> Result<()> {
    let scenes = paths.root.join(SCENES);
    virtual_display::run_standalone(paths, ["--frames".as_ref(), scenes.as_os_str()])
}
