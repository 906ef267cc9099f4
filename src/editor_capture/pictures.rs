//! Pictures of the editor, one per scene.

use std::fs;
use std::path::Path;

use crate::editor_capture::canvas::Canvas;
use crate::editor_capture::gl_window;
use crate::editor_capture::scene;

/// Runs the scenes of a file and writes their pictures to `folder`, each as `name.ppm`. Needs a display. Errors: the file, the place
/// and the remedy; no display; a folder that cannot be written to.
pub fn pictures(scenes: &Path, folder: &Path) -> Result<(), String> {
    let scenes = scene::read_file(scenes)?;
    fs::create_dir_all(folder).map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))?;
    let folder = folder.to_owned();
    gl_window::with_gl(move |gl| {
        for scene in &scenes {
            let mut canvas = Canvas::new(gl, scene.pixels())?;
            let mut window = scene.play(&mut canvas)?;
            canvas.paint(&mut window);
            let file = folder.join(format!("{}.ppm", scene.name));
            fs::write(&file, canvas.ppm()).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            println!("{}", scene.name);
        }
        Ok(())
    })
}
