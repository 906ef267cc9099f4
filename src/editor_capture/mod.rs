//! Roof: the editor's studio. Plays scenes in windows in which time passes only as it is told to, paints them by OpenGL as a window
//! is painted, and keeps the pictures; and times frames.

mod canvas;
mod frame_timing;
pub(crate) mod gl_window;
mod scene;
pub(crate) mod script;

use std::fs;
use std::path::Path;

use crate::editor_capture::canvas::Canvas;
pub use crate::editor_capture::frame_timing::frames;
use crate::editor_capture::scene::Scene;

/// Plays the scenes of a file and keeps their pictures in `folder`, each as `name.ppm`. Needs a display. Errors: what is wrong with
/// the file, with place and remedy; no display; a folder that cannot be written to.
pub fn pictures(scenes: &Path, folder: &Path) -> Result<(), String> {
    let scenes = read(scenes)?;
    fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    let folder = folder.to_owned();
    crate::editor_capture::gl_window::with_gl(move |gl| {
        for scene in &scenes {
            let mut canvas = Canvas::new(gl, scene.pixels())?;
            let mut player = scene.played(&mut canvas)?;
            canvas.paint(&mut player);
            let file = folder.join(format!("{}.ppm", scene.name));
            fs::write(&file, canvas.ppm()).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            println!("{}", scene.name);
        }
        Ok(())
    })
}

/// The scenes of a file.
fn read(file: &Path) -> Result<Vec<Scene>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    scene::read(&text, folder).map_err(|fault| format!("{}: {fault}", file.display()))
}
