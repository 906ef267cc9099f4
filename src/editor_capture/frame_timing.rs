//! Frame times: the cost of a frame while the body moves, and the frame rate of an idle window.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use egui::{Context, Ui, ViewportCommand};
use nice_plug_egui::baseview::HandlerError;
use nice_plug_egui::baseview::dpi::LogicalSize;
use nice_plug_egui::{App, EguiWindowSettings, Frame};

use crate::editor::HeadlessWindow;
use crate::editor_capture::canvas::Canvas;
use crate::editor_capture::{canvas, scene};

/// Timed frames, and untimed ones before them.
const TIMED_FRAMES: usize = 120;
const WARM_UP_FRAMES: usize = 20;
/// Time for which an idle window is observed, and time before and after.
const WATCHED: Duration = Duration::from_secs(5);
const SETTLING: Duration = Duration::from_secs(3);
const MARGIN: Duration = Duration::from_millis(500);

/// Prints the median cost of a frame of each scene with its parts, and the frame rate of an idle window. Needs a display. Errors: as
/// [`pictures`](crate::editor_capture::pictures).
pub fn frames(scenes: &Path) -> Result<(), String> {
    let scenes = scene::read_file(scenes)?;
    canvas::with_gl(move |gl| {
        for scene in &scenes {
            let mut canvas = Canvas::new(gl, scene.pixels())?;
            let mut window = scene.play(&mut canvas)?;
            let [all, layout, triangles, opengl] = medians(&mut window, &mut canvas).map(|part| 1e3 * part.as_secs_f64());
            let name = &scene.name;
            println!("{name:<12} {all:6.2} ms per frame: layout {layout:.2}, triangles {triangles:.2}, OpenGL {opengl:.2}");
        }
        Ok(())
    })?;
    let idle = idle()?;
    println!("{:<12} {idle:6.2} frames per second", "idle");
    Ok(())
}

/// Median times of a frame and its parts: layout, triangles, OpenGL.
fn medians(window: &mut HeadlessWindow, canvas: &mut Canvas) -> [Duration; 4] {
    let mut times: [Vec<Duration>; 4] = Default::default();
    for frame in 0..WARM_UP_FRAMES + TIMED_FRAMES {
        window.sound();
        let begun = Instant::now();
        let mut shown = window.see(Vec::new());
        let layout = begun.elapsed();
        canvas.take(&mut shown);
        let triangles = canvas.show(window, shown);
        let all = begun.elapsed();
        if frame >= WARM_UP_FRAMES {
            let parts = [all, layout, triangles, all - layout - triangles];
            times.iter_mut().zip(parts).for_each(|(times, part)| times.push(part));
        }
    }
    times.map(|mut times| {
        times.sort();
        times[times.len() / 2]
    })
}

/// A window that counts its frames once it is idle.
struct Counted {
    window: HeadlessWindow,
    begun: Instant,
    frames: Arc<AtomicUsize>,
}

impl App for Counted {
    fn build(&mut self, context: Context, _: &mut Frame) -> Result<(), HandlerError> {
        self.window.apply_theme(&context);
        // an idle window closes only when it is woken
        let wake = move || {
            std::thread::sleep(SETTLING + WATCHED + MARGIN);
            context.request_repaint();
        };
        std::thread::Builder::new().name("urto wake".into()).spawn(wake)?;
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut Frame) {
        let age = self.begun.elapsed();
        match age.checked_sub(SETTLING) {
            None => {}
            Some(age) if age < WATCHED => _ = self.frames.fetch_add(1, Relaxed),
            Some(_) => ui.ctx().send_viewport_cmd(ViewportCommand::Close),
        }
        self.window.draw(ui);
    }
}

/// Frames per second of an idle window.
fn idle() -> Result<f64, String> {
    let frames = Arc::new(AtomicUsize::new(0));
    let window = HeadlessWindow::default();
    let app = Counted { window, begun: Instant::now(), frames: Arc::clone(&frames) };
    canvas::gl_window(app, EguiWindowSettings::new().with_title("Urto").with_size(LogicalSize::new(1280.0, 800.0)))?;
    Ok(frames.load(Relaxed) as f64 / WATCHED.as_secs_f64())
}
