//! The canvas on which a window is painted, an OpenGL texture of any size, and the small window that provides its OpenGL context.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use egui::{FullOutput, PaintCallback, Ui, ViewportCommand};
use egui_glow::glow::{Context, HasContext};
use egui_glow::{CallbackFn, Painter, glow};
use nice_plug_egui::baseview::dpi::LogicalSize;
use nice_plug_egui::{App, EguiWindow, EguiWindowSettings, Frame, baseview};

use crate::editor::HeadlessWindow;

/// A texture with the painter of one window.
pub struct Canvas {
    gl: Arc<Context>,
    painter: Painter,
    size: [u32; 2],
    target: glow::Framebuffer,
    texture: glow::Texture,
}

impl Canvas {
    /// A canvas of `size` [pixels]. Errors: the message of OpenGL.
    pub fn new(gl: &Arc<Context>, size: [u32; 2]) -> Result<Self, String> {
        let painter = Painter::new(Arc::clone(gl), "", None, true).map_err(|error| error.to_string())?;
        let [width, height] = size.map(u32::cast_signed);
        // SAFETY: the context is current while the job runs that owns the canvas.
        let (target, texture) = unsafe {
            let texture = gl.create_texture()?;
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            let (format, part) = (glow::RGBA, glow::UNSIGNED_BYTE);
            let empty = glow::PixelUnpackData::Slice(None);
            gl.tex_image_2d(glow::TEXTURE_2D, 0, glow::RGBA8.cast_signed(), width, height, 0, format, part, empty);
            let target = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target));
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, glow::TEXTURE_2D, Some(texture), 0);
            if gl.check_framebuffer_status(glow::FRAMEBUFFER) != glow::FRAMEBUFFER_COMPLETE {
                return Err(format!("OpenGL cannot paint on a texture of {width} x {height} pixels"));
            }
            (target, texture)
        };
        Ok(Self { gl: Arc::clone(gl), painter, size, target, texture })
    }

    /// Uploads the glyphs and other textures of a frame.
    pub fn take(&mut self, shown: &mut FullOutput) {
        let delta = &mut shown.textures_delta;
        for (id, images) in delta.set.drain() {
            images.iter().for_each(|image| self.painter.set_texture(id, image));
        }
        delta.free.drain().for_each(|id| self.painter.free_texture(id));
    }

    /// Paints the next frame of a window.
    pub fn paint(&mut self, window: &mut HeadlessWindow) {
        let mut shown = window.see(Vec::new());
        self.take(&mut shown);
        self.show(window, shown);
    }

    /// Paints a frame and waits until OpenGL has finished. Returns the time of the tessellation.
    pub fn show(&mut self, window: &HeadlessWindow, shown: FullOutput) -> Duration {
        let begun = Instant::now();
        let triangles = window.context.tessellate(shown.shapes, shown.pixels_per_point);
        let cut = begun.elapsed();
        // SAFETY: see `new`.
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.target)) };
        self.painter.clear(self.size, [0.0, 0.0, 0.0, 1.0]);
        self.painter.paint_primitives(self.size, shown.pixels_per_point, &triangles);
        // SAFETY: see `new`.
        unsafe { self.gl.finish() };
        cut
    }

    /// The picture as a portable pixmap (P6).
    pub fn ppm(&self) -> Vec<u8> {
        // SAFETY: see `new`.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.target));
            // rows without padding, for which the painter has no room
            self.gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
        }
        let [width, height] = self.size;
        let mut file = format!("P6\n{width} {height}\n255\n").into_bytes();
        // OpenGL starts with the bottom row
        let rows = self.painter.read_screen_rgb(self.size);
        rows.rchunks_exact(3 * width as usize).for_each(|row| file.extend(row));
        file
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        self.painter.destroy();
        // SAFETY: see `new`.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            self.gl.delete_framebuffer(self.target);
            self.gl.delete_texture(self.texture);
        }
    }
}

/// Work that needs OpenGL.
type Job = Box<dyn FnOnce(&Arc<Context>) -> Result<(), String> + Send>;

/// The work, and its result.
#[derive(Default)]
struct State {
    job: Option<Job>,
    done: Option<Result<(), String>>,
}

/// A window that runs the work once and closes.
struct Once(Arc<Mutex<State>>);

impl App for Once {
    fn ui(&mut self, ui: &mut Ui, _: &mut Frame) {
        let state = Arc::clone(&self.0);
        let callback = CallbackFn::new(move |_, painter| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(job) = state.job.take() {
                state.done = Some(job(painter.gl()));
            }
        });
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).done.is_some() {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
        }
        ui.painter().add(PaintCallback { rect: ui.max_rect(), callback: Arc::new(callback) });
        ui.ctx().request_repaint();
    }
}

/// Runs `job` with the OpenGL context of a window like that of the editor. Errors: those of the job, or that there is no window.
pub fn with_gl(job: impl FnOnce(&Arc<Context>) -> Result<(), String> + Send + 'static) -> Result<(), String> {
    let state = Arc::new(Mutex::new(State { job: Some(Box::new(job)), done: None }));
    gl_window(Once(Arc::clone(&state)), EguiWindowSettings::new().with_title("Urto").with_size(LogicalSize::new(64.0, 64.0)))?;
    let done = state.lock().unwrap_or_else(PoisonError::into_inner).done.take();
    done.unwrap_or_else(|| Err("the window was closed before anything was painted".to_owned()))
}

/// Shows a window until it is closed.
pub fn gl_window(app: impl App, settings: EguiWindowSettings) -> Result<(), String> {
    // SAFETY: only the standalone program calls this, never a plugin in the process of a host.
    unsafe { baseview::assume_standalone_in_process() };
    let no_window = |error: baseview::Error| {
        format!("cannot open a window: {error}; a display with OpenGL is needed (`xvfb-run` provides one)")
    };
    EguiWindow::create(settings, app).map_err(no_window)?.run_until_closed().map_err(no_window)
}
