//! The canvas: an OpenGL texture of any size on which a window is painted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::FullOutput;
use egui_glow::Painter;
use egui_glow::glow::{self, Context, HasContext};

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
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.target)) };
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
