//! Scenes of an editor session (window size, sound, and the steps of the user), and their pictures, one per scene.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::editor::HeadlessWindow;
use crate::editor::headless_window::prefs;
use crate::editor_capture::canvas::Canvas;
use crate::editor_capture::script::Step;
use crate::editor_capture::{canvas, script};
use urto_engine::patch::{Patch, factory_presets, patch_toml};

/// A file of scenes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scene: Vec<SceneText>,
}

/// A scene as it is written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneText {
    name: String,
    /// Size of the window [logical pixels].
    #[serde(default = "usual")]
    size: [f32; 2],
    #[serde(default = "whole")]
    zoom: f32,
    #[serde(default)]
    light: bool,
    /// Name of a built-in preset, or of a file beside that of the scenes.
    preset: String,
    /// Whether a decaying beat is fed to the side-chain.
    #[serde(default)]
    beat: bool,
    #[serde(default)]
    steps: Vec<String>,
}

fn usual() -> [f32; 2] {
    [1280.0, 800.0]
}

fn whole() -> f32 {
    1.0
}

/// A scene that can be run.
pub struct Scene {
    /// Name of its picture.
    pub name: String,
    size: [f32; 2],
    zoom: f32,
    light: bool,
    patch: Patch,
    beat: bool,
    steps: Vec<Step>,
}

/// Reads the scenes of a file. Errors: the file, the place and the problem.
pub fn read_file(file: &Path) -> Result<Vec<Scene>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    read(&text, folder).map_err(|fault| format!("{}: {fault}", file.display()))
}

/// The scenes of a text whose presets' files are in `folder`. Errors: the problem and its place.
fn read(text: &str, folder: &Path) -> Result<Vec<Scene>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    file.scene.into_iter().map(|text| scene(text, folder)).collect()
}

fn scene(text: SceneText, folder: &Path) -> Result<Scene, String> {
    let SceneText { name, size, zoom, light, preset, beat, steps } = text;
    let here = |fault: String| format!("scene {name}: {fault}");
    let patch = patch(&preset, folder).map_err(here)?;
    let steps = steps.iter().map(|step| script::step(step)).collect::<Result<_, _>>().map_err(here)?;
    Ok(Scene { name, size, zoom, light, patch, beat, steps })
}

fn patch(preset: &str, folder: &Path) -> Result<Patch, String> {
    if let Some(patch) = factory_presets::all().chain(factory_presets::kits()).find(|patch| patch.name == preset) {
        return Ok(patch);
    }
    let file = folder.join(preset);
    let text = fs::read_to_string(&file)
        .map_err(|error| format!("there is no preset {preset}, and {} cannot be read: {error}", file.display()))?;
    patch_toml::from_toml(&text).map_err(|fault| format!("{}: {fault}", file.display()))
}

/// A test signal: two beats in a quarter of a second, each a decaying tone.
fn beat(time: f64) -> f32 {
    let (within, nth) = (time % 0.125, (time / 0.125).floor() % 2.0);
    let tone =
        (std::f64::consts::TAU * (72.0 + 12.0 * nth) * within).sin() + 0.4 * (std::f64::consts::TAU * 190.0 * within).sin();
    (0.75 * tone * (-within / 0.035).exp()) as f32
}

impl Scene {
    /// Size of the picture [pixels].
    pub fn pixels(&self) -> [u32; 2] {
        self.size.map(|length| (length * self.zoom).round() as u32)
    }

    /// The window after all steps; its textures are on `canvas`.
    pub fn play(&self, canvas: &mut Canvas) -> Result<HeadlessWindow, String> {
        let mut window = HeadlessWindow::with(prefs(!self.light, self.zoom));
        window.size = self.size;
        if self.beat {
            window.drive(beat);
        }
        window.play(self.patch.clone());
        for step in [Step::Wait(0.0)].iter().chain(&self.steps) {
            step.run(&mut window, canvas);
        }
        Ok(window)
    }
}

/// Runs the scenes of a file and writes their pictures to `folder`, each as `name.ppm`. Needs a display. Errors: the file, the place
/// and the remedy; no display; a folder that cannot be written to.
pub fn pictures(scenes: &Path, folder: &Path) -> Result<(), String> {
    let scenes = read_file(scenes)?;
    fs::create_dir_all(folder).map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))?;
    let folder = folder.to_owned();
    canvas::with_gl(move |gl| {
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
